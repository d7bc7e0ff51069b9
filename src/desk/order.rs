//! One order: where it stands, everything that happened to it, in words, and what can be done with it.

use maud::{Markup, html};
use serde::Deserialize;

use crate::app::draft;
use crate::app::{FieldNames, Sent, SentProduct, SentValue, failed_because};
use crate::ledger::{AttemptRecord, DecisionRecord, Ledger, OrderHistory, ProblemRecord, RefusalRecord, RunId, State};
use crate::text::shortened;

use super::answer::Result;
use super::awb::{Tried, Typed};
use super::page::{self, Page, Part, Tone};
use super::run_list::why;
use super::state::Desk;
use super::tracked::{self, Tracked};
use super::{labels, words};

/// Products that are named.
const PRODUCTS: usize = 5;

/// Which order.
#[derive(Deserialize)]
pub(super) struct Asked {
    number: String,
    #[serde(flatten)]
    tried: Tried,
}

/// All that is shown of an order at one service.
struct Whole {
    history: OrderHistory,
    /// Whether it is of the service that is configured: what is done at another one is not done from here.
    is_here: bool,
    sent: Sent,
    values: Vec<SentValue>,
    wrong: Vec<ProblemRecord>,
    typed: Typed,
    file: Option<File>,
    /// The courier's last word on its shipment.
    tracked: Option<Tracked>,
}

/// The file that an order came from.
struct File {
    /// Its name.
    name: String,
    /// The sheet at the desk, where it is there.
    draft: Option<String>,
}

pub(super) fn order(desk: &Desk, asked: &Asked) -> Result<Page> {
    let app = desk.app();
    let ledger = app.read_ledger()?;
    let histories = app.order(&ledger, &asked.number)?;
    let evidence = ledger.evidence(&asked.number)?;
    let evidence = serde_json::to_string_pretty(&evidence).unwrap_or_default();
    let all: Vec<Whole> = histories.into_iter().map(|own| whole(desk, &ledger, own, asked)).collect::<Result<_>>()?;
    let body = html! {
        @for own in &all { (one(desk, own, all.len() > 1)) }
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

fn whole(desk: &Desk, ledger: &Ledger, history: OrderHistory, asked: &Asked) -> Result<Whole> {
    let app = desk.app();
    let of = (history.number.as_str(), history.service.as_str());
    let is_here = match app.config().service_key() {
        Ok(service) => ledger.is_same_service(&service, &history.service)?,
        Err(_) => false,
    };
    let is_invalid = history.state == State::Invalid.as_str();
    let wrong = if is_invalid { ledger.held_last(&history.service, &history.number)? } else { Vec::new() };
    let asked_for = history.awb.as_deref().map(|awb| desk.tracked(ledger, awb)).transpose()?.flatten();
    let events = history.deliveries.iter().rev();
    let mut told = events.filter_map(|event| Some(Tracked::of_event(app.status_in(&event.body)?, event.received_ms)));
    let tracked = told.next().into_iter().chain(asked_for).max_by_key(|own| own.told_ms);
    Ok(Whole {
        is_here,
        sent: app.sent(ledger, of)?.unwrap_or_default(),
        values: app.sent_values(ledger, of)?,
        wrong,
        typed: asked.tried.of(ledger, &history)?,
        file: file(ledger, &history)?,
        tracked,
        history,
    })
}

/// The file of the import that it was sent with last.
fn file(ledger: &Ledger, history: &OrderHistory) -> Result<Option<File>> {
    let Some(attempt) = history.attempts.last() else { return Ok(None) };
    let Some(record) = ledger.imports_with(RunId::from_number(attempt.run), 1)?.pop() else { return Ok(None) };
    let draft = draft::of_run(ledger, record.id.number())?;
    let name = match (&draft, record.sheets.as_slice()) {
        (Some(draft), _) => draft.file.clone(),
        (None, [only]) => only.split(" [").next().unwrap_or_default().to_owned(),
        (None, _) => String::new(),
    };
    Ok(Some(File { name, draft: draft.map(|draft| draft.id) }))
}

/// Where its rows are, as people say it: `monday.csv, row 5`.
fn rows_in_words(rows: &str, file: Option<&File>) -> String {
    let is_row = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || "-, ".contains(c));
    if let Some((name, numbers)) =
        rows.rsplit_once(':').filter(|(name, numbers)| is_row(numbers) && !name.contains(':'))
    {
        let several = if numbers.contains(['-', ',']) { "s" } else { "" };
        return format!("{name}, row{several} {numbers}");
    }
    match file.filter(|file| !file.name.is_empty() && !rows.contains(&file.name)) {
        Some(file) => format!("{}, {rows}", file.name),
        None => rows.to_owned(),
    }
}

/// The address of an order's page.
pub(super) fn place(number: &str) -> String {
    format!("order?number={}", page::encoded(number))
}

/// An order at one service.
fn one(desk: &Desk, whole: &Whole, is_one_of_many: bool) -> Markup {
    let Whole { history, is_here, wrong, typed, .. } = whole;
    html! {
        section {
            h1 { "Order " (history.number) " " (page::state(if history.cancellations.is_empty() { &history.state } else { words::CANCELLED })) }
            @if is_one_of_many { p.soft { "At " (history.service) } }
            (facts(whole))
            @if !wrong.is_empty() {
                h2 { "What is wrong" }
                ul { @for own in wrong { li { (why(&own.said)) @if let Some(place) = &own.place { " (" (place) ")" } } } }
            }
            @if history.old_answer {
                (page::notice(Tone::Warn, &html! { p { "The courier answered with a shipment that is older than our request. It may be an earlier one: look it up." } }))
            }
            @if *is_here { (actions(desk, history, typed)) }
            h2 { "What happened" }
            ol.events { @for (ms, what) in events(desk, whole) { li { span.soft { (words::time(ms)) } " " (what) } } }
            (values(whole))
        }
    }
}

/// Each value of the request, under a plain name.
fn values(Whole { values, history, .. }: &Whole) -> Markup {
    let products = values.iter().filter_map(|own| own.product).max().map_or(0, |last| last + 1);
    let list = |product: Option<usize>| {
        html! {
            dl.sent { @for own in values.iter().filter(|own| own.product == product) { div { dt { (own.name) } dd { (own.text) } } } }
        }
    };
    html! {
        @if !values.is_empty() {
            h2 { @if history.attempts.is_empty() { "What would be sent" } @else { "All that was sent" } }
            (list(None))
            @for product in 0..products {
                @if products > 1 { h3 { "Product " (product + 1) } }
                (list(Some(product)))
            }
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

fn facts(Whole { history, sent, file, tracked, .. }: &Whole) -> Markup {
    let receiver = &sent.receiver;
    let place = [sent.address.as_str(), &receiver.city, &receiver.pin_code];
    let place: Vec<&str> = place.into_iter().filter(|part| !part.is_empty()).collect();
    let run = history.attempts.last().map(|attempt| attempt.run);
    let dialled: String = receiver.phone.chars().filter(|c| c.is_ascii_digit() || *c == '+').collect();
    html! {
        dl.facts {
            @if let Some(awb) = &history.awb { div { dt { "AWB" } dd { (page::copied(awb, "AWB")) } } }
            @if let Some(tracked) = tracked {
                @let (tone, said) = tracked.said();
                div { dt { "Last status" } dd { span class=(tone) { (said) } " " span.soft { "told " (words::moment(tracked.told_ms)) } } }
            }
            @if let Some(carrier) = &history.carrier { div { dt { "Courier" } dd { (carrier) @if let Some(level) = &history.service_level { " " (level) } } } }
            @if !receiver.name.is_empty() { div { dt { "To" } dd { (receiver.name) ", " (place.join(", ")) } } }
            @if !dialled.is_empty() { div { dt { "Phone" } dd { a href={ "tel:" (dialled) } { (receiver.phone) } } } }
            @if !sent.products.is_empty() { div { dt { "Goods" } dd { (goods(sent)) } } }
            @if !sent.warehouse.is_empty() { div { dt { "Picked up at" } dd { (sent.warehouse) } } }
            @if let Some(run) = run { div { dt { "Sent in" } dd { a href={ "results?run=" (run) } { "Run " (run) } } } }
            @if let Some(id) = &history.order_id { div { dt { "Number at the courier service" } dd { code { (id) } } } }
            @if let Some(request) = history.requests.last() {
                div { dt { "From" } dd {
                    (rows_in_words(&request.rows, file.as_ref()))
                    @if let Some(draft) = file.as_ref().and_then(|file| file.draft.as_ref()) { " " a href={ "sheet/" (draft) "/order?number=" (page::encoded(&history.number)) } { "Show it in the sheet" } }
                } }
            }
            @if let Some(error) = &history.error { div { dt { "Last answer" } dd { (in_words(&history.state, error, 400)) } } }
        }
    }
}

/// What can be done with it, as it stands. Nothing here sends an order that is in doubt.
fn actions(desk: &Desk, history: &OrderHistory, typed: &Typed) -> Markup {
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
        @if history.has_correctable_awb() { (awb(desk, history, ("The AWB is wrong", typed))) }
        @else if !history.attempts.is_empty() && !matches!(history.state.as_str(), "booked" | "in_doubt" | "sending") {
            (awb(desk, history, ("The courier has it after all", typed)))
        }
    }
}

/// The AWB that the courier's portal shows, of an order that is known otherwise here.
fn awb(desk: &Desk, history: &OrderHistory, (summary, typed): (&str, &Typed)) -> Markup {
    html! {
        details open[typed.is_wrong()] {
            summary { (summary) }
            (page::form(desk, "doubts", &html! {
                (page::upon(&history.upon()))
                input type="hidden" name="verdict" value="there";
                p.soft { "It is booked with this AWB from then on, and never sent again." }
                div.row {
                    div { (typed.field("AWB")) }
                    label.grow { "How you know " input name="because" value=(typed.because()) required maxlength="300"; }
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

/// The service's words on an order that stands so.
fn in_words(state: &str, said: &str, most: usize) -> String {
    shortened(&words::without_codes(&FieldNames::default().in_words(&failed_because(state, said).0)), most)
}

/// What happened, and when.
fn events(desk: &Desk, Whole { history, file, .. }: &Whole) -> Vec<(i64, String)> {
    let mut events = Vec::new();
    for request in &history.requests {
        events.push((request.staged_ms, format!("Came in from {}.", rows_in_words(&request.rows, file.as_ref()))));
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
        events.push((decision.at_ms, decided(decision)));
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
    for print in &history.label_prints {
        events.push((print.at_ms, format!("{} opened its label for printing.", print.user)));
    }
    for delivery in &history.deliveries {
        let status = desk.app().status_in(&delivery.body);
        let said = status.map(|status| format!("The courier told: {}.", tracked::in_words(&status)));
        events.push((delivery.received_ms, said.unwrap_or_else(|| "A tracking event came.".to_owned())));
    }
    // Equal moments stay in the order in which they lead to each other.
    events.sort_by_key(|(ms, _)| *ms);
    events
}

/// A person's decision, with the reason.
fn decided(decision: &DecisionRecord) -> String {
    let awb = decision.awb.as_deref().unwrap_or_default();
    let what = match decision.verb.as_str() {
        "booked" => format!("said that the courier has it, AWB {awb}"),
        "not-booked" => "said that the courier does not have it".to_owned(),
        "abandoned" if awb.is_empty() => "gave it up".to_owned(),
        "abandoned" => format!("gave it up, as the courier has it with AWB {awb}"),
        "retry" => "had it sent again".to_owned(),
        other => other.replace(['_', '-'], " "),
    };
    let because = decision.because.as_ref().map(|because| format!(" because: {because}")).unwrap_or_default();
    format!("{} {what},{because}.", decision.user).replace(",.", ".")
}

fn attempted(attempt: &AttemptRecord) -> String {
    // That it was booked says all; of what failed the service's code helps whoever asks the courier.
    let is_booked = attempt.outcome.as_deref() == Some("booked");
    let status = attempt.status.filter(|_| !is_booked);
    let status = status.map(|status| format!(" (HTTP {status})")).unwrap_or_default();
    let said = |reason: &String| in_words(attempt.outcome.as_deref().unwrap_or_default(), reason, 200);
    let reason = attempt.reason.as_ref().map(|reason| format!(": {}", said(reason))).unwrap_or_default();
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
