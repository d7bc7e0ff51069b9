//! An order's whole history: requests, attempts, decisions.

use schemars::JsonSchema;
use serde::Serialize;

use super::after::DeliveryRecord;
use super::book::error;
use super::cancel::{CancelRecord, Cancellation};
use super::db::params;
use super::decide::Upon;
use super::error::LedgerError;
use super::freight::carrier;
use super::open::Ledger;
use super::record::State;
use crate::finding::RuleId;

/// Everything that is known of an order.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct OrderHistory {
    /// The order number.
    pub number: String,
    /// The address of the service that it is booked at, or `sandbox`.
    pub service: String,
    /// Where it stands.
    #[schemars(with = "State")]
    pub state: String,
    /// The air waybill number; null where it has none.
    pub awb: Option<String>,
    /// The service's own id of it; null where it gave none.
    pub order_id: Option<String>,
    /// The courier.
    pub carrier: Option<String>,
    /// The courier's service.
    pub service_level: Option<String>,
    /// Whether the service answered with a shipment that is older than our request.
    pub old_answer: bool,
    /// Why it is not booked.
    pub error: Option<String>,
    /// The requests that were made of it, the oldest first.
    pub requests: Vec<RequestRecord>,
    /// Every time that it was sent, the first first.
    pub attempts: Vec<AttemptRecord>,
    /// People's decisions on it, the oldest first.
    pub decisions: Vec<DecisionRecord>,
    /// Each time that a source said that it does not go, or asked about it, the oldest first.
    pub refusals: Vec<RefusalRecord>,
    /// The question that holds it until a person answers it with `accept`; null where none does.
    pub question: Option<RefusalRecord>,
    /// Cancellations as the service answered them.
    pub cancellations: Vec<Cancellation>,
    /// Cancellations that were asked for, whatever came of them.
    pub cancel_requests: Vec<CancelRecord>,
    /// Tracking events that were received; hints, which changed nothing.
    pub deliveries: Vec<DeliveryRecord>,
    /// When its label was handed out to be printed, each time; empty where it is not printed yet.
    pub label_prints: Vec<PrintRecord>,
}

/// A label that was handed out to be printed.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PrintRecord {
    /// When, in milliseconds since 1970-01-01 UTC.
    pub at_ms: i64,
    /// Who.
    pub user: String,
    /// On which machine.
    pub host: String,
    /// The PDF.
    pub file: String,
}

/// One frozen request.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RequestRecord {
    /// The hash of its bytes, in hexadecimal digits.
    pub sha256: String,
    /// When it was made, in milliseconds since 1970-01-01 UTC.
    pub staged_ms: i64,
    /// Where it stands in its sheets.
    pub rows: String,
    /// Its product lines.
    pub lines: u32,
}

/// A source did not let the order go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RefusalRecord {
    /// When, in milliseconds since 1970-01-01 UTC.
    pub at_ms: i64,
    /// Who imported the source, or decided.
    pub user: String,
    /// Why, and where.
    pub because: String,
    /// Where that source has it.
    pub rows: Option<String>,
    /// The rule that asks a person; null where none does.
    pub rule: Option<String>,
    /// Whether a person decided it.
    #[serde(skip)]
    pub is_decision: bool,
}

/// One POST.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AttemptRecord {
    /// Its number, from 1.
    pub n: u32,
    /// The run that sent it.
    #[schemars(range(min = 0))]
    pub run: i64,
    /// When it was about to leave, in milliseconds since 1970-01-01 UTC.
    pub intent_ms: i64,
    /// When it was settled, in milliseconds since 1970-01-01 UTC; null where that is not known or did not happen.
    pub answered_ms: Option<i64>,
    /// Its outcome; null while it is on its way.
    pub outcome: Option<String>,
    /// The HTTP status of the answer; null where none came.
    pub status: Option<u16>,
    /// Why it failed or is in doubt.
    pub reason: Option<String>,
    /// The air waybill number in the answer.
    pub awb: Option<String>,
    /// The answer as it came, as far as it is text.
    pub answer: Option<String>,
    /// An answer that came to light when the attempt was in doubt already; null where none did.
    pub late: Option<LateAnswerRecord>,
}

/// An answer that came to light late.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LateAnswerRecord {
    /// When it was taken up, in milliseconds since 1970-01-01 UTC.
    pub at_ms: i64,
    /// Its text.
    pub outcome: String,
    /// The air waybill number in it.
    pub awb: Option<String>,
    /// Why it failed.
    pub reason: Option<String>,
    /// The answer as it came, as far as it is text.
    pub answer: Option<String>,
}

/// One decision of a person.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DecisionRecord {
    /// When, in milliseconds since 1970-01-01 UTC.
    pub at_ms: i64,
    /// Who.
    pub user: String,
    /// On which machine.
    pub host: String,
    /// The decision.
    pub verb: String,
    /// The air waybill number that was seen.
    pub awb: Option<String>,
    /// How they know.
    pub because: Option<String>,
    /// The number of the attempt that it was about; null where it was about none.
    pub attempt: Option<u32>,
}

impl OrderHistory {
    /// Whether it is held because a courier's statement has it.
    #[must_use]
    pub fn is_listed(&self) -> bool {
        let rule = self.question.as_ref().and_then(|question| question.rule.as_deref());
        rule == Some(RuleId::InCouriersList.as_str())
    }

    /// What a word on this order is upon, for whoever was shown this.
    #[must_use]
    pub fn upon(&self) -> Upon {
        Upon {
            service: self.service.clone(),
            number: self.number.clone(),
            state: self.state.clone(),
            attempts: self.attempts.last().map_or(0, |attempt| attempt.n),
            decisions: u32::try_from(self.decisions.len()).unwrap_or(u32::MAX),
        }
    }
}

impl OrderHistory {
    /// Whether it is booked with an AWB that a person gave, and nothing was done with that yet: it can be corrected.
    #[must_use]
    pub fn has_correctable_awb(&self) -> bool {
        let is_booked = |outcome: Option<&str>| outcome == Some(State::Booked.as_str());
        let is_answered = self.attempts.iter().any(|attempt| {
            is_booked(attempt.outcome.as_deref()) || is_booked(attempt.late.as_ref().map(|late| &*late.outcome))
        });
        let is_used = !self.cancel_requests.is_empty() || !self.deliveries.is_empty();
        is_booked(Some(&self.state)) && !is_answered && !is_used
    }
}

impl Ledger {
    /// The history of an order number, once for each service that knows it.
    pub fn order(&self, number: &str) -> Result<Vec<OrderHistory>, LedgerError> {
        // Services are few: each is asked by its index of numbers.
        self.histories("services s CROSS JOIN orders o ON o.service_id = s.id WHERE o.number = ?1", number)
    }

    /// The histories of all orders in doubt.
    pub fn doubts(&self) -> Result<Vec<OrderHistory>, LedgerError> {
        self.histories(
            "orders o INDEXED BY orders_in_doubt JOIN services s ON s.id = o.service_id
             WHERE o.state = 'in_doubt' AND o.standing = ?1",
            "in_doubt",
        )
    }

    fn histories(&self, condition: &str, value: &str) -> Result<Vec<OrderHistory>, LedgerError> {
        let sql = format!(
            "SELECT o.id, o.number, s.origin, o.standing, o.awb, o.order_id, {}, o.service_level, o.old_answer, {},
                o.standing = 'held' AND o.hold IS NOT NULL
             FROM {condition} ORDER BY o.id",
            carrier!(),
            error!()
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut rows = statement.query([value])?;
        let mut histories = Vec::new();
        while let Some(row) = &rows.next()? {
            let id: i64 = row.get(0)?;
            let (awb, order_id): (Option<String>, Option<String>) = (row.get(4)?, row.get(5)?);
            let deliveries = self.deliveries_of(id, [awb.as_deref(), order_id.as_deref()])?;
            let refusals = self.refusals_of(id)?;
            let is_asked: bool = row.get(10)?;
            let question = refusals.last().filter(|_| is_asked).cloned();
            histories.push(OrderHistory {
                number: row.get(1)?,
                service: row.get(2)?,
                state: row.get(3)?,
                awb,
                order_id,
                carrier: row.get(6)?,
                service_level: row.get(7)?,
                old_answer: row.get(8)?,
                error: row.get(9)?,
                requests: self.requests_of(id)?,
                attempts: self.attempts_of(id)?,
                decisions: self.decisions_of(id)?,
                refusals,
                question,
                cancellations: self.cancellations_of(id)?,
                cancel_requests: self.cancel_requests_of(id)?,
                deliveries,
                label_prints: self.prints_of(id)?,
            });
        }
        Ok(histories)
    }

    fn requests_of(&self, order: i64) -> Result<Vec<RequestRecord>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT lower(hex(q.sha256)), q.staged_ms, q.rows, q.lines FROM requests q
             WHERE q.order_id = ?1 AND EXISTS (SELECT 1 FROM revisions v WHERE v.order_id = ?1 AND v.request_id = q.id AND v.hold IS NULL)
             ORDER BY q.id = (SELECT o.request_id FROM orders o WHERE o.id = ?1), q.id",
        )?;
        let rows = statement.query_map(params![order], |row| {
            Ok(RequestRecord { sha256: row.get(0)?, staged_ms: row.get(1)?, rows: row.get(2)?, lines: row.get(3)? })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn attempts_of(&self, order: i64) -> Result<Vec<AttemptRecord>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT a.n, a.run_id, a.intent_ms, a.answered_ms, a.outcome, a.status, a.reason, a.awb, a.answer,
                l.at_ms, l.outcome, l.awb, l.reason, l.answer
             FROM attempts a LEFT JOIN late_answers l ON l.attempt_id = a.id WHERE a.order_id = ?1 ORDER BY a.n",
        )?;
        let rows = statement.query_map(params![order], |row| {
            let text = |bytes: Option<Vec<u8>>| bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
            let answer = text(row.get(8)?);
            let late = match row.get(9)? {
                Some(at_ms) => {
                    let (outcome, awb, reason) = (row.get(10)?, row.get(11)?, row.get(12)?);
                    Some(LateAnswerRecord { at_ms, outcome, awb, reason, answer: text(row.get(13)?) })
                }
                None => None,
            };
            Ok(AttemptRecord {
                late,
                n: row.get(0)?,
                run: row.get(1)?,
                intent_ms: row.get(2)?,
                answered_ms: row.get(3)?,
                outcome: row.get(4)?,
                status: row.get(5)?,
                reason: row.get(6)?,
                awb: row.get(7)?,
                answer,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn prints_of(&self, order: i64) -> Result<Vec<PrintRecord>, LedgerError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT at_ms, user, host, file FROM label_prints WHERE order_id = ?1 ORDER BY id")?;
        let rows = statement.query_map(params![order], |row| {
            Ok(PrintRecord { at_ms: row.get(0)?, user: row.get(1)?, host: row.get(2)?, file: row.get(3)? })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn refusals_of(&self, order: i64) -> Result<Vec<RefusalRecord>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT c.at_ms, c.user, v.because, v.rows, v.hold, c.kind = 'decision' FROM refusals v CROSS JOIN sources c ON c.id = v.source_id
             WHERE v.order_id = ?1 ORDER BY v.id",
        )?;
        let rows = statement.query_map([order], |row| {
            Ok(RefusalRecord {
                at_ms: row.get(0)?,
                user: row.get(1)?,
                because: row.get(2)?,
                rows: row.get(3)?,
                rule: row.get(4)?,
                is_decision: row.get(5)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn decisions_of(&self, order: i64) -> Result<Vec<DecisionRecord>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT d.at_ms, d.user, d.host, d.verb, d.awb, d.because, a.n FROM decisions d
             LEFT JOIN attempts a ON a.id = d.attempt_id WHERE d.order_id = ?1 ORDER BY d.id",
        )?;
        let rows = statement.query_map(params![order], |row| {
            Ok(DecisionRecord {
                at_ms: row.get(0)?,
                user: row.get(1)?,
                host: row.get(2)?,
                verb: row.get(3)?,
                awb: row.get(4)?,
                because: row.get(5)?,
                attempt: row.get(6)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
