//! `status`, `runs` and `show`: read while a run goes on, and write nothing.

use std::io::Write;

use anyhow::{Result, bail};
use jiff::Timestamp;
use serde_json::json;

use crate::ledger::{Ledger, OrderHistory, RunId, RunRecord};
use crate::report::{Document, Orders, RowCounts, Told, write_summary};

use super::args::Format;
use super::console::{note, print, print_json};
use super::exit::Exit;
use super::settings::Settings;

/// Runs that `runs` lists.
const RUNS_SHOWN: usize = 50;

/// The named run, or the latest.
pub(super) fn find_run(ledger: &Ledger, run: Option<i64>) -> Result<RunRecord> {
    match (ledger.find_run(run.map(RunId::from_number))?, run) {
        (Some(record), _) => Ok(record),
        (None, Some(run)) => bail!("no run {run} in this ledger; `runs` lists them"),
        (None, None) => bail!("no run yet in this ledger; begin with `import`"),
    }
}

pub(super) fn status(settings: &Settings, run: Option<i64>) -> Result<Exit> {
    let ledger = Ledger::open_read_only(&settings.ledger)?;
    let record = find_run(&ledger, run)?;
    let tally = ledger.tally(record.id)?;
    let orders = Orders::from(tally);
    let exit = Exit::of(&orders, record.rows_without_order, record.requests == 0);
    let finished = record.finished_ms.unwrap_or_else(|| Timestamp::now().as_millisecond());
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
        seconds: std::time::Duration::from_millis(u64::try_from(finished - record.started_ms).unwrap_or(0))
            .as_secs_f64(),
        stopped_by: record.stopped_by.clone(),
        problems: if settings.format == Format::Json {
            ledger.problems(record.id)?.into_iter().map(Into::into).collect()
        } else {
            Vec::new()
        },
        exit: exit.code(),
        ..Document::default()
    };
    if settings.format == Format::Json {
        print_json(&document)?;
    } else {
        let mut text = Vec::new();
        let state = if record.finished_ms.is_some() { "" } else { ", not finished" };
        writeln!(text, "{} of {} by {}{state}", record.kind.as_str(), when(record.started_ms), record.user)?;
        if !record.sheets.is_empty() {
            writeln!(text, "sheets: {}", record.sheets.join(", "))?;
        }
        let told = Told {
            command: &settings.command,
            already: &[],
            rows_without_order: record.rows_without_order,
            highlights: None,
            why: None,
        };
        write_summary(&mut text, &document, told)?;
        if let Some(by) = &record.stopped_by {
            writeln!(text, "stopped by: {by}")?;
        }
        print(&text)?;
    }
    Ok(exit)
}

pub(super) fn runs(settings: &Settings) -> Result<Exit> {
    let ledger = Ledger::open_read_only(&settings.ledger)?;
    let records = ledger.runs(RUNS_SHOWN)?;
    let mut text = Vec::new();
    let mut entries = Vec::new();
    for record in &records {
        let orders = Orders::from(ledger.tally(record.id)?);
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
        note("no run yet in this ledger; begin with `import`");
    } else {
        print(&text)?;
    }
    Ok(Exit::Done)
}

pub(super) fn show(settings: &Settings, number: &str) -> Result<Exit> {
    let ledger = Ledger::open_read_only(&settings.ledger)?;
    let histories = ledger.order(number)?;
    if histories.is_empty() {
        bail!("no order {number} in this ledger");
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
    for request in &history.requests {
        let hash = request.sha256.get(..12).unwrap_or(&request.sha256);
        writeln!(out, "  {}  staged from {} (request {hash})", when(request.staged_ms), request.rows)?;
    }
    for attempt in &history.attempts {
        let status = attempt.status.map(|status| format!(", HTTP {status}")).unwrap_or_default();
        let outcome = attempt.outcome.as_deref().unwrap_or("sending");
        let reason = attempt.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
        writeln!(
            out,
            "  {}  attempt {} in run {}: {outcome}{status}{reason}",
            when(attempt.intent_ms),
            attempt.n,
            attempt.run
        )?;
    }
    for decision in &history.decisions {
        let because = decision.because.as_ref().map(|because| format!(", because: {because}")).unwrap_or_default();
        let (user, host) = (&decision.user, &decision.host);
        writeln!(out, "  {}  {} by {user} on {host}{because}", when(decision.at_ms), decision.verb)?;
    }
    Ok(())
}

/// A moment in the zone of whoever reads.
pub(super) fn when(ms: i64) -> String {
    Timestamp::from_millisecond(ms).map_or_else(
        |_| ms.to_string(),
        |moment| moment.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S").to_string(),
    )
}
