//! Orders that may be the one that comes under another number: by the forms of their numbers, or among what was sent lately.

use std::collections::VecDeque;
use std::mem;
use std::panic::resume_unwind;
use std::thread::{self, ScopedJoinHandle};

use super::address::{Stranger, addresses, strangers};
use super::aliases::looked_for;
use super::db::{Connection, Row, Statement, ToValue, Value, params};
use super::error::LedgerError;
use super::packed::Unpacker;
use super::record::{RunId, State};
use super::same::counts;
use super::sql::word;
use crate::finding::{Basis, RuleId};
use crate::text::NumberForms;

/// Requests that one thread unpacks, and how many such blocks are under way at once.
const BLOCK: usize = 512;
const BLOCKS_MAX: usize = 3;

/// So many of the latest requests are looked at for orders that are still open.
const OPEN_MAX: u32 = 20_000;

/// So many of them for orders that were booked.
const BOOKED_MAX: u32 = 5_000;

/// A number is looked for by so many values at once.
const VALUES: usize = 16;

/// So many orders are looked at of those that some values find.
const FOUND_MAX: u32 = 200;

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
    /// The import that brought its request.
    pub import: Option<i64>,
    /// The address that it was sent to, unless that is known to be this run's service.
    pub elsewhere: Option<String>,
    /// Its request, as the ledger keeps it; empty where it was removed.
    pub(super) kept: Vec<u8>,
    pub(super) sha256: [u8; 32],
}

/// Makes a value of each order that is handed out, by `of`, which gets its request as it is sent unless that was removed; in the same
/// order. The ledger is read while other threads unpack the orders before.
///
/// # Errors
///
/// Where the ledger cannot be read, or a request is not the one that was frozen.
pub fn of_each_sent<T: Send>(
    hand_out: impl FnOnce(&mut dyn FnMut(Sent)) -> Result<(), LedgerError>,
    of: impl Fn(Sent, Option<&[u8]>) -> T + Sync,
) -> Result<Vec<T>, LedgerError> {
    let of_block = |block: Vec<Sent>| -> Result<Vec<T>, LedgerError> {
        // Most orders are like no other.
        if block.is_empty() {
            return Ok(Vec::new());
        }
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

/// Where orders are looked for that may be the one that comes.
pub(super) struct Neighbours {
    /// All addresses of the service.
    ours: Vec<i64>,
    /// Addresses of which nobody has said whether they are this service.
    others: Vec<Stranger>,
}

/// The columns of a [`Sent`], of an order `o` with a request `q`.
macro_rules! sent {
    () => {
        "o.number, o.source_standing, o.awb, o.service_id, q.body, q.sha256,
            o.source_standing = 'booked' AND EXISTS (SELECT 1 FROM attempts WHERE order_id = o.id AND outcome = 'in_doubt'),
            (SELECT s.run_id FROM revisions v JOIN sources s ON s.id = v.source_id WHERE v.id = o.revision_id)"
    };
}

/// Whether an order `o` may be the one that comes: it may be booked, or could still be sent, and nobody cancelled or replaced it.
macro_rules! may_be_it {
    () => {
        concat!(
            "((o.source_standing IN ('rejected', 'refused', 'held') OR ",
            counts!(),
            ") AND NOT EXISTS (SELECT 1 FROM cancellations c WHERE c.order_id = o.id))"
        )
    };
}

impl Neighbours {
    pub(super) fn of(connection: &Connection, service: &str) -> Result<Self, LedgerError> {
        Ok(Self { ours: addresses(connection, service)?, others: strangers(connection, service)? })
    }

    /// The order of a row, unless its address is none of these.
    fn sent(&self, row: &Row<'_>) -> Result<Option<Sent>, LedgerError> {
        let service: i64 = row.get(3)?;
        let stranger = self.others.iter().find(|(id, _)| *id == service);
        if stranger.is_none() && !self.ours.contains(&service) {
            return Ok(None);
        }
        Ok(Some(Sent {
            number: row.get(0)?,
            state: word(row, 1)?,
            awb: row.get(2)?,
            elsewhere: stranger.map(|(_, origin)| origin.clone()),
            kept: row.get(4)?,
            sha256: row.get(5)?,
            was_in_doubt: row.get(6)?,
            import: row.get(7)?,
        }))
    }

    fn hand_out(
        &self,
        statement: &mut Statement<'_>,
        of: &[Value<'_>],
        each: &mut dyn FnMut(Sent),
    ) -> Result<(), LedgerError> {
        let mut rows = statement.query(of)?;
        while let Some(row) = rows.next()? {
            self.sent(&row)?.into_iter().for_each(&mut *each);
        }
        Ok(())
    }

    /// Hands out orders whose numbers are like this one, or stand beside it (`beside`, by their values). Orders of this run that are
    /// still to be sent are left out.
    pub(super) fn alike(
        &self,
        connection: &Connection,
        (number, beside): (&str, &[i64]),
        run: Option<RunId>,
        each: &mut dyn FnMut(Sent),
    ) -> Result<(), LedgerError> {
        let mut values = looked_for(&NumberForms::of(number));
        values.extend(beside);
        values.sort_unstable();
        values.dedup();
        let mut statement = connection.prepare_cached(concat!(
            "SELECT ",
            sent!(),
            " FROM aliases a CROSS JOIN orders o ON o.id = a.order_id CROSS JOIN requests q ON q.id = o.request_id
             WHERE a.value IN (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16) AND o.number <> ?17 AND ",
            may_be_it!(),
            " AND NOT (o.source_standing IN ('staged', 'waiting')
                AND EXISTS (SELECT 1 FROM run_orders u WHERE u.order_id = o.id AND u.run_id = ?18 AND u.behind = 0)) LIMIT ?19"
        ))?;
        let run = run.map_or(0, |run| run.0);
        for some in values.chunks(VALUES) {
            let mut own = [some[0]; VALUES];
            own[..some.len()].copy_from_slice(some);
            let of: Vec<Value<'_>> = own
                .iter()
                .map(ToValue::to_value)
                .chain([number.to_value(), run.to_value(), FOUND_MAX.to_value()])
                .collect();
            self.hand_out(&mut statement, &of, each)?;
        }
        Ok(())
    }

    /// Hands out orders whose parcels a new one is compared with: those in doubt first, and then, newest first and as far as their
    /// requests are among the latest, those that could still be sent, those that failed or were in doubt and were staged since `open_ms`,
    /// and those that were booked and staged since `booked_ms` (epoch milliseconds).
    pub(super) fn sent_lately(
        &self,
        connection: &Connection,
        (open_ms, booked_ms): (i64, i64),
        each: &mut dyn FnMut(Sent),
    ) -> Result<(), LedgerError> {
        let in_doubt = concat!(
            "SELECT ",
            sent!(),
            " FROM orders o CROSS JOIN requests q ON q.id = o.request_id WHERE o.source_standing = 'in_doubt' ORDER BY +o.id"
        );
        self.hand_out(&mut connection.prepare(in_doubt)?, &[], each)?;
        let latest = concat!(
            "SELECT ",
            sent!(),
            " FROM (SELECT id, order_id, staged_ms FROM requests ORDER BY id DESC LIMIT ?1) l
             CROSS JOIN orders o ON o.id = l.order_id CROSS JOIN requests q ON q.id = l.id
             WHERE o.request_id = l.id AND o.source_standing <> 'in_doubt' AND length(q.body) > 0
                AND CASE WHEN o.source_standing IN ('rejected', 'refused') THEN l.staged_ms >= ?4 WHEN o.source_standing <> 'booked' THEN true
                    WHEN l.staged_ms >= ?2 AND l.id > (SELECT max(id) FROM requests) - ?3 THEN true
                    ELSE l.staged_ms >= ?4 AND EXISTS (
                        SELECT 1 FROM attempts WHERE order_id = o.id AND outcome = 'in_doubt') END AND ",
            may_be_it!(),
            " ORDER BY l.id DESC"
        );
        self.hand_out(&mut connection.prepare(latest)?, params![OPEN_MAX, booked_ms, BOOKED_MAX, open_ms], each)
    }

    /// Whether these two orders are two parcels: one import brought both and held neither as the other one, or a person said so.
    pub(super) fn are_two(&self, connection: &Connection, one: &str, other: &str) -> Result<bool, LedgerError> {
        let basis =
            serde_json::to_string(&two_parcels(one, other)).map_err(|error| LedgerError::Damaged(error.to_string()))?;
        let mut said = connection.prepare_cached(
            "SELECT 1 FROM decisions WHERE number IN (?1, ?2) AND rule = ?3 AND basis = ?4 AND service_id = ?5",
        )?;
        let mut came = connection.prepare_cached(
            "SELECT 1 FROM orders o CROSS JOIN run_orders a ON a.order_id = o.id
             CROSS JOIN runs w ON w.id = a.run_id AND w.kind = 'import'
             CROSS JOIN orders x ON x.service_id = ?3 AND x.number = ?2
             CROSS JOIN run_orders b ON b.order_id = x.id AND b.run_id = w.id
             WHERE o.service_id = ?3 AND o.number = ?1 AND NOT EXISTS (
                SELECT 1 FROM problems p WHERE p.run_id = w.id AND p.seq IN (a.seq, b.seq) AND p.severity = 'error'
                    AND p.code IN ('same-shipment', 'numbers-alike'))",
        )?;
        for service in self.ours.iter().copied().chain(self.others.iter().map(|(id, _)| *id)) {
            if said.exists(params![one, other, RuleId::SameOrder.as_str(), basis, service])?
                || came.exists(params![one, other, service])?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The basis of a person's word that two orders are two parcels, whichever comes second.
#[must_use]
pub fn two_parcels(one: &str, other: &str) -> Basis {
    Basis::of([("", one), ("", other)])
}
