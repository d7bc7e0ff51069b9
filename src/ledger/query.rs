//! What is read of runs and of what is outstanding.

use rusqlite::{OptionalExtension, Row, params};

use super::error::LedgerError;
use super::open::Ledger;
use super::record::{OrderId, Pending, ProblemRecord, RunEnd, RunId, RunKind, RunRecord, Tally};

const RUN_COLUMNS: &str = "id, kind, service, started_ms, finished_ms, user, host, sheets, rows_read, rows_blank,
    rows_skipped, rows_in_orders, rows_invalid, lines, requests, stopped_by,
    (SELECT count(*) FROM run_invalid WHERE run_id = runs.id AND number IS NULL)";

impl Ledger {
    /// A page of a run's orders that may be sent, in the order of its sheets, from behind `after_seq`.
    pub fn outstanding(&self, run: RunId, after_seq: i64, limit: usize) -> Result<Vec<Pending>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT o.id, r.seq, o.number, o.attempts, q.body, o.created_ms, q.id FROM run_orders r
             JOIN orders o ON o.id = r.order_id JOIN requests q ON q.id = o.request_id
             WHERE r.run_id = ? AND r.seq > ? AND o.state IN ('staged', 'waiting') ORDER BY r.seq LIMIT ?",
        )?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let rows = statement.query_map(params![run.0, after_seq, limit], |row| {
            Ok(Pending {
                order: OrderId(row.get(0)?),
                seq: row.get(1)?,
                number: row.get(2)?,
                attempts: row.get(3)?,
                body: row.get(4)?,
                created_ms: row.get(5)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Closes a run's record.
    pub fn finish_run(&mut self, run: RunId, end: &RunEnd) -> Result<(), LedgerError> {
        self.connection.execute(
            "UPDATE runs SET finished_ms = ?, requests = ?, stopped_by = ?, exit_code = ? WHERE id = ?",
            params![end.finished_ms, i64::try_from(end.requests).unwrap_or(i64::MAX), end.stopped_by, end.exit, run.0],
        )?;
        Ok(())
    }

    /// A run, or the latest.
    pub fn find_run(&self, run: Option<RunId>) -> Result<Option<RunRecord>, LedgerError> {
        let sql = format!("SELECT {RUN_COLUMNS} FROM runs WHERE ?1 IS NULL OR id = ?1 ORDER BY id DESC LIMIT 1");
        Ok(self.connection.prepare_cached(&sql)?.query_row([run.map(|run| run.0)], run_record).optional()?)
    }

    /// The latest runs, latest first.
    pub fn runs(&self, limit: usize) -> Result<Vec<RunRecord>, LedgerError> {
        let sql = format!("SELECT {RUN_COLUMNS} FROM runs ORDER BY id DESC LIMIT ?");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let rows = statement.query_map([i64::try_from(limit).unwrap_or(i64::MAX)], run_record)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Where the orders of a run stand now.
    pub fn tally(&self, run: RunId) -> Result<Tally, LedgerError> {
        let mut tally = Tally::default();
        let mut statement = self.connection.prepare_cached(
            "SELECT o.state, r.already, count(*) FROM run_orders r JOIN orders o ON o.id = r.order_id
             WHERE r.run_id = ? GROUP BY 1, 2",
        )?;
        let mut rows = statement.query([run.0])?;
        while let Some(row) = rows.next()? {
            let (state, already, count): (String, bool, u64) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let counter = match state.as_str() {
                "booked" if already => &mut tally.already_booked,
                "booked" => &mut tally.booked,
                "rejected" => &mut tally.rejected,
                "refused" => &mut tally.refused,
                "in_doubt" => &mut tally.in_doubt,
                "abandoned" => &mut tally.abandoned,
                _ => &mut tally.outstanding,
            };
            *counter += count;
            tally.total += count;
        }
        tally.invalid = self
            .connection
            .prepare_cached("SELECT count(*) FROM run_invalid WHERE run_id = ? AND number IS NOT NULL")?
            .query_row([run.0], |row| row.get(0))?;
        tally.total += tally.invalid;
        Ok(tally)
    }

    /// The problems of a run, in the order in which they were found.
    pub fn problems(&self, run: RunId) -> Result<Vec<ProblemRecord>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT code, severity, place, number, field, found, message, hint FROM problems WHERE run_id = ? ORDER BY n",
        )?;
        let rows = statement.query_map([run.0], |row| {
            Ok(ProblemRecord {
                code: row.get(0)?,
                severity: row.get(1)?,
                place: row.get(2)?,
                order: row.get(3)?,
                field: row.get(4)?,
                found: row.get(5)?,
                message: row.get(6)?,
                hint: row.get(7)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

fn run_record(row: &Row<'_>) -> rusqlite::Result<RunRecord> {
    let kind: String = row.get(1)?;
    let sheets: String = row.get(7)?;
    Ok(RunRecord {
        id: RunId(row.get(0)?),
        kind: RunKind::from_word(&kind),
        service: row.get(2)?,
        started_ms: row.get(3)?,
        finished_ms: row.get(4)?,
        user: row.get(5)?,
        host: row.get(6)?,
        sheets: serde_json::from_str(&sheets).unwrap_or_default(),
        rows_read: row.get(8)?,
        rows_blank: row.get(9)?,
        rows_skipped: row.get(10)?,
        rows_in_orders: row.get(11)?,
        rows_invalid: row.get(12)?,
        lines: row.get(13)?,
        requests: row.get(14)?,
        stopped_by: row.get(15)?,
        rows_without_order: row.get(16)?,
    })
}
