//! Where the ledger is written: one commit at a time, on a thread of its own, while answers go on coming in.

use std::io;
use std::sync::mpsc::{Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::ledger::{Applied, Change, Ledger, LedgerError, Pending, RunId};

use super::answer::Answer;
use super::brake::StoppedBy;
use super::plan::{Page, Queue, Queued};

/// Answers that have come in and intents of the orders that go next: they are written together or not at all.
pub(super) struct Batch {
    pub(super) answers: Vec<Answer>,
    pub(super) intents: Vec<Queued>,
    /// Which page of outstanding orders is read next; none where enough are at hand.
    pub(super) page: Option<Page>,
    /// What stops the other stations as well.
    pub(super) brake: Option<(StoppedBy, String)>,
}

impl Batch {
    const fn is_empty(&self) -> bool {
        self.answers.is_empty() && self.intents.is_empty() && self.page.is_none() && self.brake.is_none()
    }

    fn changes(&self, run: RunId) -> Vec<Change> {
        let intent =
            |Pending { order, request, .. }: &Pending| Change::Intent { order: *order, request: *request, run };
        let intents = self.intents.iter().map(|queued| intent(&queued.order));
        self.answers.iter().map(Answer::change).chain(intents).collect()
    }
}

/// What came of a batch.
pub(super) struct Written {
    pub(super) batch: Batch,
    /// What became of each answer, then of each intent.
    pub(super) applied: Result<Vec<Applied>, LedgerError>,
    /// The orders that were asked for, where everything could be written.
    pub(super) page: Option<(Page, Result<Vec<Pending>, LedgerError>)>,
    /// How long the commit took; none where nothing was to be written.
    pub(super) took: Option<Duration>,
    /// Why the other stations do not know of the brake.
    pub(super) untold: Option<LedgerError>,
}

/// The ledger in the hands of its thread, which is there before the first order leaves: a system that gives no thread
/// must not notice in the middle of a run.
pub(super) struct Committer {
    batches: Sender<Batch>,
    results: UnboundedReceiver<Written>,
    thread: JoinHandle<Ledger>,
    is_free: bool,
}

impl Committer {
    pub(super) fn open(mut ledger: Ledger, run: RunId) -> io::Result<Self> {
        let (batches, incoming) = channel();
        let (outgoing, results) = unbounded_channel();
        let write = move || {
            for batch in incoming {
                // Whoever handed it in has left: then nobody can be told.
                if outgoing.send(write(&mut ledger, run, batch)).is_err() {
                    break;
                }
            }
            ledger
        };
        let thread = Builder::new().name("ledger".to_owned()).spawn(write)?;
        Ok(Self { batches, results, thread, is_free: true })
    }

    /// Whether a batch may be handed in.
    pub(super) const fn is_free(&self) -> bool {
        self.is_free
    }

    /// Begins to write a batch, where there is anything to write or to read. Whoever hands it in has asked
    /// [`Committer::is_free`].
    pub(super) fn write(&mut self, batch: Batch) {
        if !batch.is_empty() {
            self.is_free = false;
            // Should its thread be gone, `written` says so.
            let _ = self.batches.send(batch);
        }
    }

    /// Waits for the batch that is being written; none where its thread is gone. Safe to be cancelled.
    pub(super) async fn written(&mut self) -> Option<Written> {
        let written = self.results.recv().await;
        self.is_free = true;
        written
    }

    /// The ledger, once all is written; none where its thread broke off.
    pub(super) fn close(self) -> Option<Ledger> {
        drop(self.batches);
        self.thread.join().ok()
    }
}

fn write(ledger: &mut Ledger, run: RunId, batch: Batch) -> Written {
    let changes = batch.changes(run);
    let begun = Instant::now();
    let applied =
        if changes.is_empty() { Ok(Vec::new()) } else { ledger.commit(&changes, Timestamp::now().as_millisecond()) };
    let took = (!changes.is_empty()).then(|| begun.elapsed());
    let untold = batch.brake.as_ref().and_then(|(by, why)| ledger.pull_brake(run, by.as_str(), why).err());
    let read = |page: Page| (page, ledger.outstanding(run, (page.after, Queue::PAGE), page.part));
    let page = batch.page.filter(|_| applied.is_ok()).map(read);
    Written { batch, applied, page, took, untold }
}
