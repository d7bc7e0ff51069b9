//! The layout of a ledger in a file: which one it has, how it is made, and how it comes from the layout before.

use std::path::Path;

use crate::ledger::db::{Connection, Failure, Transaction, params};
use crate::ledger::error::LedgerError;
use crate::ledger::guards;
use crate::ledger::home::{self, Noting};
use crate::ledger::tables::{LAYOUT, TABLES, carry_over, refuse_strange};

/// Marks the file as a ledger of this program: "shpL".
const APPLICATION_ID: i64 = 0x7368_704c;

/// The trigger that counts the orders of runs.
const TALLY: &str = include_str!("../../../templates/ledger/tally_of_file.sql");

/// The layout before this one: it is upgraded.
const BEFORE: i64 = 20;

/// The first layout in which a ledger can say that it went elsewhere.
const MOVES_SINCE: i64 = 8;

/// The layout of this ledger, 0 for an empty file. Refuses what is no database, is not ours, or is newer than we are.
pub(in crate::ledger) fn of(connection: &Connection, path: &Path) -> Result<i64, LedgerError> {
    let number = |sql: &str| {
        connection.query_row(sql, (), |row| row.get::<i64>(0)).map_err(|error| match error.failure() {
            Some(Failure::NotADatabase) => LedgerError::NotALedger(path.to_owned()),
            _ => error.into(),
        })
    };
    let id = number("PRAGMA application_id")?;
    let found = number("PRAGMA user_version")?;
    let tables = number("SELECT count(*) FROM sqlite_schema")?;
    match id {
        APPLICATION_ID if found > LAYOUT => Err(LedgerError::Newer { path: path.to_owned(), found, known: LAYOUT }),
        APPLICATION_ID if found > 0 => Ok(found),
        0 if tables == 0 && found == 0 => Ok(0),
        _ => Err(LedgerError::NotALedger(path.to_owned())),
    }
}

/// Refuses to write to an earlier layout.
pub(in crate::ledger) fn refuse_outdated(connection: &Connection, found: i64, path: &Path) -> Result<(), LedgerError> {
    if found == 0 || found == LAYOUT {
        return Ok(());
    }
    refuse_moved(connection, found, path)?;
    refuse_too_old(found, path)?;
    Err(LedgerError::Outdated { path: path.to_owned(), found, known: LAYOUT })
}

/// Refuses a layout that cannot be upgraded.
pub(in crate::ledger) fn refuse_too_old(found: i64, path: &Path) -> Result<(), LedgerError> {
    if found >= BEFORE { Ok(()) } else { Err(LedgerError::TooOld { path: path.to_owned(), found, oldest: BEFORE }) }
}

/// Refuses a ledger that says that it is elsewhere now, whatever its layout is.
pub(in crate::ledger) fn refuse_moved(connection: &Connection, found: i64, path: &Path) -> Result<(), LedgerError> {
    if found < MOVES_SINCE { Ok(()) } else { home::refuse_moved(connection, path) }
}

/// Makes a ledger in an empty file, all or nothing. One of an earlier layout is refused.
pub(in crate::ledger) fn make(connection: &mut Connection, path: &Path) -> Result<(), LedgerError> {
    if of(connection, path)? == LAYOUT {
        return Ok(());
    }
    let transaction = connection.begin()?;
    // Asked again: another process may have made it while this one waited.
    let found = of(&transaction, path)?;
    refuse_outdated(&transaction, found, path)?;
    if found == 0 {
        transaction.execute_batch(TABLES)?;
        transaction.execute_batch("INSERT INTO identity VALUES (1, lower(hex(randomblob(16))))")?;
        finish(&transaction)?;
        transaction.file()?.pragma_update(None, "application_id", APPLICATION_ID)?;
    }
    Ok(transaction.commit()?)
}

/// Adds guards and counts, once the tables are filled.
fn finish(transaction: &Transaction<'_>) -> Result<(), LedgerError> {
    transaction.execute_batch(TALLY)?;
    transaction.execute_batch(&guards::of_file())?;
    Ok(transaction.file()?.pragma_update(None, "user_version", LAYOUT)?)
}

/// Lets tables be changed that others point to; before the transaction of [`upgrade`].
pub(in crate::ledger) fn prepare_to_upgrade(connection: &Connection) -> Result<(), LedgerError> {
    Ok(connection.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON")?)
}

/// Brings a ledger from the layout before to the present one, within a transaction: new tables beside the old ones, into which every
/// row goes, each of which is compared with what it came from.
pub(in crate::ledger) fn upgrade(transaction: &Transaction<'_>, path: &Path) -> Result<(), LedgerError> {
    // Statistics of a planner are no table of ours, and can be gathered again.
    let names = |what: &str| -> Result<Vec<String>, LedgerError> {
        let sql =
            format!("SELECT name FROM sqlite_schema WHERE type = '{what}' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'");
        Ok(transaction.prepare(&sql)?.query_map((), |row| row.get(0))?.collect::<Result<_, _>>()?)
    };
    for what in ["trigger", "view", "index"] {
        for name in names(what)? {
            transaction.execute_batch(&format!("DROP {what} \"{name}\""))?;
        }
    }
    let old = names("table")?;
    for name in &old {
        transaction.execute_batch(&format!("ALTER TABLE \"{name}\" RENAME TO \"before_{name}\""))?;
    }
    transaction.execute_batch(TABLES)?;
    let mut known = names("table")?;
    known.retain(|name| !name.starts_with("before_"));
    refuse_strange(&old, &known, path)?;
    carry_over(transaction, ("before_", path), &known)?;
    for name in &old {
        transaction.execute_batch(&format!("DROP TABLE before_{name}"))?;
    }
    finish(transaction)
}

/// Marks a copy of this layout so that no program ever books with it: it says that the ledger is elsewhere, as one does that was
/// moved.
pub(in crate::ledger) fn give_up(copy: &Connection, (ledger, by): (&Path, Noting<'_>)) -> Result<(), LedgerError> {
    copy.execute(
        "INSERT INTO moves (at_ms, user, host, path) VALUES (?1, ?2, ?3, ?4)",
        params![by.at_ms, by.user, by.host, ledger.to_string_lossy()],
    )?;
    Ok(())
}
