//! Orders that took the place of others under another number: a row stood for both, or one of them had a number of the other before.

use std::collections::HashSet;

use super::address::addresses;
use super::db::{Connection, Statement, Value, params};
use super::error::LedgerError;
use super::known::known;
use super::open::Ledger;
use super::record::{OrderId, RunId, State};
use super::sql::word;

/// An order that the rows of another one stood for, or that has one of its numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentAs {
    /// Its number.
    pub number: String,
    /// Where it stands.
    pub state: State,
    /// Its AWB, if it is booked.
    pub awb: Option<String>,
}

/// Of an order `o`, whether it may be booked or is still to be sent: also one that was given up because the courier has it.
macro_rules! counts {
    () => {
        "(EXISTS (SELECT 1 FROM orders_that_count c WHERE c.id = o.id) OR o.source_standing = 'abandoned' AND EXISTS (
         SELECT 1 FROM decisions d WHERE d.id = (SELECT max(id) FROM decisions WHERE order_id = o.id)
            AND d.verb = 'abandoned' AND d.awb IS NOT NULL))"
    };
}

/// Whether one import brought an order and `o` beside each other, with the requests that both have now: a later request of
/// either was never seen beside the other order.
macro_rules! came_together {
    ($own:literal) => {
        concat!(
            "EXISTS (SELECT 1 FROM run_orders a JOIN run_orders b ON b.run_id = a.run_id
             JOIN runs w ON w.id = a.run_id AND w.kind = 'import' WHERE a.order_id = ",
            $own,
            " AND b.order_id = o.id AND a.behind = 0 AND b.behind = 0 AND NOT EXISTS (
                SELECT 1 FROM run_orders l JOIN runs n ON n.id = l.run_id AND n.kind = 'import'
                WHERE l.order_id IN (o.id, ",
            $own,
            ") AND l.run_id > w.id AND l.rows IS NULL))"
        )
    };
}

/// The orders that may be the same parcel as the order `?1`, and how that is known.
macro_rules! same_orders {
    () => {
        "(SELECT other.order_id AS id, 'row' AS how FROM sheet_rows mine
            CROSS JOIN sheet_rows other ON other.sheet_id = mine.sheet_id AND other.row = mine.row WHERE mine.order_id = ?1
         UNION ALL SELECT o.id, 'number' FROM former_numbers mine
            CROSS JOIN services s CROSS JOIN orders o ON o.service_id = s.id AND o.number = mine.number WHERE mine.order_id = ?1
         UNION ALL SELECT other.order_id, 'number' FROM orders own
            CROSS JOIN former_numbers other ON other.number = own.number WHERE own.id = ?1
         UNION ALL SELECT other.order_id, 'number' FROM former_numbers mine
            CROSS JOIN former_numbers other ON other.number = mine.number WHERE mine.order_id = ?1)"
    };
}

/// Those of them, of other numbers, that no import brought beside the order `?1` and no person called another parcel, by a condition.
macro_rules! replacing {
    ($($where:expr),+) => {
        concat!(
            "SELECT o.number, o.source_standing, o.awb, o.service_id, o.id FROM orders own CROSS JOIN ",
            same_orders!(),
            " l CROSS JOIN orders o ON o.id = l.id WHERE own.id = ?1 AND o.number <> own.number AND ",
            $($where,)+
            " AND NOT ",
            came_together!("own.id"),
            " AND NOT EXISTS (SELECT 1 FROM requests q CROSS JOIN decisions k ON k.service_id = own.service_id AND k.number = own.number
                WHERE q.id = o.request_id AND k.rule = 'same-order' AND k.at_ms >= q.staged_ms)"
        )
    };
}

/// Whether `o` goes, or went, in the place of `own`: the later of two that are still to be sent, unless the run `?2` sends it.
macro_rules! takes_its_place {
    () => {
        concat!(
            counts!(),
            " AND (o.source_standing NOT IN ('staged', 'waiting') OR o.request_id > own.request_id AND NOT EXISTS (
                SELECT 1 FROM run_orders u WHERE u.order_id = o.id AND u.run_id = ?2 AND u.behind = 0))"
        )
    };
}

pub(super) use {came_together, counts};

/// The last order, at these addresses, that is sent or was in the place of one that is unsent.
pub(super) fn replaced_by(
    connection: &Connection,
    addresses: &[i64],
    order: OrderId,
    run: Option<RunId>,
) -> Result<Option<SentAs>, LedgerError> {
    let mut statement = connection.prepare_cached(replacing!(takes_its_place!()))?;
    let last = last_at(addresses, &mut statement, params![order.0, run.map(|run| run.0)])?;
    Ok(last.map(|Last(_, other)| other))
}

/// Of these orders the last one of a later request.
pub(super) fn later_of(
    connection: &Connection,
    order: OrderId,
    orders: &HashSet<OrderId>,
) -> Result<Option<SentAs>, LedgerError> {
    let mut statement = connection.prepare_cached(replacing!("o.request_id > own.request_id"))?;
    let last = last(&mut statement, params![order.0], |_, other| orders.contains(&other))?;
    Ok(last.map(|Last(_, other)| other))
}

impl Ledger {
    /// The order of another number that the rows of an order stand for by now, where that one may be booked or is to be sent in
    /// its place. A number that both had is not enough: they may be two people's.
    pub fn sent_as(&self, service: &str, number: &str) -> Result<Option<SentAs>, LedgerError> {
        let addresses = addresses(&self.connection, service)?;
        let Some(own) = known(&self.connection, &addresses, number)? else { return Ok(None) };
        let by_row = replacing!("l.how = 'row' AND ", takes_its_place!());
        let mut statement = self.connection.prepare_cached(by_row)?;
        let last = last_at(&addresses, &mut statement, params![own.order.0, None::<i64>])?;
        Ok(last.map(|Last(_, other)| other))
    }
}

/// An order with its id: of several, the last one says what became of a row or a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Last(pub(super) i64, pub(super) SentAs);

impl PartialOrd for Last {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Last {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}

/// The last order that is found at one of these addresses.
pub(super) fn last_at(
    addresses: &[i64],
    statement: &mut Statement<'_>,
    of: &[Value<'_>],
) -> Result<Option<Last>, LedgerError> {
    last(statement, of, |service, _| addresses.contains(&service))
}

/// The last order that is found and meant, by the address where it stands and by itself.
fn last(
    statement: &mut Statement<'_>,
    of: &[Value<'_>],
    is_meant: impl Fn(i64, OrderId) -> bool,
) -> Result<Option<Last>, LedgerError> {
    let (mut others, mut last) = (statement.query(of)?, None);
    while let Some(other) = others.next()? {
        let id = other.get(4)?;
        if is_meant(other.get(3)?, OrderId(id)) {
            let sent = SentAs { number: other.get(0)?, state: word(&other, 1)?, awb: other.get(2)? };
            last = last.max(Some(Last(id, sent)));
        }
    }
    Ok(last)
}
