//! Orders in doubt: what was sent and when, what to look for, and what a person found. Nowhere else is a doubt settled.

use std::sync::Arc;

use maud::{Markup, html};
use serde::Deserialize;

use crate::app::{Clue, Sent, clues, odd_awb, why_in_doubt};
use crate::finding::RuleId;
use crate::ledger::{Ledger, LedgerError, OrderHistory, SANDBOX, State, Upon};
use crate::rule::Accepting;
use crate::settle::SettleError;
use crate::text::shortened;

use super::answer::{Nothing, Result};
use super::awb::{self, Tried, Typed};
use super::orders::ROWS;
use super::page::{self, Page, Part, Tone};
use super::state::Desk;
use super::trouble::Trouble;
use super::{order, statement, words};

/// With more doubts than this the courier's list is the way to settle them.
const FEW: usize = 3;

pub(super) fn doubts(desk: &Desk, tried: &Tried) -> Result<Page> {
    let Found { doubts, unnoted } = found(desk, tried)?;
    let body = html! {
        section aria-labelledby="doubts" {
            h1 #doubts { "Orders in doubt" }
            @if unnoted > 0 {
                @let button = html! { button { "List " (if unnoted == 1 { "it" } else { "them" }) " here" } };
                (left_on_the_way(desk, unnoted, ("doubts/found", &button)))
            }
            @if doubts.is_empty() {
                @if unnoted == 0 { p { "No order is in doubt." } }
            } @else {
                p.soft { "We sent these and got no clear answer. Sending them again could book them twice, so look first." }
                p { b { (words::count(doubts.len() as u64, "order")) } " to look up in the courier's portal." }
                @if doubts.len() > FEW { (by_statement(desk)) h2 { "One by one" } }
                @for doubt in doubts.iter().take(ROWS) { (one(desk, doubt)) }
                @if doubts.len() > ROWS { p.soft { "The first " (ROWS) " are shown. The others come when these are settled." } }
            }
        }
        @if doubts.len() <= FEW { section { (by_statement(desk)) } }
        (statement::dropped(desk)?)
    };
    Ok(Page { title: "Orders in doubt".to_owned(), part: Part::Doubts, body })
}

/// An order in doubt.
struct Doubtful {
    history: OrderHistory,
    sent: Sent,
    /// Whether it is of the service that is configured; the portal of another one is not what a person has before them.
    is_here: bool,
    /// The texts in its fields.
    typed: Typed,
}

/// What there is to settle.
#[derive(Default)]
struct Found {
    doubts: Vec<Doubtful>,
    /// Orders that were on their way when a program ended, and of which nobody has taken note yet.
    unnoted: u64,
}

/// The orders in doubt, with what was sent of them.
fn found(desk: &Desk, tried: &Tried) -> Result<Found> {
    let app = desk.app();
    let Some(ledger) = desk.ledger()? else { return Ok(Found::default()) };
    let doubts = app.doubts()?;
    let unnoted = unnoted(desk, &ledger, doubts.len())?;
    let service = app.config().service_key().ok();
    let doubtful = |history: OrderHistory| {
        let sent = app.sent(&ledger, (&history.number, &history.service))?.unwrap_or_default();
        let is_here = match &service {
            Some(service) => ledger.is_same_service(service, &history.service)?,
            None => false,
        };
        let typed = tried.of(&ledger, &history)?;
        Ok(Doubtful { history, sent, is_here, typed })
    };
    let doubts = doubts.into_iter().map(doubtful).collect::<Result<_>>()?;
    Ok(Found { doubts, unnoted })
}

/// Orders that were on their way when a program ended, and of which nobody has taken note yet.
pub(super) fn unnoted(desk: &Desk, ledger: &Ledger, noted: usize) -> Result<u64> {
    let app = desk.app();
    if desk.work.running().is_some() || app.holder().is_some() {
        return Ok(0);
    }
    Ok(app.standing(ledger)?.in_doubt.orders.saturating_sub(noted as u64))
}

/// What a run that was killed has left: looking changes nothing, so a person has it noted, with this button of a form.
pub(super) fn left_on_the_way(desk: &Desk, orders: u64, (place, button): (&str, &Markup)) -> Markup {
    let said = html! {
        p { b { (words::count(orders, "order")) " more " (if orders == 1 { "was" } else { "were" }) " on the way when a program ended." } " Nobody knows what came of that." }
        (page::form(desk, place, button))
    };
    page::notice(Tone::Warn, &said)
}

/// Notes that what a run left on the way is in doubt.
pub(super) fn take_stock(desk: &Arc<Desk>, _: &Nothing) -> Result<String> {
    drop(desk.app().settling()?);
    Ok("doubts".to_owned())
}

fn one(desk: &Desk, Doubtful { history, sent, is_here, typed }: &Doubtful) -> Markup {
    let (number, receiver) = (&history.number, &sent.receiver);
    let when = history.attempts.last().map(|attempt| words::moment(attempt.intent_ms)).unwrap_or_default();
    let again = history.attempts.len() > 1;
    html! {
        article.doubt aria-label={ "Order " (number) } {
            div.row {
                h2.grow { (page::order_link(number)) " " span.soft { (receiver.name) " " (receiver.city) " " (receiver.pin_code) } }
                span.soft { @if again { "last " } "sent " (when) " to " (service_name(&history.service)) }
            }
            p { (words::capital(&shortened(&words::without_codes(&why_in_doubt(history)), 240))) "." }
            @if !sent.products.is_empty() { p.soft { (order::goods(sent)) } }
            p { b { "Look in the courier's portal for:" } }
            ul {
                @for clue in clues(history) { li { (said(&clue)) } }
                @if !receiver.phone.is_empty() { li { "phone ending " b { (words::last_digits(&receiver.phone)) } } }
            }
            @if *is_here { (answers(desk, history, typed)) } @else {
                p { b { "This is another service than the one under Settings." } " Its doubts are settled once it is entered there again." }
            }
        }
    }
}

fn answers(desk: &Desk, history: &OrderHistory, typed: &Typed) -> Markup {
    let number = &history.number;
    html! {
            div.answers {
                (page::form(desk, "doubts", &html! {
                    (page::upon(&history.upon()))
                    input type="hidden" name="verdict" value="there";
                    h3 { "It is there" }
                    (typed.field(&format!("AWB of {number}")))
                    label { "How you know, such as “seen in the portal”" input name="because" value=(typed.because()) aria-label={ "How you know that " (number) " is there" } required maxlength="300"; }
                    button aria-label={ "Record the AWB of " (number) } { "Record the AWB" }
                }))
                (page::form(desk, "doubts", &html! {
                    (page::upon(&history.upon()))
                    input type="hidden" name="verdict" value="not";
                    h3 { "It is not there" }
                    p.soft { "Wait some minutes after it was sent before you say so. It may then be sent again, once." }
                    label { "How you know, such as “not in the portal”" input name="because" aria-label={ "How you know that " (number) " is not there" } required maxlength="300"; }
                    button aria-label={ "It is not there: " (number) } { "It is not there" }
                }))
            }
    }
}

fn service_name(service: &str) -> &str {
    if service == SANDBOX { "the practice service" } else { service }
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
        h2 { "Many at once" }
        (page::upload(desk, "statement", &html! {
            p { b { "Drop the courier's list of shipments here" } }
            p.soft { "First you see which orders would be settled; nothing changes before you say yes. Orders that stand in the list are not sent again." }
            label.button { "Choose the list" input.unseen type="file" name="file" aria-label="Courier's list" multiple data-send; }
            noscript { button { "Compare" } }
        }))
    }
}

/// What a person found.
#[derive(Deserialize)]
pub(super) struct Verdict {
    /// The attempt that was looked for.
    upon: String,
    #[serde(rename = "verdict")]
    word: String,
    /// Whether an AWB that looks odd was looked at once more.
    sure: Option<String>,
    #[serde(default)]
    awb: String,
    #[serde(default)]
    because: String,
}

pub(super) fn settle(desk: &Arc<Desk>, found: &Verdict) -> Result<String> {
    let app = desk.app();
    let awb = match found.word.as_str() {
        "there" => Some(found.awb.trim()),
        "not" => None,
        _ => return Err(Trouble::NotOurs),
    };
    let upon = page::read_upon(&found.upon)?;
    let mut session = app.settling()?;
    match awb {
        Some(awb) => match session.settle_booked(&upon, awb, &found.because, found.sure.is_some()) {
            Err(SettleError::Odd(_)) => {
                let text = page::encoded(&found.upon);
                return Ok(format!("awb?upon={text}&verdict=there&{}", awb::again(&upon, (awb, &found.because))));
            }
            Err(SettleError::NoAwb(_) | SettleError::Ledger(LedgerError::AwbTaken { .. })) => {
                return Ok(typed_again(&upon, (awb, &found.because)));
            }
            settled => settled?,
        },
        None => session.settle_not_booked(std::slice::from_ref(&upon), &found.because)?,
    }
    let done = match awb {
        Some(_) => format!("{} is settled.", upon.number),
        None => format!("{} is settled. It waits on Home, under Resume.", upon.number),
    };
    let place = if upon.state == State::InDoubt.as_str() { "doubts".to_owned() } else { order::place(&upon.number) };
    Ok(desk.say(&place, &done))
}

/// The page where an AWB was typed, with what was typed.
fn typed_again(upon: &Upon, typed: (&str, &str)) -> String {
    let typed = awb::again(upon, typed);
    if upon.state == State::InDoubt.as_str() {
        return format!("doubts?{typed}");
    }
    format!("{}&{typed}", order::place(&upon.number))
}

/// Asks once more about an AWB that does not look like the courier's others, or is another number of the order.
pub(super) fn look_again(desk: &Desk, found: &Verdict) -> Result<Page> {
    let Verdict { awb, because, .. } = found;
    let upon = page::read_upon(&found.upon)?;
    let order = &upon.number;
    let odd = match desk.ledger()? {
        Some(ledger) => odd_awb(&ledger, &upon, awb)?,
        None => None,
    };
    let body = html! {
        section {
            h1 { "Is " (awb) " the AWB?" }
            @if let Some(odd) = odd { p { (words::capital(&odd.to_string())) "." } }
            p { "Look at it in the courier's portal. Once " (order) " is cancelled or tracked under it, it cannot be corrected." }
            (page::form(desk, "doubts", &html! {
                (page::upon(&upon))
                input type="hidden" name="verdict" value="there";
                input type="hidden" name="awb" value=(awb);
                input type="hidden" name="because" value=(because);
                input type="hidden" name="sure" value="yes";
                div.row.end { a.button href=(typed_again(&upon, (awb, because))) { "No, go back" } span.grow {} button { "Yes, record " (awb) } }
            }))
        }
    };
    Ok(Page { title: format!("AWB of {order}"), part: Part::Doubts, body })
}

/// A person's word on an order that is not in doubt.
#[derive(Deserialize)]
pub(super) struct Word {
    upon: String,
    #[serde(default)]
    because: String,
}

/// The order is no longer wanted.
pub(super) fn give_up(desk: &Arc<Desk>, word: &Word) -> Result<String> {
    let upon = page::read_upon(&word.upon)?;
    desk.app().settling()?.abandon(&upon, &word.because)?;
    Ok(order::place(&upon.number))
}

/// A person's answer to the question of a rule about an order.
#[derive(Deserialize)]
pub(super) struct Released {
    order: String,
    rule: String,
    #[serde(default)]
    because: String,
}

/// Lets an order go as the sheet has it that a rule asks about.
pub(super) fn release(desk: &Arc<Desk>, answer: &Released) -> Result<String> {
    let rule = RuleId::from_word(&answer.rule).ok_or(Trouble::NotOurs)?;
    let accepting = Accepting { rule, orders: vec![answer.order.clone()] };
    desk.app().accept(&accepting, &answer.because)?;
    Ok(order::place(&answer.order))
}

/// The order was given up and is wanted after all.
pub(super) fn bring_back(desk: &Arc<Desk>, word: &Word) -> Result<String> {
    let upon = page::read_upon(&word.upon)?;
    desk.app().settling()?.settle_not_booked(std::slice::from_ref(&upon), &word.because)?;
    Ok(order::place(&upon.number))
}
