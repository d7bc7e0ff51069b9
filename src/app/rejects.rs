//! The rows to fix of a run, at any later time.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::api::outcome::purchase_error_message;
use crate::config::Sheets;
use crate::event::Stream;
use crate::finding::english::{self, Words};
use crate::finding::{Command, Remedy};
use crate::ledger::{Ledger, ProblemRecord, ResultRow, RunId, RunSpan, Said, SheetSource, State, Wanted};
use crate::origin::Added;
use crate::report::{Complaint, Rejection, ResultsError};

use super::connect::App;
use super::error::Result;
use super::own::{Rejects, keep_previous, own_file};
use super::plan::PlanOptions;
use super::status::find_run;

/// States of orders that a person has to correct.
const TO_FIX: [&str; 3] = ["invalid", "rejected", "refused"];

impl App {
    /// Writes what is still to be fixed of a run (the latest where none is named). The rows are the person's own where its
    /// sheets are still there as they were, where they lay or where a watcher filed them; else there is a row for each
    /// order. Beside each stands what is wrong and what to do. What has been corrected, tried again with success, booked or
    /// dismissed since is left out.
    ///
    /// # Errors
    /// No such run; a file that cannot be written.
    pub fn rejects(&self, ledger: &Ledger, run: Option<i64>, to: &Path, words: &Words) -> Result<Rejects> {
        drop(own_file(to)?);
        let record = find_run(ledger, run)?;
        let since = RunSpan { run: None, from_ms: record.started_ms, until_ms: i64::MAX };
        let behind = ledger.behind_of(since)?.into_iter();
        let corrected: HashSet<String> = behind
            .filter(|behind| behind.run == record.id && (behind.is_superseded || behind.is_dismissed))
            .filter_map(|behind| behind.number)
            .collect();
        let states = TO_FIX.map(str::to_owned);
        let wanted = Wanted { run: Some(record.id), states: &states, running: self.is_running() };
        if let Some(own) = self.own_rejects(ledger, (record.id, &wanted), &corrected, to, words)? {
            return Ok(own);
        }
        plain_rejects(ledger, (record.id, &wanted), &corrected, to, words)
    }

    /// The person's own rows; nothing where the sheets are not there, or read otherwise by now.
    fn own_rejects(
        &self,
        ledger: &Ledger,
        (run, wanted): (RunId, &Wanted<'_>),
        corrected: &HashSet<String>,
        to: &Path,
        words: &Words,
    ) -> Result<Option<Rejects>> {
        let Some(paths) = found(ledger.sheets_of(run)?) else { return Ok(None) };
        let mut events = Stream::silent();
        let sheets = Sheets { is_unattended: true, ..Sheets::of(paths) };
        let Ok(reading) = self.read(&sheets, &mut events) else { return Ok(None) };
        let options = PlanOptions { rejects: Some(to), ..PlanOptions::default() };
        let Ok(mut preview) = self.preview(&reading, options, &mut |_| {}, &mut events) else { return Ok(None) };
        let mut numbers = HashSet::new();
        ledger.for_each_result(wanted, &mut |row| {
            let number =
                row.order_number.clone().filter(|number| row.state != "invalid" || !corrected.contains(number));
            numbers.extend(number);
        })?;
        preview.files.write_still_to_fix((ledger, run), &numbers, words)
    }
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
    corrected: &HashSet<String>,
    to: &Path,
    words: &Words,
) -> Result<Rejects> {
    let file = own_file(to)?;
    let earlier = keep_previous(to)?;
    let mut writer = file.begin(b',')?;
    let added = Rejection::COLUMNS.map(Added::header).map(str::to_owned);
    let columns: Vec<String> = ["Order Number", "Rows"].map(str::to_owned).into_iter().chain(added).collect();
    writer.table(&format!("Run {}", run.number()), &columns)?;
    let (mut rows, mut failure): (u64, Option<ResultsError>) = (0, None);
    ledger.for_each_result(wanted, &mut |row| {
        let is_corrected =
            row.state == "invalid" && row.order_number.as_ref().is_some_and(|number| corrected.contains(number));
        if failure.is_some() || is_corrected {
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
    Ok(Rejects { path: to.to_owned(), rows, earlier, is_own: false })
}

/// What is wrong with an order and what to do.
fn rejection(row: &ResultRow, words: &Words) -> Rejection {
    let status = row.state.clone();
    let complaints = match &row.error {
        Some(error) => {
            let number = row.order_number.clone().unwrap_or_default();
            let retry = words(&Remedy::run(Command::Retry { order: number }));
            let is_rejected = row.state == State::Rejected.as_str();
            vec![Complaint {
                message: if is_rejected { purchase_error_message(error) } else { error.clone() },
                hint: format!(
                    "correct what the service objects to and import the sheet; or, once the cause is gone, `{retry}`"
                ),
                ..Complaint::default()
            }]
        }
        None => row.wrong.iter().map(|wrong| complaint(wrong, words)).collect(),
    };
    Rejection { status, complaints }
}

fn complaint(problem: &ProblemRecord, words: &Words) -> Complaint {
    let (message, hint) = match &problem.said {
        Said::Data(finding) => (english::message(finding), english::advice(finding, &**words)),
        Said::Words { message, hint } => (message.clone(), hint.clone()),
    };
    let (found, place) = (problem.found.clone(), problem.place.clone().unwrap_or_default());
    Complaint { message, found, hint, cell: None, place }
}
