//! The courier's lists that were dropped on the local page: what one of them has and the ledger does not know as booked is not
//! sent, until somebody settles it or sets the list aside.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::PathBuf;

use crate::app::connect::App;
use crate::app::doubts::CompareOptions;
use crate::app::error::{Error, Result};
use crate::ledger::{LedgerError, is_own_folder};
use crate::settle::{self, StatementOptions, spelling};

use crate::app::keeper::Keeper;

/// The folder of the lists, under that of the local page.
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
    /// The files of the lists, by their names. An error is what keeps everything back.
    pub(super) fn couriers_list_files(&self) -> Result<Vec<PathBuf>, Keeper> {
        let folder = self.desk_folder().join(LIST_FOLDER);
        let listed = || -> io::Result<Vec<PathBuf>> {
            if !is_own_folder(&self.desk_folder())? || !is_own_folder(&folder)? {
                return Ok(Vec::new());
            }
            let mut files: Vec<PathBuf> =
                fs::read_dir(&folder)?.map(|entry| entry.map(|own| own.path())).collect::<io::Result<_>>()?;
            files.sort();
            Ok(files)
        };
        match listed() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            files => files.map_err(|error| Keeper::Unread { list: None, folder, why: error.to_string() }),
        }
    }

    pub(super) fn couriers_lists(&self) -> Result<Vec<CouriersList>, Keeper> {
        let lists = self.couriers_list_files()?.into_iter().map(|path| self.couriers_list(path));
        lists.filter_map(Result::transpose).collect()
    }

    fn couriers_list(&self, path: PathBuf) -> Result<Option<CouriersList>, Keeper> {
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
            Err(error) => Err(Keeper::Unread { list: Some(name), folder: path, why: crate::text::error_chain(&error) }),
        }
    }
}
