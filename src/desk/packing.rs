//! The pick list of a run and its packing slips, as pages to print. They say what the requests of its booked orders say, at any time.

use maud::{Markup, html};
use serde::Deserialize;

use crate::app::{PickLine, Sent, SentProduct, pick_list};
use crate::ledger::Shipped;

use super::answer::Result;
use super::page::{self, Page, Part, Tone};
use super::state::Desk;
use super::{labels, words};

/// Packing slips on one page of the desk.
const SLIPS: usize = 500;

/// Which run, and from which of its slips on.
#[derive(Deserialize)]
pub(super) struct Asked {
    run: i64,
    #[serde(default)]
    from: usize,
}

pub(super) fn pick(desk: &Desk, asked: &Asked) -> Result<Page> {
    let packed = packed(desk, asked.run)?;
    let title = format!("Pick list of run {}", asked.run);
    let body = html! {
        (actions(asked.run))
        section.report {
            h1 { (title) }
            (scope(&packed))
            table.cards {
                thead { tr { th { "Product" } th { "SKU" } th.num { "Pieces" } th { "Orders" } } }
                tbody { @for line in pick_list(&packed) { (product(&line)) } }
            }
        }
    };
    Ok(Page { title, part: Part::Runs, body })
}

pub(super) fn slips(desk: &Desk, asked: &Asked) -> Result<Page> {
    let Asked { run, from } = *asked;
    let packed = packed(desk, run)?;
    let to = from.saturating_add(SLIPS).min(packed.len());
    let at = |from: usize| format!("packing-slips?run={run}&from={from}");
    let title = format!("Packing slips of run {run}");
    let body = html! {
        (actions(run))
        section.noprint {
            h1 { (title) }
            (scope(&packed))
            @if packed.len() > SLIPS {
                p.row {
                    span.soft.grow { "Slips " (words::number(from as u64 + 1)) " to " (words::number(to as u64)) ": print these, then go on." }
                    @if from > 0 { a.button href=(at(from.saturating_sub(SLIPS))) { "Earlier" } }
                    @if to < packed.len() { a.button href=(at(to)) { "Next" } }
                }
            }
        }
        @for (shipment, sent) in packed.get(from..to).unwrap_or_default() { (slip(shipment, sent)) }
    };
    Ok(Page { title, part: Part::Runs, body })
}

/// The booked shipments of a run with what goes into each: those whose labels are printed, in the same order.
fn packed(desk: &Desk, run: i64) -> Result<Vec<(Shipped, Sent)>> {
    let app = desk.app();
    let ledger = app.read_ledger()?;
    let service = app.run_status(&ledger, Some(run))?.record.service;
    let chosen = labels::chosen(desk, &ledger, run)?;
    Ok(app.packed(&ledger, &service, chosen.shipments)?)
}

fn actions(run: i64) -> Markup {
    html! {
        div.row.actions.noprint {
            a.button href={ "results?run=" (run) } { "Results" }
            button type="button" data-print { "Print" }
        }
    }
}

/// How many orders these are, and of how many of them nothing is known any more.
fn scope(packed: &[(Shipped, Sent)]) -> Markup {
    let gone = packed.iter().filter(|(_, sent)| sent.products.is_empty()).count() as u64;
    html! {
        p.soft { (words::count(packed.len() as u64, "order")) ", booked and not cancelled." }
        @if gone > 0 {
            (page::notice(Tone::Warn, &html! { p { "The products of " (words::count(gone, "order")) " are no longer kept here. Look them up in your own sheet." } }))
        }
    }
}

fn product(line: &PickLine) -> Markup {
    html! {
        tr {
            td { b { (line.name) } }
            td { (line.sku) }
            td.num data-name="Pieces" { (line.pieces.normalize()) }
            td {
                @for (n, (order, pieces)) in line.orders.iter().enumerate() {
                    @if n > 0 { ", " }
                    (order) @if line.orders.len() > 1 { " × " (pieces.normalize()) }
                }
            }
        }
    }
}

/// What goes into one parcel.
fn slip(shipment: &Shipped, sent: &Sent) -> Markup {
    let Sent { receiver, products, .. } = sent;
    let to = [receiver.name.as_str(), &receiver.city, &receiver.pin_code].into_iter().filter(|part| !part.is_empty());
    html! {
        section.report.slip {
            h2 { "Order " (shipment.order_number) }
            dl.facts {
                div { dt { "To" } dd { (to.collect::<Vec<_>>().join(", ")) } }
                div { dt { "AWB" } dd { code { (shipment.awb) } @if let Some(carrier) = &shipment.carrier { " " (carrier) } } }
                div { dt { "COD to collect" } dd { @match sent.to_collect() { Some(amount) => b { (words::rupees(amount)) }, None => "nothing" } } }
            }
            table.cards.brief {
                thead { tr { th { "Product" } th { "SKU" } th.num { "Pieces" } } }
                tbody { @for SentProduct { name, sku, quantity, .. } in products { tr { td { (name) } td { (sku) } td.num data-name="Pieces" { (quantity.normalize()) } } } }
            }
        }
    }
}
