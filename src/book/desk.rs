//! Where the ledger is written: one commit at a time, on a thread that may block, while answers go on coming in.

use std::time::{Duration, Instant};

use jiff::Timestamp;
use tokio::task::{JoinError, JoinSet};

use crate::ledger::{Applied, Change, Ledger, LedgerError, Pending, RunId};

use super::answer::Answer;
use super::plan::Queued;

/// Answers that have come in and intents of the orders that go next: they are written together or not at all.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) answers: Vec<Answer>,
    pub(super) intents: Vec<Queued>,
    /// After which place of the run the next outstanding orders are read, and how many; none where enough are at hand.
    pub(super) page: Option<(i64, usize)>,
}

impl Batch {
    const fn is_empty(&self) -> bool {
        self.answers.is_empty() && self.intents.is_empty() && self.page.is_none()
    }

    fn changes(&self, run: RunId) -> Vec<Change> {
        let intents = self.intents.iter().map(|queued| Change::Intent { order: queued.order.order, run });
        self.answers.iter().map(Answer::change).chain(intents).collect()
    }
}

/// What came of a batch.
pub(super) struct Written {
    pub(super) batch: Batch,
    /// What became of each answer, then of each intent.
    pub(super) applied: Result<Vec<Applied>, LedgerError>,
    /// The orders that were asked for, where everything could be written.
    pub(super) page: Option<Result<Vec<Pending>, LedgerError>>,
    /// How long the commit took; none where nothing was to be written.
    pub(super) took: Option<Duration>,
}

/// The ledger, or the commit that has it.
pub(super) struct Desk {
    ledger: Option<Ledger>,
    /// At most one.
    commit: JoinSet<(Ledger, Written)>,
}

impl Desk {
    pub(super) fn new(ledger: Ledger) -> Self {
        Self { ledger: Some(ledger), commit: JoinSet::new() }
    }

    /// Whether a batch may be handed in.
    pub(super) const fn is_free(&self) -> bool {
        self.ledger.is_some()
    }

    /// Begins to write a batch. Does nothing where there is nothing to write or to read.
    ///
    /// Whoever hands it in has asked [`Desk::is_free`].
    pub(super) fn write(&mut self, batch: Batch, run: RunId) {
        if batch.is_empty() {
            return;
        }
        let Some(mut ledger) = self.ledger.take() else { return };
        self.commit.spawn_blocking(move || {
            let changes = batch.changes(run);
            let begun = Instant::now();
            let applied = if changes.is_empty() {
                Ok(Vec::new())
            } else {
                ledger.commit(&changes, Timestamp::now().as_millisecond())
            };
            let took = (!changes.is_empty()).then(|| begun.elapsed());
            let page =
                batch.page.filter(|_| applied.is_ok()).map(|(after, count)| ledger.outstanding(run, after, count));
            (ledger, Written { batch, applied, page, took })
        });
    }

    /// Waits for the batch that is being written; none where there is none. Safe to be cancelled.
    pub(super) async fn written(&mut self) -> Option<Result<Written, JoinError>> {
        let (ledger, written) = match self.commit.join_next().await? {
            Ok(done) => done,
            Err(error) => return Some(Err(error)),
        };
        self.ledger = Some(ledger);
        Some(Ok(written))
    }

    /// The ledger, for good; none while something is being written.
    pub(super) const fn take(&mut self) -> Option<Ledger> {
        self.ledger.take()
    }
}
