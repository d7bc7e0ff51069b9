//! Limits that a person sets on one run.

use std::time::Duration;

/// How far a run may go before it stops for a person to look; what is left stays outstanding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// Orders to send at most.
    pub orders_max: Option<u64>,
    /// Rejected and refused orders to accept at most.
    pub failures_max: Option<u64>,
    /// How long after its start the run may still send an order.
    pub deadline: Option<Duration>,
}

impl Limits {
    /// Why nothing more may be sent, where a limit is reached; `elapsed` counts from the start of the run.
    #[must_use]
    pub fn reached(&self, sent: u64, failures: u64, elapsed: Duration) -> Option<String> {
        if self.failures_max.is_some_and(|max| failures > 0 && failures >= max) {
            return Some(format!("{failures} orders failed, which is as many as the limit of failures accepts"));
        }
        if self.orders_max.is_some_and(|max| sent >= max) {
            return Some(format!("{sent} orders were sent, which is as many as the limit of orders allows"));
        }
        if self.deadline.is_some_and(|deadline| elapsed >= deadline) {
            return Some("the time that the deadline allows is over".to_owned());
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_is_named() {
        let limits = Limits { orders_max: Some(3), failures_max: Some(2), deadline: Some(Duration::from_mins(1)) };
        let now = Duration::from_secs(1);
        assert_eq!(limits.reached(2, 1, now), None);
        assert!(limits.reached(3, 1, now).is_some_and(|why| why.contains("limit of orders")));
        assert!(limits.reached(2, 2, now).is_some_and(|why| why.contains("limit of failures")));
        assert!(limits.reached(2, 1, Duration::from_mins(1)).is_some_and(|why| why.contains("deadline")));
        assert_eq!(Limits::default().reached(u64::MAX, u64::MAX, Duration::MAX), None);
    }
}
