//! Opening a ledger on a server.

use std::path::Path;

use crate::ledger::db::Server;
use crate::ledger::error::LedgerError;
use crate::ledger::open::Ledger;
use crate::ledger::spool::Spool;

use super::layout;

impl Ledger {
    /// Opens the ledger in the database that an address names, and makes it where there is none.
    ///
    /// `beside` is a place of this station's own: answers that the server cannot take wait in the spool there. Nothing keeps
    /// two stations from sending one order yet: for tests only.
    #[cfg_attr(not(test), expect(dead_code, reason = "no command opens it before stations have sessions"))]
    pub(in crate::ledger) fn open_server(address: &str, named: &str, beside: &Path) -> Result<Self, LedgerError> {
        let mut ledger = Self::of(layout::migrate(Server::connect(address)?, named)?);
        let spool = Spool::open(beside, ledger.identity()?).map_err(|error| LedgerError::of_spool(&error))?;
        ledger.spool = Some(spool);
        Ok(ledger)
    }
}
