//! Opening a ledger: file, rights, settings.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use super::error::LedgerError;
use super::layout;
use super::mark::{self, Mark};
use super::network;
use super::place;
use super::record::OrderId;
use super::sealed;
use super::spool::Spool;

/// Statements that are kept prepared.
const STATEMENTS_CACHED: usize = 64;

/// How long a write waits for another program's.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// Pages after which a commit copies the log into the file; about 16 MiB.
const CHECKPOINT_PAGES: i64 = 4_000;

/// Memory for pages, in KiB. More of it makes neither staging nor booking quicker: orders come in one order.
const CACHE_KIB: i64 = 4 * 1024;

/// Bytes of a ledger that is looked through before every booking; a larger one only after a run that did not end.
const CHECKED_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// The database that knows every order, attempt and answer.
#[derive(Debug)]
pub struct Ledger {
    pub(super) connection: Connection,
    /// Where answers go that the database does not take; only writers have it.
    pub(super) spool: Option<Spool>,
    pub(super) mark: Option<Mark>,
    /// Orders that this process is sending, with the number of the attempt.
    pub(super) under_way: HashMap<OrderId, u32>,
}

/// How a ledger is watched over from outside.
#[derive(Debug, Clone)]
pub struct Watch {
    /// A folder of the user's for high-water marks, where there is one; not the ledger's own, which a backup would
    /// bring back with it.
    pub marks: Option<PathBuf>,
    /// Whether it may lie on a network file system or in a synchronised folder.
    pub allow_network: bool,
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
        // Partial indexes make the planner look at bound values; without this it plans each statement anew every time.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
        connection.pragma_update_and_check(None, "wal_autocheckpoint", CHECKPOINT_PAGES, |_| Ok(()))?;
        // Undo logs of single statements; on disk they cost more than the statements.
        connection.pragma_update(None, "temp_store", "memory")?;
        layout::migrate(&mut connection, path)?;
        let identity = connection.query_row("SELECT id FROM identity", [], |row| row.get(0))?;
        let spool = Spool::open(path, identity).map_err(|error| LedgerError::of_spool(&error))?;
        Ok(Self { connection, spool: Some(spool), mark: None, under_way: HashMap::new() })
    }

    /// Opens a ledger for booking: refuses a place that is not safe, a ledger that is gone, older than it was, another
    /// one, or damaged. From here on its high-water mark is kept.
    pub fn open_watched(path: &Path, watch: &Watch) -> Result<Self, LedgerError> {
        let unmakeable = |source| LedgerError::Unmakeable { path: path.to_owned(), source };
        let path = &place::resolve(path).map_err(unmakeable)?;
        if !watch.allow_network {
            network::refuse(path)?;
        }
        let noted = watch.marks.as_ref().and_then(|marks| mark::noted(marks, path));
        mark::refuse_missing(noted.as_ref(), path)?;
        let mut ledger = Self::open(path)?;
        mark::refuse_older(noted.as_ref(), &ledger.connection, path)?;
        ledger.look_through(path)?;
        ledger.mark = watch.marks.as_ref().map(|marks| Mark::open(marks, path, &ledger.connection)).transpose()?;
        Ok(ledger)
    }

    /// Notes outside how far the ledger is.
    pub(super) fn raise_mark(&mut self) {
        if let Some(mark) = &mut self.mark {
            mark.raise(&self.connection);
        }
    }

    fn look_through(&self, path: &Path) -> Result<(), LedgerError> {
        let ended: bool = self.connection.query_row(
            "SELECT NOT EXISTS (SELECT 1 FROM runs WHERE id = (SELECT max(id) FROM runs) AND finished_ms IS NULL)",
            [],
            |row| row.get(0),
        )?;
        let large = std::fs::metadata(path).is_ok_and(|metadata| metadata.len() > CHECKED_BYTES_MAX);
        if large && ended {
            return Ok(());
        }
        let said: String = self.connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
        if said == "ok" { Ok(()) } else { Err(LedgerError::Damaged(said)) }
    }

    /// Opens a ledger for reading, also while a run writes to it.
    pub fn open_read_only(path: &Path) -> Result<Self, LedgerError> {
        if !path.exists() {
            return Err(LedgerError::Missing(path.to_owned()));
        }
        let path = &place::resolve(path).map_err(|source| LedgerError::Unmakeable { path: path.to_owned(), source })?;
        place::refuse_hard_links(path)?;
        let recognised = |connection: Connection| layout::recognise(&connection, path).map(|found| (connection, found));
        let (connection, found) = match connect(path).and_then(recognised) {
            Err(LedgerError::Io(_) | LedgerError::ReadOnly) if sealed::is_sealed(path) => {
                sealed::connect(path).and_then(recognised)?
            }
            opened => opened?,
        };
        if found == 0 {
            return Err(LedgerError::Missing(path.to_owned()));
        }
        layout::refuse_outdated(found, path)?;
        // Readers of a WAL database write to its shared index, so the file is opened for both and then held back.
        connection.pragma_update(None, "query_only", true)?;
        Ok(Self { connection, spool: None, mark: None, under_way: HashMap::new() })
    }

    /// Lets a write wait no longer than this for another program's.
    pub fn wait_at_most(&self, time: Duration) -> Result<(), LedgerError> {
        Ok(self.connection.busy_timeout(time)?)
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
