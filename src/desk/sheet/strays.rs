//! Rows that name no order: each is given the number of its order, or taken out.

use maud::{Markup, html};

use crate::app::draft::{Checked, StrayRow, WholeCell};
use crate::text::shortened;

use super::super::words;
use super::frame::{HEADER_MAX, button};
use super::said;

/// What the button for all of them is called in a form.
pub(super) const ALL: &str = "drop-strays";

/// The first rows without an order.
pub(super) fn group(checked: &Checked, first: &[StrayRow]) -> Markup {
    let all = checked.rows_without_order();
    html! {
        @if all > 0 {
            div.group.notes aria-labelledby="strays" role="group" {
                div.row {
                    h2.grow #strays { "Rows that name no order " span.soft { (words::count(all, "row")) } }
                    @if all > 1 { button.small form="a" name=(ALL) value="yes" { "Take all " (words::number(all)) " out" } }
                }
                p.soft { "They are not sent. Type the number of the order that a row belongs to, or take it out." }
                table.cards {
                    thead { tr { th { "Row" } th { "What stands there" } th { "Type here" } th { "Or" } } }
                    tbody { @for stray in first { (row(stray)) } }
                }
                @if all > first.len() as u64 { p.soft { "The first " (first.len()) " are shown. The others come when these are settled." } }
            }
        }
    }
}

fn row(StrayRow { row, number, findings }: &StrayRow) -> Markup {
    let texts: Vec<&str> = row.cells.iter().map(|cell| cell.text.as_str()).filter(|text| !text.is_empty()).collect();
    let name = format!("row {}", row.row);
    html! {
        tr {
            td { b { (words::capital(&name)) } }
            td.said {
                (shortened(&texts.join(" · "), 160))
                @for finding in findings.iter().take(1) { div.soft { (said::message(finding)) } }
            }
            td { @if let Some(WholeCell { column, header, text, edited }) = number {
                input.cell.typed[*edited] form="a" name={ "cell." (row.sheet) "." (row.row) "." (column) } value=(text) placeholder=(shortened(header, HEADER_MAX))
                    aria-label={ (words::capital(&name)) " " (shortened(header, HEADER_MAX)) };
            } }
            td { (button(&format!("drop-row.{}.{}", row.sheet, row.row), "", "Take this row out", &name)) }
        }
    }
}
