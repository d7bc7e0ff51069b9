//! How many intents may be on disk before there is room in flight for their orders. Pure: times come in as numbers.
//!
//! An order whose intent is on disk can leave the moment that another is answered; else its place waits for a commit.
//! After a crash it is as uncertain as one that was sent, so no more run ahead than the disk makes necessary.

use std::time::Duration;

/// Never more: after a crash at most as many orders are uncertain as may be in flight, and these.
const AHEAD_MAX: usize = 32;

/// Of every four in flight at most two run ahead: a run that goes one by one has one order to lose.
const WIDTH_UNIT: usize = 4;
const AHEAD_PER_UNIT: usize = 2;

/// How much a new time counts among those before.
const WEIGHT: f64 = 0.125;

/// Compares what a commit takes with what an answer takes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Ahead {
    commit_seconds: f64,
    answer_seconds: f64,
}

impl Ahead {
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
        let most = (width / WIDTH_UNIT * AHEAD_PER_UNIT).min(AHEAD_MAX);
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

    fn ahead(commit_ms: u64, answer_ms: u64) -> Ahead {
        let mut ahead = Ahead::default();
        ahead.committed(Duration::from_millis(commit_ms));
        ahead.answered(Duration::from_millis(answer_ms));
        ahead
    }

    #[test]
    fn as_many_as_two_commits_need_and_no_more_than_half_or_thirty_two() {
        assert_eq!(ahead(1, 20).of(64), 7);
        assert_eq!(ahead(4, 20).of(64), 26);
        assert_eq!(ahead(4, 20).of(256), 32);
        assert_eq!(ahead(9, 20).of(16), 8);
        assert_eq!(ahead(9, 20).of(5), 2);
        assert_eq!(ahead(4, 20).of(3), 0);
        assert_eq!(ahead(1, 1_000).of(64), 1);
    }

    #[test]
    fn nothing_runs_ahead_before_the_first_answer() {
        let mut ahead = Ahead::default();
        ahead.committed(Duration::from_secs(1));
        assert_eq!(ahead.of(64), 0);
    }

    #[test]
    fn times_are_smoothed() {
        let mut ahead = ahead(1, 20);
        ahead.committed(Duration::from_millis(9));
        assert_eq!(ahead.of(64), 13);
    }
}
