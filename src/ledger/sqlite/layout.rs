//! The layouts of a ledger in a file: which one it has, and how it comes from one to the next.

use std::path::Path;

use crate::ledger::db::{Connection, Failure, Transaction, params};
use crate::ledger::error::LedgerError;
use crate::ledger::home::{self, Noting};

/// Marks the file as a ledger of this program: "shpL".
const APPLICATION_ID: i64 = 0x7368_704c;

/// One step for each layout; an upgrade goes on from the first that a ledger lacks. Never changed once released.
const STEPS: &[&str] = &[
    concat!(include_str!("schema_1.sql"), include_str!("schema_after.sql")),
    include_str!("schema_2.sql"),
    include_str!("schema_3.sql"),
    include_str!("schema_4.sql"),
    include_str!("schema_5.sql"),
    include_str!("schema_6.sql"),
    include_str!("schema_7.sql"),
    include_str!("schema_8.sql"),
    include_str!("schema_9.sql"),
    include_str!("schema_10.sql"),
    include_str!("schema_11.sql"),
    include_str!("schema_12.sql"),
    include_str!("schema_13.sql"),
    include_str!("schema_14.sql"),
    include_str!("schema_15.sql"),
    include_str!("schema_16.sql"),
    include_str!("schema_17.sql"),
    include_str!("schema_18.sql"),
    include_str!("schema_19.sql"),
    include_str!("schema_20.sql"),
];

/// The first layout in which a ledger can say that it went elsewhere.
const MOVES_SINCE: i64 = 8;

/// What the last step adds, empty and for this connection alone: so the layout before the present one is read by the same
/// statements, and nothing of it changes.
const LENT: &str = "PRAGMA temp_store = memory;
    CREATE TEMP TABLE withdrawals (decision_id INTEGER PRIMARY KEY, verdict TEXT NOT NULL, sheet BLOB) STRICT";

/// The present layout.
pub(in crate::ledger) fn newest() -> i64 {
    i64::try_from(STEPS.len()).unwrap_or(i64::MAX)
}

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
    let known = newest();
    match id {
        APPLICATION_ID if found > known => Err(LedgerError::Newer { path: path.to_owned(), found, known }),
        APPLICATION_ID if found > 0 => Ok(found),
        0 if tables == 0 && found == 0 => Ok(0),
        _ => Err(LedgerError::NotALedger(path.to_owned())),
    }
}

/// Refuses to write to an earlier layout.
pub(in crate::ledger) fn refuse_outdated(connection: &Connection, found: i64, path: &Path) -> Result<(), LedgerError> {
    if found == 0 || found == newest() {
        return Ok(());
    }
    refuse_moved(connection, found, path)?;
    Err(LedgerError::Outdated { path: path.to_owned(), found, known: newest() })
}

/// Has a connection read the present layout and the one before it; what is older is refused.
pub(in crate::ledger) fn prepare_to_read(connection: &Connection, found: i64, path: &Path) -> Result<(), LedgerError> {
    if found + 1 == newest() { Ok(connection.execute_batch(LENT)?) } else { refuse_outdated(connection, found, path) }
}

/// Refuses a ledger that says that it is elsewhere now, whatever its layout is.
pub(in crate::ledger) fn refuse_moved(connection: &Connection, found: i64, path: &Path) -> Result<(), LedgerError> {
    if found < MOVES_SINCE { Ok(()) } else { home::refuse_moved(connection, path) }
}

/// Makes a ledger of the present layout in an empty file, all or nothing. An earlier one is refused.
pub(in crate::ledger) fn make(connection: &mut Connection, path: &Path) -> Result<(), LedgerError> {
    if of(connection, path)? == newest() {
        return Ok(());
    }
    let transaction = connection.begin()?;
    // Asked again: another process may have made it while this one waited.
    let found = of(&transaction, path)?;
    refuse_outdated(&transaction, found, path)?;
    if found == 0 {
        upgrade(&transaction, found)?;
        transaction.file()?.pragma_update(None, "application_id", APPLICATION_ID)?;
    }
    Ok(transaction.commit()?)
}

/// Brings a ledger from a layout to the present one, within a transaction.
pub(in crate::ledger) fn upgrade(transaction: &Transaction<'_>, from: i64) -> Result<(), LedgerError> {
    for (number, step) in (1_i64..).zip(STEPS) {
        if number > from {
            transaction.execute_batch(step)?;
            transaction.file()?.pragma_update(None, "user_version", number)?;
        }
    }
    Ok(())
}

/// Marks a copy of this layout so that no program ever books with it: it says that the ledger is elsewhere, as one does that
/// was moved. Layouts that cannot say so are no ledger any more.
pub(in crate::ledger) fn give_up(
    copy: &Connection,
    layout: i64,
    (ledger, by): (&Path, Noting<'_>),
) -> Result<(), LedgerError> {
    if layout < MOVES_SINCE {
        return Ok(copy.file()?.pragma_update(None, "application_id", 0)?);
    }
    copy.execute(
        "INSERT INTO moves (at_ms, user, host, path) VALUES (?1, ?2, ?3, ?4)",
        params![by.at_ms, by.user, by.host, ledger.to_string_lossy()],
    )?;
    Ok(())
}

/// Makes a ledger of an earlier layout, as the program of that time did.
#[cfg(test)]
pub(in crate::ledger) fn make_old(connection: &mut Connection, layout: i64) -> Result<(), LedgerError> {
    let transaction = connection.begin()?;
    for (number, step) in (1_i64..=layout).zip(STEPS) {
        transaction.execute_batch(step)?;
        transaction.file()?.pragma_update(None, "user_version", number)?;
    }
    transaction.file()?.pragma_update(None, "application_id", APPLICATION_ID)?;
    Ok(transaction.commit()?)
}
