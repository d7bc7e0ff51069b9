//! Group commit: one transaction carries the answers that have come in and the intents of the orders that go next.

use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use crate::api::outcome::{Booking, Outcome, purchase_error_text};

use super::crash::crash_point;
use super::error::LedgerError;
use super::open::Ledger;
use super::record::{OrderId, RunId};

/// What of an answer is kept, at most.
const ANSWER_BYTES_MAX: usize = 64 * 1024;

/// One step of one order.
#[derive(Debug, Clone)]
pub enum Change {
    /// It is about to be sent.
    Intent {
        /// The order.
        order: OrderId,
        /// The run that sends it.
        run: RunId,
    },
    /// Its open attempt has ended.
    Answer {
        /// The order.
        order: OrderId,
        /// What came of it.
        outcome: Outcome,
        /// The HTTP status, where there was one.
        status: Option<u16>,
        /// The answer as it came.
        raw: Option<Vec<u8>>,
    },
}

/// What became of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Applied {
    /// It stands.
    Done,
    /// The shipment belongs to another order already: this one is in doubt.
    Contradiction {
        /// The other order's number.
        other: String,
    },
}

impl Ledger {
    /// Writes changes to the disk, all or none; `now_ms` is their time. Gives what became of each, in order.
    pub fn commit(&mut self, changes: &[Change], now_ms: i64) -> Result<Vec<Applied>, LedgerError> {
        let has_answer = changes.iter().any(|change| matches!(change, Change::Answer { .. }));
        let has_intent = changes.iter().any(|change| matches!(change, Change::Intent { .. }));
        if has_answer {
            crash_point("before-answer");
        }
        if has_intent {
            crash_point("before-intent");
        }
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let applied = changes
            .iter()
            .map(|change| match change {
                Change::Intent { order, run } => intend(&transaction, *order, *run, now_ms),
                Change::Answer { order, outcome, status, raw } => {
                    answer(&transaction, *order, outcome, *status, raw.as_deref(), now_ms)
                }
            })
            .collect::<Result<Vec<_>, _>>()?;
        transaction.commit()?;
        if has_answer {
            crash_point("after-answer");
        }
        if has_intent {
            crash_point("after-intent");
        }
        Ok(applied)
    }

    /// What a crash left in `sending` becomes in doubt: nobody knows whether it was sent. Gives the order numbers.
    pub fn recover(&mut self, now_ms: i64) -> Result<Vec<String>, LedgerError> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let left: Vec<(OrderId, String)> = transaction
            .prepare("SELECT id, number FROM orders WHERE state = 'sending' ORDER BY id")?
            .query_map([], |row| Ok((OrderId(row.get(0)?), row.get(1)?)))?
            .collect::<Result<_, _>>()?;
        let reason = "the program ended between sending and the answer";
        for (order, _) in &left {
            close(&transaction, *order, &Closing::new("in_doubt", Some(reason)), now_ms)?;
            transaction
                .prepare_cached("UPDATE orders SET state = 'in_doubt', error = ? WHERE id = ? AND state = 'sending'")?
                .execute(params![reason, order.0])?;
        }
        transaction.commit()?;
        Ok(left.into_iter().map(|(_, number)| number).collect())
    }
}

/// staged or waiting → sending.
fn intend(connection: &Connection, order: OrderId, run: RunId, now_ms: i64) -> Result<Applied, LedgerError> {
    let moved = connection
        .prepare_cached(
            "UPDATE orders SET state = 'sending', attempts = attempts + 1 WHERE id = ? AND state IN ('staged', 'waiting')",
        )?
        .execute([order.0])?;
    require_one(connection, moved, order, "sent")?;
    connection
        .prepare_cached(
            "INSERT INTO attempts (order_id, n, request_id, run_id, intent_ms)
             SELECT id, attempts, request_id, ?, ? FROM orders WHERE id = ?",
        )?
        .execute(params![run.0, now_ms, order.0])?;
    Ok(Applied::Done)
}

/// sending → wherever the answer leads.
fn answer(
    connection: &Connection,
    order: OrderId,
    outcome: &Outcome,
    status: Option<u16>,
    raw: Option<&[u8]>,
    now_ms: i64,
) -> Result<Applied, LedgerError> {
    let moved = match outcome {
        Outcome::Booked(booking) => {
            if let Some(other) = holder(connection, order, booking)? {
                return contradiction(connection, order, booking, status, raw, other, now_ms);
            }
            let closing = Closing { awb: Some(&booking.awb), ..Closing::new("booked", None) };
            close(connection, order, &Closing { status, raw, ..closing }, now_ms)?;
            book(connection, order, booking)?
        }
        Outcome::Rejected { order_id, error } => {
            close(connection, order, &Closing { status, raw, ..Closing::new("rejected", Some(error)) }, now_ms)?;
            connection
                .prepare_cached(
                    "UPDATE orders SET state = 'rejected', error = ?, order_id = ? WHERE id = ? AND state = 'sending'",
                )?
                .execute(params![purchase_error_text(error), order_id, order.0])?
        }
        Outcome::Refused { message } => {
            end(connection, order, &Closing { status, raw, ..Closing::new("refused", Some(message)) }, now_ms)?
        }
        Outcome::Waiting { reason } => {
            end(connection, order, &Closing { status, raw, ..Closing::new("waiting", Some(reason)) }, now_ms)?
        }
        Outcome::InDoubt { reason } => {
            end(connection, order, &Closing { status, raw, ..Closing::new("in_doubt", Some(reason)) }, now_ms)?
        }
    };
    require_one(connection, moved, order, "answered")?;
    Ok(Applied::Done)
}

fn book(connection: &Connection, order: OrderId, booking: &Booking) -> Result<usize, LedgerError> {
    let Booking { awb, order_id, carrier, service, old_answer, .. } = booking;
    Ok(connection
        .prepare_cached(
            "UPDATE orders SET state = 'booked', awb = ?, order_id = ?, carrier = ?, service_level = ?, old_answer = ?,
             error = NULL WHERE id = ? AND state = 'sending'",
        )?
        .execute(params![awb, order_id, carrier, service, old_answer, order.0])?)
}

/// The other order that has this shipment already.
fn holder(connection: &Connection, order: OrderId, booking: &Booking) -> Result<Option<String>, LedgerError> {
    let mut statement = connection.prepare_cached(
        "SELECT other.number FROM orders this JOIN orders other ON other.service = this.service AND other.id <> this.id
         WHERE this.id = ?1 AND other.awb = ?2 AND other.awb IS NOT NULL
         UNION ALL
         SELECT other.number FROM orders this JOIN orders other ON other.service = this.service AND other.id <> this.id
         WHERE this.id = ?1 AND other.state = 'booked' AND other.order_id = ?3 AND other.order_id IS NOT NULL
         LIMIT 1",
    )?;
    Ok(statement.query_row(params![order.0, booking.awb, booking.order_id], |row| row.get(0)).optional()?)
}

fn contradiction(
    connection: &Connection,
    order: OrderId,
    booking: &Booking,
    status: Option<u16>,
    raw: Option<&[u8]>,
    other: String,
    now_ms: i64,
) -> Result<Applied, LedgerError> {
    let reason = format!("the service answered with AWB {}, a shipment that order {other} already has", booking.awb);
    let closing = Closing { status, raw, awb: Some(&booking.awb), ..Closing::new("in_doubt", Some(&reason)) };
    let moved = end(connection, order, &closing, now_ms)?;
    require_one(connection, moved, order, "answered")?;
    Ok(Applied::Contradiction { other })
}

/// How an attempt is closed.
#[derive(Clone, Copy)]
struct Closing<'a> {
    outcome: &'static str,
    reason: Option<&'a str>,
    status: Option<u16>,
    raw: Option<&'a [u8]>,
    awb: Option<&'a str>,
}

impl<'a> Closing<'a> {
    const fn new(outcome: &'static str, reason: Option<&'a str>) -> Self {
        Self { outcome, reason, status: None, raw: None, awb: None }
    }
}

/// Closes the attempt and moves the order to the state of the same name.
fn end(connection: &Connection, order: OrderId, closing: &Closing<'_>, now_ms: i64) -> Result<usize, LedgerError> {
    close(connection, order, closing, now_ms)?;
    Ok(connection
        .prepare_cached("UPDATE orders SET state = ?, error = ? WHERE id = ? AND state = 'sending'")?
        .execute(params![closing.outcome, closing.reason, order.0])?)
}

fn close(connection: &Connection, order: OrderId, closing: &Closing<'_>, now_ms: i64) -> Result<(), LedgerError> {
    let kept = closing.raw.map(|raw| &raw[..raw.len().min(ANSWER_BYTES_MAX)]);
    let closed = connection
        .prepare_cached(
            "UPDATE attempts SET answered_ms = ?, outcome = ?, status = ?, answer = ?, answer_bytes = ?, reason = ?, awb = ?
             WHERE order_id = ? AND answered_ms IS NULL",
        )?
        .execute(params![
            now_ms,
            closing.outcome,
            closing.status,
            kept,
            closing.raw.map(|raw| i64::try_from(raw.len()).unwrap_or(i64::MAX)),
            closing.reason,
            closing.awb,
            order.0
        ])?;
    require_one(connection, closed, order, "answered")
}

/// A step that moved nothing was not legal: the whole batch is taken back.
fn require_one(connection: &Connection, moved: usize, order: OrderId, wanted: &'static str) -> Result<(), LedgerError> {
    if moved == 1 {
        return Ok(());
    }
    let found = connection
        .prepare_cached("SELECT number, state FROM orders WHERE id = ?")?
        .query_row([order.0], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let (order, state) = found.unwrap_or_else(|| (format!("number {}", order.0), "unknown".to_owned()));
    Err(LedgerError::Illegal { order, state, wanted })
}
