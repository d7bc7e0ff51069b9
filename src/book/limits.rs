//! Limits that a person sets on one run.

use std::time::Duration;

use crate::text::Decimal;

use super::brake::StoppedBy;
use super::plan::Queued;

/// How far a run may go before it stops for a person to look; what is left stays outstanding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// Orders to send at most.
    pub orders_max: Option<u64>,
    /// Declared value to send at most: a sum of figures, each in its order's currency.
    pub value_max: Option<Decimal>,
    /// Rejected and refused orders to accept at most.
    pub failures_max: Option<u64>,
    /// How long after its start the run may still send an order.
    pub deadline: Option<Duration>,
}

impl Limits {
    /// Why nothing more may be sent, where a limit is reached; `elapsed` counts from the start of the run.
    #[must_use]
    pub fn reached(&self, sent: Sent, failures: u64, elapsed: Duration) -> Option<(StoppedBy, String)> {
        let Sent { orders, value, next } = sent;
        let own = |why| Some((StoppedBy::OwnLimit, why));
        if self.failures_max.is_some_and(|max| failures > 0 && failures >= max) {
            return own(format!("{failures} orders failed, which is as many as the limit of failures accepts"));
        }
        if self.orders_max.is_some_and(|max| orders >= max) {
            return own(format!("{orders} orders were sent, which is as many as the limit of orders allows"));
        }
        if let Some(max) = self.value_max.filter(|max| value + next > *max) {
            return own(format!(
                "a declared value of {value} was sent, and the next order is worth {next}: the limit of value is {max}"
            ));
        }
        if self.deadline.is_some_and(|deadline| elapsed >= deadline) {
            return Some((StoppedBy::Limit, "the time that the deadline allows is over".to_owned()));
        }
        None
    }
}

/// What a run has sent so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sent {
    /// Orders.
    pub orders: u64,
    /// Their declared value.
    pub value: Decimal,
    /// The declared value of the order that would be sent next; zero where it was counted already.
    pub next: Decimal,
}

impl Sent {
    /// Counts an order that is about to be sent, once.
    pub(super) fn count(&mut self, queued: &Queued) {
        if queued.attempts == 1 {
            self.orders += 1;
            self.value += queued.order.value;
        }
    }

    /// Counts an order out that was not sent after all.
    pub(super) fn take_back(&mut self, queued: &Queued) {
        if queued.attempts == 1 {
            self.orders -= 1;
            self.value -= queued.order.value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_is_named() {
        let (orders_max, value_max, failures_max) = (Some(3), Some(Decimal::from(1_000)), Some(2));
        let limits = Limits { orders_max, value_max, failures_max, deadline: Some(Duration::from_mins(1)) };
        let now = Duration::from_secs(1);
        let sent = |orders, value: u32, next: u32| Sent { orders, value: value.into(), next: next.into() };
        let says = |sent, failures, elapsed, word: &str, by| {
            limits.reached(sent, failures, elapsed).is_some_and(|(stopped, why)| stopped == by && why.contains(word))
        };
        assert_eq!(limits.reached(sent(2, 600, 400), 1, now), None, "what comes to the limit is within it");
        assert!(says(sent(2, 600, 401), 1, now, "limit of value is 1000", StoppedBy::OwnLimit));
        assert!(says(sent(3, 0, 0), 1, now, "limit of orders", StoppedBy::OwnLimit));
        assert!(says(sent(2, 0, 0), 2, now, "limit of failures", StoppedBy::OwnLimit));
        assert!(says(sent(2, 0, 0), 1, Duration::from_mins(1), "deadline", StoppedBy::Limit));
        let all = Sent { orders: u64::MAX, value: Decimal::MAX, next: Decimal::ZERO };
        assert_eq!(Limits::default().reached(all, u64::MAX, Duration::MAX), None);
    }
}
