//! Orders of the last weeks that were sent or are to be, so that a second one for the same parcel is seen on another day.

use std::collections::VecDeque;
use std::mem;
use std::panic::resume_unwind;
use std::thread::{self, ScopedJoinHandle};

use super::SANDBOX;
use super::db::{Connection, Statement, Value, params};
use super::error::LedgerError;
use super::packed::Unpacker;
use super::record::{OrderId, State};
use super::sql::word;

/// Requests that one thread unpacks, and how many such blocks are under way at once.
const BLOCK: usize = 2_048;
const BLOCKS_MAX: usize = 3;

/// So many requests in a row that are older than what is wanted are the end of those that are not.
const OLDER_MAX: u32 = 2_000;

/// How the hash of a shipment is made: another number wherever that changes, so that no two are compared that were made in
/// different ways.
const SHIPMENT_FORM: i64 = 2;

/// Of so many of the latest requests the shipment is kept: more than are ever looked at.
const SHIPMENTS_KEPT: i64 = 50_000;

/// An order that this ledger sent, or still has to send.
#[derive(Debug)]
pub struct Sent {
    /// Its number.
    pub number: String,
    /// Where it stands.
    pub state: State,
    /// Its AWB, if it is booked.
    pub awb: Option<String>,
    /// Whether it is booked, and nobody knew so at first.
    pub was_in_doubt: bool,
    /// The address that it was sent to, unless that is known to be this run's service.
    pub elsewhere: Option<String>,
    /// When its request was staged, epoch milliseconds.
    pub staged_ms: i64,
    /// What tells its shipment from others, where that was kept.
    pub shipment: Option<u64>,
    /// Its request, as the ledger keeps it; empty where its shipment is known.
    pub(super) kept: Vec<u8>,
    pub(super) sha256: [u8; 32],
}

/// What `of` makes of each order that is handed out, and of its request as it is sent unless its shipment is known, in the same
/// order. The ledger is read while other threads unpack and look at what was read before.
///
/// # Errors
///
/// Where the ledger cannot be read, or a request is not the one that was frozen.
pub fn of_each_sent<T: Send>(
    hand_out: impl FnOnce(&mut dyn FnMut(Sent)) -> Result<(), LedgerError>,
    of: impl Fn(Sent, Option<&[u8]>) -> T + Sync,
) -> Result<Vec<T>, LedgerError> {
    let of_block = |block: Vec<Sent>| -> Result<Vec<T>, LedgerError> {
        let mut unpacker = Unpacker::default();
        let own = block.into_iter().map(|mut sent| {
            let kept = mem::take(&mut sent.kept);
            if kept.is_empty() {
                return Ok(of(sent, None));
            }
            let body = unpacker.unpack(&kept, &sent.sha256)?;
            Ok(of(sent, Some(&body)))
        });
        own.collect()
    };
    thread::scope(|scope| {
        let (mut block, mut under_way, mut made) = (Vec::new(), VecDeque::new(), Vec::new());
        hand_out(&mut |sent| {
            block.push(sent);
            if block.len() == BLOCK {
                let block = mem::take(&mut block);
                under_way.push_back(scope.spawn(|| of_block(block)));
            }
            if under_way.len() > BLOCKS_MAX {
                made.extend(under_way.pop_front().map(joined));
            }
        })?;
        made.extend(under_way.into_iter().map(joined));
        made.push(of_block(block));
        made.into_iter().try_fold(Vec::new(), |mut all, block| {
            all.append(&mut block?);
            Ok(all)
        })
    })
}

fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}

/// Keeps what tells the shipment of a request from others, where that is known.
pub(super) fn keep_shipment(
    connection: &Connection,
    request: i64,
    (order, staged_ms): (OrderId, i64),
    shipment: Option<u64>,
) -> Result<(), LedgerError> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO shipments (request_id, order_id, staged_ms, form, hash) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    statement.execute(params![request, order.0, staged_ms, SHIPMENT_FORM, shipment.map(u64::cast_signed)])?;
    Ok(())
}

/// Takes away the shipments of requests that are not looked at any more.
pub(super) fn forget_old_shipments(connection: &Connection, next_request: i64) -> Result<(), LedgerError> {
    connection.execute("DELETE FROM shipments WHERE request_id < ?1", [next_request - SHIPMENTS_KEPT])?;
    Ok(())
}

/// Hands out the orders that may be booked at a service or are still to be sent, as
/// [`Intake::sent_since`](super::Intake::sent_since) does.
pub(super) fn sent_since(
    connection: &Connection,
    service: &str,
    (since_ms, limit): (i64, u32),
    each: &mut dyn FnMut(Sent),
) -> Result<(), LedgerError> {
    // The view `may_be_same_service` cannot be asked: this address may be new to the ledger.
    let orders = |from: &str| {
        format!(
            "WITH ours AS (SELECT id FROM same_service WHERE origin = ?1), others AS (
            SELECT s.id, s.origin FROM services s
            WHERE ?1 <> ?3 AND s.origin <> ?3 AND s.id NOT IN (SELECT id FROM ours) AND NOT EXISTS (
                SELECT 1 FROM address_pairs p CROSS JOIN same_service theirs
                WHERE p.is_same = 0 AND theirs.origin = s.origin AND (
                    (p.one = theirs.id AND p.other IN (SELECT id FROM ours)) OR (p.other = theirs.id AND p.one IN (SELECT id FROM ours)))))
         SELECT q.staged_ms, o.request_id IS NOT DISTINCT FROM q.id AND o.standing NOT IN ('rejected', 'refused')
                AND (o.standing NOT IN ('abandoned', 'invalid', 'held', 'left_out', 'dismissed') OR o.attempts > 0)
                AND NOT EXISTS (SELECT 1 FROM cancellations c WHERE c.order_id = o.id)
                AND (o.service_id IN (SELECT id FROM ours) OR o.service_id IN (SELECT id FROM others)),
            o.number, o.standing, o.awb, (SELECT origin FROM others WHERE id = o.service_id), q.body, q.sha256,
            o.standing = 'booked' AND EXISTS (SELECT 1 FROM attempts WHERE order_id = o.id AND outcome = 'in_doubt'),
            q.hash
         FROM {from}"
        )
    };
    // What is kept of a request says nothing more than the request, in less room.
    let kept = orders(
        "(SELECT s.request_id AS id, s.order_id, s.staged_ms, s.hash,
            CASE WHEN s.hash IS NULL THEN (SELECT body FROM requests WHERE id = s.request_id) END AS body,
            CASE WHEN s.hash IS NULL THEN (SELECT sha256 FROM requests WHERE id = s.request_id) END AS sha256
          FROM shipments s WHERE s.form = ?4) q
         CROSS JOIN orders o ON o.id = q.order_id ORDER BY q.id DESC LIMIT ?2",
    );
    let before = orders(
        "(SELECT id, order_id, staged_ms, CAST(NULL AS bigint) AS hash, body, sha256 FROM requests
          WHERE id < (SELECT coalesce(min(request_id), 9223372036854775807) FROM shipments WHERE form = ?4)) q
         CROSS JOIN orders o ON o.id = q.order_id ORDER BY q.id DESC LIMIT ?2",
    );
    let in_doubt = orders(
        "orders o CROSS JOIN (SELECT id, order_id, staged_ms, body, sha256,
            (SELECT hash FROM shipments WHERE request_id = r.id AND form = ?4) AS hash FROM requests r) q
         ON q.id = o.request_id WHERE o.standing = 'in_doubt' ORDER BY +o.id LIMIT ?2",
    );
    let (mut older, mut left) = (0, limit);
    for latest in [&kept, &before] {
        let at_most = left;
        hand_out(
            &mut connection.prepare(latest)?,
            params![service, at_most, SANDBOX, SHIPMENT_FORM],
            &mut |staged_ms| {
                left = left.saturating_sub(1);
                let is_older = staged_ms < since_ms;
                // A clock may have been wrong for a while: one of long ago is not the end.
                older = if is_older { older + 1 } else { 0 };
                if older > OLDER_MAX { None } else { Some(!is_older) }
            },
            each,
        )?;
        if left == 0 || older > OLDER_MAX {
            break;
        }
    }
    // What is in doubt is that however old it is.
    let is_older = &mut |staged_ms| Some(staged_ms < since_ms);
    hand_out(&mut connection.prepare(&in_doubt)?, params![service, limit, SANDBOX, SHIPMENT_FORM], is_older, each)
}

/// Hands out those of a statement's orders that are wanted by the time of their staging, until one ends it.
fn hand_out(
    statement: &mut Statement<'_>,
    of: &[Value<'_>],
    is_wanted: &mut dyn FnMut(i64) -> Option<bool>,
    each: &mut dyn FnMut(Sent),
) -> Result<(), LedgerError> {
    let mut rows = statement.query(of)?;
    while let Some(row) = &rows.next()? {
        let staged_ms = row.get(0)?;
        let Some(is_wanted) = is_wanted(staged_ms) else { break };
        if is_wanted && row.get(1)? {
            let shipment = row.get::<Option<i64>>(9)?.map(i64::cast_unsigned);
            let kept: Vec<u8> = row.get::<Option<Vec<u8>>>(6)?.unwrap_or_default();
            if kept.is_empty() && shipment.is_none() {
                continue;
            }
            let sha256 = if kept.is_empty() { [0; 32] } else { row.get(7)? };
            each(Sent {
                number: row.get(2)?,
                state: word(row, 3)?,
                awb: row.get(4)?,
                was_in_doubt: row.get(8)?,
                elsewhere: row.get(5)?,
                staged_ms,
                shipment,
                kept,
                sha256,
            });
        }
    }
    Ok(())
}
