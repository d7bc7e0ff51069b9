//! PostgreSQL's side of the seam: connections, statements, values and errors.
//!
//! Nothing here knows what a station is.

use std::cell::Cell;
use std::collections::HashMap;
use std::future::Future;
use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio_postgres::Client;
use tokio_postgres::error::SqlState;

use super::address::Address;
use super::dialect::translated;
use super::error::{Error, Failure, Result};
use super::value::Value;
use super::waiting::{patience, runtime, waited};
use super::wire::borrowed;

/// What every connection is told first. A transaction that waits longer than this for another one is refused, and whoever waited
/// for the right to write sees what was written meanwhile.
const SETTINGS: &str = "SET search_path = shipsheet; SET synchronous_commit = on; SET lock_timeout = '30s';
    SET statement_timeout = 0; SET default_transaction_isolation = 'read committed';
    SET client_min_messages = warning; SET jit = off";

/// Whoever writes to the ledger holds this advisory lock until its transaction ends.
const BEGIN: &str = "BEGIN; SELECT pg_advisory_xact_lock(7566700)";

/// How long a server is waited for that goes over all rows of a ledger.
const HOURS: Duration = Duration::from_hours(12);

/// What the library says where a server asks for a password and there is none.
const NO_PASSWORD: &str = "password missing";

/// A connection to a server.
pub(in crate::ledger) struct Server {
    client: Client,
    /// As whom.
    login: String,
    /// Statements that are kept prepared, by their shared text.
    kept: Mutex<HashMap<String, tokio_postgres::Statement>>,
    is_in_transaction: Cell<bool>,
    /// Whether a statement of the open transaction failed: it cannot be committed any more.
    has_failed: Cell<bool>,
    /// Whether it was waited for in vain: nobody knows what it would answer next.
    is_given_up: Cell<bool>,
    /// Whether one answer may take hours.
    is_slow: Cell<bool>,
    /// How often it was waited for.
    #[cfg(test)]
    flights: Cell<usize>,
}

/// A prepared statement.
pub(in crate::ledger) struct Prepared<'c> {
    server: &'c Server,
    statement: tokio_postgres::Statement,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Server")
    }
}

impl Server {
    /// Connects to the server that an address names.
    pub(in crate::ledger) fn connect(address: &Address) -> Result<Self> {
        let runtime = runtime().map_err(|error| away(&error))?;
        let denied = |text: String| Error::Failed { why: Failure::Denied, text };
        let config = address.config().map_err(|error| denied(error.to_string()))?;
        let tls = address.tls().map_err(denied)?;
        let connected = {
            let _in_it = runtime.enter();
            waited(config.connect(tls), patience()).ok_or_else(silent)?
        };
        let failed = |error| match Error::from(error) {
            Error::Failed { why: Failure::Other, text } if text.ends_with(NO_PASSWORD) => {
                Error::Failed { why: Failure::NoPassword, text: address.login().to_owned() }
            }
            error => error,
        };
        let (client, connection) = connected.map_err(failed).inspect_err(|error| {
            if error.failure() == Some(Failure::Denied) {
                address.forget_password();
            }
        })?;
        runtime.spawn(connection);
        let (is_in_transaction, has_failed, is_given_up) = (Cell::new(false), Cell::new(false), Cell::new(false));
        let server = Self {
            client,
            login: address.login().to_owned(),
            kept: Mutex::default(),
            is_in_transaction,
            has_failed,
            is_given_up,
            is_slow: Cell::new(false),
            #[cfg(test)]
            flights: Cell::new(0),
        };
        server.batch(SETTINGS)?;
        Ok(server)
    }

    /// Waits for hours from now on: for statements that go over all rows of a ledger.
    pub(in crate::ledger) fn wait_for_hours(&self) {
        self.is_slow.set(true);
    }

    /// Statements in PostgreSQL's own dialect, without parameters.
    pub(in crate::ledger) fn batch(&self, sql: &str) -> Result<()> {
        self.waited(self.client.batch_execute(sql))
    }

    pub(super) fn prepare(&self, sql: &str, is_kept: bool) -> Result<Prepared<'_>> {
        if !is_kept {
            let statement = self.waited(self.client.prepare(&translated(sql)))?;
            return Ok(Prepared { server: self, statement });
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(statement) = kept.get(sql) {
            return Ok(Prepared { server: self, statement: statement.clone() });
        }
        let statement = self.waited(self.client.prepare(&translated(sql)))?;
        kept.insert(sql.to_owned(), statement.clone());
        Ok(Prepared { server: self, statement })
    }

    /// A statement in the server's own dialect, which is kept prepared.
    pub(super) fn kept_as_it_is(&self, sql: &str) -> Result<tokio_postgres::Statement> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(statement) = kept.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.waited(self.client.prepare(sql))?;
        kept.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    #[cfg(test)]
    #[cfg(unix)]
    pub(in crate::ledger) const fn flights(&self) -> usize {
        self.flights.get()
    }

    pub(super) const fn client(&self) -> &Client {
        &self.client
    }

    /// Notes whether a transaction is open, in which nothing failed yet.
    pub(super) fn note_transaction(&self, is_open: bool) {
        self.is_in_transaction.set(is_open);
        self.has_failed.set(false);
    }

    /// Statements of the shared dialect, without parameters.
    pub(super) fn execute_batch(&self, sql: &str) -> Result<()> {
        self.batch(&translated(sql))
    }

    pub(super) fn begin(&self, sql: &str) -> Result<()> {
        self.batch(sql)?;
        self.is_in_transaction.set(true);
        self.has_failed.set(false);
        Ok(())
    }

    /// Begins a transaction that is the only one that writes.
    pub(super) fn begin_writing(&self) -> Result<()> {
        let begun = self.begin(BEGIN);
        if begun.is_err() {
            let _ = self.batch("ROLLBACK");
        }
        begun
    }

    pub(in crate::ledger) fn commit(&self) -> Result<()> {
        if self.has_failed.get() {
            // The server would answer such a COMMIT with a silent ROLLBACK.
            self.roll_back()?;
            let text = "a statement of this transaction failed, so none of it was kept".to_owned();
            return Err(Error::Failed { why: Failure::Other, text });
        }
        self.is_in_transaction.set(false);
        self.batch("COMMIT")
    }

    pub(in crate::ledger) fn roll_back(&self) -> Result<()> {
        self.is_in_transaction.set(false);
        self.has_failed.set(false);
        self.batch("ROLLBACK")
    }

    /// Takes back what was done since a savepoint, and what failed since then.
    pub(super) fn roll_back_part(&self) -> Result<()> {
        self.has_failed.set(false);
        self.batch("ROLLBACK TO part; RELEASE part")
    }

    pub(in crate::ledger) const fn is_in_transaction(&self) -> bool {
        self.is_in_transaction.get()
    }

    /// An error, with the login that it is about where a right is missing.
    fn failed(&self, error: tokio_postgres::Error) -> Error {
        match Error::from(error) {
            Error::Failed { why: Failure::Forbidden, text } => {
                Error::Failed { why: Failure::Forbidden, text: format!("the login {} may not: {text}", self.login) }
            }
            error => error,
        }
    }

    /// Waits for an answer, as long as there is any sense in it.
    pub(super) fn waited<T>(
        &self,
        asked: impl Future<Output = std::result::Result<T, tokio_postgres::Error>>,
    ) -> Result<T> {
        if self.is_given_up.get() {
            return Err(silent());
        }
        let answered = waited(asked, if self.is_slow.get() { HOURS } else { patience() });
        #[cfg(test)]
        self.flights.set(self.flights.get() + 1);
        if answered.is_none() {
            self.is_given_up.set(true);
        }
        let answered = answered.ok_or_else(silent).and_then(|answer| answer.map_err(|error| self.failed(error)));
        if answered.is_err() {
            self.has_failed.set(true);
        }
        answered
    }
}

impl Prepared<'_> {
    pub(super) fn execute(&self, values: &[Value<'_>]) -> Result<usize> {
        let client = &self.server.client;
        let changed = self.server.waited(client.execute_raw(&self.statement, borrowed(values)))?;
        Ok(usize::try_from(changed).unwrap_or(usize::MAX))
    }

    /// All rows at once: others may be asked for while these are looked at.
    pub(super) fn query(&self, values: &[Value<'_>]) -> Result<Vec<tokio_postgres::Row>> {
        use futures::TryStreamExt as _;
        let client = &self.server.client;
        let rows = async { client.query_raw(&self.statement, borrowed(values)).await?.try_collect().await };
        self.server.waited(rows)
    }
}

fn away(error: &io::Error) -> Error {
    Error::Failed { why: Failure::Away, text: error.to_string() }
}

fn silent() -> Error {
    let text = "it does not answer".to_owned();
    Error::Failed { why: Failure::Away, text }
}

impl From<tokio_postgres::Error> for Error {
    fn from(error: tokio_postgres::Error) -> Self {
        let why = error.code().map_or_else(|| without_a_word(&error), why);
        let text = error.as_db_error().map_or_else(|| told(&error), |said| said.message().to_owned());
        Self::Failed { why, text }
    }
}

/// Why the server refused or failed, by its own code.
fn why(code: &SqlState) -> Failure {
    match *code {
        SqlState::T_R_SERIALIZATION_FAILURE
        | SqlState::T_R_DEADLOCK_DETECTED
        | SqlState::LOCK_NOT_AVAILABLE
        | SqlState::TOO_MANY_CONNECTIONS => Failure::Busy,
        SqlState::DISK_FULL => Failure::Full,
        SqlState::READ_ONLY_SQL_TRANSACTION => Failure::Standby,
        SqlState::INSUFFICIENT_PRIVILEGE => Failure::Forbidden,
        SqlState::DATA_CORRUPTED | SqlState::INDEX_CORRUPTED => Failure::Damaged,
        // Classes of codes: guards, connections that broke, servers that stop or start.
        _ => match &code.code()[..2] {
            "23" => Failure::Guard,
            "08" | "57" => Failure::Away,
            "28" => Failure::Denied,
            _ => Failure::Other,
        },
    }
}

/// Why, where the server said nothing: the connection is gone, or a value did not fit.
fn without_a_word(error: &tokio_postgres::Error) -> Failure {
    let cause = std::error::Error::source(error);
    let is_away = error.is_closed() || cause.is_some_and(<dyn std::error::Error>::is::<io::Error>);
    if is_away { Failure::Away } else { Failure::Other }
}

/// An error with its cause.
fn told(error: &tokio_postgres::Error) -> String {
    std::error::Error::source(error).map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}"))
}
