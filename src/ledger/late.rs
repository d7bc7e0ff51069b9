//! Answers that come to light when their attempt is in doubt already: they settle it, unless something else has.
//!
//! An answer is proof, whenever it comes. It is kept for good beside its attempt. Where it says *booked*, its order is
//! booked, whatever was decided meanwhile short of a booking; where it contradicts a booking, both are shown to a person.

use crate::api::outcome::Outcome;

use super::chain::{Chain, Kind};
use super::db::{Connection, OptionalExtension, params};
use super::error::LedgerError;
use super::record::{OrderId, State};
use super::sql::{int, word};
use super::step::{ANSWER_BYTES_MAX, Answer, Landing, held_by_another};
use crate::text::bare_awb;

/// What became of a late answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Late {
    /// Its attempt waits for it: it is not late at all.
    Open,
    /// It settled its order, or says what is known.
    Settled,
    /// It says *booked*, and the order may be booked a second time, or its shipment is another order's.
    Contradiction(LateContradiction),
    /// It is kept and moves nothing: it is known already, says nothing, or a later attempt counts.
    Kept,
    /// No such attempt.
    Unknown,
}

/// Two bookings of one order, or one shipment of two orders, as a late answer brought to light.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LateContradiction {
    /// The order number.
    pub order: String,
    /// The AWB of the late answer.
    pub awb: String,
    /// What stands against it, for people.
    pub against: String,
}

struct Found {
    attempt: i64,
    outcome: Option<State>,
    number: String,
    state: State,
    awb: Option<String>,
    /// Attempts that came after it.
    later: u32,
    known: bool,
}

/// Takes an answer to the `n`th attempt of an order that came at `answered_ms`.
pub(super) fn take(
    connection: &Connection,
    chain: &mut Chain,
    (order, n): (OrderId, u32),
    answer: &Answer<'_>,
    (answered_ms, now_ms): (i64, i64),
) -> Result<Late, LedgerError> {
    let Some(found) = find(connection, order, n)? else { return Ok(Late::Unknown) };
    match found.outcome {
        None => return Ok(Late::Open),
        // An answer that says nothing and holds nothing is no answer.
        Some(State::InDoubt) if !found.known && (answer.raw.is_some() || !is_doubt(answer.outcome)) => {}
        Some(_) => return Ok(Late::Kept),
    }
    let landing = Landing::of(answer.outcome);
    keep(connection, chain, found.attempt, (&landing, answer), (answered_ms, now_ms))?;
    if landing.state == State::InDoubt {
        // Not to be read, and yet it may hold an AWB: what could be sent by now waits for a person.
        doubt(connection, order, found.state, &landing)?;
        return Ok(Late::Kept);
    }
    if landing.state != State::Booked {
        let still_open = found.state == State::InDoubt && found.later == 0;
        return if still_open && land(connection, order, &landing, found.state)? {
            Ok(Late::Settled)
        } else {
            Ok(Late::Kept)
        };
    }
    let awb = landing.awb.unwrap_or_default().to_owned();
    let contradiction = |against: String| {
        Ok(Late::Contradiction(LateContradiction { order: found.number.clone(), awb: awb.clone(), against }))
    };
    if let Some(other) = held_by_another(connection, order, &landing)? {
        let against = format!("order {other} has this shipment already");
        let reason = Some(format!("an answer came to light with AWB {awb}, and {against}"));
        doubt(connection, order, found.state, &Landing { reason, ..Landing::of(answer.outcome) })?;
        return contradiction(against);
    }
    match found.state {
        State::Booked if found.awb.as_deref().map(bare_awb) == landing.awb.map(bare_awb) => Ok(Late::Settled),
        State::Booked => {
            let other = found.awb.unwrap_or_default();
            contradiction(format!("the order is booked with AWB {other} as well"))
        }
        State::Sending => contradiction("the order was sent once more".to_owned()),
        state => {
            if !land(connection, order, &landing, state)? {
                return Ok(Late::Kept);
            }
            if state == State::InDoubt && found.later > 0 {
                return contradiction("the order was sent once more, and nobody knows what became of that".to_owned());
            }
            Ok(Late::Settled)
        }
    }
}

fn is_doubt(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::InDoubt { .. })
}

/// Keeps an order from being sent that a late answer speaks of, where it could be sent.
fn doubt(connection: &Connection, order: OrderId, from: State, landing: &Landing<'_>) -> Result<(), LedgerError> {
    if matches!(from, State::Staged | State::Waiting | State::Rejected | State::Refused) {
        connection.execute(
            "UPDATE orders SET state = 'in_doubt', order_id = NULL, error = ?2 WHERE id = ?1 AND state = ?3",
            params![order.0, landing.reason, from.as_str()],
        )?;
    }
    Ok(())
}

fn find(connection: &Connection, order: OrderId, n: u32) -> Result<Option<Found>, LedgerError> {
    let mut statement = connection.prepare_cached(
        "SELECT a.id, a.outcome, o.number, o.state, o.awb, o.attempts - a.n,
            EXISTS (SELECT 1 FROM late_answers l WHERE l.attempt_id = a.id)
         FROM attempts a JOIN orders o ON o.id = a.order_id WHERE a.order_id = ?1 AND a.n = ?2",
    )?;
    let found = statement.query_row(params![order.0, n], |row| {
        let outcome: Option<String> = row.get(1)?;
        Ok(Found {
            attempt: row.get(0)?,
            outcome: outcome.and_then(|outcome| State::from_word(&outcome)),
            number: row.get(2)?,
            state: word(row, 3)?,
            awb: row.get(4)?,
            later: row.get(5)?,
            known: row.get(6)?,
        })
    });
    Ok(found.optional()?)
}

fn keep(
    connection: &Connection,
    chain: &mut Chain,
    attempt: i64,
    (landing, answer): (&Landing<'_>, &Answer<'_>),
    (answered_ms, now_ms): (i64, i64),
) -> Result<(), LedgerError> {
    let late = connection.insert(
        "INSERT INTO late_answers (attempt_id, answered_ms, at_ms, outcome, status, awb, service_order_id, carrier,
            service_level, old_answer, reason, answer, answer_bytes, evidence_n)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
        params![
            attempt,
            answered_ms,
            now_ms,
            landing.state.as_str(),
            answer.status,
            landing.awb,
            landing.order_id,
            landing.carrier,
            landing.service_level,
            landing.old_answer,
            landing.reason,
            answer.raw.map(|raw| &raw[..raw.len().min(ANSWER_BYTES_MAX)]),
            answer.raw.map(|raw| int(raw.len() as u64)),
            chain.next(),
        ],
    )?;
    chain.bind(connection, Kind::LateAnswer, late)
}

/// Moves the order to where its late answer leads; false where it is not there any more.
fn land(connection: &Connection, order: OrderId, landing: &Landing<'_>, from: State) -> Result<bool, LedgerError> {
    let order_id = landing.order_id.filter(|_| matches!(landing.state, State::Booked | State::Rejected));
    let changed = connection.execute(
        "UPDATE orders SET state = ?2, awb = ?3, order_id = ?4, carrier = ?5, service_level = ?6, old_answer = ?7,
            error = ?8 WHERE id = ?1 AND state = ?9",
        params![
            order.0,
            landing.state.as_str(),
            landing.awb,
            order_id,
            landing.carrier,
            landing.service_level,
            landing.old_answer,
            landing.error(),
            from.as_str()
        ],
    )?;
    Ok(changed == 1)
}
