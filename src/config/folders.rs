//! Where the user's own files are: configuration, profiles, ledger, state.

use std::path::PathBuf;

use etcetera::{AppStrategy, AppStrategyArgs, choose_app_strategy};

use super::error::ConfigError;
use crate::env::{self, at_home};

/// Where to look: in one folder that was named, else where the platform keeps the files of a user.
#[derive(Debug, Clone, Default)]
pub(super) struct Folders {
    named: Option<PathBuf>,
}

impl Folders {
    pub(super) const fn new(named: Option<PathBuf>) -> Self {
        Self { named }
    }

    /// The folder of the user's configuration.
    pub(super) fn configuration(&self) -> Result<PathBuf, ConfigError> {
        self.named.clone().map_or_else(|| Ok(at_home(&strategy()?.config_dir())), Ok)
    }

    /// The folder of the user's profiles.
    pub(super) fn profiles(&self) -> Result<PathBuf, ConfigError> {
        Ok(self.configuration()?.join("profiles"))
    }

    /// A file in the folder of the user's data.
    pub(super) fn data(&self, name: &str) -> Result<PathBuf, ConfigError> {
        match &self.named {
            Some(folder) => Ok(folder.join(name)),
            None => Ok(at_home(&strategy()?.in_data_dir(name))),
        }
    }

    /// Where the program notes what it has seen: hosts, and below it the marks of ledgers.
    pub(super) fn state(&self) -> Option<PathBuf> {
        if let Some(folder) = &self.named {
            return Some(folder.join("state"));
        }
        let folders = strategy().ok()?;
        Some(at_home(&folders.state_dir().unwrap_or_else(|| folders.cache_dir())))
    }

    /// Where high-water marks are kept: in the user's state folder, which `XDG_STATE_HOME` names where there is no home.
    pub(super) fn marks(&self) -> Option<PathBuf> {
        let named = || env::variable_os("XDG_STATE_HOME").map(|folder| PathBuf::from(folder).join("shipsheet"));
        // A folder that is no whole path would be another one from each place where the program is started.
        self.state()
            .filter(|folder| folder.is_absolute())
            .or_else(named)
            .filter(|folder| folder.is_absolute())
            .map(|folder| folder.join("marks"))
    }
}

fn strategy() -> Result<impl AppStrategy, ConfigError> {
    choose_app_strategy(AppStrategyArgs {
        top_level_domain: String::new(),
        author: String::new(),
        app_name: "shipsheet".to_owned(),
    })
    .map_err(|_| ConfigError::NoHome)
}
