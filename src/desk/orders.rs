//! Orders: a list of at most a hundred, the newest first, by state or by what a person looks for.

use maud::{Markup, html};
use serde::Deserialize;

use crate::app::draft::{self, DraftEntry, DraftState};
use crate::app::{OrderEntry, OrderQuery, OrdersFound, REQUESTS_SEARCHED};
use crate::text::shortened;

use super::answer::{Result, Shown};
use super::page::{self, Page, Part};
use super::sheet;
use super::state::Desk;
use super::words::{self, CANCELLED};

/// Rows of a page.
pub(super) const ROWS: usize = 100;

/// Open sheets that are named.
const SHEETS: usize = 10;
/// Orders that are named of each.
const FOUND_MAX: usize = 5;

/// States that the list can be narrowed to.
const STATES: [(&str, &str); 11] = [
    ("", "All"),
    ("booked", "Booked"),
    ("outstanding", "Not sent yet"),
    ("in_doubt", "In doubt"),
    ("failed", "Rejected"),
    (CANCELLED, "Cancelled"),
    ("invalid", "Fix"),
    ("held", "Hold"),
    ("left_out", "Left out"),
    ("dismissed", "Dismissed"),
    ("abandoned", "Given up"),
];

/// What is looked for.
#[derive(Deserialize)]
pub(super) struct Asked {
    #[serde(default)]
    q: String,
    #[serde(default)]
    state: String,
    before: Option<i64>,
}

pub(super) fn orders(desk: &Desk, asked: &Asked) -> Result<Shown> {
    let state = STATES.iter().map(|(state, _)| *state).find(|state| *state == asked.state).unwrap_or_default();
    let query = OrderQuery {
        text: &asked.q,
        state: Some(state).filter(|state| !state.is_empty()),
        before: asked.before,
        limit: ROWS,
    };
    let is_named = !query.text.trim().is_empty();
    let (found, drafts) = match desk.ledger()? {
        Some(ledger) => {
            let drafts = if is_named { draft::all(&ledger)?.entries } else { Vec::new() };
            let drafts = drafts.into_iter().filter(|draft| !draft.is_over || draft.rest.keeps_back).collect();
            (desk.app().find_orders(&ledger, &query)?, drafts)
        }
        None => <(OrdersFound, Vec<_>)>::default(),
    };
    let in_sheets = in_open_sheets(desk, &drafts, query.text.trim());
    // Whoever looks for one order wants to see it.
    if let [only] = &found.orders[..]
        && in_sheets.is_empty()
        && is_named
        && query.state.is_none()
    {
        return Ok(Shown::Instead(format!("order?number={}", page::encoded(&only.number))));
    }
    let body = html! {
        section {
            h1 { (title(&query)) }
            (choices(&asked.q, state))
            (found_in_sheets(&in_sheets))
            @if !found.orders.is_empty() { (table(&found.orders)) }
            @else if in_sheets.is_empty() { (nothing(&query)) (open_sheets(&drafts, query.text.trim())) }
            (rest(&found, asked, state))
        }
    };
    Ok(Page { title: title(&query), part: Part::Orders, body }.into())
}

fn title(query: &OrderQuery<'_>) -> String {
    let text = query.text.trim();
    if text.is_empty() { "Orders".to_owned() } else { format!("Orders with “{}”", shortened(text, 40)) }
}

fn choices(text: &str, state: &str) -> Markup {
    html! {
        nav.tabs aria-label="Show" {
            @for (own, name) in STATES {
                a href={ "orders?state=" (own) "&q=" (page::encoded(text)) } aria-current=[(own == state).then_some("true")] { (name) }
            }
        }
    }
}

fn nothing(query: &OrderQuery<'_>) -> Markup {
    html! {
        p.soft {
            @if query.text.trim().is_empty() { "No order here." }
            @else { "No order has this number, AWB, phone or name. Of a phone number, the first or last four digits are enough." }
        }
    }
}

/// An order of a sheet that is open: what was not sent yet is in such a sheet and nowhere else.
struct InSheet {
    draft: DraftEntry,
    number: String,
    state: DraftState,
}

/// Orders with this in their number, in the sheets that are in memory.
fn in_open_sheets(desk: &Desk, drafts: &[DraftEntry], text: &str) -> Vec<InSheet> {
    let of_draft = |draft: &DraftEntry| {
        let found = desk.drafts.glance(&draft.id, |checked| checked.with_number(text, FOUND_MAX)).unwrap_or_default();
        let is_open = |(_, state): &(String, DraftState)| !matches!(state, DraftState::Booked | DraftState::InDoubt);
        let found = found.into_iter().filter(is_open);
        found.map(|(number, state)| InSheet { draft: draft.clone(), number, state }).collect::<Vec<_>>()
    };
    drafts.iter().flat_map(of_draft).collect()
}

fn found_in_sheets(found: &[InSheet]) -> Markup {
    html! {
        @if !found.is_empty() {
            ul {
                @for InSheet { draft, number, state } in found {
                    li { a href={ "sheet/" (draft.id) "/order?number=" (page::encoded(number)) } { (shortened(number, 60)) } " is " (sheet::stands(*state)) " in " (draft.file) "." }
                }
            }
        }
    }
}

/// The ways to sheets that are open.
fn open_sheets(drafts: &[DraftEntry], text: &str) -> Markup {
    html! {
        @if !drafts.is_empty() {
            p { "What was not sent yet stands in a sheet that is open, where it is found by its order number: "
                @for (place, draft) in drafts.iter().take(SHEETS).enumerate() {
                    @if place > 0 { ", " } a href={ "sheet/" (draft.id) "/check?q=" (page::encoded(text)) } { (draft.file) }
                } "."
            }
        }
    }
}

fn table(orders: &[OrderEntry]) -> Markup {
    html! {
        table.cards {
            thead { tr { th { "Order" } th { "To" } th { "Status" } th { "AWB" } th { "Came in" } } }
            tbody { @for order in orders { (row(order)) } }
        }
    }
}

fn row(order: &OrderEntry) -> Markup {
    let receiver = &order.receiver;
    html! {
        tr {
            td { b { (page::order_link(&order.number)) } }
            td { (receiver.name) span.soft { " " (receiver.city) " " (receiver.pin_code) } }
            td {
                (page::state(if order.is_cancelled { CANCELLED } else { &order.state }))
                @if let Some(error) = order.error.as_deref().filter(|_| order.state != "booked") { div.soft.said { (shortened(error, 90)) } }
            }
            td { @if let Some(awb) = &order.awb { code { (awb) } @if let Some(carrier) = &order.carrier { div.soft { (carrier) } } } }
            td.soft { (words::time(order.staged_ms)) }
        }
    }
}

/// The way to older orders, and what was not looked through.
fn rest(found: &OrdersFound, asked: &Asked, state: &str) -> Markup {
    let last = found.orders.last().map(|order| order.place).filter(|_| found.is_more);
    html! {
        @if let Some(last) = last {
            @if asked.q.trim().is_empty() {
                p.row.end { a.button href={ "orders?state=" (state) "&before=" (last) } { "Older orders" } }
            } @else {
                p.soft { "There are more than " (ROWS) ". Write more of the number, AWB, phone or name." }
            }
        }
        @if found.is_partial {
            p.soft { "By name and phone only the newest " (words::number(REQUESTS_SEARCHED as u64)) " orders were searched." }
        }
    }
}
