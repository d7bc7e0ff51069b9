//! `status`, `runs` and `show`: read while a run goes on, and write nothing.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use serde::Serialize;
use serde_json::json;

use crate::after::receiver::status_of;
use crate::app::{Exit, FailedCause, Open, RunEntry, RunStatus, Standing};
use crate::cli::screen::{Told, write_summary};
use crate::ledger::{AcceptedFinding, Ledger, OrderHistory, RunId};
use crate::report::{Document, Orders, ProblemEntry, RowCounts};
use crate::text::{count, moment, shortened};

use super::console::{note, print};
use super::document::{Kind, print_document};
use super::errors::hint;
use super::global::Format;
use super::next::write_next;
use super::remedy::words;
use super::session::older_database;
use super::settings::Settings;

/// Runs that `runs` lists.
const RUNS_SHOWN: usize = 50;

/// Opens the ledger to be read, and says where nothing could be booked with it, before somebody tries.
fn opened(settings: &Settings) -> Result<Ledger> {
    let ledger = settings.read_ledger()?;
    match settings.app.refuse_to_book(&ledger) {
        Ok(None) => {}
        Ok(Some(by)) => note(older_database(&by)),
        Err(refused) => {
            let refused = anyhow::Error::from(refused);
            let hint = hint(&refused, &settings.command).map(|hint| format!("; {hint}")).unwrap_or_default();
            note(format!("warning: nothing can be booked with this ledger: {refused:#}{hint}"));
        }
    }
    Ok(ledger)
}

pub(super) fn status(settings: &Settings, run: Option<i64>) -> Result<Exit> {
    let ledger = opened(settings)?;
    let standing = settings.app.standing(&ledger)?;
    let status = settings.app.run_status(&ledger, run)?;
    let held = if run.is_none() { settings.app.held_sheets(&ledger)? } else { Vec::new() };
    let exit = exit(&standing, &status, run.is_some(), !held.is_empty());
    let RunStatus { record, at_end, orders, holder, took } = status;
    let document = Document {
        run: Some(record.id.number()),
        rows: RowCounts {
            read: record.rows_read,
            blank: record.rows_blank,
            skipped: record.rows_skipped,
            in_orders: record.rows_in_orders,
            invalid: record.rows_invalid,
        },
        orders,
        lines: record.lines,
        requests: record.requests,
        seconds: took.as_secs_f64(),
        stopped_by: record.stopped_by.clone(),
        problems: problems(settings, &ledger, record.id)?,
        exit: exit.code(),
        ..Document::default()
    };
    if settings.format == Format::Json {
        print_document(
            Kind::Run,
            &StatusDocument { run: &document, orders_at_end: at_end, ledger: &standing, held_sheets: &held },
        )?;
        return Ok(exit);
    }
    let mut text = Vec::new();
    if run.is_none() {
        write_held(&mut text, &held)?;
        write_standing(&mut text, (settings, &ledger), &standing, holder.is_some())?;
    }
    let state = match (record.finished_ms, &holder) {
        (Some(_), _) => String::new(),
        (None, Some(holder)) => format!(", going on just now ({holder})"),
        (None, None) => ", killed before its end".to_owned(),
    };
    writeln!(text, "{} of {} by {}{state}", record.kind.as_str(), moment(record.started_ms), record.user)?;
    if !record.sheets.is_empty() {
        writeln!(text, "sheets: {}", record.sheets.join(", "))?;
    }
    let told = Told {
        already: &[],
        rows_without_order: record.rows_without_order,
        highlights: None,
        why: record.stopped_why.as_deref(),
        running: holder.is_some(),
        doubts_besides: ledger.doubts_but_of(record.id)?,
        handed_back: false,
    };
    write_summary(&mut text, &document, told)?;
    if let Some(at_end) = at_end.filter(|at_end| *at_end != orders) {
        write_since(&mut text, &at_end, &orders)?;
    }
    write_next(&mut text, &settings.command, &document, &told)?;
    for (run, orders) in ledger.invalid_before(record.id)? {
        let (command, run) = (&settings.command, run.number());
        let left = count(orders, "order");
        writeln!(
            text,
            "next: {left} of run {run} still invalid: `{command} export {run} --to invalid.xlsx --state invalid` says why;\n      \
             correct the sheet and import it again"
        )?;
    }
    print(&text)?;
    Ok(exit)
}

/// The document of `status`: that of the run, what it came to when it ended, and what the whole ledger has open.
#[derive(Serialize)]
struct StatusDocument<'s> {
    #[serde(flatten)]
    run: &'s Document,
    orders_at_end: Option<Orders>,
    ledger: &'s Standing,
    held_sheets: &'s [PathBuf],
}

/// The gravest of what the whole ledger has open and of the run; of a run that was named, its own.
fn exit(standing: &Standing, status: &RunStatus, is_named: bool, has_held: bool) -> Exit {
    let (whole, run) = (standing.exit(), status.exit());
    match if is_named || run == Exit::InDoubt || whole == Exit::Done { run } else { whole } {
        Exit::Done if has_held => Exit::SomeFailed,
        exit => exit,
    }
}

/// Sheets of a watched folder that were filed for a person, and of which nothing was sent.
fn write_held(out: &mut Vec<u8>, held: &[PathBuf]) -> Result<()> {
    if held.is_empty() {
        return Ok(());
    }
    writeln!(out, "nothing was sent of {} that a person has to look at:", count(held.len() as u64, "sheet"))?;
    for path in held {
        writeln!(out, "  {}", path.display())?;
    }
    writeln!(
        out,
        "next: read the report beside it; put the sheet into the folder again, or remove it once that is settled"
    )?;
    Ok(())
}

/// What the whole ledger has open, over all runs.
fn write_standing(
    out: &mut Vec<u8>,
    (settings, ledger): (&Settings, &Ledger),
    standing: &Standing,
    running: bool,
) -> Result<()> {
    super::stations::write(out, ledger)?;
    let Standing { outstanding, in_doubt, failed, failed_otherwise } = standing;
    let failed_orders = standing.failed_orders();
    writeln!(
        out,
        "the whole ledger: {} outstanding{}, {} in doubt{}, {failed_orders} rejected or refused",
        outstanding.orders,
        since(outstanding),
        in_doubt.orders,
        since(in_doubt)
    )?;
    for FailedCause { state, cause, id, open, .. } in failed {
        let named = open.named.join(", ");
        let more = open.orders - open.named.len() as u64;
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        writeln!(out, "  {:>6}  {state}: {} ({named}{more}){}", open.orders, shortened(cause, 100), since(open))?;
        writeln!(out, "          once that is mended: `{} retry --cause {id}`", settings.command)?;
    }
    if *failed_otherwise > 0 {
        writeln!(out, "  {failed_otherwise:>6}  for other causes")?;
    }
    if in_doubt.orders > 0 {
        for service in &in_doubt.services {
            let command = settings.command_at(service);
            writeln!(out, "next: `{command} doubt list` shows what to look for in the courier's portal")?;
        }
    }
    // Nobody can resume what is being booked.
    if outstanding.orders > 0 && !running {
        for service in &outstanding.services {
            writeln!(out, "next: `{} resume` sends what is outstanding", settings.command_at(service))?;
        }
    }
    writeln!(out)?;
    Ok(())
}

/// Since when the oldest is open.
fn since(open: &Open) -> String {
    open.oldest_ms.map(|ms| format!(" since {}", moment(ms))).unwrap_or_default()
}

/// What a run came to when it ended, beside what has become of its orders since.
fn write_since(out: &mut Vec<u8>, at_end: &Orders, now: &Orders) -> Result<()> {
    writeln!(out, "                    at its end      now")?;
    let rows = [
        ("booked", at_end.booked, now.booked),
        ("already booked", at_end.already_booked, now.already_booked),
        ("invalid", at_end.invalid, now.invalid),
        ("rejected", at_end.rejected, now.rejected),
        ("refused", at_end.refused, now.refused),
        ("in doubt", at_end.in_doubt, now.in_doubt),
        ("outstanding", at_end.outstanding, now.outstanding),
        ("abandoned", at_end.abandoned, now.abandoned),
        ("dismissed", at_end.dismissed, now.dismissed),
    ];
    for (word, then, now) in rows.iter().filter(|(_, then, now)| then + now > 0) {
        writeln!(out, "  {word:<16} {then:>11} {now:>8}")?;
    }
    Ok(())
}

/// The problems of a run, where a document is asked for.
fn problems(settings: &Settings, ledger: &Ledger, run: RunId) -> Result<Vec<ProblemEntry>> {
    if settings.format != Format::Json {
        return Ok(Vec::new());
    }
    let words = words(&settings.command);
    Ok(ledger.problems(run)?.into_iter().map(|kept| ProblemEntry::kept(kept, &words)).collect())
}

pub(super) fn runs(settings: &Settings) -> Result<Exit> {
    let ledger = settings.read_ledger()?;
    let runs = settings.app.runs(&ledger, RUNS_SHOWN)?;
    let mut text = Vec::new();
    let mut entries = Vec::new();
    for RunEntry { record, at_end, orders } in &runs {
        entries.push(json!({
            "run": record.id.number(),
            "kind": record.kind.as_str(),
            "started": moment(record.started_ms),
            "service": record.service,
            "sheets": record.sheets,
            "orders": orders,
            "orders_at_end": at_end,
            "stopped_by": record.stopped_by,
        }));
        let failed = orders.invalid + orders.rejected + orders.refused;
        let since = at_end.as_ref().filter(|at_end| *at_end != orders);
        let since = since.map(|at_end| format!(" ({} booked at its end)", at_end.booked + at_end.already_booked));
        writeln!(
            text,
            "{:>5}  {}  {:<6}  {:>6} of {} booked{}, {failed} failed, {} in doubt, {} outstanding  {}",
            record.id.number(),
            moment(record.started_ms),
            record.kind.as_str(),
            orders.booked + orders.already_booked,
            orders.total,
            since.unwrap_or_default(),
            orders.in_doubt,
            orders.outstanding,
            record.sheets.join(", ")
        )?;
    }
    if settings.format == Format::Json {
        print_document(Kind::Runs, &json!({"runs": entries, "exit": Exit::Done.code()}))?;
    } else if runs.is_empty() {
        note(format!("no run yet in this ledger; begin with `{} import`", settings.command));
    } else {
        print(&text)?;
    }
    Ok(Exit::Done)
}

pub(super) fn show(settings: &Settings, number: &str) -> Result<Exit> {
    let ledger = settings.read_ledger()?;
    let histories = settings.app.order(&ledger, number)?;
    if settings.format == Format::Json {
        print_document(Kind::Show, &json!({"orders": histories, "exit": Exit::Done.code()}))?;
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
        write_history(&mut text, history, accepted.collect())?;
    }
    print(&text)?;
    Ok(Exit::Done)
}

fn write_history(out: &mut Vec<u8>, history: &OrderHistory, accepted: Vec<(i64, String)>) -> Result<()> {
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
    Ok(())
}

/// What happened to an order, and when.
fn events(history: &OrderHistory) -> Vec<(i64, String)> {
    let mut events = Vec::new();
    for request in &history.requests {
        let hash = request.sha256.get(..12).unwrap_or(&request.sha256);
        events.push((request.staged_ms, format!("staged from {} (request {hash})", request.rows)));
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
