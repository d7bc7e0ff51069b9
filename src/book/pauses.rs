//! When a run sends nothing for a while, and how often it has done so.

use std::time::Duration;

use crate::event::Event;

/// Why a station waits that has no share.
pub(super) const fn others_have_all() -> &'static str {
    "the other stations use all that may be sent to this service at once"
}

/// How soon it may have one.
const SHARED_EVERY: Duration = Duration::from_secs(1);

/// The pauses of a run. Times count from its start.
#[derive(Debug, Default)]
pub(super) struct Pauses {
    /// How many there were.
    pub(super) count: u64,
    pub(super) until: Duration,
    /// Whether listeners were told of one, and not of its end yet.
    pub(super) is_told: bool,
}

impl Pauses {
    pub(super) fn begin(&mut self, until: Duration) {
        self.count += 1;
        self.is_told = true;
        self.lengthen(until);
    }

    pub(super) fn lengthen(&mut self, until: Duration) {
        self.until = self.until.max(until);
    }

    pub(super) fn holds(&self, now: Duration) -> bool {
        now < self.until
    }

    /// What listeners are to be told: that the run waits for the other stations, or that it waits no more. One that ends with
    /// the run is never over.
    pub(super) fn told(&mut self, now: Duration, waits_for_others: bool) -> Option<Event<'static>> {
        let waits = waits_for_others || self.holds(now);
        let was_told = self.is_told;
        self.is_told = (was_told && waits) || waits_for_others;
        match (was_told, self.is_told) {
            (false, true) => Some(Event::Paused { by: "stations", reason: others_have_all(), wait: SHARED_EVERY }),
            (true, false) => Some(Event::Resumed),
            _ => None,
        }
    }
}
