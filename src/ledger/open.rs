//! Opening a ledger: file, rights, settings.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use super::error::LedgerError;
use super::layout;
use super::place;

/// Statements that are kept prepared.
const STATEMENTS_CACHED: usize = 64;

/// How long a write waits for another program's.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// Pages after which a commit copies the log into the file; about 16 MiB.
const CHECKPOINT_PAGES: i64 = 4_000;

/// Memory for pages, in KiB.
const CACHE_KIB: i64 = 16 * 1024;

/// The database that knows every order, attempt and answer.
#[derive(Debug)]
pub struct Ledger {
    pub(super) connection: Connection,
}

impl Ledger {
    /// Opens a ledger for writing; makes it, for its owner alone, where there is none.
    ///
    /// Whoever writes holds a [`super::RunLock`] first.
    pub fn open(path: &Path) -> Result<Self, LedgerError> {
        let unmakeable = |source| LedgerError::Unmakeable { path: path.to_owned(), source };
        let path = &place::resolve(path).map_err(unmakeable)?;
        place::create_private(path).map_err(unmakeable)?;
        place::refuse_hard_links(path)?;
        let mut connection = connect(path)?;
        layout::recognise(&connection, path)?;
        place::narrow(path).map_err(unmakeable)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        // An intent must survive a power cut: in WAL only FULL syncs every commit.
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
        connection.pragma_update_and_check(None, "wal_autocheckpoint", CHECKPOINT_PAGES, |_| Ok(()))?;
        // Undo logs of single statements; on disk they cost more than the statements.
        connection.pragma_update(None, "temp_store", "memory")?;
        layout::migrate(&mut connection, path)?;
        Ok(Self { connection })
    }

    /// Opens a ledger for reading, also while a run writes to it.
    pub fn open_read_only(path: &Path) -> Result<Self, LedgerError> {
        if !path.exists() {
            return Err(LedgerError::Missing(path.to_owned()));
        }
        let path = &place::resolve(path).map_err(|source| LedgerError::Unmakeable { path: path.to_owned(), source })?;
        place::refuse_hard_links(path)?;
        let connection = connect(path)?;
        if layout::recognise(&connection, path)? == 0 {
            return Err(LedgerError::Missing(path.to_owned()));
        }
        // Readers of a WAL database write to its shared index, so the file is opened for both and then held back.
        connection.pragma_update(None, "query_only", true)?;
        Ok(Self { connection })
    }

    /// A transaction that takes the write lock at once, so that it cannot fail for it half-way.
    pub(super) fn begin(&mut self) -> Result<Transaction<'_>, LedgerError> {
        Ok(self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?)
    }
}

fn connect(path: &Path) -> Result<Connection, LedgerError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_CACHED);
    Ok(connection)
}
