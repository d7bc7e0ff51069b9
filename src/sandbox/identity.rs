//! Order ids and AWBs: one follows from the other, so that a sandbox knows the shipments of an earlier one.

use std::sync::atomic::{AtomicU64, Ordering};

use jiff::Timestamp;

const DIGITS: &[u8; 36] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Hands out ids that no other sandbox hands out.
#[derive(Debug)]
pub(super) struct Identities {
    epoch: String,
    counter: AtomicU64,
}

/// One shipment by its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) order_id: String,
    pub(super) awb: String,
    /// Its place among the shipments of its sandbox.
    pub(super) count: u64,
}

impl Identities {
    pub(super) fn new() -> Self {
        Self { epoch: base_36(Timestamp::now().as_microsecond().unsigned_abs()), counter: AtomicU64::new(1) }
    }

    pub(super) fn next(&self) -> Identity {
        // The moment of a shipment is part of its id: tracking needs it, also in another process.
        let count = self.counter.fetch_add(1, Ordering::Relaxed);
        let now_ms = Timestamp::now().as_millisecond().unsigned_abs();
        identity(&self.epoch, count, &base_36(now_ms))
    }
}

fn identity(epoch: &str, count: u64, moment: &str) -> Identity {
    Identity { order_id: format!("SB-{epoch}-{count}-{moment}"), awb: format!("SBX{epoch}{count:06}"), count }
}

/// The shipment of an order id and when it was booked, epoch milliseconds; nothing where no sandbox made the id.
pub(super) fn known(order_id: &str) -> Option<(Identity, i64)> {
    let mut parts = order_id.strip_prefix("SB-")?.split('-');
    let (epoch, count, moment) = (parts.next()?, parts.next()?.parse().ok()?, parts.next()?);
    let at_ms = i64::from_str_radix(moment, 36).ok()?;
    let is_whole = parts.next().is_none() && !epoch.is_empty() && epoch.bytes().all(|byte| DIGITS.contains(&byte));
    is_whole.then(|| (identity(epoch, count, moment), at_ms))
}

pub(super) fn base_36(number: u64) -> String {
    let mut rest = number;
    let mut digits = Vec::new();
    while rest > 0 || digits.is_empty() {
        digits.push(DIGITS[usize::try_from(rest % 36).unwrap_or(0)]);
        rest /= 36;
    }
    digits.iter().rev().map(|digit| char::from(*digit)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_tells_its_shipment() {
        let identities = Identities::new();
        let before = Timestamp::now().as_millisecond();
        for count in 1..5 {
            let made = identities.next();
            let (found, at_ms) = known(&made.order_id).unwrap();
            assert_eq!((&found, found.count), (&made, count));
            assert!((before..before + 60_000).contains(&at_ms));
        }
        for other in ["", "SB-", "SB-A-1", "SB-A-x-1", "SB-a!-1-1", "SB-A-1-1-1", "1234"] {
            assert_eq!(known(other), None, "{other}");
        }
    }
}
