//! What all commands share: the application, how much is said, and how this program is called again.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::api::operation::Operations;
use crate::app::{self, App, Error};
use crate::config::{Config, Overrides, Service};
use crate::env;
use crate::ledger::{Ledger, LedgerError, SANDBOX};
use crate::text::shell_quoted;

use super::global::{Format, Global, Verbosity};

/// What all commands share.
pub(super) struct Settings {
    pub(super) app: App,
    pub(super) format: Format,
    pub(super) verbosity: Verbosity,
    /// The program's name with the options that lead to the same service and ledger.
    pub(super) command: String,
    /// The same without the service.
    bare_command: String,
}

impl Settings {
    pub(super) fn new(global: &Global) -> Result<Self> {
        Ok(Self::with(global, Config::open(overrides(global)).map_err(Error::from)?))
    }

    /// The same where the configuration plays no part: not even its mistakes matter.
    pub(super) fn lenient(global: &Global) -> Result<Self> {
        Ok(Self::with(global, Config::open_or_default(overrides(global)).map_err(Error::from)?))
    }

    fn with(global: &Global, config: Config) -> Self {
        let verbosity = match (global.quiet, global.verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Normal,
        };
        Self {
            app: App::open(config),
            format: global.format,
            verbosity,
            command: command(global, true),
            bare_command: command(global, false),
        }
    }

    pub(super) const fn config(&self) -> &Config {
        self.app.config()
    }

    pub(super) fn is_quiet(&self) -> bool {
        self.verbosity == Verbosity::Quiet
    }

    /// Whether the stand-in service is used, where nobody need be asked.
    pub(super) fn is_sandbox(&self) -> bool {
        *self.config().service() == Service::Sandbox
    }

    pub(super) fn service_key(&self) -> app::Result<String> {
        Ok(self.config().service_key()?)
    }

    pub(super) fn operations(&self) -> app::Result<Operations> {
        Ok(self.config().operations()?)
    }

    pub(super) fn ledger(&self) -> &Path {
        self.config().ledger()
    }

    /// The ledger, to be read.
    pub(super) fn read_ledger(&self) -> Result<Ledger> {
        self.app.read_ledger().map_err(|error| match error {
            Error::Ledger(LedgerError::Missing(_)) if self.config().has_practised() => {
                // The error stays in the chain, so that its hint is found.
                let said = format!("{error} (what was practised is shown with --sandbox)");
                anyhow::Error::from(error).context(said)
            }
            error => error.into(),
        })
    }

    /// How to call this program again for orders of that service, by its key in the ledger.
    pub(super) fn command_at(&self, service: &str) -> String {
        match self.service_key() {
            Ok(own) if own == service => self.command.clone(),
            _ if service == SANDBOX => format!("{} --sandbox", self.bare_command),
            _ => format!("{} --base-url {}", self.bare_command, shell_quoted(service)),
        }
    }
}

pub(super) fn overrides(global: &Global) -> Overrides {
    Overrides {
        file: global.config.clone(),
        ledger: global.ledger.clone(),
        base_url: global.base_url.clone(),
        sandbox: global.sandbox,
        folder: None,
        helper: env::program(),
    }
}

/// How to call this program again so that it means the same ledger, and the same service.
pub(super) fn command(global: &Global, with_service: bool) -> String {
    let mut words = vec!["shipsheet".to_owned()];
    if global.sandbox && with_service {
        words.push("--sandbox".to_owned());
    }
    let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
    let given = [
        ("--config", path(&global.config)),
        ("--ledger", path(&global.ledger)),
        ("--base-url", global.base_url.clone().filter(|_| with_service)),
    ];
    for (flag, value) in given {
        if let Some(value) = value {
            words.extend([flag.to_owned(), shell_quoted(&value)]);
        }
    }
    words.join(" ")
}
