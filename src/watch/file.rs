//! A sheet goes out of the folder, and with its report to where it belongs. Each step is recorded or a rename, so that a
//! crash behind any of them leaves what the next pass can go on with.

use std::io::Write;
use std::path::{Path, PathBuf};

use jiff::{Timestamp, tz::TimeZone};

use crate::app::{App, Error, Exit, ReportOf, ReportOptions, TakenBook, create_private};
use crate::finding::english::Words;
use crate::ledger::{RunId, TakenSheet, Tray, crash_point};
use crate::overview::{Advice, Foreword, page_of_sheet};
use crate::report::Orders;
use crate::text::error_chain;

use super::book::Outcome;
use super::folder::{
    CLAIM, Folder, FolderError, copy_permissions, digest, free_name, is_open_elsewhere, move_to, parts,
};
use super::told::{FiledSheet, Halt, LeftSheet};
use super::words::{Report, counts, to_show};

/// What the name of the page beside a sheet ends with.
pub const REPORT: &str = ".report.html";

/// What may lie beside a sheet that waits for a person, and its page.
const BESIDE: [&str; 3] = [".results.csv", ".results.xlsx", ".to-fix.xlsx"];

/// A sheet that was taken up once more: where it is worked on, and what it was filed as.
pub(super) struct Again {
    pub(super) working: PathBuf,
    pub(super) was_filed: String,
}

/// What sheets are claimed and filed with.
#[derive(Clone, Copy)]
pub(super) struct Filing<'f> {
    pub(super) folder: &'f Folder,
    pub(super) book: &'f TakenBook<'f>,
    /// This machine's name, as it can stand in the name of a file.
    pub(super) station: &'f str,
    /// The application, and the words of its reports.
    pub(super) app: &'f App,
    pub(super) advice: &'f Advice,
    pub(super) words: &'f Words,
}

impl Filing<'_> {
    /// Takes a sheet that rests out of the folder, unless somebody has it. Gives where it lies now.
    pub(super) fn claim(&self, name: &str) -> Result<Option<PathBuf>, LeftSheet> {
        let left = |why: String, exit| LeftSheet { exit, ..LeftSheet::waiting(name.to_owned(), &why) };
        let path = self.folder.root().join(name);
        if let Some(mark) = self.folder.held_by(name) {
            return Err(left(format!("somebody has it open ({mark})"), Exit::Outstanding));
        }
        if is_open_elsewhere(&path) {
            return Err(left("another program has it open".to_owned(), Exit::Outstanding));
        }
        digest(&path).map_err(|error| left(format!("it cannot be read: {error}"), Exit::CouldNotRun))?;
        let claim = self.folder.free(Tray::Working, &format!("{CLAIM}{name}"));
        match move_to(&path, &claim) {
            Ok(()) => {
                crash_point("watch-claimed");
                Ok(Some(claim))
            }
            // Another watcher was quicker, or whoever put it here took it back.
            Err(_) if !path.exists() => Ok(None),
            Err(error) => Err(left(format!("it cannot be moved: {error}"), Exit::CouldNotRun)),
        }
    }

    /// Records a sheet that was claimed, and gives it its name among those that are worked on. Whoever put one back that came
    /// before wants it sent, so it counts as new, unless a watcher was killed between these two steps. The ledger has its whole
    /// name.
    pub(super) fn begin(&self, claim: &Path, name: &str) -> Result<PathBuf, Halt> {
        let (bytes, sha256) = digest(claim)?;
        if self.book.taken(&sha256)?.is_none_or(|sheet| sheet.is_filed()) {
            self.book.take(name, bytes, sha256)?;
            crash_point("watch-recorded");
        }
        let working = self.folder.free(Tray::Working, name);
        move_to(claim, &working)?;
        Ok(working)
    }

    /// Finds what is recorded of a sheet that is worked on. One that an earlier watcher was about to file is moved there.
    pub(super) fn recorded(&self, name: &str, working: &Path) -> Result<Result<TakenSheet, FiledSheet>, Halt> {
        let (bytes, sha256) = digest(working)?;
        if let Some(sheet) = self.book.taken(&sha256)? {
            let Some(filed) = sheet.filed.as_ref().filter(|filed| filed.tray != Tray::Working) else {
                return Ok(Ok(sheet));
            };
            let to = self.folder.tray(filed.tray).join(&filed.name);
            if filed.tray != Tray::Gone && to.symlink_metadata().is_err() {
                move_to(working, &to)?;
                let run = sheet.run.map(RunId::number);
                let orders = self.orders_of(&sheet)?;
                let left = "filed, as an earlier watcher left it";
                return Ok(Err(FiledSheet {
                    name: sheet.name.clone(),
                    tray: filed.tray,
                    path: Some(self.folder.shown(&to)),
                    run,
                    said: if orders.total > 0 { format!("{}; {left}", counts(&orders)) } else { left.to_owned() },
                    exit: match filed.tray {
                        Tray::Done => Exit::Done,
                        Tray::Failed => Exit::SheetProblems,
                        Tray::Inbox => Exit::Outstanding,
                        _ => Exit::SomeFailed,
                    },
                    orders,
                    beside: Vec::new(),
                }));
            }
        }
        // Somebody laid it here, or changed it since.
        Ok(Ok(self.book.take(name, bytes, sha256)?))
    }

    /// Where the orders of a sheet stand that came to a run.
    pub(super) fn orders_of(&self, sheet: &TakenSheet) -> Result<Orders, Halt> {
        let run = sheet.run.map(RunId::number);
        let status = run.map(|run| self.app.run_status(&self.app.read_ledger()?, Some(run))).transpose()?;
        Ok(status.map(|status| status.orders).unwrap_or_default())
    }

    /// Files a claimed sheet by what became of it, with its report.
    pub(super) fn file(&self, sheet: &TakenSheet, working: &Path, outcome: Outcome) -> Result<FiledSheet, Halt> {
        let Outcome { tray, exit, run, orders, mut said, cause, mut report, companions, .. } = outcome;
        if !working.exists() {
            let exit = if run.is_some() { exit } else { Exit::SheetProblems };
            return self.gone(sheet, exit);
        }
        // Whoever wrote on while it was booked has the whole sheet come again; what is booked stays booked.
        let is_changed = digest(working)?.1 != sheet.sha256;
        if is_changed {
            said.push_str("; it was changed meanwhile, so it goes back into the folder");
        }
        let reported_in = if is_changed { Tray::Attention } else { tray };
        let (_, extension) = parts(&sheet.name);
        let base = self.base(reported_in, sheet, run, &companions);
        let to_path = |rest: &str| self.folder.tray(reported_in).join(format!("{base}{rest}"));
        let to = if is_changed { self.folder.free(Tray::Inbox, &sheet.name) } else { to_path(extension) };
        report.lies_at(working, &to);
        let page = self.page(report.foreword(sheet, self.station, &said, reported_in), run);
        let path = to_path(REPORT);
        write_page(&path, &page)?;
        let mut beside = vec![path];
        for (what, from) in companions {
            let to = to_path(&format!(".{what}{}", parts(&from.to_string_lossy()).1));
            move_to(&from, &to)?;
            beside.push(to);
        }
        for path in &beside {
            copy_permissions(working, path);
        }
        crash_point("watch-handed");
        let tray = if is_changed { Tray::Inbox } else { tray };
        let name = to.file_name().unwrap_or_default().to_string_lossy();
        let cause = cause.as_ref().unwrap_or(&said);
        self.book.file(sheet.id, tray, &name, orders.outstanding, Some(cause))?;
        crash_point("watch-filed");
        move_to(working, &to)?;
        crash_point("watch-moved");
        let beside = beside.iter().map(|path| self.folder.shown(path)).collect();
        // It comes again, and so do results that could not be written of it.
        let is_over = is_changed && matches!(exit, Exit::Done | Exit::CouldNotRun);
        let exit = if is_over { Exit::Outstanding } else { exit };
        let path = Some(self.folder.shown(&to));
        Ok(FiledSheet { name: sheet.name.clone(), tray, path, run, orders, said, exit, beside })
    }

    /// The page beside a sheet: what became of it, with the report of its run.
    fn page(&self, mut foreword: Foreword, run: Option<i64>) -> String {
        let report = run.map(|run| {
            let options = ReportOptions { of: ReportOf::Run(Some(run)), is_masked: false };
            self.app.report(&self.app.read_ledger()?, options, self.words)
        });
        let report = report.transpose().unwrap_or_else(|error: Error| {
            foreword.lines.push(format!("the report of the run could not be made: {}", error_chain(&error)));
            None
        });
        page_of_sheet(&foreword, report.as_ref(), self.advice)
    }

    /// Takes sheets up once more of which nothing is outstanding any more, so that results and folder tell the truth. Gives
    /// what each was filed as, or that it cannot be moved.
    pub(super) fn take_up_again(&self) -> Result<Vec<Result<Again, LeftSheet>>, Halt> {
        let mut again = Vec::new();
        for sheet in self.book.unfinished()? {
            let Some(filed) = sheet.filed.as_ref().filter(|filed| filed.tray == Tray::Attention) else { continue };
            let from = self.folder.tray(Tray::Attention).join(&filed.name);
            // Somebody has seen to it, or is about to.
            if !digest(&from).is_ok_and(|(_, sha256)| sha256 == sheet.sha256) {
                self.book.file(sheet.id, Tray::Gone, &filed.name, 0, None)?;
                continue;
            }
            let working = self.folder.free(Tray::Working, &sheet.name);
            if let Err(error) = move_to(&from, &working) {
                again.push(Err(LeftSheet::stuck(self.folder.shown(&from), &error.to_string())));
                continue;
            }
            let name = working.file_name().unwrap_or_default().to_string_lossy();
            self.book.file(sheet.id, Tray::Working, &name, 0, None)?;
            again.push(Ok(Again { working, was_filed: filed.name.clone() }));
        }
        Ok(again)
    }

    /// Has what lay beside a sheet that waited for a person follow it, once it is done. What cannot follow stays: it keeps
    /// nobody from anything.
    pub(super) fn follows(&self, was_filed: &str) {
        let (base, _) = parts(was_filed);
        let from = |ending: &str| self.folder.tray(Tray::Attention).join(format!("{base}{ending}"));
        for ending in BESIDE.into_iter().filter(|ending| from(ending).exists()) {
            let _ = move_to(&from(ending), &self.folder.free(Tray::Done, &format!("{base}{ending}")));
        }
        // The page of that night says what is not so any more.
        let _ = std::fs::remove_file(from(REPORT));
    }

    /// Puts sheets that waited for a person only because of rows that came corrected in other sheets, and are booked, to those
    /// that are done. To the ledger they are the watcher's no longer: nothing that it knows of them changes.
    pub(super) fn settled_elsewhere(&self) -> Result<Vec<Result<FiledSheet, LeftSheet>>, Halt> {
        let mut settled = Vec::new();
        for sheet in self.book.settled_elsewhere()? {
            let Some(filed) = &sheet.filed else { continue };
            let from = self.folder.tray(Tray::Attention).join(&filed.name);
            // Somebody has seen to it otherwise, or is about to.
            let is_there = digest(&from).is_ok_and(|(_, sha256)| sha256 == sheet.sha256);
            if is_there {
                match self.put_to_done(&sheet, &filed.name) {
                    Err(Halt::Sheet(why)) => {
                        settled.push(Err(LeftSheet::stuck(self.folder.shown(&from), &why)));
                        continue;
                    }
                    put => settled.push(Ok(put?)),
                }
            }
            self.book.file(sheet.id, Tray::Gone, &filed.name, 0, None)?;
        }
        Ok(settled)
    }

    /// Moves a sheet that needs nobody any more, with what lies beside it but for its page, which says what is so by now.
    fn put_to_done(&self, sheet: &TakenSheet, filed: &str) -> Result<FiledSheet, Halt> {
        let said = "every order of it is booked by now, those that were corrected with another sheet".to_owned();
        let from = |name: &str| self.folder.tray(Tray::Attention).join(name);
        let (base, _) = parts(filed);
        let page = self.folder.free(Tray::Done, &format!("{base}{REPORT}"));
        let text =
            page_of_sheet(&Report::default().foreword(sheet, self.station, &said, Tray::Done), None, self.advice);
        write_page(&page, &text)?;
        copy_permissions(&from(filed), &page);
        for name in BESIDE.map(|ending| format!("{base}{ending}")) {
            if from(&name).exists() {
                move_to(&from(&name), &self.folder.free(Tray::Done, &name))?;
            }
        }
        let to = self.folder.free(Tray::Done, filed);
        move_to(&from(filed), &to)?;
        // The page of that night says what is not so any more.
        let _ = std::fs::remove_file(from(&format!("{base}{REPORT}")));
        let (name, run, path) = (sheet.name.clone(), sheet.run.map(RunId::number), Some(self.folder.shown(&to)));
        let (orders, beside) = (Orders::default(), vec![self.folder.shown(&page)]);
        Ok(FiledSheet { name, tray: Tray::Done, path, run, orders, said, exit: Exit::Done, beside })
    }

    /// Notes that a claimed sheet is not there any more.
    pub(super) fn gone(&self, sheet: &TakenSheet, exit: Exit) -> Result<FiledSheet, Halt> {
        self.book.file(sheet.id, Tray::Gone, &sheet.name, 0, None)?;
        let run = sheet.run.map(RunId::number);
        let said = match run {
            Some(run) => format!("somebody took it away while it was worked on: `{}`", to_show(run, self.words)),
            None => "somebody took it away before it was booked; nothing was sent".to_owned(),
        };
        let (name, orders, beside) = (sheet.name.clone(), Orders::default(), Vec::new());
        Ok(FiledSheet { name, tray: Tray::Gone, path: None, run, orders, said, exit, beside })
    }

    /// Time, station, run and name, as nothing in the folder is called yet.
    fn base(&self, tray: Tray, sheet: &TakenSheet, run: Option<i64>, beside: &[(&str, PathBuf)]) -> String {
        let now = Timestamp::now().to_zoned_datetime(TimeZone::system()).strftime("%Y%m%d-%H%M%S").to_string();
        let run = run.map(|run| format!("-run{run}")).unwrap_or_default();
        let (stem, extension) = parts(&sheet.name);
        let folder = self.folder.tray(tray);
        let own = beside.iter().map(|(what, from)| format!(".{what}{}", parts(&from.to_string_lossy()).1));
        let own: Vec<String> = own.collect();
        let endings: Vec<&str> = own.iter().map(String::as_str).chain([extension, REPORT]).collect();
        let is_free = |name: &str| folder.join(name).symlink_metadata().is_err();
        free_name(&format!("{now}-{}{run}-", self.station), stem, &endings, is_free).unwrap_or_default()
    }
}

/// Writes a page where nothing is.
fn write_page(path: &Path, page: &str) -> Result<(), FolderError> {
    let failed = |source| FolderError::File { path: path.to_owned(), source };
    let mut file = create_private(path).map_err(failed)?;
    file.write_all(page.as_bytes()).map_err(|source| {
        // Half a page helps nobody.
        let _ = std::fs::remove_file(path);
        failed(source)
    })
}

/// What a claimed sheet is called that a watcher was killed over.
pub(super) fn claimed_name(claim: &Path) -> String {
    let claimed = claim.file_name().unwrap_or_default().to_string_lossy();
    claimed.strip_prefix(CLAIM).unwrap_or(&claimed).to_owned()
}
