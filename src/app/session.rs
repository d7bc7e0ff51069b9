//! A session: the ledger, open to write for this process alone, with what opening it brought to light.

use std::time::Instant;

use jiff::Timestamp;

use crate::config::Service;
use crate::ledger::{Ledger, LedgerError, NewRevision, NewRun, Recovered, RunKind, RunLock};

use super::connect::App;
use super::error::Result;
use super::who::{host, user};

/// A ledger that this process alone may write.
pub struct Session<'a> {
    pub(super) app: &'a App,
    pub(super) ledger: Ledger,
    pub(super) service: String,
    pub(super) started: Instant,
    identity: String,
    opening: Opening,
}

/// What a run was staged for: one ledger, and the orders of one service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    /// The ledger's identity.
    ledger: String,
    /// The service's key.
    pub(super) service: String,
}

/// What opening the ledger brought to light.
#[derive(Debug, Clone, Default)]
pub struct Opening {
    /// Why nothing outside the ledger notes how far it is, where nothing does: a ledger that is lost would not be noticed.
    pub unmarked: Option<String>,
    /// The word by which what the ledger lacks of what this station knew was accepted at another one.
    pub accepted: Option<String>,
    /// What an earlier process left.
    pub recovered: Recovered,
}

impl App {
    /// Takes the lock, opens the ledger, and finds what a crash left behind. `what` says what it is for, to whoever is
    /// refused meanwhile.
    ///
    /// # Errors
    /// No service is configured; another process holds the ledger; it is not to be trusted.
    pub fn session(&self, what: &str) -> Result<Session<'_>> {
        let service = self.config.service_key()?;
        let (ledger, opening) = self.open_ledger(what)?;
        let identity = ledger.identity()?;
        Ok(Session { app: self, ledger, service, started: Instant::now(), identity, opening })
    }

    /// The same in a ledger that is there already; none is made.
    pub(super) fn session_there(&self, what: &str) -> Result<Session<'_>> {
        drop(self.read_ledger()?);
        self.session(what)
    }

    /// Takes the ledger's lock, where a ledger may be.
    pub(super) fn lock_ledger(&self, what: &str) -> Result<RunLock> {
        let site = self.config.site();
        if let Service::At(_) = self.config.service() {
            Ledger::refuse_site(site, &self.watch())?;
        }
        self.refuse_strange_file()?;
        Ok(RunLock::of(site, what)?)
    }

    /// A lock on some other program's file could be taken for that program's own; an earlier layout is not written to.
    pub(super) fn refuse_strange_file(&self) -> Result<()> {
        self.ledger_there().map(drop)
    }

    /// Refuses to begin what goes on for a while with a ledger of an earlier layout: it would be refused at the first order.
    ///
    /// # Errors
    /// The ledger has an earlier layout.
    pub fn refuse_outdated(&self) -> Result<()> {
        match self.read_ledger() {
            Err(error @ super::Error::Ledger(LedgerError::Outdated { .. } | LedgerError::TooOld { .. })) => Err(error),
            // Other errors are told by the command that needs the ledger.
            _ => Ok(()),
        }
    }

    /// The ledger, to be read; none before anything was booked or dropped.
    pub(super) fn ledger_there(&self) -> Result<Option<Ledger>> {
        match self.read_ledger() {
            Err(super::Error::Ledger(LedgerError::Missing(_))) => Ok(None),
            ledger => ledger.map(Some),
        }
    }

    /// The ledger, to keep sheets in and what is said of them, also while a run goes on. It is made where there is none.
    pub(super) fn ledger_of_drafts(&self) -> Result<Ledger> {
        if self.ledger_there()?.is_none() {
            match self.open_ledger("desk") {
                Ok((ledger, _)) => return Ok(ledger),
                // Another program makes it at this moment.
                Err(error) if error.is_locked() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Ledger::open_at(self.config.site())?)
    }

    fn open_ledger(&self, what: &str) -> Result<(Ledger, Opening)> {
        let lock = self.lock_ledger(what)?;
        // The sandbox's bookings are worth nothing: its ledger may go and come back.
        let mut ledger = match self.config.service() {
            Service::Sandbox => Ledger::open_locked(lock, &self.watch())?,
            Service::At(_) => Ledger::open_watched(lock, &self.watch())?,
        };
        let (unmarked, accepted) = (ledger.unmarked().map(str::to_owned), ledger.accepted().map(str::to_owned));
        let recovered = ledger.recover(Timestamp::now().as_millisecond())?;
        Ok((ledger, Opening { unmarked, accepted, recovered }))
    }
}

impl Session<'_> {
    /// What opening the ledger brought to light.
    #[must_use]
    pub const fn opening(&self) -> &Opening {
        &self.opening
    }

    /// When it began.
    #[must_use]
    pub const fn started(&self) -> Instant {
        self.started
    }

    /// The ledger, to be read.
    #[must_use]
    pub const fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The service whose orders are meant, by its key in the ledger.
    #[must_use]
    pub fn service(&self) -> &str {
        &self.service
    }

    /// Records what sheets say of orders that do not go, where nothing is sent of them and no run is recorded.
    ///
    /// # Errors
    /// A ledger that fails.
    pub fn revise(&mut self, revisions: &[NewRevision]) -> Result<()> {
        let by = (&*user(), &*host(), Timestamp::now().as_millisecond());
        self.ledger.revise(&self.service, by, revisions)?;
        Ok(())
    }

    /// What is staged here is booked here.
    pub(super) fn target(&self) -> Target {
        Target { ledger: self.identity.clone(), service: self.service.clone() }
    }

    /// The first lines of a run's record.
    pub(super) fn new_run(&self, kind: RunKind) -> NewRun {
        NewRun {
            kind,
            service: self.service.clone(),
            started_ms: Timestamp::now().as_millisecond(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            user: user(),
            host: host(),
        }
    }
}
