//! The courier's lists that were dropped on the local page: what one of them has and the ledger does not know as booked is not
//! sent, until somebody settles it or sets the list aside.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::io;
use std::path::PathBuf;

use crate::app::connect::App;
use crate::app::error::{Error, Result};
use crate::ledger::{LIST_FOLDER, LedgerError, State, is_own_folder};
use crate::settle::{self, StatementOptions, is_shortened};
use crate::text::{may_have_become, spellings};

use crate::app::keeper::Keeper;

use super::keeping::Keeping;

/// A list with the orders that it has and that were not sent from here.
#[derive(Debug)]
pub(in crate::app) struct CouriersList {
    name: String,
    has: Has,
}

/// What a list has, with what it says of each.
#[derive(Debug, Default)]
struct Has {
    /// By their numbers, however they are spelled.
    orders: HashMap<String, String>,
    /// By what a spreadsheet may have made of their numbers.
    spoiled: Vec<(String, String)>,
    /// Texts in rows that cannot be read, however they are spelled: each may be a number.
    unreadable: HashSet<String>,
    /// Whether some of its orders were being sent when it was read.
    on_their_way: bool,
    /// The SHA-256 of the list.
    sha256: String,
}

impl CouriersList {
    /// Why it keeps an order back, if it has it, however its number is spelled there.
    pub(super) fn keeping(&self, number: &str) -> Option<Keeping> {
        let Has { orders, spoiled, unreadable, sha256, .. } = &self.has;
        let says = || spellings(number).find_map(|own| orders.get(&own).cloned());
        let spoiled = || spoiled.iter().find(|(own, _)| may_have_become(own, number)).map(|(_, says)| says.clone());
        let unreadable = || spellings(number).any(|own| unreadable.contains(&own)).then(|| sha256.clone());
        let on = says().or_else(spoiled).or_else(unreadable)?;
        Some(Keeping { by: Keeper::List { name: self.name.clone() }, on })
    }

    /// Whether it has an order, however its number is spelled there.
    pub(in crate::app) fn has_order(&self, number: &str) -> bool {
        self.keeping(number).is_some()
    }

    /// Whether it has orders that were being sent when it was read, of which it keeps none back.
    pub(super) const fn has_some_on_their_way(&self) -> bool {
        self.has.on_their_way
    }

    pub(in crate::app) fn name(&self) -> &str {
        &self.name
    }
}

impl Has {
    fn of(there: BTreeMap<String, String>, in_unreadable: &[String], sha256: String) -> Self {
        let mut has = Self { sha256, ..Self::default() };
        for (number, says) in there {
            // A cell may have several of them.
            let parts = number.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '|' | '&' | '+'));
            let parts = parts.filter(|part| part.chars().any(char::is_numeric) && *part != number);
            let all: BTreeSet<String> = std::iter::once(number.as_str()).chain(parts).flat_map(spellings).collect();
            for own in all {
                let all = has.orders.entry(own).or_default();
                *all = format!("{all}{number}\n{says}\n");
            }
            if is_shortened(&number) {
                has.spoiled.push((number, says));
            }
        }
        has.unreadable = in_unreadable.iter().flat_map(|text| spellings(text)).filter(|own| !own.is_empty()).collect();
        has
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

    /// The lists, and what cannot be read of them: each of both keeps orders back.
    pub(super) fn couriers_lists(&self) -> (Vec<CouriersList>, Vec<Keeper>) {
        let (mut lists, mut unread) = (Vec::new(), Vec::new());
        let files = self.couriers_list_files().map_err(|keeper| unread.push(keeper));
        for path in files.into_iter().flatten() {
            match self.couriers_list(path) {
                Ok(list) => lists.extend(list),
                Err(keeper) => unread.push(keeper),
            }
        }
        (lists, unread)
    }

    fn couriers_list(&self, path: PathBuf) -> Result<Option<CouriersList>, Keeper> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let read = || -> Result<Has> {
            let mut statement = self.read_statement(&path, StatementOptions::default())?;
            let (in_unreadable, sha256) = (std::mem::take(&mut statement.in_unreadable), statement.sha256.clone());
            let known = match (self.read_ledger(), self.config.service_key()) {
                // Nothing was sent from here yet: all of it was booked by somebody else.
                (Err(Error::Ledger(LedgerError::Missing(_))), _) | (Ok(_), Err(_)) => Vec::new(),
                (ledger, service) => {
                    // However large the ledger is, nothing of it matters but what the list has.
                    let numbers: BTreeSet<&str> = statement.entries.iter().map(|entry| entry.order.as_str()).collect();
                    ledger?.known_among(&service?, numbers)?
                }
            };
            let comparison = settle::compare(&known, &statement.entries, None);
            let on_their_way = known.iter().any(|own| own.state == State::Sending);
            Ok(Has { on_their_way, ..Has::of(comparison.there, &in_unreadable, sha256) })
        };
        match read() {
            Ok(has) => Ok(Some(CouriersList { name, has })),
            // It was forgotten or replaced at this moment.
            Err(_) if !path.exists() => Ok(None),
            Err(error) => Err(Keeper::Unread { list: Some(name), folder: path, why: crate::text::error_chain(&error) }),
        }
    }
}
