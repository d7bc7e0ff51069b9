//! What the ledger knows of an order number.

use std::borrow::Cow;

use super::address::precedence;
use super::db::{Connection, OptionalExtension, params};
use super::error::LedgerError;
use super::packed::Unpacker;
use super::record::{Known, OrderId, State};
use super::sql::word;

/// What is known of an order number at the addresses of a service. Of several that know it, what forbids sending counts,
/// and else what came first.
pub(super) fn known(connection: &Connection, addresses: &[i64], number: &str) -> Result<Option<Known>, LedgerError> {
    let mut statement = connection.prepare_cached(
        "SELECT o.id, o.state, o.created_ms, o.awb, r.sha256 FROM orders o JOIN requests r ON r.id = o.request_id
         WHERE o.service_id = ?1 AND o.number = ?2",
    )?;
    let mut strongest: Option<Known> = None;
    for service in addresses {
        let known = statement.query_row(params![service, number], |row| {
            let (order, state) = (OrderId(row.get(0)?), word(row, 1)?);
            Ok(Known { order, state, created_ms: row.get(2)?, awb: row.get(3)?, sha256: row.get(4)? })
        });
        let weight = |known: &Known| (precedence(known.state), known.order.0);
        if let Some(known) = known.optional()?
            && strongest.as_ref().is_none_or(|other| weight(&known) < weight(other))
        {
            strongest = Some(known);
        }
    }
    Ok(strongest)
}

/// The request with which an order was booked, where that is another one than the one with this hash; nothing where it is
/// damaged, which [`Ledger::check`](super::Ledger::check) tells.
pub(super) fn booked_otherwise(
    connection: &Connection,
    known: &Known,
    sha256: &[u8; 32],
) -> Result<Option<Vec<u8>>, LedgerError> {
    if known.state != State::Booked || known.sha256 == *sha256 {
        return Ok(None);
    }
    let mut statement = connection.prepare_cached(
        "SELECT r.body, r.sha256 FROM orders o JOIN requests r ON r.id = o.request_id WHERE o.id = ?1",
    )?;
    let kept = statement.query_row([known.order.0], |row| Ok((row.get::<Vec<u8>>(0)?, row.get(1)?)))?;
    Ok(Unpacker::default().unpack(&kept.0, &kept.1).ok().map(Cow::into_owned))
}
