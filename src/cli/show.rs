//! `show`: an order's whole history.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use crate::after::receiver::status_of;
use crate::app::Exit;
use crate::ledger::{AcceptedFinding, EvidenceRecord, OrderHistory, RefusalRecord};
use crate::text::{moment, shell_quoted};

use super::console::{note, print};
use super::document::{Kind, print_document};
use super::global::Format;
use super::settings::Settings;

#[derive(Debug, Args)]
pub(super) struct Show {
    /// The order number
    order: String,
    /// Every attempt and decision with the hashes that bind them, for a billing dispute
    #[arg(long)]
    evidence: bool,
}

/// The document of `show`: the order at each service that knows its number.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "An order's whole history")]
pub(super) struct Document {
    /// The order, once for each service.
    orders: Vec<OrderHistory>,
    exit: Exit,
}

pub(super) fn show(settings: &Settings, arguments: &Show) -> Result<Exit> {
    let number = &arguments.order;
    if arguments.evidence {
        return evidence(settings, number);
    }
    let ledger = settings.read_ledger()?;
    let histories = settings.app.order(&ledger, number)?;
    if settings.format == Format::Json {
        print_document(Kind::Show, &Document { orders: histories, exit: Exit::Done })?;
        return Ok(Exit::Done);
    }
    let mut text = Vec::new();
    for history in &histories {
        let accepted = ledger.accepted_findings(&history.service)?;
        let own = accepted.iter().filter(|own| own.order.as_deref() == Some(&history.number));
        let accepted = own.map(|AcceptedFinding { rule, word, .. }| {
            let because = if word.because.is_empty() { String::new() } else { format!(", because: {}", word.because) };
            (word.at_ms, format!("{rule} accepted by {}{because}", word.by))
        });
        write_history(&mut text, settings, history, accepted.collect())?;
    }
    print(&text)?;
    Ok(Exit::Done)
}

fn write_history(
    out: &mut Vec<u8>,
    settings: &Settings,
    history: &OrderHistory,
    accepted: Vec<(i64, String)>,
) -> Result<()> {
    writeln!(out, "order {} at {}: {}", history.number, history.service, history.state)?;
    let facts = [
        ("AWB", &history.awb),
        ("order id", &history.order_id),
        ("carrier", &history.carrier),
        ("service", &history.service_level),
        ("error", &history.error),
    ];
    for (name, value) in facts {
        if let Some(value) = value {
            writeln!(out, "  {name}: {value}")?;
        }
    }
    if history.awb.is_some() && history.label_prints.is_empty() {
        writeln!(out, "  label: not printed yet")?;
    }
    if history.old_answer {
        writeln!(
            out,
            "  warning: the service answered with a shipment older than our request; it may be an earlier one"
        )?;
    }
    let mut events = events(history);
    events.extend(accepted);
    // Equal moments stay in the order in which they lead to each other.
    events.sort_by_key(|(ms, _)| *ms);
    for (ms, text) in events {
        writeln!(out, "  {}  {text}", moment(ms))?;
    }
    let (command, order) = (&settings.command, shell_quoted(&history.number));
    let is_listed = history.is_listed();
    if let Some(RefusalRecord { rule: Some(rule), rows, .. }) = &history.question {
        let rows = if is_listed { None } else { Some(rows.as_deref().unwrap_or("that sheet")) };
        let as_it_is = rows.map_or_else(String::new, |rows| format!(" as it is in {rows}"));
        writeln!(out, "next: `{command} accept {rule} --order {order} --because TEXT` lets it go{as_it_is}")?;
    }
    if history.state == "invalid" {
        writeln!(
            out,
            "next: correct it in its sheet and import that again, or `{command} dismiss {order} --because TEXT`"
        )?;
    }
    if let Some(request) =
        history.requests.last().filter(|_| !is_listed && ["held", "left_out", "dismissed"].contains(&&*history.state))
    {
        let rows = &request.rows;
        writeln!(out, "next: `{command} doubt not-booked {order} --because TEXT` lets it go as it is in {rows}")?;
    }
    Ok(())
}

/// What happened to an order, and when.
fn events(history: &OrderHistory) -> Vec<(i64, String)> {
    let mut events = Vec::new();
    for request in &history.requests {
        let hash = request.sha256.get(..12).unwrap_or(&request.sha256);
        events.push((request.staged_ms, format!("staged from {} (request {hash})", request.rows)));
    }
    for refusal in &history.refusals {
        let by = if refusal.is_decision { "by" } else { "imported by" };
        events.push((refusal.at_ms, format!("{}, {by} {}", refusal.because, refusal.user)));
    }
    for decision in &history.decisions {
        let because = decision.because.as_ref().map(|because| format!(", because: {because}")).unwrap_or_default();
        let (user, host) = (&decision.user, &decision.host);
        events.push((decision.at_ms, format!("{} by {user} on {host}{because}", decision.verb)));
    }
    for cancellation in &history.cancellations {
        let refund = cancellation.refund_status.as_ref().map(|status| format!(", refund {status}")).unwrap_or_default();
        let (user, host) = (&cancellation.user, &cancellation.host);
        events.push((cancellation.at_ms, format!("cancelled by {user} on {host}{refund}")));
    }
    for request in history.cancel_requests.iter().filter(|request| request.outcome.as_deref() != Some("cancelled")) {
        let (user, host) = (&request.user, &request.host);
        let came = match request.outcome.as_deref() {
            Some("refused") => "the service said no",
            Some("unsent") => "nothing was sent",
            _ => "nobody knows whether it was done: look it up",
        };
        let said = request.said.as_ref().map(|said| format!(": {said}")).unwrap_or_default();
        events.push((request.asked_ms, format!("cancellation asked for by {user} on {host}; {came}{said}")));
    }
    for print in &history.label_prints {
        let (user, host, file) = (&print.user, &print.host, &print.file);
        events.push((print.at_ms, format!("label handed out for printing in {file} by {user} on {host}")));
    }
    for delivery in &history.deliveries {
        let status = status_of(delivery.body.as_bytes()).unwrap_or_else(|| "without a status".to_owned());
        events.push((delivery.received_ms, format!("tracking event: {status} (a hint: it changes nothing here)")));
    }
    for attempt in &history.attempts {
        let status = attempt.status.map(|status| format!(", HTTP {status}")).unwrap_or_default();
        let outcome = attempt.outcome.as_deref().unwrap_or("sending");
        let reason = attempt.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
        let text = format!("attempt {} in run {}: {outcome}{status}{reason}", attempt.n, attempt.run);
        events.push((attempt.intent_ms, text));
        if let Some(late) = &attempt.late {
            let awb = late.awb.as_ref().map(|awb| format!(", AWB {awb}")).unwrap_or_default();
            let reason = late.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
            let text = format!("the answer to attempt {} came to light: {}{awb}{reason}", attempt.n, late.outcome);
            events.push((late.at_ms, text));
        }
    }
    events
}

/// The document of `show --evidence`: every answered attempt and decision, each bound to the one before by its hash.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "An order's evidence")]
pub(super) struct EvidenceDocument<'l> {
    /// The order number.
    order: &'l str,
    /// The links, the oldest first.
    links: &'l [EvidenceRecord],
    exit: Exit,
}

/// `show --evidence`: an order's links, and how anybody can compute them again.
fn evidence(settings: &Settings, number: &str) -> Result<Exit> {
    let links = settings.app.evidence(&settings.read_ledger()?, number)?;
    if settings.format == Format::Json {
        print_document(Kind::ShowEvidence, &EvidenceDocument { order: number, links: &links, exit: Exit::Done })?;
        return Ok(Exit::Done);
    }
    let mut text = Vec::new();
    for link in &links {
        write_link(&mut text, link)?;
    }
    print(&text)?;
    if links.is_empty() {
        note(format!("order {number} was never sent, and nothing was decided on it"));
    }
    Ok(Exit::Done)
}

fn write_link(out: &mut Vec<u8>, link: &EvidenceRecord) -> Result<()> {
    writeln!(out, "link {}", link.n)?;
    writeln!(out, "  text   {}", link.text)?;
    writeln!(out, "  after  {}", link.after)?;
    writeln!(out, "  hash   {}", link.hash)?;
    writeln!(out, "  check  printf '%s\\n%s' {} {} | sha256sum", link.after, shell_quoted(&link.text))?;
    if let Some(answer) = &link.answer {
        writeln!(out, "  answer {}", answer.trim_end())?;
    }
    Ok(())
}
