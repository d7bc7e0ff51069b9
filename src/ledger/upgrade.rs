//! Bringing a ledger from an earlier layout to the present one.
//!
//! First a copy is made beside the ledger. It is brought to the present layout for a trial, looked through, and taken back to
//! what it was; then it is marked as given up, so that it never books. Only then the ledger itself is brought up, in one
//! transaction that is looked through before it stands. At whatever step the program ends, the ledger has the old layout or the
//! new one, and the same command may be given again.

use std::fs;
use std::path::{Path, PathBuf};

use super::check::{self, Checked};
use super::crash::{crash_point, fail_point};
use super::db::Transaction;
use super::error::LedgerError;
use super::lock::RunLock;
use super::open::{Ledger, Watch};
use super::site::Site;
use super::sqlite::{self, layout};
use super::tables::LAYOUT;
use super::{desk, place};

/// What an upgrade did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upgraded {
    /// The layout that the ledger had.
    pub from: i64,
    /// The layout that it has now.
    pub to: i64,
    /// What was found when it was looked through; nothing where it had the present layout already.
    pub checked: Option<Checked>,
    /// The copy of the ledger as it was; of a database there is none.
    pub copy: Option<PathBuf>,
}

impl Ledger {
    /// The layout of the ledger at a site, and the one of this program.
    pub fn layout_at(site: &Site) -> Result<(i64, i64), LedgerError> {
        match site {
            Site::File(path) => Ok((Self::recognised(path)?.2, LAYOUT)),
            #[cfg(feature = "postgres")]
            Site::Server { address, .. } => super::postgres::layout_at(address),
        }
    }

    /// Brings the ledger that is locked to the present layout.
    pub fn upgrade(lock: RunLock, watch: &Watch) -> Result<Upgraded, LedgerError> {
        #[cfg(feature = "postgres")]
        if let Some(address) = lock.server() {
            let (from, to, checked) = super::postgres::upgrade(address, watch.noting())?;
            return Ok(Upgraded { from, to, checked, copy: None });
        }
        let (path, connection, from) = Self::recognised(lock.ledger())?;
        let mut upgraded = Upgraded { from, to: LAYOUT, checked: None, copy: None };
        if from == upgraded.to {
            return Ok(upgraded);
        }
        layout::refuse_moved(&connection, from, &path)?;
        layout::refuse_too_old(from, &path)?;
        desk::refuse_before(&path)?;
        place::refuse_planted(&path)?;
        // Whoever has it open, also an older program that only adds to it, does not know the new layout.
        sqlite::alone(&connection)?;
        let mut ledger = Self::of(connection).holding(lock);
        let copy = ledger.copy_as_it_is(&path, from, watch)?;
        crash_point("upgrade");
        layout::prepare_to_upgrade(&ledger.connection)?;
        let transaction = ledger.begin()?;
        let checked = match bring_up(&transaction, &path) {
            Ok(checked) => checked,
            Err(error) => {
                drop(transaction);
                // The ledger is what it was.
                let _ = fs::remove_file(&copy);
                return Err(error);
            }
        };
        crash_point("upgrade");
        transaction.commit()?;
        crash_point("upgrade");
        // Where there is no room for that, or somebody reads already, the old tables' room stays free in the file.
        let _ = sqlite::write_anew(&ledger.connection);
        (upgraded.checked, upgraded.copy) = (Some(checked), Some(copy));
        Ok(upgraded)
    }

    /// Copies the ledger beside itself, tries the upgrade on the copy, and marks it so that it never books.
    fn copy_as_it_is(&self, path: &Path, layout: i64, watch: &Watch) -> Result<PathBuf, LedgerError> {
        let copy = free_name(path, layout);
        let part = place::beside(&copy, ".part");
        let made = self.copy_synced(&part).and_then(|()| {
            crash_point("upgrade");
            try_on(&part, path)?;
            let connection = sqlite::connect_to(&part)?;
            layout::give_up(&connection, (path, watch.noting()))?;
            drop(connection);
            let unmakeable = |source| LedgerError::Unmakeable { path: copy.clone(), source };
            place::sync_file(&part).map_err(unmakeable)?;
            fs::rename(&part, &copy).map_err(unmakeable)
        });
        if made.is_err() {
            let _ = fs::remove_file(&part);
        }
        made?;
        path.parent().into_iter().for_each(place::sync_folder);
        Ok(copy)
    }
}

/// What the names of copies have behind the ledger's own; the layout follows.
const SUFFIX: &str = ".before-upgrade-";

/// A name beside the ledger that no file has: an earlier copy stays.
fn free_name(ledger: &Path, layout: i64) -> PathBuf {
    let mut copy = place::beside(ledger, &format!("{SUFFIX}{layout}"));
    let mut number = 2;
    while copy.symlink_metadata().is_ok() {
        copy = place::beside(ledger, &format!("{SUFFIX}{layout}-{number}"));
        number += 1;
    }
    copy
}

/// The copies that upgrades left beside a ledger: they hold what a purge takes out of the ledger itself.
#[must_use]
pub fn copies_of_upgrades(ledger: &Path) -> Vec<PathBuf> {
    let ledger = place::resolve(ledger).unwrap_or_else(|_| ledger.to_owned());
    let start = place::beside(&ledger, SUFFIX).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let entries = ledger.parent().and_then(|folder| fs::read_dir(folder).ok());
    let files = entries.into_iter().flatten().flatten().map(|entry| entry.path());
    let is_numbered = |rest: &str| rest.trim_end_matches(".part").chars().all(|own| own.is_ascii_digit() || own == '-');
    let is_copy = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.strip_prefix(&*start).is_some_and(is_numbered)
    };
    files.filter(is_copy).collect()
}

/// Brings a copy to the present layout, looks it through, and takes that back.
fn try_on(copy: &Path, ledger: &Path) -> Result<(), LedgerError> {
    let mut connection = sqlite::connect_to(copy)?;
    layout::prepare_to_upgrade(&connection)?;
    let transaction = connection.begin()?;
    layout::upgrade(&transaction, ledger)?;
    check::look_through(&transaction)?.refuse_unsound(ledger)?;
    Ok(transaction.roll_back()?)
}

/// Makes the present layout of it, and looks through that.
fn bring_up(transaction: &Transaction<'_>, ledger: &Path) -> Result<Checked, LedgerError> {
    layout::upgrade(transaction, ledger)?;
    let checked = check::look_through(transaction)?;
    checked.refuse_unsound(ledger)?;
    fail_point("upgrade")?;
    Ok(checked)
}
