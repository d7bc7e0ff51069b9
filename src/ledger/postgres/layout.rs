//! The layouts of a ledger on a server, and how it is brought from one to the next.

use std::path::PathBuf;

use crate::ledger::db::{Address, Connection, Server};
use crate::ledger::error::LedgerError;

/// One entry for each layout; a ledger is brought up from the first it lacks. Never changed once released.
const LAYOUTS: &[&str] = &[
    concat!(
        include_str!("../../../templates/postgres/1_tables.sql"),
        include_str!("../../../templates/postgres/1_guards.sql")
    ),
    include_str!("../../../templates/postgres/2_rows.sql"),
    include_str!("../../../templates/postgres/3_stations.sql"),
    include_str!("../../../templates/postgres/4_shares.sql"),
    include_str!("../../../templates/postgres/5_shipments.sql"),
    include_str!("../../../templates/postgres/6_steps.sql"),
    include_str!("../../../templates/postgres/7_turns.sql"),
    include_str!("../../../templates/postgres/8_former_numbers.sql"),
    include_str!("../../../templates/postgres/9_withdrawals.sql"),
];

/// Only one station at a time brings a ledger up; this lock is no other one's.
const BEGIN: &str = "BEGIN; SELECT pg_advisory_xact_lock(7566701); CREATE SCHEMA IF NOT EXISTS shipsheet;
    CREATE TABLE IF NOT EXISTS shipsheet.layouts (number bigint PRIMARY KEY, since timestamptz NOT NULL DEFAULT now())";

/// Brings a ledger to the newest layout, all or nothing. `named` is what errors call it.
pub(super) fn migrate(server: Server, named: &str) -> Result<Connection, LedgerError> {
    let connection = Connection::to_server(server);
    let newest = i64::try_from(LAYOUTS.len()).unwrap_or(i64::MAX);
    if is_there(&connection)? && found(&connection)? == newest {
        return Ok(connection);
    }
    bring_up(connection, newest, named).map_err(|error| match error {
        LedgerError::Forbidden(said) => LedgerError::NotOwner(said),
        error => error,
    })
}

fn bring_up(connection: Connection, newest: i64, named: &str) -> Result<Connection, LedgerError> {
    let transaction = connection.begin_with(BEGIN)?;
    // Asked behind the lock: another station may have brought it up while this one waited.
    let found = found(&transaction)?;
    if found > newest {
        return Err(LedgerError::Newer { path: PathBuf::from(named), found, known: newest });
    }
    for (number, layout) in (1_i64..).zip(LAYOUTS) {
        if number > found {
            if let Some(server) = transaction.server() {
                server.batch(layout)?;
            }
            transaction.execute("INSERT INTO layouts (number) VALUES (?1)", [number])?;
        }
    }
    transaction.commit()?;
    Ok(connection)
}

/// A ledger that is only read: it has the newest layout, or is refused.
pub(super) fn recognise(server: Server, named: &str) -> Result<Connection, LedgerError> {
    let connection = Connection::to_server(server);
    if !is_there(&connection)? {
        return Err(LedgerError::Missing(PathBuf::from(named)));
    }
    let (found, known) = (found(&connection)?, i64::try_from(LAYOUTS.len()).unwrap_or(i64::MAX));
    match found {
        0 => Err(LedgerError::Missing(PathBuf::from(named))),
        _ if found < known => Err(LedgerError::Outdated(PathBuf::from(named))),
        _ if found > known => Err(LedgerError::Newer { path: PathBuf::from(named), found, known }),
        _ => Ok(connection),
    }
}

/// Whether the database holds no ledger.
pub(super) fn is_empty(server: Server) -> Result<bool, LedgerError> {
    let connection = Connection::to_server(server);
    Ok(!is_there(&connection)? || found(&connection)? == 0)
}

/// Refuses a database that holds a ledger.
pub(in crate::ledger) fn refuse_used(address: &Address) -> Result<(), LedgerError> {
    if is_empty(Server::connect(address)?)? {
        return Ok(());
    }
    let reason = "a ledger is in it already; name a database without one";
    Err(LedgerError::NoPlace { path: address.shown().into(), reason })
}

fn is_there(connection: &Connection) -> Result<bool, LedgerError> {
    // By the catalogue: without a right on the schema, the table's name alone is refused.
    let sql = "SELECT EXISTS (SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = 'shipsheet' AND c.relname = 'layouts')";
    Ok(connection.query_row(sql, (), |row| row.get(0))?)
}

/// The layout of a ledger, 0 where there is none.
fn found(connection: &Connection) -> Result<i64, LedgerError> {
    Ok(connection.query_row("SELECT coalesce(max(number), 0) FROM shipsheet.layouts", (), |row| row.get(0))?)
}
