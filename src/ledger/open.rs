//! Opening a ledger: file, rights, settings, layout.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::error::LedgerError;

/// Marks the file as a ledger of this program: "shpL".
const APPLICATION_ID: i64 = 0x7368_704c;

/// One entry for each layout; a ledger is brought up from the first it lacks. Never changed once released.
const MIGRATIONS: &[&str] = &[include_str!("schema_1.sql")];

/// Statements that are kept prepared.
const STATEMENTS_CACHED: usize = 64;

/// The database that knows every order, attempt and answer.
#[derive(Debug)]
pub struct Ledger {
    pub(super) connection: Connection,
}

impl Ledger {
    /// Opens a ledger for writing; makes it, for its owner alone, where there is none.
    pub fn open(path: &Path) -> Result<Self, LedgerError> {
        make_private(path).map_err(|source| LedgerError::Unmakeable { path: path.to_owned(), source })?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(path, flags)?;
        check_ours(&connection, path)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        // An intent must survive a power cut: in WAL only FULL syncs every commit.
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        migrate(&mut connection, path)?;
        Ok(Self::with(connection))
    }

    /// Opens a ledger for reading, also while a run writes to it.
    pub fn open_read_only(path: &Path) -> Result<Self, LedgerError> {
        if !path.exists() {
            return Err(LedgerError::Missing(path.to_owned()));
        }
        // Readers of a WAL database write to its shared index, so the file is opened for both and then held back.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        check_ours(&connection, path)?;
        let found = layout(&connection)?;
        if found == 0 {
            return Err(LedgerError::Missing(path.to_owned()));
        }
        newer(found, path)?;
        connection.pragma_update(None, "query_only", true)?;
        Ok(Self::with(connection))
    }

    fn with(connection: Connection) -> Self {
        connection.set_prepared_statement_cache_capacity(STATEMENTS_CACHED);
        Self { connection }
    }
}

fn make_private(path: &Path) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(folder)?;
    }
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    // SQLite gives the files beside the database the database's own rights.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

/// Refuses what is no database, and a database that is not ours.
fn check_ours(connection: &Connection, path: &Path) -> Result<(), LedgerError> {
    let not_ours = || LedgerError::NotALedger(path.to_owned());
    let id: i64 =
        connection.pragma_query_value(None, "application_id", |row| row.get(0)).map_err(|error| {
            match error.sqlite_error_code() {
                Some(rusqlite::ErrorCode::NotADatabase) => not_ours(),
                _ => error.into(),
            }
        })?;
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).map_err(
        |error| match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::NotADatabase) => not_ours(),
            _ => error.into(),
        },
    )?;
    if id == APPLICATION_ID || (id == 0 && tables == 0) { Ok(()) } else { Err(not_ours()) }
}

fn layout(connection: &Connection) -> Result<i64, LedgerError> {
    Ok(connection.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

fn newer(found: i64, path: &Path) -> Result<(), LedgerError> {
    let known = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    if found > known {
        return Err(LedgerError::Newer { path: PathBuf::from(path), found, known });
    }
    Ok(())
}

fn migrate(connection: &mut Connection, path: &Path) -> Result<(), LedgerError> {
    newer(layout(connection)?, path)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Read again: another process may have migrated while this one waited.
    let found = layout(&transaction)?;
    for (number, migration) in (1_i64..).zip(MIGRATIONS) {
        if number > found {
            transaction.execute_batch(migration)?;
            transaction.pragma_update(None, "user_version", number)?;
        }
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    Ok(transaction.commit()?)
}
