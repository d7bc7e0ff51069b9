//! Connections to the file, and how they are set.

use std::path::Path;
use std::time::Duration;

use rusqlite::OpenFlags;
use rusqlite::config::DbConfig;

use crate::ledger::db::{self, Connection, Result};
use crate::ledger::error::LedgerError;

/// Statements that are kept prepared.
const STATEMENTS_CACHED: usize = 64;

/// How long a write waits for another program's.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// Pages after which a commit copies the log into the file; about 16 MiB.
const CHECKPOINT_PAGES: i64 = 4_000;

/// Memory for pages, in KiB. Orders come in one order; but AWBs and rows that are known by what stands in them are looked for all
/// over an index, whose inner pages have room here in a ledger of years.
const CACHE_KIB: i64 = 32 * 1024;

/// A connection to a ledger that is there, set for as long as a command runs.
pub(in crate::ledger) fn connect(path: &Path) -> Result<Connection> {
    let connection = connect_to(path)?;
    wait_at_most(&connection, BUSY_TIMEOUT)?;
    connection.file()?.set_prepared_statement_cache_capacity(STATEMENTS_CACHED);
    Ok(connection)
}

/// A connection to a file that is there.
pub(in crate::ledger) fn connect_to(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Ok(Connection::to_file(rusqlite::Connection::open_with_flags(path, flags)?))
}

/// Lets a write wait no longer than this for another program's.
pub(in crate::ledger) fn wait_at_most(connection: &Connection, time: Duration) -> Result<()> {
    Ok(connection.file()?.busy_timeout(time)?)
}

/// Sets what a command that writes needs.
pub(in crate::ledger) fn prepare_to_write(connection: &Connection) -> Result<()> {
    let file = connection.file()?;
    file.pragma_update(None, "journal_mode", "WAL")?;
    // An intent must survive a power cut: in WAL only FULL syncs every commit.
    file.pragma_update(None, "synchronous", "FULL")?;
    file.pragma_update(None, "foreign_keys", true)?;
    keep_plans(connection)?;
    file.pragma_update(None, "cache_size", -CACHE_KIB)?;
    file.pragma_update_and_check(None, "wal_autocheckpoint", CHECKPOINT_PAGES, |_| Ok(()))?;
    // Undo logs of single statements; on disk they cost more than the statements.
    Ok(file.pragma_update(None, "temp_store", "memory")?)
}

/// Partial indexes make the planner look at bound values; without this it plans each statement anew every time.
pub(in crate::ledger) fn keep_plans(connection: &Connection) -> Result<()> {
    connection.file()?.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(())
}

/// Keeps a reader from writing. Readers of a WAL database write to its shared index, so its file is opened for both.
pub(in crate::ledger) fn hold_back(connection: &Connection) -> Result<()> {
    Ok(connection.file()?.pragma_update(None, "query_only", true)?)
}

impl From<rusqlite::Error> for LedgerError {
    fn from(error: rusqlite::Error) -> Self {
        db::Error::from(error).into()
    }
}
