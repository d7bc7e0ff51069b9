//! Sending again: what is outstanding or failed, with its number and money on the button, and then as a run of its own.

use std::sync::Arc;

use maud::{Markup, html};
use serde::Deserialize;

use crate::app::draft;
use crate::app::{App, Caution, Drive, KeptBack, LeftAlone, OrdersFrom, Plan, TakeUp};
use crate::config::BookingOptions;
use crate::event::Stream;
use crate::finding::Finding;
use crate::stage::Totals;
use crate::text::shortened;

use super::agree::{self, sums, to_collect};
use super::answer::{Result, Shown};
use super::booking::AgreedRun;
use super::page::{self, Page, Part, Tone};
use super::state::{Desk, destination};
use super::trouble::Trouble;
use super::work::Kind;
use super::{doubts, words};

/// Orders that are named.
const NAMED: usize = 20;

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
    /// What was ticked.
    seen: Option<String>,
    /// Whether orders that may be booked already were looked at.
    twice: Option<String>,
    /// The orders with their requests, where they go, and whose they are.
    #[serde(default)]
    stamp: String,
}

impl Asked {
    fn take_up(&self, desk: &Desk) -> Result<TakeUp> {
        let app = desk.app();
        match self.what.as_str() {
            "outstanding" => Ok(TakeUp::Outstanding { run: self.run }),
            "failed" if !self.order.is_empty() => Ok(self.failed(vec![self.order.clone()])),
            "failed" if !self.cause.is_empty() => {
                let named = app.failed_for(&app.read_ledger()?, &self.cause)?;
                if named.is_empty() {
                    return Err(Trouble::Changed("No order has failed for this cause any more".to_owned()));
                }
                Ok(self.failed(named))
            }
            "failed" => Ok(self.failed(Vec::new())),
            _ => Err(Trouble::NoPage),
        }
    }

    /// These orders that failed, or all of them.
    fn failed(&self, named: Vec<String>) -> TakeUp {
        TakeUp::Failed { named, run: self.run }
    }

    /// The page that asks for it.
    fn address(&self) -> String {
        let run = self.run.map(|run| format!("&run={run}")).unwrap_or_default();
        let encoded = page::encoded;
        format!("again?what={}{run}&cause={}&order={}", encoded(&self.what), encoded(&self.cause), encoded(&self.order))
    }

    /// The same in a form.
    fn fields(&self) -> Markup {
        html! {
            input type="hidden" name="what" value=(self.what);
            @if let Some(run) = self.run { input type="hidden" name="run" value=(run); }
            input type="hidden" name="cause" value=(self.cause);
            input type="hidden" name="order" value=(self.order);
        }
    }

    /// Why the service said no to them, where they failed for one cause.
    fn cause(&self, app: &App) -> Result<Option<String>> {
        if self.cause.is_empty() {
            return Ok(None);
        }
        let ledger = app.read_ledger()?;
        let draft = self.run.map(|run| draft::of_run(&ledger, run)).transpose()?.flatten();
        let names = draft.map(|draft| draft.rest.headers).unwrap_or_default();
        let failed = app.standing(&ledger)?.failed;
        Ok(failed.into_iter().find(|own| own.fingerprint == self.cause).map(|own| names.in_words(&own.cause)))
    }

    /// The cautions that were ticked, where a plan is what the person saw.
    fn as_seen(&self, desk: &Desk, app: &App, plan: &Plan<'_, '_>) -> Result<Vec<Caution>> {
        let stamp = format!("{} {}", plan.stamp()?, desk.at(app));
        if sums(&plan.counts().ledger.to_send) != self.sums || stamp != self.stamp {
            return Err(Trouble::Changed(
                "Other orders than those you saw, or at another account, would be sent".to_owned(),
            ));
        }
        if !agree::were_seen(plan.likely_duplicates(), self.twice.as_deref()) {
            return Err(Trouble::Changed("Some of these orders may be booked already".to_owned()));
        }
        Ok(agree::accepted(plan.cautions(), self.seen.as_deref()))
    }

    fn title(&self) -> &'static str {
        if self.what == "outstanding" { "Resume" } else { "Retry" }
    }
}

pub(super) fn offer(desk: &Desk, asked: &Asked) -> Result<Shown> {
    if let Some(job) = desk.work.running() {
        return Err(Trouble::Busy(job.kind.words()));
    }
    let (what, app) = (asked.take_up(desk)?, desk.app());
    // A session notes what a killed run left on the way, and looking changes nothing.
    let unnoted = match desk.ledger()? {
        Some(ledger) => doubts::unnoted(desk, &ledger, app.doubts()?.len())?,
        None => 0,
    };
    if unnoted > 0 {
        return Ok(on_the_way(desk, asked, unnoted).into());
    }
    let mut session = app.session("desk")?;
    let (plan, left) = session.take_up(&what, &mut Stream::silent())?;
    let told = left_alone(&left);
    let body = match plan {
        None => html! {
            section { h1 { "Book" } p { "There is nothing to send." } (told) p { a.button href="" { "Home" } } }
        },
        Some(plan) => {
            let totals = plan.counts().ledger.to_send;
            let (cautions, twice) = (plan.cautions().to_vec(), plan.likely_duplicates().to_vec());
            let stamp = format!("{} {}", plan.stamp()?, desk.at(&app));
            let (named, cause) = (plan.numbers(NAMED)?, asked.cause(&app)?);
            html! {
                section aria-labelledby="book" {
                    h1 #book { "Book" }
                    p.soft { (asked.title()) ": these orders go as they came in, at " (destination(&app)) ". No sheet is needed." }
                    (agree::figures(&totals))
                    (orders(&named, totals.orders))
                    @if let Some(cause) = cause { p { "The courier said no to them: " (words::for_instance(totals.orders, &cause)) (shortened(&cause, 200)) } }
                    (told)
                    @if let Some(question) = agree::elsewhere(desk, &cautions, &asked.address()) { (question) }
                    @else { (agree(desk, asked, (&totals, &stamp), &cautions, &twice)) }
                }
            }
        }
    };
    Ok(Page { title: "Book".to_owned(), part: Part::Home, body }.into())
}

/// What has to be noted before anything can be sent again.
fn on_the_way(desk: &Desk, asked: &Asked, orders: u64) -> Page {
    let button = html! { (asked.fields()) button.main { "Put " (if orders == 1 { "it" } else { "them" }) " in doubt and go on" } };
    let body = html! {
        section aria-labelledby="book" {
            h1 #book { "Book" }
            (doubts::left_on_the_way(desk, orders, ("again/found", &button)))
            p { a.button href="" { "Home" } }
        }
    };
    Page { title: "Book".to_owned(), part: Part::Home, body }
}

/// Notes that what a run left on the way is in doubt, and goes back to what was asked for.
pub(super) fn take_stock(desk: &Arc<Desk>, asked: &Asked) -> Result<String> {
    drop(desk.app().settling()?);
    Ok(asked.address())
}

fn agree(
    desk: &Desk,
    asked: &Asked,
    (totals, stamp): (&Totals, &str),
    cautions: &[Caution],
    twice: &[Finding],
) -> Markup {
    let button = format!("Book {}{}", words::count(totals.orders, "order"), to_collect(totals));
    page::form(
        desk,
        "again",
        &html! {
            (asked.fields())
            input type="hidden" name="sums" value=(sums(totals));
            input type="hidden" name="stamp" value=(stamp);
            (agree::tick(cautions))
            (agree::likely_duplicates(twice, "If it is the same parcel, open the order and give it up.", &page::order_link))
            (agree::tick_duplicates(twice))
            div.row.end { a.button href="" { "Not now" } span.grow {} button.main { (button) } }
        },
    )
}

/// The first orders, by their numbers.
fn orders(named: &[String], all: u64) -> Markup {
    let more = all.saturating_sub(named.len() as u64);
    html! {
        p {
            @for (place, number) in named.iter().enumerate() { @if place > 0 { ", " } (page::order_link(number)) }
            @if more > 0 { " and " (words::number(more)) " more" }
        }
    }
}

/// The first of these orders by name, and how many more there are.
fn named(orders: &[String]) -> String {
    let more = orders.len().saturating_sub(NAMED);
    let first = orders.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{first} and {} more", words::number(more as u64)) } else { first }
}

/// Orders that were asked for and are not sent.
fn left_alone(left: &LeftAlone) -> Markup {
    let LeftAlone { in_doubt, set_aside, sent_otherwise, not_failed, kept_back, held, .. } = left;
    html! {
        @for own in kept_back { (kept(own)) }
        @if !held.is_empty() {
            (page::notice(Tone::Warn, &html! {
                p { b { (words::count(held.len() as u64, "order")) " not sent: " } "each waits for an answer." }
                ul { @for (number, because) in held.iter().take(NAMED) { li { (page::order_link(number)) ": " (because) } } }
            }))
        }
        @if *in_doubt > 0 {
            (page::notice(Tone::Warn, &html! { p { (words::count(*in_doubt, "order")) " in doubt stay where they are. " a href="doubts" { "Settle them" } } }))
        }
        @if !sent_otherwise.is_empty() {
            @let pairs: Vec<String> = sent_otherwise.iter().map(|(number, other)| format!("{number} (now {})", other.number)).collect();
            (page::notice(Tone::Warn, &html! { p { "These may be the same as another order, so they are not sent: " (named(&pairs)) "." } }))
        }
        @if !set_aside.is_empty() {
            (page::notice(Tone::Warn, &html! { p { "The courier has these at another address: " (shortened(&set_aside.join(", "), 200)) "." } }))
        }
        @if !not_failed.is_empty() {
            @let others: Vec<&str> = not_failed.iter().map(|(number, _)| number.as_str()).collect();
            (page::notice(Tone::Warn, &html! { p { "These have not failed, and are left alone: " (shortened(&others.join(", "), 200)) "." } }))
        }
    }
}

/// Orders that something keeps back, with what to do about it.
fn kept(KeptBack { id, file, orders }: &KeptBack) -> Markup {
    let count = words::count(orders.len() as u64, "order");
    page::notice(
        Tone::Warn,
        &html! {
            p { b { (count) " not sent from here: " } (named(orders)) ". In " (file) ", which is open, they were changed, held, left out or taken away." }
            p { a.button href={ "sheet/" (id) "/book" } { "Book what is ready of " (file) } }
        },
    )
}

pub(super) fn book(desk: &Arc<Desk>, agreed: &Asked) -> Result<String> {
    let (what, agreed, app) = (agreed.take_up(desk)?, agreed.clone(), desk.app());
    let own = Arc::clone(desk);
    desk.work.start(Kind::Booking, move |job| {
        let (booking, session) = (app.config().booking(&BookingOptions::default()), app.session("desk")?);
        let as_seen = |plan: &Plan<'_, '_>| agreed.as_seen(&own, &app, plan);
        let orders = OrdersFrom::Ledger { what: &what, watched: None };
        let drive = Drive { orders, couriers: None, booking: &booking, stop: job.stop_signal().clone() };
        let run = AgreedRun::new((&app, job), None, &as_seen).drive(session, drive)?;
        Ok(format!("results?run={run}"))
    })?;
    Ok("progress".to_owned())
}
