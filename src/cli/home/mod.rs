//! Sheets that come home: the person's own rows again, with what became of them.
//!
//! `--rejects` has the rows that must be corrected, `--results` all of them. Both are made sure of before anything is sent,
//! and written once the report is out, by reading the sheets again: no row is kept in memory.

mod tables;
mod verdict;

use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::check::{Habit, Rules, alone};
use crate::field;
use crate::finding::Finding;
use crate::ledger::{Ledger, RunId, Wanted};
use crate::report::{OwnFile, ResultFile, ResultsError};
use crate::sheet;
use crate::stage::{Gathered, Opened, Sink, StageError, Trace, gather};
use crate::text::{count, shell_quoted};

use super::Usage;
use super::args::SheetArguments;
use super::aside::free_beside;
use super::console::note;
use super::export::result_file;
use super::settings::Settings;

use tables::{Kind, Tables};
use verdict::Judge;

/// The files that were asked for, and what is needed to write them.
pub(super) struct Home<'a> {
    settings: &'a Settings,
    arguments: &'a SheetArguments,
    opened: &'a Opened,
    rejects: Option<OwnFile>,
    results: Option<Results>,
    trace: Option<Trace>,
    rules: &'a Rules,
    /// The sheets' hashes before they were read: by row they can be matched only as long as they stay what they were.
    hashes: Vec<[u8; 32]>,
}

enum Results {
    Sheet(OwnFile),
    /// One object per order, as `export` writes them.
    Orders(ResultFile),
}

impl<'a> Home<'a> {
    /// Makes sure that the files can be written.
    pub(super) fn prepare(
        settings: &'a Settings,
        arguments: &'a SheetArguments,
        (opened, rules): (&'a Opened, &'a Rules),
        rejects: Option<&Path>,
        results: Option<&Path>,
    ) -> Result<Self> {
        let wanted: Vec<&Path> = rejects.into_iter().chain(results).collect();
        for path in &wanted {
            if let Some(sheet) = arguments.sheets.iter().find(|sheet| is_same(sheet, path)) {
                bail!(Usage(format!(
                    "{} would be written over the sheet that is read: name another file",
                    sheet.display()
                )));
            }
        }
        if let [rejects, results] = wanted[..]
            && same_name(rejects, results)
        {
            bail!(Usage("--rejects and --results name the same file: give each its own".to_owned()));
        }
        let rejects = rejects.map(own_file).transpose()?;
        if let Some(rejects) = &rejects {
            tables::check(opened, rejects)?;
        }
        let is_json = |path: &Path| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("jsonl"));
        let results = match results {
            Some(path) if is_json(path) => Some(Results::Orders(result_file(path)?)),
            Some(path) => Some(Results::Sheet(own_file(path)?)),
            None => None,
        };
        let needed = rejects.is_some() || matches!(results, Some(Results::Sheet(_)));
        let trace = if needed { Some(Trace::new(opened).map_err(StageError::Spool)?) } else { None };
        let sheets = if needed { &opened.sheets[..] } else { &[] };
        let hashes = sheets.iter().map(|planned| planned.sheet.sha256()).collect::<Result<_, _>>()?;
        Ok(Self { settings, arguments, opened, rejects, results, trace, rules, hashes })
    }

    /// Gathers the sheets into the sink and notes on the way what the files will need.
    pub(super) fn gather(
        &mut self,
        sink: &mut dyn Sink,
        say: &mut dyn FnMut(&Finding),
    ) -> Result<Gathered, StageError> {
        let Some(trace) = &mut self.trace else { return gather(self.opened, self.rules, sink, say) };
        let gathered = gather(self.opened, self.rules, &mut trace.on(sink), say)?;
        trace.finish()?;
        Ok(gathered)
    }

    /// Writes the rejects where nothing was sent: the rows of invalid orders.
    pub(super) fn nothing_sent(mut self) {
        self.write_rejects(None);
    }

    /// Writes everything that was asked for. What fails is said: the run itself is over.
    pub(super) fn sent(mut self, ledger: &Ledger, run: RunId) {
        if let Some(results) = self.results.take() {
            let written = match results {
                Results::Orders(file) => {
                    let wanted = Wanted { run: Some(run), states: &[], running: false };
                    file.write(ledger, &wanted).map(drop).map_err(Into::into)
                }
                Results::Sheet(file) => self.write(file, Kind::Results, Some((ledger, run))).map(drop),
            };
            if let Err(error) = written {
                let again =
                    format!("`{} export {} --to FILE` writes them by order", self.settings.command, run.number());
                note(format!("warning: the results were not written: {error:#}; {again}"));
            }
        }
        self.write_rejects(Some((ledger, run)));
    }

    fn write_rejects(&mut self, run: Option<(&Ledger, RunId)>) {
        let Some(file) = self.rejects.take() else { return };
        let path = file.path().to_owned();
        match keep_previous(&path).and_then(|()| self.write(file, Kind::Rejects, run)) {
            Ok(0) => note(format!("no row was rejected: {} has the header only", path.display())),
            Ok(rows) => {
                let next = self.import_again(&path);
                let rows = count(rows, "row");
                note(format!("next: correct {rows} in {}, save it, and `{next}`", path.display()));
            }
            Err(error) => {
                let next = "importing the sheet again with --rejects writes them, and sends nothing twice";
                note(format!("warning: the rejects were not written: {error:#}; {next}"));
            }
        }
    }

    fn import_again(&self, path: &Path) -> String {
        let profile = self.arguments.profile.as_ref();
        let profile = profile.map(|name| format!(" --profile {}", shell_quoted(name))).unwrap_or_default();
        format!("{} import {}{profile}", self.settings.command, shell_quoted(&path.display().to_string()))
    }

    /// Reads the sheets again and writes the rows that are wanted. Gives how many these were.
    fn write(&mut self, file: OwnFile, kind: Kind, run: Option<(&Ledger, RunId)>) -> Result<u64> {
        let (opened, command) = (self.opened, &self.settings.command);
        let Some(trace) = &mut self.trace else { return Ok(0) };
        for (planned, before) in opened.sheets.iter().zip(&self.hashes) {
            if planned.sheet.sha256()? != *before {
                bail!("{} has changed since it was read", planned.sheet.source());
            }
        }
        let tables = Tables::of(opened, self.rules, kind, file.is_workbook())?;
        let delimiter = opened.sheets.iter().find_map(|planned| planned.sheet.delimiter());
        let mut writer = tables.begin(file.begin(delimiter.unwrap_or(b','))?);
        let mut judge = Judge::new(opened, trace, run, command);
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
        Ok(writer.finish()?)
    }
}

fn own_file(path: &Path) -> Result<OwnFile> {
    OwnFile::prepare(path).map_err(|error| match error {
        ResultsError::UnknownSheetFormat(_) => Usage(error.to_string()).into(),
        other => other.into(),
    })
}

/// Corrections that somebody made in the rejects of before, and has not imported yet, are not lost; nor are those of the
/// day before, which stand beside them already.
fn keep_previous(path: &Path) -> Result<()> {
    if !path.exists() {
        return Ok(());
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    let name = |number| match number {
        1 => format!("{stem}.before.{extension}"),
        _ => format!("{stem}.before-{number}.{extension}"),
    };
    let kept = free_beside(path, name)
        .with_context(|| format!("{} and thousands before it are there: move them away", path.display()))?;
    std::fs::rename(path, &kept).with_context(|| format!("cannot move {} away", path.display()))?;
    note(format!("{} was there already and is now {}", path.display(), kept.display()));
    Ok(())
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

/// A cell as it is handed back: what the sheet has lost stays marked as lost.
///
/// What only its column could tell, such as whether day or month comes first, is written out.
fn handed_back(cell: sheet::Cell<'_>, lost: bool, habit: Option<(field::Kind, Habit)>) -> String {
    use crate::origin::LOST;
    let native = matches!(cell.kind, sheet::CellKind::Number | sheet::CellKind::Date);
    match cell.kind {
        kind if lost || kind == sheet::CellKind::LossyNumber => format!("{LOST} {}", cell.text),
        sheet::CellKind::FormulaWithoutValue => LOST.to_owned(),
        _ => habit
            .and_then(|(kind, habit)| alone(kind, habit, native, cell.text))
            .unwrap_or_else(|| cell.text.to_owned()),
    }
}
