//! The end of every run that sent, or could have sent: the report comes first, whatever else fails.

use std::time::Instant;

use anyhow::{Result, bail};

use crate::report::{Document, Orders, ProblemEntry, Told, write_summary};

use super::args::Format;
use super::console::{note, print, print_json};
use super::exit::Exit;
use super::session::{Ended, seconds};
use super::settings::{Settings, Verbosity};

/// What a run is reported with, beside how it ended.
pub(super) struct Conclusion<'a> {
    /// Run, sheets, rows, lines and problems; the rest is filled in here.
    pub(super) document: Document,
    /// Orders that were booked before, with their AWBs.
    pub(super) already: &'a [(String, String)],
    /// Filled rows that name no order.
    pub(super) rows_without_order: u64,
    /// Orders in doubt that were asked for and are not among the run's own.
    pub(super) doubts_besides: u64,
    /// Whether rejected rows are written to a file of their own.
    pub(super) handed_back: bool,
    pub(super) started: Instant,
}

/// Prints the document, or the summary, and gives the exit code.
pub(super) fn conclude(settings: &Settings, conclusion: Conclusion<'_>, ended: &Ended) -> Result<Exit> {
    let Conclusion { mut document, already, rows_without_order, doubts_besides, handed_back, started } = conclusion;
    let orders = Orders::from(ended.tally);
    let mut exit = Exit::of(&orders, rows_without_order, ended.requests == 0);
    if doubts_besides > 0 {
        exit = Exit::InDoubt;
    }
    document.orders = orders;
    document.requests = ended.requests;
    document.seconds = seconds(started);
    document.stopped_by = ended.stopped.as_ref().map(|(by, _)| by.clone());
    document.problems.extend(unsaved(settings, ended));
    document.exit = exit.code();
    if settings.format == Format::Json {
        print_json(&document)?;
    } else if settings.verbosity != Verbosity::Quiet {
        let mut text = Vec::new();
        let why = ended.stopped.as_ref().map(|(_, why)| why.as_str());
        let command = &settings.command;
        let highlights = Some(&ended.highlights);
        let told =
            Told { command, already, rows_without_order, highlights, why, running: false, doubts_besides, handed_back };
        write_summary(&mut text, &document, told)?;
        print(&text)?;
    }
    if !orders.balanced() {
        let run = document.run.unwrap_or_default();
        bail!(
            "the counts of run {run} do not add up ({orders:?}): this is a fault of the program, please report it; \
             each order's own record is right, see `{} export {run} --to results.csv`",
            settings.command
        );
    }
    Ok(exit)
}

/// Answers that the ledger could not take: said on standard error too, where no pipe swallows them.
fn unsaved(settings: &Settings, ended: &Ended) -> Vec<ProblemEntry> {
    if ended.unsaved.is_empty() {
        return Vec::new();
    }
    let (message, hint) = match &ended.spool {
        Some(spool) => (
            "the service answered, and the ledger could not take the answer; it is kept beside it".to_owned(),
            format!(
                "nothing is lost: {} keeps it, and the next start takes it up; make room on the disk or mend it, then \
                 `{} resume`",
                spool.display(),
                settings.command
            ),
        ),
        None => (
            "the service answered, and the ledger could not keep the answer".to_owned(),
            format!(
                "write it down: nothing else has it; mend the disk, then settle the order as `{} doubt list` shows",
                settings.command
            ),
        ),
    };
    note(format!("error: {message}:"));
    let entry = |unsaved: &crate::book::Unsaved| {
        note(format!("  order {}: {}", unsaved.order, unsaved.answer));
        ProblemEntry {
            code: "answer-not-saved".to_owned(),
            severity: "error".to_owned(),
            place: None,
            order: Some(unsaved.order.clone()),
            field: None,
            found: Some(unsaved.answer.clone()),
            message: message.clone(),
            hint: hint.clone(),
        }
    };
    let entries = ended.unsaved.iter().map(entry).collect();
    note(hint.clone());
    entries
}
