//! The courier's list that was dropped on the local page last: what it has and the ledger does not know as booked is not sent.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::PathBuf;

use crate::app::connect::App;
use crate::app::doubts::CompareOptions;
use crate::app::error::{Error, Result};
use crate::ledger::LedgerError;
use crate::settle::{self, StatementOptions, spelling};

use super::Keeper;

/// The folder of the list, under that of the local page.
pub const LIST_FOLDER: &str = "statement";

/// A list with the orders that it has and that are not booked here.
#[derive(Debug)]
pub(in crate::app) struct CouriersList {
    name: String,
    /// Their numbers, however they are spelled.
    has: HashSet<String>,
}

impl CouriersList {
    pub(super) fn has(&self, spelled: &str) -> bool {
        self.has.contains(spelled)
    }

    /// Whether it has an order, however its number is spelled there.
    pub(in crate::app) fn has_order(&self, number: &str) -> bool {
        self.has(&spelling(number))
    }

    pub(in crate::app) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn keeper(&self) -> Keeper {
        Keeper::List { name: self.name.clone() }
    }
}

impl App {
    /// The file of the list. An error is what keeps everything back.
    pub(super) fn couriers_list_file(&self) -> Result<Option<PathBuf>, Keeper> {
        let folder = self.desk_folder().join(LIST_FOLDER);
        let unread = |error: &io::Error| Keeper::Unread { folder: folder.clone(), why: error.to_string() };
        match fs::read_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(unread(&error)),
            Ok(mut entries) => {
                entries.next().transpose().map(|entry| entry.map(|own| own.path())).map_err(|e| unread(&e))
            }
        }
    }

    pub(super) fn couriers_list(&self) -> Result<Option<CouriersList>, Keeper> {
        let Some(path) = self.couriers_list_file()? else { return Ok(None) };
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let read = || -> Result<HashSet<String>> {
            let statement = self.read_statement(&path, StatementOptions::default())?;
            let is_missing = matches!(self.read_ledger(), Err(Error::Ledger(LedgerError::Missing(_))));
            let comparison = if is_missing || self.config.service_key().is_err() {
                // Nothing was sent from here yet: all of it was booked by somebody else.
                settle::compare(&[], &statement.entries, None)
            } else {
                self.compare(None, statement, CompareOptions::default())?.comparison
            };
            let differences = comparison.only_theirs.into_iter().chain(comparison.twice);
            Ok(differences.filter_map(|own| own.order).map(|number| spelling(&number)).collect())
        };
        match read() {
            Ok(has) => Ok(Some(CouriersList { name, has })),
            // It was forgotten or replaced at this moment.
            Err(_) if !path.exists() => Ok(None),
            Err(error) => Err(Keeper::Unread { folder: path, why: crate::text::error_chain(&error) }),
        }
    }
}
