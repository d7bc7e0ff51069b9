//! At most so many requests a second, evenly, without a burst at the start, and in no second more.

use std::collections::VecDeque;
use std::time::Duration;

/// Clocks and timers are this exact; requests keep so much more distance than they need.
const SLACK: Duration = Duration::from_millis(2);

/// A run that fell behind its pace makes up for so much; more would be a burst.
const CATCH_UP_MAX: Duration = Duration::from_millis(500);

/// Gives out slots in time.
///
/// A slot is taken when an order is chosen. Its intent must be on disk before it leaves, which takes now more time and
/// now less; so what leaves is counted once more, and waits where its second is full.
#[derive(Debug, Clone, Default)]
pub struct Pacer {
    interval: Duration,
    next: Duration,
    /// When the last requests left, as many as one span may have.
    left: VecDeque<Duration>,
    span: Duration,
    span_max: usize,
}

impl Pacer {
    /// A pacer for `per_second` requests; anything that is not above zero means no limit.
    #[must_use]
    pub fn new(per_second: Option<f64>) -> Self {
        let mut pacer = Self::default();
        pacer.set(per_second);
        pacer
    }

    /// Goes on at another rate. What has left counts as before.
    pub fn set(&mut self, per_second: Option<f64>) {
        let (interval, span_max) = match per_second {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "above zero and rounded up")]
            Some(rate) if rate > 0.0 && rate.is_finite() => (Duration::from_secs_f64(1.0 / rate), rate.ceil() as usize),
            _ => (Duration::ZERO, 0),
        };
        // Of 2.5 a second, 3 leave in 1.2 seconds.
        let in_span = u32::try_from(span_max).unwrap_or(u32::MAX);
        let span = interval.mul_f64(in_span.into());
        // Slots keep the distance that leaving does, or else more and more would wait to leave.
        let interval = if span_max == 0 { interval } else { interval + SLACK / in_span };
        (self.interval, self.span, self.span_max) = (interval, span, span_max);
        let too_many = self.left.len().saturating_sub(span_max);
        self.left.drain(..too_many);
    }

    /// Whether there is a limit.
    #[must_use]
    pub const fn is_set(&self) -> bool {
        !self.interval.is_zero()
    }

    /// Takes a slot at `now` (since the start of the run), or says when the next one is.
    pub fn take(&mut self, now: Duration) -> Result<(), Duration> {
        if self.interval.is_zero() {
            return Ok(());
        }
        if now < self.next {
            return Err(self.next);
        }
        self.next = self.next.max(now.saturating_sub(CATCH_UP_MAX)) + self.interval;
        Ok(())
    }

    /// Gives a slot back, of an order that does not leave.
    pub fn give_back(&mut self) {
        self.next = self.next.saturating_sub(self.interval);
    }

    /// When a request that is ready at `now` may leave; it counts as having left then.
    pub fn leave(&mut self, now: Duration) -> Duration {
        if self.interval.is_zero() {
            return now;
        }
        let full = self.left.len() == self.span_max;
        let oldest = if full { self.left.pop_front() } else { None };
        let last = self.left.back().copied().unwrap_or_default();
        let at = oldest.map_or(now, |oldest| now.max(oldest + self.span + SLACK)).max(last);
        self.left.push_back(at);
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asks every millisecond; each request takes a while between its slot and its leaving.
    fn leavings(rate: f64, milliseconds: u64, delay: impl Fn(u64) -> u64) -> Vec<Duration> {
        let mut pacer = Pacer::new(Some(rate));
        let mut left = Vec::new();
        let mut free = 0;
        for step in (0..milliseconds).filter(|step| step % 3 != 1) {
            if step >= free && pacer.take(Duration::from_millis(step)).is_ok() {
                free = step + delay(step);
                left.push(pacer.leave(Duration::from_millis(free)));
            }
        }
        left
    }

    fn most_in_a_second(left: &[Duration]) -> usize {
        let within = |start: Duration| start..start + Duration::from_secs(1);
        left.iter().map(|start| left.iter().filter(|at| within(*start).contains(at)).count()).max().unwrap_or(0)
    }

    #[test]
    fn no_second_ever_has_more_than_the_rate() {
        for rate in [1_u8, 10, 50] {
            for delay in [|_| 0, |step| step % 7, |step| if step % 1_000 < 400 { 90 } else { 1 }] {
                let left = leavings(rate.into(), 20_000, delay);
                let (most, rate) = (most_in_a_second(&left), usize::from(rate));
                assert!(most <= rate, "{rate}: {most}");
                assert!(left.len() >= 18 * rate, "{rate}: {}", left.len());
            }
        }
    }

    #[test]
    fn a_rate_between_whole_numbers_holds_over_time() {
        let left = leavings(2.5, 40_000, |_| 0);
        assert!((99..=101).contains(&left.len()), "{}", left.len());
        assert!(most_in_a_second(&left) <= 3);
    }

    #[test]
    fn what_has_a_slot_hardly_ever_waits_to_leave() {
        for rate in [0.3, 1.0, 10.0, 333.3] {
            let mut pacer = Pacer::new(Some(rate));
            let mut now = Duration::ZERO;
            for _ in 0..20_000 {
                while let Err(next) = pacer.take(now) {
                    now = next;
                }
                let waits = pacer.leave(now).saturating_sub(now);
                assert!(waits <= Duration::from_millis(5), "{rate}: {waits:?} at {now:?}");
            }
        }
    }

    #[test]
    fn at_another_rate_what_has_left_counts_as_before() {
        let mut pacer = Pacer::new(Some(10.0));
        let mut left: Vec<Duration> = (0..10).map(|_| pacer.leave(Duration::ZERO)).collect();
        pacer.set(Some(5.0));
        left.extend((0..10).map(|_| pacer.leave(Duration::ZERO)));
        assert!(left[10] >= Duration::from_secs(1), "{left:?}");
        assert_eq!(most_in_a_second(&left[10..]), 5, "{left:?}");
        pacer.set(Some(10.0));
        left.extend((0..30).map(|_| pacer.leave(Duration::ZERO)));
        assert_eq!(most_in_a_second(&left), 10, "{left:?}");
    }

    #[test]
    fn a_slot_that_is_given_back_is_there_again() {
        let mut pacer = Pacer::new(Some(1.0));
        pacer.take(Duration::ZERO).unwrap();
        pacer.take(Duration::ZERO).unwrap_err();
        pacer.give_back();
        pacer.take(Duration::ZERO).unwrap();
    }

    #[test]
    fn no_rate_is_no_limit() {
        let mut pacer = Pacer::new(None);
        assert!((0..1_000).all(|_| pacer.take(Duration::ZERO).is_ok() && pacer.leave(Duration::ZERO).is_zero()));
    }
}
