//! One sheet, from reading it to what became of its orders.

use std::path::{Path, PathBuf};

use crate::app::{App, Error, Exit, ImportEnd, ImportOptions, Imported, Misuse, TakenBook, WaitingSheets, Why};
use crate::book::{Stop, StopSignal, StoppedBy};
use crate::config::{BookingOptions, Sheets};
use crate::event::Silent;
use crate::finding::Finding;
use crate::finding::english::{self, Words};
use crate::ledger::{RunId, TakenSheet, Tray};
use crate::log::impersonal;
use crate::report::Orders;
use crate::stage::StageError;
use crate::text::error_chain;

use super::folder::free_name;
use super::told::{ASKED_TO_STOP, Halt};
use super::words::{Report, came_before, counts, to_show};

/// Causes that are named of a sheet whose columns cannot be used; its page has all.
const CAUSES_NAMED: usize = 3;

/// What became of a sheet.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) tray: Tray,
    pub(super) exit: Exit,
    pub(super) run: Option<i64>,
    pub(super) orders: Orders,
    /// In one line.
    pub(super) said: String,
    /// The same with its cause, without anything about people, where `said` does not name it.
    pub(super) cause: Option<String>,
    pub(super) report: Report,
    /// What is filed beside it: what it is, and where it was written.
    pub(super) companions: Vec<(&'static str, PathBuf)>,
    /// Why no further sheet is worth trying, where none is.
    pub(super) halt: Option<String>,
    /// Whether a person's limit stopped it: what is left waits for a person.
    pub(super) is_limited: bool,
}

impl Outcome {
    fn of(tray: Tray, exit: Exit, said: impl Into<String>) -> Self {
        let (run, orders, report, companions) = (None, Orders::default(), Report::default(), Vec::new());
        let (cause, halt, is_limited) = (None, None, false);
        Self { tray, exit, run, orders, said: said.into(), cause, report, companions, halt, is_limited }
    }

    fn unreadable(error: &Error, working: &Path) -> Self {
        let mut outcome = Self::of(Tray::Failed, Exit::SheetProblems, "nothing was sent, the sheet cannot be used");
        let why = error_chain(error).replace(&*working.to_string_lossy(), "it");
        outcome.cause = Some(format!("nothing was sent: {}", impersonal(&why)));
        outcome.report.line(error_chain(error));
        outcome
    }

    /// Of a sheet that the program hit a fault of its own at.
    pub(super) fn fault(sheet: &TakenSheet, orders: Orders, command: &str, words: &Words) -> Self {
        let run = sheet.run.map(RunId::number);
        let said = match run {
            Some(_) => "the program hit a fault of its own at it; what was booked of it is recorded",
            None => "the program hit a fault of its own at it; nothing was sent",
        };
        let mut outcome = Self { run, orders, ..Self::of(Tray::Attention, Exit::CouldNotRun, said) };
        if orders.outstanding > 0 {
            outcome.report.next(format!("`{command} resume` sends what is outstanding"));
        }
        let run = run.map(|run| format!("`{}` says what was booked of it; ", to_show(run, words)));
        outcome
            .report
            .next(format!("{}report the fault, with the line that the night printed", run.unwrap_or_default()));
        outcome
    }

    /// Of a file without a single byte: whoever copied it here was cut off, or saved nothing.
    fn empty() -> Self {
        let mut outcome = Self::of(Tray::Failed, Exit::SheetProblems, "nothing was sent, the file is empty (0 bytes)");
        outcome.report.next("copy the sheet into the folder again, and wait until the copy is complete");
        outcome
    }
}

/// Where results and rows to fix are written before it is known where the sheet goes.
struct Drafts {
    results: PathBuf,
    rejects: PathBuf,
}

impl Drafts {
    /// Beside the claimed sheet, hidden; results in the form of the sheet. What an earlier try left is no use any more, and
    /// what cannot be removed stays as it is.
    fn beside(working: &Path) -> Self {
        let is_text = working
            .extension()
            .is_some_and(|extension| ["csv", "tsv", "txt"].iter().any(|text| extension.eq_ignore_ascii_case(text)));
        let draft = |stem: &str, ending: &str| {
            let is_free = |name: &str| {
                let path = working.with_file_name(name);
                let _ = std::fs::remove_file(&path);
                path.symlink_metadata().is_err()
            };
            let name = free_name("", stem, &[ending], is_free).unwrap_or_default();
            working.with_file_name(format!("{name}{ending}"))
        };
        let results = draft(".results", if is_text { ".csv" } else { ".xlsx" });
        Self { results, rejects: draft(".to-fix", ".xlsx") }
    }
}

/// What a sheet is booked with.
pub(super) struct Booker<'b> {
    pub(super) app: &'b App,
    pub(super) book: &'b TakenBook<'b>,
    pub(super) booking: BookingOptions,
    /// The sheets that wait together with it.
    pub(super) together: &'b WaitingSheets,
    /// How people call this program.
    pub(super) command: &'b str,
    /// The words for remedies.
    pub(super) words: &'b Words,
    pub(super) stop: &'b StopSignal,
}

impl Booker<'_> {
    /// Books a claimed sheet, unless it came before or is a person's by now.
    pub(super) fn book(&self, sheet: &TakenSheet, working: &Path) -> Result<Outcome, Halt> {
        if sheet.run.is_none()
            && let Some(earlier) = self.book.earlier(sheet)?
        {
            let mut outcome = Outcome::of(Tray::Attention, Exit::SheetProblems, came_before(&earlier));
            let command = self.command;
            outcome.report.next(format!(
                "if it was put here again to be sent: what is booked stays booked, and `{command} import FILE` sends the rest"
            ));
            return Ok(outcome);
        }
        let over = self.book.taken_over(sheet.id)?;
        if over > 0 {
            let said = format!("a person took up {over} of its outstanding orders meanwhile, so nothing more was sent");
            let mut outcome = Outcome::of(Tray::Attention, Exit::Outstanding, said);
            outcome.report.next(format!("`{} resume` sends what is outstanding", self.command));
            return Ok(outcome);
        }
        self.import(sheet, working)
    }

    fn import(&self, sheet: &TakenSheet, working: &Path) -> Result<Outcome, Halt> {
        if working.metadata().is_ok_and(|metadata| metadata.len() == 0) {
            return Ok(Outcome::empty());
        }
        let sheets = Sheets { is_unattended: true, ..Sheets::of([working]) };
        let mut events = self.app.events(Silent);
        let mut reading = match self.app.read(&sheets, &mut events) {
            Ok(reading) => reading,
            Err(error) if is_of_the_sheet(&error) => return Ok(Outcome::unreadable(&error, working)),
            Err(error) => return Err(halted(error)),
        };
        let words = self.words;
        if reading.is_unusable() {
            let mut outcome =
                Outcome::of(Tray::Failed, Exit::SheetProblems, "nothing was sent, its columns cannot be used");
            // What is only said keeps nothing back, and what is said of many columns is said once.
            let why = causes_named(reading.problems());
            outcome.cause = Some(format!("nothing was sent: {}", impersonal(&why)));
            reading.problems().iter().for_each(|problem| outcome.report.finding(problem, words));
            return Ok(outcome);
        }
        let drafts = Drafts::beside(working);
        let options = ImportOptions {
            booking: self.booking.clone(),
            rejects: Some(&drafts.rejects),
            results: Some(&drafts.results),
            words: Some(words.clone()),
            together: Some(self.together),
            taken: Some(sheet.id),
            ..ImportOptions::default()
        };
        let mut report = Report::default();
        let say = &mut |finding: &Finding| report.finding(finding, words);
        let (imported, _) = match self.app.import(&mut reading, &options, self.stop.clone(), say, events) {
            Ok(imported) => imported,
            Err(error) if is_of_the_sheet(&error) => {
                return Ok(Outcome { report, ..Outcome::unreadable(&error, working) });
            }
            Err(_) if self.stop.now() != Stop::No => {
                return Err(Halt::Stopped(ASKED_TO_STOP.to_owned()));
            }
            Err(error) => return Err(halted(error)),
        };
        let mut outcome = self.outcome(&imported, report);
        let has_rejects = imported.written.rejects.as_ref().is_some_and(|rejects| rejects.rows > 0);
        for (what, path, is_filed) in
            [("to-fix", drafts.rejects, has_rejects), ("results", drafts.results, outcome.run.is_some())]
        {
            if is_filed && path.exists() {
                outcome.companions.push((what, path));
            } else {
                // Nothing is in it.
                let _ = std::fs::remove_file(path);
            }
        }
        for unwritten in &imported.written.unwritten {
            outcome.report.unwritten(unwritten);
            outcome.exit = Exit::CouldNotRun;
            if outcome.tray == Tray::Done {
                outcome.tray = Tray::Attention;
            }
        }
        Ok(outcome)
    }

    fn outcome(&self, imported: &Imported, report: Report) -> Outcome {
        let exit = imported.exit();
        let ended = match &imported.end {
            ImportEnd::Booked(ended) => ended,
            ImportEnd::Left { why, .. } => {
                let mut report = report;
                let said = match why {
                    Why::Cautions(cautions) => report.cautions(cautions),
                    Why::Invalid => "nothing was sent, not every order is valid".to_owned(),
                    Why::Nothing | Why::Shown | Why::Declined => "nothing was sent".to_owned(),
                };
                return Outcome { report, ..Outcome::of(Tray::Attention, exit, said) };
            }
        };
        let (orders, is_sound) = (ended.orders, ended.troubles.is_empty() && ended.balance().is_ok());
        let (tray, exit) = match exit {
            // Of dismissed rows alone nothing is booked.
            Exit::Done if orders.total == orders.dismissed => (Tray::Attention, Exit::SheetProblems),
            Exit::Done if is_sound => (Tray::Done, exit),
            Exit::Done => (Tray::Attention, Exit::CouldNotRun),
            Exit::SheetProblems => (Tray::Failed, exit),
            _ => (Tray::Attention, exit),
        };
        let said = match orders.total {
            0 => "nothing was sent, no order is in it".to_owned(),
            _ => counts(&orders),
        };
        let mut outcome = Outcome { run: Some(ended.run), orders, report, ..Outcome::of(tray, exit, said) };
        outcome.report.ended(ended, self.command);
        match Stopped::of(ended.stopped.as_ref()) {
            Stopped::No => {}
            Stopped::Limited => outcome.is_limited = true,
            Stopped::Everything(why) => outcome.halt = Some(why),
        }
        outcome
    }
}

/// The first causes that hold a sheet, each once, and how many more there are.
fn causes_named(problems: &[Finding]) -> String {
    let held = problems.iter().filter(|problem| problem.holds()).map(english::message);
    let why: Vec<String> = held.fold(Vec::new(), |mut why, message| {
        if !why.contains(&message) {
            why.push(message);
        }
        why
    });
    let more = match why.len().saturating_sub(CAUSES_NAMED) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    why.into_iter().take(CAUSES_NAMED).collect::<Vec<_>>().join("; ") + &more
}

/// What the end of a run means for those that would follow.
pub(super) enum Stopped {
    /// Nothing: it ended by itself, or by what was wrong with its own orders.
    No,
    /// It sent as much as a person allows, or as much of it failed; what is left waits for a person.
    Limited,
    /// The same would stop them.
    Everything(String),
}

impl Stopped {
    pub(super) fn of(stopped: Option<&(StoppedBy, String)>) -> Self {
        match stopped {
            None | Some((StoppedBy::Refusals, _)) => Self::No,
            Some((StoppedBy::OwnLimit, _)) => Self::Limited,
            Some((_, why)) => Self::Everything(why.clone()),
        }
    }
}

/// An error by which no sheet can be booked, or only this one for now.
fn halted(error: Error) -> Halt {
    let is_of_all = matches!(
        error,
        Error::Config(_)
            | Error::Ledger(_)
            | Error::Stage(StageError::Ledger(_) | StageError::Spool(_) | StageError::Threads(_))
            | Error::Room(_)
            | Error::Client(_)
            | Error::Endpoint(_)
            | Error::Token(_)
            | Error::NewHost(_)
            | Error::NewCommand
            | Error::NoTokenGot(_)
            | Error::TokenRefused { .. }
            | Error::TokenUntried(_)
            | Error::Sandbox(_)
            | Error::Operation(_)
            | Error::Call(_)
            | Error::Book(_)
            | Error::Interrupted
            | Error::Unstoppable(_)
    );
    if is_of_all { error.into() } else { Halt::Sheet(error_chain(&error)) }
}

/// Whether an error is of this sheet, and not of all.
pub(super) const fn is_of_the_sheet(error: &Error) -> bool {
    matches!(
        error,
        Error::Stage(StageError::Sheet(_) | StageError::Changed | StageError::Unbalanced(_))
            | Error::Unusable(_)
            | Error::Changed(_)
            | Error::Misuse(Misuse::DifferentColumns(_))
    )
}
