//! How fast orders have come to an end of late.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// What is called "of late".
const WINDOW: Duration = Duration::from_secs(10);
/// Counts are kept this far apart, so that a fast run keeps no more of them than a slow one.
const APART: Duration = Duration::from_millis(250);
/// Before this much time has passed a rate would be chance.
const SHORTEST: Duration = Duration::from_millis(100);

/// Counts at moments of the last while, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Speed {
    counts: VecDeque<(Instant, u64)>,
}

impl Speed {
    /// Begins to measure.
    pub(super) fn start(&mut self, now: Instant) {
        self.counts.clear();
        self.counts.push_back((now, 0));
    }

    /// Takes how many there are by now and gives the rate a second; nothing before the first, or before it was started.
    pub(super) fn rate(&mut self, now: Instant, count: u64) -> Option<f64> {
        // The newest count that is as old as the window stays: the rate is measured from there.
        while self.counts.get(1).is_some_and(|(at, _)| now.saturating_duration_since(*at) >= WINDOW) {
            self.counts.pop_front();
        }
        let (began, before) = *self.counts.front()?;
        let (latest, _) = *self.counts.back()?;
        if now.saturating_duration_since(latest) >= APART {
            self.counts.push_back((now, count));
        }
        let time = now.saturating_duration_since(began);
        if count == 0 || time < SHORTEST {
            return None;
        }
        #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
        let more = count.saturating_sub(before) as f64;
        Some(more / time.as_secs_f64())
    }
}
