//! A station's share of what a service takes at once and in a second, where several stations book through one ledger.
//!
//! What is given back is given back late: a place once nothing is in flight in it, a rate once a second has gone by without it.
//! So all together never have more than one of them declared, also in the moments in which another one comes.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

/// How long what went at a higher rate counts still.
const RATE_COUNTS: Duration = Duration::from_secs(2);

/// What a station may use of a service, or would use alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// Orders in flight.
    pub width: usize,
    /// Orders in a thousand seconds; none where there is no limit.
    pub pace: Option<u64>,
}

/// Which orders are a station's own where several send what is outstanding: each its part, so that they do not all reach for
/// the same ones. What the others leave is anybody's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// How many stations there are.
    pub stations: usize,
    /// How many of them come before this one.
    pub before: usize,
}

impl Part {
    /// All orders.
    pub const WHOLE: Self = Self { stations: 1, before: 0 };
}

/// A brake that another station pulled for all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrakeElsewhere {
    /// The brake's own word.
    pub by: String,
    /// What it said there.
    pub why: String,
    /// The number of that station.
    pub station: i64,
    /// Its machine.
    pub host: String,
}

/// A station's share, in the hands of whoever sends and of whoever keeps it in the ledger.
#[derive(Debug, Clone)]
pub struct Share(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    #[cfg(feature = "postgres")]
    declared: Allowance,
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Debug)]
struct State {
    allowed: Allowance,
    part: Part,
    in_flight: usize,
    /// The pace that whoever sends goes by.
    goes_by: Option<u64>,
    /// A higher one that it went by, and until when that counts.
    went_by: Option<(Option<u64>, Instant)>,
    brake: Option<BrakeElsewhere>,
    is_given_up: bool,
}

impl Allowance {
    /// Of a number in flight, and a rate in a second.
    #[must_use]
    pub fn new(width: usize, rate: Option<f64>) -> Self {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "above zero, and rounded down")]
        let pace = rate.filter(|rate| *rate > 0.0 && rate.is_finite()).map(|rate| ((rate * 1_000.0) as u64).max(1));
        Self { width, pace }
    }

    /// Nothing.
    #[cfg(feature = "postgres")]
    pub(super) const NONE: Self = Self { width: 0, pace: Some(0) };
}

impl Share {
    /// Nothing yet, of what was declared.
    #[cfg(feature = "postgres")]
    pub(super) fn of(declared: Allowance) -> Self {
        let allowed = Allowance::NONE;
        let (goes_by, went_by) = (allowed.pace, None);
        let part = Part::WHOLE;
        let state = State { allowed, part, in_flight: 0, goes_by, went_by, brake: None, is_given_up: false };
        Self(Arc::new(Inner { declared, state: Mutex::new(state), changed: Notify::new() }))
    }

    /// How many orders may be in flight.
    #[must_use]
    pub fn width(&self) -> usize {
        self.state().allowed.width_at_pace()
    }

    /// Which orders are its own.
    #[must_use]
    pub fn part(&self) -> Part {
        self.state().part
    }

    /// Takes a place in flight, where one is free.
    #[must_use]
    pub fn enter(&self) -> bool {
        let mut state = self.state();
        let may = state.in_flight < state.allowed.width_at_pace();
        state.in_flight += usize::from(may);
        may
    }

    /// Gives a place in flight back.
    pub fn leave(&self) {
        let mut state = self.state();
        state.in_flight = state.in_flight.saturating_sub(1);
    }

    /// Orders a second from now on; none where there is no limit. Whoever sends goes by it.
    #[must_use]
    pub fn rate(&self) -> Option<f64> {
        let mut state = self.state();
        let (before, now) = (state.goes_by, state.allowed.pace);
        if faster(before, now) {
            state.went_by = Some((state.highest(before), Instant::now() + RATE_COUNTS));
        }
        state.goes_by = now;
        #[expect(clippy::cast_precision_loss, reason = "thousandths of a rate that a person set")]
        now.map(|pace| pace as f64 / 1_000.0)
    }

    /// The brake that another station pulled, once it is known here.
    #[must_use]
    pub fn brake(&self) -> Option<BrakeElsewhere> {
        self.state().brake.clone()
    }

    /// Waits until it is another one, or a brake was pulled.
    pub async fn changed(&self) {
        self.0.changed.notified().await;
    }

    /// Gives it up: nothing is in flight, and nothing more will be.
    pub fn give_up(&self) {
        self.state().is_given_up = true;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The side of whoever keeps it in the ledger.
#[cfg(feature = "postgres")]
impl Share {
    pub(super) fn declared(&self) -> Allowance {
        self.0.declared
    }

    pub(super) fn is_given_up(&self) -> bool {
        self.state().is_given_up
    }

    /// Takes away what is above this; gives what is in use all the same.
    pub(super) fn lower(&self, to: Allowance) -> Allowance {
        let mut state = self.state();
        let before = state.allowed;
        state.allowed.width = before.width.min(to.width);
        state.allowed.pace = if faster(before.pace, to.pace) { to.pace } else { before.pace };
        let width = state.allowed.width.max(state.in_flight);
        let pace = state.highest(higher(state.allowed.pace, state.goes_by));
        let is_other = state.allowed != before;
        drop(state);
        self.tell(is_other);
        Allowance { width, pace }
    }

    /// Allows what the ledger has by now, of this part of the orders.
    pub(super) fn grant(&self, allowed: Allowance, part: Part) {
        let mut state = self.state();
        state.part = part;
        let is_other = std::mem::replace(&mut state.allowed, allowed) != allowed;
        drop(state);
        self.tell(is_other);
    }

    /// Tells whoever sends that another station stopped all of them.
    pub(super) fn stop(&self, brake: BrakeElsewhere) {
        self.state().brake = Some(brake);
        self.tell(true);
    }

    fn tell(&self, is_other: bool) {
        if is_other {
            self.0.changed.notify_one();
        }
    }
}

impl State {
    /// This pace, or a higher one that counts still.
    fn highest(&self, pace: Option<u64>) -> Option<u64> {
        match self.went_by {
            Some((earlier, until)) if Instant::now() < until => higher(earlier, pace),
            _ => pace,
        }
    }
}

impl Allowance {
    /// At no rate there is no place in flight either.
    const fn width_at_pace(self) -> usize {
        if matches!(self.pace, Some(0)) { 0 } else { self.width }
    }
}

/// Whether one pace is above another; without a limit it is above every one.
fn faster(one: Option<u64>, other: Option<u64>) -> bool {
    one != other && higher(one, other) == one
}

fn higher(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    Some(one?.max(other?))
}

/// What other stations have.
#[cfg(feature = "postgres")]
#[derive(Debug, Clone, Copy)]
pub(super) struct Other {
    pub(super) epoch: i64,
    pub(super) declared: Allowance,
    /// What it may use, or has in use still.
    pub(super) uses: Allowance,
    /// Whether it books; one that does not may have used up a part of the rate a moment ago.
    pub(super) is_live: bool,
}

/// What a station is to have, and what of that is free.
#[cfg(feature = "postgres")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Due {
    pub(super) share: Allowance,
    pub(super) free: Allowance,
    pub(super) part: Part,
}

/// The equal share of a station, by its number, beside others. What all have together is the least that one declared.
#[cfg(feature = "postgres")]
pub(super) fn due(epoch: i64, declared: Allowance, others: &[Other]) -> Due {
    let live = || others.iter().filter(|other| other.is_live);
    let stations = live().count() + 1;
    let before = live().filter(|other| other.epoch < epoch).count();
    let width = live().map(|other| other.declared.width).fold(declared.width, usize::min);
    let pace = live().filter_map(|other| other.declared.pace).chain(declared.pace).min();
    let share = Allowance {
        width: part(width, stations, before),
        pace: pace.map(|pace| {
            let number = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
            let whole = usize::try_from(pace / 1_000).unwrap_or(usize::MAX);
            if whole < stations {
                return pace / number(stations);
            }
            // In no second do more go than the rate only where each share is a whole number; what is over has the first.
            number(part(whole, stations, before)) * 1_000 + if before == 0 { pace % 1_000 } else { 0 }
        }),
    };
    let used: usize = others.iter().map(|other| other.uses.width).sum();
    let paced = others.iter().map(|other| other.uses.pace).try_fold(0_u64, |sum, pace| Some(sum.saturating_add(pace?)));
    let free = Allowance {
        width: width.saturating_sub(used),
        pace: pace.map(|pace| paced.map_or(0, |paced| pace.saturating_sub(paced))),
    };
    Due { share, free, part: Part { stations, before } }
}

/// One of so many parts that differ by one at most.
#[cfg(feature = "postgres")]
const fn part(whole: usize, parts: usize, before: usize) -> usize {
    whole / parts + if before < whole % parts { 1 } else { 0 }
}

#[cfg(feature = "postgres")]
impl Due {
    /// What of the share can be had, beside what is in use already.
    pub(super) fn with(self, uses: Allowance) -> Allowance {
        let width = uses.width.max(self.share.width.min(self.free.width));
        let free = if faster(self.share.pace, self.free.pace) { self.free.pace } else { self.share.pace };
        Allowance { width, pace: higher(uses.pace, free) }
    }

    /// What of that may be used: what is in use above the share runs out by itself.
    pub(super) fn capped(self, has: Allowance) -> Allowance {
        let pace = if faster(has.pace, self.share.pace) { self.share.pace } else { has.pace };
        Allowance { width: has.width.min(self.share.width), pace }
    }
}

#[cfg(test)]
#[cfg(feature = "postgres")]
mod tests {
    use fastrand::Rng;

    use super::*;

    /// A station with what the ledger has of it.
    struct Station {
        share: Share,
        kept: Allowance,
        is_live: bool,
    }

    /// The steps of `ledger::postgres::share`, without a database.
    fn exchange(stations: &mut [Station], at: usize) {
        let other = |(epoch, station): (usize, &Station)| Other {
            epoch: i64::try_from(epoch).unwrap(),
            declared: station.share.declared(),
            uses: station.kept,
            is_live: station.is_live,
        };
        let others: Vec<Other> =
            stations.iter().enumerate().filter(|(epoch, one)| *epoch != at && one.is_live).map(other).collect();
        let one = &mut stations[at];
        let due = due(i64::try_from(at).unwrap(), one.share.declared(), &others);
        one.kept = due.with(one.share.lower(due.share));
        one.share.grant(due.capped(one.kept), due.part);
    }

    #[test]
    fn whatever_comes_and_goes_no_more_are_in_flight_than_one_of_them_declared() {
        let mut sent = 0;
        for seed in 0..40 {
            let mut rng = Rng::with_seed(seed);
            let width = rng.usize(1..9);
            let mut stations: Vec<Station> = Vec::new();
            for _ in 0..400 {
                let known = stations.len();
                match rng.u8(..10) {
                    0 if known < 12 => {
                        let share = Share::of(Allowance { width, pace: None });
                        stations.push(Station { share, kept: Allowance::NONE, is_live: true });
                        exchange(&mut stations, known);
                    }
                    1 if known > 0 => {
                        let one = &mut stations[rng.usize(..known)];
                        if one.share.state().in_flight == 0 {
                            (one.is_live, one.kept) = (false, Allowance::NONE);
                            one.share.grant(Allowance::NONE, Part::WHOLE);
                        }
                    }
                    2..=4 if known > 0 => {
                        let at = rng.usize(..known);
                        if stations[at].is_live {
                            exchange(&mut stations, at);
                        }
                    }
                    5..=7 if known > 0 => sent += usize::from(stations[rng.usize(..known)].share.enter()),
                    _ if known > 0 => stations[rng.usize(..known)].share.leave(),
                    _ => {}
                }
                let flying: usize = stations.iter().map(|one| one.share.state().in_flight).sum();
                let kept: usize = stations.iter().map(|one| one.kept.width).sum();
                assert!(flying <= width && kept <= width, "seed {seed}: {flying} and {kept} of {width}");
            }
        }
        assert!(sent > 500, "{sent}");
    }

    #[test]
    fn shares_are_equal_and_come_to_the_whole() {
        let of = |declared: Allowance, uses, stations: i64, epoch| {
            let others: Vec<Other> = (0..stations)
                .filter(|other| *other != epoch)
                .map(|epoch| Other { epoch, declared, uses, is_live: true })
                .collect();
            due(epoch, declared, &others)
        };
        let declared = Allowance::new(8, Some(10.5));
        let shares: Vec<Allowance> = (0..3).map(|epoch| of(declared, Allowance::NONE, 3, epoch).share).collect();
        assert_eq!(shares.iter().map(|share| share.width).collect::<Vec<_>>(), [3, 3, 2]);
        assert_eq!(shares.iter().map(|share| share.pace.unwrap()).collect::<Vec<_>>(), [4_500, 3_000, 3_000]);
        let parts = (0..3).map(|epoch| of(declared, Allowance::NONE, 3, epoch).part);
        assert_eq!(parts.collect::<Vec<_>>(), [0, 1, 2].map(|before| Part { stations: 3, before }));
        // At fewer requests a second than there are stations each has a part of one.
        let slow = of(Allowance::new(8, Some(2.0)), Allowance::NONE, 3, 1);
        assert_eq!((slow.share.pace, slow.free.pace), (Some(666), Some(2_000)));
        // Who comes while another one has all of it begins with nothing.
        let late = of(declared, declared, 2, 1);
        assert_eq!((late.share.width, late.share.pace), (4, Some(5_000)));
        assert_eq!(late.capped(late.with(Allowance::NONE)), Allowance { width: 0, pace: Some(0) });
        // One without a rate goes by that of the others.
        let other = Other { epoch: 0, declared, uses: Allowance::NONE, is_live: true };
        assert_eq!(due(1, Allowance::new(64, None), &[other]).share, Allowance { width: 4, pace: Some(5_000) });
    }

    #[test]
    fn a_higher_rate_counts_for_a_while_after_it_was_given_back() {
        let share = Share::of(Allowance::new(4, Some(10.0)));
        share.grant(Allowance::new(4, Some(10.0)), Part::WHOLE);
        assert_eq!(share.rate(), Some(10.0));
        let half = Allowance { width: 2, pace: Some(5_000) };
        assert_eq!(share.lower(half), Allowance { width: 2, pace: Some(10_000) }, "nobody goes by it yet");
        assert_eq!(share.rate(), Some(5.0));
        assert_eq!(share.lower(half).pace, Some(10_000), "what went a moment ago");
        share.state().went_by = Some((Some(10_000), Instant::now()));
        assert_eq!(share.lower(half).pace, Some(5_000));
    }
}
