//! One order of a sheet with all cells of its rows, each to be typed into.

use maud::{Markup, html};
use serde::Deserialize;

use crate::app::draft::{DraftOrder, GoesTo, WholeOrder, WholeRow};
use crate::finding::Finding;
use crate::text::shortened;

use super::super::answer::{Result, Shown};
use super::super::page::{self, Page, Part, Tone};
use super::super::state::Desk;
use super::frame::{HEADER_MAX, answers, button, opened, pill, place, undo};
use super::said;

/// Which order of which draft.
#[derive(Deserialize)]
pub(in super::super) struct Asked {
    id: String,
    number: String,
    /// From which of its rows on.
    #[serde(default)]
    from: usize,
    /// The note that its page is to show.
    said: Option<String>,
}

/// A cell with more characters has the width of the page.
const CELL_WIDE: usize = 24;
/// Cells of a page; a row more may have some.
const CELLS_MAX: usize = 300;

pub(in super::super) fn order(desk: &Desk, asked: &Asked) -> Result<Shown> {
    let taken = match opened(desk, &asked.id, "check")? {
        Ok(taken) => taken,
        Err(waiting) => return Ok(waiting),
    };
    let draft = taken.draft()?;
    let Some(whole) = draft.order(&asked.number)? else {
        // Its rows may belong to another order since: whoever did that is told so on Check.
        let (check, number) = (place(&asked.id, "check"), shortened(&asked.number, HEADER_MAX));
        let gone = || desk.warn(&check, &format!("No order of this sheet has the number {number} any more."));
        return Ok(Shown::Instead(if asked.said.is_some() { check } else { gone() }));
    };
    let WholeOrder { order, rows } = &whole;
    let at = |from: usize| format!("order?number={}&from={from}", page::encoded(&asked.number));
    let mut cells_left = CELLS_MAX;
    let shown = rows.iter().skip(asked.from).take_while(|row| {
        let has_room = cells_left > 0;
        cells_left = cells_left.saturating_sub(row.cells.len());
        has_room
    });
    let shown: Vec<&WholeRow> = shown.collect();
    let next = asked.from + shown.len();
    let to = draft.goes_to(std::iter::once(order.number.as_str()))?.remove(&order.number);
    let body = html! {
        section {
            p { a href=(place(&asked.id, "check")) { "Back to Check" } }
            h1 { "Order " (shortened(&order.number, HEADER_MAX)) " " (pill(order)) }
            p.soft { (order.rows) @if let Some(awb) = &order.awb { ", AWB " (awb) } }
            (answers(desk, (&asked.id, draft.revision()), &at(asked.from)))
            @if let Some(to) = to { p { "Goes to: " (goes_to(&to)) } }
            p.soft { "What you type is saved when you leave the cell." }
            @if let Some(refused) = draft.refused(&desk.app())?.iter().find(|own| own.orders.contains(&order.number)) {
                (page::notice(Tone::Bad, &html! { p { b { "The courier said no to this order: " } (said::sentence(&refused.said)) } }))
            }
            @for finding in &order.findings { p { (said::message_of(order, finding)) " " (said::buttons(order, finding, None)) } }
            @for row in shown { (cells(order, row, rows.len() > 1)) }
            @if next < rows.len() { p.row.end { a.button href=(place(&asked.id, &at(next))) { "Next rows" } } }
            div.row.actions {
                (undo(draft))
                (said::of_order(order))
                @if order.known.is_some() { a href={ "order?number=" (page::encoded(&order.number)) } { "What happened to it" } }
            }
            noscript { p { button form="a" name="save" value="yes" { "Save what was typed" } } }
        }
    };
    Ok(Page { title: format!("Order {}", shortened(&order.number, HEADER_MAX)), part: Part::Home, body }.into())
}

/// Who gets it, as it would be sent.
fn goes_to(GoesTo { name, phone, street, city, state, pin_code }: &GoesTo) -> String {
    let place = [street, city, state].into_iter().filter(|part| !part.is_empty()).map(String::as_str);
    let place = place.collect::<Vec<_>>().join(", ");
    format!("{name}, {}, phone {phone}", shortened(&format!("{place} {pin_code}"), 300))
}

fn cells(order: &DraftOrder, row: &WholeRow, is_one_of_many: bool) -> Markup {
    let of_cell = |column: u32| -> Option<&crate::app::draft::FoundCell> {
        order.cells.iter().find(|cell| (cell.sheet, cell.row, cell.column) == (row.sheet, row.row, column))
    };
    let none: &[Finding] = &[];
    html! {
        @if is_one_of_many {
            div.row {
                h2.grow { "Row " (row.row) }
                (button(&format!("drop-row.{}.{}", row.sheet, row.row), &order.number, "Take this row out", &format!("row {}", row.row)))
            }
        }
        div.whole {
            @for own in &row.cells {
                @let found = of_cell(own.column);
                @let findings = found.map_or(none, |cell| &cell.findings);
                @if !own.header.is_empty() || !own.text.is_empty() {
                    div.one.bad[findings.iter().any(Finding::holds)].wide[own.text.chars().count() > CELL_WIDE] {
                        span.soft { (shortened(&own.header, HEADER_MAX)) }
                        (said::input((order, &own.header), (row.sheet, row.row, own.column), &own.text, own.edited))
                        @for finding in findings {
                            p.said { (said::message_of(order, finding)) }
                            div.row.tight { (said::buttons(order, finding, found)) }
                        }
                    }
                }
            }
        }
    }
}
