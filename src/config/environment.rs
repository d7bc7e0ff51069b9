//! The variables of the environment that take precedence over settings of the file.

use crate::api::DATABASE_PASSWORD;
use crate::env;

use super::table::variable_of;

/// The token.
pub(super) const TOKEN: &str = "SHIPSHEET_TOKEN";
/// The account.
pub(super) const EMAIL: &str = "SHIPSHEET_EMAIL";
pub(super) const PASSWORD: &str = "SHIPSHEET_PASSWORD";
/// The password of the mail server.
pub(super) const MAIL_PASSWORD: &str = "SHIPSHEET_SMTP_PASSWORD";

/// Variables that a night takes from its environment alone: secrets, and whose account it is.
pub(super) const SECRETS: [&str; 5] = [TOKEN, EMAIL, PASSWORD, MAIL_PASSWORD, DATABASE_PASSWORD];
/// Variables that move the user's own files.
pub(super) const FOLDERS: [&str; 3] = ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"];

/// The variable that takes precedence over a setting now, with what it says.
pub(super) fn instead_of(setting: &str) -> Option<(&'static str, String)> {
    let name = variable_of(setting)?;
    Some((name, variable(name)?))
}

/// A variable that says something.
pub(super) fn variable(name: &str) -> Option<String> {
    env::variable(name).filter(|text| !text.trim().is_empty())
}
