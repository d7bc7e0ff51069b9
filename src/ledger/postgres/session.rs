//! A station's session: an epoch that the server gave, a lease by the server's clock, and a deadline of this station's own.
//!
//! The deadline is counted from before the renewal was sent, so that it has passed here before the lease runs out there, and a
//! margin before. A fence is for good: what was fenced never sends again.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::ledger::db::{self, Address, Connection, Server, params, shorter};
use crate::ledger::deadline::{self, Deadline};
use crate::ledger::error::LedgerError;
use crate::ledger::home::Home;

use super::share::Sharing;

/// How long a lease holds from its latest renewal on, in seconds.
const LEASE_SECONDS: u32 = 30;
/// How long after a renewal that failed the next one is tried.
const TRIED_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// How long a lease holds; tests wait for shorter ones.
fn lease() -> Duration {
    Duration::from_secs(shorter("SHIPSHEET_LEASE_SECONDS").unwrap_or(LEASE_SECONDS).into())
}

/// How often it is renewed.
fn renewed_every() -> Duration {
    lease() / 6
}

/// How often a share is exchanged: whoever comes waits for what the others give back.
const SHARED_EVERY: Duration = Duration::from_secs(1);

/// What whoever has a session tells the thread that renews it.
enum Word {
    /// It takes a share in what the stations have together.
    Shares(Sharing),
    /// It is over.
    Ends,
}

/// What a station asks is about a few orders at a time, for which there are indexes, as a ledger in a file goes by them. A server
/// that has not counted its rows yet, as after a first sheet, would read whole tables for every turn, or sort all that is left of a
/// run for each page of it.
const BY_INDEX: &str = "SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off;
    SET enable_hashjoin = off; SET enable_mergejoin = off";

/// Until when a lease holds, by the server's clock.
fn lease_until() -> String {
    format!("clock_timestamp() + interval '{} seconds'", lease().as_secs())
}

/// Who takes a session.
#[derive(Debug, Clone)]
pub(in crate::ledger) struct Station {
    /// What tells it from all others, for as long as it has its own folder.
    pub(in crate::ledger) id: String,
    /// The user's name.
    pub(in crate::ledger) user: String,
    /// This machine's name.
    pub(in crate::ledger) host: String,
}

/// A session that is renewed until it is dropped, and ended then where nothing of it is under way.
#[derive(Debug)]
pub(in crate::ledger) struct Session {
    epoch: i64,
    address: Address,
    station: String,
    /// The database that it is of.
    home: Home,
    deadline: Deadline,
    /// Orders that this process is sending.
    under_way: usize,
    /// Dropped, it ends the thread that renews; told so, that thread says that the session is over.
    stop: Option<Sender<Word>>,
    renewing: Option<JoinHandle<()>>,
}

/// What a session is renewed with, on a thread and a connection of its own.
struct Renewing {
    line: Option<Connection>,
    address: Address,
    epoch: i64,
    home: Home,
    deadline: Deadline,
    sharing: Option<Sharing>,
}

impl Session {
    /// Takes a new epoch for this connection, and keeps renewing it over one of its own.
    pub(in crate::ledger) fn begin(
        connection: &Connection,
        address: &Address,
        station: &Station,
    ) -> Result<Self, LedgerError> {
        let (home, begun_ms) = (Home::of_database(connection)?, deadline::now_ms());
        let sql = format!(
            "INSERT INTO stations (station, user, host, lease_until)
             VALUES (?1, ?2, ?3, {}) RETURNING epoch",
            lease_until()
        );
        let epoch = connection.query_row(&sql, params![station.id, station.user, station.host], |row| row.get(0))?;
        speak_as(connection, epoch)?;
        let own = Deadline::default();
        own.put_off(deadline_of(begun_ms));
        let (stop, stopped) = channel::<Word>();
        let (deadline, to) = (own.clone(), address.clone());
        let mut renewing = Renewing { line: None, address: to, epoch, home: home.clone(), deadline, sharing: None };
        let renewing = thread::Builder::new()
            .name("lease".to_owned())
            .spawn(move || renewing.until(&stopped))
            .map_err(|error| LedgerError::Io(error.to_string()))?;
        Ok(Self {
            epoch,
            address: address.clone(),
            station: station.id.clone(),
            home,
            deadline: own,
            under_way: 0,
            stop: Some(stop),
            renewing: Some(renewing),
        })
    }

    /// A new connection to the same database, for the same session.
    pub(in crate::ledger) fn connect(&self) -> Result<Connection, LedgerError> {
        connected(&self.address, self.epoch, &self.home)
    }

    #[cfg(test)]
    #[cfg(unix)]
    pub(in crate::ledger) fn epoch(&self) -> i64 {
        self.epoch
    }

    /// Has a share exchanged with the other stations from now on.
    pub(super) fn keep_share(&self, sharing: Sharing) {
        if let Some(stop) = &self.stop {
            // Should the thread be gone, the lease runs out, and the share with it.
            let _ = stop.send(Word::Shares(sharing));
        }
    }

    /// Notes how many orders this process is sending.
    pub(in crate::ledger) fn note_under_way(&mut self, orders: usize) {
        self.under_way = orders;
    }

    /// Renews no more, as a process does that was paused.
    #[cfg(test)]
    #[cfg(unix)]
    pub(in crate::ledger) fn pause(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.renewing.take() {
            thread.join().unwrap();
        }
    }

    /// Until when this station may send.
    pub(in crate::ledger) fn deadline(&self) -> Deadline {
        self.deadline.clone()
    }

    /// Fences whoever was not heard for longer than their lease, and what this very station left: its process is gone, since
    /// this one has its folder.
    pub(in crate::ledger) fn fence_others(&self, connection: &Connection) -> db::Result<()> {
        connection.execute(
            "UPDATE stations SET fenced = clock_timestamp(), fenced_by = ?1
             WHERE ended IS NULL AND fenced IS NULL AND epoch <> ?1 AND (lease_until < clock_timestamp() OR station = ?2)",
            params![self.epoch, self.station],
        )?;
        connection.execute(
            "UPDATE stations SET acknowledged = clock_timestamp()
             WHERE station = ?2 AND epoch <> ?1 AND fenced IS NOT NULL AND acknowledged IS NULL",
            params![self.epoch, self.station],
        )?;
        Ok(())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.deadline.end();
        if let Some(stop) = self.stop.take()
            && self.under_way == 0
        {
            // Should the thread be gone, the lease runs out by itself.
            let _ = stop.send(Word::Ends);
        }
        if let Some(thread) = self.renewing.take() {
            // It writes at most once more, and a panic of its own ends nothing but the lease.
            let _ = thread.join();
        }
    }
}

impl Renewing {
    /// Renews until nobody needs it any more, or the session was fenced.
    fn until(&mut self, stopped: &Receiver<Word>) {
        let mut wait = renewed_every();
        loop {
            match stopped.recv_timeout(wait) {
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
                Ok(Word::Shares(sharing)) => self.sharing = Some(sharing),
                Ok(Word::Ends) => {
                    // Where that fails, the lease runs out by itself.
                    let _ = self.end();
                    return;
                }
            }
            wait = match self.renew().and_then(|is_live| self.share().map(|()| is_live)) {
                Ok(true) if self.sharing.is_some() => renewed_every().min(SHARED_EVERY),
                Ok(true) => renewed_every(),
                // Fenced: whoever ends the session later says that nothing of it is under way any more.
                Ok(false) => {
                    self.deadline.end();
                    renewed_every()
                }
                // The deadline comes by itself.
                Err(_) => {
                    self.line = None;
                    TRIED_AGAIN_AFTER
                }
            };
        }
    }

    /// Renews the lease once; false where it was fenced.
    fn renew(&mut self) -> Result<bool, LedgerError> {
        let (asked_ms, epoch) = (deadline::now_ms(), self.epoch);
        let sql = format!(
            "UPDATE stations SET heard = clock_timestamp(), lease_until = {}
             WHERE epoch = ?1 AND ended IS NULL AND fenced IS NULL",
            lease_until()
        );
        let is_live = self.line()?.execute(&sql, params![epoch])? == 1;
        if is_live {
            self.deadline.put_off(deadline_of(asked_ms));
        }
        Ok(is_live)
    }

    /// Exchanges its share; one that was given up is none any more.
    fn share(&mut self) -> Result<(), LedgerError> {
        let Some(sharing) = self.sharing.clone() else { return Ok(()) };
        let is_over = sharing.share.is_given_up();
        match sharing.exchange_at_once(self.line()?) {
            // The lease comes first: the share stays as it is until the next time.
            Err(LedgerError::Busy) => self.line = None,
            exchanged => {
                exchanged?;
                if is_over {
                    self.sharing = None;
                }
            }
        }
        Ok(())
    }

    /// Says that nothing of this session is under way, and that nothing more will be.
    fn end(&mut self) -> Result<(), LedgerError> {
        let epoch = self.epoch;
        self.line()?.execute(
            "UPDATE stations SET ended = CASE WHEN fenced IS NULL THEN clock_timestamp() END,
                acknowledged = CASE WHEN fenced IS NOT NULL THEN clock_timestamp() END
             WHERE epoch = ?1 AND ended IS NULL AND acknowledged IS NULL",
            params![epoch],
        )?;
        Ok(())
    }

    fn line(&mut self) -> Result<&Connection, LedgerError> {
        if self.line.is_none() {
            match connected(&self.address, self.epoch, &self.home) {
                Ok(line) => self.line = Some(line),
                Err(error) => {
                    if matches!(error, LedgerError::Replaced { .. }) {
                        // What this session may do, that server does not know.
                        self.deadline.end();
                    }
                    return Err(error);
                }
            }
        }
        self.line.as_ref().ok_or_else(|| LedgerError::Away("there is no connection".to_owned()))
    }
}

/// When this station stops, where its lease was asked for at that time: a tenth sooner, as its own clock may run a little slower
/// than the server's.
fn deadline_of(asked_ms: u64) -> u64 {
    asked_ms + u64::try_from((lease() / 10 * 9).as_millis()).unwrap_or(0)
}

/// A connection for a session, to the database in which it began and to no other one.
fn connected(address: &Address, epoch: i64, home: &Home) -> Result<Connection, LedgerError> {
    let connection = Connection::to_server(Server::connect(address)?);
    if Home::of_database(&connection)? != *home {
        return Err(LedgerError::Replaced { path: address.shown().into() });
    }
    speak_as(&connection, epoch)?;
    Ok(connection)
}

/// Has the guards know whose connection it is, and the server go by indexes.
fn speak_as(connection: &Connection, epoch: i64) -> db::Result<()> {
    connection.execute_batch(&format!("SET shipsheet.epoch = '{epoch}'; {BY_INDEX}"))
}
