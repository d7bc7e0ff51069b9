//! `status`, `runs` and `show`: read while a run goes on, and write nothing.

use std::io::Write;

use anyhow::{Result, bail};
use jiff::Timestamp;
use serde_json::json;

use crate::after::receiver::status_of;
use crate::ledger::{Ledger, LeftInvalid, OrderHistory, RunId, RunRecord, State, holder};
use crate::report::{Document, Orders, ProblemEntry, RowCounts, Told, write_summary};
use crate::text::count;

use super::args::Format;
use super::console::{note, print, print_json};
use super::exit::Exit;
use super::next::write_next;
use super::remedy::words;
use super::settings::Settings;

/// Runs that `runs` lists.
const RUNS_SHOWN: usize = 50;

/// The named run, or the latest.
pub(super) fn find_run(settings: &Settings, ledger: &Ledger, run: Option<i64>) -> Result<RunRecord> {
    let command = &settings.command;
    match (ledger.find_run(run.map(RunId::from_number))?, run) {
        (Some(record), _) => Ok(record),
        (None, Some(run)) => bail!("no run {run} in this ledger; `{command} runs` lists them"),
        (None, None) => bail!("no run yet in this ledger; begin with `{command} import`"),
    }
}

pub(super) fn status(settings: &Settings, run: Option<i64>) -> Result<Exit> {
    let ledger = settings.read_ledger()?;
    let record = find_run(settings, &ledger, run)?;
    // Whoever holds the lock works on the latest run.
    let is_latest = ledger.find_run(None)?.is_some_and(|latest| latest.id == record.id);
    let running = holder(&settings.ledger).filter(|_| is_latest && record.finished_ms.is_none());
    let orders = standing(&ledger, record.id, running.is_some())?;
    let exit = Exit::of(&orders, record.rows_without_order, record.requests == 0);
    let until = match (record.finished_ms, &running) {
        (Some(finished), _) => finished,
        (None, Some(_)) => Timestamp::now().as_millisecond(),
        (None, None) => ledger.last_sign_ms(record.id)?.unwrap_or(record.started_ms),
    };
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
        seconds: std::time::Duration::from_millis(u64::try_from(until - record.started_ms).unwrap_or(0)).as_secs_f64(),
        stopped_by: record.stopped_by.clone(),
        problems: problems(settings, &ledger, record.id)?,
        exit: exit.code(),
        ..Document::default()
    };
    if settings.format == Format::Json {
        print_json(&document)?;
    } else {
        let mut text = Vec::new();
        let state = match (record.finished_ms, &running) {
            (Some(_), _) => String::new(),
            (None, Some(holder)) => format!(", going on just now ({holder})"),
            (None, None) => ", killed before its end".to_owned(),
        };
        writeln!(text, "{} of {} by {}{state}", record.kind.as_str(), when(record.started_ms), record.user)?;
        if !record.sheets.is_empty() {
            writeln!(text, "sheets: {}", record.sheets.join(", "))?;
        }
        let told = Told {
            already: &[],
            rows_without_order: record.rows_without_order,
            highlights: None,
            why: record.stopped_why.as_deref(),
            running: running.is_some(),
            doubts_besides: ledger.doubts_but_of(record.id)?,
            handed_back: false,
        };
        write_summary(&mut text, &document, told)?;
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
    }
    Ok(exit)
}

/// The problems of a run, where a document is asked for.
fn problems(settings: &Settings, ledger: &Ledger, run: RunId) -> Result<Vec<ProblemEntry>> {
    if settings.format != Format::Json {
        return Ok(Vec::new());
    }
    let words = words(&settings.command);
    Ok(ledger.problems(run)?.into_iter().map(|kept| ProblemEntry::kept(kept, &words)).collect())
}

/// Where the orders of a run stand. What was on the way when a run was killed is in doubt, though the ledger will only
/// say so at the next start.
fn standing(ledger: &Ledger, run: RunId, running: bool) -> Result<Orders> {
    let mut orders = Orders::from(ledger.tally(run)?);
    let on_the_way = if running { 0 } else { ledger.open_attempts(run)?.min(orders.outstanding) };
    orders.outstanding -= on_the_way;
    orders.in_doubt += on_the_way;
    Ok(orders)
}

pub(super) fn runs(settings: &Settings) -> Result<Exit> {
    let ledger = settings.read_ledger()?;
    let records = ledger.runs(RUNS_SHOWN)?;
    let running = holder(&settings.ledger).is_some();
    let mut text = Vec::new();
    let mut entries = Vec::new();
    for record in &records {
        let orders = standing(&ledger, record.id, running)?;
        entries.push(json!({
            "run": record.id.number(),
            "kind": record.kind.as_str(),
            "started": when(record.started_ms),
            "service": record.service,
            "sheets": record.sheets,
            "orders": orders,
            "stopped_by": record.stopped_by,
        }));
        let failed = orders.invalid + orders.rejected + orders.refused;
        writeln!(
            text,
            "{:>5}  {}  {:<6}  {:>6} of {} booked, {failed} failed, {} in doubt, {} outstanding  {}",
            record.id.number(),
            when(record.started_ms),
            record.kind.as_str(),
            orders.booked + orders.already_booked,
            orders.total,
            orders.in_doubt,
            orders.outstanding,
            record.sheets.join(", ")
        )?;
    }
    if settings.format == Format::Json {
        print_json(&entries)?;
    } else if records.is_empty() {
        note(format!("no run yet in this ledger; begin with `{} import`", settings.command));
    } else {
        print(&text)?;
    }
    Ok(Exit::Done)
}

/// Says of an order that it was invalid when it came last, and what to do.
pub(super) fn never_sent(settings: &Settings, number: &str, left: &LeftInvalid) -> String {
    let (command, run) = (&settings.command, left.run.number());
    format!(
        "order {number} was never sent: in run {run} it was invalid ({}). `{command} export {run} --to invalid.xlsx --state \
         invalid` says why; correct the sheet and import it again",
        left.rows
    )
}

pub(super) fn show(settings: &Settings, number: &str) -> Result<Exit> {
    let ledger = settings.read_ledger()?;
    let mut histories = ledger.order(number)?;
    if histories.is_empty() {
        if let Some(left) = ledger.left_invalid(number)? {
            bail!(never_sent(settings, number, &left));
        }
        bail!("no order {number} in this ledger");
    }
    for history in histories.iter_mut().filter(|history| history.state == State::Sending.as_str()) {
        // Nobody waits for the answer any more; the ledger will say so at the next start.
        if holder(&settings.ledger).is_none() {
            State::InDoubt.as_str().clone_into(&mut history.state);
        }
    }
    if settings.format == Format::Json {
        print_json(&histories)?;
        return Ok(Exit::Done);
    }
    let mut text = Vec::new();
    for history in &histories {
        write_history(&mut text, history)?;
    }
    print(&text)?;
    Ok(Exit::Done)
}

fn write_history(out: &mut Vec<u8>, history: &OrderHistory) -> Result<()> {
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
    if history.old_answer {
        writeln!(
            out,
            "  warning: the service answered with a shipment older than our request; it may be an earlier one"
        )?;
    }
    let mut events = events(history);
    // Equal moments stay in the order in which they lead to each other.
    events.sort_by_key(|(ms, _)| *ms);
    for (ms, text) in events {
        writeln!(out, "  {}  {text}", when(ms))?;
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

/// A moment in the zone of whoever reads.
pub(super) fn when(ms: i64) -> String {
    Timestamp::from_millisecond(ms).map_or_else(
        |_| ms.to_string(),
        |moment| moment.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S").to_string(),
    )
}
