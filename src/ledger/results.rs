//! One row per order, for result files.

use std::collections::HashSet;

use super::book::error;
use super::cancel::unclear_since;
use super::db::{self, OptionalExtension, Row, params};
use super::error::LedgerError;
use super::freight::{carrier, freight};
use super::open::Ledger;
use super::record::{ProblemColumns, ResultRow, RunId};

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

/// Whether the order `i` that stayed behind was dismissed.
macro_rules! behind {
    () => {
        "CASE WHEN EXISTS (SELECT 1 FROM dismissed_rows x WHERE x.run_id = i.run_id AND x.n = i.n)
            THEN 'dismissed' ELSE 'invalid' END"
    };
}

/// What is wrong with an order that was invalid, as JSON of its problems' columns.
macro_rules! wrong {
    () => {
        "(SELECT json_group_array(json_object('code', p.code, 'severity', p.severity, 'place', p.place,
                'order', p.order_number, 'field', p.field, 'found', p.found, 'message', p.message, 'hint', p.hint,
                'detail', p.detail))
         FROM problems p WHERE p.run_id = i.run_id AND p.invalid_n = i.n AND p.severity = 'error')"
    };
}

/// Orders of one run, in sheet order; what is not settled is called `outstanding`, what is on the way as `?2` has it.
const OF_RUN: &str = concat!(
    "
    SELECT o.number, CASE o.standing WHEN 'sending' THEN ?2 WHEN 'staged' THEN 'outstanding' WHEN 'waiting'
            THEN 'outstanding' ELSE o.standing END AS shown, o.awb, o.order_id,
        ",
    carrier!(),
    ", o.service_level, ",
    error!(),
    ", o.attempts, r.run_id, coalesce(r.rows, q.rows), ",
    cancelled!(),
    ", NULL, ",
    dates_and_money!(),
    ", r.seq AS place, 0 AS part
    FROM run_orders r CROSS JOIN orders o ON o.id = r.order_id CROSS JOIN requests q ON q.id = o.request_id
    WHERE r.run_id = ?1
    UNION ALL
    SELECT i.number, ",
    behind!(),
    ",
        -- An order that is booked, and whose row has changed since, has its AWB.
        (SELECT b.awb FROM runs u CROSS JOIN same_service s ON s.asked = u.service_id
         CROSS JOIN orders b ON b.service_id = s.id AND b.number = i.number
         WHERE u.id = i.run_id AND b.state = 'booked' ORDER BY s.is_own DESC LIMIT 1), NULL, NULL, NULL, NULL,
        0, i.run_id, i.rows, NULL, ",
    wrong!(),
    ", NULL, NULL, NULL, NULL, NULL, i.seq, i.n
    FROM run_invalid i WHERE i.run_id = ?1
    ORDER BY place, part"
);

/// Every order of the ledger, and those that were invalid when they came last and were never sent.
const OF_ALL: &str = concat!(
    "
    SELECT o.number, CASE o.standing WHEN 'sending' THEN ?2 WHEN 'staged' THEN 'outstanding' WHEN 'waiting'
            THEN 'outstanding' ELSE o.standing END, o.awb, o.order_id, ",
    carrier!(),
    ", o.service_level, ",
    error!(),
    ", o.attempts,
        (SELECT max(run_id) FROM run_orders r WHERE r.order_id = o.id), q.rows, ",
    cancelled!(),
    ", NULL, ",
    dates_and_money!(),
    ", 0 AS part, o.id AS place
    FROM orders o CROSS JOIN requests q ON q.id = o.request_id WHERE CAST(?1 AS bigint) IS NULL
    UNION ALL
    SELECT i.number, ",
    behind!(),
    ", NULL, NULL, NULL, NULL, NULL, 0, i.run_id, i.rows, NULL, ",
    wrong!(),
    ", NULL, NULL, NULL, NULL, NULL, 1, i.run_id
    FROM (SELECT r.service_id, l.number, l.run_id, l.n, l.rows,
            row_number() OVER (PARTITION BY r.service_id, l.number ORDER BY l.run_id DESC, l.n) AS place
        FROM run_invalid l CROSS JOIN runs r ON r.id = l.run_id WHERE l.number IS NOT NULL) i
    WHERE i.place = 1 AND NOT EXISTS (SELECT 1 FROM same_service s CROSS JOIN orders o ON o.service_id = s.id AND o.number = i.number
        WHERE s.asked = i.service_id)
    ORDER BY part, place"
);

/// One order of a run; what was booked before the run is called `already_booked`.
const AT: &str = concat!(
    "
    SELECT o.number, CASE WHEN r.already = 1 AND o.standing = 'booked' THEN 'already_booked'
        WHEN o.standing IN ('staged', 'sending', 'waiting') THEN 'outstanding' ELSE o.standing END, o.awb, o.order_id,
        ",
    carrier!(),
    ", o.service_level, ",
    error!(),
    ", o.attempts, r.run_id, coalesce(r.rows, q.rows), ",
    cancelled!(),
    ", NULL, ",
    dates_and_money!(),
    " FROM run_orders r CROSS JOIN orders o ON o.id = r.order_id CROSS JOIN requests q ON q.id = o.request_id
    WHERE r.run_id = ?1 AND r.seq = ?2"
);

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
    /// The order at a place of a run's sheets; none where it stayed behind.
    pub fn result_at(&self, run: RunId, seq: i64) -> Result<Option<ResultRow>, LedgerError> {
        let mut statement = self.connection.prepare_cached(AT)?;
        Ok(statement.query_row(params![run.0, seq], result_row).optional()?)
    }

    /// Passes each order that is wanted.
    pub fn for_each_result(&self, wanted: &Wanted<'_>, each: &mut dyn FnMut(&ResultRow)) -> Result<(), LedgerError> {
        let Wanted { run, runs, states, running } = *wanted;
        if run.is_none() && !runs.is_empty() {
            return self.for_each_result_once(wanted, each);
        }
        let sql = if run.is_some() { OF_RUN } else { OF_ALL };
        let mut statement = self.connection.prepare(sql)?;
        let mut rows =
            statement.query(params![run.map(|run| run.0), if running { "outstanding" } else { "in_doubt" }])?;
        while let Some(row) = &rows.next()? {
            let mut row = result_row(row)?;
            if row.state == "in_doubt" && row.error.is_none() {
                row.error = Some("the run was killed before an answer was kept".to_owned());
            }
            if states.is_empty() || states.contains(&row.state) {
                each(&row);
            }
        }
        Ok(())
    }
}

impl Ledger {
    /// Passes each order of several runs once, by its row in the latest of them that could send it. What one of them booked is
    /// booked, though a later one found it so.
    fn for_each_result_once(&self, wanted: &Wanted<'_>, each: &mut dyn FnMut(&ResultRow)) -> Result<(), LedgerError> {
        let Wanted { runs, states, running, .. } = *wanted;
        let of_one = |run: RunId, each: &mut dyn FnMut(&ResultRow, i64)| -> Result<(), LedgerError> {
            let service: i64 =
                self.connection.query_row("SELECT service_id FROM runs WHERE id = ?1", [run.0], |row| row.get(0))?;
            let one = Wanted { run: Some(run), states: &[], running, ..Wanted::default() };
            self.for_each_result(&one, &mut |row| each(row, service))
        };
        let key = |row: &ResultRow, service| row.order_number.clone().map(|number| (service, number));
        let (mut asked, mut ordered, mut passed) = (HashSet::new(), HashSet::new(), HashSet::new());
        for run in runs {
            of_one(*run, &mut |row, service| {
                if row.state != "invalid" && row.state != "dismissed" {
                    ordered.extend(key(row, service));
                    asked.extend(key(row, service).filter(|_| row.state != "already_booked"));
                }
            })?;
        }
        for run in runs {
            of_one(*run, &mut |row, service| {
                let is_behind = row.state == "invalid" || row.state == "dismissed";
                let is_told =
                    key(row, service).is_some_and(|key| (is_behind && ordered.contains(&key)) || !passed.insert(key));
                if is_told {
                    return;
                }
                let mut row = row.clone();
                if row.state == "already_booked" && key(&row, service).is_some_and(|key| asked.contains(&key)) {
                    "booked".clone_into(&mut row.state);
                }
                if states.is_empty() || states.contains(&row.state) {
                    each(&row);
                }
            })?;
        }
        Ok(())
    }
}

fn result_row(row: &Row<'_>) -> db::Result<ResultRow> {
    let wrong: Option<String> = row.get(11)?;
    let wrong: Vec<ProblemColumns> = match wrong {
        Some(wrong) => serde_json::from_str(&wrong).map_err(|error| db::Error::Meaningless(error.to_string()))?,
        None => Vec::new(),
    };
    Ok(ResultRow {
        order_number: row.get(0)?,
        state: row.get(1)?,
        awb: row.get(2)?,
        order_id: row.get(3)?,
        carrier: row.get(4)?,
        service: row.get(5)?,
        error: row.get(6)?,
        attempts: row.get(7)?,
        run: row.get(8)?,
        rows: row.get(9)?,
        cancelled: row.get(10)?,
        sent: row.get(12)?,
        booked: row.get(13)?,
        value: row.get(14)?,
        cod: row.get(15)?,
        freight: row.get(16)?,
        wrong: wrong.into_iter().map(Into::into).collect(),
    })
}
