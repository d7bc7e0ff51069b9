//! How many orders in flight pay: found by trying. Pure: time comes in as a number.
//!
//! The width grows as long as more orders in flight mean more answers a second and no much longer wait for each. Where
//! a step up does not pay it is taken back and tried again later, for services change. A request for a pause, or an
//! answer that does not come, halves it.

use std::str::FromStr;
use std::time::Duration;

use crate::api::outcome::Signal;

/// Answers over which a width is judged: so many for each place in flight.
const ANSWERS_PER_PLACE: usize = 3;
/// Never on fewer than these,
const ANSWERS_MIN: usize = 16;
/// nor in less time.
const WINDOW_MIN: Duration = Duration::from_millis(100);
/// Of the throughput that a wider run could gain, so much must come.
const GAIN_SHARE_MIN: f64 = 0.3;
/// Of the throughput that a narrower run could lose, no more may go.
const LOSS_SHARE_MAX: f64 = 0.5;
/// Answers may take so much longer than at the width before.
const SLOWER_MAX: f64 = 1.6;
/// Answers that take so much longer than they did, without a step up, tell of a service in need.
const NEED: f64 = 2.0;
/// Windows between a step that did not pay and the next try; doubled each time, up to the second.
const HOLD: u32 = 4;
const HOLD_MAX: u32 = 64;

/// The ceiling where none is given.
const CEILING: usize = 64;
/// No ceiling is higher.
const CEILING_MAX: usize = 256;

/// How many orders may be in flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Concurrency {
    /// So many.
    Fixed(usize),
    /// As many as pay, up to the ceiling.
    Auto {
        /// At most.
        ceiling: usize,
    },
}

impl Default for Concurrency {
    fn default() -> Self {
        Self::Auto { ceiling: CEILING }
    }
}

impl Concurrency {
    /// The most that may ever be in flight.
    #[must_use]
    pub const fn ceiling(self) -> usize {
        match self {
            Self::Fixed(count) | Self::Auto { ceiling: count } => count,
        }
    }

    /// What finds the width, where it is not given.
    pub(super) fn adapt(self) -> Option<Adapt> {
        match self {
            Self::Fixed(_) => None,
            Self::Auto { ceiling } => Some(Adapt::new(ceiling)),
        }
    }
}

impl FromStr for Concurrency {
    type Err = String;

    /// `8`, `auto` or `auto:32`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (auto, count) = match text.split_once(':') {
            Some(("auto", ceiling)) => (true, ceiling),
            None if text == "auto" => return Ok(Self::default()),
            _ => (false, text),
        };
        match count.parse() {
            Ok(count @ 1..=CEILING_MAX) if auto => Ok(Self::Auto { ceiling: count }),
            Ok(count @ 1..=CEILING_MAX) => Ok(Self::Fixed(count)),
            _ => Err(format!("\"{text}\" is neither a number from 1 to {CEILING_MAX}, nor auto, nor auto:32")),
        }
    }
}

/// Finds the width.
#[derive(Debug, Clone)]
pub struct Adapt {
    ceiling: usize,
    width: usize,
    /// What the width before the last step was, and what it gave, until the step is judged.
    trial: Option<(usize, Yield)>,
    /// What a width gave that stood.
    known: Option<Yield>,
    /// Whether no step up has failed yet: then steps are large.
    climbing: bool,
    hold: u32,
    hold_next: u32,
    window: Window,
}

/// What a width gives.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Yield {
    per_second: f64,
    seconds_each: f64,
}

#[derive(Debug, Clone, Copy, Default)]
struct Window {
    since: Option<Duration>,
    answers: usize,
    waits: Duration,
    /// Whether all places were in use: else the width says nothing.
    full: bool,
}

impl Adapt {
    /// Starts narrow; never goes beyond the ceiling.
    #[must_use]
    pub fn new(ceiling: usize) -> Self {
        Self {
            ceiling: ceiling.max(1),
            width: ceiling.clamp(1, 4),
            trial: None,
            known: None,
            climbing: true,
            hold: 0,
            hold_next: HOLD,
            window: Window::default(),
        }
    }

    /// How many orders may be in flight now.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Takes an answer: what it tells of the service, how long it took, and how many orders were in flight with it,
    /// itself included. `now` counts from the start of the run.
    pub fn answer(&mut self, signal: &Signal, took: Duration, in_flight: usize, now: Duration) {
        if matches!(signal, Signal::TooMany { .. } | Signal::Doubt | Signal::NotUnderstood | Signal::Unreachable) {
            self.back_off();
            return;
        }
        let window = &mut self.window;
        let since = *window.since.get_or_insert(now);
        window.answers += 1;
        window.waits += took;
        window.full |= in_flight >= self.width;
        let elapsed = now.saturating_sub(since);
        if window.answers < (ANSWERS_PER_PLACE * self.width).max(ANSWERS_MIN) || elapsed < WINDOW_MIN {
            return;
        }
        let full = window.full;
        #[expect(clippy::cast_precision_loss, reason = "counts of one window")]
        let answers = window.answers as f64;
        let found =
            Yield { per_second: answers / elapsed.as_secs_f64(), seconds_each: window.waits.as_secs_f64() / answers };
        self.window = Window::default();
        if full {
            self.judge(found);
        }
    }

    fn judge(&mut self, found: Yield) {
        if let Some((width, before)) = self.trial.take() {
            let change = found.per_second / before.per_second - 1.0;
            let could = ratio(self.width, width) - 1.0;
            if could > 0.0 {
                if change < could * GAIN_SHARE_MIN || found.seconds_each > before.seconds_each * SLOWER_MAX {
                    self.take_back(width, before, self.hold_next);
                    self.hold_next = (self.hold_next * 2).min(HOLD_MAX);
                    return;
                }
                self.hold_next = HOLD;
            } else if change < could * LOSS_SHARE_MAX {
                // The service has become slower for everyone: fewer in flight are no help.
                self.take_back(width, before, HOLD);
                return;
            }
        }
        if self.known.is_some_and(|known| found.seconds_each > known.seconds_each * NEED) && self.width > 1 {
            self.trial = Some((self.width, found));
            self.width = (self.width * 3 / 4).max(1);
            self.climbing = false;
            self.hold = HOLD;
            return;
        }
        self.known = Some(found);
        if self.hold > 0 {
            self.hold -= 1;
        } else if self.width < self.ceiling {
            self.trial = Some((self.width, found));
            let wider = if self.climbing { self.width * 2 } else { self.width + (self.width / 4).max(1) };
            self.width = wider.min(self.ceiling);
        }
    }

    fn take_back(&mut self, width: usize, before: Yield, hold: u32) {
        self.width = width;
        self.known = Some(before);
        self.climbing = false;
        self.hold = hold;
    }

    /// One storm halves once: the answers of what was in flight with it find an empty window and no width to take back.
    fn back_off(&mut self) {
        let untouched = self.window.since.is_some() || self.trial.is_some() || self.known.is_some();
        if untouched {
            self.width = (self.width / 2).max(1);
        }
        self.trial = None;
        self.known = None;
        self.climbing = false;
        self.hold = HOLD;
        self.window = Window::default();
    }
}

#[expect(clippy::cast_precision_loss, reason = "widths are small")]
fn ratio(wide: usize, narrow: usize) -> f64 {
    wide as f64 / narrow.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A service that answers after so many milliseconds and manages so many a second.
    struct Service {
        milliseconds: f64,
        per_second: f64,
    }

    /// Runs so many windows' worth of answers and gives the widths on the way.
    fn run(adapt: &mut Adapt, service: &Service, from: Duration, answers: usize) -> (Duration, Vec<usize>) {
        let (mut now, mut widths) = (from.as_secs_f64(), Vec::new());
        for _ in 0..answers {
            let width = adapt.width();
            let wait = (service.milliseconds / 1000.0).max(ratio(width, 1) / service.per_second);
            now += wait / ratio(width, 1);
            let (took, at) = (Duration::from_secs_f64(wait), Duration::from_secs_f64(now));
            adapt.answer(&Signal::Clear, took, width, at);
            widths.push(adapt.width());
        }
        (Duration::from_secs_f64(now), widths)
    }

    #[test]
    fn it_climbs_to_the_ceiling_where_the_service_keeps_up_and_not_beyond() {
        let mut adapt = Adapt::new(64);
        let (_, widths) = run(&mut adapt, &Service { milliseconds: 50.0, per_second: 1e9 }, Duration::ZERO, 2_000);
        assert_eq!((widths.iter().max(), adapt.width()), (Some(&64), 64));
    }

    #[test]
    fn it_finds_what_the_service_can_take_and_finds_it_anew() {
        let mut adapt = Adapt::new(128);
        // 400 a second at 50 ms each: 20 in flight are enough.
        let (now, widths) = run(&mut adapt, &Service { milliseconds: 50.0, per_second: 400.0 }, Duration::ZERO, 10_000);
        let settled = &widths[5_000..];
        assert!(settled.iter().all(|width| (14..=40).contains(width)), "{:?}", settled.iter().max());
        // It slows down to 100 a second: 5 are enough.
        let (now, widths) = run(&mut adapt, &Service { milliseconds: 50.0, per_second: 100.0 }, now, 10_000);
        assert!(widths[8_000..].iter().all(|width| *width <= 14), "{:?}", widths[8_000..].iter().max());
        // And recovers.
        run(&mut adapt, &Service { milliseconds: 50.0, per_second: 1_000.0 }, now, 60_000);
        assert!(adapt.width() >= 30, "{}", adapt.width());
    }

    #[test]
    fn a_service_that_is_slower_for_everyone_is_not_spared_in_vain() {
        let mut adapt = Adapt::new(64);
        let (now, _) = run(&mut adapt, &Service { milliseconds: 50.0, per_second: 1e9 }, Duration::ZERO, 3_000);
        run(&mut adapt, &Service { milliseconds: 200.0, per_second: 1e9 }, now, 20_000);
        assert_eq!(adapt.width(), 64);
    }

    #[test]
    fn words_for_concurrency() {
        let fixed = |count| Ok(Concurrency::Fixed(count));
        assert_eq!(("8".parse(), "256".parse()), (fixed(8), fixed(256)));
        assert_eq!("auto:32".parse(), Ok(Concurrency::Auto { ceiling: 32 }));
        assert_eq!("auto".parse(), Ok(Concurrency::default()));
        for text in ["0", "257", "", "auto:0", "auto:", "fast", "8:8"] {
            assert!(text.parse::<Concurrency>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_storm_of_refusals_halves_once() {
        for signal in [Signal::TooMany { retry_after_ms: None }, Signal::Doubt] {
            let mut adapt = Adapt::new(64);
            let (now, _) = run(&mut adapt, &Service { milliseconds: 50.0, per_second: 1e9 }, Duration::ZERO, 2_000);
            for _ in 0..64 {
                adapt.answer(&signal, Duration::from_millis(50), 64, now);
            }
            assert_eq!(adapt.width(), 32);
        }
    }

    #[test]
    fn a_run_that_does_not_fill_its_width_learns_nothing() {
        let mut adapt = Adapt::new(64);
        for step in 0..1_000 {
            adapt.answer(&Signal::Clear, Duration::from_millis(50), 1, Duration::from_millis(step * 100));
        }
        assert_eq!(adapt.width(), 4);
    }
}
