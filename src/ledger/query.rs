//! What is read of runs and of what is outstanding.

use std::collections::BTreeMap;

use super::crash::fail_point;
use super::db::{self, OptionalExtension, Row, params};
use super::error::LedgerError;
use super::left::kept_as;
use super::open::Ledger;
use super::packed::Unpacker;
use super::record::{
    Called, OrderId, Pending, ProblemColumns, ProblemRecord, RunEnd, RunId, RunKind, RunRecord, Tally,
};
use super::share::Part;
use super::sql::{amount, int};

const RUN: &str = "SELECT r.id, r.kind, s.origin, r.started_ms, r.finished_ms, r.user, r.host, r.sheets, r.rows_read,
    r.rows_blank, r.rows_skipped, r.rows_in_orders, r.rows_invalid, r.lines, r.requests, r.stopped_by,
    t.rows_without_order, r.parent, r.stopped_why, EXISTS (SELECT 1 FROM problems p WHERE p.run_id = r.id
        AND p.seq IS NULL AND p.order_number IS NULL AND p.severity = 'error')
    FROM runs r JOIN services s ON s.id = r.service_id JOIN run_tallies t ON t.run_id = r.id";

/// Orders beside each other that are one station's.
const SIDE_BY_SIDE: i64 = 32;

impl Ledger {
    /// A page of a run's orders that may be sent, in the order of its sheets, from behind `after_seq`; of several stations each
    /// has its part.
    pub fn outstanding(
        &self,
        run: RunId,
        (after_seq, limit): (i64, usize),
        part: Part,
    ) -> Result<Vec<Pending>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT o.id, r.seq, o.number, o.attempts, q.body, q.created_ms, q.sha256, q.value, q.id FROM run_orders r
             CROSS JOIN orders o ON o.id = r.order_id CROSS JOIN requests q ON q.id = o.request_id
             WHERE r.run_id = ?1 AND r.seq > ?2 AND r.behind = 0 AND o.standing IN ('staged', 'waiting')
                AND (?4 = 1 OR (o.id / ?6) % ?4 = ?5) ORDER BY r.seq LIMIT ?3",
        )?;
        let [limit, stations, before] = [limit, part.stations, part.before].map(|number| int(number as u64));
        let mut rows = statement.query(params![run.0, after_seq, limit, stations, before, SIDE_BY_SIDE])?;
        let (mut pending, mut unpacker) = (Vec::new(), Unpacker::default());
        while let Some(row) = &rows.next()? {
            let kept = row.get_ref(4)?.as_blob()?;
            pending.push(Pending {
                order: OrderId(row.get(0)?),
                seq: row.get(1)?,
                request: row.get(8)?,
                number: row.get(2)?,
                attempts: row.get(3)?,
                body: unpacker.unpack(kept, &row.get(6)?)?.into_owned(),
                created_ms: row.get(5)?,
                value: amount(row, 7)?,
            });
        }
        Ok(pending)
    }

    /// Closes a run's record.
    pub fn finish_run(&mut self, run: RunId, end: &RunEnd) -> Result<(), LedgerError> {
        fail_point("finish")?;
        let transaction = self.begin()?;
        transaction.execute(
            "UPDATE runs SET finished_ms = ?1, requests = ?2, stopped_by = ?3, stopped_why = ?4, exit_code = ?5
             WHERE id = ?6",
            params![end.finished_ms, int(end.requests), end.stopped_by, end.stopped_why, end.exit, run.0],
        )?;
        transaction.execute(
            "INSERT INTO run_ends
             (run_id, booked, already_booked, invalid, rejected, refused, in_doubt, outstanding, held, left_out, abandoned, dismissed)
             SELECT run_id, booked, already_booked, invalid, rejected, refused, in_doubt, outstanding, held, left_out, abandoned, dismissed
             FROM run_tallies WHERE run_id = ?1",
            [run.0],
        )?;
        transaction.commit()?;
        self.raise_mark();
        Ok(())
    }

    /// A run, or the latest.
    pub fn find_run(&self, run: Option<RunId>) -> Result<Option<RunRecord>, LedgerError> {
        let sql = format!("{RUN} WHERE CAST(?1 AS bigint) IS NULL OR r.id = ?1 ORDER BY r.id DESC LIMIT 1");
        Ok(self.connection.prepare_cached(&sql)?.query_row([run.map(|run| run.0)], run_record).optional()?)
    }

    /// The latest runs, latest first.
    pub fn runs(&self, limit: usize) -> Result<Vec<RunRecord>, LedgerError> {
        let sql = format!("{RUN} ORDER BY r.id DESC LIMIT ?1");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let rows = statement.query_map([int(limit as u64)], run_record)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// How many runs there are.
    pub fn run_count(&self) -> Result<u64, LedgerError> {
        let mut statement = self.connection.prepare_cached("SELECT count(*) FROM runs")?;
        Ok(statement.query_row((), |row| row.get(0))?)
    }

    /// The imports that orders of this run were in, the latest first.
    pub fn imports_with(&self, run: RunId, most: usize) -> Result<Vec<RunRecord>, LedgerError> {
        let sql = format!(
            "{RUN} WHERE r.kind = 'import' AND r.id IN (SELECT other.run_id FROM run_orders own
                 CROSS JOIN run_orders other ON other.order_id = own.order_id WHERE own.run_id = ?1)
             ORDER BY r.id DESC LIMIT ?2"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let rows = statement.query_map(params![run.0, int(most as u64)], run_record)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Where the orders of a run stand now.
    pub fn tally(&self, run: RunId) -> Result<Tally, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT booked, already_booked, invalid, rejected, refused, in_doubt, outstanding, held, left_out, abandoned, dismissed
             FROM run_tallies WHERE run_id = ?1",
        )?;
        Ok(statement.query_row([run.0], Tally::of_row).optional()?.unwrap_or_default())
    }

    /// The orders of a run that people call otherwise than its tally does.
    pub fn called(&self, run: RunId) -> Result<Called, LedgerError> {
        let sql = format!(
            "SELECT count(*) FILTER (WHERE kept_as = 'held'), count(*) FILTER (WHERE kept_as = 'left_out'),
                (SELECT count(*) FROM run_classes c WHERE c.run_id = ?1 AND c.behind = 1 AND c.already = 1 AND c.class = 'held'
                    AND EXISTS (SELECT 1 FROM orders o WHERE o.id = c.order_id AND o.standing = 'booked')
                    AND NOT EXISTS (SELECT 1 FROM cancellations d WHERE d.order_id = c.order_id))
             FROM (SELECT {} AS kept_as FROM problems p CROSS JOIN run_classes c ON c.run_id = p.run_id AND c.seq = p.seq
                WHERE p.run_id = ?1 AND p.severity = 'error' AND c.behind = 1 AND c.class = 'invalid' GROUP BY p.seq) behind",
            kept_as!()
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let read = |row: &Row<'_>| Ok(Called { held: row.get(0)?, left_out: row.get(1)?, differ: row.get(2)? });
        Ok(statement.query_row([run.0], read)?)
    }

    /// How many booked orders of each run, from one on, were cancelled since: of those that it booked itself, and of the others.
    pub fn cancelled_since(&self, first: RunId) -> Result<BTreeMap<RunId, [u64; 2]>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT r.run_id, count(*) FILTER (WHERE r.already = 0), count(*) FILTER (WHERE r.already = 1)
             FROM (SELECT DISTINCT order_id FROM cancellations) c CROSS JOIN run_orders r ON r.order_id = c.order_id
             CROSS JOIN orders o ON o.id = r.order_id
             WHERE r.run_id >= ?1 AND o.standing = 'booked' AND (r.already = 0 OR r.behind = 0) GROUP BY r.run_id",
        )?;
        let rows = statement.query_map([first.0], |row| Ok((RunId(row.get(0)?), [row.get(1)?, row.get(2)?])))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The problems of a run, in the order in which they were found.
    pub fn problems(&self, run: RunId) -> Result<Vec<ProblemRecord>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT code, severity, place, order_number, field, found, message, hint, detail
             FROM problems WHERE run_id = ?1 ORDER BY n",
        )?;
        let rows = statement.query_map([run.0], |row| ProblemColumns::of_row(row).map(ProblemRecord::from))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// How often each case was said in the latest imports, by its code and its name; one that an earlier version kept has no
    /// name.
    pub fn cases_said(&self, runs: usize) -> Result<Vec<(String, String, u64)>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT code, coalesce(json_extract(detail, '$.case'), ''), count(*) FROM problems
             WHERE run_id IN (SELECT id FROM runs WHERE kind = 'import' ORDER BY id DESC LIMIT ?1) GROUP BY 1, 2",
        )?;
        let rows = statement.query_map([int(runs as u64)], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

impl ProblemColumns {
    /// From a row of these columns, in this order.
    pub(super) fn of_row(row: &Row<'_>) -> db::Result<Self> {
        Ok(Self {
            code: row.get(0)?,
            severity: row.get(1)?,
            place: row.get(2)?,
            order: row.get(3)?,
            field: row.get(4)?,
            found: row.get(5)?,
            message: row.get(6)?,
            hint: row.get(7)?,
            detail: row.get(8)?,
        })
    }
}

impl Tally {
    /// From a row of booked, already booked, invalid, rejected, refused, in doubt, outstanding, held, left out, abandoned and dismissed orders.
    pub(super) fn of_row(row: &Row<'_>) -> db::Result<Self> {
        let mut tally = Self {
            total: 0,
            booked: row.get(0)?,
            already_booked: row.get(1)?,
            invalid: row.get(2)?,
            rejected: row.get(3)?,
            refused: row.get(4)?,
            in_doubt: row.get(5)?,
            outstanding: row.get(6)?,
            held: row.get(7)?,
            left_out: row.get(8)?,
            abandoned: row.get(9)?,
            dismissed: row.get(10)?,
        };
        let Self {
            booked,
            already_booked,
            invalid,
            rejected,
            refused,
            in_doubt,
            outstanding,
            held,
            left_out,
            abandoned,
            dismissed,
            ..
        } = tally;
        let unsent = outstanding + held + left_out + abandoned;
        tally.total = booked + already_booked + invalid + rejected + refused + in_doubt + unsent + dismissed;
        Ok(tally)
    }
}

fn run_record(row: &Row<'_>) -> db::Result<RunRecord> {
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
        parent: row.get::<Option<i64>>(17)?.map(RunId),
        stopped_why: row.get(18)?,
        has_files_aside: row.get(19)?,
    })
}
