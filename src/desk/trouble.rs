//! What could not be done, in words for the page: what is wrong, and what to do.

use std::io::ErrorKind;

use axum::http::StatusCode;

use crate::api::TokenError;
use crate::app::{self, Misuse};
use crate::config::ConfigError;
use crate::ledger::{LedgerError, LockError};
use crate::settle::{SettleError, StatementError};
use crate::sheet::SheetError;
use crate::stage::StageError;

use super::words;

/// Said where the service does not take the token.
pub(super) const TOKEN_REFUSED: &str = "Token refused. The courier service does not take your login any more.";

/// What a screen gives.
pub(super) type Result<T> = std::result::Result<T, Trouble>;

/// What could not be done.
#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
    /// A use case failed.
    #[error(transparent)]
    App(#[from] app::Error),
    /// A person's word was not taken.
    #[error(transparent)]
    Settle(#[from] SettleError),
    /// The ledger cannot be read.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// Something is being done already.
    #[error("the desk is busy: {0}")]
    Busy(&'static str),
    /// The page is older than what it is about.
    #[error("{0}")]
    Changed(String),
    /// What was sent is not what a page of the desk sends.
    #[error("this is not a form of this desk")]
    NotOurs,
    /// What was typed cannot be meant.
    #[error("{0}")]
    Typed(String),
    /// A file that has no orders.
    #[error("{0} is not a sheet of orders")]
    NoSheet(String),
    /// There is no such page.
    #[error("there is no such page")]
    NoPage,
    /// An upload is too large.
    #[error("this file is larger than {0} MB")]
    TooLarge(usize),
    /// An upload took too long, or broke off.
    #[error("the file did not arrive as a whole")]
    Broken,
    /// A file of the desk's own cannot be written or read.
    #[error("a file of the desk cannot be used")]
    File(#[from] std::io::Error),
    /// A fault of the program.
    #[error("the desk failed at this page")]
    Failed,
}

impl Trouble {
    /// The answer's status.
    pub(super) const fn status(&self) -> StatusCode {
        match self {
            Self::App(app::Error::NoOrder { .. } | app::Error::NoRun(_) | app::Error::NoRunYet) | Self::NoPage => {
                StatusCode::NOT_FOUND
            }
            Self::Busy(_) | Self::Changed(_) => StatusCode::CONFLICT,
            Self::NotOurs => StatusCode::FORBIDDEN,
            Self::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Broken => StatusCode::REQUEST_TIMEOUT,
            Self::Failed | Self::File(_) => StatusCode::INTERNAL_SERVER_ERROR,
            Self::App(_) | Self::Settle(_) | Self::Ledger(_) | Self::Typed(_) | Self::NoSheet(_) => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
        }
    }

    /// What is wrong: a sentence, with what caused it.
    pub(super) fn sentence(&self) -> String {
        // The names of variables and settings are of no use on a page.
        match self {
            Self::App(app::Error::Config(ConfigError::NoService)) => {
                return "The address of the courier service is missing.".to_owned();
            }
            Self::App(
                app::Error::Token(TokenError::Unreachable(_)) | app::Error::NoTokenGot(TokenError::Unreachable(_)),
            ) => {
                return "The courier service cannot be reached.".to_owned();
            }
            Self::App(app::Error::Config(ConfigError::NoToken)) => {
                return "No account of the courier service is known yet.".to_owned();
            }
            Self::App(
                app::Error::NoTokenGot(TokenError::Account(said)) | app::Error::Token(TokenError::Account(said)),
            ) => {
                return format!("E-mail or password is not right. The courier service said: {said}.");
            }
            Self::App(
                app::Error::TokenRefused { .. } | app::Error::Token(TokenError::Fixed | TokenError::Unchanged),
            ) => {
                return TOKEN_REFUSED.to_owned();
            }
            _ if self.is_disk_full() => return "The disk is full.".to_owned(),
            _ => {}
        }
        let mut said: Vec<String> = Vec::new();
        let mut cause: Option<&dyn std::error::Error> = Some(self);
        while let Some(error) = cause {
            let text = error.to_string();
            if !said.last().is_some_and(|before| before.contains(&text)) {
                said.push(text);
            }
            cause = error.source();
        }
        let text = words::without_codes(&said.join(": "));
        let text = text.trim_end_matches('.');
        // A file's name stays as it is.
        let is_name = text.split(' ').next().is_some_and(|first| first.contains('.'));
        if is_name { format!("{text}.") } else { words::capital(text) + "." }
    }

    /// Whether there was no room for what was to be kept.
    fn is_disk_full(&self) -> bool {
        let is_full = |error: &(dyn std::error::Error + 'static)| {
            let kind = error.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
            matches!(kind, Some(ErrorKind::StorageFull | ErrorKind::QuotaExceeded))
                || matches!(error.downcast_ref(), Some(LedgerError::DiskFull))
        };
        let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(self);
        while let Some(error) = cause {
            if is_full(error) {
                return true;
            }
            cause = error.source();
        }
        matches!(self, Self::Ledger(LedgerError::DiskFull) | Self::App(app::Error::Ledger(LedgerError::DiskFull)))
    }

    /// What to do about it.
    pub(super) fn advice(&self) -> &'static str {
        match self {
            _ if self.is_disk_full() => "Make room on it, then try again. What you did last is not kept.",
            Self::App(error) => of_app(error),
            Self::Settle(SettleError::NoReason) => "Go back and write how you know.",
            Self::Settle(SettleError::OtherService { .. }) => "Enter that service under Settings first.",
            Self::Settle(SettleError::NoAwb(_) | SettleError::Odd(_)) => {
                "Go back and copy the AWB from the courier's portal."
            }
            Self::Settle(SettleError::Ledger(error)) | Self::Ledger(error) => of_ledger(error),
            Self::Busy(_) => "Wait until it has finished, or stop it.",
            Self::Changed(_) => "Go back, look at the page again, and decide anew. Nothing was sent.",
            Self::NotOurs => "Go back to Home and try again from there.",
            Self::Typed(_) => "Go back and correct it.",
            Self::NoSheet(_) => NO_SHEET,
            Self::NoPage => "Go back to Home.",
            Self::TooLarge(_) => "Split the sheet, or remove pictures from it.",
            Self::Broken => "Drop the file again.",
            Self::File(_) => "Look whether the disk is full. If it is not, ask whoever looks after this computer.",
            Self::Failed => "Go back to Home. What is booked is recorded; please report this.",
        }
    }
}

/// What to do with a file that is something else.
const NO_SHEET: &str = "Drop the Excel or CSV file with your orders. This one was not kept here.";

fn of_app(error: &app::Error) -> &'static str {
    match error {
        app::Error::Ledger(error) => of_ledger(error),
        app::Error::Config(ConfigError::NoService | ConfigError::NoToken) => {
            "Enter the address and the account under Settings, or practise first with the service that comes with the \
             program."
        }
        app::Error::NoTokenGot(TokenError::Account(_)) => {
            "Enter both again under Account, and try the login. If they are right, try it later."
        }
        app::Error::NoTokenGot(TokenError::Unreachable(_)) => "Look whether the internet is there, then try again.",
        app::Error::NoTokenGot(_) => "Look at address and account, then try again.",
        app::Error::Config(_) => "Correct shipsheet.toml, and try again.",
        app::Error::Token(TokenError::Unreachable(_)) => {
            "Nothing was sent. Look whether the internet is there, then try again: Home has what is left."
        }
        app::Error::Token(_) | app::Error::TokenRefused { .. } | app::Error::TokenUntried(_) => {
            "Enter it again under Settings, and try the login."
        }
        app::Error::Misuse(Misuse::NoReason(_)) | app::Error::NoReason => "Go back and write how you know.",
        app::Error::NoOrder { .. } => "Look for it with Find: a part of its number is enough.",
        app::Error::NoShipments | app::Error::AllCancelled => "Go back to the results.",
        app::Error::Statement(StatementError::NoColumn { .. } | StatementError::Ambiguous { .. }) => {
            "In the courier's list, name one column \"order number\" and one \"AWB\", and drop it again."
        }
        app::Error::Statement(StatementError::Sheet(SheetError::SeveralWorksheets { .. })) => {
            "Save each worksheet that is a list as a file of its own in Excel, and drop all of them. This one was not kept here."
        }
        app::Error::NeverSent { .. } => "Correct the row in the sheet and drop the sheet again.",
        app::Error::Stage(StageError::Sheet(SheetError::PasswordProtected { .. })) => {
            "Open it in Excel, take the password away, save it, and drop it again. It was not kept here."
        }
        app::Error::Stage(StageError::Sheet(SheetError::NotASheet { .. } | SheetError::Empty { .. })) => NO_SHEET,
        app::Error::Stage(StageError::Sheet(_)) => {
            "Open it in Excel, save it as .xlsx or .csv, and drop that file. This one was not kept here."
        }
        app::Error::NoDraft => "Drop the sheet again on Home.",
        app::Error::File { .. } => {
            "Look whether the disk is full. If it is not, ask whoever looks after this computer."
        }
        app::Error::NewCommand => "Look at Settings: there you can allow this command once.",
        app::Error::NewHost(_) => "Look at Settings: there you can allow this address once.",
        _ => "Nothing was sent. Go back and try again.",
    }
}

const fn of_ledger(error: &LedgerError) -> &'static str {
    match error {
        LedgerError::NotAsSeen { .. } => "Go back, reload the page, and look at the order again. Nothing was changed.",
        LedgerError::Lock(LockError::Unmakeable { .. }) => {
            "Nothing was sent. Look whether the disk is full. If it is not, ask whoever looks after this computer."
        }
        LedgerError::Lock(_) => "Another program books just now. Try again when it has finished.",
        LedgerError::Missing(_) => "Nothing was booked yet. Begin by dropping a sheet on Home.",
        LedgerError::Copy { .. } | LedgerError::Behind { .. } | LedgerError::Older { .. } => {
            "Do not go on with a copy or a backup. Ask whoever looks after this computer."
        }
        LedgerError::Outdated { .. } | LedgerError::TooOld { .. } => {
            "Close the desk, and ask whoever looks after this computer to bring the ledger up to date."
        }
        LedgerError::Newer { .. } => "Open the desk with the newer program. Nothing was changed.",
        LedgerError::OpenBefore { .. } => {
            "Drop each of these files here again and say what does not go; then have that folder moved away."
        }
        _ => "Nothing was sent. Ask whoever looks after this computer.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_called_that_wherever_it_was_met() {
        let full = || std::io::Error::from(ErrorKind::StorageFull);
        for trouble in [
            Trouble::File(full()),
            Trouble::App(app::Error::File { what: "cannot keep the sheet".to_owned(), source: full() }),
            Trouble::Ledger(LedgerError::DiskFull),
            Trouble::App(LedgerError::DiskFull.into()),
        ] {
            assert_eq!(trouble.sentence(), "The disk is full.");
            assert!(trouble.advice().starts_with("Make room on it"), "{trouble:?}");
        }
        assert_ne!(Trouble::File(ErrorKind::PermissionDenied.into()).sentence(), "The disk is full.");
    }

    #[test]
    fn a_wrong_password_is_said_before_what_the_service_made_of_it() {
        let said = "Internal server error (HTTP 500)".to_owned();
        let trouble = Trouble::App(app::Error::NoTokenGot(TokenError::Account(said)));
        assert!(trouble.sentence().starts_with("E-mail or password is not right. "), "{}", trouble.sentence());
        assert!(!trouble.advice().contains("Settings"), "{}", trouble.advice());
    }
}
