//! What a report is made of: every order of some runs once, what kept others behind, and how each attempt went.

use crate::text::{Decimal, hex};

use super::book::error;
use super::cancel::unclear_since;
use super::chain::Chain;
use super::db::{Value, params};
use super::error::LedgerError;
use super::freight::{carrier, freight};
use super::open::Ledger;
use super::packed::Unpacker;
use super::record::{ProblemColumns, ProblemRecord, RunId, State};
use super::sql::{amount, word};

/// The runs that are meant, as `u`.
const RUNS_MEANT: &str = "(CAST(?1 AS bigint) IS NULL OR u.id = ?1) AND u.started_ms >= ?2 AND u.started_ms < ?3";

/// One run, or those that began in a span of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunSpan {
    /// The one run; where none is named, all that began in the span.
    pub run: Option<RunId>,
    /// Epoch milliseconds.
    pub from_ms: i64,
    /// Epoch milliseconds; the span ends before it.
    pub until_ms: i64,
}

/// An order of these runs, as it counts in them now.
#[derive(Debug)]
pub struct OrderSeen<'a> {
    /// The order number.
    pub number: String,
    /// Where it stands; held or dismissed, too, where these runs only kept it back.
    pub state: State,
    /// Whether a source has let it go yet.
    pub has_request: bool,
    /// The latest of these runs and its place there, if that run kept it back.
    pub kept_back: Option<(RunId, i64)>,
    /// Whether it was booked before the first of these runs asked for it.
    pub already: bool,
    /// Whether a run after the span asked for it while it was not booked yet.
    pub asked_later: bool,
    /// In how many of these runs it was.
    pub times: u64,
    /// In how many of them it was not booked yet when it came.
    pub asked: u64,
    /// When the first of them began, epoch milliseconds.
    pub came_ms: i64,
    /// Its rows in the last of them, as people write them.
    pub rows: String,
    /// Its AWB, if it is booked.
    pub awb: Option<String>,
    /// The carrier, if it is booked and the answer named one.
    pub carrier: Option<String>,
    /// The service level, likewise.
    pub service_level: Option<String>,
    /// What the service, or the network, said of it last.
    pub error: Option<String>,
    /// When it was cancelled.
    pub cancelled_ms: Option<i64>,
    /// When a cancellation was asked for of which nobody knows what came of it.
    pub cancel_unclear_ms: Option<i64>,
    /// When it was tried last, or staged where it never was.
    pub since_ms: i64,
    /// Its declared value, in its currency.
    pub value: Decimal,
    /// What the courier collects at the door, in its currency.
    pub cod: Decimal,
    /// What the courier charges for it, by the latest statement.
    pub freight: Option<Decimal>,
    /// Its request; empty where it was removed with what is personal.
    pub body: &'a [u8],
}

/// A problem of one of these runs, and what it kept behind.
#[derive(Debug)]
pub struct ProblemSeen {
    /// The run.
    pub run: RunId,
    /// The place of what it kept back; below 0 of a row that names no order.
    pub behind: Option<i64>,
    /// The problem.
    pub problem: ProblemRecord,
}

/// One attempt of these runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttemptSeen {
    /// When it was about to be sent, epoch milliseconds.
    pub intent_ms: i64,
    /// When its answer was there; nothing while it is open.
    pub answered_ms: Option<i64>,
    /// The HTTP status of the answer, where one came.
    pub status: Option<u16>,
    /// The state that the answer led to; nothing while it is open.
    pub outcome: Option<State>,
}

/// The end of the evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainHead {
    /// How many links there are.
    pub links: i64,
    /// The newest link's hash, in hexadecimal digits.
    pub hash: String,
}

impl RunSpan {
    fn params(self) -> [Value<'static>; 3] {
        let run = self.run.map_or(Value::Null, |run| Value::Int(run.number()));
        [run, Value::Int(self.from_ms), Value::Int(self.until_ms)]
    }
}

impl Ledger {
    /// Reads several things as they stood at one moment, also while a run goes on.
    pub fn at_one_moment<T, E: From<LedgerError>>(&self, read: impl FnOnce(&Self) -> Result<T, E>) -> Result<T, E> {
        let transaction = self.connection.one_moment().map_err(LedgerError::from)?;
        let read = read(self)?;
        transaction.roll_back().map_err(LedgerError::from)?;
        Ok(read)
    }

    /// The runs of a span, the latest first.
    pub fn runs_of(&self, span: RunSpan) -> Result<Vec<RunId>, LedgerError> {
        let sql = format!("SELECT u.id FROM runs u WHERE {RUNS_MEANT} ORDER BY u.id DESC");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let rows = statement.query_map(span.params(), |row| row.get(0).map(RunId))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Hands out each order of these runs once.
    pub fn for_each_order_of(&self, span: RunSpan, each: &mut dyn FnMut(OrderSeen<'_>)) -> Result<(), LedgerError> {
        let sql = format!(
            "SELECT o.number, CASE
                    WHEN o.standing = 'booked' AND s.asked = 0 AND l.class <> 'already_booked' THEN l.class
                    WHEN s.sent = 0 AND l.class = 'held' AND o.standing <> 'booked' THEN l.class ELSE o.standing END,
                s.asked = 0, s.times, s.came_ms, coalesce(l.rows, q.rows), {}, o.service_level, {},
                (SELECT min(c.at_ms) FROM cancellations c WHERE c.order_id = o.id), {},
                coalesce((SELECT max(a.intent_ms) FROM attempts a WHERE a.order_id = o.id), q.staged_ms, s.came_ms),
                coalesce(q.value, '0'), coalesce(q.cod, '0'), coalesce(q.body, zeroblob(0)), coalesce(q.sha256, zeroblob(32)),
                s.asked, o.awb, {}, q.id IS NOT NULL, l.run_id, l.seq, l.behind,
                EXISTS (SELECT 1 FROM run_orders r JOIN runs u ON u.id = r.run_id WHERE r.order_id = o.id AND r.already = 0
                    AND r.behind = 0 AND u.started_ms >= ?3)
             FROM (SELECT r.order_id, sum(1 - r.already) AS asked, sum(1 - r.behind) AS sent, count(*) AS times,
                    min(u.started_ms) AS came_ms, max(u.id) AS last
                FROM runs u CROSS JOIN run_orders r ON r.run_id = u.id
                WHERE r.order_id IS NOT NULL AND {RUNS_MEANT} GROUP BY r.order_id) s
             CROSS JOIN orders o ON o.id = s.order_id
             CROSS JOIN run_classes l ON l.order_id = s.order_id AND l.run_id = s.last
             LEFT JOIN requests q ON q.id = o.request_id ORDER BY o.id",
            carrier!(),
            error!(),
            unclear_since!(),
            freight!()
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut rows = statement.query(span.params())?;
        let mut unpacker = Unpacker::default();
        while let Some(row) = &rows.next()? {
            let kept = row.get_ref(14)?.as_blob()?;
            let body = unpacker.unpack_what_is_left(kept, &row.get(15)?)?;
            each(OrderSeen {
                number: row.get(0)?,
                state: word(row, 1)?,
                has_request: row.get(19)?,
                kept_back: if row.get(22)? { Some((RunId(row.get(20)?), row.get(21)?)) } else { None },
                already: row.get(2)?,
                asked_later: row.get(23)?,
                times: row.get(3)?,
                asked: row.get(16)?,
                awb: row.get(17)?,
                came_ms: row.get(4)?,
                rows: row.get(5)?,
                carrier: row.get(6)?,
                service_level: row.get(7)?,
                error: row.get(8)?,
                cancelled_ms: row.get(9)?,
                cancel_unclear_ms: row.get(10)?,
                since_ms: row.get(11)?,
                value: amount(row, 12)?,
                cod: amount(row, 13)?,
                freight: row.get::<Option<String>>(18)?.and_then(|digits| digits.parse().ok()),
                body: &body,
            });
        }
        Ok(())
    }

    /// Hands out the problems that kept something back in these runs, in the order in which they were found.
    pub fn for_each_problem_of(&self, span: RunSpan, each: &mut dyn FnMut(ProblemSeen)) -> Result<(), LedgerError> {
        let sql = format!(
            "SELECT p.code, p.severity, p.place, p.order_number, p.field, p.found, p.message, p.hint, p.detail, p.run_id,
                p.seq
             FROM runs u CROSS JOIN problems p ON p.run_id = u.id WHERE p.severity = 'error' AND {RUNS_MEANT}
             ORDER BY p.run_id, p.n"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut rows = statement.query(span.params())?;
        while let Some(row) = &rows.next()? {
            let problem = ProblemColumns::of_row(row)?.into();
            each(ProblemSeen { run: RunId(row.get(9)?), behind: row.get(10)?, problem });
        }
        Ok(())
    }

    /// Hands out each attempt of these runs.
    pub fn for_each_attempt_of(&self, span: RunSpan, each: &mut dyn FnMut(AttemptSeen)) -> Result<(), LedgerError> {
        let sql = format!(
            "SELECT a.intent_ms, a.answered_ms, a.status, a.outcome FROM runs u CROSS JOIN run_orders r ON r.run_id = u.id
             CROSS JOIN attempts a ON a.order_id = r.order_id AND a.run_id = u.id WHERE {RUNS_MEANT}"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut rows = statement.query(span.params())?;
        while let Some(row) = &rows.next()? {
            let outcome = match row.get_ref(3)? {
                Value::Null => None,
                _ => Some(word(row, 3)?),
            };
            each(AttemptSeen { intent_ms: row.get(0)?, answered_ms: row.get(1)?, status: row.get(2)?, outcome });
        }
        Ok(())
    }

    /// The imports before a run, the latest first.
    pub fn imports_before(&self, run: RunId, limit: u32) -> Result<Vec<RunId>, LedgerError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT id FROM runs WHERE kind = 'import' AND id < ?1 ORDER BY id DESC LIMIT ?2")?;
        let rows = statement.query_map(params![run.number(), limit], |row| row.get(0).map(RunId))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The end of the evidence, which any later alteration of an earlier link would change.
    pub fn chain_head(&self) -> Result<ChainHead, LedgerError> {
        let Chain { n, hash } = Chain::read(&self.connection)?;
        Ok(ChainHead { links: n, hash: hex(&hash) })
    }
}
