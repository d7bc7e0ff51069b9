//! What the ledger knows of an order number.

use std::borrow::Cow;

use super::address::precedence;
use super::db::{Connection, OptionalExtension, params};
use super::error::LedgerError;
use super::packed::Unpacker;
use super::record::{Known, OrderId, State, Verdict, Withdrawal};
use super::sql::word;
use super::stations::unheard_of;

/// What is known of an order number at the addresses of a service. Of several that know it, what forbids sending counts,
/// and else what came first.
pub(super) fn known(connection: &Connection, addresses: &[i64], number: &str) -> Result<Option<Known>, LedgerError> {
    let mut statement = connection.prepare_cached(
        "SELECT o.id, o.state, o.created_ms, o.awb, r.sha256, o.attempts FROM orders o JOIN requests r ON r.id = o.request_id
         WHERE o.service_id = ?1 AND o.number = ?2",
    )?;
    let mut strongest: Option<Known> = None;
    for service in addresses {
        let known = statement.query_row(params![service, number], |row| {
            let (order, number, withdrawn) = (OrderId(row.get(0)?), number.to_owned(), None);
            let (state, attempts, created_ms) = (word(row, 1)?, row.get(5)?, row.get(2)?);
            Ok(Known { order, number, state, attempts, created_ms, awb: row.get(3)?, sha256: row.get(4)?, withdrawn })
        });
        let weight = |known: &Known| (precedence(known.state), known.order.0);
        if let Some(known) = known.optional()?
            && strongest.as_ref().is_none_or(|other| weight(&known) < weight(other))
        {
            strongest = Some(known);
        }
    }
    if let Some(known) = strongest.as_mut().filter(|known| known.state == State::Abandoned) {
        known.withdrawn = withdrawal_of(connection, known.order)?;
    }
    Ok(strongest)
}

/// A request as the ledger has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownRequest {
    /// Its body.
    pub body: Vec<u8>,
    /// The rows that it came from, as people write them.
    pub rows: String,
}

/// The request of an order; nothing where it is damaged, which [`Ledger::check`](super::Ledger::check) tells, or was removed.
pub(super) fn request_of(connection: &Connection, known: &Known) -> Result<Option<KnownRequest>, LedgerError> {
    let mut statement = connection.prepare_cached(
        "SELECT r.body, r.sha256, r.rows FROM orders o JOIN requests r ON r.id = o.request_id WHERE o.id = ?1",
    )?;
    let (body, sha256, rows): (Vec<u8>, [u8; 32], _) =
        statement.query_row([known.order.0], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    let body = Unpacker::default().unpack(&body, &sha256).ok().map(Cow::into_owned);
    Ok(body.map(|body| KnownRequest { body, rows }))
}

/// The withdrawal that took an order back that is given up; nothing where a person gave it up.
pub(super) fn withdrawal_of(connection: &Connection, order: OrderId) -> Result<Option<Withdrawal>, LedgerError> {
    let mut statement = connection.prepare_cached(
        "SELECT w.verdict, d.because, w.sheet FROM decisions d JOIN withdrawals w ON w.decision_id = d.id
         WHERE d.id = (SELECT max(id) FROM decisions WHERE order_id = ?1 AND verb = 'abandoned')",
    )?;
    let found = statement.query_row([order.0], |row| Ok((row.get::<String>(0)?, row.get(1)?, row.get(2)?)));
    let Some((word, because, sheet)) = found.optional()? else { return Ok(None) };
    // An answer that came late, or may come, leaves it to a person.
    let mut late = connection.prepare_cached(
        "SELECT 1 FROM late_answers l JOIN attempts a ON a.id = l.attempt_id
         WHERE a.order_id = ?1 AND l.outcome IN ('booked', 'in_doubt')",
    )?;
    if late.exists([order.0])? || unheard_of(connection, order.0)?.is_some() {
        return Ok(None);
    }
    let verdict = Verdict::ALL.into_iter().find(|verdict| verdict.as_str() == word);
    let verdict = verdict.ok_or_else(|| LedgerError::Damaged(format!("\"{word}\" is no verdict")))?;
    Ok(Some(Withdrawal { verdict, because, sheet }))
}

/// Whether an order had this request before the one that it has.
pub(super) fn had_before(connection: &Connection, known: &Known, sha256: &[u8; 32]) -> Result<bool, LedgerError> {
    let mut statement = connection.prepare_cached(
        "SELECT 1 FROM requests q JOIN orders o ON o.id = q.order_id
         WHERE q.order_id = ?1 AND q.sha256 = ?2 AND q.id <> o.request_id",
    )?;
    Ok(statement.exists(params![known.order.0, sha256])?)
}
