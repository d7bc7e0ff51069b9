//! Sheets that come home: the person's own rows again, with what became of them.
//!
//! Rejects have the rows that must be corrected, results all of them. Both files are made sure of before anything is sent,
//! and written once the report is out, by reading the sheets again: no row is kept in memory.

mod tables;
mod verdict;

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::event::Events;
use crate::finding::Finding;
use crate::finding::english::Words;
use crate::ledger::{Ledger, RunId, Wanted};
use crate::report::{OwnFile, ResultFile, ResultsError};
use crate::stage::{Gathered, OrderRows, Sink, StageError, Trace, gather, gather_surveyed, survey};

use super::aside::free_beside;
use super::error::{Error, Misuse, Result};
use super::reading::Reading;

use tables::{Kind, Tables};
use verdict::Judge;
pub(super) use verdict::rejection;

/// The files that were asked for, and what is needed to write them.
pub struct OwnFiles<'r> {
    reading: &'r Reading,
    rejects: Option<OwnFile>,
    results: Option<Results>,
    trace: Option<Trace>,
    /// The sheets' hashes before they were read: by row they can be matched only as long as they stay what they were.
    hashes: Vec<[u8; 32]>,
}

enum Results {
    Sheet(OwnFile),
    /// One object per order, as an export writes them.
    Orders(ResultFile),
}

/// Rejects that were written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejects {
    /// The file.
    pub path: PathBuf,
    /// Rows that must be corrected.
    pub rows: u64,
    /// Where the file of that name is now that was there before.
    pub earlier: Option<PathBuf>,
    /// Whether they are the person's own rows; else there is one for each order, without the person's columns.
    pub is_own: bool,
}

/// The places of the files that were asked for, made sure of.
struct Places {
    rejects: Option<OwnFile>,
    results: Option<Results>,
}

impl Reading {
    /// Makes sure that files for rejects and results can be written. Planning does it again: a face calls it before it
    /// opens a session or asks anybody, so that a wrong name leaves nothing behind.
    ///
    /// # Errors
    /// A file that cannot be written, that is one of the sheets, or whose ending says no known format.
    pub fn check_files(&self, rejects: Option<&Path>, results: Option<&Path>) -> Result<()> {
        Places::prepare(self, rejects, results).map(drop)
    }
}

impl Places {
    fn prepare(reading: &Reading, rejects: Option<&Path>, results: Option<&Path>) -> Result<Self> {
        let wanted: Vec<&Path> = rejects.into_iter().chain(results).collect();
        for path in &wanted {
            if let Some(sheet) = reading.sheets.paths.iter().find(|sheet| is_same(sheet, path)) {
                return Err(Misuse::OverTheSheet(sheet.clone()).into());
            }
        }
        if let [rejects, results] = wanted[..]
            && same_name(rejects, results)
        {
            return Err(Misuse::SameFile.into());
        }
        let rejects = rejects.map(own_file).transpose()?;
        if let Some(rejects) = &rejects {
            tables::check(&reading.opened, rejects)?;
        }
        let is_json = |path: &Path| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("jsonl"));
        let results = match results {
            Some(path) if is_json(path) => Some(Results::Orders(result_file(path)?)),
            Some(path) => Some(Results::Sheet(own_file(path)?)),
            None => None,
        };
        Ok(Self { rejects, results })
    }
}

impl<'r> OwnFiles<'r> {
    /// Makes sure that the files can be written.
    pub(super) fn prepare(reading: &'r Reading, rejects: Option<&Path>, results: Option<&Path>) -> Result<Self> {
        let opened = &reading.opened;
        let Places { rejects, results } = Places::prepare(reading, rejects, results)?;
        let needed = rejects.is_some() || matches!(results, Some(Results::Sheet(_)));
        let trace = if needed { Some(Trace::new(opened.sheets.len())) } else { None };
        let sheets = if needed { &opened.sheets[..] } else { &[] };
        let hashes = sheets.iter().map(|planned| planned.sheet.sha256()).collect::<Result<_, _>>()?;
        Ok(Self { reading, rejects, results, trace, hashes })
    }

    /// The sheets that they are about.
    #[must_use]
    pub const fn reading(&self) -> &'r Reading {
        self.reading
    }

    /// Gathers the sheets into the sink and notes on the way what the files will need.
    pub(super) fn gather(
        &mut self,
        sink: &mut dyn Sink,
        say: &mut dyn FnMut(&Finding),
        events: &mut Events<'_>,
    ) -> Result<Gathered, StageError> {
        let Reading { opened, rules, .. } = self.reading;
        let Some(trace) = &mut self.trace else { return gather(opened, rules, sink, say, events) };
        let watch = &mut |of: &OrderRows<'_>, outcome, findings: &[Finding]| trace.note(of, outcome, findings);
        let gathered =
            gather_surveyed(opened, rules, (&survey(opened, false, events)?, None), sink, (say, watch), events)?;
        trace.finish()?;
        Ok(gathered)
    }

    /// Writes the results of a run, where they were asked for.
    pub(super) fn write_results(&mut self, ledger: &Ledger, run: RunId, words: &Words) -> Result<()> {
        match self.results.take() {
            None => Ok(()),
            Some(Results::Orders(file)) => {
                let wanted = Wanted { run: Some(run), ..Wanted::default() };
                Ok(file.write(ledger, &wanted).map(drop)?)
            }
            Some(Results::Sheet(file)) => self.write(file, Kind::Results, Some((ledger, run)), (words, None)).map(drop),
        }
    }

    /// Writes the rows of orders that cannot be sent, where they were asked for and nothing was sent; `words` tell what to
    /// do about each.
    ///
    /// # Errors
    /// A sheet that has changed since, or a file that cannot be written.
    pub fn write_rejects(&mut self, words: &Words) -> Result<Option<Rejects>> {
        self.write_rejects_of(None, words)
    }

    /// The same after a run, with the rows of orders that it sent in vain.
    pub(super) fn write_rejects_of(&mut self, run: Option<(&Ledger, RunId)>, words: &Words) -> Result<Option<Rejects>> {
        let Some(file) = self.rejects.take() else { return Ok(None) };
        let path = file.path().to_owned();
        let earlier = keep_previous(&path)?;
        let (rows, _) = self.write(file, Kind::Rejects, run, (words, None))?;
        Ok(Some(Rejects { path, rows, earlier, is_own: true }))
    }

    /// The same with the rows of a run that must be corrected now: without orders that a person holds or leaves out, or that only wait
    /// for an answer.
    pub(super) fn write_to_correct(
        &mut self,
        (ledger, run): (&Ledger, RunId),
        words: &Words,
    ) -> Result<Option<Rejects>> {
        let (mut wanted, of_run) = (HashSet::new(), Wanted { run: Some(run), ..Wanted::default() });
        ledger.for_each_result(&of_run, &mut |row| {
            let is_wrong = matches!(&*row.standing, "invalid" | "rejected" | "refused");
            wanted.extend(row.order_number.clone().filter(|_| is_wrong));
        })?;
        self.write_still_to_fix((ledger, run), &wanted, words)
    }

    /// The same at a later time, with the rows of these orders alone. Nothing where not every one of them is found: the rules
    /// are others by now.
    pub(super) fn write_still_to_fix(
        &mut self,
        (ledger, run): (&Ledger, RunId),
        wanted: &HashSet<String>,
        words: &Words,
    ) -> Result<Option<Rejects>> {
        let Some(file) = self.rejects.take() else { return Ok(None) };
        let path = file.path().to_owned();
        let earlier = keep_previous(&path)?;
        let (rows, seen) = self.write(file, Kind::Rejects, Some((ledger, run)), (words, Some(wanted)))?;
        if seen == *wanted {
            return Ok(Some(Rejects { path, rows, earlier, is_own: true }));
        }
        // What stood there before comes back.
        match earlier {
            Some(earlier) => std::fs::rename(earlier, &path),
            None => std::fs::remove_file(&path),
        }
        .map_err(Error::file(format!("cannot write {}", path.display())))?;
        Ok(None)
    }

    /// Reads the sheets again and writes the rows that are wanted. Gives how many these were, and which of the wanted orders.
    fn write(
        &mut self,
        file: OwnFile,
        kind: Kind,
        run: Option<(&Ledger, RunId)>,
        (words, wanted): (&Words, Option<&HashSet<String>>),
    ) -> Result<(u64, HashSet<String>)> {
        let Reading { opened, rules, .. } = self.reading;
        let Some(trace) = &mut self.trace else { return Ok((0, HashSet::new())) };
        for (planned, before) in opened.sheets.iter().zip(&self.hashes) {
            if planned.sheet.sha256()? != *before {
                return Err(Error::Changed(planned.sheet.source().to_string()));
            }
        }
        let tables = Tables::of(opened, rules, kind, file.is_workbook())?;
        let delimiter = opened.sheets.iter().find_map(|planned| planned.sheet.delimiter());
        let mut writer = tables.begin(file.begin(delimiter.unwrap_or(b','))?);
        let mut judge = Judge::new(opened, trace, run, words, wanted);
        for sheet in tables.order() {
            let mut failure = None;
            opened.sheets[sheet].sheet.read(&mut |row| {
                let written = judge
                    .judge(sheet, row, tables.cells_of(sheet))
                    .and_then(|verdict| writer.row(sheet, row, verdict.as_ref()).map_err(Into::into));
                match written {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(error) => {
                        failure = Some(error);
                        ControlFlow::Break(())
                    }
                }
            })?;
            if let Some(error) = failure {
                return Err(error);
            }
        }
        Ok((writer.finish()?, judge.seen))
    }
}

/// A place for a person's sheet, made sure of.
pub(super) fn own_file(path: &Path) -> Result<OwnFile> {
    OwnFile::prepare(path).map_err(|error| match error {
        ResultsError::UnknownSheetFormat(_) => Misuse::Format(error.to_string()).into(),
        other => other.into(),
    })
}

/// A place for results, made sure of before anything is sent.
pub(super) fn result_file(path: &Path) -> Result<ResultFile> {
    ResultFile::prepare(path).map_err(|error| match error {
        ResultsError::UnknownFormat(_) => Misuse::Format(error.to_string()).into(),
        other => other.into(),
    })
}

/// Corrections that somebody made in the rejects of before, and has not imported yet, are not lost; nor are those of the
/// day before, which stand beside them already. Gives where they are.
pub(super) fn keep_previous(path: &Path) -> Result<Option<PathBuf>> {
    if !path.exists() {
        return Ok(None);
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    let name = |number| match number {
        1 => format!("{stem}.before.{extension}"),
        _ => format!("{stem}.before-{number}.{extension}"),
    };
    let Some(kept) = free_beside(path, name) else {
        return Err(Error::Refused(format!("{} and thousands before it are there: move them away", path.display())));
    };
    std::fs::rename(path, &kept).map_err(Error::file(format!("cannot move {} away", path.display())))?;
    Ok(Some(kept))
}

/// Whether two names mean one file that is there.
fn is_same(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// Whether two names mean one file, there or not.
fn same_name(one: &Path, other: &Path) -> bool {
    let folder = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        folder.canonicalize().ok()
    };
    is_same(one, other)
        || (one.file_name() == other.file_name() && folder(one).is_some() && folder(one) == folder(other))
}
