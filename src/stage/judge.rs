//! What an order comes to: the work that several cores share.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::checks::{Eligibility, Reviewed, Reviewer, settled};
use crate::field::Id;
use crate::finding::order::{held_back, row_left_out};
use crate::finding::{self, Finding};
use crate::ledger::Packer;
use crate::order::{Draft, Order};

use super::duplicates;
use super::freeze::Request;
use super::reader::{Batch, Piece};

/// An order, judged.
pub(super) struct JudgedOrder {
    pub(super) draft: Draft,
    /// Its rows, as people write them, where requests are wanted.
    pub(super) rows: String,
    /// The order, where it is good, and what there is to say of it.
    pub(super) reviewed: Reviewed,
    /// Its request, where one is wanted: as of the time of staging, where the order does not say when it was made.
    pub(super) request: Option<Request>,
    /// What tells its shipment from others; nothing where it is not good.
    pub(super) shipment: Option<u64>,
}

/// Judges what was read.
pub(super) struct Judge<'a> {
    pub(super) reviewer: Reviewer<'a>,
    /// Whether requests are wanted, and the time of staging, epoch milliseconds.
    pub(super) freezes_at: Option<i64>,
    /// Whether requests are packed on the way. What the ledger knows already is not kept anew, and neighbours in a sheet
    /// tend to be alike in that.
    pub(super) packs: AtomicBool,
}

impl Judge<'_> {
    /// Judges what was read one after the other.
    pub(super) fn batch(&self, read: Batch<Draft>, packer: &mut Packer) -> Batch<JudgedOrder> {
        let judged = |piece| match piece {
            Piece::Order(draft) => Piece::Order(self.order(draft, packer)),
            Piece::Stray(at, problems) => Piece::Stray(at, problems),
            Piece::Said(problem) => Piece::Said(problem),
        };
        Batch { pieces: read.pieces.into_iter().map(judged).collect(), rows: read.rows }
    }

    fn order(&self, draft: Draft, packer: &mut Packer) -> JudgedOrder {
        let rows = if self.freezes_at.is_some() { self.reviewer.sheets.rows(&draft.rows) } else { String::new() };
        let mut reviewed = if draft.is_example() {
            let place = draft.rows.first().map(|first| self.reviewer.sheets.place(*first, Some(Id::OrderNumber)));
            let problems = vec![Finding { place, ..row_left_out::example().found(draft.number.clone()) }];
            Reviewed { order: None, problems, eligibility: Eligibility::Yes, unread: Box::default() }
        } else {
            self.reviewer.review(&draft)
        };
        // Below another header its cells stand in wrong columns: whatever else is said of them says nothing.
        let is_below = |problem: &Finding| problem.id == finding::Id::SecondHeader && problem.holds();
        if reviewed.problems.iter().any(is_below) {
            reviewed.problems.retain(is_below);
        }
        let order = reviewed.order.take().filter(|order| self.is_one_order(&draft, order, &mut reviewed.problems));
        let shipment = order.as_deref().map(duplicates::shipment);
        let packer = self.packs.load(Ordering::Relaxed).then_some(packer);
        let frozen = order.as_deref().zip(self.freezes_at);
        let request = frozen.map(|(order, now_ms)| Request::new(order, order.created_ms.unwrap_or(now_ms), packer));
        JudgedOrder { draft, rows, reviewed: Reviewed { order, ..reviewed }, request, shipment }
    }

    /// Says of a good order what its rows show beside its values. Gives whether it goes all the same.
    fn is_one_order(&self, draft: &Draft, order: &Order, problems: &mut Vec<Finding>) -> bool {
        let sheets = self.reviewer.sheets;
        let [one, other] = duplicates::in_rows(draft, order, sheets);
        let shown = [self.example_below(draft), one, other].into_iter().flatten();
        let before = problems.len();
        problems.extend(shown.filter_map(|finding| settled(draft, finding, sheets)));
        !problems[before..].iter().any(Finding::holds)
    }

    /// The example of the starter sheet, of which one line was left below an order of one's own.
    fn example_below(&self, draft: &Draft) -> Option<Finding> {
        let row = draft.row_of_example()?;
        let place = self.reviewer.sheets.place(row, Some(Id::ProductName));
        Some(held_back::example_below().of_order(draft.number.clone()).at(place))
    }
}
