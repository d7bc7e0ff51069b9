//! How many intents may be on disk before there is room in flight for their orders. Pure: times come in as numbers.
//!
//! An order whose intent is on disk can leave the moment that another is answered; else its place waits for a commit.
//! After a crash it is as uncertain as one that was sent, so no more run ahead than the disk makes necessary.

use std::time::Duration;

/// How many may run ahead at most: after a crash as many orders are uncertain as may be in flight, and these.
#[derive(Debug, Clone, Copy)]
struct Bound {
    /// Of every four in flight: a run that goes one by one has one order to lose.
    of_four: usize,
    most: usize,
}

/// With a ledger of its own.
const ALONE: Bound = Bound { of_four: 1, most: 16 };

/// Where a commit waits for those of other stations as well.
const AMONG_STATIONS: Bound = Bound { of_four: 2, most: 32 };

/// How much a new time counts among those before.
const WEIGHT: f64 = 0.125;

/// Compares what a commit takes with what an answer takes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ahead {
    bound: Bound,
    commit_seconds: f64,
    answer_seconds: f64,
}

impl Ahead {
    /// Of a ledger that one process writes, or several stations.
    pub(super) const fn new(is_shared: bool) -> Self {
        let bound = if is_shared { AMONG_STATIONS } else { ALONE };
        Self { bound, commit_seconds: 0.0, answer_seconds: 0.0 }
    }

    /// Takes the time of a commit.
    pub(super) fn committed(&mut self, took: Duration) {
        smooth(&mut self.commit_seconds, took);
    }

    /// Takes the time of an answer.
    pub(super) fn answered(&mut self, took: Duration) {
        smooth(&mut self.answer_seconds, took);
    }

    /// How many may run ahead of `width` orders in flight: those that are answered during one commit, and as many again
    /// for the commit that brings their successors.
    #[must_use]
    pub(super) fn of(&self, width: usize) -> usize {
        let most = (width / 4 * self.bound.of_four).min(self.bound.most);
        if self.answer_seconds <= 0.0 {
            return 0;
        }
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "above zero and small"
        )]
        let wanted = (2.0 * width as f64 * self.commit_seconds / self.answer_seconds).ceil() as usize;
        wanted.min(most)
    }
}

fn smooth(seconds: &mut f64, took: Duration) {
    let took = took.as_secs_f64();
    *seconds = if *seconds > 0.0 { *seconds + WEIGHT * (took - *seconds) } else { took };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ahead(is_shared: bool, commit_ms: u64, answer_ms: u64) -> Ahead {
        let mut ahead = Ahead::new(is_shared);
        ahead.committed(Duration::from_millis(commit_ms));
        ahead.answered(Duration::from_millis(answer_ms));
        ahead
    }

    #[test]
    fn as_many_as_two_commits_need_and_no_more_than_a_quarter_or_sixteen() {
        assert_eq!(ahead(false, 1, 20).of(64), 7);
        assert_eq!(ahead(false, 4, 20).of(64), 16);
        assert_eq!(ahead(false, 4, 20).of(256), 16);
        assert_eq!(ahead(false, 4, 20).of(16), 4);
        assert_eq!(ahead(false, 4, 20).of(3), 0);
        assert_eq!(ahead(false, 1, 1_000).of(64), 1);
    }

    #[test]
    fn stations_that_wait_for_one_another_have_half_ahead_or_thirty_two() {
        assert_eq!(ahead(true, 1, 20).of(64), 7);
        assert_eq!(ahead(true, 8, 20).of(32), 16);
        assert_eq!(ahead(true, 8, 20).of(256), 32);
        assert_eq!(ahead(true, 8, 20).of(3), 0);
    }

    #[test]
    fn nothing_runs_ahead_before_the_first_answer() {
        let mut ahead = Ahead::new(true);
        ahead.committed(Duration::from_secs(1));
        assert_eq!(ahead.of(64), 0);
    }

    #[test]
    fn times_are_smoothed() {
        let mut ahead = ahead(false, 1, 20);
        ahead.committed(Duration::from_millis(9));
        assert_eq!(ahead.of(64), 13);
    }
}
