//! `status`: where a run and the whole ledger stand, read while a run goes on.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::app::{Error, Exit, FailedCause, Open, RunStatus, Standing, ToFixIn};
use crate::cli::screen::{Told, write_summary};
use crate::ledger::{Ledger, LedgerError, RunId};
use crate::report::{Document, Orders, ProblemEntry, RowCounts};
use crate::text::{count, moment, shortened};

use super::conclude::{Since, print_run, write_next};
use super::console::{note, print};
use super::errors::hint;
use super::global::Format;
use super::remedy::words;
use super::session::older_database;
use super::settings::Settings;

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

#[derive(Debug, Args)]
pub(super) struct Status {
    /// The run [default: the whole ledger, and its latest run]
    #[arg(long, value_name = "N")]
    run: Option<i64>,
}

pub(super) fn status(settings: &Settings, arguments: &Status) -> Result<Exit> {
    let run = arguments.run;
    let ledger = match opened(settings) {
        Err(error) if run.is_none() && is_missing(&error) => return nothing_booked(settings, None),
        opened => opened?,
    };
    let standing = settings.app.standing(&ledger)?;
    let status = match settings.app.run_status(&ledger, run) {
        Err(Error::NoRunYet) => return nothing_booked(settings, Some(&ledger)),
        status => status?,
    };
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
        ..Document::default()
    };
    if settings.format == Format::Json {
        let since = Since { orders_at_end: at_end, ledger: &standing, held_sheets: &held };
        print_run(&document, Some(since), exit)?;
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
        how_read: "",
    };
    write_summary(&mut text, &document, told)?;
    if let Some(at_end) = at_end.filter(|at_end| *at_end != orders) {
        write_since(&mut text, &at_end, &orders)?;
    }
    write_next(&mut text, &settings.command, &document, &told)?;
    print(&text)?;
    Ok(exit)
}

/// Whether there is no ledger yet.
fn is_missing(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(Error::Ledger(LedgerError::Missing(_))))
}

/// A ledger without a run, or none at all: that is no failure.
fn nothing_booked(settings: &Settings, ledger: Option<&Ledger>) -> Result<Exit> {
    let held = ledger.map(|ledger| settings.app.held_sheets(ledger)).transpose()?.unwrap_or_default();
    let exit = if held.is_empty() { Exit::Done } else { Exit::SomeFailed };
    if settings.format == Format::Json {
        let since = Since { orders_at_end: None, ledger: &Standing::default(), held_sheets: &held };
        print_run(&Document::default(), Some(since), exit)?;
        return Ok(exit);
    }
    let mut text = Vec::new();
    write_held(&mut text, &held)?;
    let place = match ledger {
        Some(_) => String::new(),
        None => format!(": there is no ledger at {}", settings.config().site().named()),
    };
    let practised =
        if settings.config().has_practised() { " (what was practised is shown with --sandbox)" } else { "" };
    writeln!(
        text,
        "nothing was booked yet{place}{practised}\nnext: `{} import SHEET` books a sheet",
        settings.command
    )?;
    print(&text)?;
    Ok(exit)
}

/// The gravest of what the whole ledger has open and of the run; of a run that was named, its own.
fn exit(standing: &Standing, status: &RunStatus, is_named: bool, has_held: bool) -> Exit {
    let (whole, run) = (standing.exit(), status.exit());
    match if is_named || run == Exit::InDoubt || whole == Exit::Done { run } else { whole } {
        Exit::Done if has_held || (!is_named && !standing.to_fix.is_empty()) => Exit::SomeFailed,
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
    let Standing { outstanding, in_doubt, held, failed, failed_otherwise, to_fix, .. } = standing;
    let failed_orders = standing.failed_orders();
    writeln!(
        out,
        "the whole ledger: {} outstanding{}, {} in doubt{}, {failed_orders} rejected or refused, {} to fix",
        outstanding.orders,
        since(outstanding),
        in_doubt.orders,
        since(in_doubt),
        standing.orders_to_fix()
    )?;
    if held.orders > 0 {
        let (first, is_one) = (held.named.first().map_or("", String::as_str), held.orders == 1);
        writeln!(
            out,
            "  {:>6}  held by a newer sheet, an open one or a question: {}{}\n          `{} show {}` says why, and what lets {} go",
            held.orders,
            named(held),
            since(held),
            settings.command,
            crate::text::shell_quoted(first),
            if is_one { "it" } else { "each" }
        )?;
    }
    for FailedCause { state, cause, id, open, .. } in failed {
        writeln!(out, "  {:>6}  {state}: {} ({}){}", open.orders, shortened(cause, 100), named(open), since(open))?;
        writeln!(out, "          once that is mended: `{} retry --cause {id}`", settings.command)?;
    }
    if *failed_otherwise > 0 {
        writeln!(out, "  {failed_otherwise:>6}  for other causes")?;
    }
    for ToFixIn { run, open } in to_fix {
        writeln!(out, "  {:>6}  to fix of run {run}: {}{}", open.orders, named(open), since(open))?;
        writeln!(out, "          `{} rejects --run {run} --to fix.xlsx` writes their rows", settings.command)?;
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

/// The first of them by number, and how many more there are.
fn named(open: &Open) -> String {
    let (named, more) = (open.named.join(", "), open.orders - open.named.len() as u64);
    if more > 0 { format!("{named} and {more} more") } else { named }
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
        ("held", at_end.held, now.held),
        ("left out", at_end.left_out, now.left_out),
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
