//! An answer on its way to the disk.

use crate::api::outcome::{Doubt, Lost, Observed, Outcome, Signal, Verdict};
use crate::event::Reach;
use crate::ledger::Change;

use super::plan::Queued;

/// An answer that the ledger could not take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsaved {
    /// The order number.
    pub order: String,
    /// What the answer said, for a person to keep.
    pub answer: String,
}

/// What came of an attempt, and what is evidence of it.
pub(super) struct Answer {
    pub(super) queued: Queued,
    pub(super) verdict: Verdict,
    /// How far the attempt got.
    pub(super) reach: Reach,
    pub(super) status: Option<u16>,
    pub(super) raw: Option<Vec<u8>>,
}

impl Answer {
    /// Of an order whose intent is on disk and which does not leave now.
    pub(super) fn kept_back(mut queued: Queued, why: &str) -> Self {
        // Kept as an attempt, and none of those that the service put off.
        queued.attempts -= 1;
        queued.order.attempts += 1;
        let outcome = Outcome::Waiting { reason: format!("not sent: {why}") };
        let verdict = Verdict { outcome, signal: Signal::Clear };
        Self { queued, verdict, reach: Reach::KeptBack, status: None, raw: None }
    }

    /// Of an attempt that ended without one.
    pub(super) const fn in_doubt(queued: Queued, doubt: Doubt) -> Self {
        let verdict = Verdict { outcome: Outcome::InDoubt { doubt }, signal: Signal::Doubt };
        Self { queued, verdict, reach: Reach::Sent, status: None, raw: None }
    }

    /// As the ledger takes it.
    pub(super) fn change(&self) -> Change {
        Change::Answer {
            order: self.queued.order.order,
            outcome: self.verdict.outcome.clone(),
            status: self.status,
            raw: self.raw.clone(),
        }
    }

    /// As a person keeps it.
    pub(super) fn unsaved(&self) -> Unsaved {
        let text = match &self.verdict.outcome {
            Outcome::Booked(booking) => format!("booked with AWB {}", booking.awb),
            Outcome::Rejected { error, .. } => format!("rejected: {error}"),
            Outcome::Refused { message } => format!("refused: {message}"),
            Outcome::Waiting { reason } => reason.clone(),
            Outcome::InDoubt { doubt } => doubt.to_string(),
        };
        Unsaved { order: self.queued.order.number.clone(), answer: text }
    }
}

/// What of an observation is evidence worth keeping.
pub(super) fn kept(observed: Observed) -> (Option<u16>, Option<Vec<u8>>) {
    match observed {
        Observed::Reply(reply) => (Some(reply.status), Some(reply.body)),
        Observed::Lost(Lost::Partial { status, body, .. }) => (Some(status), Some(body)),
        Observed::Lost(Lost::Unbelievable { status, body, .. }) => (status, Some(body)),
        Observed::NotSent(_) | Observed::Lost(_) => (None, None),
    }
}
