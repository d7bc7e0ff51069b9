//! What a run that was killed left behind, told without writing.

use std::fs::{File, TryLockError};
use std::path::Path;

use super::error::LedgerError;
use super::open::Ledger;
use super::place;
use super::record::RunId;

impl Ledger {
    /// Orders of a run whose attempt is open: on the way while a run goes on, in doubt if none does.
    pub fn open_attempts(&self, run: RunId) -> Result<u64, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT count(*) FROM attempts a INDEXED BY attempts_open CROSS JOIN run_orders r ON r.order_id = a.order_id
             WHERE a.answered_ms IS NULL AND r.run_id = ?1",
        )?;
        Ok(statement.query_row([run.0], |row| row.get(0))?)
    }
}

/// Whether some process may be writing to a ledger just now. Where nobody can tell, it may.
#[must_use]
pub fn is_locked(ledger: &Path) -> bool {
    let Ok(path) = place::resolve(ledger) else { return true };
    match File::open(place::beside(&path, ".lock")) {
        Ok(file) => match file.try_lock_shared() {
            Ok(()) => {
                let _ = file.unlock();
                false
            }
            Err(TryLockError::WouldBlock | TryLockError::Error(_)) => true,
        },
        Err(error) => error.kind() != std::io::ErrorKind::NotFound,
    }
}
