//! The pick list of a run and its packing slips, as pages to print and as PDF. They say what the requests of its booked orders say, at
//! any time, and are kept in no file.

use maud::{Markup, html};
use serde::Deserialize;

use crate::after::text::{Section, written};
use crate::app::{self, PickLine, Sent, SentProduct, pick_list};
use crate::ledger::Shipped;
use crate::text::Decimal;

use super::answer::{Download, Result, Shown};
use super::page::{self, Page, Part, Tone};
use super::state::Desk;
use super::trouble::Trouble;
use super::{labels, words};

/// Packing slips on one page of the desk.
const SLIPS: usize = 500;
/// On a slip whose request was purged.
const GONE: &str = "Its products are no longer kept here. Look in your own sheet.";

/// Which run, and from which of its slips on.
#[derive(Deserialize)]
pub(super) struct Asked {
    run: i64,
    #[serde(default)]
    from: usize,
}

pub(super) fn pick(desk: &Desk, asked: &Asked) -> Result<Page> {
    let packed = packed(desk, asked.run)?;
    let (title, lines) = (format!("Pick list of run {}", asked.run), pick_list(&packed));
    let body = html! {
        (actions(asked.run, "pick-list.pdf", &[picked(&title, &packed, &lines)]))
        section.report {
            h1 { (title) }
            (scoped(&packed))
            table.cards {
                thead { tr { th { "Product" } th { "SKU" } th.num { "Pieces" } th { "Orders" } } }
                tbody { @for line in &lines { (product(line)) } }
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
        (actions(run, "packing-slips.pdf", &parcels(&packed)))
        section.noprint {
            h1 { (title) }
            (scoped(&packed))
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

/// The whole pick list as PDF.
pub(super) fn pick_pdf(desk: &Desk, asked: &Asked) -> Result<Shown> {
    let packed = packed(desk, asked.run)?;
    let title = format!("Pick list of run {}", asked.run);
    pdf(format!("pick-list-run-{}.pdf", asked.run), &[picked(&title, &packed, &pick_list(&packed))])
}

/// All packing slips as PDF.
pub(super) fn slips_pdf(desk: &Desk, asked: &Asked) -> Result<Shown> {
    pdf(format!("packing-slips-run-{}.pdf", asked.run), &parcels(&packed(desk, asked.run)?))
}

/// Whether there is a PDF. A name with letters that its font lacks must not be printed as something else, and no slip be missing.
fn has_pdf(sections: &[Section]) -> bool {
    !sections.is_empty() && sections.iter().all(Section::can_be_written)
}

fn pdf(name: String, sections: &[Section]) -> Result<Shown> {
    if !has_pdf(sections) {
        return Err(Trouble::NoPage);
    }
    let bytes = written(sections).map_err(app::Error::from)?;
    Ok(Shown::File(Download { name, kind: "application/pdf", is_opened: true, bytes }))
}

fn actions(run: i64, pdf: &str, sections: &[Section]) -> Markup {
    html! {
        div.row.actions.noprint {
            a.button href={ "results?run=" (run) } { "Results" }
            button.main type="button" data-print { "Print" }
            @if has_pdf(sections) { a.button href={ (pdf) "?run=" (run) } target="_blank" { "Open as PDF" } }
            @else if !sections.is_empty() { span.soft { "Some names here are in letters that our PDF lacks. Print can save this page as PDF." } }
        }
    }
}

fn picked(title: &str, packed: &[(Shipped, Sent)], lines: &[PickLine]) -> Section {
    let (all, missing) = scope(packed);
    let row =
        |line: &PickLine| [line.name.clone(), line.sku.clone(), line.pieces.normalize().to_string(), orders(line)];
    Section {
        title: title.to_owned(),
        lines: std::iter::once(all).chain(missing).collect(),
        columns: ["Product", "SKU", "Pieces", "Orders"],
        rows: lines.iter().map(row).collect(),
    }
}

fn parcels(packed: &[(Shipped, Sent)]) -> Vec<Section> {
    let parcel = |(shipment, sent): &(Shipped, Sent)| {
        let row = |own: &SentProduct| {
            [own.name.clone(), own.sku.clone(), own.quantity.normalize().to_string(), String::new()]
        };
        // The font of a PDF lacks the sign of the rupee.
        let cash = to_collect(sent).replace('₹', "Rs ");
        let lines = [("To", to(sent)), ("AWB", awb(shipment)), ("COD to collect", cash)];
        let missing = sent.products.is_empty().then(|| GONE.to_owned());
        Section {
            title: format!("Order {}", shipment.order_number),
            lines: lines.map(|(what, text)| format!("{what}: {text}")).into_iter().chain(missing).collect(),
            columns: ["Product", "SKU", "Pieces", ""],
            rows: sent.products.iter().map(row).collect(),
        }
    };
    packed.iter().map(parcel).collect()
}

/// How many orders these are, and of how many of them nothing is known any more.
fn scope(packed: &[(Shipped, Sent)]) -> (String, Option<String>) {
    let gone = packed.iter().filter(|(_, sent)| sent.products.is_empty()).count() as u64;
    let missing =
        format!("The products of {} are no longer kept here. Look in your own sheet.", words::count(gone, "order"));
    (
        format!("{}, booked and not cancelled.", words::count(packed.len() as u64, "order")),
        (gone > 0).then_some(missing),
    )
}

fn scoped(packed: &[(Shipped, Sent)]) -> Markup {
    let (all, missing) = scope(packed);
    html! {
        p.soft { (all) }
        @if let Some(missing) = missing { (page::notice(Tone::Warn, &html! { p { (missing) } })) }
    }
}

fn product(line: &PickLine) -> Markup {
    html! {
        tr {
            td { b { (line.name) } }
            td { (line.sku) }
            td.num data-name="Pieces" { (line.pieces.normalize()) }
            td { (orders(line)) }
        }
    }
}

/// The orders that a product goes into; of several, each with its pieces.
fn orders(line: &PickLine) -> String {
    match line.orders.as_slice() {
        [(order, _)] => order.clone(),
        all => {
            let each = |(order, pieces): &(String, Decimal)| format!("{order} × {}", pieces.normalize());
            all.iter().map(each).collect::<Vec<_>>().join(", ")
        }
    }
}

/// The name of the receiver, with city and PIN code.
fn to(Sent { receiver, .. }: &Sent) -> String {
    let parts = [receiver.name.as_str(), &receiver.city, &receiver.pin_code];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

fn awb(shipment: &Shipped) -> String {
    shipment.carrier.as_ref().map_or_else(|| shipment.awb.clone(), |carrier| format!("{}, {carrier}", shipment.awb))
}

fn to_collect(sent: &Sent) -> String {
    match sent.to_collect() {
        Some(amount) => words::rupees(amount),
        None if sent.payment.is_empty() => "not known".to_owned(),
        None => "nothing".to_owned(),
    }
}

/// The contents of one parcel.
fn slip(shipment: &Shipped, sent: &Sent) -> Markup {
    html! {
        section.report.slip {
            h2 { "Order " (shipment.order_number) }
            dl.facts {
                div { dt { "To" } dd { (to(sent)) } }
                div { dt { "AWB" } dd { (awb(shipment)) } }
                div { dt { "COD to collect" } dd { b { (to_collect(sent)) } } }
            }
            @if sent.products.is_empty() { p { (GONE) } }
            @else { table.cards.brief {
                thead { tr { th { "Product" } th { "SKU" } th.num { "Pieces" } } }
                tbody { @for SentProduct { name, sku, quantity, .. } in &sent.products { tr { td { (name) } td { (sku) } td.num data-name="Pieces" { (quantity.normalize()) } } } }
            } }
        }
    }
}
