//! What the ledger knows of an order number.

use std::borrow::Cow;

use super::address::precedence;
use super::db::{Connection, OptionalExtension, params};
use super::error::LedgerError;
use super::packed::Unpacker;
use super::record::{Known, OrderId, Revision, Verdict};
use super::sql::word;

/// What is known of an order number at the addresses of a service. Of several that know it, what forbids sending counts,
/// and else what came first.
pub(super) fn known(connection: &Connection, addresses: &[i64], number: &str) -> Result<Option<Known>, LedgerError> {
    let mut statement = connection.prepare_cached(
        // Open sheets are asked by themselves.
        "SELECT o.id, o.source_standing, o.created_ms, o.awb, r.sha256, o.attempts, o.verdict <> 'go' OR o.hold IS NOT NULL,
            o.draft_hold
         FROM orders o LEFT JOIN requests r ON r.id = o.request_id WHERE o.service_id = ?1 AND o.number = ?2",
    )?;
    let mut strongest: Option<(Known, bool)> = None;
    for service in addresses {
        let known = statement.query_row(params![service, number], |row| {
            let (order, number, revision) = (OrderId(row.get(0)?), number.to_owned(), None);
            let (state, attempts, created_ms) = (word(row, 1)?, row.get(5)?, row.get(2)?);
            let (awb, sha256) = (row.get(3)?, row.get(4)?);
            let is_draft_held = row.get(7)?;
            let known = Known { order, number, sha256, state, attempts, created_ms, awb, revision, is_draft_held };
            Ok((known, row.get(6)?))
        });
        let weight = |known: &Known| (precedence(known.state), known.order.0);
        if let Some((known, is_revised)) = known.optional()?
            && strongest.as_ref().is_none_or(|(other, _)| weight(&known) < weight(other))
        {
            strongest = Some((known, is_revised));
        }
    }
    let Some((mut known, is_revised)) = strongest else { return Ok(None) };
    if is_revised {
        known.revision = Some(revision_of(connection, known.order)?);
    }
    Ok(Some(known))
}

/// A request as the ledger has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownRequest {
    /// Its body.
    pub body: Vec<u8>,
    /// The rows that it came from, as people write them.
    pub rows: String,
}

/// The request of an order; nothing where it has none, or where it is damaged, which [`Ledger::check`](super::Ledger::check) tells, or was removed.
pub(super) fn request_of(connection: &Connection, known: &Known) -> Result<Option<KnownRequest>, LedgerError> {
    let mut statement = connection.prepare_cached(
        "SELECT r.body, r.sha256, r.rows FROM orders o JOIN requests r ON r.id = o.request_id WHERE o.id = ?1",
    )?;
    let found = statement.query_row([known.order.0], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
    let Some((body, sha256, rows)): Option<(Vec<u8>, [u8; 32], _)> = found.optional()? else { return Ok(None) };
    let body = Unpacker::default().unpack(&body, &sha256).ok().map(Cow::into_owned);
    Ok(body.map(|body| KnownRequest { body, rows }))
}

/// Whether an order had this request before the one that it has; one that a person was only asked about does not count.
pub(super) fn had_before(connection: &Connection, known: &Known, sha256: &[u8; 32]) -> Result<bool, LedgerError> {
    let mut statement = connection.prepare_cached(
        "SELECT 1 FROM revisions v CROSS JOIN requests q ON q.id = v.request_id
         WHERE v.order_id = ?1 AND v.hold IS NULL AND q.sha256 = ?2
            AND q.id IS DISTINCT FROM (SELECT request_id FROM orders WHERE id = ?1)",
    )?;
    Ok(statement.exists(params![known.order.0, sha256])?)
}

/// The revision by which an order does not go.
fn revision_of(connection: &Connection, order: OrderId) -> Result<Revision, LedgerError> {
    let mut statement = connection.prepare_cached(
        "SELECT o.verdict, o.hold, y.because, y.sheet,
            (SELECT q.sha256 FROM revisions n CROSS JOIN requests q ON q.id = n.request_id WHERE n.id = o.revision_id)
         FROM orders o CROSS JOIN reasons y ON y.order_id = o.id WHERE o.id = ?1",
    )?;
    let found = statement.query_row([order.0], |row| {
        let word: String = row.get(0)?;
        Ok((word, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?))
    });
    let Some((word, hold, because, sheet, request)) = found.optional()? else {
        return Err(LedgerError::Damaged(format!("order {} has no revision", order.0)));
    };
    let verdict = Verdict::from_word(&word);
    let verdict = verdict.ok_or_else(|| LedgerError::Damaged(format!("\"{word}\" is no verdict")))?;
    Ok(Revision { verdict, hold, because, sheet, request })
}
