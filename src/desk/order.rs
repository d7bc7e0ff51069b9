//! One order: where it stands, everything that happened to it, in words, and what can be done with it.

use maud::{Markup, html};
use serde::Deserialize;

use crate::app::{Sent, SentProduct};
use crate::ledger::{AttemptRecord, OrderHistory, ProblemRecord, RefusalRecord, State};
use crate::text::shortened;

use super::answer::Result;
use super::page::{self, Page, Part, Tone};
use super::results::why;
use super::state::Desk;
use super::{labels, words};

/// Products that are named.
const PRODUCTS: usize = 5;

/// Which order.
#[derive(Deserialize)]
pub(super) struct Asked {
    number: String,
}

pub(super) fn order(desk: &Desk, asked: &Asked) -> Result<Page> {
    let app = desk.app();
    let ledger = app.read_ledger()?;
    let histories = app.order(&ledger, &asked.number)?;
    let evidence = ledger.evidence(&asked.number)?;
    let evidence = serde_json::to_string_pretty(&evidence).unwrap_or_default();
    let service = app.config().service_key().ok();
    let mut shown = Vec::new();
    for history in &histories {
        let is_here = match &service {
            Some(service) => ledger.is_same_service(service, &history.service)?,
            None => false,
        };
        let sent = app.sent(&ledger, (&asked.number, &history.service))?.unwrap_or_default();
        let is_invalid = history.state == State::Invalid.as_str();
        let wrong = if is_invalid { ledger.held_last(&history.service, &asked.number)? } else { Vec::new() };
        shown.push((history, is_here, sent, wrong));
    }
    let body = html! {
        @for (history, is_here, sent, wrong) in &shown { (one(desk, (history, *is_here), (sent, wrong), shown.len() > 1)) }
        section {
            details {
                summary { "Evidence for a billing dispute" }
                p.soft { "Every request, answer and decision, with marks that show that nothing was changed since." }
                p { button type="button" data-copy-from="evidence" { "Copy the evidence" } }
                pre #evidence tabindex="0" { (evidence) }
            }
        }
    };
    Ok(Page { title: format!("Order {}", asked.number), part: Part::Orders, body })
}

/// The address of an order's page.
pub(super) fn place(number: &str) -> String {
    format!("order?number={}", page::encoded(number))
}

/// An order, and whether it is of the service that is configured: what is done at another one is not done from here.
fn one(
    desk: &Desk,
    (history, is_here): (&OrderHistory, bool),
    (sent, wrong): (&Sent, &[ProblemRecord]),
    is_one_of_many: bool,
) -> Markup {
    html! {
        section {
            h1 { "Order " (history.number) " " (page::state(if history.cancellations.is_empty() { &history.state } else { words::CANCELLED })) }
            @if is_one_of_many { p.soft { "At " (history.service) } }
            (facts(history, sent))
            @if !wrong.is_empty() {
                h2 { "What is wrong" }
                ul { @for own in wrong { li { (why(&own.said)) @if let Some(place) = &own.place { " (" (place) ")" } } } }
            }
            @if history.old_answer {
                (page::notice(Tone::Warn, &html! { p { "The courier answered with a shipment that is older than our request. It may be an earlier one: look it up." } }))
            }
            @if is_here { (actions(desk, history)) }
            h2 { "What happened" }
            ol.events { @for (ms, what) in events(history) { li { span.soft { (words::time(ms)) } " " (what) } } }
        }
    }
}

/// The products of a request in words, with what they come to and how it is paid.
pub(super) fn goods(sent: &Sent) -> Markup {
    let each = |own: &SentProduct| {
        format!("{} × {} at {}", own.quantity.normalize(), shortened(&own.name, 60), words::rupees(own.price))
    };
    let products: Vec<String> = sent.products.iter().take(PRODUCTS).map(each).collect();
    let more = sent.products.len().saturating_sub(PRODUCTS);
    html! {
        (products.join(", ")) @if more > 0 { " and " (words::number(more as u64)) " more" }
        ", " (words::rupees(sent.value)) ", "
        @match sent.payment.as_str() { "COD" => "cash on delivery", "PREPAID" => "paid already", other => (other) }
    }
}

fn facts(history: &OrderHistory, sent: &Sent) -> Markup {
    let receiver = &sent.receiver;
    let place = [sent.address.as_str(), &receiver.city, &receiver.pin_code];
    let place: Vec<&str> = place.into_iter().filter(|part| !part.is_empty()).collect();
    let run = history.attempts.last().map(|attempt| attempt.run);
    html! {
        dl.facts {
            @if let Some(awb) = &history.awb { div { dt { "AWB" } dd { (page::copied(awb, "AWB")) } } }
            @if let Some(carrier) = &history.carrier { div { dt { "Courier" } dd { (carrier) @if let Some(level) = &history.service_level { " " (level) } } } }
            @if !receiver.name.is_empty() { div { dt { "To" } dd { (receiver.name) ", " (place.join(", ")) } } }
            @if !receiver.phone.is_empty() { div { dt { "Phone" } dd { "ends with " (words::last_digits(&receiver.phone)) } } }
            @if !sent.products.is_empty() { div { dt { "Goods" } dd { (goods(sent)) } } }
            @if !sent.warehouse.is_empty() { div { dt { "Picked up at" } dd { (sent.warehouse) } } }
            @if let Some(run) = run { div { dt { "Sent in" } dd { a href={ "results?run=" (run) } { "Run " (run) } } } }
            @if let Some(id) = &history.order_id { div { dt { "Number at the courier service" } dd { code { (id) } } } }
            @if let Some(request) = history.requests.last() { div { dt { "From" } dd { (request.rows) } } }
            @if let Some(error) = &history.error { div { dt { "Last answer" } dd { (shortened(&words::without_codes(error), 400)) } } }
        }
    }
}

/// What can be done with it, as it stands. Nothing here sends an order that is in doubt.
fn actions(desk: &Desk, history: &OrderHistory) -> Markup {
    let number = &history.number;
    let is_cancelled = !history.cancellations.is_empty();
    html! {
        div.row.actions {
            @match history.state.as_str() {
                "booked" => {
                    @if let Some(attempt) = history.attempts.last().filter(|_| !is_cancelled) { (labels::of_order(desk, attempt.run, number)) }
                    (page::form(desk, "track", &html! { input type="hidden" name="order" value=(number); button { "Track" } }))
                    @if !is_cancelled { a.button href={ "cancel?order=" (page::encoded(number)) } { "Cancel this shipment" } }
                }
                "in_doubt" => a.button href="doubts" { "Settle the doubt" },
                "rejected" | "refused" => a.button href={ "again?what=failed&order=" (page::encoded(number)) } { "Retry" },
                _ => {}
            }
        }
        @match history.state.as_str() {
            "rejected" | "refused" | "staged" | "waiting" => (word(desk, ("give-up", "Give up"), history)),
            "held" | "left_out" | "dismissed" | "abandoned" => {
                @if let Some(question) = &history.question { (answer(desk, history, question)) }
                @if !history.requests.is_empty() { (word(desk, ("bring-back", "Send it after all"), history)) }
            }
            _ => {}
        }
        @if history.has_correctable_awb() { (awb(desk, history, "The AWB is wrong")) }
        @else if !history.attempts.is_empty() && !matches!(history.state.as_str(), "booked" | "in_doubt" | "sending") {
            (awb(desk, history, "The courier has it after all"))
        }
    }
}

/// The AWB that the courier's portal shows, of an order that is known otherwise here.
fn awb(desk: &Desk, history: &OrderHistory, summary: &str) -> Markup {
    html! {
        details {
            summary { (summary) }
            (page::form(desk, "doubts", &html! {
                (page::upon(&history.upon()))
                input type="hidden" name="verdict" value="there";
                p.soft { "It is booked with this AWB from then on, and never sent again." }
                div.row {
                    label { "AWB " input name="awb" required autocomplete="off" maxlength="64"; }
                    label.grow { "How you know " input name="because" required maxlength="300"; }
                    button { "Record the AWB" }
                }
            }))
        }
    }
}

/// A person's word on an order that is not in doubt.
fn word(desk: &Desk, (action, button): (&str, &str), history: &OrderHistory) -> Markup {
    let is_back = action == "bring-back";
    html! {
        details {
            summary { @if is_back { "Send it after all" } @else { "Give this order up" } }
            (page::form(desk, action, &html! {
                (page::upon(&history.upon()))
                p.soft { @if let Some(request) = history.requests.last().filter(|_| is_back && history.state != "abandoned") { "It goes as it is in " (request.rows) ": press Resume then." } @else if is_back { "It may be sent again, once. Look first that the courier does not have it." } @else { "It is not sent again, whatever the next sheet says." } }
                div.row { label.grow { @if is_back { "How you know " } @else { "Why " } input name="because" required maxlength="300"; } button { (button) } }
            }))
        }
    }
}

/// A person's answer to the question that holds an order.
fn answer(desk: &Desk, history: &OrderHistory, question: &RefusalRecord) -> Markup {
    html! {
        details open {
            summary {
                @if history.is_listed() { "Send it all the same" }
                @else { "Send it as it is in " (question.rows.as_deref().unwrap_or("the other sheet")) }
            }
            (page::form(desk, "release", &html! {
                input type="hidden" name="order" value=(history.number);
                input type="hidden" name="rule" value=(question.rule.as_deref().unwrap_or_default());
                p.soft { "It is " (question.because) ". Press Resume when you have answered." }
                div.row { label.grow { "Why " input name="because" required maxlength="300"; } button { "Send this one" } }
            }))
        }
    }
}

/// What happened, and when.
fn events(history: &OrderHistory) -> Vec<(i64, String)> {
    let mut events = Vec::new();
    for request in &history.requests {
        events.push((request.staged_ms, format!("Came in, from {}.", request.rows)));
    }
    for attempt in &history.attempts {
        events.push((attempt.intent_ms, attempted(attempt)));
        if let Some(late) = &attempt.late {
            let awb = late.awb.as_ref().map(|awb| format!(", AWB {awb}")).unwrap_or_default();
            let what = outcome(Some(&late.outcome));
            events.push((late.at_ms, format!("A late answer to attempt {} came: {what}{awb}.", attempt.n)));
        }
    }
    for refusal in &history.refusals {
        events.push((refusal.at_ms, format!("{}, in a sheet of {}.", words::capital(&refusal.because), refusal.user)));
    }
    for decision in &history.decisions {
        let because = decision.because.as_ref().map(|because| format!(" because: {because}")).unwrap_or_default();
        let what = match decision.verb.as_str() {
            "booked" => format!("said it is there, AWB {}", decision.awb.as_deref().unwrap_or_default()),
            "not_booked" => "said it is not there".to_owned(),
            "abandoned" => "gave it up".to_owned(),
            other => other.replace('_', " "),
        };
        events.push((decision.at_ms, format!("{} {what},{because}.", decision.user).replace(",.", ".")));
    }
    for request in &history.cancel_requests {
        let came = match request.outcome.as_deref() {
            Some("cancelled") => "it is cancelled",
            Some("refused") => "the courier said no",
            Some("unsent") => "nothing was sent",
            _ => "nobody knows whether it was done: look it up in the courier's portal",
        };
        events.push((request.asked_ms, format!("{} asked to cancel it; {came}.", request.user)));
    }
    for delivery in &history.deliveries {
        events.push((delivery.received_ms, "A tracking event came.".to_owned()));
    }
    // Equal moments stay in the order in which they lead to each other.
    events.sort_by_key(|(ms, _)| *ms);
    events
}

fn attempted(attempt: &AttemptRecord) -> String {
    // That it was booked says all; of what failed the service's code helps whoever asks the courier.
    let is_booked = attempt.outcome.as_deref() == Some("booked");
    let status = attempt.status.filter(|_| !is_booked);
    let status = status.map(|status| format!(" (HTTP {status})")).unwrap_or_default();
    let reason = attempt
        .reason
        .as_ref()
        .map(|reason| format!(": {}", shortened(&words::without_codes(reason), 200)))
        .unwrap_or_default();
    let awb = attempt.awb.as_ref().map(|awb| format!(", AWB {awb}")).unwrap_or_default();
    format!("Sent in run {}: {}{status}{awb}{reason}.", attempt.run, outcome(attempt.outcome.as_deref()))
}

fn outcome(outcome: Option<&str>) -> &str {
    match outcome {
        None => "no answer yet",
        Some("booked") => "booked",
        Some("rejected") => "rejected, it has no AWB",
        Some("refused") => "refused before booking",
        Some("waiting") => "not accepted for now",
        Some("in_doubt") => "no clear answer",
        Some(other) => other,
    }
}
