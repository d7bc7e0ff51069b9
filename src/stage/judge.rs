//! What an order comes to: the work that several cores share.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::check::Memo;
use crate::checks::{Eligibility, Reviewed, Reviewer, settled};
use crate::column::RowRef;
use crate::field::Id;
use crate::finding::order::{held_back, row_left_out, rows_twice};
use crate::finding::{self, Finding};
use crate::ledger::Packer;
use crate::order::{Draft, Order};
use crate::text::Text;

use super::freeze::Request;
use super::near;

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

/// What makes judging one order after the other quicker.
#[derive(Default)]
pub(super) struct Tools {
    memo: Memo,
    packer: Packer,
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
    pub(super) fn order(&self, draft: &mut Draft, tools: &mut Tools) -> JudgedOrder {
        let rows = if self.freezes_at.is_some() { self.reviewer.sheets.rows(&draft.rows) } else { String::new() };
        let is_example = draft.is_example();
        let Reviewed { order, mut problems, eligibility, unread } = if is_example {
            let problems = self.example(draft);
            Reviewed { order: None, problems, eligibility: Eligibility::Yes, unread: Box::default() }
        } else {
            self.reviewer.review(draft, &mut tools.memo)
        };
        // Below another header its cells stand in wrong columns: whatever else is said of them says nothing.
        let is_below = |problem: &Finding| problem.id == finding::Id::SecondHeader && problem.holds();
        if problems.iter().any(is_below) {
            problems.retain(is_below);
        }
        let order = order.filter(|order| self.is_one_order(draft, order, &mut problems));
        let shipment = order.as_deref().map(near::shipment);
        let packer = self.packs.load(Ordering::Relaxed).then_some(&mut tools.packer);
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
        let settled = |finding: Option<Finding>| finding.and_then(|finding| settled(draft, finding, sheets));
        for held in [self.doubled(draft, order), self.example_below(draft)] {
            if let Some(held) = settled(held) {
                let holds = held.holds();
                problems.push(held);
                if holds {
                    return false;
                }
            }
        }
        let near = [near::split(draft, sheets), near::same_line(draft, order, sheets)];
        let near: Vec<Finding> = near.into_iter().filter_map(settled).collect();
        let holds = near.iter().any(Finding::holds);
        problems.extend(near);
        !holds
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

    /// An order whose lines stand in two sheets alike: most likely one sheet was given in two forms.
    fn doubled(&self, draft: &Draft, order: &Order) -> Option<Finding> {
        let (first, last) = (draft.rows.first()?, draft.rows.last()?);
        if first.sheet == last.sheet || draft.rows.len() != order.lines.len() {
            return None;
        }
        let mut by_sheet: BTreeMap<u16, Vec<String>> = BTreeMap::new();
        for (row, line) in draft.rows.iter().zip(&order.lines) {
            by_sheet.entry(row.sheet).or_default().push(format!("{line:?}"));
        }
        let mut seen: Vec<(u16, Vec<String>)> = Vec::new();
        for (sheet, mut lines) in by_sheet {
            lines.sort();
            if let Some((other, _)) = seen.iter().find(|(_, before)| *before == lines) {
                let place = |sheet: u16| {
                    let row = draft.rows.iter().find(|row| row.sheet == sheet).unwrap_or(first);
                    self.reviewer.sheets.place(*row, Some(Id::OrderNumber))
                };
                let doubled = rows_twice::in_two_sheets(&place(*other));
                return Some(doubled.at(place(sheet)).of_order(draft.number.clone()));
            }
            seen.push((sheet, lines));
        }
        None
    }
}
