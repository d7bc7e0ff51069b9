//! Where booked shipments are, and what came of each shipment that something was asked for.

use std::sync::Arc;

use maud::{Markup, html};
use serde::Deserialize;

use crate::api::service::Tracking;
use crate::app::{Chosen, Ends, Which};
use crate::ledger::Shipped;
use crate::text::shortened;

use super::answer::Result;
use super::answers::{Answer, Answers, Back, Parted};
use super::orders::ROWS;
use super::page::{self, Page, Part};
use super::state::Desk;
use super::ticked::{self, Ticked};
use super::tracked::Tracked;
use super::work::Kind;
use super::{labels, sheet, words};

/// Answers that are listed at most.
const ANSWERS_MAX: usize = 1_000;

/// The shipments that are meant: of these orders, or all of a run.
#[derive(Debug, Deserialize)]
pub(super) struct Several {
    run: Option<i64>,
    /// `ticked` where only ticks are meant.
    #[serde(default)]
    which: String,
    #[serde(flatten)]
    orders: Ticked,
}

pub(super) fn track(desk: &Arc<Desk>, several: &Several) -> Result<String> {
    let (orders, run) = (several.orders.numbers(), several.run);
    if orders.is_empty() && several.which == ticked::FORM {
        let back = run.map_or_else(|| "runs".to_owned(), |run| format!("results?run={run}"));
        return Ok(desk.warn(&back, ticked::NOTHING));
    }
    let named = if orders.is_empty() { run } else { None };
    let which = Which { orders, run: named, ..Which::default() };
    let own = Arc::clone(desk);
    desk.work.start(Kind::Tracking, move |job| {
        let desk = &*own;
        let app = desk.app();
        let ledger = app.read_ledger()?;
        let chosen = app.choose(&ledger, &which)?;
        if chosen.shipments.is_empty() {
            return Err(crate::app::Error::NoShipments.into());
        }
        let ends = app.track(&chosen, job.stop_signal(), &mut job.steps())?;
        let told = chosen.shipments.iter().zip(&ends.list);
        let told = told.filter_map(|(own, end)| Some((own, Tracked::of(end.as_ref()?.as_ref().ok()?))));
        desk.keep_tracked(&ledger, told)?;
        let said = |tracking: Tracking| Tracked::of(&tracking).said();
        Ok(desk.keep("Where shipments are".to_owned(), (run.map(Back::Run), None), &chosen, ends, said))
    })?;
    Ok("progress".to_owned())
}

impl Desk {
    /// Keeps what came of each shipment, and gives the page that shows it.
    pub(super) fn keep<T>(
        &self,
        title: String,
        (back, parted): (Option<Back>, Option<Parted>),
        chosen: &Chosen,
        ends: Ends<T>,
        said: impl Fn(T) -> (&'static str, String),
    ) -> String {
        let answer = |(shipment, end): (&Shipped, _)| match end {
            Some(Ok(end)) => Answer::new(shipment, said(end)),
            Some(Err(fault)) => Answer::failed(shipment, Some(&fault)),
            None => Answer::failed(shipment, None),
        };
        let list = chosen.shipments.iter().zip(ends.list).map(answer).collect();
        self.note_answers(Answers { title, list, back, parted, stopped: ends.stopped, labels: None });
        "answers".to_owned()
    }
}

pub(super) fn answers(desk: &Desk) -> Page {
    let answers = desk.answers();
    let title = if answers.title.is_empty() { "Answers".to_owned() } else { answers.title.clone() };
    let body = html! {
        section {
            h1 { (title) }
            @if let Some((by, why)) = &answers.stopped { (page::stopped(by.as_str(), &format!("Not all were asked for: {why}."))) }
            @match &answers.parted {
                _ if answers.list.is_empty() => p.soft { "Nothing was asked for since the desk was opened." },
                Some(parted) if answers.list.len() > 1 => (in_parts(&answers, parted)),
                _ => (table(answers.list.iter())),
            }
            @if let Some(of) = &answers.labels { (labels::after_failures(desk, of)) }
            div.row {
                @match &answers.back {
                    Some(Back::Run(run)) => a.button href={ "results?run=" (run) } { "Results of run " (run) },
                    Some(Back::Sheet(id)) => a.button href=(sheet::place(id, "check")) { "Back to Check" },
                    None => {},
                }
                a.button href="orders" { "Orders" } a.button href="runs" { "Runs" }
            }
        }
    };
    Page { title, part: Part::Orders, body }
}

/// First what was not done, with the way to ask once more, and then the rest.
fn in_parts(answers: &Answers, parted: &Parted) -> Markup {
    let (done, not): (Vec<&Answer>, Vec<&Answer>) = answers.list.iter().partition(|answer| answer.tone == "good");
    html! {
        @for (heading, list) in [(parted.not, &not), (parted.done, &done)] {
            @if !list.is_empty() {
                @if !not.is_empty() { h2 { (heading) " " span.soft { (words::count(list.len() as u64, "shipment")) } } }
                (table(list.iter().copied()))
            }
            @if heading == parted.not && let Some(again) = &parted.again { p { a.button href=(again) { "Ask again for these" } } }
        }
    }
}

/// Answers, those that want attention first.
fn table<'a>(list: impl Iterator<Item = &'a Answer>) -> Markup {
    let mut sorted: Vec<&Answer> = list.collect();
    let place = |answer: &&Answer| ["bad", "warn", "soft", "good"].iter().position(|tone| *tone == answer.tone);
    sorted.sort_by_key(place);
    // Shipments without a good end are listed as a whole.
    let shown = sorted.iter().filter(|own| own.tone != "good").count().clamp(ROWS, ANSWERS_MAX);
    html! {
        table.cards {
            thead { tr { th { "Order" } th { "AWB" } th { "Answer" } } }
            tbody {
                @for answer in sorted.iter().take(shown) {
                    tr { td { (page::order_link(&answer.order)) } td { code { (answer.awb) } } td { span class=(answer.tone) { (shortened(&answer.said, 300)) } } }
                }
            }
        }
        @if sorted.len() > shown { p.soft { "The first " (words::number(shown as u64)) " are shown, those that want attention first." } }
    }
}
