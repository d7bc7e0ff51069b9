//! What an order comes to: the work that several cores share.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::checks::{Eligibility, Reviewed, Reviewer, settled};
use crate::column::RowRef;
use crate::field::Id;
use crate::finding::order::{held_back, row_left_out};
use crate::finding::{self, Finding};
use crate::ledger::Packer;
use crate::order::{Draft, Order};
use crate::text::Text;

use super::duplicates;
use super::freeze::Request;
use super::reader::{Batch, Piece};

/// An order, judged.
pub(super) struct JudgedOrder {
    pub(super) number: Text,
    pub(super) position: u64,
    /// Its rows.
    pub(super) at: Box<[RowRef]>,
    /// Its rows, as people write them, where requests are wanted.
    pub(super) rows: Box<str>,
    /// Whether it is no order but the example of the starter sheet.
    pub(super) is_example: bool,
    /// What its sheet says of whether it goes.
    pub(super) eligibility: Eligibility,
    /// The order, where it is good.
    pub(super) order: Option<Box<Order>>,
    /// Its request, where one is wanted: as of the time of staging, where the order does not say when it was made.
    pub(super) request: Option<Request>,
    /// What tells its shipment from others; nothing where it is not good.
    pub(super) shipment: Option<u64>,
    /// What there is to say of it.
    pub(super) problems: Vec<Finding>,
    /// Remarks that nobody could read: their sheets, columns and texts.
    pub(super) unread: Box<[(u16, u32, Text)]>,
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
            Piece::Order(mut draft) => Piece::Order(self.order(&mut draft, packer)),
            Piece::Stray(at, problems) => Piece::Stray(at, problems),
            Piece::Said(problem) => Piece::Said(problem),
        };
        Batch { pieces: read.pieces.into_iter().map(judged).collect(), rows: read.rows }
    }

    fn order(&self, draft: &mut Draft, packer: &mut Packer) -> JudgedOrder {
        let rows = if self.freezes_at.is_some() { self.reviewer.sheets.rows(&draft.rows) } else { String::new() };
        let is_example = draft.is_example();
        let Reviewed { order, mut problems, eligibility, unread } = if is_example {
            let problems = self.example(draft);
            Reviewed { order: None, problems, eligibility: Eligibility::Yes, unread: Box::default() }
        } else {
            self.reviewer.review(draft)
        };
        // Below another header its cells stand in wrong columns: whatever else is said of them says nothing.
        let is_below = |problem: &Finding| problem.id == finding::Id::SecondHeader && problem.holds();
        if problems.iter().any(is_below) {
            problems.retain(is_below);
        }
        let order = order.filter(|order| self.is_one_order(draft, order, &mut problems));
        let shipment = order.as_deref().map(duplicates::shipment);
        let packer = self.packs.load(Ordering::Relaxed).then_some(packer);
        let request = order
            .as_deref()
            .zip(self.freezes_at)
            .map(|(order, now_ms)| Request::new(order, order.created_ms.unwrap_or(now_ms), packer));
        let (position, number, at) = (draft.position, draft.number.as_str().into(), draft.rows.as_slice().into());
        JudgedOrder {
            number,
            position,
            at,
            rows: rows.into(),
            is_example,
            eligibility,
            order,
            request,
            shipment,
            problems,
            unread,
        }
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

    /// What is said of the example of the starter sheet.
    fn example(&self, draft: &Draft) -> Vec<Finding> {
        let place = draft.rows.first().map(|first| self.reviewer.sheets.place(*first, Some(Id::OrderNumber)));
        vec![Finding { place, ..row_left_out::example().found(draft.number.clone()) }]
    }

    /// The example of the starter sheet, of which one line was left below an order of one's own.
    fn example_below(&self, draft: &Draft) -> Option<Finding> {
        let row = draft.row_of_example()?;
        let place = self.reviewer.sheets.place(row, Some(Id::ProductName));
        Some(held_back::example_below().of_order(draft.number.clone()).at(place))
    }
}
