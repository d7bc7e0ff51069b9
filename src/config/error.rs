//! What can be wrong with the configuration.

use std::path::PathBuf;

use crate::api::operation::OperationError;
use crate::api::{EndpointError, TokenError};
use crate::parse::ReadingSettingsError;
use crate::profile::ProfileError;

/// Why the configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the configuration {}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Another user owns the file.
    #[error(
        "{} belongs to another user (number {owner}), who could have a command run or the token sent elsewhere: if you \
         trust what it says, copy it, or run the program as its owner (in a container: as that user)",
        path.display()
    )]
    NotOwned {
        /// The file.
        path: PathBuf,
        /// The user's number.
        owner: u32,
    },
    /// Other users may write to the file.
    #[error(
        "other users may write to {}, and could have a command run or the token sent elsewhere: look through it, then \
         take that right from them; where that cannot be, keep it in your configuration folder",
        path.display()
    )]
    Writable {
        /// The file.
        path: PathBuf,
    },
    /// The file is not valid.
    #[error("the configuration {} is not valid: {reason}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// Where and why, with no secret in it.
        reason: String,
    },
    /// It names two sources of one token.
    #[error("the configuration {} names both token_file and token_command: keep one", path.display())]
    TwoTokens {
        /// The file.
        path: PathBuf,
    },
    /// A setting that cannot be used, in words that name it.
    #[error("{0}")]
    Setting(String),
    /// A field or need in it that is none.
    #[error("[{section}] cannot be used")]
    Section {
        /// The section.
        section: &'static str,
        /// Why.
        source: ReadingSettingsError,
    },
    /// A rule that is worded wrongly.
    #[error(transparent)]
    Rules(#[from] ReadingSettingsError),
    /// An operation that does not exist, or cannot be so.
    #[error("[operations] cannot be used")]
    Operations(#[source] OperationError),
    /// An address that is none.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    /// A profile that cannot be read.
    #[error(transparent)]
    Profile(#[from] ProfileError),
    /// No profile of that name.
    #[error("no profile \"{name}\"{}", near.as_ref().map(|near| format!("; did you mean {near}?")).unwrap_or_default())]
    NoProfile {
        /// What was named.
        name: String,
        /// One whose name is like it.
        near: Option<String>,
    },
    /// No service is configured.
    #[error("no service is configured: set SHIPSHEET_BASE_URL, or base_url in shipsheet.toml")]
    NoService,
    /// Nothing gives a token.
    #[error(
        "no token: set SHIPSHEET_TOKEN, or name token_file or token_command in shipsheet.toml, or set SHIPSHEET_EMAIL and \
         SHIPSHEET_PASSWORD"
    )]
    NoToken,
    /// What `SHIPSHEET_TOKEN` holds is none.
    #[error("{variable} is not a token")]
    BadToken {
        /// The variable of the environment.
        variable: &'static str,
        /// Why.
        source: TokenError,
    },
    /// The ledger is named by an address. The address itself is not told: it may hold a password.
    #[error(
        "the ledger is named by an address that begins with {scheme}://, which this program cannot use: give the path of a \
         file{}", if cfg!(feature = "postgres") { ", or postgres://USER@HOST/DATABASE" } else { "" }
    )]
    LedgerAddress {
        /// How the address begins.
        scheme: String,
    },
    /// The configuration of the working folder names a ledger on a server.
    #[error(
        "shipsheet.toml in this folder names a ledger on a server or a command for its password: it may have come from \
         elsewhere, so name both in your own configuration, or where you start the program"
    )]
    LedgerOfFolder,
    /// The machine tells no home folder, so that nothing says where the ledger is.
    #[error("this machine tells no home folder")]
    NoHome,
}
