//! The layout of a ledger on a server: which one it has, how it is made, and how it comes from the layout before.

use std::path::{Path, PathBuf};

use crate::ledger::db::{Address, Connection, OptionalExtension, Server, Transaction, definition};
use crate::ledger::error::LedgerError;
use crate::ledger::guards;
use crate::ledger::tables::{LAYOUT, TABLES, carry_over, refuse_strange};

/// Functions for the tables, stations, the functions of a turn, and the counts of runs.
const WORDS: &str = include_str!("../../../templates/ledger/server_words.sql");
const SERVER: &str = include_str!("../../../templates/ledger/server.sql");
const TURNS: &str = include_str!("../../../templates/ledger/turns.sql");
const TALLY: &str = include_str!("../../../templates/ledger/tally_of_server.sql");

/// The layout before this one: it is upgraded.
const BEFORE: i64 = 9;

/// Only one station at a time makes a ledger or upgrades it; this lock is no other one's.
const BEGIN: &str = "BEGIN; SELECT pg_advisory_xact_lock(7566701); CREATE SCHEMA IF NOT EXISTS shipsheet;
    CREATE TABLE IF NOT EXISTS shipsheet.layouts (number bigint PRIMARY KEY, since timestamptz NOT NULL DEFAULT now())";

/// The schema in which the old tables stand while their rows are carried over.
const ASIDE: &str = "ALTER SCHEMA shipsheet RENAME TO shipsheet_before; CREATE SCHEMA shipsheet;
    CREATE TABLE layouts (number bigint PRIMARY KEY, since timestamptz NOT NULL DEFAULT now())";

/// The layout of this ledger, 0 where there is none. Refuses one that is newer than we are; `named` is what errors call it.
pub(super) fn of(connection: &Connection, named: &str) -> Result<i64, LedgerError> {
    let found = if is_there(connection)? { found(connection)? } else { 0 };
    if found > LAYOUT {
        return Err(LedgerError::Newer { path: PathBuf::from(named), found, known: LAYOUT });
    }
    Ok(found)
}

/// A ledger that is written to: it has the present layout, and is made where there is none. An earlier one is refused.
pub(super) fn make(server: Server, named: &str) -> Result<Connection, LedgerError> {
    let connection = Connection::to_server(server);
    match of(&connection, named)? {
        0 => begin(connection, named).map_err(owners),
        LAYOUT => Ok(connection),
        found => Err(outdated(found, named)),
    }
}

fn begin(connection: Connection, named: &str) -> Result<Connection, LedgerError> {
    let transaction = connection.begin_with(BEGIN)?;
    // Asked behind the lock: another station may have made it while this one waited.
    match of(&transaction, named)? {
        0 => {
            make_tables(&transaction)?;
            transaction.execute_batch("INSERT INTO identity VALUES (1, replace(gen_random_uuid()::text, '-', ''))")?;
            finish(&transaction)?;
        }
        LAYOUT => {}
        found => return Err(outdated(found, named)),
    }
    transaction.commit()?;
    Ok(connection)
}

/// In the server's own words.
fn batch(transaction: &Transaction<'_>, sql: &str) -> Result<(), LedgerError> {
    Ok(transaction.server().map_or(Ok(()), |server| server.batch(sql))?)
}

fn make_tables(transaction: &Transaction<'_>) -> Result<(), LedgerError> {
    batch(transaction, WORDS)?;
    batch(transaction, &definition(TABLES))?;
    batch(transaction, SERVER)
}

/// Adds guards and functions, once the tables are filled.
fn finish(transaction: &Transaction<'_>) -> Result<(), LedgerError> {
    batch(transaction, &guards::of_server())?;
    batch(transaction, TALLY)?;
    batch(transaction, TURNS)?;
    transaction.execute("INSERT INTO layouts (number) VALUES (?1)", [LAYOUT])?;
    Ok(())
}

/// Finds obstacles to an upgrade: a view in another schema, which would be dropped with the tables it uses, or a schema that has the name
/// which the old tables get.
const IN_THE_WAY: &str = "SELECT 'the schema shipsheet_before' FROM pg_namespace WHERE nspname = 'shipsheet_before'
    UNION ALL SELECT DISTINCT 'the view ' || v.oid::regclass::text FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid
        JOIN pg_class v ON v.oid = r.ev_class JOIN pg_class t ON t.oid = d.refobjid
    WHERE d.classid = 'pg_rewrite'::regclass AND t.relnamespace = 'shipsheet'::regnamespace
        AND v.relnamespace <> 'shipsheet'::regnamespace LIMIT 1";

/// Brings a ledger from the layout before to the present one, within a transaction: new tables beside the old ones, into which every
/// row goes, each of which is compared with what it came from.
pub(super) fn upgrade(transaction: &Transaction<'_>, named: &str) -> Result<(), LedgerError> {
    // Also where the administrator runs it, all of it stays its owner's.
    let owner = "SELECT nspowner::regrole::text FROM pg_namespace WHERE nspname = 'shipsheet'";
    let owner: String = transaction.query_row(owner, (), |row| row.get(0))?;
    batch(transaction, &format!("SET LOCAL ROLE {owner}"))?;
    let in_the_way: Option<String> = transaction.query_row(IN_THE_WAY, (), |row| row.get(0)).optional()?;
    if let Some(what) = in_the_way {
        let faults = format!("{what} is in the way, drop it first");
        return Err(LedgerError::Unsound { path: PathBuf::from(named), faults });
    }
    let old = tables(transaction)?;
    // Events and filed sheets are noted without a session.
    batch(transaction, &format!("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE", old.join(", ")))?;
    batch(transaction, ASIDE)?;
    make_tables(transaction)?;
    let tables = tables(transaction)?;
    refuse_strange(&old, &tables, Path::new(named))?;
    guarded(transaction, &tables, "DISABLE")?;
    carry_over(transaction, ("shipsheet_before.", Path::new(named)), &tables)?;
    // Whatever waits to be looked at is looked at now: a table whose guards are changed may wait for nothing.
    batch(transaction, "SET CONSTRAINTS ALL IMMEDIATE")?;
    guarded(transaction, &tables, "ENABLE")?;
    finish(transaction)?;
    count_on(transaction)?;
    batch(transaction, "DROP SCHEMA shipsheet_before CASCADE")
}

/// The tables of a ledger, each behind those that it points to: attempts got their stations later.
pub(in crate::ledger) fn tables(server: &Connection) -> Result<Vec<String>, LedgerError> {
    let sql = "SELECT relname::text FROM pg_class
        WHERE relnamespace = 'shipsheet'::regnamespace AND relkind = 'r' AND relname <> 'layouts'
        ORDER BY relname <> 'stations', oid";
    Ok(server.prepare(sql)?.query_map((), |row| row.get(0))?.collect::<Result<_, _>>()?)
}

/// Takes the guards off tables while rows are put into them that were written elsewhere (`DISABLE`), or puts them on again (`ENABLE`).
pub(in crate::ledger) fn guarded(server: &Connection, tables: &[String], how: &str) -> Result<(), LedgerError> {
    tables.iter().try_for_each(|name| Ok(server.execute_batch(&format!("ALTER TABLE {name} {how} TRIGGER USER"))?))
}

/// Has the numbers of rows go on behind those that came.
pub(in crate::ledger) fn count_on(server: &Connection) -> Result<(), LedgerError> {
    let counted = "SELECT table_name::text, column_name::text FROM information_schema.columns
        WHERE table_schema = 'shipsheet' AND is_identity = 'YES' ORDER BY 1";
    let counted: Vec<(String, String)> =
        server.prepare(counted)?.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
    for (table, column) in counted {
        server.execute_batch(&format!(
            "SELECT setval(pg_get_serial_sequence('shipsheet.{table}', '{column}'), coalesce(max({column}), 0) + 1, false)
             FROM {table}"
        ))?;
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
    let outdated = LedgerError::Outdated { path: PathBuf::from(named), found, known: LAYOUT };
    refuse_too_old(found, named).err().unwrap_or(outdated)
}

/// Refuses a layout that cannot be upgraded.
pub(super) fn refuse_too_old(found: i64, named: &str) -> Result<(), LedgerError> {
    if found >= BEFORE {
        return Ok(());
    }
    Err(LedgerError::TooOld { path: PathBuf::from(named), found, oldest: BEFORE })
}

/// A ledger that is only read.
pub(super) fn recognise(server: Server, named: &str) -> Result<Connection, LedgerError> {
    let connection = Connection::to_server(server);
    match of(&connection, named)? {
        0 => Err(LedgerError::Missing(PathBuf::from(named))),
        LAYOUT => Ok(connection),
        found => Err(outdated(found, named)),
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
