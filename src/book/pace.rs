//! At most so many requests a second, evenly, without a burst at the start.

use std::time::Duration;

/// Gives out slots in time.
#[derive(Debug, Clone, Copy)]
pub struct Pacer {
    interval: Duration,
    next: Duration,
}

impl Pacer {
    /// A pacer for `per_second` requests; anything that is not above zero means no limit.
    #[must_use]
    pub fn new(per_second: Option<f64>) -> Self {
        let interval = match per_second {
            Some(rate) if rate > 0.0 && rate.is_finite() => Duration::from_secs_f64(1.0 / rate),
            _ => Duration::ZERO,
        };
        Self { interval, next: Duration::ZERO }
    }

    /// Takes a slot at `now` (since the start of the run), or says when the next one is.
    pub fn take(&mut self, now: Duration) -> Result<(), Duration> {
        if self.interval.is_zero() {
            return Ok(());
        }
        if now < self.next {
            return Err(self.next);
        }
        // Slots that went by unused are gone: making up for them would be a burst.
        self.next = now + self.interval;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_second_ever_has_more_than_the_rate() {
        let mut pacer = Pacer::new(Some(10.0));
        let mut sent = Vec::new();
        for step in 0..5_000_u64 {
            let now = Duration::from_millis(step);
            if pacer.take(now).is_ok() {
                sent.push(now);
            }
        }
        for start in &sent {
            let within = sent.iter().filter(|at| **at >= *start && **at < *start + Duration::from_secs(1)).count();
            assert!(within <= 10, "{within} in the second from {start:?}");
        }
        assert_eq!(sent.len(), 50);
    }

    #[test]
    fn no_rate_is_no_limit() {
        let mut pacer = Pacer::new(None);
        assert!((0..1_000).all(|_| pacer.take(Duration::ZERO).is_ok()));
    }
}
