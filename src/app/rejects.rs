//! The rows to fix of a run, at any later time and from the ledger alone.

use std::collections::HashSet;
use std::path::Path;

use crate::api::outcome::purchase_error_message;
use crate::finding::english::{self, Words};
use crate::finding::{Command, Remedy};
use crate::ledger::{Ledger, ProblemRecord, ResultRow, RunSpan, Said, State, Wanted};
use crate::origin::Added;
use crate::report::{Complaint, Rejection, ResultsError};

use super::connect::App;
use super::error::Result;
use super::own::{Rejects, keep_previous, own_file};
use super::status::find_run;

/// States of orders that a person has to correct.
const TO_FIX: [&str; 3] = ["invalid", "rejected", "refused"];

impl App {
    /// Writes what is still to be fixed of a run (the latest where none is named): a row for each order, with where it stood,
    /// what is wrong and what to do. What has been corrected, tried again with success or booked since is left out.
    ///
    /// # Errors
    /// No such run; a file that cannot be written.
    pub fn rejects(&self, ledger: &Ledger, run: Option<i64>, to: &Path, words: &Words) -> Result<Rejects> {
        let file = own_file(to)?;
        let record = find_run(ledger, run)?;
        let since = RunSpan { run: None, from_ms: record.started_ms, until_ms: i64::MAX };
        let behind = ledger.behind_of(since)?.into_iter();
        let corrected: HashSet<String> = behind
            .filter(|behind| behind.run == record.id && behind.is_superseded)
            .filter_map(|behind| behind.number)
            .collect();
        let states = TO_FIX.map(str::to_owned);
        let earlier = keep_previous(to)?;
        let mut writer = file.begin(b',')?;
        let added = Rejection::COLUMNS.map(Added::header).map(str::to_owned);
        let columns: Vec<String> = ["Order Number", "Rows"].map(str::to_owned).into_iter().chain(added).collect();
        writer.table(&format!("Run {}", record.id.number()), &columns)?;
        let (mut rows, mut failure): (u64, Option<ResultsError>) = (0, None);
        let wanted = Wanted { run: Some(record.id), states: &states, running: self.is_running() };
        ledger.for_each_result(&wanted, &mut |row| {
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
        Ok(Rejects { path: to.to_owned(), rows, earlier })
    }
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
