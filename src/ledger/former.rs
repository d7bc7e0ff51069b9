//! Numbers that orders had before a person typed another one: what has one of them may be the same parcel, whoever sends it, and
//! whatever else of it was typed.

use std::collections::BTreeMap;

use super::db::{Connection, Statement, Value, params};
use super::error::LedgerError;
use super::open::Ledger;
use super::record::{OrderId, RunId};
use super::same::{Last, SentAs, came_together, counts, last_at};

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
    let mut statement = connection.prepare_cached(concat!(
        "SELECT o.number, o.source_standing, o.awb, o.service_id, o.id FROM (
            SELECT f.order_id AS id FROM former_numbers f WHERE f.number = ?2
            UNION
            SELECT x.id FROM services s CROSS JOIN orders x ON x.service_id = s.id WHERE x.number = ?2) c
         CROSS JOIN orders o ON o.id = c.id
         WHERE o.number <> ?3 AND NOT ",
        came_together!("?1"),
        " AND ",
        counts!(),
        " AND NOT (o.source_standing IN ('staged', 'waiting')
            AND EXISTS (SELECT 1 FROM run_orders u WHERE u.order_id = o.id AND u.run_id = ?4 AND u.behind = 0))",
    ))?;
    let (order, run, mut last) = (order.map(|order| order.0), run.map(|run| run.0), None);
    for one in &numbers {
        last = last.max(last_at(addresses, &mut statement, params![order, one, number, run])?);
    }
    Ok(last.map(|Last(_, other)| other))
}
