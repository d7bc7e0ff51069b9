//! What can be done with booked shipments: they are cancelled once a person says so, and tracked.

use std::sync::Arc;

use maud::{Markup, html};
use serde::Deserialize;

use crate::after::tracking::{Urgency, urgency};
use crate::api::service::Tracking;
use crate::app::{self, Cancellation, Chosen, Ends, Which};
use crate::ledger::Shipped;
use crate::text::shortened;

use super::answer::Result;
use super::answers::{Answer, Answers};
use super::orders::ROWS;
use super::page::{self, Page, Part, Tone};
use super::state::Desk;
use super::trouble::Trouble;
use super::work::Kind;
use super::{labels, words};

/// One order, and the sheet on whose page somebody asked for it.
#[derive(Deserialize)]
pub(super) struct One {
    order: String,
    #[serde(default)]
    sheet: String,
}

/// The shipment that a person wants to cancel, as they saw it.
#[derive(Clone, Deserialize)]
pub(super) struct ToCancel {
    order: String,
    awb: String,
    at: String,
    #[serde(default)]
    sheet: String,
}

/// One order, or all of a run.
#[derive(Deserialize)]
pub(super) struct Several {
    #[serde(default)]
    order: String,
    run: Option<i64>,
}

impl Several {
    fn which(&self) -> Which {
        let orders = Some(self.order.clone()).filter(|order| !order.is_empty()).into_iter().collect();
        Which { orders, run: self.run, ..Which::default() }
    }
}

pub(super) fn offer_cancel(desk: &Desk, one: &One) -> Result<Page> {
    let app = desk.app();
    let ledger = app.read_ledger()?;
    let chosen = app.choose(&ledger, &Which { orders: vec![one.order.clone()], ..Which::default() })?;
    let Some(shipment) = chosen.shipments.first() else {
        return Err(Trouble::Typed(format!("{} is not booked here", one.order)));
    };
    let service = app.config().service_key().map_err(app::Error::from)?;
    let sent = app.sent(&ledger, (&shipment.order_number, &service))?;
    let to = sent.map(|sent| sent.receiver).filter(|to| !to.name.is_empty());
    let body = html! {
        section {
            h1 { "Cancel " (shipment.order_number) "?" }
            @if let Some(to) = to { p { "It goes to " b { (shortened(&to.name, 60)) } ", " (shortened(&to.city, 60)) " " (to.pin_code) "." } }
            p { "AWB " code { (shipment.awb) } @if let Some(carrier) = &shipment.carrier { ", " (carrier) } }
            (page::notice(Tone::Warn, &html! {
                p { "A cancelled order is never booked again under its number." }
                @if one.sheet.is_empty() { p { "To send it after all, drop a sheet that has it under a new number." } }
                @else { p { "Once the courier service has cancelled it, Check can book it anew under another number." } }
            }))
            @if shipment.cancel_unclear_ms.is_some() {
                (page::notice(Tone::Warn, &html! { p { "It was asked for before, and no clear answer came. Asking again does no harm." } }))
            }
            (page::form(desk, "cancel", &html! {
                input type="hidden" name="order" value=(shipment.order_number);
                input type="hidden" name="awb" value=(shipment.awb);
                input type="hidden" name="at" value=(desk.at(&app));
                input type="hidden" name="sheet" value=(one.sheet);
                @let back = if one.sheet.is_empty() { format!("order?number={}", page::encoded(&shipment.order_number)) } else { back_to(&one.sheet) };
                div.row.end { a.button href=(back) { "Keep it" } span.grow {} button.bad { "Cancel this shipment" } }
            }))
        }
    };
    Ok(Page { title: format!("Cancel {}", one.order), part: Part::Orders, body })
}

pub(super) fn cancel(desk: &Arc<Desk>, seen: &ToCancel) -> Result<String> {
    let (own, seen, app) = (Arc::clone(desk), seen.clone(), desk.app());
    desk.is_still(&app, &seen.at)?;
    desk.work.start(Kind::Cancelling, move |job| {
        let desk = &*own;
        let chosen = app.choose(&app.read_ledger()?, &Which { orders: vec![seen.order], ..Which::default() })?;
        if chosen.shipments.iter().any(|shipment| shipment.awb != seen.awb) {
            return Err(Trouble::Changed("This order has another AWB by now".to_owned()));
        }
        let ends = app.cancel(&chosen, job.stop_signal(), &mut job.steps())?;
        let from = seen.sheet;
        Ok(desk.keep((heading(&ends), &from), &chosen, ends, |cancellation| match cancellation {
            Cancellation::Now(cancelled) => {
                let refund = cancelled
                    .refund_status
                    .map(|status| format!(" About the refund it says: {}.", status.replace('_', " ").to_lowercase()))
                    .unwrap_or_default();
                ("good", format!("The courier service has cancelled it.{refund}"))
            }
            Cancellation::Before(at_ms) => ("good", format!("It was cancelled {}.", words::moment(at_ms))),
        }))
    })?;
    Ok("progress".to_owned())
}

/// The page of a sheet on which somebody asked for something.
fn back_to(sheet: &str) -> String {
    format!("sheet/{}/check", page::encoded(sheet))
}

/// What a page is called that says what came of a cancellation.
fn heading<T>(ends: &Ends<T>) -> &'static str {
    let all = || ends.list.iter();
    if all().all(|end| matches!(end, Some(Ok(_)))) {
        "Cancelled"
    } else if all().any(|end| matches!(end, Some(Err(fault)) if fault.is_unclear)) {
        "Perhaps cancelled"
    } else {
        "Not cancelled"
    }
}

pub(super) fn track(desk: &Arc<Desk>, several: &Several) -> Result<String> {
    let own = Arc::clone(desk);
    let which = several.which();
    desk.work.start(Kind::Tracking, move |job| {
        let desk = &*own;
        let app = desk.app();
        let chosen = app.choose(&app.read_ledger()?, &which)?;
        if chosen.shipments.is_empty() {
            return Err(crate::app::Error::NoShipments.into());
        }
        let ends = app.track(&chosen, job.stop_signal(), &mut job.steps())?;
        Ok(desk.keep(("Where shipments are", ""), &chosen, ends, |tracking| tracked(&tracking)))
    })?;
    Ok("progress".to_owned())
}

fn tracked(tracking: &Tracking) -> (&'static str, String) {
    let status = tracking.status.as_deref().unwrap_or("no status");
    let tone = match urgency(status) {
        Urgency::Exception => "bad",
        Urgency::Underway => "soft",
        Urgency::Done => "good",
    };
    let last = tracking.checkpoints.last();
    let place = last.and_then(|last| last.place.as_deref()).map(|place| format!(", {place}")).unwrap_or_default();
    let when = last.and_then(|last| last.at_ms).map(|at_ms| format!(", {}", words::moment(at_ms))).unwrap_or_default();
    (tone, format!("{}{place}{when}", words::capital(&status.replace('_', " "))))
}

impl Desk {
    /// Keeps what came of each shipment, and gives the page that shows it.
    fn keep<T>(
        &self,
        (title, sheet): (&'static str, &str),
        chosen: &Chosen,
        ends: Ends<T>,
        said: impl Fn(T) -> (&'static str, String),
    ) -> String {
        let answer = |(shipment, end): (&Shipped, _)| match end {
            Some(Ok(end)) => Answer::new(shipment, said(end)),
            Some(Err(fault)) => Answer::failed(shipment, Some(&fault)),
            None => Answer::failed(shipment, None),
        };
        let stopped = ends.stopped.as_ref().map(|(_, why)| why.clone());
        let list = chosen.shipments.iter().zip(ends.list).map(answer).collect();
        self.note_answers(Answers { title, list, stopped, labels: None, sheet: sheet.to_owned() });
        "answers".to_owned()
    }
}

pub(super) fn answers(desk: &Desk) -> Page {
    let answers = desk.answers();
    let title = if answers.title.is_empty() { "Answers" } else { answers.title };
    let body = html! {
        section {
            h1 { (title) }
            @if let Some(why) = &answers.stopped { (page::notice(Tone::Warn, &html! { p { "Not all were asked for: " (why) "." } })) }
            @if answers.list.is_empty() { p.soft { "Nothing was asked for since the desk was opened." } } @else { (table(&answers.list)) }
            @if let Some(of) = &answers.labels { (labels::after_failures(desk, of)) }
            div.row { @if !answers.sheet.is_empty() { a.button href=(back_to(&answers.sheet)) { "Back to Check" } } a.button href="orders" { "Orders" } a.button href="runs" { "Runs" } }
        }
    };
    Page { title: title.to_owned(), part: Part::Orders, body }
}

fn table(list: &[Answer]) -> Markup {
    let mut sorted: Vec<&Answer> = list.iter().collect();
    let place = |answer: &&Answer| ["bad", "warn", "soft", "good"].iter().position(|tone| *tone == answer.tone);
    sorted.sort_by_key(place);
    html! {
        table.cards {
            thead { tr { th { "Order" } th { "AWB" } th { "Answer" } } }
            tbody {
                @for answer in sorted.iter().take(ROWS) {
                    tr { td { (page::order_link(&answer.order)) } td { code { (answer.awb) } } td { span class=(answer.tone) { (shortened(&answer.said, 300)) } } }
                }
            }
        }
        @if list.len() > ROWS { p.soft { "The first " (ROWS) " are shown, those that want attention first." } }
    }
}
