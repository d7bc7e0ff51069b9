//! A station's session: an epoch that the server gave, a lease by the server's clock, and a deadline of this station's own.
//!
//! The deadline is counted from before the renewal was sent, so that it has passed here before the lease runs out there, and a
//! margin before. A fence is for good: what was fenced never sends again.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::ledger::db::{self, Connection, Server, params};
use crate::ledger::deadline::{self, Deadline};
use crate::ledger::error::LedgerError;

/// How long a lease holds from its latest renewal on, in seconds.
const LEASE_SECONDS: u32 = 30;
/// How much sooner this station stops by its own clock, which may run a little slower than the server's.
const MARGIN_MS: u64 = 3_000;
/// How often it is renewed.
const RENEWED_EVERY: Duration = Duration::from_secs(5);
/// How long after a renewal that failed the next one is tried.
const TRIED_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// Who takes a session.
#[derive(Debug, Clone)]
pub struct Station {
    /// What tells it from all others, for as long as it has its own folder.
    pub id: String,
    /// The user's name.
    pub user: String,
    /// This machine's name.
    pub host: String,
}

/// A session that is renewed until it is dropped.
#[derive(Debug)]
pub(in crate::ledger) struct Session {
    epoch: i64,
    address: String,
    station: String,
    deadline: Deadline,
    /// Dropped, it ends the thread that renews.
    stop: Option<Sender<()>>,
    renewing: Option<JoinHandle<()>>,
}

impl Session {
    /// Takes a new epoch for this connection, and keeps renewing it over one of its own.
    pub(in crate::ledger) fn begin(
        connection: &Connection,
        address: &str,
        station: &Station,
    ) -> Result<Self, LedgerError> {
        let begun_ms = deadline::now_ms();
        let sql = format!(
            "INSERT INTO stations (station, user, host, lease_until)
             VALUES (?1, ?2, ?3, clock_timestamp() + interval '{LEASE_SECONDS} seconds') RETURNING epoch"
        );
        let epoch = connection.query_row(&sql, params![station.id, station.user, station.host], |row| row.get(0))?;
        speak_as(connection, epoch)?;
        let own = Deadline::default();
        own.put_off(deadline_of(begun_ms));
        let (stop, stopped) = channel::<()>();
        let (line_to, renewed) = (address.to_owned(), own.clone());
        let renew_on = move || {
            let mut line = None;
            let mut wait = RENEWED_EVERY;
            while matches!(stopped.recv_timeout(wait), Err(RecvTimeoutError::Timeout)) {
                wait = match renew(&mut line, &line_to, epoch, &renewed) {
                    Ok(true) => RENEWED_EVERY,
                    Ok(false) => {
                        renewed.end();
                        break;
                    }
                    // The deadline comes by itself.
                    Err(_) => {
                        line = None;
                        TRIED_AGAIN_AFTER
                    }
                };
            }
        };
        let renewing = thread::Builder::new()
            .name("lease".to_owned())
            .spawn(renew_on)
            .map_err(|error| LedgerError::Io(error.to_string()))?;
        Ok(Self {
            epoch,
            address: address.to_owned(),
            station: station.id.clone(),
            deadline: own,
            stop: Some(stop),
            renewing: Some(renewing),
        })
    }

    pub(in crate::ledger) const fn epoch(&self) -> i64 {
        self.epoch
    }

    pub(in crate::ledger) fn address(&self) -> &str {
        &self.address
    }

    /// Renews no more, as a process does that was paused.
    #[cfg(test)]
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

    /// Says that nothing of this session is under way, and that nothing more will be.
    pub(in crate::ledger) fn end(mut self, connection: &Connection) -> db::Result<()> {
        drop(self.stop.take());
        if let Some(thread) = self.renewing.take() {
            // It renews at most once more, and a panic of its own ends nothing but the lease.
            let _ = thread.join();
        }
        self.deadline.end();
        connection.execute(
            "UPDATE stations SET ended = CASE WHEN fenced IS NULL THEN clock_timestamp() END,
                acknowledged = CASE WHEN fenced IS NOT NULL THEN clock_timestamp() END
             WHERE epoch = ?1 AND ended IS NULL AND acknowledged IS NULL",
            params![self.epoch],
        )?;
        Ok(())
    }
}

/// When this station stops, where its lease was asked for at that time.
fn deadline_of(asked_ms: u64) -> u64 {
    asked_ms + u64::from(LEASE_SECONDS) * 1_000 - MARGIN_MS
}

/// Has the guards know whose connection it is.
pub(super) fn speak_as(connection: &Connection, epoch: i64) -> db::Result<()> {
    connection.execute_batch(&format!("SET shipsheet.epoch = '{epoch}'"))
}

/// Renews the lease once; false where it was fenced.
fn renew(line: &mut Option<Connection>, address: &str, epoch: i64, renewed: &Deadline) -> db::Result<bool> {
    let asked_ms = deadline::now_ms();
    let connection = if let Some(connection) = line {
        connection
    } else {
        let connection = Connection::to_server(Server::connect(address)?);
        speak_as(&connection, epoch)?;
        line.insert(connection)
    };
    let sql = format!(
        "UPDATE stations SET heard = clock_timestamp(), lease_until = clock_timestamp() + interval '{LEASE_SECONDS} seconds'
         WHERE epoch = ?1 AND ended IS NULL AND fenced IS NULL"
    );
    let is_live = connection.execute(&sql, params![epoch])? == 1;
    if is_live {
        renewed.put_off(deadline_of(asked_ms));
    }
    Ok(is_live)
}
