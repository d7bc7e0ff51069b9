//! The rows to fix of runs, at any later time.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::config::Sheets;
use crate::event::Stream;
use crate::finding::english::Words;
use crate::ledger::{Ledger, RunId, RunKind, RunRecord, SheetSource, Wanted};
use crate::origin::Added;
use crate::report::{Rejection, ResultsError};

use super::connect::App;
use super::error::{Error, Misuse, Result};
use super::own::{Rejects, own_file, rejection};
use super::plan::PlanOptions;
use super::runs_meant::{Covered, RunsMeant};
use super::status::find_run;

/// States of orders that a person has to correct; held ones only where their run kept them back.
const TO_FIX: [&str; 4] = ["invalid", "held", "rejected", "refused"];

/// Which rows to write, and where.
pub struct RejectsOptions<'o> {
    /// The runs.
    pub runs: RunsMeant,
    /// The file.
    pub to: &'o Path,
    /// Asked of each file before any is written.
    pub may_write: &'o dyn Fn(&Path) -> Result<()>,
    /// How the sheets were read; their files are those of the runs.
    pub like: Sheets,
    /// Says what to do about each problem.
    pub words: &'o Words,
}

impl App {
    /// Writes what is still to be fixed of the runs that are meant. Of one run that is a file; of several, a file for each that
    /// has anything to fix, with the run in its name, for their sheets may have other columns. An order is in one of them only.
    ///
    /// The rows are the person's own where the run's sheets are still there as they were, where they lay or where a watcher
    /// filed them; else there is a row for each order. Beside each stands what is wrong and what to do. What has been
    /// corrected, tried again with success, booked or dismissed since is left out.
    ///
    /// # Errors
    /// No such run, or none in that time; a file that cannot be written, or may not.
    pub fn rejects(&self, ledger: &Ledger, options: &RejectsOptions<'_>) -> Result<(Vec<(i64, Rejects)>, Covered)> {
        let RejectsOptions { runs, to, may_write, .. } = *options;
        drop(own_file(to)?);
        let covered = runs.find(ledger)?;
        if let [run] = *covered.runs {
            may_write(to)?;
            let made = self.rejects_of(ledger, &find_run(ledger, Some(run))?, &HashSet::new(), to, options)?;
            return Ok((vec![(run, made)], covered));
        }
        if covered.runs.is_empty() {
            return Err(Error::NoRunSince);
        }
        let (mut left, mut listed) = (Vec::new(), HashSet::new());
        let mut records = covered.runs.iter().map(|run| find_run(ledger, Some(*run))).collect::<Result<Vec<_>>>()?;
        // Only an import has a sheet, with the person's own columns.
        records.sort_by_key(|record| record.kind != RunKind::Import);
        for record in records {
            let before = listed.clone();
            let own = self.still_to_fix(ledger, &record, &before)?;
            if !own.is_empty() {
                listed.extend(own);
                left.push((record, before));
            }
        }
        let several = left.len() > 1;
        let place = |run: i64| if several { named_for(to, run) } else { to.to_owned() };
        for (record, _) in &left {
            may_write(&place(record.id.number()))?;
        }
        let mut made = Vec::new();
        for (record, before) in left {
            let run = record.id.number();
            made.push((run, self.rejects_of(ledger, &record, &before, &place(run), options)?));
        }
        Ok((made, covered))
    }

    /// The numbers of orders of a run that are still to be fixed, but for those that a later file has.
    fn still_to_fix(&self, ledger: &Ledger, record: &RunRecord, listed: &HashSet<String>) -> Result<HashSet<String>> {
        let came_again = ledger.came_again_since(record.id)?;
        let states = TO_FIX.map(str::to_owned);
        let wanted = Wanted { run: Some(record.id), states: &states, running: self.is_running(), ..Wanted::default() };
        let mut numbers = HashSet::new();
        ledger.for_each_result(&wanted, &mut |row| {
            let is_of_run = |number: &String| match row.state.as_str() {
                "invalid" | "held" => row.is_kept_back && !came_again.contains(number),
                _ => true,
            };
            numbers.extend(row.order_number.clone().filter(|number| !listed.contains(number) && is_of_run(number)));
        })?;
        Ok(numbers)
    }

    fn rejects_of(
        &self,
        ledger: &Ledger,
        record: &RunRecord,
        listed: &HashSet<String>,
        to: &Path,
        options: &RejectsOptions<'_>,
    ) -> Result<Rejects> {
        let numbers = self.still_to_fix(ledger, record, listed)?;
        let states = TO_FIX.map(str::to_owned);
        let wanted = Wanted { run: Some(record.id), states: &states, running: self.is_running(), ..Wanted::default() };
        if let Some(mut own) = self.own_rejects(ledger, record.id, &numbers, to, options)? {
            if let Some(earlier) = own.earlier.take() {
                let shown = format!("cannot remove {}", earlier.display());
                std::fs::remove_file(earlier).map_err(Error::file(shown))?;
            }
            return Ok(own);
        }
        plain_rejects(ledger, (record.id, &wanted), &numbers, to, options.words)
    }

    /// The person's own rows; nothing where the sheets are not there, or read otherwise by now.
    fn own_rejects(
        &self,
        ledger: &Ledger,
        run: RunId,
        numbers: &HashSet<String>,
        to: &Path,
        asked: &RejectsOptions<'_>,
    ) -> Result<Option<Rejects>> {
        let Some(paths) = found(ledger.sheets_of(run)?) else { return Ok(None) };
        let mut events = Stream::silent();
        let sheets = Sheets { paths, is_unattended: true, ..asked.like.clone() };
        let Ok(reading) = self.read(&sheets, &mut events) else { return Ok(None) };
        let options = PlanOptions { rejects: Some(to), ..PlanOptions::default() };
        let mut preview = match self.preview(&reading, options, &mut |_| {}, &mut events) {
            Ok(preview) => preview,
            // Another name helps.
            Err(error @ Error::Misuse(Misuse::DifferentColumns(_) | Misuse::OverTheSheet(_))) => return Err(error),
            Err(_) => return Ok(None),
        };
        preview.files.write_still_to_fix((ledger, run), numbers, asked.words)
    }
}

/// The name of a file with the run in it: `fix.xlsx` becomes `fix-run7.xlsx`.
fn named_for(to: &Path, run: i64) -> PathBuf {
    let stem = to.file_stem().unwrap_or_default().to_string_lossy();
    let extension = to.extension().unwrap_or_default().to_string_lossy();
    to.with_file_name(format!("{stem}-run{run}.{extension}"))
}

/// The sheets of a run, where each of them is still what it was.
fn found(sheets: Vec<(SheetSource, Option<PathBuf>)>) -> Option<Vec<PathBuf>> {
    let is_it = |path: &PathBuf, sha256: &[u8; 32]| {
        std::fs::read(path).is_ok_and(|bytes| <[u8; 32]>::from(Sha256::digest(bytes)) == *sha256)
    };
    let one = |(SheetSource { path, sha256 }, filed): (SheetSource, Option<PathBuf>)| {
        filed.into_iter().chain([path]).find(|path| is_it(path, &sha256))
    };
    let found: Option<Vec<PathBuf>> = sheets.into_iter().map(one).collect();
    found.filter(|found| !found.is_empty())
}

/// A row for each order, from the ledger alone.
fn plain_rejects(
    ledger: &Ledger,
    (run, wanted): (RunId, &Wanted<'_>),
    numbers: &HashSet<String>,
    to: &Path,
    words: &Words,
) -> Result<Rejects> {
    let mut writer = own_file(to)?.begin(b',')?;
    let added = Rejection::COLUMNS.map(Added::header).map(str::to_owned);
    let columns: Vec<String> = ["Order Number", "Rows"].map(str::to_owned).into_iter().chain(added).collect();
    writer.table(&format!("Run {}", run.number()), &columns)?;
    let (mut rows, mut failure): (u64, Option<ResultsError>) = (0, None);
    ledger.for_each_result(wanted, &mut |row| {
        // A row that names no order is always to be fixed.
        if failure.is_some() || row.order_number.as_ref().is_some_and(|number| !numbers.contains(number)) {
            return;
        }
        let number = row.order_number.clone().unwrap_or_default();
        let texts = rejection(row, words).texts(writer.next_row());
        let cells: Vec<String> = [number, row.rows.clone()].into_iter().chain(texts).collect();
        failure = writer.row(&cells, &[]).err();
        rows += 1;
    })?;
    failure.map_or(Ok(()), Err)?;
    writer.finish()?;
    Ok(Rejects { path: to.to_owned(), rows, earlier: None, is_own: false })
}
