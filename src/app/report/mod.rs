//! What a run came to, or the runs of some days: counted from the ledger at one moment, as data for people to read.
//!
//! Sums are counted a second way ([`Balance`]). A masked report is masked where it is made, so that no writer can forget it.

mod causes;
mod data;
mod gather;
mod speed;

use jiff::Timestamp;

use crate::finding::english::Words;
use crate::ledger::{Ledger, RunId, RunKind, RunRecord, RunSpan, UnsentSheet};
use crate::report::RowCounts;

use super::connect::App;
use super::error::Result;
use super::stations::stations;
use super::status::{RunStatus, find_run, status_of};
use super::who;

pub use causes::{FailedOrders, PlaceSeen};
pub use data::{
    Amounts, Balance, Balanced, Before, Breakdown, By, Day, EvidenceEnd, Line, Money, OpenLine, Report, RunLine,
    UnsentLine, WholeLedger,
};
use gather::Gathered;
pub use speed::{Latency, Speed, Status};

/// Runs that are listed.
const RUNS_LISTED: usize = 60;
/// Imports before a run that it is held against.
const RUNS_BEFORE: u32 = 7;

/// What to report.
#[derive(Debug, Clone, Copy)]
pub struct ReportOptions {
    /// Of which runs.
    pub of: ReportOf,
    /// Whether names, phones, addresses and e-mail addresses are left out.
    pub is_masked: bool,
}

/// The runs that are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportOf {
    /// One run; the latest where none is named.
    Run(Option<i64>),
    /// All that began in these days.
    Days {
        /// Their beginning, epoch milliseconds.
        from_ms: i64,
        /// Their end, epoch milliseconds; nothing where they go on.
        until_ms: Option<i64>,
    },
}

impl App {
    /// The outcome of a run, or of all runs of some days; `words` tell what to do about what failed.
    ///
    /// # Errors
    /// No such run, or none at all; a ledger that cannot be read.
    pub fn report(&self, ledger: &Ledger, options: ReportOptions, words: &Words) -> Result<Report> {
        let holder = self.holder();
        ledger.at_one_moment(|ledger| self.report_now(ledger, options, holder.as_ref(), words))
    }

    fn report_now(
        &self,
        ledger: &Ledger,
        options: ReportOptions,
        holder: Option<&String>,
        words: &Words,
    ) -> Result<Report> {
        let ReportOptions { of, is_masked } = options;
        let made_ms = Timestamp::now().as_millisecond();
        let (run, span) = match of {
            ReportOf::Run(run) => {
                let record = find_run(ledger, run)?;
                (Some(record.clone()), span_of(record.id))
            }
            ReportOf::Days { from_ms, until_ms } => {
                (None, RunSpan { run: None, from_ms, until_ms: until_ms.unwrap_or(i64::MAX) })
            }
        };
        let line = |run: &RunId| -> Result<_> {
            let status = status_of(ledger, find_run(ledger, Some(run.number()))?, holder.cloned())?;
            Ok((RunLine::of(&status, is_masked), status))
        };
        let runs = ledger.runs_of(span)?.iter().map(line).collect::<Result<Vec<_>>>()?;
        let gathered = Gathered::of(ledger, span, holder.is_some(), is_masked, words)?;
        let rows = rows_of(runs.iter().map(|(_, status)| &status.record));
        let rows_without_order = runs.iter().map(|(_, status)| status.record.rows_without_order).sum();
        let before = match &run {
            Some(record) => ledger.imports_before(record.id, RUNS_BEFORE)?,
            None => Vec::new(),
        };
        let earlier = match (&run, of) {
            (None, ReportOf::Days { from_ms, until_ms }) => {
                let length = until_ms.unwrap_or(made_ms).saturating_sub(from_ms).max(0);
                Some(RunSpan { run: None, from_ms: from_ms.saturating_sub(length), until_ms: from_ms })
            }
            _ => before.first().map(|run| span_of(*run)),
        };
        let runs_before = before.iter().map(|run| line(run).map(|(line, _)| line)).collect::<Result<_>>()?;
        let balances = gathered.balances(&rows, runs.iter().map(|(line, _)| &line.orders));
        Ok(Report {
            made_ms,
            is_masked,
            run: run.as_ref().map(|record| record.id.number()),
            from_ms: run.as_ref().map_or(span.from_ms, |record| record.started_ms),
            until_ms: Some(span.until_ms).filter(|until_ms| *until_ms != i64::MAX),
            runs_unlisted: runs.len().saturating_sub(RUNS_LISTED) as u64,
            runs: runs.into_iter().take(RUNS_LISTED).map(|(line, _)| line).collect(),
            runs_before,
            unsent_sheets: match of {
                ReportOf::Run(_) => Vec::new(),
                ReportOf::Days { .. } => {
                    ledger.unsent_sheets(span.from_ms, span.until_ms)?.into_iter().map(UnsentLine::from).collect()
                }
            },
            stations: stations(ledger, is_masked)?,
            rows,
            rows_without_order,
            orders: gathered.orders,
            held: gathered.held,
            left_out: gathered.left_out,
            came_again: gathered.came_again,
            money: gathered.money(),
            days: gathered.days(),
            breakdowns: gathered.breakdowns(),
            cancel_unclear: gathered.cancel_unclear,
            speed: Speed::of(ledger, span)?,
            before: earlier.map(|span| Before::of(ledger, span, holder.is_some(), words)).transpose()?.flatten(),
            ledger: self.standing(ledger)?.into(),
            balances,
            evidence: ledger.chain_head()?.into(),
            failed_otherwise: gathered.failed.otherwise(),
            failed: gathered.failed.into_sorted(),
            in_doubt: gathered.in_doubt,
            outstanding: gathered.outstanding,
        })
    }
}

impl Before {
    /// What came before; nothing where no order came.
    fn of(ledger: &Ledger, span: RunSpan, running: bool, words: &Words) -> Result<Option<Self>> {
        let gathered = Gathered::of(ledger, span, running, true, words)?;
        let from_ms = match span.run {
            Some(run) => find_run(ledger, Some(run.number()))?.started_ms,
            None => span.from_ms,
        };
        let run = span.run.map(RunId::number);
        let found = Self { run, from_ms, orders: gathered.orders, money: gathered.money() };
        Ok(Some(found).filter(|found| found.orders.total > 0))
    }
}

impl From<UnsentSheet> for UnsentLine {
    fn from(sheet: UnsentSheet) -> Self {
        let UnsentSheet { at_ms, host, name, run, tray, path, said } = sheet;
        Self {
            name,
            at_ms,
            filed: tray.as_str(),
            run: run.map(RunId::number),
            why: said,
            is_there: (host == who::host()).then(|| path.symlink_metadata().is_ok()),
            path: path.display().to_string(),
            host,
        }
    }
}

impl RunLine {
    fn of(status: &RunStatus, is_masked: bool) -> Self {
        let RunStatus { record, at_end, orders, holder, took } = status;
        let RunRecord { id, kind, service, started_ms, finished_ms, user, host, sheets, rows_read, requests, .. } =
            record;
        let kind: RunKind = *kind;
        Self {
            run: id.number(),
            kind: kind.as_str(),
            service: service.clone(),
            started_ms: *started_ms,
            state: match (finished_ms, holder) {
                (Some(_), _) => "finished",
                (None, Some(_)) => "going_on",
                (None, None) => "killed",
            },
            by: (!is_masked).then(|| format!("{user} on {host}")),
            sheets: sheets.clone(),
            rows: *rows_read,
            orders: *orders,
            orders_at_end: *at_end,
            requests: *requests,
            seconds: took.as_secs_f64(),
            stopped_by: record.stopped_by.clone(),
            stopped_why: record.stopped_why.clone().filter(|_| !is_masked),
        }
    }
}

/// What became of the rows of these runs.
fn rows_of<'r>(records: impl Iterator<Item = &'r RunRecord>) -> RowCounts {
    records.fold(RowCounts::default(), |sum, record| RowCounts {
        read: sum.read + record.rows_read,
        blank: sum.blank + record.rows_blank,
        skipped: sum.skipped + record.rows_skipped,
        in_orders: sum.in_orders + record.rows_in_orders,
        invalid: sum.invalid + record.rows_invalid,
    })
}

const fn span_of(run: RunId) -> RunSpan {
    RunSpan { run: Some(run), from_ms: i64::MIN, until_ms: i64::MAX }
}
