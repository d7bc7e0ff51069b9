//! Findings on orders in groups of one kind: a heading, and a row for each cell or order, to be mended in place.

use maud::{Markup, html};

use crate::app::draft::{
    DraftOrder, DraftState, Filter, FindingGroup, FoundCell, GroupId, OneCellAddress, is_missing_part,
};
use crate::field;
use crate::finding::{Finding, Id};
use crate::text::shortened;

use super::super::words;
use super::frame::{HEADER_MAX, place, whole_link};
use super::{said, values};

/// One finding of an order on a page, with its cell where it has one.
pub(super) struct Row<'o> {
    pub(super) order: &'o DraftOrder,
    cell: Option<&'o FoundCell>,
    findings: Vec<&'o Finding>,
}

/// The rows of a page with the group that each belongs to: every cell once, by its first finding.
pub(super) fn rows<'o>(filter: &Filter, listed: &'o [DraftOrder], apart: &[OneCellAddress]) -> Vec<(GroupId, Row<'o>)> {
    let wanted = |finding: &Finding| match filter {
        Filter::Group(group) => GroupId::of(finding) == *group,
        _ => finding.holds(),
    };
    let mut rows: Vec<(GroupId, Row<'o>)> = Vec::new();
    for order in listed {
        // As long as a price or a payment is wrong, nobody can say which amount is right.
        let is_priced = !order.cells.iter().flat_map(|cell| &cell.findings).any(is_unpriced);
        let wanted = |finding: &Finding| wanted(finding) && (is_priced || finding.amounts.is_none());
        // Of an address in one cell one thing is said, and not that each of its parts is missing.
        let is_apart = apart.iter().any(|own| own.number == order.number);
        for cell in &order.cells {
            let is_own = |finding: &&Finding| wanted(finding) && !(is_apart && is_missing_part(cell, finding));
            let mut findings: Vec<&Finding> = cell.findings.iter().filter(is_own).collect();
            // A whole name that differs does so in each of its parts.
            let mut is_told = false;
            findings.retain(|own| own.id != Id::OrderClash || !std::mem::replace(&mut is_told, true));
            if findings.iter().all(|finding| finding.id == Id::OrderClash) && is_shown(&rows, order, cell) {
                continue;
            }
            if let Some(first) = findings.first() {
                rows.push((GroupId::of(first), Row { order, cell: Some(cell), findings }));
            }
        }
        for finding in order.findings.iter().filter(|finding| wanted(finding)) {
            rows.push((GroupId::of(finding), Row { order, cell: None, findings: vec![finding] }));
        }
    }
    rows
}

/// Whether it says that a price, a quantity or a payment cannot be sent as it is.
fn is_unpriced(finding: &Finding) -> bool {
    let of_money = [field::Id::Price, field::Id::Quantity, field::Id::OrderType];
    let is_of_money = |path: &str| of_money.iter().any(|own| own.field().path == path);
    finding.holds() && finding.amounts.is_none() && finding.field.as_deref().is_some_and(is_of_money)
}

/// Whether a cell is shown beside one that came before it: what rows disagree about is one question.
fn is_shown(rows: &[(GroupId, Row<'_>)], order: &DraftOrder, cell: &FoundCell) -> bool {
    let own = rows.iter().rev().map(|(_, row)| row).take_while(|row| row.order.number == order.number);
    let mut before = own.filter_map(|row| row.cell).filter(|own| (own.sheet, own.column) == (cell.sheet, cell.column));
    before.any(|own| own.others.iter().any(|other| other.row == cell.row))
}

/// One group: its problem, the buttons for all of its orders, and a row for each cell.
pub(super) fn one(id: &str, filter: &Filter, group: &FindingGroup, rows: &[&Row<'_>]) -> Markup {
    let heading = format!("group-{}", group.group.0);
    let is_all = matches!(filter, Filter::Group(_)) || rows.len() as u64 >= group.orders;
    let shared = shared_problem(rows);
    html! {
        div.group aria-labelledby=(heading) role="group" {
            div.row {
                h2.grow id=(heading) { (said::title(&group.example)) " " span.soft { (words::count(group.orders, "order")) } }
                @if group.orders > 1 { (said::of_group(group)) }
            }
            @if let Some(said) = &shared { p.soft { (said) } }
            (said::units(&group.example))
            (of_values(rows))
            table.cards.mend {
                thead { tr { th.who { "Order" } th.at { "Where" } th.type { "Type here" } th.or { "Or" } } }
                tbody { @for row in rows { (one_row(id, row, shared.is_some())) } }
            }
            @if !is_all { p { a href={ (place(id, "check")) "?show=group-" (group.group.0) } { "All " (words::count(group.orders, "order")) " of this kind" } } }
        }
    }
}

/// The sentence that is all that is said of each of several rows.
fn shared_problem(rows: &[&Row<'_>]) -> Option<Markup> {
    let mut said = rows.iter().map(|row| match row.findings[..] {
        [only] => Some(said::message_of(row.order, only)),
        _ => None,
    });
    let first = said.next()??;
    (rows.len() > 1 && said.all(|other| other.is_some_and(|other| other.0 == first.0))).then_some(first)
}

/// Buttons for the meanings of values that hold orders: once for all rows with the same value.
fn of_values(rows: &[&Row<'_>]) -> Markup {
    let mut told: Vec<(u32, &str)> = Vec::new();
    let mut first = Vec::new();
    for row in rows {
        let Some(cell) = row.cell.filter(|cell| !told.contains(&(cell.column, cell.text.as_str()))) else { continue };
        told.push((cell.column, &cell.text));
        first.extend(row.findings.iter().map(|finding| (cell.sheet, *finding)));
    }
    let buttons: Vec<Markup> = first.into_iter().map(|(sheet, finding)| values::buttons(finding, sheet)).collect();
    html! { @for own in buttons.iter().filter(|own| !own.0.trim().is_empty()) { div.row.tight { (own) } } }
}

fn one_row(id: &str, row: &Row<'_>, is_said: bool) -> Markup {
    let Row { order, cell, findings } = row;
    let receiver: Vec<&str> = order.receiver.iter().map(String::as_str).filter(|text| !text.is_empty()).collect();
    html! {
        tr.told[!is_said] {
            td { b { (whole_link(id, &order.number)) } " " span.soft { (shortened(&receiver.join(", "), HEADER_MAX)) } }
            td { @if let Some(first) = findings.first() { (said::at_all(first, *cell)) } }
            td { @if let Some(cell) = cell { (said::cell(order, cell)) } }
            td.or {
                // Where something is wrong, sending it all the same is the last thing to be offered.
                @let is_wrong = order.state == DraftState::Fix;
                @for finding in findings {
                    @if !is_wrong { (said::lets_go(order, finding, *cell)) }
                    (said::mends(order, finding, *cell))
                }
                (said::of_order(order))
                @if is_wrong { @for finding in findings { (said::lets_go(order, finding, *cell)) } }
            }
        }
        @if !is_said {
            tr.why { td.said colspan="4" { @for finding in findings { div { (said::message_of(order, finding)) } } } }
        }
    }
}
