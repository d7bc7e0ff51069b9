//! The end of every run that sent, or could have sent: the report comes first, whatever else fails.

use std::time::Instant;

use anyhow::{Result, bail};

use crate::finding::service::answer_not_saved;
use crate::finding::{Command, Remedy, english};
use crate::report::{Document, Orders, ProblemEntry, Told, write_summary};

use super::args::Format;
use super::console::{note, print, print_json};
use super::exit::Exit;
use super::next::write_next;
use super::remedy::words;
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
        let highlights = Some(&ended.highlights);
        let told = Told { already, rows_without_order, highlights, why, running: false, doubts_besides, handed_back };
        write_summary(&mut text, &document, told)?;
        write_next(&mut text, &settings.command, &document, &told)?;
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
    let problem = match &ended.spool {
        Some(spool) => answer_not_saved::kept_beside(spool.display().to_string(), Remedy::run(Command::Resume)),
        None => answer_not_saved::kept_nowhere(Remedy::run(Command::ListDoubts)),
    };
    let words = words(&settings.command);
    note(format!("error: {}:", english::message(&problem)));
    let entry = |unsaved: &crate::book::Unsaved| {
        note(format!("  order {}: {}", unsaved.order, unsaved.answer));
        let of_order = problem.clone().of_order(unsaved.order.clone()).found(unsaved.answer.clone());
        ProblemEntry::of(&of_order, &words)
    };
    let entries = ended.unsaved.iter().map(entry).collect();
    note(english::advice(&problem, &*words));
    entries
}
