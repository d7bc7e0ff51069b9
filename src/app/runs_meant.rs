//! Which runs a person means who names none, one, or some days.

use jiff::SignedDuration;

use crate::ledger::{Ledger, RunId, RunSpan};

use super::error::Result;
use super::status::find_run;

/// Runs of a watcher that began no longer before its latest one are of one night.
const NIGHT: SignedDuration = SignedDuration::from_hours(12);

/// Which runs are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunsMeant {
    /// The latest run; where a watcher made it, all runs of its last night.
    Latest,
    /// This one.
    One(i64),
    /// All that began since then, epoch milliseconds.
    Since(i64),
    /// Every run of the ledger.
    All,
}

/// The runs that this comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Covered {
    /// The runs, the latest first.
    pub runs: Vec<i64>,
    /// Whether they are a watcher's last night.
    pub is_night: bool,
    pub(super) span: RunSpan,
}

impl RunsMeant {
    /// Finds the runs.
    pub(super) fn find(self, ledger: &Ledger) -> Result<Covered> {
        let since = |from_ms| RunSpan { run: None, from_ms, until_ms: i64::MAX };
        let one = |run: RunId| RunSpan { run: Some(run), from_ms: i64::MIN, until_ms: i64::MAX };
        let (span, is_night) = match self {
            Self::All => (since(i64::MIN), false),
            Self::Since(from_ms) => (since(from_ms), false),
            Self::One(run) => (one(find_run(ledger, Some(run))?.id), false),
            Self::Latest => {
                let latest = find_run(ledger, None)?;
                let night = i64::try_from(NIGHT.as_millis()).unwrap_or(i64::MAX);
                let first = ledger.first_of_night(latest.id, latest.started_ms.saturating_sub(night))?;
                match first.filter(|(first, _)| *first != latest.id) {
                    Some((_, from_ms)) => (since(from_ms), true),
                    None => (one(latest.id), first.is_some()),
                }
            }
        };
        Ok(Covered { runs: ledger.runs_of(span)?.iter().map(|run| run.number()).collect(), is_night, span })
    }
}
