//! Rows of one order that say the same, and orders whose rows stand in several sheets.

use crate::column::RowRef;
use crate::field::Id;
use crate::finding::Finding;
use crate::finding::order::{held_back, rows_twice, same_line, split_order};
use crate::order::row_of_example;

use super::view::{Findings, View};

/// Looks at the rows of an order of which nothing else is wrong.
pub(crate) fn check(view: &View<'_>, told: &mut Findings<'_>) {
    let (draft, order, sheets) = (view.rows.draft, view.order, view.rows.sheets);
    if told.eligibility.is_over() || told.has_failed() {
        return;
    }
    let at = |said: Finding, row: RowRef, id: Id| said.at(sheets.place(row, Some(id))).of_order(draft.number.clone());
    // One line of the starter sheet's example was left below an order of one's own.
    if let Some(row) = row_of_example(draft) {
        told.take(at(held_back::example_below(), row, Id::ProductName));
    }
    let (rows, lines) = (&draft.rows, &order.lines);
    let is_by_row = rows.len() == lines.len();
    let pairs = || (1..lines.len()).flat_map(|later| (0..later).map(move |one| (later, one)));
    let mut same = pairs().filter(|(later, one)| is_by_row && lines[*later] == lines[*one]);
    // Most likely one sheet was given in two forms.
    if let [first, .., last] = rows.as_slice()
        && first.sheet != last.sheet
        && let Some((here, there)) = same.clone().find(|(here, there)| rows[*here].sheet != rows[*there].sheet)
    {
        let there = sheets.place(rows[there], Some(Id::OrderNumber));
        told.take(at(rows_twice::in_two_sheets(&there), rows[here], Id::OrderNumber));
        return;
    }
    let mut firsts: Vec<RowRef> = rows.clone();
    firsts.dedup_by_key(|row| row.sheet);
    if let [_, .., last] = firsts.as_slice() {
        let places = firsts.iter().map(|row| sheets.place(*row, Some(Id::OrderNumber)).to_string()).collect();
        let split = at(split_order::over_sheets(places), *last, Id::OrderNumber);
        told.take(split.on_field(Id::OrderNumber.field().path));
    }
    if let Some((here, there)) = same.next() {
        let there_place = sheets.place(rows[there], Some(Id::ProductName));
        // A row was pasted twice, unless one of them alone speaks of the order.
        let is_pasted = draft.repeats(rows[here], rows[there]);
        let notice = if is_pasted { same_line::pasted(&there_place) } else { same_line::twice(&there_place) };
        let notice = notice.on_field(Id::ProductName.field().path).found(lines[here].product_name.clone());
        told.take(at(notice, rows[here], Id::ProductName));
    }
}
