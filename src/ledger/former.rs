//! Numbers that orders had before a person typed another one: what has one of them may be the same parcel, whoever sends it, and
//! whatever else of it was typed.

use std::collections::{BTreeMap, HashSet};

use super::db::{Connection, Statement, Value, params};
use super::error::LedgerError;
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

/// Whether one import brought an order and `o` beside each other, with the requests that both have now: what either came to later
/// nobody saw beside the other one.
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

/// Orders `o` of another number than `own` that have the number `?2`, or had it before; of these, others than `own` that one
/// import brought beside it are other parcels.
macro_rules! others_of {
    ($what:literal, $where:expr) => {
        concat!(
            "SELECT ",
            $what,
            " FROM (
                SELECT f.order_id AS id FROM former_numbers f WHERE f.number = ?2
                UNION
                SELECT x.id FROM services s CROSS JOIN orders x ON x.service_id = s.id WHERE x.number = ?2) c
             CROSS JOIN orders o ON o.id = c.id
             WHERE o.number <> ?3 AND NOT ",
            came_together!("?1"),
            " AND ",
            $where
        )
    };
}

/// That no person said of the order `?1`, which has this number, that it is another parcel, since the order `o` has its request.
macro_rules! is_unaccepted {
    ($number:literal) => {
        concat!(
            " AND NOT EXISTS (SELECT 1 FROM orders mine CROSS JOIN requests q ON q.id = o.request_id
            CROSS JOIN decisions k ON k.service_id = mine.service_id AND k.number = ",
            $number,
            " WHERE mine.id = ?1 AND k.rule = 'same-order' AND k.at_ms >= q.staged_ms)"
        )
    };
}

pub(super) use {came_together, counts, is_unaccepted};

/// An order that is asked about.
#[derive(Debug, Clone, Copy)]
pub(super) struct Own<'n> {
    pub(super) number: &'n str,
    /// Where the ledger has it already.
    pub(super) order: Option<OrderId>,
    /// The run that takes it in.
    pub(super) run: Option<RunId>,
}

/// Keeps that an order had these numbers before, and those that orders with these numbers had.
pub(super) fn keep(
    connection: &Connection,
    addresses: &[i64],
    order: OrderId,
    numbers: &[String],
) -> Result<(), LedgerError> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO former_numbers (order_id, number)
         SELECT id, ?2 FROM orders WHERE id = ?1 AND number <> ?2 ON CONFLICT DO NOTHING",
    )?;
    for number in with_earlier(connection, addresses, numbers)? {
        statement.execute(params![order.0, number])?;
    }
    Ok(())
}

/// These numbers with those that orders with these numbers, at these addresses, had before: a file may be saved in between.
fn with_earlier(connection: &Connection, addresses: &[i64], numbers: &[String]) -> Result<Vec<String>, LedgerError> {
    let mut statement = connection.prepare_cached(
        "SELECT f.number, o.service_id FROM services s CROSS JOIN orders o ON o.service_id = s.id
         CROSS JOIN former_numbers f ON f.order_id = o.id WHERE o.number = ?1",
    )?;
    let mut all = numbers.to_vec();
    for number in numbers {
        numbers_at(addresses, &mut statement, number, &mut all)?;
    }
    Ok(all)
}

/// Adds the numbers that are found for one number at these addresses.
fn numbers_at(
    addresses: &[i64],
    statement: &mut Statement<'_>,
    number: &str,
    all: &mut Vec<String>,
) -> Result<(), LedgerError> {
    for found in statement.query_map([number], |row| Ok((row.get(0)?, row.get(1)?)))? {
        let (found, service): (String, i64) = found?;
        if addresses.contains(&service) {
            all.push(found);
        }
    }
    Ok(())
}

/// Whether any order had another number before.
pub(super) fn are_any(connection: &Connection) -> Result<bool, LedgerError> {
    Ok(connection.query_row("SELECT EXISTS (SELECT 1 FROM former_numbers)", (), |row| row.get(0))?)
}

/// The numbers that an order had before.
fn of_order(connection: &Connection, order: OrderId) -> Result<Vec<String>, LedgerError> {
    let mut statement = connection.prepare_cached("SELECT number FROM former_numbers WHERE order_id = ?1")?;
    Ok(statement.query_map([order.0], |row| row.get(0))?.collect::<Result<_, _>>()?)
}

/// The other numbers by which an order may be known: those that it came with or had before, and those of orders, at these
/// addresses, that had its number before.
pub(super) fn other_numbers(
    connection: &Connection,
    addresses: &[i64],
    number: &str,
    came_as: &[String],
) -> Result<Vec<String>, LedgerError> {
    let mut all = with_earlier(connection, addresses, came_as)?;
    all.extend(others_of_each(connection, addresses, &[number])?.into_iter().map(|(_, other)| other));
    all.retain(|other| other != number);
    all.sort_unstable();
    all.dedup();
    Ok(all)
}

/// The numbers that orders of each of these numbers, at these addresses, had before, and the numbers of orders there that had one of
/// them, each behind the place of its number.
pub(super) fn others_of_each(
    connection: &Connection,
    addresses: &[i64],
    numbers: &[&str],
) -> Result<Vec<(usize, String)>, LedgerError> {
    let mut statement = connection.prepare_cached(
        "SELECT n.key, f.number, o.service_id FROM json_each(?1) n CROSS JOIN services s
         CROSS JOIN orders o ON o.service_id = s.id AND o.number = n.value CROSS JOIN former_numbers f ON f.order_id = o.id
         UNION SELECT n.key, o.number, o.service_id FROM json_each(?1) n CROSS JOIN former_numbers f ON f.number = n.value
         CROSS JOIN orders o ON o.id = f.order_id",
    )?;
    let numbers = serde_json::Value::from(numbers.to_vec()).to_string();
    let found = statement.query_map([numbers], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    let found: Vec<(usize, String, i64)> = found.collect::<Result<_, _>>()?;
    let here = found.into_iter().filter(|(_, _, service)| addresses.contains(service));
    Ok(here.map(|(place, number, _)| (place, number)).collect())
}

/// The numbers that each order which is unsent at the addresses of a service had before, and those of orders that had its number
/// before, by its number.
pub(super) fn of_unsent(connection: &Connection, service: &str) -> Result<BTreeMap<String, Vec<String>>, LedgerError> {
    let unsent = "SELECT o.number, f.number FROM former_numbers f CROSS JOIN orders o ON o.id = f.order_id
         WHERE o.service_id IN (SELECT id FROM same_service WHERE origin = ?1)
            AND o.source_standing NOT IN ('booked', 'invalid', 'held', 'left_out', 'dismissed', 'abandoned')
         UNION SELECT o.number, x.number FROM former_numbers f CROSS JOIN orders x ON x.id = f.order_id
         CROSS JOIN orders o ON o.service_id = x.service_id AND o.number = f.number
         WHERE o.service_id IN (SELECT id FROM same_service WHERE origin = ?1)
            AND o.source_standing NOT IN ('booked', 'invalid', 'held', 'left_out', 'dismissed', 'abandoned')
         ORDER BY 1, 2";
    by_number(connection, unsent, params![service])
}

fn by_number(
    connection: &Connection,
    sql: &str,
    of: &[Value<'_>],
) -> Result<BTreeMap<String, Vec<String>>, LedgerError> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    if are_any(connection)? {
        for pair in connection.prepare(sql)?.query_map(of, |row| Ok((row.get::<String>(0)?, row.get(1)?)))? {
            let (number, former) = pair?;
            all.entry(number).or_default().push(former);
        }
    }
    Ok(all)
}

impl Ledger {
    /// The other numbers by which orders that are unsent at a service may be known, by the number of each: those that it had
    /// before a person typed another one, and those of orders that had its number before.
    pub fn other_numbers(&self, service: &str) -> Result<BTreeMap<String, Vec<String>>, LedgerError> {
        of_unsent(&self.connection, service)
    }
}

/// The last order, at these addresses, with a number that an order came with or had before, or that had the number of this one,
/// where it may be booked or is still to be sent. What this very run sends goes.
pub(super) fn asked_of(
    connection: &Connection,
    addresses: &[i64],
    Own { number, order, run }: Own<'_>,
    came_as: &[String],
) -> Result<Option<SentAs>, LedgerError> {
    let mut numbers = with_earlier(connection, addresses, came_as)?;
    numbers.extend(order.map_or(Ok(Vec::new()), |order| of_order(connection, order))?);
    numbers.push(number.to_owned());
    let mut statement = connection.prepare_cached(others_of!(
        "o.number, o.source_standing, o.awb, o.service_id, o.id",
        concat!(
            counts!(),
            " AND NOT (o.source_standing IN ('staged', 'waiting')
                AND EXISTS (SELECT 1 FROM run_orders u WHERE u.order_id = o.id AND u.run_id = ?4 AND u.behind = 0))"
        )
    ))?;
    let (order, run, mut last) = (order.map(|order| order.0), run.map(|run| run.0), None);
    for one in &numbers {
        last = last.max(last_at(addresses, &mut statement, params![order, one, number, run])?);
    }
    Ok(last.map(|Last(_, other)| other))
}

/// All numbers of an order, its own one first.
fn all_of(connection: &Connection, order: OrderId) -> Result<Vec<String>, LedgerError> {
    let own =
        connection.prepare_cached("SELECT number FROM orders WHERE id = ?1")?.query_row([order.0], |row| row.get(0))?;
    let mut numbers = vec![own];
    numbers.extend(of_order(connection, order)?);
    Ok(numbers)
}

/// The last order, at these addresses, that is sent or was in the place of one that is unsent, by a number that either had before.
pub(super) fn replaced_by(
    connection: &Connection,
    addresses: &[i64],
    order: OrderId,
    run: Option<RunId>,
) -> Result<Option<Last>, LedgerError> {
    let numbers = all_of(connection, order)?;
    let mut statement = connection.prepare_cached(others_of!(
        "o.number, o.source_standing, o.awb, o.service_id, o.id",
        concat!(
            counts!(),
            " AND (o.source_standing NOT IN ('staged', 'waiting') OR o.request_id > (SELECT request_id FROM orders WHERE id = ?1)
                AND NOT EXISTS (SELECT 1 FROM run_orders u WHERE u.order_id = o.id AND u.run_id = ?4 AND u.behind = 0))",
            is_unaccepted!("?3")
        )
    ))?;
    let (run, mut last) = (run.map(|run| run.0), None);
    for one in &numbers {
        last = last.max(last_at(addresses, &mut statement, params![order.0, one, numbers[0], run])?);
    }
    Ok(last)
}

/// Of these orders one of a later request that has a number of this order, or had it before.
pub(super) fn later_of(
    connection: &Connection,
    order: OrderId,
    orders: &HashSet<OrderId>,
) -> Result<Option<SentAs>, LedgerError> {
    let numbers = all_of(connection, order)?;
    let mut statement = connection.prepare_cached(others_of!(
        "o.number, o.source_standing, o.awb, o.id",
        concat!("o.request_id > (SELECT request_id FROM orders WHERE id = ?1)", is_unaccepted!("?3"))
    ))?;
    for one in &numbers {
        if let Some(other) = one_of(orders, &mut statement, params![order.0, one, numbers[0]])? {
            return Ok(Some(other));
        }
    }
    Ok(None)
}

/// The first order that is found and is one of these.
pub(super) fn one_of(
    orders: &HashSet<OrderId>,
    statement: &mut Statement<'_>,
    of: &[Value<'_>],
) -> Result<Option<SentAs>, LedgerError> {
    let mut others = statement.query(of)?;
    while let Some(other) = others.next()? {
        if orders.contains(&OrderId(other.get(3)?)) {
            return Ok(Some(SentAs { number: other.get(0)?, state: word(&other, 1)?, awb: other.get(2)? }));
        }
    }
    Ok(None)
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
    let (mut others, mut last) = (statement.query(of)?, None);
    while let Some(other) = others.next()? {
        if addresses.contains(&other.get(3)?) {
            let sent = SentAs { number: other.get(0)?, state: word(&other, 1)?, awb: other.get(2)? };
            last = last.max(Some(Last(other.get(4)?, sent)));
        }
    }
    Ok(last)
}
