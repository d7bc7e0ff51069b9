//! Which order goes next: pure bookkeeping over what is outstanding.

use std::collections::{HashSet, VecDeque};

use crate::text::Decimal;

use crate::ledger::{Part, Pending};
use crate::text::count;

/// An order that keeps being refused for now is left outstanding after so many attempts in one run.
const ATTEMPTS_MAX: u32 = 20;

/// The orders that this run may still send, in sheet order; those to be sent again go first.
#[derive(Debug, Default)]
pub(super) struct Queue {
    again: VecDeque<Queued>,
    fresh: VecDeque<Queued>,
    after: Option<i64>,
    /// Whether pages were read of which other stations had their parts.
    is_parted: bool,
    /// Whether this station's own part is read, and what the others have left comes next.
    is_rest: bool,
    read_out: bool,
    /// Orders that have had their attempts, by their places in the run.
    put_off: HashSet<i64>,
}

/// A page of outstanding orders.
#[derive(Debug, Clone, Copy)]
pub(super) struct Page {
    /// After which place of the run it begins.
    pub(super) after: i64,
    /// Which orders belong to it.
    pub(super) part: Part,
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

    /// Where to go on reading, when the queue runs low and there may be more; of several stations each begins with its part.
    pub(super) fn wants(&self, part: Part) -> Option<Page> {
        let low = self.fresh.len() < Self::PAGE / 2 && !self.read_out;
        let part = if self.is_rest { Part::WHOLE } else { part };
        low.then(|| Page { after: self.after.unwrap_or(i64::MIN), part })
    }

    /// Takes a page; a short one is the last, but for what other stations have left.
    pub(super) fn fill(&mut self, wanted: Page, page: Vec<Pending>) {
        let is_last = page.len() < Self::PAGE;
        if let Some(last) = page.last() {
            self.after = Some(last.seq);
        }
        let at_hand = self.again.iter().chain(&self.fresh).map(|queued| queued.order.seq);
        let at_hand: HashSet<i64> = if self.is_rest { at_hand.collect() } else { HashSet::new() };
        let is_new = |order: &Pending| !at_hand.contains(&order.seq) && !self.put_off.contains(&order.seq);
        let new: Vec<Pending> = page.into_iter().filter(is_new).collect();
        self.fresh.extend(new.into_iter().map(|order| Queued { order, attempts: 0 }));
        self.is_parted |= wanted.part != Part::WHOLE;
        if is_last && self.is_parted && !self.is_rest {
            (self.is_rest, self.after) = (true, None);
        } else {
            self.read_out = is_last;
        }
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

    /// Puts an order back that may be sent again, unless it has had its attempts.
    pub(super) fn put_back(&mut self, queued: Queued) {
        if queued.attempts < ATTEMPTS_MAX {
            self.again.push_back(queued);
        } else {
            self.put_off.insert(queued.order.seq);
        }
    }

    /// What to say of orders that have had their attempts.
    pub(super) fn put_off(&self) -> Option<String> {
        let orders = count(self.put_off.len() as u64, "order");
        let reason = || format!("{orders} could not be sent in {ATTEMPTS_MAX} tries each; the service put them off");
        (!self.put_off.is_empty()).then(reason)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::OrderId;

    fn order(seq: i64) -> Pending {
        Pending {
            order: OrderId::made_up(seq),
            seq,
            request: seq,
            number: format!("A-{seq}"),
            attempts: 0,
            body: Vec::new(),
            created_ms: 0,
            value: Decimal::ONE,
        }
    }

    #[test]
    fn what_other_stations_leave_is_read_once_its_own_part_is() {
        let mut queue = Queue::default();
        let part = Part { stations: 2, before: 0 };
        let own = queue.wants(part).unwrap();
        assert_eq!((own.after, own.part), (i64::MIN, part));
        queue.fill(own, vec![order(0), order(2)]);
        let first = queue.next().unwrap();
        queue.put_back(first);
        assert!(!queue.is_done());
        let rest = queue.wants(part).unwrap();
        assert_eq!((rest.after, rest.part), (i64::MIN, Part::WHOLE), "from the beginning, all of it");
        queue.fill(rest, vec![order(0), order(1), order(2)]);
        let left: Vec<i64> = std::iter::from_fn(|| queue.next()).map(|queued| queued.order.seq).collect();
        assert_eq!(left, [0, 2, 1], "what is at hand is not there twice");
        assert!(queue.is_done() && queue.wants(part).is_none());
    }

    #[test]
    fn a_station_alone_reads_each_page_once() {
        let mut queue = Queue::default();
        let page = queue.wants(Part::WHOLE).unwrap();
        queue.fill(page, vec![order(0)]);
        assert!(queue.wants(Part::WHOLE).is_none());
        assert_eq!(queue.next().unwrap().order.seq, 0);
        assert!(queue.is_done());
    }
}
