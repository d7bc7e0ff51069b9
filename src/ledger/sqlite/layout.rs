//! The ledger's layouts, and how a file is recognised as a ledger.

use std::path::Path;

use crate::ledger::db::{Connection, Failure};
use crate::ledger::error::LedgerError;

/// Marks the file as a ledger of this program: "shpL".
const APPLICATION_ID: i64 = 0x7368_704c;

/// One entry for each layout; a ledger is brought up from the first it lacks. Never changed once released.
const MIGRATIONS: &[&str] = &[
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

/// The layout of a ledger, 0 for an empty file. Refuses what is no database, is not ours, or is newer than we are.
pub(in crate::ledger) fn recognise(connection: &Connection, path: &Path) -> Result<i64, LedgerError> {
    let number = |sql: &str| {
        connection.query_row(sql, (), |row| row.get::<i64>(0)).map_err(|error| match error.failure() {
            Some(Failure::NotADatabase) => LedgerError::NotALedger(path.to_owned()),
            _ => error.into(),
        })
    };
    let id = number("PRAGMA application_id")?;
    let found = number("PRAGMA user_version")?;
    let tables = number("SELECT count(*) FROM sqlite_schema")?;
    let known = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    match id {
        APPLICATION_ID if found > known => Err(LedgerError::Newer { path: path.to_owned(), found, known }),
        APPLICATION_ID => Ok(found),
        0 if tables == 0 && found == 0 => Ok(0),
        _ => Err(LedgerError::NotALedger(path.to_owned())),
    }
}

/// Refuses to read what an older program made: only whoever writes may bring it up.
pub(in crate::ledger) fn refuse_outdated(found: i64, path: &Path) -> Result<(), LedgerError> {
    let newest = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    if found == newest { Ok(()) } else { Err(LedgerError::Outdated(path.to_owned())) }
}

/// Brings a file to the newest layout, all or nothing.
pub(in crate::ledger) fn migrate(connection: &mut Connection, path: &Path) -> Result<(), LedgerError> {
    let newest = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    if recognise(connection, path)? == newest {
        return Ok(());
    }
    let transaction = connection.begin()?;
    // Asked again: another process may have migrated while this one waited.
    let found = recognise(&transaction, path)?;
    for (number, migration) in (1_i64..).zip(MIGRATIONS) {
        if number > found {
            transaction.execute_batch(migration)?;
            transaction.file()?.pragma_update(None, "user_version", number)?;
        }
    }
    transaction.file()?.pragma_update(None, "application_id", APPLICATION_ID)?;
    Ok(transaction.commit()?)
}
