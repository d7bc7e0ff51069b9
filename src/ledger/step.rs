//! The legal steps of an order that is sent, and the error where one moved nothing.

use crate::api::outcome::{Booking, Outcome, purchase_error_text};

use super::address::has_addresses;
use super::chain::{Chain, Kind};
use super::commit::Applied;
use super::db::{Connection, OptionalExtension, params};
use super::error::LedgerError;
use super::record::{OrderId, RunId, State};
use super::sql::{bare_awb_of, int, word};
use crate::text::bare_awb;

/// What of an answer is kept, at most.
pub(in crate::ledger) const ANSWER_BYTES_MAX: usize = 64 * 1024;

/// What came of an attempt.
pub(super) struct Answer<'a> {
    pub(super) outcome: &'a Outcome,
    pub(super) status: Option<u16>,
    pub(super) raw: Option<&'a [u8]>,
}

// What a step moves is looked up first and moved then: `RETURNING` has SQLite make and drop a table each time.

/// staged or waiting → sending, with a new open attempt of its request; gives its number. Nothing is written of an order that is
/// held or left out by now.
pub(super) fn intend(
    connection: &Connection,
    (order, request): (OrderId, i64),
    run: RunId,
    now_ms: i64,
) -> Result<Option<u32>, LedgerError> {
    let found = connection
        .prepare_cached(
            "SELECT attempts + 1 FROM orders
             WHERE id = ?1 AND request_id = ?2 AND (state = 'staged' OR state = 'waiting') AND verdict = 'go'
                AND hold IS NULL AND draft_hold = 0",
        )?
        .query_row(params![order.0, request], |row| row.get(0))
        .optional()?;
    let Some(attempt): Option<u32> = found else {
        let mut held = connection.prepare_cached(
            "SELECT 1 FROM orders WHERE id = ?1 AND standing IN ('invalid', 'held', 'left_out', 'dismissed')",
        )?;
        return if held.exists([order.0])? { Ok(None) } else { Err(illegal(connection, order, "sent")) };
    };
    connection
        .prepare_cached(
            "UPDATE orders SET state = 'sending', attempts = ?2, error = NULL
             WHERE id = ?1 AND (state = 'staged' OR state = 'waiting') AND verdict = 'go' AND hold IS NULL AND draft_hold = 0",
        )?
        .execute(params![order.0, attempt])?;
    connection
        .prepare_cached(
            "INSERT INTO attempts (order_id, n, request_id, run_id, intent_ms) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![order.0, attempt, request, run.0, now_ms])?;
    Ok(Some(attempt))
}

/// sending → wherever the answer leads, with its attempt closed and bound into the chain.
pub(super) fn answer(
    connection: &Connection,
    chain: &mut Chain,
    order: OrderId,
    answer: &Answer<'_>,
    now_ms: i64,
) -> Result<Applied, LedgerError> {
    let mut landing = Landing::of(answer.outcome);
    let mut holder = None;
    if landing.state == State::Booked {
        holder = held_by_another(connection, order, &landing)?;
        if let Some(other) = &holder {
            let awb = landing.awb.unwrap_or_default();
            landing.doubt(format!("the service answered with AWB {awb}, a shipment that order {other} already has"));
        }
    }
    let Some(attempt) = close(connection, chain, order, answer, &landing, now_ms)? else {
        return Err(illegal(connection, order, "answered"));
    };
    if !land(connection, order, &landing)? {
        return Err(illegal(connection, order, "answered"));
    }
    chain.bind(connection, Kind::Attempt, attempt)?;
    Ok(holder.map_or(Applied::Done, |other| Applied::Contradiction { other }))
}

/// Where an outcome takes its order, with what is written down of it.
pub(super) struct Landing<'a> {
    pub(super) state: State,
    pub(super) awb: Option<&'a str>,
    pub(super) order_id: Option<&'a str>,
    pub(super) carrier: Option<&'a str>,
    pub(super) service_level: Option<&'a str>,
    pub(super) old_answer: bool,
    pub(super) reason: Option<String>,
}

impl<'a> Landing<'a> {
    pub(super) fn of(outcome: &'a Outcome) -> Self {
        let (state, order_id, reason) = match outcome {
            Outcome::Booked(booking) => return Self::booked(booking),
            Outcome::Rejected { order_id, error } => (State::Rejected, order_id.as_deref(), error.clone()),
            Outcome::Refused { message } => (State::Refused, None, message.clone()),
            Outcome::Waiting { reason } => (State::Waiting, None, reason.clone()),
            Outcome::InDoubt { doubt } => (State::InDoubt, None, doubt.to_string()),
        };
        let (awb, carrier, service_level, old_answer) = (None, None, None, false);
        let (order_id, reason) = (not_blank(order_id), Some(reason));
        Self { state, awb, order_id, carrier, service_level, old_answer, reason }
    }

    fn booked(booking: &'a Booking) -> Self {
        let mut landing = Self {
            state: State::Booked,
            awb: not_blank(Some(&booking.awb)),
            order_id: not_blank(booking.order_id.as_deref()),
            carrier: booking.carrier.as_deref(),
            service_level: booking.service.as_deref(),
            old_answer: booking.old_answer,
            reason: None,
        };
        if landing.awb.is_none() {
            landing.doubt("the answer says booked and gives no AWB".to_owned());
        }
        landing
    }

    /// What the order tells people of it.
    pub(super) fn error(&self) -> Option<String> {
        match self.state {
            State::Rejected => self.reason.as_deref().map(purchase_error_text),
            _ => self.reason.clone(),
        }
    }

    /// Not booked after all. The attempt keeps the AWB and order id that the answer gave; the order takes neither.
    fn doubt(&mut self, reason: String) {
        self.state = State::InDoubt;
        self.reason = Some(reason);
    }
}

fn not_blank(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.trim().is_empty())
}

/// The number of another order that holds this shipment: of the same service, or, by its AWB, at any address where that may
/// answer.
pub(super) fn held_by_another(
    connection: &Connection,
    order: OrderId,
    landing: &Landing<'_>,
) -> Result<Option<String>, LedgerError> {
    let mut statement = connection.prepare_cached(concat!(
        "SELECT number FROM orders WHERE service_id = (SELECT service_id FROM orders WHERE id = ?1)
            AND awb IN (?2, ?4) AND awb IS NOT NULL AND id <> ?1
         UNION ALL
         SELECT number FROM orders WHERE service_id = (SELECT service_id FROM orders WHERE id = ?1)
            AND awb <> ",
        bare_awb_of!("awb"),
        " AND ",
        bare_awb_of!("awb"),
        " = ?4 AND id <> ?1
         UNION ALL
         SELECT number FROM orders WHERE service_id = (SELECT service_id FROM orders WHERE id = ?1)
            AND order_id = ?3 AND order_id IS NOT NULL AND state = 'booked' AND id <> ?1
         LIMIT 1",
    ))?;
    let bare = landing.awb.map(bare_awb);
    let asked = params![order.0, landing.awb, landing.order_id, bare];
    let holder = statement.query_row(asked, |row| row.get(0)).optional()?;
    if holder.is_some() || !has_addresses(connection)? {
        return Ok(holder);
    }
    let mut at_other_addresses = connection.prepare_cached(concat!(
        "SELECT o.number FROM may_be_same_service s CROSS JOIN orders o ON o.service_id = s.id AND o.awb IN (?2, ?4)
            AND o.awb IS NOT NULL
         WHERE s.asked = (SELECT service_id FROM orders WHERE id = ?1) AND o.id <> ?1
         UNION ALL
         SELECT o.number FROM may_be_same_service s CROSS JOIN orders o ON o.service_id = s.id AND o.awb <> ",
        bare_awb_of!("o.awb"),
        " AND ",
        bare_awb_of!("o.awb"),
        " = ?4
         WHERE s.asked = (SELECT service_id FROM orders WHERE id = ?1) AND o.id <> ?1
         UNION ALL
         SELECT o.number FROM same_service s CROSS JOIN orders o ON o.service_id = s.id AND o.order_id = ?3
            AND o.order_id IS NOT NULL AND o.state = 'booked'
         WHERE s.asked = (SELECT service_id FROM orders WHERE id = ?1) AND o.id <> ?1
         LIMIT 1",
    ))?;
    Ok(at_other_addresses.query_row(asked, |row| row.get(0)).optional()?)
}

/// Closes the open attempt and gives its id; none where there is none.
fn close(
    connection: &Connection,
    chain: &Chain,
    order: OrderId,
    answer: &Answer<'_>,
    landing: &Landing<'_>,
    now_ms: i64,
) -> Result<Option<i64>, LedgerError> {
    let open: Option<i64> = connection
        .prepare_cached("SELECT id FROM attempts WHERE order_id = ?1 AND answered_ms IS NULL")?
        .query_row([order.0], |row| row.get(0))
        .optional()?;
    let Some(attempt) = open else { return Ok(None) };
    connection
        .prepare_cached(
            "UPDATE attempts SET answered_ms = ?2, outcome = ?3, status = ?4, awb = ?5, service_order_id = ?6,
                reason = ?7, answer = ?8, answer_bytes = ?9, evidence_n = ?10
             WHERE id = ?1",
        )?
        .execute(params![
            attempt,
            now_ms,
            landing.state.as_str(),
            answer.status,
            landing.awb,
            landing.order_id,
            landing.reason,
            answer.raw.map(|raw| &raw[..raw.len().min(ANSWER_BYTES_MAX)]),
            answer.raw.map(|raw| int(raw.len() as u64)),
            chain.next(),
        ])?;
    Ok(Some(attempt))
}

/// Moves the order out of `sending`; false where it is not there. One statement for each legal way.
fn land(connection: &Connection, order: OrderId, landing: &Landing<'_>) -> Result<bool, LedgerError> {
    let Landing { awb, order_id, carrier, service_level, old_answer, reason, .. } = landing;
    let sql = match landing.state {
        State::Booked => {
            let changed = connection
                .prepare_cached(
                    "UPDATE orders SET state = 'booked', awb = ?2, order_id = ?3, carrier = ?4, service_level = ?5,
                        old_answer = ?6, error = NULL WHERE id = ?1 AND state = 'sending'",
                )?
                .execute(params![order.0, awb, order_id, carrier, service_level, old_answer])?;
            return Ok(changed == 1);
        }
        State::Rejected => {
            let error = landing.error();
            let changed = connection
                .prepare_cached(
                    "UPDATE orders SET state = 'rejected', order_id = ?2, error = ?3 WHERE id = ?1 AND state = 'sending'",
                )?
                .execute(params![order.0, order_id, error])?;
            return Ok(changed == 1);
        }
        State::Refused => "UPDATE orders SET state = 'refused', error = ?2 WHERE id = ?1 AND state = 'sending'",
        State::Waiting => "UPDATE orders SET state = 'waiting', error = ?2 WHERE id = ?1 AND state = 'sending'",
        State::InDoubt => "UPDATE orders SET state = 'in_doubt', error = ?2 WHERE id = ?1 AND state = 'sending'",
        State::Staged
        | State::Sending
        | State::Invalid
        | State::Held
        | State::LeftOut
        | State::Dismissed
        | State::Abandoned => return Ok(false),
    };
    Ok(connection.prepare_cached(sql)?.execute(params![order.0, reason])? == 1)
}

/// The error for a step that moved nothing: the whole batch is taken back.
pub(super) fn illegal(connection: &Connection, order: OrderId, wanted: &'static str) -> LedgerError {
    let found =
        connection.prepare_cached("SELECT number, state FROM orders WHERE id = ?1").and_then(|mut statement| {
            statement.query_row([order.0], |row| Ok((row.get(0)?, word(row, 1)?.as_str().to_owned()))).optional()
        });
    match found {
        Ok(found) => {
            let (order, state) = found.unwrap_or_else(|| (format!("number {}", order.0), "unknown".to_owned()));
            LedgerError::Illegal { order, state, wanted }
        }
        Err(error) => error.into(),
    }
}
