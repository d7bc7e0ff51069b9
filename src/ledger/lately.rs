//! Orders of the last weeks that were sent or are to be, so that a second one for the same parcel is seen on another day.

use super::SANDBOX;
use super::db::{Connection, params};
use super::error::LedgerError;
use super::packed::Unpacker;
use super::record::State;
use super::sql::word;

/// An order that this ledger sent, or still has to send.
#[derive(Debug, Clone, Copy)]
pub struct Sent<'a> {
    /// Its number.
    pub number: &'a str,
    /// Where it stands.
    pub state: State,
    /// Its AWB, if it is booked.
    pub awb: Option<&'a str>,
    /// Whether it is booked, and nobody knew so at first.
    pub was_in_doubt: bool,
    /// The address that it was sent to, unless that is known to be this run's service.
    pub elsewhere: Option<&'a str>,
    /// When its request was staged, epoch milliseconds.
    pub staged_ms: i64,
    /// Its request.
    pub body: &'a [u8],
}

/// Hands out the orders that may be booked at a service or are still to be sent, as
/// [`Intake::sent_since`](super::Intake::sent_since) does.
pub(super) fn sent_since(
    connection: &Connection,
    service: &str,
    (since_ms, limit): (i64, u32),
    each: &mut dyn FnMut(&Sent<'_>),
) -> Result<(), LedgerError> {
    // The view `may_be_same_service` cannot be asked: this address may be new to the ledger.
    let mut statement = connection.prepare(
        "WITH ours AS (SELECT id FROM same_service WHERE origin = ?1), others AS (
            SELECT s.id, s.origin FROM services s
            WHERE ?1 <> ?3 AND s.origin <> ?3 AND s.id NOT IN ours AND NOT EXISTS (
                SELECT 1 FROM address_pairs p CROSS JOIN same_service theirs
                WHERE p.is_same = 0 AND theirs.origin = s.origin AND (
                    (p.one = theirs.id AND p.other IN ours) OR (p.other = theirs.id AND p.one IN ours))))
         SELECT q.staged_ms, o.request_id = q.id AND o.state NOT IN ('rejected', 'refused')
                AND (o.state <> 'abandoned' OR o.attempts > 0)
                AND (o.service_id IN ours OR o.service_id IN (SELECT id FROM others)),
            o.number, o.state, o.awb, (SELECT origin FROM others WHERE id = o.service_id), q.body, q.sha256,
            o.state = 'booked' AND EXISTS (SELECT 1 FROM attempts WHERE order_id = o.id AND outcome = 'in_doubt')
         FROM requests q CROSS JOIN orders o ON o.id = q.order_id ORDER BY q.id DESC LIMIT ?2",
    )?;
    let mut rows = statement.query(params![service, limit, SANDBOX])?;
    let mut unpacker = Unpacker::default();
    while let Some(row) = &rows.next()? {
        let staged_ms = row.get(0)?;
        if staged_ms < since_ms {
            break;
        }
        if row.get(1)? {
            let number: String = row.get(2)?;
            let (awb, elsewhere): (Option<String>, Option<String>) = (row.get(4)?, row.get(5)?);
            let kept = row.get_ref(6)?.as_blob()?;
            if kept.is_empty() {
                continue;
            }
            each(&Sent {
                number: &number,
                state: word(row, 3)?,
                awb: awb.as_deref(),
                was_in_doubt: row.get(8)?,
                elsewhere: elsewhere.as_deref(),
                staged_ms,
                body: &unpacker.unpack(kept, &row.get(7)?)?,
            });
        }
    }
    Ok(())
}
