//! Which order goes next: pure bookkeeping over what is outstanding.

use std::collections::VecDeque;

use rust_decimal::Decimal;

use crate::ledger::Pending;

/// An order that keeps being refused for now is left outstanding after so many attempts in one run.
pub(super) const ATTEMPTS_MAX: u32 = 20;

/// The orders that this run may still send, in sheet order; those to be sent again go first.
#[derive(Debug, Default)]
pub(super) struct Queue {
    again: VecDeque<Queued>,
    fresh: VecDeque<Queued>,
    after: Option<i64>,
    read_out: bool,
}

/// An order in the queue.
#[derive(Debug, Clone)]
pub(super) struct Queued {
    pub(super) order: Pending,
    /// Attempts in this run.
    pub(super) attempts: u32,
}

impl Queue {
    /// Orders to keep at hand, so that the ledger is read in pages and not order by order.
    pub(super) const PAGE: usize = 512;

    /// Where to go on reading, when the queue runs low and there may be more.
    pub(super) fn wants(&self) -> Option<i64> {
        let low = self.fresh.len() < Self::PAGE / 2 && !self.read_out;
        if low { Some(self.after.unwrap_or(i64::MIN)) } else { None }
    }

    /// Takes a page; a short one is the last.
    pub(super) fn fill(&mut self, page: Vec<Pending>) {
        self.read_out = page.len() < Self::PAGE;
        if let Some(last) = page.last() {
            self.after = Some(last.seq);
        }
        self.fresh.extend(page.into_iter().map(|order| Queued { order, attempts: 0 }));
    }

    /// The next order to send.
    pub(super) fn next(&mut self) -> Option<Queued> {
        let mut queued = self.again.pop_front().or_else(|| self.fresh.pop_front())?;
        queued.attempts += 1;
        Some(queued)
    }

    /// Whether an order is at hand.
    pub(super) fn has_next(&self) -> bool {
        !self.again.is_empty() || !self.fresh.is_empty()
    }

    /// The declared value of the next order, where it is sent for the first time.
    pub(super) fn next_value(&self) -> Option<Decimal> {
        let next = self.again.front().or_else(|| self.fresh.front())?;
        (next.attempts == 0).then_some(next.order.value)
    }

    /// Puts an order back that may be sent again. `false` where it has had its attempts.
    pub(super) fn put_back(&mut self, queued: Queued) -> bool {
        let may = queued.attempts < ATTEMPTS_MAX;
        if may {
            self.again.push_back(queued);
        }
        may
    }

    /// Puts an order back at the very front: it was chosen and then not sent after all.
    pub(super) fn not_sent(&mut self, mut queued: Queued) {
        queued.attempts -= 1;
        self.again.push_front(queued);
    }

    /// Whether nothing is left to send.
    pub(super) fn is_done(&self) -> bool {
        self.again.is_empty() && self.fresh.is_empty() && self.read_out
    }
}
