//! The layouts of a ledger on a server: which one it has, and how it comes from one to the next.

use std::path::PathBuf;

use crate::ledger::db::{Address, Connection, Server, Transaction};
use crate::ledger::error::LedgerError;

/// One step for each layout; an upgrade goes on from the first that a ledger lacks. Never changed once released.
const STEPS: &[&str] = &[
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

/// Only one station at a time makes a ledger or upgrades it; this lock is no other one's.
const BEGIN: &str = "BEGIN; SELECT pg_advisory_xact_lock(7566701); CREATE SCHEMA IF NOT EXISTS shipsheet;
    CREATE TABLE IF NOT EXISTS shipsheet.layouts (number bigint PRIMARY KEY, since timestamptz NOT NULL DEFAULT now())";

/// What the last step adds, empty and for this session alone: so the layout before the present one is read by the same
/// statements, and nothing of it changes.
const LENT: &str = "CREATE TEMPORARY TABLE withdrawals (decision_id bigint, verdict text, sheet bytea)";

/// The present layout.
pub(super) fn newest() -> i64 {
    i64::try_from(STEPS.len()).unwrap_or(i64::MAX)
}

/// The layout of this ledger, 0 where there is none. Refuses one that is newer than we are; `named` is what errors call it.
pub(super) fn of(connection: &Connection, named: &str) -> Result<i64, LedgerError> {
    let (found, known) = (if is_there(connection)? { found(connection)? } else { 0 }, newest());
    if found > known { Err(LedgerError::Newer { path: PathBuf::from(named), found, known }) } else { Ok(found) }
}

/// A ledger that is written to: it has the present layout, and is made where there is none. An earlier one is refused.
pub(super) fn make(server: Server, named: &str) -> Result<Connection, LedgerError> {
    let connection = Connection::to_server(server);
    match of(&connection, named)? {
        0 => begin(connection, named).map_err(owners),
        found if found == newest() => Ok(connection),
        found => Err(outdated(found, named)),
    }
}

fn begin(connection: Connection, named: &str) -> Result<Connection, LedgerError> {
    let transaction = connection.begin_with(BEGIN)?;
    // Asked behind the lock: another station may have made it while this one waited.
    match of(&transaction, named)? {
        0 => upgrade(&transaction, 0)?,
        found if found == newest() => {}
        found => return Err(outdated(found, named)),
    }
    transaction.commit()?;
    Ok(connection)
}

/// Brings a ledger from a layout to the present one, within a transaction.
pub(super) fn upgrade(transaction: &Transaction<'_>, from: i64) -> Result<(), LedgerError> {
    for (number, step) in (1_i64..).zip(STEPS) {
        if number > from {
            if let Some(server) = transaction.server() {
                server.batch(step)?;
            }
            transaction.execute("INSERT INTO layouts (number) VALUES (?1)", [number])?;
        }
    }
    Ok(())
}

/// What only the owner may do to tables.
pub(super) fn owners(error: LedgerError) -> LedgerError {
    match error {
        LedgerError::Forbidden(said) => LedgerError::NotOwner(said),
        error => error,
    }
}

fn outdated(found: i64, named: &str) -> LedgerError {
    LedgerError::Outdated { path: PathBuf::from(named), found, known: newest() }
}

/// A ledger that is only read, with its layout: the present one, or the one before it.
pub(super) fn recognise(server: Server, named: &str) -> Result<(Connection, i64), LedgerError> {
    let connection = Connection::to_server(server);
    let found = of(&connection, named)?;
    match found {
        0 => return Err(LedgerError::Missing(PathBuf::from(named))),
        found if found == newest() => {}
        // A login that may make no table for itself, and a standby, read the present layout alone.
        found if found + 1 == newest() => connection.execute_batch(LENT).map_err(|_| outdated(found, named))?,
        found => return Err(outdated(found, named)),
    }
    Ok((connection, found))
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
