//! What is taken in beside a ledger keeps its orders back, so it is taken only where the ledger is, and while it stays there.

use crate::app::connect::App;
use crate::app::error::{Error, Result};
use crate::ledger::{DeskLock, Ledger, LedgerError};

impl App {
    /// Refuses a place that the ledger has left, or where it cannot be read: nobody who sends orders would look there.
    pub(in crate::app) fn is_ledger_here(&self) -> Result<()> {
        match self.read_ledger() {
            // There is none before the first booking; one that was here is known by its marks.
            Err(Error::Ledger(LedgerError::Missing(_))) => {
                Ok(Ledger::refuse_place(self.config.ledger(), &self.watch())?)
            }
            ledger => ledger.map(drop),
        }
    }

    /// Held while a sheet is put beside the ledger: meanwhile the ledger goes nowhere.
    ///
    /// # Errors
    /// The ledger went elsewhere or cannot be read; the lock cannot be made.
    pub fn take_in(&self) -> Result<DeskLock> {
        self.is_ledger_here()?;
        let cannot = Error::file(format!("cannot lock {}", self.desk_folder().display()));
        let lock = DeskLock::made_for(self.config.ledger()).map_err(cannot)?;
        self.is_ledger_here()?;
        Ok(lock)
    }
}
