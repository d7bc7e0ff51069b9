//! What is done with a file as a whole: looked through, copied, written anew, taken for oneself.

use std::path::Path;

use rusqlite::Connection as File;
use rusqlite::backup::Backup;

use crate::ledger::db::{Connection, Result};
use crate::ledger::error::LedgerError;

/// Looks through the file's own structure, quickly.
pub(in crate::ledger) fn look_through(connection: &Connection) -> std::result::Result<(), LedgerError> {
    let said: String = connection.query_row("PRAGMA quick_check(1)", (), |row| row.get(0))?;
    if said == "ok" { Ok(()) } else { Err(LedgerError::Damaged(said)) }
}

/// What is wrong with the file's own structure, in words.
pub(in crate::ledger) fn structure(connection: &Connection) -> Result<Vec<String>> {
    let mut faults: Vec<String> =
        connection.prepare("PRAGMA integrity_check(20)")?.query_map((), |row| row.get(0))?.collect::<Result<_>>()?;
    faults.retain(|fault| fault != "ok");
    let mut statement = connection.prepare("PRAGMA foreign_key_check")?;
    let mut rows = statement.query(())?;
    if let Some(row) = rows.next()? {
        faults.push(format!("table {} points to what is not there", row.get::<String>(0)?));
    }
    Ok(faults)
}

/// Copies everything into a file that is there and empty, and looks through the copy.
pub(in crate::ledger) fn copy(connection: &Connection, to: &Path) -> std::result::Result<(), LedgerError> {
    let file = connection.file()?;
    let copied = || -> rusqlite::Result<File> {
        let mut copy = File::open(to)?;
        // All pages in one step: a copy in several would begin anew with every commit of a run.
        Backup::new(file, &mut copy)?.step(-1)?;
        copy.pragma_update(None, "journal_mode", "DELETE")?;
        Ok(copy)
    };
    look_through(&Connection::to_file(copied()?))
}

/// Takes the file for this connection alone, without a log beside it, until it is closed.
pub(in crate::ledger) fn alone(connection: &Connection) -> std::result::Result<(), LedgerError> {
    let file = connection.file()?;
    let set = |name: &str, value: &str| file.pragma_update_and_check(None, name, value, |row| row.get::<_, String>(0));
    // Fails while anybody else has the ledger open, also to read.
    set("journal_mode", "DELETE")?;
    set("locking_mode", "EXCLUSIVE")?;
    connection.execute_batch("BEGIN EXCLUSIVE; COMMIT")?;
    let mode: String = connection.query_row("PRAGMA journal_mode", (), |row| row.get(0))?;
    // Somebody opened it between the two.
    if mode == "delete" { Ok(()) } else { Err(LedgerError::Busy) }
}

/// Copies the log into the file. A copy of the file alone must know which ledger it is of and where that lives: without its
/// log a ledger that is just being used for the first time looks like an empty one, which would book everything again.
pub(in crate::ledger) fn write_back(connection: &Connection) -> std::result::Result<(), LedgerError> {
    let busy: i64 = connection.query_row("PRAGMA wal_checkpoint(FULL)", (), |row| row.get(0))?;
    if busy == 0 { Ok(()) } else { Err(LedgerError::Busy) }
}

/// Writes the whole file anew and empties its log. Gives whether somebody who reads keeps the log from that.
pub(in crate::ledger) fn write_anew(connection: &Connection) -> Result<bool> {
    // Beside the ledger and not in memory: it may be larger than that.
    connection.file()?.pragma_update(None, "temp_store", "file")?;
    let written = connection.execute_batch("VACUUM");
    connection.file()?.pragma_update(None, "temp_store", "memory")?;
    written?;
    let busy: i64 = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |row| row.get(0))?;
    Ok(busy != 0)
}
