//! The end of every run that sent, or could have sent: the report comes first, whatever else fails.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use crate::app::{Ended, Exit, Standing, Trouble};
use crate::book::Unsaved;
use crate::cli::screen::{Highlights, Progress, Told, write_summary};
use crate::event::Stream;
use crate::finding::service::answer_not_saved;
use crate::finding::{Command, Remedy, english};
use crate::report::{self, Orders, ProblemEntry};
use crate::text::count;

use super::console::{note, print, progress_style};
use super::document::{Kind, print_document};
use super::global::{Format, Verbosity};
use super::remedy::words;
use super::settings::Settings;

/// The document of `import`, `check`, `resume`, `retry` and `status`: the rows that were read, where every order
/// stands, and every problem.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "A run")]
pub(super) struct Document<'r> {
    #[serde(flatten)]
    run: &'r report::Document,
    #[serde(flatten)]
    since: Option<Since<'r>>,
    exit: Exit,
}

/// The end of the document of `status`.
#[derive(Serialize, JsonSchema)]
pub(super) struct Since<'s> {
    /// Where its orders stood when the run ended; `orders` says where they stand now. Only `status` prints it; null
    /// while the run goes on, and of runs that an earlier version recorded.
    pub(super) orders_at_end: Option<Orders>,
    /// The open orders of the whole ledger, over all runs. Only `status` prints them.
    pub(super) ledger: &'s Standing,
    /// Sheets of a watched folder that were filed for a person, of which nothing was sent, and which lie there still,
    /// by their paths. Only `status` prints them, and only that of the whole ledger has any.
    #[schemars(with = "Vec<String>")]
    pub(super) held_sheets: &'s [PathBuf],
}

/// Prints the document of a run.
pub(super) fn print_run(run: &report::Document, since: Option<Since<'_>>, exit: Exit) -> Result<()> {
    print_document(Kind::Run, &Document { run, since, exit })
}

/// What a run is reported with, beside how it ended.
#[derive(Default)]
pub(super) struct Conclusion {
    /// Sheets, rows, lines and problems; the rest is filled in here.
    pub(super) document: report::Document,
    /// Orders in doubt that were asked for and are not among the run's own.
    pub(super) doubts_besides: u64,
    /// Whether other stations are sending orders that were asked for.
    pub(super) sent_by_others: bool,
    /// The flags that read the run's sheets.
    pub(super) how_read: String,
}

/// What happens in a command, as its terminal shows it.
pub(super) fn events(settings: &Settings) -> Stream<Progress> {
    settings.app.events(Progress::new(progress_style(settings.verbosity), settings.verbosity == Verbosity::Verbose))
}

/// Seconds since a session began.
pub(super) fn seconds(started: Instant) -> f64 {
    (started.elapsed().as_secs_f64() * 1000.0).round() / 1000.0
}

/// Prints the document, or the summary, and gives the exit code.
pub(super) fn conclude(
    settings: &Settings,
    conclusion: Conclusion,
    ended: &Ended<'_>,
    highlights: &Highlights,
) -> Result<Exit> {
    let Conclusion { mut document, doubts_besides, sent_by_others, how_read } = conclusion;
    for trouble in &ended.troubles {
        note(match trouble {
            Trouble::Uncounted(error) => {
                format!(
                    "warning: the ledger cannot be read, so the counts below are only what this process saw: {error}"
                )
            }
            Trouble::Unrecorded(error) => {
                format!("warning: the end of run {} could not be recorded: {error}", ended.run)
            }
        });
    }
    let exit = match ended.exit() {
        _ if doubts_besides > 0 => Exit::InDoubt,
        Exit::Done | Exit::SomeFailed if sent_by_others => Exit::Outstanding,
        exit => exit,
    };
    document.run = Some(ended.run);
    document.orders = ended.orders;
    document.requests = ended.requests;
    document.seconds = seconds(ended.started);
    document.stopped_by = ended.stopped.as_ref().map(|(by, _)| by.as_str().to_owned());
    document.stopped_why = ended.stopped.as_ref().map(|(_, why)| why.clone());
    document.problems.extend(unsaved(settings, ended));
    let unbalanced = ended.balance().err();
    if settings.format == Format::Json {
        let mut told = exit;
        if let Some(error) = &unbalanced {
            // No second document comes behind this one, so this one says how it ends.
            document.problems.push(ProblemEntry::error("could-not-run", None, error.to_string(), String::new()));
            told = Exit::CouldNotRun;
        }
        print_run(&document, None, told)?;
    } else if !settings.is_quiet() {
        let mut text = Vec::new();
        let told = Told {
            already: &ended.counts.ledger.already_booked,
            rows_without_order: ended.counts.gathered.rows_without_order,
            highlights: Some(highlights),
            why: ended.stopped.as_ref().map(|(_, why)| why.as_str()),
            running: false,
            doubts_besides,
            how_read: &how_read,
        };
        write_summary(&mut text, &document, told)?;
        write_next(&mut text, &settings.command, &document, &told)?;
        print(&text)?;
    }
    unbalanced.map_or(Ok(exit), |error| Err(error.into()))
}

/// The end of a command that a person said no to: its document says so.
pub(super) fn declined(settings: &Settings, left: &str, mut document: report::Document) -> Result<Exit> {
    let exit = Exit::CouldNotRun;
    if settings.format == Format::Json {
        document.problems.push(ProblemEntry::error("could-not-run", None, left.to_owned(), String::new()));
        print_run(&document, None, exit)?;
    }
    Ok(exit)
}

/// Answers that the ledger could not take: said on standard error too, where no pipe swallows them.
fn unsaved(settings: &Settings, ended: &Ended<'_>) -> Vec<ProblemEntry> {
    if ended.unsaved.is_empty() {
        return Vec::new();
    }
    let problem = match &ended.spool {
        Some(spool) => answer_not_saved::kept_beside(spool.display().to_string(), Remedy::run(Command::Resume)),
        None => answer_not_saved::kept_nowhere(Remedy::run(Command::ListDoubts)),
    };
    let words = words(&settings.command);
    note(format!("error: {}:", english::message(&problem)));
    let entry = |unsaved: &Unsaved| {
        note(format!("  order {}: {}", unsaved.order, unsaved.answer));
        let of_order = problem.clone().of_order(unsaved.order.clone()).found(unsaved.answer.clone());
        ProblemEntry::of(&of_order, &words)
    };
    let entries = ended.unsaved.iter().map(entry).collect();
    note(english::advice(&problem, &*words));
    entries
}

/// The next step for a person.
pub(super) fn write_next(
    out: &mut dyn Write,
    command: &str,
    document: &report::Document,
    told: &Told<'_>,
) -> io::Result<()> {
    let orders = document.orders;
    let invalid = orders.invalid + orders.held + told.rows_without_order;
    let run = document.run.map(|run| format!(" --run {run}")).unwrap_or_default();
    if orders.in_doubt > 0 {
        writeln!(
            out,
            "next: `{command} doubt list` shows what to look for; nothing in doubt is ever sent again by itself"
        )?;
    }
    if told.doubts_besides > 0 {
        let besides = count(told.doubts_besides, "order");
        writeln!(out, "next: {besides} of other runs in doubt as well: `{command} doubt list`")?;
    }
    if told.running {
        return writeln!(
            out,
            "next: nothing to do while it is booked; `{command} status{run}` again shows how far it is"
        );
    }
    if orders.outstanding > 0 {
        writeln!(out, "next: `{command} resume{run}` goes on with what is outstanding")?;
    }
    let failed = orders.rejected + orders.refused;
    if invalid + failed > 0 {
        writeln!(
            out,
            "next: `{command} rejects{run}{} --to fix.xlsx` writes the rows to correct, with what is wrong;\n      \
             correct them there and import that file; what is booked is not sent twice",
            told.how_read
        )?;
    }
    if failed > 0 {
        let failed = count(failed, "order");
        writeln!(out, "next: `{command} retry{run}` sends {failed} again, unchanged, once the cause is gone")?;
    }
    if orders.in_doubt + orders.outstanding + failed + invalid == 0 && orders.total > 0 && document.run.is_some() {
        writeln!(out, "next: `{command} export{run} --to results.xlsx` writes every AWB")?;
    }
    Ok(())
}
