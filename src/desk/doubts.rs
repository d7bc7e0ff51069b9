//! Orders in doubt: what was sent and when, what to look for, and what a person found. Nowhere else is a doubt settled.

use std::sync::Arc;

use maud::{Markup, html};
use serde::Deserialize;

use crate::app::{Clue, Receiver, clues, why_in_doubt};
use crate::ledger::OrderHistory;
use crate::text::shortened;

use super::answer::{Nothing, Result};
use super::orders::ROWS;
use super::page::{self, Page, Part};
use super::state::Desk;
use super::trouble::Trouble;
use super::words;

pub(super) fn doubts(desk: &Desk, _: &Nothing) -> Result<Page> {
    let doubts = found(desk)?;
    let body = html! {
        section aria-labelledby="doubts" {
            h1 #doubts { "Orders in doubt" }
            @if doubts.is_empty() {
                p { "No order is in doubt." }
            } @else {
                p.soft { "We sent these and got no clear answer. Sending them again could book them twice, so look first." }
                p { b { (words::count(doubts.len() as u64, "order")) } " to look up in the courier's portal." }
                @for (history, receiver) in doubts.iter().take(ROWS) { (one(desk, history, receiver)) }
                @if doubts.len() > ROWS { p.soft { "The first " (ROWS) " are shown. The others come when these are settled." } }
            }
        }
        @if !doubts.is_empty() { (by_statement(desk)) }
    };
    Ok(Page { title: "Orders in doubt".to_owned(), part: Part::Doubts, body })
}

/// The orders in doubt, with who gets them.
fn found(desk: &Desk) -> Result<Vec<(OrderHistory, Receiver)>> {
    let app = desk.app();
    let Some(ledger) = desk.ledger()? else { return Ok(Vec::new()) };
    let mut doubts = app.doubts()?;
    if desk.work.running().is_none() && (doubts.len() as u64) < app.standing(&ledger)?.in_doubt.orders {
        // A run that was killed has left more: whoever opens the ledger next notes that.
        if let Ok(session) = app.settling() {
            drop(session);
            doubts = app.doubts()?;
        }
    }
    let with_receiver = |history: OrderHistory| {
        let receiver = app.receiver(&ledger, &history.number)?.unwrap_or_default();
        Ok((history, receiver))
    };
    doubts.into_iter().map(with_receiver).collect()
}

fn one(desk: &Desk, history: &OrderHistory, receiver: &Receiver) -> Markup {
    let number = &history.number;
    let sent = history.attempts.last().map(|attempt| words::moment(attempt.intent_ms)).unwrap_or_default();
    html! {
        article.doubt aria-label={ "Order " (number) } {
            div.row {
                h2.grow { (page::order_link(number)) " " span.soft { (receiver.name) " " (receiver.city) " " (receiver.pin_code) } }
                span.soft { "sent " (sent) }
            }
            p { (words::capital(&shortened(&why_in_doubt(history), 240))) "." }
            p { b { "Look in the courier's portal for:" } }
            ul {
                @for clue in clues(history) { li { (said(&clue)) } }
                @if !receiver.phone.is_empty() { li { "phone ending " b { (words::last_digits(&receiver.phone)) } } }
            }
            div.answers {
                (page::form(desk, "doubts", &html! {
                    input type="hidden" name="order" value=(number);
                    input type="hidden" name="verdict" value="there";
                    h3 { "It is there" }
                    label { "AWB of " (number) input name="awb" required autocomplete="off" maxlength="64"; }
                    label { "How you know" input name="because" aria-label={ "How you know that " (number) " is there" } required maxlength="300" placeholder="seen in the portal"; }
                    button aria-label={ "Record the AWB of " (number) } { "Record the AWB" }
                }))
                (page::form(desk, "doubts", &html! {
                    input type="hidden" name="order" value=(number);
                    input type="hidden" name="verdict" value="not";
                    h3 { "It is not there" }
                    p.soft { "Wait some minutes after it was sent before you say so. It may then be sent again, once." }
                    label { "How you know" input name="because" aria-label={ "How you know that " (number) " is not there" } required maxlength="300" placeholder="not in the portal"; }
                    button aria-label={ "It is not there: " (number) } { "It is not there" }
                }))
            }
        }
    }
}

fn said(clue: &Clue) -> Markup {
    match clue {
        Clue::OrderNumber(number) => html! { "order number " b { (page::copied(number, "order number")) } },
        Clue::MadeBetween { from_ms, to_ms } => {
            html! { "a shipment made between " b { (words::moment(*from_ms)) } " and " b { (words::moment(*to_ms)) } ", should the portal not show order numbers" }
        }
        Clue::Awb(awb) => html! { "AWB " b { (awb) } ", which the answer named" },
        Clue::OrderId(id) => html! { "the service's own order id " b { (id) } },
    }
}

fn by_statement(desk: &Desk) -> Markup {
    html! {
        section aria-labelledby="many" {
            h2 #many { "Many at once" }
            (page::upload(desk, "statement", &html! {
                p { b { "Drop the courier's list of shipments here" } }
                p.soft { "You see what it would settle before anything changes." }
                label.button { "Choose the list" input.unseen type="file" name="file" aria-label="Courier's list" data-send; }
                noscript { button { "Compare" } }
            }))
        }
    }
}

/// What a person found.
#[derive(Deserialize)]
pub(super) struct Found {
    order: String,
    verdict: String,
    #[serde(default)]
    awb: String,
    #[serde(default)]
    because: String,
}

pub(super) fn settle(desk: &Arc<Desk>, found: &Found) -> Result<String> {
    let app = desk.app();
    let mut session = app.settling()?;
    match found.verdict.as_str() {
        "there" => session.settle_booked(&found.order, &found.awb, &found.because)?,
        "not" => session.settle_not_booked(std::slice::from_ref(&found.order), &found.because)?,
        _ => return Err(Trouble::NotOurs),
    }
    desk.say(format!("{} is settled.", found.order));
    Ok("doubts".to_owned())
}

/// An order that is no longer wanted.
#[derive(Deserialize)]
pub(super) struct Unwanted {
    order: String,
    #[serde(default)]
    because: String,
}

pub(super) fn give_up(desk: &Arc<Desk>, unwanted: &Unwanted) -> Result<String> {
    let app = desk.app();
    app.settling()?.abandon(&unwanted.order, &unwanted.because)?;
    Ok(format!("order?number={}", page::encoded(&unwanted.order)))
}
