//! One row per order, for result files.

use std::collections::HashSet;

use super::book::error;
use super::cancel::unclear_since;
use super::db::{self, OptionalExtension, Row, params};
use super::error::LedgerError;
use super::freight::{carrier, freight};
use super::left::kept_as;
use super::open::Ledger;
use super::record::{CANCELLED, DIFFERS, ProblemColumns, ProblemRecord, ResultRow, RunId};

/// When an order was cancelled, or since when nobody knows whether it is.
macro_rules! cancelled {
    () => {
        concat!(
            "coalesce(
            (SELECT strftime('%Y-%m-%dT%H:%M:%SZ', min(c.at_ms) / 1000, 'unixepoch') FROM cancellations c
             WHERE c.order_id = o.id),
            'unknown since ' || strftime('%Y-%m-%dT%H:%M:%SZ', ",
            unclear_since!(),
            " / 1000, 'unixepoch'))"
        )
    };
}

/// When an order was sent last, when it was booked (or said to be), and its money.
macro_rules! dates_and_money {
    () => {
        concat!(
            "(SELECT strftime('%Y-%m-%dT%H:%M:%SZ', max(a.intent_ms) / 1000, 'unixepoch') FROM attempts a
             WHERE a.order_id = o.id),
            CASE WHEN o.awb IS NOT NULL THEN strftime('%Y-%m-%dT%H:%M:%SZ', coalesce(
                (SELECT min(a.answered_ms) FROM attempts a WHERE a.order_id = o.id AND a.outcome = 'booked'),
                (SELECT min(l.answered_ms) FROM attempts a CROSS JOIN late_answers l ON l.attempt_id = a.id
                 WHERE a.order_id = o.id AND l.outcome = 'booked'),
                (SELECT max(d.at_ms) FROM decisions d WHERE d.order_id = o.id AND d.verb = 'booked')) / 1000, 'unixepoch') END,
            q.value, q.cod, ",
            freight!()
        )
    };
}

/// Whether the problems that kept an order back in its run `r` still say what is wrong with it.
macro_rules! is_kept_back {
    ($class:literal) => {
        concat!("r.behind = 1 AND ", $class, " IN ('invalid', 'held', 'dismissed', 'rows_without_order')")
    };
}

/// The problems that kept an order back in its run `r`, as JSON of its problems' columns.
macro_rules! wrong {
    ($class:literal) => {
        concat!(
            "CASE WHEN ",
            is_kept_back!($class),
            " THEN
            (SELECT json_group_array(json_object('code', p.code, 'severity', p.severity, 'place', p.place,
                'order', p.order_number, 'field', p.field, 'found', p.found, 'message', p.message, 'hint', p.hint,
                'detail', p.detail))
             FROM problems p WHERE p.run_id = r.run_id AND p.seq = r.seq AND p.severity = 'error') END"
        )
    };
}

/// An order in its run `r`: what it is shown as, its class, and where its rows are.
macro_rules! result {
    ($shown:expr, $class:literal, $rows:literal) => {
        concat!(
            "SELECT o.number, ",
            $shown,
            ", o.awb, o.order_id, ",
            carrier!(),
            ", o.service_level, CASE WHEN ",
            is_kept_back!($class),
            " THEN NULL ELSE ",
            error!(),
            " END, coalesce(o.attempts, 0), r.run_id, ",
            $rows,
            ", ",
            cancelled!(),
            ", ",
            wrong!($class),
            ", ",
            dates_and_money!(),
            ", coalesce(r.behind, 0), ",
            kept_back_as!(),
            " "
        )
    };
}

/// How people call an order that its run `r` kept back, if it is to be corrected or answered.
macro_rules! kept_back_as {
    () => {
        concat!(
            "CASE WHEN r.behind = 1 AND o.id IS NOT NULL THEN (SELECT ",
            kept_as!(),
            " FROM problems p WHERE p.run_id = r.run_id AND p.seq = r.seq AND p.severity = 'error') END"
        )
    };
}

/// The state in which an order of a run, or a row that names no order, is shown.
macro_rules! shown {
    () => {
        "CASE r.class WHEN 'rows_without_order' THEN 'invalid' WHEN 'already_booked' THEN 'booked'
            WHEN 'outstanding' THEN CASE o.state WHEN 'sending' THEN ?2 ELSE 'outstanding' END ELSE r.class END"
    };
}

/// Orders and rows of one run.
macro_rules! of_run {
    ($which:literal) => {
        concat!(
            result!(shown!(), "r.class", "coalesce(r.rows, q.rows)"),
            "FROM run_classes r LEFT JOIN orders o ON o.id = r.order_id LEFT JOIN requests q ON q.id = o.request_id
             WHERE r.run_id = ?1 ",
            $which
        )
    };
}

/// All of them, in sheet order.
const OF_RUN: &str = of_run!("ORDER BY r.seq");

/// Some of them, by their places.
const IN_RUN: &str = of_run!("AND r.seq IN (SELECT CAST(value AS bigint) FROM json_each(?3)) ORDER BY r.seq");

/// Where each of them stands. A class is worked out anew for each mention of it.
const STANDINGS: &str = concat!(
    "SELECT r.seq, r.class, o.number IS NOT NULL, o.state, EXISTS (SELECT 1 FROM cancellations c WHERE c.order_id = o.id), ",
    kept_back_as!(),
    ", o.error FROM run_classes r LEFT JOIN orders o ON o.id = r.order_id WHERE r.run_id = ?1 ORDER BY r.seq"
);

/// Every order of the ledger.
const OF_ALL: &str = concat!(
    result!(
        "CASE o.standing WHEN 'sending' THEN ?2 WHEN 'staged' THEN 'outstanding' WHEN 'waiting' THEN 'outstanding' ELSE o.standing END",
        "o.standing",
        "coalesce(q.rows, r.rows, v.rows)"
    ),
    "FROM orders o CROSS JOIN revisions v ON v.id = o.revision_id
     LEFT JOIN requests q ON q.id = o.request_id
     LEFT JOIN run_orders r ON r.order_id = o.id AND r.run_id = (SELECT max(l.run_id) FROM run_orders l WHERE l.order_id = o.id)
     WHERE CAST(?1 AS bigint) IS NULL ORDER BY o.id"
);

/// One order of a run; what was booked before it is called `already_booked`.
const AT: &str = concat!(
    result!("r.class", "r.class", "coalesce(r.rows, q.rows)"),
    "FROM run_classes r CROSS JOIN orders o ON o.id = r.order_id LEFT JOIN requests q ON q.id = o.request_id
     WHERE r.run_id = ?1 AND r.seq = ?2"
);

/// An order of a run, or a row that names none, as a list counts it.
#[derive(Debug)]
pub struct InRun {
    /// Its place in the run.
    pub seq: i64,
    /// Whether it is an order.
    pub has_number: bool,
    /// As [`ResultRow::state`].
    pub state: String,
    /// As [`ResultRow::standing`].
    pub standing: String,
    /// The service's words on an order that failed.
    pub error: Option<String>,
}

/// Which orders are asked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted<'a> {
    /// Those of one run; of the whole ledger if none is named, invalid ones too that were never sent.
    pub run: Option<RunId>,
    /// Those of all these runs, the latest first, each order once; only where no run is named.
    pub runs: &'a [RunId],
    /// Those in one of these states; in all if none is named.
    pub states: &'a [String],
    /// Whether some process is still booking. What is on its way is outstanding then; a run that was killed has left it
    /// in doubt, though the ledger will only say so at the next start.
    pub running: bool,
}

impl Ledger {
    /// The order at a place of a run's sheets.
    pub fn result_at(&self, run: RunId, seq: i64) -> Result<Option<ResultRow>, LedgerError> {
        let mut statement = self.connection.prepare_cached(AT)?;
        Ok(statement.query_row(params![run.0, seq], result_row).optional()?)
    }

    /// Passes where each order of a run stands, in sheet order; `running` as in [`Wanted`].
    pub fn for_each_in_run(&self, run: RunId, running: bool, each: &mut dyn FnMut(InRun)) -> Result<(), LedgerError> {
        let mut statement = self.connection.prepare_cached(STANDINGS)?;
        let mut rows = statement.query([run.0])?;
        while let Some(row) = &rows.next()? {
            let (class, own): (String, Option<String>) = (row.get(1)?, row.get(3)?);
            let state = match (class.as_str(), own.as_deref()) {
                ("rows_without_order", _) => "invalid",
                ("already_booked", _) => "booked",
                ("outstanding", Some("sending")) => sending(running),
                (class, _) => class,
            };
            let is_cancelled: bool = row.get(4)?;
            let booked = (own.as_deref() == Some("booked")).then_some(is_cancelled);
            let standing = standing(state, booked, row.get(5)?);
            let is_failed = matches!(state, "rejected" | "refused");
            let error = if is_failed { row.get(6)? } else { None };
            each(InRun { seq: row.get(0)?, has_number: row.get(2)?, state: state.to_owned(), standing, error });
        }
        Ok(())
    }

    /// The orders at these places of a run, as [`for_each_in_run`](Self::for_each_in_run) names them.
    pub fn results_in(&self, run: RunId, places: Vec<i64>, running: bool) -> Result<Vec<ResultRow>, LedgerError> {
        let mut statement = self.connection.prepare_cached(IN_RUN)?;
        let places = serde_json::Value::from(places).to_string();
        Ok(statement.query_map(params![run.0, sending(running), places], result_row)?.collect::<Result<_, _>>()?)
    }

    /// Passes each order that is wanted.
    pub fn for_each_result(&self, wanted: &Wanted<'_>, each: &mut dyn FnMut(&ResultRow)) -> Result<(), LedgerError> {
        let Wanted { run, runs, states, running } = *wanted;
        if run.is_none() && !runs.is_empty() {
            return self.for_each_result_once(wanted, each);
        }
        let sql = if run.is_some() { OF_RUN } else { OF_ALL };
        let mut statement = self.connection.prepare(sql)?;
        let mut rows = statement.query(params![run.map(|run| run.0), sending(running)])?;
        while let Some(row) = &rows.next()? {
            let row = result_row(row)?;
            if states.is_empty() || states.contains(&row.state) {
                each(&row);
            }
        }
        Ok(())
    }
}

impl Ledger {
    /// Passes each order of several runs once, by its row in the latest of them that could send it, or else in the latest.
    fn for_each_result_once(&self, wanted: &Wanted<'_>, each: &mut dyn FnMut(&ResultRow)) -> Result<(), LedgerError> {
        let Wanted { runs, states, running, .. } = *wanted;
        let of_one = |run: RunId, each: &mut dyn FnMut(&ResultRow, i64)| -> Result<(), LedgerError> {
            let service: i64 =
                self.connection.query_row("SELECT service_id FROM runs WHERE id = ?1", [run.0], |row| row.get(0))?;
            let one = Wanted { run: Some(run), states: &[], running, ..Wanted::default() };
            self.for_each_result(&one, &mut |row| each(row, service))
        };
        let key = |row: &ResultRow, service| row.order_number.clone().map(|number| (service, number));
        let (mut sent, mut passed) = (HashSet::new(), HashSet::new());
        for run in runs {
            of_one(*run, &mut |row, service| sent.extend(key(row, service).filter(|_| !row.is_kept_back)))?;
        }
        for run in runs {
            of_one(*run, &mut |row, service| {
                let is_told = key(row, service)
                    .is_some_and(|key| (row.is_kept_back && sent.contains(&key)) || !passed.insert(key));
                if !is_told && (states.is_empty() || states.contains(&row.state)) {
                    each(row);
                }
            })?;
        }
        Ok(())
    }
}

/// The state in which an order is shown that is being sent.
const fn sending(running: bool) -> &'static str {
    if running { "outstanding" } else { "in_doubt" }
}

/// Where an order stands that is shown in a state; of a booked one whether it is cancelled.
fn standing(state: &str, booked: Option<bool>, kept_back_as: Option<String>) -> String {
    match (state, booked, kept_back_as) {
        ("booked" | "already_booked", Some(true), _) => CANCELLED.to_owned(),
        ("held", Some(false), _) => DIFFERS.to_owned(),
        ("invalid", _, Some(own)) => own,
        _ => state.to_owned(),
    }
}

/// The problems of a row, from JSON of their columns.
fn wrong(row: &Row<'_>, column: usize) -> db::Result<Vec<ProblemRecord>> {
    let Some(wrong): Option<String> = row.get(column)? else { return Ok(Vec::new()) };
    let wrong: Vec<ProblemColumns> =
        serde_json::from_str(&wrong).map_err(|error| db::Error::Meaningless(error.to_string()))?;
    Ok(wrong.into_iter().map(Into::into).collect())
}

fn result_row(row: &Row<'_>) -> db::Result<ResultRow> {
    let (state, mut error): (String, Option<String>) = (row.get(1)?, row.get(6)?);
    if state == "in_doubt" && error.is_none() {
        error = Some("the run was killed before an answer was kept".to_owned());
    }
    let mut result = ResultRow {
        order_number: row.get(0)?,
        state,
        awb: row.get(2)?,
        order_id: row.get(3)?,
        carrier: row.get(4)?,
        service: row.get(5)?,
        error,
        attempts: row.get(7)?,
        run: row.get(8)?,
        rows: row.get(9)?,
        cancelled: row.get(10)?,
        sent: row.get(12)?,
        booked: row.get(13)?,
        value: row.get(14)?,
        cod: row.get(15)?,
        freight: row.get(16)?,
        is_kept_back: row.get(17)?,
        standing: String::new(),
        wrong: wrong(row, 11)?,
    };
    let booked = result.awb.is_some().then(|| result.is_cancelled());
    result.standing = standing(&result.state, booked, row.get(18)?);
    Ok(result)
}
