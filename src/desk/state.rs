//! What one desk has: the application, its secrets, its folder, and the job that is under way.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use crate::app::{self, App};
use crate::config::{Config, ConfigError, Overrides, Service};
use crate::ledger::{Ledger, LedgerError, desk_folder};

use super::answers::Answers;
use super::drafts::Drafts;
use super::guard::Guard;
use super::said::Notes;
use super::trouble::{Result, Trouble};
use super::work::Slot;

/// One desk.
pub(super) struct Desk {
    pub(super) guard: Guard,
    pub(super) work: Slot,
    pub(super) drafts: Drafts,
    overrides: Overrides,
    app: RwLock<Arc<App>>,
    answers: Mutex<Answers>,
    pub(super) notes: Notes,
    /// Which login was tried last, and why it did not work, if it did not.
    login_tried: Mutex<Option<(String, std::result::Result<(), String>)>>,
}

impl Desk {
    pub(super) fn new(app: App, overrides: Overrides, guard: Guard) -> Self {
        Self {
            guard,
            work: Slot::default(),
            drafts: Drafts::default(),
            overrides,
            app: RwLock::new(Arc::new(app)),
            answers: Mutex::default(),
            notes: Notes::default(),
            login_tried: Mutex::default(),
        }
    }

    /// The application, as it is configured now.
    pub(super) fn app(&self) -> Arc<App> {
        Arc::clone(&self.app.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Refuses what is not to be done while a job is under way.
    pub(super) fn is_idle(&self) -> Result<()> {
        self.work.running().map_or(Ok(()), |job| Err(Trouble::Busy(job.kind.words())))
    }

    /// Writes a change of the configuration, and takes it up. Nothing changes under what is being done.
    pub(super) fn configure(&self, write: impl FnOnce(&Config) -> std::result::Result<(), ConfigError>) -> Result<()> {
        self.is_idle()?;
        let mut app = self.app.write().unwrap_or_else(PoisonError::into_inner);
        write(app.config()).map_err(app::Error::from)?;
        let config = Config::open(self.overrides.clone()).map_err(app::Error::from)?;
        *app = Arc::new(app.with(config));
        // Every sheet is judged anew by what is configured now.
        self.drafts.forget_all();
        Ok(())
    }

    /// Refuses what was agreed to for another service or account.
    pub(super) fn is_still(&self, app: &App, at: &str) -> Result<()> {
        if self.at(app) == at {
            return Ok(());
        }
        Err(Trouble::Changed("The courier service or the account is another one by now".to_owned()))
    }

    /// Where orders go and whose they are, as whoever agrees to a booking names it.
    pub(super) fn at(&self, app: &App) -> String {
        format!("{} {}", app.config().login_mark(self.guard.page_token()), destination(app))
    }

    /// Keeps what came of trying the login.
    pub(super) fn note_login(&self, app: &App, worked: std::result::Result<(), String>) {
        let tried = Some((self.at(app), worked));
        *self.login_tried.lock().unwrap_or_else(PoisonError::into_inner) = tried;
    }

    /// The result of the last login with the account in use; none where it was not tried since the desk was started.
    pub(super) fn login_worked(&self, app: &App) -> Option<std::result::Result<(), String>> {
        let tried = self.login_tried.lock().unwrap_or_else(PoisonError::into_inner).clone();
        tried.filter(|(at, _)| *at == self.at(app)).map(|(_, worked)| worked)
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

    /// The folder of a run, which need not be there. It is known by the ledger as well: another one beside the same folder has runs of
    /// the same numbers.
    pub(super) fn run_folder(&self, ledger: &Ledger, run: i64) -> app::Result<PathBuf> {
        Ok(self.folder().join("runs").join(ledger.identity()?).join(run.to_string()))
    }

    /// The desk's own folder.
    pub(super) fn folder(&self) -> PathBuf {
        desk_folder(self.app().config().ledger())
    }
}

/// Where orders go and whose they are, in words: whoever agrees to a booking has seen it.
pub(super) fn destination(app: &App) -> String {
    let service = match app.config().service_key() {
        Ok(_) if *app.config().service() == Service::Sandbox => return "the practice service".to_owned(),
        Ok(service) => service,
        Err(ConfigError::NoService) => return "no courier service yet".to_owned(),
        Err(error) => return error.to_string(),
    };
    match app.config().login_named() {
        Some(login) => format!("{service}, {login}"),
        None => service,
    }
}
