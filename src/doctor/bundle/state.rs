//! What a helper needs to see of the ledger: how it is, what is open in it, why orders failed, and its latest runs.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use jiff::Timestamp;

use crate::app::{App, Open, Result, RunEntry, host};
use crate::ledger::Ledger;
use crate::report::Orders;
use crate::text::{count, error_chain, moment};

use super::super::machine::age;
use super::mask::{self, Mask};

/// Runs that are told.
const RUNS: usize = 20;

/// Writes a section.
type Part = fn(&mut Mask, &App, &Ledger, Timestamp) -> Result<String>;

const PARTS: [(&str, Part); 5] =
    [("ledger", looked_through), ("status", open), ("errors", errors), ("runs", runs), ("last sheet", last_sheet)];

/// The sections about the ledger, each with its title; an error where there is nothing to read.
pub(super) fn sections(mask: &mut Mask, app: &App, now: Timestamp) -> Vec<(&'static str, String)> {
    let ledger = match app.read_ledger() {
        Ok(ledger) => ledger,
        Err(error) => return vec![("ledger", format!("{}{}\n", layout(app), mask.text(&error_chain(&error))))],
    };
    let told = |(title, part): (&'static str, Part)| {
        let text = part(mask, app, &ledger, now);
        (title, text.unwrap_or_else(|error| format!("{}\n", mask.text(&error_chain(&error)))))
    };
    PARTS.into_iter().map(told).collect()
}

/// Which layout it has; nothing where that cannot be read, which is told elsewhere.
fn layout(app: &App) -> String {
    Ledger::layout_at(app.config().site())
        .map(|(found, known)| format!("layout {found}; this program writes {known}\n"))
        .unwrap_or_default()
}

fn looked_through(mask: &mut Mask, app: &App, ledger: &Ledger, _: Timestamp) -> Result<String> {
    let (checked, mut text) = (ledger.check()?, layout(app));
    // Writing into text cannot fail.
    let _ = writeln!(
        text,
        "{}, {}, {} of evidence",
        count(checked.orders, "order"),
        count(checked.attempts, "attempt"),
        count(checked.evidence, "link")
    );
    if checked.faults.is_empty() {
        text.push_str("sound\n");
    }
    for fault in &checked.faults {
        let _ = writeln!(text, "wrong: {}", mask.text(fault));
    }
    if ledger.copy_of(&host())?.is_some() {
        text.push_str("a copy: the ledger itself is elsewhere\n");
    }
    let accepted = count(checked.acceptances.len() as u64, "time");
    let _ = writeln!(text, "accepted by a person: {accepted}");
    if app.config().site().is_shared() {
        for station in ledger.stations()? {
            let on = mask.named("host", &station.host);
            let _ = writeln!(text, "station {} on {on}, heard {}", station.number, moment(station.heard_ms));
        }
    }
    Ok(text)
}

fn open(mask: &mut Mask, app: &App, ledger: &Ledger, now: Timestamp) -> Result<String> {
    let (standing, mut text) = (app.standing(ledger)?, String::new());
    for (what, open) in [("in doubt", &standing.in_doubt), ("outstanding", &standing.outstanding)] {
        let _ = writeln!(text, "{what}: {}", orders(mask, open, now));
    }
    let _ = writeln!(text, "rejected or refused: {}", count(standing.failed_orders(), "order"));
    let held = app.held_sheets(ledger)?.len();
    let _ = writeln!(text, "sheets of a watched folder of which nothing was sent: {held}");
    if let Some(holder) = app.holder() {
        let _ = writeln!(text, "in use just now: {}", mask.text(&holder));
    }
    Ok(text)
}

/// How many orders, the first of them, and how old the oldest is.
fn orders(mask: &mut Mask, open: &Open, now: Timestamp) -> String {
    let named: Vec<String> = open.named.iter().map(|number| mask.named("order", number)).collect();
    let named = if named.is_empty() { String::new() } else { format!(" ({})", named.join(", ")) };
    let oldest = open.oldest_ms.map(|ms| format!(", the oldest {}", age(ms, now))).unwrap_or_default();
    format!("{}{named}{oldest}", count(open.orders, "order"))
}

/// Why orders failed, and why orders are in doubt, the most frequent cause first.
fn errors(mask: &mut Mask, app: &App, ledger: &Ledger, now: Timestamp) -> Result<String> {
    let (standing, mut text) = (app.standing(ledger)?, String::new());
    for cause in &standing.failed {
        let (said, of) = (mask.text(&cause.cause), orders(mask, &cause.open, now));
        let _ = writeln!(text, "{} {}: {said}\n    {of}", cause.state, cause.id);
    }
    if standing.failed_otherwise > 0 {
        let _ = writeln!(text, "for other causes: {}", count(standing.failed_otherwise, "order"));
    }
    let mut doubts: BTreeMap<String, u64> = BTreeMap::new();
    for doubt in ledger.doubts()? {
        *doubts.entry(mask.text(&doubt.error.unwrap_or_default())).or_default() += 1;
    }
    let mut doubts: Vec<(String, u64)> = doubts.into_iter().collect();
    doubts.sort_by_key(|(_, orders)| std::cmp::Reverse(*orders));
    for (said, orders) in doubts {
        let _ = writeln!(text, "in doubt: {said}\n    {}", count(orders, "order"));
    }
    Ok(if text.is_empty() { "none\n".to_owned() } else { text })
}

fn runs(mask: &mut Mask, app: &App, ledger: &Ledger, _: Timestamp) -> Result<String> {
    let mut text = String::new();
    for RunEntry { record, orders, .. } in app.runs(ledger, RUNS)? {
        let ended = record.finished_ms.map_or_else(|| "no end".to_owned(), moment);
        let (user, host) = (mask.named("user", &record.user), mask.named("host", &record.host));
        let (number, kind) = (record.id.number(), record.kind.as_str());
        let _ = writeln!(
            text,
            "{number} {kind} {} to {ended} by {user} on {host}, {}",
            moment(record.started_ms),
            service(mask, &record.service)
        );
        let _ = writeln!(
            text,
            "    {}; rows {} read, {} without an order; requests {}",
            tally(orders),
            record.rows_read,
            record.rows_without_order,
            record.requests
        );
        let sheets: Vec<String> = record.sheets.iter().map(|sheet| mask.path(Path::new(sheet))).collect();
        if !sheets.is_empty() {
            let _ = writeln!(text, "    sheets: {}", sheets.join(", "));
        }
        if let Some(by) = &record.stopped_by {
            let why = record.stopped_why.as_deref().unwrap_or_default();
            let _ = writeln!(text, "    stopped by {}: {}", mask.text(by), mask.text(why));
        }
    }
    Ok(if text.is_empty() { "none\n".to_owned() } else { text })
}

/// A service by its key: an address, or the word for the stand-in.
fn service(mask: &Mask, key: &str) -> String {
    if key.contains("://") { mask.address(key) } else { mask::words_of(key) }
}

/// Where the orders of a run stand now.
fn tally(orders: Orders) -> String {
    let parts = [
        ("booked", orders.booked),
        ("booked before", orders.already_booked),
        ("invalid", orders.invalid),
        ("rejected", orders.rejected),
        ("refused", orders.refused),
        ("in doubt", orders.in_doubt),
        ("outstanding", orders.outstanding),
        ("held", orders.held),
        ("left out", orders.left_out),
        ("given up", orders.abandoned),
        ("dismissed", orders.dismissed),
    ];
    let parts = parts.into_iter().filter(|(_, number)| *number > 0).map(|(word, number)| format!("{number} {word}"));
    format!("{}: {}", count(orders.total, "order"), parts.collect::<Vec<_>>().join(", "))
}

fn last_sheet(_: &mut Mask, app: &App, ledger: &Ledger, _: Timestamp) -> Result<String> {
    let Some(sheet) = app.last_sheet(ledger)? else { return Ok("none that still lies there\n".to_owned()) };
    let mut text = format!("of run {}: {}, headers in row {}\n", sheet.run, mask::words_of(&sheet.format), sheet.row);
    if mask::is_order(&sheet.headers) {
        let columns = count(sheet.headers.len() as u64, "column");
        let _ = writeln!(text, "the first row looks like an order, so it is not shown: {columns}");
        return Ok(text);
    }
    for (number, header) in (1..).zip(&sheet.headers) {
        let _ = writeln!(text, "  {number}. {}", mask::header(header));
    }
    Ok(text)
}
