//! A ledger that moves from a file into a database: one of them books before, one after, and never two, at whatever step the
//! program ends.
//!
//! First all rows are copied, with a row in `moves` that no home answers: whoever opens such a database is refused. Then the same
//! row is written into the file, which books nothing from there on. Then the database gets the home that answers it. The same
//! command, given again, goes on where an earlier one ended.

use std::path::Path;

use jiff::Timestamp;

use crate::ledger::accept::{NewAcceptance, keep_acceptance};
use crate::ledger::crash::{crash_point, fail_point};
use crate::ledger::db::{self, Address, Connection, OptionalExtension, Server, params};
use crate::ledger::error::LedgerError;
use crate::ledger::home::{self, Home};
use crate::ledger::lock::{LockError, RunLock};
use crate::ledger::mark::Noted;
use crate::ledger::open::{Ledger, Watch};
use crate::ledger::site::Site;
use crate::ledger::{desk, place, sqlite, transfer};

use super::layout;

/// The row that says where a ledger went: its number, and all that it holds.
type Move = (i64, (i64, String, String, String));

impl Ledger {
    /// Moves the ledger of a file into a database that holds none.
    pub(in crate::ledger) fn relocate_to_server(
        from: &Path,
        (address, beside): (&Address, &Path),
        watch: &Watch,
        word: &NewAcceptance,
    ) -> Result<(), LedgerError> {
        let unmakeable = |source| LedgerError::Unmakeable { path: from.to_owned(), source };
        let from = place::resolve(from).map_err(unmakeable)?;
        if !place::is_there(&from) {
            return Err(LedgerError::Missing(from));
        }
        let lock = RunLock::acquire(&from, "ledger move")?;
        desk::refuse_before(&from)?;
        let mut server = layout::make(Server::connect(address)?, address.shown())?;
        let gone_to = home::moved_away(&Self::open_file(&from)?.connection)?;
        match gone_to {
            Some((_, to)) if to != address.shown() => return Err(LedgerError::Moved { path: from, to }),
            Some((id, _)) if is_answered(&server, id)? => {}
            Some(_) => {
                let ledger = Self::open_file(&from)?.holding(lock);
                sqlite::alone(&ledger.connection)?;
                settle(&ledger.connection, &mut server, watch, word)?;
            }
            None => {
                let mut ledger = Self::open_watched(lock, watch)?;
                ledger.recover(Timestamp::now().as_millisecond())?;
                if ledger.spool.as_ref().is_some_and(|spool| !spool.is_empty()) {
                    let reason = "answers wait beside the old file that it does not take: run a command with it first";
                    return Err(LedgerError::NoPlace { path: address.shown().into(), reason });
                }
                sqlite::alone(&ledger.connection)?;
                ledger.send(&mut server, address, watch)?;
                settle(&ledger.connection, &mut server, watch, word)?;
            }
        }
        crash_point("move");
        drop(server);
        // Opened there once, which brings the marks of this station.
        let site = Site::Server { address: address.clone(), beside: beside.to_owned() };
        match RunLock::of(&site, "ledger move") {
            Ok(lock) => drop(Self::open_watched(lock, watch)?),
            Err(LockError::Held { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        desk::leave(&from, beside);
        Ok(())
    }

    /// Copies everything, then has the file say where it went.
    fn send(&mut self, server: &mut Connection, address: &Address, watch: &Watch) -> Result<(), LedgerError> {
        let by = watch.noting();
        let moved = (by.at_ms, by.user.to_owned(), by.host.to_owned(), address.shown().to_owned());
        let transaction = server.begin()?;
        refuse_target(&self.connection, &transaction, address)?;
        transfer::to_server(&self.connection, &transaction)?;
        let id = self.connection.query_row("SELECT coalesce(max(id), 0) + 1 FROM moves", (), |row| row.get(0))?;
        note(&transaction, &(id, moved.clone()))?;
        fail_point("copied")?;
        transaction.commit()?;
        crash_point("move");
        note(&self.connection, &(id, moved))?;
        crash_point("move");
        Ok(())
    }
}

/// Gives the database the home that answers the move, once it was compared with the file, which nobody writes any more.
fn settle(file: &Connection, server: &mut Connection, watch: &Watch, word: &NewAcceptance) -> Result<(), LedgerError> {
    let Some((id, _)) = home::moved_away(file)? else { return Ok(()) };
    let here = Home::of_database(server)?;
    let transaction = server.begin()?;
    transfer::verify(file, &transaction)?;
    let attempts = Noted::of(file)?.attempts();
    keep_acceptance(&transaction, word, attempts, (&here, watch.noting(), Some(id)))?;
    Ok(transaction.commit()?)
}

fn note(connection: &Connection, (id, (at_ms, user, host, path)): &Move) -> Result<(), LedgerError> {
    connection.execute(
        "INSERT INTO moves (id, at_ms, user, host, path) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![id, at_ms, user, host, path],
    )?;
    Ok(())
}

fn is_answered(server: &Connection, id: i64) -> db::Result<bool> {
    server.prepare("SELECT 1 FROM homes WHERE move_id = ?1")?.exists([id])
}

/// Refuses a database that holds anything, but for a copy of this very ledger that did not come to its end and knows no more.
fn refuse_target(file: &Connection, server: &Connection, address: &Address) -> Result<(), LedgerError> {
    let refused = |reason| Err(LedgerError::NoPlace { path: address.shown().into(), reason });
    let holds = "SELECT EXISTS (SELECT 1 FROM orders) OR EXISTS (SELECT 1 FROM runs) OR EXISTS (SELECT 1 FROM evidence)
        OR EXISTS (SELECT 1 FROM homes) OR EXISTS (SELECT 1 FROM stations) OR EXISTS (SELECT 1 FROM moves)";
    if !server.query_row(holds, (), |row| row.get(0))? {
        return Ok(());
    }
    let identity = |connection: &Connection| -> db::Result<String> {
        connection.query_row("SELECT id FROM identity", (), |row| row.get(0))
    };
    if home::moved_away(server)?.is_none() || identity(file)? != identity(server)? {
        return refused("a ledger is in it already; name a database without one");
    }
    let newest = "SELECT n, hash FROM evidence ORDER BY n DESC LIMIT 1";
    let newest: Option<(i64, [u8; 32])> =
        server.query_row(newest, (), |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let is_known = match newest {
        Some((n, hash)) => {
            file.prepare("SELECT 1 FROM evidence WHERE n = ?1 AND hash = ?2")?.exists(params![n, hash])?
        }
        None => true,
    };
    let attempts = |connection: &Connection| -> db::Result<i64> {
        connection.query_row("SELECT coalesce(max(id), 0) FROM attempts", (), |row| row.get(0))
    };
    if is_known && attempts(server)? <= attempts(file)? {
        return Ok(());
    }
    refused("it holds a copy of this ledger that knows more than the file does: the file is older than it was")
}

/// Refuses a database into which a ledger is moving: the file that it comes from may still book.
pub(super) fn refuse_unfinished(connection: &Connection, address: &Address) -> Result<(), LedgerError> {
    match home::moved_away(connection)? {
        Some(_) => Err(LedgerError::Arriving { path: address.shown().into() }),
        None => Ok(()),
    }
}
