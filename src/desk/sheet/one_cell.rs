//! Orders whose whole address stands in one cell: one thing is said of each, with a button for what can be told from it.

use maud::{Markup, html};

use crate::app::draft::{DraftOrder, OneCellAddress};
use crate::text::shortened;

use super::super::words;
use super::frame::{button, whole_link};
use super::said;

/// What the button of one order begins with in a form.
pub(super) const TAKE: &str = "take-address";

/// The orders, each with its address and what is read from it.
pub(super) fn group(id: &str, listed: &[DraftOrder], found: &[OneCellAddress]) -> Markup {
    let order = |number: &str| listed.iter().find(|order| order.number == number);
    html! {
        @if !found.is_empty() {
            div.group aria-labelledby="one-cell" role="group" {
                h2 #one-cell { "The whole address is in one cell " span.soft { (words::count(found.len() as u64, "order")) } }
                p.soft { "The PIN code, the city and the state have cells of their own. Check that these are right." }
                table.cards {
                    thead { tr { th { "Order" } th { "Address" } th { "Read from it" } th { "Or" } } }
                    tbody {
                        @for OneCellAddress { number, text, parts } in found {
                            tr {
                                td { b { (whole_link(id, number)) } }
                                td.said { (shortened(text, 200)) }
                                td { @for (header, cell) in parts { div { span.soft { (shortened(header, 40)) ": " } (cell.text) } } }
                                td { div.row.tight {
                                    (button(TAKE, number, "Use these", number))
                                    @if let Some(order) = order(number) { (said::of_order(order)) }
                                } }
                            }
                        }
                    }
                }
            }
        }
    }
}
