//! What one desk has: the application, its secrets, its folder, and the job that is under way.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use crate::app::{self, App};
use crate::config::{Config, Overrides, Service};
use crate::ledger::{Ledger, LedgerError};

use super::answers::Answers;
use super::files;
use super::guard::Guard;
use super::work::Slot;

/// One desk.
pub(super) struct Desk {
    pub(super) guard: Guard,
    pub(super) work: Slot,
    overrides: Overrides,
    app: RwLock<Arc<App>>,
    answers: Mutex<Answers>,
    /// What was done, until a page has said so.
    said: Mutex<Option<String>>,
}

impl Desk {
    pub(super) fn new(app: App, overrides: Overrides, guard: Guard) -> Self {
        Self {
            guard,
            work: Slot::default(),
            overrides,
            app: RwLock::new(Arc::new(app)),
            answers: Mutex::default(),
            said: Mutex::default(),
        }
    }

    /// The application, as it is configured now.
    pub(super) fn app(&self) -> Arc<App> {
        Arc::clone(&self.app.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes up a configuration that was changed on this page.
    pub(super) fn configure_again(&self) -> app::Result<()> {
        let config = Config::open(self.overrides.clone())?;
        let mut app = self.app.write().unwrap_or_else(PoisonError::into_inner);
        *app = Arc::new(app.with(config));
        Ok(())
    }

    /// The ledger, to be read; nothing where there is none yet.
    pub(super) fn ledger(&self) -> app::Result<Option<Ledger>> {
        match self.app().read_ledger() {
            Ok(ledger) => Ok(Some(ledger)),
            Err(app::Error::Ledger(LedgerError::Missing(_))) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Whether the built-in stand-in service is used.
    pub(super) fn is_practice(&self) -> bool {
        *self.app().config().service() == Service::Sandbox
    }

    /// What came of the last call over shipments.
    pub(super) fn answers(&self) -> Answers {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Keeps what came of a call over shipments.
    pub(super) fn note_answers(&self, answers: Answers) {
        *self.answers.lock().unwrap_or_else(PoisonError::into_inner) = answers;
    }

    /// What the next page says was done.
    pub(super) fn say(&self, done: String) {
        *self.said.lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
    }

    /// What was done since the last page.
    pub(super) fn said(&self) -> Option<String> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The desk's own folder.
    pub(super) fn folder(&self) -> PathBuf {
        files::beside(self.app().config().ledger())
    }
}
