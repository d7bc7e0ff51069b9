//! What stays at a ledger's old place after its file was renamed: a small ledger that only says where the real one is.
//!
//! Without it, a command that still names the old place would make a new ledger there and book every order again. The
//! marks prevent that only for those who share the state folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::db::params;
use super::error::LedgerError;
use super::home::Noting;
use super::place;
use super::sqlite::{self, layout};

/// Writes a fence for a ledger that goes from one place to another; on the disk, but not in place yet.
pub(super) fn prepare(from: &Path, to: &Path, by: Noting<'_>) -> Result<PathBuf, LedgerError> {
    let path = place::beside(from, ".fence");
    let unmakeable = |source| LedgerError::Unmakeable { path: path.clone(), source };
    // One that an interrupted command left.
    let _ = fs::remove_file(&path);
    place::create_private(&path).map_err(unmakeable)?;
    let mut connection = sqlite::connect_to(&path)?;
    layout::make(&mut connection, &path)?;
    connection.execute(
        "INSERT INTO moves (at_ms, user, host, path) VALUES (?1, ?2, ?3, ?4)",
        params![by.at_ms, by.user, by.host, to.to_string_lossy()],
    )?;
    drop(connection);
    place::sync_file(&path).map_err(unmakeable)?;
    Ok(path)
}

/// Puts a prepared fence in the old place, from which the ledger has gone.
pub(super) fn put(fence: &Path, from: &Path) -> Result<(), LedgerError> {
    let unmakeable = |source| LedgerError::Unmakeable { path: from.to_owned(), source };
    if place::is_there(from) {
        let _ = fs::remove_file(fence);
        let why = "another file was made there meanwhile: move that file away, then move the ledger once more";
        return Err(unmakeable(io::Error::new(io::ErrorKind::AlreadyExists, why)));
    }
    fs::rename(fence, from).map_err(unmakeable)
}

/// Whether a file is a fence that names this place, and holds nothing else.
pub(super) fn names(path: &Path, named: &Path) -> bool {
    let asked = || -> Result<bool, LedgerError> {
        let connection = sqlite::connect_to(path)?;
        layout::of(&connection, path)?;
        // The old file of a ledger that was copied has a home: it is not empty, and stays.
        let is_fence = connection.query_row(
            "SELECT (SELECT path FROM moves ORDER BY id DESC LIMIT 1) IS ?1
                AND NOT EXISTS (SELECT 1 FROM homes) AND NOT EXISTS (SELECT 1 FROM orders)
                AND NOT EXISTS (SELECT 1 FROM runs) AND NOT EXISTS (SELECT 1 FROM evidence)",
            [named.to_string_lossy()],
            |row| row.get(0),
        )?;
        Ok(is_fence)
    };
    path.symlink_metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0)
        && asked().is_ok_and(|is_fence| is_fence)
}
