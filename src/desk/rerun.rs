//! Sending again: what is outstanding or failed, with its number and money on the button, and then as a run of its own.

use std::sync::Arc;

use maud::{Markup, html};
use serde::Deserialize;

use crate::app::{App, Connection, LeftAlone, Session, Staged, TakeUp, english};
use crate::config::BookingOptions;
use crate::event::{Events, Stream};
use crate::stage::Totals;
use crate::text::shortened;

use super::answer::{Result, Shown};
use super::page::{self, Page, Part, Tone};
use super::state::Desk;
use super::trouble::Trouble;
use super::words;
use super::work::Kind;

/// What to send again, and what a person agreed to.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct Asked {
    what: String,
    run: Option<i64>,
    /// A cause of failures, by what all that failed so have in common.
    #[serde(default)]
    cause: String,
    /// One order.
    #[serde(default)]
    order: String,
    /// The orders and sums that the button named; empty until it was pressed.
    #[serde(default)]
    sums: String,
}

impl Asked {
    fn take_up(&self, desk: &Desk) -> Result<TakeUp> {
        let app = desk.app();
        match self.what.as_str() {
            "outstanding" => Ok(TakeUp::Outstanding { run: self.run }),
            "failed" if !self.order.is_empty() => Ok(TakeUp::Failed { named: vec![self.order.clone()], run: self.run }),
            "failed" if !self.cause.is_empty() => {
                let named = app.failed_for(&app.read_ledger()?, &self.cause)?;
                if named.is_empty() {
                    return Err(Trouble::Changed("No order has failed for this cause any more".to_owned()));
                }
                Ok(TakeUp::Failed { named, run: self.run })
            }
            "failed" => Ok(TakeUp::Failed { named: Vec::new(), run: self.run }),
            _ => Err(Trouble::NoPage),
        }
    }

    fn title(&self) -> &'static str {
        if self.what == "outstanding" { "Resume" } else { "Retry" }
    }
}

pub(super) fn offer(desk: &Desk, asked: &Asked) -> Result<Shown> {
    if let Some(job) = desk.work.running() {
        return Err(Trouble::Busy(job.kind.words()));
    }
    let what = asked.take_up(desk)?;
    let app = desk.app();
    let mut session = app.session("desk")?;
    let (plan, left) = session.take_up(&what, &mut Stream::silent())?;
    let told = html! { (left_alone(&left)) };
    let body = match plan {
        None => html! {
            section { h1 { "Book" } p { "There is nothing to send." } (told) p { a.button href="" { "Home" } } }
        },
        Some(plan) => {
            let sums = plan.counts().ledger.to_send;
            let cautions: Vec<String> = plan.cautions().iter().map(english::caution).collect();
            html! {
                section aria-labelledby="book" {
                    h1 #book { "Book" }
                    p.soft { (asked.title()) ": these orders go to the courier as they were staged. No sheet is needed." }
                    (figures(&sums))
                    (told)
                    @if cautions.is_empty() { (agree(desk, asked, &sums)) } @else {
                        @for caution in &cautions { (page::notice(Tone::Bad, &html! { p { (words::capital(caution)) "." } })) }
                        p { "Say first whether this is the same service: " code { "shipsheet service" } "." }
                    }
                }
            }
        }
    };
    Ok(Page { title: "Book".to_owned(), part: Part::Home, body }.into())
}

fn figures(sums: &Totals) -> Markup {
    html! {
        dl.figures {
            (page::figure(&words::number(sums.orders), "", "Orders"))
            (page::figure(&words::number(sums.lines), "", "Products"))
            (page::figure(&words::rupees(sums.value), "", "Declared value"))
            (page::figure(&words::rupees(sums.to_collect), "", "Cash to collect"))
        }
    }
}

fn agree(desk: &Desk, asked: &Asked, sums: &Totals) -> Markup {
    let cash =
        if sums.to_collect.is_zero() { String::new() } else { format!(" · COD {}", words::rupees(sums.to_collect)) };
    let button = format!("Book {}{cash}", words::count(sums.orders, "order"));
    page::form(
        desk,
        "again",
        &html! {
            input type="hidden" name="what" value=(asked.what);
            @if let Some(run) = asked.run { input type="hidden" name="run" value=(run); }
            input type="hidden" name="cause" value=(asked.cause);
            input type="hidden" name="order" value=(asked.order);
            input type="hidden" name="sums" value=(summed(sums));
            div.row.end { a.button href="" { "Not now" } span.grow {} button.main { (button) } }
        },
    )
}

/// The sums that a person agrees to, as one text.
fn summed(sums: &Totals) -> String {
    format!("{} {} {}", sums.orders, sums.value, sums.to_collect)
}

/// Orders that were asked for and are not sent.
fn left_alone(left: &LeftAlone) -> Markup {
    let LeftAlone { in_doubt, set_aside, not_failed, .. } = left;
    html! {
        @if *in_doubt > 0 {
            (page::notice(Tone::Warn, &html! { p { (words::count(*in_doubt, "order")) " in doubt stay where they are. " a href="doubts" { "Settle them" } } }))
        }
        @if !set_aside.is_empty() {
            (page::notice(Tone::Warn, &html! { p { "The courier has these at another address: " (shortened(&set_aside.join(", "), 200)) "." } }))
        }
        @if !not_failed.is_empty() {
            @let names: Vec<&str> = not_failed.iter().map(|(number, _)| number.as_str()).collect();
            (page::notice(Tone::Warn, &html! { p { "These have not failed, and are left alone: " (shortened(&names.join(", "), 200)) "." } }))
        }
    }
}

pub(super) fn book(desk: &Arc<Desk>, agreed: &Asked) -> Result<String> {
    let (what, sums) = (agreed.take_up(desk)?, agreed.sums.clone());
    let own = Arc::clone(desk);
    desk.work.start(Kind::Booking, move |job| {
        let desk = &*own;
        let app = desk.app();
        let booking = app.config().booking(&BookingOptions::default());
        let mut events = job.events(&app);
        let mut session = app.session("desk")?;
        let (staged, connection) = staged(&app, &mut session, &what, &sums, &mut events)?;
        let run = staged.run();
        let (ended, _) = session.book(staged, &booking, Some(connection), job.stop_signal().clone(), events)?;
        ended.balance()?;
        Ok(format!("results?run={run}"))
    })?;
    Ok("progress".to_owned())
}

/// Stages what a person agreed to, once the service can be reached; nothing where it is something else by now.
fn staged(
    app: &App,
    session: &mut Session<'_>,
    what: &TakeUp,
    sums: &str,
    events: &mut Events<'_>,
) -> Result<(Staged<'static>, Connection)> {
    let (plan, _) = session.take_up(what, events)?;
    let Some(plan) = plan else {
        return Err(Trouble::Changed("There is nothing to send any more".to_owned()));
    };
    if summed(&plan.counts().ledger.to_send) != sums {
        return Err(Trouble::Changed("Other orders than those you saw would be sent".to_owned()));
    }
    let connection = app.connect(&app.config().booking(&BookingOptions::default()))?;
    Ok((plan.stage(&[], events)?, connection))
}
