//! Keeps the totals from event to event, and passes both on.

use jiff::Timestamp;
use std::collections::VecDeque;
use std::fmt;
use std::time::{Duration, Instant};

use crate::api::outcome::Outcome;

use super::happened::{Event, Pass, Reach};
use super::totals::{Phase, Totals};

/// Hears what happens. Must be quick: whoever works waits for it.
pub trait Listener: Send {
    /// Takes one event, and how everything stands with it.
    fn event(&mut self, event: &Event<'_>, totals: &Totals);
}

/// Hears nothing.
#[derive(Debug, Default, Clone, Copy)]
pub struct Silent;

impl Listener for Silent {
    fn event(&mut self, _: &Event<'_>, _: &Totals) {}
}

/// When something happened, by both clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// By the clock that never jumps.
    pub at: Instant,
    /// By the clock on the wall, epoch milliseconds.
    pub epoch_ms: i64,
}

impl Moment {
    /// The present one.
    #[must_use]
    pub fn now() -> Self {
        Self { at: Instant::now(), epoch_ms: Timestamp::now().as_millisecond() }
    }
}

/// One who listens beside the listener of a stream.
struct Also(Box<dyn Listener>);

impl fmt::Debug for Also {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Also(…)")
    }
}

/// What happens in one session, from reading to booking. It is told each event, and tells its listener with the totals.
#[derive(Debug)]
pub struct Stream<L: ?Sized> {
    totals: Totals,
    also: Option<Also>,
    /// When the present phase began; nothing before the first event.
    phase_began: Option<Instant>,
    speed: Speed,
    listener: L,
}

/// A stream with any listener.
pub type Events<'l> = Stream<dyn Listener + 'l>;

impl<L> Stream<L> {
    /// A stream in which nothing has happened yet.
    pub fn new(listener: L) -> Self {
        Self { totals: Totals::default(), also: None, phase_began: None, speed: Speed::default(), listener }
    }

    /// The same stream, which somebody else hears as well.
    #[must_use]
    pub fn heard_by(mut self, listener: impl Listener + 'static) -> Self {
        self.also = Some(Also(Box::new(listener)));
        self
    }

    /// The listener.
    pub const fn listener(&self) -> &L {
        &self.listener
    }

    /// Gives the listener back.
    pub fn into_listener(self) -> L {
        self.listener
    }
}

impl Stream<Silent> {
    /// A stream to which nobody listens.
    #[must_use]
    pub fn silent() -> Self {
        Self::new(Silent)
    }
}

impl<L: ?Sized> Stream<L> {
    /// How everything stands.
    pub const fn totals(&self) -> &Totals {
        &self.totals
    }

    fn count(&mut self, event: &Event<'_>, now: Moment) {
        match *event {
            Event::Opened { sheets } => self.totals.sheets = sheets,
            Event::Reading { pass: Pass::Counting, rows, .. } => {
                self.totals.rows_counted = rows;
                // Sheets that are read again are counted again.
                (self.totals.rows, self.totals.rows_read) = (None, 0);
                (self.totals.orders_found, self.totals.orders_invalid) = (0, 0);
            }
            Event::Reading { pass: Pass::Checking, rows, orders, orders_invalid } => {
                self.totals.rows = Some(self.totals.rows_counted);
                self.totals.rows_read = rows;
                (self.totals.orders_found, self.totals.orders_invalid) = (orders, orders_invalid);
            }
            Event::Read { rows, orders, orders_invalid } => {
                (self.totals.rows, self.totals.rows_counted, self.totals.rows_read) = (Some(rows), rows, rows);
                (self.totals.orders_found, self.totals.orders_invalid) = (orders, orders_invalid);
            }
            Event::Planned { orders } => self.totals.planned = orders,
            Event::Staged { run, orders } | Event::Started { run, orders, .. } => {
                self.totals.run = Some(run);
                (self.totals.planned, self.totals.staged) = (orders, orders);
            }
            Event::Sent { .. } => {
                self.totals.sent += 1;
                self.totals.in_flight += 1;
            }
            Event::Settled { outcome, reach, .. } => self.settle(outcome, reach),
            Event::Held { .. } => self.totals.staged = self.totals.staged.saturating_sub(1),
            Event::Paused { by, wait, .. } => self.pause(by, wait, now),
            Event::PauseLengthened { wait } => {
                if let Some(by) = self.totals.paused_by {
                    self.pause(by, wait, now);
                }
            }
            Event::Resumed | Event::Finished => self.go_on(),
            Event::Stopping { by, .. } => {
                self.totals.stopping = true;
                self.totals.stopped_by = Some(by);
                self.go_on();
            }
        }
        self.totals.outstanding = self.totals.planned.saturating_sub(self.totals.settled());
    }

    fn settle(&mut self, outcome: &Outcome, reach: Reach) {
        let left = u64::from(reach != Reach::KeptBack);
        self.totals.in_flight = self.totals.in_flight.saturating_sub(left);
        self.totals.sent = self.totals.sent.saturating_sub(u64::from(reach == Reach::Unsent));
        match outcome {
            Outcome::Booked(_) => self.totals.booked += 1,
            Outcome::Rejected { .. } => {
                self.totals.failed += 1;
                self.totals.rejected += 1;
            }
            Outcome::Refused { .. } => self.totals.failed += 1,
            Outcome::InDoubt { .. } => self.totals.in_doubt += 1,
            Outcome::Waiting { .. } => {}
        }
    }

    /// A pause is never shortened by a later one.
    fn pause(&mut self, by: &'static str, wait: Duration, now: Moment) {
        let wait = i64::try_from(wait.as_millis()).unwrap_or(i64::MAX);
        self.totals.paused_until_ms = self.totals.paused_until_ms.max(Some(now.epoch_ms.saturating_add(wait)));
        self.totals.paused_by = Some(by);
    }

    fn go_on(&mut self) {
        (self.totals.paused_until_ms, self.totals.paused_by) = (None, None);
    }

    /// Brings phase, elapsed time and rate up to this moment.
    fn keep_time(&mut self, event: &Event<'_>, now: Instant) {
        let phase = phase(event).unwrap_or(self.totals.phase);
        if phase != self.totals.phase {
            self.phase_began = None;
            if phase == Phase::Booking {
                self.speed.start(now);
            }
        }
        self.totals.phase = phase;
        self.totals.elapsed = now.saturating_duration_since(*self.phase_began.get_or_insert(now));
        self.totals.rate = self.speed.rate(now, self.totals.settled());
        let goes_on = phase == Phase::Booking && !self.totals.stopping;
        self.totals.left = self.totals.rate.filter(|rate| goes_on && *rate > 0.0).and_then(|rate| {
            #[expect(clippy::cast_precision_loss, reason = "a time for people")]
            let outstanding = self.totals.outstanding as f64;
            Duration::try_from_secs_f64(outstanding / rate).ok()
        });
    }
}

impl<L: Listener + ?Sized> Stream<L> {
    /// Takes an event that happened just now, and tells the listener.
    pub fn tell(&mut self, event: &Event<'_>) {
        self.tell_at(event, Moment::now());
    }

    /// The same for an event of that moment.
    pub fn tell_at(&mut self, event: &Event<'_>, now: Moment) {
        self.count(event, now);
        self.keep_time(event, now.at);
        if let Some(Also(listener)) = &mut self.also {
            listener.event(event, &self.totals);
        }
        self.listener.event(event, &self.totals);
    }
}

/// The phase that an event begins or goes on with; nothing where it says nothing of that.
const fn phase(event: &Event<'_>) -> Option<Phase> {
    match event {
        Event::Opened { .. } => Some(Phase::Opening),
        Event::Reading { .. } => Some(Phase::Reading),
        Event::Read { .. } => Some(Phase::Read),
        Event::Planned { .. } => Some(Phase::Planned),
        Event::Staged { .. } => Some(Phase::Staged),
        Event::Started { .. } => Some(Phase::Booking),
        Event::Finished => Some(Phase::Finished),
        Event::Sent { .. }
        | Event::Settled { .. }
        | Event::Held { .. }
        | Event::Paused { .. }
        | Event::PauseLengthened { .. }
        | Event::Resumed
        | Event::Stopping { .. } => None,
    }
}

/// The span of time called "of late".
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
