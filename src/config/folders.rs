//! Where the user's own files are: configuration, profiles, ledger, state.

use std::path::PathBuf;

use etcetera::{AppStrategy, AppStrategyArgs, choose_app_strategy};

use super::error::ConfigError;

fn strategy() -> Result<impl AppStrategy, ConfigError> {
    choose_app_strategy(AppStrategyArgs {
        top_level_domain: String::new(),
        author: String::new(),
        app_name: "shipsheet".to_owned(),
    })
    .map_err(|_| ConfigError::NoHome)
}

/// The folder of the user's configuration.
pub(super) fn configuration() -> Result<PathBuf, ConfigError> {
    Ok(strategy()?.config_dir())
}

/// The folder of the user's profiles.
pub(super) fn profiles() -> Result<PathBuf, ConfigError> {
    Ok(strategy()?.in_config_dir("profiles"))
}

/// A file in the folder of the user's data.
pub(super) fn data(name: &str) -> Result<PathBuf, ConfigError> {
    Ok(strategy()?.in_data_dir(name))
}

/// Where the program notes what it has seen: hosts, and below it the marks of ledgers.
pub(super) fn state() -> Option<PathBuf> {
    strategy().ok().map(|folders| folders.state_dir().unwrap_or_else(|| folders.cache_dir()))
}

/// Where high-water marks are kept: in the user's state folder, which `XDG_STATE_HOME` names where there is no home.
pub(super) fn marks() -> Option<PathBuf> {
    let named = || std::env::var_os("XDG_STATE_HOME").map(|folder| PathBuf::from(folder).join("shipsheet"));
    // A home that is no whole path would lead to another folder from each place where the program is started.
    state()
        .filter(|folder| folder.is_absolute())
        .or_else(named)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join("marks"))
}
