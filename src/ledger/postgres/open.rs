//! Opening a ledger on a server.

use std::io::{Read, Seek, Write};
use std::path::Path;

use crate::ledger::db::{Address, Server};
use crate::ledger::error::LedgerError;
use crate::ledger::home::{Home, Standing};
use crate::ledger::open::{Ledger, Watch};
use crate::ledger::spool::Spool;
use crate::ledger::{mark, place};

use super::arrive::refuse_unfinished;
use super::layout;
use super::session::{Session, Station};

/// A connection that is to change nothing.
const READS: &str = "SET default_transaction_read_only = on";

impl Ledger {
    /// Opens the ledger in the database that an address names, and makes it where there is none.
    ///
    /// `beside` is a place of this station's own: answers that the server cannot take wait in the spool there. Without a session
    /// nothing can be sent.
    pub(in crate::ledger) fn open_server(address: &Address, beside: &Path) -> Result<Self, LedgerError> {
        let mut ledger = Self::of(layout::make(Server::connect(address)?, address.shown())?);
        refuse_unfinished(&ledger.connection, address)?;
        let spool = Spool::open(beside, ledger.identity()?).map_err(|error| LedgerError::of_spool(&error))?;
        ledger.spool = Some(spool);
        Ok(ledger)
    }

    /// Opens it to be read, also while others write.
    pub(in crate::ledger) fn read_server(address: &Address) -> Result<Self, LedgerError> {
        let connection = layout::recognise(Server::connect(address)?, address.shown())?;
        connection.execute_batch(READS)?;
        refuse_unfinished(&connection, address)?;
        Ok(Self::of(connection))
    }

    /// Opens it with a session of its own, by whoever holds the lock of this station.
    pub(in crate::ledger) fn open_station(
        address: &Address,
        beside: &Path,
        watch: &Watch,
    ) -> Result<Self, LedgerError> {
        let mut ledger = Self::open_server(address, beside)?;
        ledger.begin_session(address, &this_station(beside, watch)?)?;
        Ok(ledger)
    }

    /// The same for booking: refuses a database that is another one than it was, or that knows less. From here on this
    /// station's memory of it is kept.
    pub(in crate::ledger) fn open_station_watched(
        address: &Address,
        beside: &Path,
        watch: &Watch,
    ) -> Result<Self, LedgerError> {
        if let Some(noted) = watch.marks.as_ref().and_then(|marks| mark::noted(marks, beside))
            && noted.attempts() > 0
            && layout::is_empty(Server::connect(address)?)?
        {
            let path = address.shown().into();
            return Err(LedgerError::Gone { path, attempts: noted.attempts(), now_at: None });
        }
        let mut ledger = Self::open_server(address, beside)?;
        let here = Home::of_database(&ledger.connection)?;
        let found = ledger.take_mark(beside, watch)?;
        ledger.accepted = ledger.refuse_unfit(Path::new(address.shown()), &here, &found)?;
        if ledger.standing(&here)? == Standing::ToBeNoted {
            here.note(&ledger.connection, watch.noting(), None, None)?;
        }
        ledger.begin_session(address, &this_station(beside, watch)?)?;
        ledger.keep_marks();
        Ok(ledger)
    }

    /// Takes a session, as whoever books does: from here on this station may send, as long as its lease is renewed.
    pub(in crate::ledger) fn begin_session(&mut self, address: &Address, station: &Station) -> Result<(), LedgerError> {
        self.session = Some(Session::begin(&self.connection, address, station)?);
        Ok(())
    }

    /// Ends the session, where nothing of it is under way any more: nobody has to wait for its lease.
    #[cfg(test)]
    #[cfg(unix)]
    pub(in crate::ledger) fn end_session(&mut self) {
        drop(self.session.take());
    }
}

/// No such file is longer.
const BYTES_MAX: u64 = 4 * 1024;

/// The station whose files lie beside this path. A copy of them, on another machine or in another folder, is another station.
fn this_station(beside: &Path, watch: &Watch) -> Result<Station, LedgerError> {
    let path = place::beside(beside, ".station");
    let cannot = |source| LedgerError::Unmakeable { path: path.clone(), source };
    let mut file = place::open_own(&path).map_err(cannot)?;
    let whose = Home::of(&path, &watch.host).map_err(cannot)?.mark();
    let mut text = String::new();
    (&mut file).take(BYTES_MAX).read_to_string(&mut text).map_err(cannot)?;
    let kept = text.split_once('\n').filter(|(id, noted)| !id.is_empty() && noted.trim_end() == whose);
    let id = if let Some((id, _)) = kept {
        id.to_owned()
    } else {
        let id = format!("{:032x}", fastrand::u128(..));
        file.set_len(0).map_err(cannot)?;
        file.rewind().map_err(cannot)?;
        file.write_all(format!("{id}\n{whose}\n").as_bytes()).and_then(|()| file.sync_all()).map_err(cannot)?;
        id
    };
    Ok(Station { id, user: watch.user.clone(), host: watch.host.clone() })
}
