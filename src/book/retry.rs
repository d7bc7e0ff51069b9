//! How long to wait before sending again: arithmetic, without clock or sleep.

use std::time::Duration;

/// Growing waits with full jitter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// No wait is shorter.
    pub shortest: Duration,
    /// The upper bound of the first wait.
    pub first: Duration,
    /// No wait is longer, unless the service asks for it.
    pub longest: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self { shortest: Duration::from_millis(100), first: Duration::from_secs(1), longest: Duration::from_mins(1) }
    }
}

impl RetryPolicy {
    /// The wait after the `failures`-th failure in a row (counted from 1), with `jitter` between 0 and 1.
    ///
    /// What the service asks for is a lower bound; some jitter then comes on top, so that clients do not return as one.
    /// A service that asks for no wait at all, again and again, is given growing ones all the same.
    #[must_use]
    pub fn delay(&self, failures: u32, asked: Option<Duration>, jitter: f64) -> Duration {
        let doublings = failures.saturating_sub(1).min(16);
        let ceiling = self.first.saturating_mul(1 << doublings).min(self.longest);
        let drawn = ceiling.mul_f64(jitter.clamp(0.0, 1.0)).max(self.shortest);
        asked.map_or(drawn, |asked| drawn.max(asked + drawn.min(asked / 10)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schedule() {
        let policy = RetryPolicy::default();
        let schedule: Vec<u64> = (1..=8).map(|failures| policy.delay(failures, None, 1.0).as_secs()).collect();
        assert_eq!(schedule, [1, 2, 4, 8, 16, 32, 60, 60]);
        assert_eq!(policy.delay(5, None, 0.0), policy.shortest);
        assert_eq!(policy.delay(u32::MAX, None, 0.5), Duration::from_secs(30));
    }

    #[test]
    fn what_the_service_asks_for_is_never_undercut() {
        let policy = RetryPolicy::default();
        for jitter in [0.0, 0.3, 1.0] {
            let asked = Duration::from_secs(30);
            let delay = policy.delay(1, Some(asked), jitter);
            assert!(delay >= asked && delay <= asked + asked / 10, "{delay:?}");
            let none = policy.delay(6, Some(Duration::ZERO), jitter);
            assert!(none >= policy.shortest && none <= policy.longest, "{none:?}");
        }
    }
}
