//! Every order of a service with its AWB, for a comparison with somebody else's books.

use std::collections::HashMap;

use super::address::{addresses, precedence};
use super::db::params;
use super::error::LedgerError;
use super::open::Ledger;
use super::record::{RunId, State};
use super::sql::word;

/// An order as a comparison needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownOrder {
    /// The order number.
    pub number: String,
    /// Where it stands.
    pub state: State,
    /// Its AWB.
    pub awb: Option<String>,
    /// When it was last sent, epoch milliseconds.
    pub sent_ms: Option<i64>,
    /// Whether it belongs to what was asked for.
    pub in_scope: bool,
}

/// What an earlier import asked for and could send.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EarlierImport {
    /// Orders.
    pub orders: u64,
    /// Their declared value, near enough to compare with.
    pub value: f64,
    /// What was to be collected at the door, near enough to compare with.
    pub to_collect: f64,
}

/// Orders whose amounts are added up to know what is usual, in a few hundredths of a second; but always those of some imports.
const USUAL_ORDERS_MAX: u64 = 20_000;
const USUAL_IMPORTS_MIN: usize = 3;

impl Ledger {
    /// What the latest imports of a service asked for and could send, latest first; fewer where they were very large. What a
    /// crash left unsent counts, for the sheet came with it; what a person gave up since does not, nor what a limit held
    /// back: nobody has said of it that it is right.
    pub fn earlier_imports(&self, service: &str, limit: usize) -> Result<Vec<EarlierImport>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT r.id, r.stopped_by IS NOT DISTINCT FROM 'limit',
                t.booked + t.rejected + t.refused + t.in_doubt + t.outstanding
             FROM runs r JOIN run_tallies t ON t.run_id = r.id
             WHERE r.service_id IN (SELECT id FROM same_service WHERE origin = ?1) AND r.kind = 'import'
                AND t.booked + t.rejected + t.refused + t.in_doubt + t.outstanding > 0
             ORDER BY r.id DESC LIMIT ?2",
        )?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let runs = statement.query_map(params![service, limit], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        let mut sums = self.connection.prepare_cached(
            "SELECT count(*), coalesce(sum(CAST(q.value AS double precision)), 0),
                coalesce(sum(CAST(q.cod AS double precision)), 0) FROM run_orders r CROSS JOIN orders o ON o.id = r.order_id
             CROSS JOIN requests q ON q.id = o.request_id
             WHERE r.run_id = ?1 AND r.already = 0 AND r.behind = 0
                AND o.standing NOT IN ('abandoned', 'held', 'left_out', 'dismissed') AND (?2 = 0 OR o.attempts > 0)",
        )?;
        let mut looked_at = 0;
        let mut imports = Vec::new();
        for run in runs {
            let (run, limited, orders): (i64, bool, u64) = run?;
            looked_at += orders;
            if looked_at > USUAL_ORDERS_MAX && imports.len() >= USUAL_IMPORTS_MIN {
                break;
            }
            let import = sums.query_row(params![run, limited], |row| {
                Ok(EarlierImport { orders: row.get(0)?, value: row.get(1)?, to_collect: row.get(2)? })
            })?;
            if import.orders > 0 {
                imports.push(import);
            }
        }
        Ok(imports)
    }

    /// The orders of a service that were booked last by an answer of its own, with their AWBs, latest first.
    pub fn latest_booked(&self, service: &str, limit: usize) -> Result<Vec<(String, String)>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT o.number, o.awb FROM attempts a JOIN orders o ON o.id = a.order_id
             WHERE a.outcome = 'booked' AND o.standing = 'booked' AND o.old_answer = 0
                AND o.service_id IN (SELECT id FROM same_service WHERE origin = ?1)
             ORDER BY a.id DESC LIMIT ?2",
        )?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let rows = statement.query_map(params![service, limit], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Those of these orders that a service's addresses know, each once, as what forbids sending has it; however many others
    /// there are.
    pub fn known_among<'n>(
        &self,
        service: &str,
        numbers: impl IntoIterator<Item = &'n str>,
    ) -> Result<Vec<KnownOrder>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT o.standing, o.awb, (SELECT max(a.intent_ms) FROM attempts a WHERE a.order_id = o.id)
             FROM same_service s CROSS JOIN orders o ON o.service_id = s.id
             WHERE s.origin = ?1 AND o.number = ?2 AND o.request_id IS NOT NULL ORDER BY o.id",
        )?;
        let mut orders = Vec::new();
        for number in numbers {
            let mut rows = statement.query(params![service, number])?;
            let mut found: Option<KnownOrder> = None;
            while let Some(row) = &rows.next()? {
                let (number, state) = (number.to_owned(), word(row, 0)?);
                let known = KnownOrder { number, state, awb: row.get(1)?, sent_ms: row.get(2)?, in_scope: true };
                found = match found {
                    Some(before) if precedence(before.state) <= precedence(known.state) => Some(before),
                    _ => Some(known),
                };
            }
            orders.extend(found);
        }
        Ok(orders)
    }

    /// All orders of a service. In scope are those of a run, where one is named, that were sent at `since_ms` or later,
    /// where that is given.
    pub fn known_orders(
        &self,
        service: &str,
        run: Option<RunId>,
        since_ms: Option<i64>,
    ) -> Result<Vec<KnownOrder>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT o.number, o.standing, o.awb, (SELECT max(a.intent_ms) FROM attempts a WHERE a.order_id = o.id) AS sent,
             CAST(?2 AS bigint) IS NULL OR EXISTS (SELECT 1 FROM run_orders r WHERE r.run_id = ?2 AND r.order_id = o.id)
             FROM same_service s CROSS JOIN orders o ON o.service_id = s.id
             WHERE s.origin = ?1 AND o.request_id IS NOT NULL ORDER BY o.id",
        )?;
        let mut rows = statement.query(params![service, run.map(|run| run.0)])?;
        let mut orders: Vec<KnownOrder> = Vec::new();
        // A service with several addresses may know a number twice: it is told once, as what forbids sending has it.
        let several = addresses(&self.connection, service)?.len() > 1;
        let mut places: HashMap<String, usize> = HashMap::new();
        while let Some(row) = &rows.next()? {
            let sent_ms: Option<i64> = row.get(3)?;
            let recent = since_ms.is_none_or(|since| sent_ms.is_some_and(|sent| sent >= since));
            let of_run: bool = row.get(4)?;
            let known = KnownOrder {
                number: row.get(0)?,
                state: word(row, 1)?,
                awb: row.get(2)?,
                sent_ms,
                in_scope: of_run && recent,
            };
            match if several { places.get(&known.number) } else { None } {
                Some(place) if precedence(orders[*place].state) <= precedence(known.state) => {
                    orders[*place].in_scope |= known.in_scope;
                }
                Some(place) => {
                    let in_scope = orders[*place].in_scope || known.in_scope;
                    orders[*place] = KnownOrder { in_scope, ..known };
                }
                None => {
                    if several {
                        places.insert(known.number.clone(), orders.len());
                    }
                    orders.push(known);
                }
            }
        }
        Ok(orders)
    }
}
