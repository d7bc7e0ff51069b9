//! Opening a ledger on a server.

use std::path::Path;

use crate::ledger::db::Server;
use crate::ledger::error::LedgerError;
use crate::ledger::open::Ledger;
use crate::ledger::spool::Spool;

use super::layout;
use super::session::{Session, Station};

impl Ledger {
    /// Opens the ledger in the database that an address names, and makes it where there is none.
    ///
    /// `beside` is a place of this station's own: answers that the server cannot take wait in the spool there. Without a session
    /// nothing can be sent.
    pub fn open_server(address: &str, named: &str, beside: &Path) -> Result<Self, LedgerError> {
        let mut ledger = Self::of(layout::migrate(Server::connect(address)?, named)?);
        let spool = Spool::open(beside, ledger.identity()?).map_err(|error| LedgerError::of_spool(&error))?;
        ledger.spool = Some(spool);
        Ok(ledger)
    }

    /// Takes a session, as whoever books does: from here on this station may send, as long as its lease is renewed.
    pub fn begin_session(&mut self, address: &str, station: &Station) -> Result<(), LedgerError> {
        self.session = Some(Session::begin(&self.connection, address, station)?);
        Ok(())
    }

    /// Ends the session, where nothing of it is under way any more: nobody has to wait for its lease.
    pub fn end_session(&mut self) -> Result<(), LedgerError> {
        if self.under_way.is_empty()
            && let Some(session) = self.session.take()
        {
            session.end(&self.connection)?;
        }
        Ok(())
    }
}
