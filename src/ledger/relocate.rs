//! Moving a ledger: one file books before, one after, and never two, at whatever step the program ends.
//!
//! On one file system the file is renamed, and a fence stays in the old place (`fence`). To another one it is copied: first the copy, which knows that it is one and
//! books nothing; then a row in the old file says where the ledger went, after which that file books nothing either; then
//! the copy gets the home that answers this row, and last its name. The same command, given again, goes on where an
//! earlier one ended.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::accept::{NewAcceptance, keep_acceptance};
use super::crash::{crash_point, fail_point};
use super::db::{self, OptionalExtension, params};
use super::error::LedgerError;
use super::home::{self, Home};
use super::lock::{LockError, RunLock};
use super::mark::{self, Noted};
use super::open::{Ledger, Watch};
use super::site::Site;
use super::{desk, fence, network, place, sqlite};

/// Where a ledger has gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relocated {
    /// Its real place now.
    pub to: PathBuf,
    /// Whether the whole old file is still there, and not only a fence. Neither books anything.
    pub old_stays: bool,
}

impl Ledger {
    /// Moves the ledger of a file to another place, which may be a database.
    pub fn relocate_to(from: &Path, to: &Site, watch: &Watch, word: &NewAcceptance) -> Result<Relocated, LedgerError> {
        match to {
            Site::File(path) => Self::relocate(from, path, watch, word),
            #[cfg(feature = "postgres")]
            Site::Server { address, beside } => {
                Self::relocate_to_server(from, (address, beside), watch, word)?;
                Ok(Relocated { to: address.shown().into(), old_stays: true })
            }
        }
    }

    /// Moves the ledger to a place where no file is yet. What the spool keeps is taken up before.
    pub fn relocate(from: &Path, to: &Path, watch: &Watch, word: &NewAcceptance) -> Result<Relocated, LedgerError> {
        let unmakeable = |source| LedgerError::Unmakeable { path: to.to_owned(), source };
        let from = place::resolve(from).map_err(unmakeable)?;
        if let Some(folder) = to.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            // The real place of a file is known when its folder is there.
            place::create_private_folder(folder).map_err(unmakeable)?;
        }
        let to = place::resolve(to).map_err(unmakeable)?;
        refuse_target(&from, &to, watch)?;
        if !place::is_there(&from) || fence::names(&from, &to) {
            return arrived_before(&from, to, watch);
        }
        let lock = RunLock::acquire(&from, "ledger move")?;
        desk::refuse_before(&from)?;
        let gone_to = home::moved_away(&Self::open_file(&from)?.connection)?;
        let old_stays = match gone_to {
            Some((_, gone_to)) if gone_to != to.to_string_lossy() => {
                return Err(LedgerError::Moved { path: from, to: gone_to });
            }
            Some(_) => {
                let ledger = Self::open_file(&from)?.holding(lock);
                sqlite::alone(&ledger.connection)?;
                ledger.carry(&from, &to, watch, word)?;
                true
            }
            None => {
                refuse_existing(&from, &to)?;
                let mut ledger = Self::open_watched(lock, watch)?;
                ledger.recover(Timestamp::now().as_millisecond())?;
                sqlite::alone(&ledger.connection)?;
                ledger.go(&from, &to, watch, word)?
            }
        };
        arrive(&to, watch)?;
        desk::leave(&from, &to);
        Ok(Relocated { to, old_stays })
    }

    /// Renames or copies the ledger; whether the old file stays.
    fn go(mut self, from: &Path, to: &Path, watch: &Watch, word: &NewAcceptance) -> Result<bool, LedgerError> {
        let spool = self.spool.take().filter(super::spool::Spool::is_empty).map(|spool| spool.path().to_owned());
        let here = Self::home_at(from, watch)?;
        if is_near(from, to) && fail_point("rename").is_ok() {
            let attempts = Noted::of(&self.connection)?.attempts();
            // Written before the ledger goes, so that a full disk is met here.
            let fence = fence::prepare(from, to, watch.noting())?;
            let transaction = self.begin()?;
            keep_acceptance(&transaction, word, attempts, (&here.at(to), watch.noting(), None))?;
            transaction.commit()?;
            crash_point("move");
            match fs::rename(from, to) {
                Ok(()) => {
                    // Until the fence stands, only the marks guard the old place.
                    crash_point("move");
                    fence::put(&fence, from)?;
                    sync_folders([from, to]);
                    crash_point("move");
                    remove(spool);
                    return Ok(false);
                }
                // Two mounts of one file system.
                Err(error) if error.kind() == io::ErrorKind::CrossesDevices => remove(Some(fence)),
                Err(source) => {
                    remove(Some(fence));
                    return Err(LedgerError::Unmakeable { path: to.to_owned(), source });
                }
            }
        }
        // Made once before anything is decided: a disk that is full or broken is met here.
        self.copy_synced(&place::beside(to, ".part"))?;
        crash_point("move");
        let by = watch.noting();
        let (path, at) = (to.to_string_lossy(), by.at_ms);
        self.connection.execute(
            "INSERT INTO moves (at_ms, user, host, path) VALUES (?1, ?2, ?3, ?4)",
            params![at, by.user, by.host, path],
        )?;
        crash_point("move");
        self.carry(from, to, watch, word)?;
        remove(spool);
        Ok(true)
    }

    /// Brings the ledger from a file that says that it went there.
    fn carry(self, from: &Path, to: &Path, watch: &Watch, word: &NewAcceptance) -> Result<(), LedgerError> {
        let Some((move_id, _)) = home::moved_away(&self.connection)? else { return Ok(()) };
        let noted = Noted::of(&self.connection)?;
        if is_answered(to, move_id, noted.ledger()) {
            return Ok(());
        }
        refuse_existing(from, to)?;
        let part = place::beside(to, ".part");
        if !is_answered(&part, move_id, noted.ledger()) {
            // Nothing was written to this file since it says where it went: every copy of it is as good as another.
            self.copy_synced(&part)?;
            crash_point("move");
            let here = Self::home_at(&part, watch)?.at(to);
            let mut copy = sqlite::connect_to(&part)?;
            let transaction = copy.begin()?;
            keep_acceptance(&transaction, word, noted.attempts(), (&here, watch.noting(), Some(move_id)))?;
            transaction.commit()?;
        }
        crash_point("move");
        let unmakeable = |source| LedgerError::Unmakeable { path: to.to_owned(), source };
        place::sync_file(&part).map_err(unmakeable)?;
        fs::rename(&part, to).map_err(unmakeable)?;
        sync_folders([&part, to]);
        crash_point("move");
        Ok(())
    }
}

fn refuse_target(from: &Path, to: &Path, watch: &Watch) -> Result<(), LedgerError> {
    if from == to {
        return Err(LedgerError::NoPlace { path: to.to_owned(), reason: "it is there already" });
    }
    network::refuse_mounted(to)?;
    if watch.allow_network { Ok(()) } else { network::refuse(to) }
}

/// Refuses a place where something is, other than a fence that names the ledger's present place.
fn refuse_existing(from: &Path, to: &Path) -> Result<(), LedgerError> {
    let refused = |reason| Err(LedgerError::NoPlace { path: to.to_owned(), reason });
    if to.symlink_metadata().is_ok() && !fence::names(to, from) {
        return refused("something is there already; name a file that does not exist yet");
    }
    if place::rest_of_database(to).is_some() {
        return refused("parts of another database lie beside it (-wal, -shm or -journal); name another file");
    }
    Ok(())
}

/// The file was renamed by an earlier command, which perhaps did not come to its end.
fn arrived_before(from: &Path, to: PathBuf, watch: &Watch) -> Result<Relocated, LedgerError> {
    if let Some(marks) = &watch.marks {
        let noted = mark::noted(marks, from);
        let found = Ledger::open_read_only(&to).and_then(|ledger| Noted::of(&ledger.connection));
        let is_same = matches!((&noted, &found), (Some(noted), Ok(found)) if noted.ledger() == found.ledger());
        if noted.is_some() && !is_same {
            mark::refuse_missing(marks, from)?;
        }
    }
    let newest = Ledger::open_read_only(&to).and_then(|ledger| Home::newest(&ledger.connection));
    match newest {
        Ok(Some(home)) if home.path == to.to_string_lossy() => {
            leave_fence(from, &to, watch)?;
            arrive(&to, watch)?;
            desk::leave(from, &to);
            Ok(Relocated { to, old_stays: false })
        }
        _ if place::is_there(from) => {
            Err(LedgerError::Moved { path: from.to_owned(), to: to.to_string_lossy().into_owned() })
        }
        _ => Err(LedgerError::Missing(from.to_owned())),
    }
}

/// Leaves the fence that an earlier command did not come to.
fn leave_fence(from: &Path, to: &Path, watch: &Watch) -> Result<(), LedgerError> {
    if fence::names(from, to) {
        return Ok(());
    }
    let _lock = RunLock::acquire(from, "ledger move")?;
    fence::put(&fence::prepare(from, to, watch.noting())?, from)?;
    sync_folders([from]);
    Ok(())
}

/// Opens the ledger at its new place once, which brings its marks there.
fn arrive(to: &Path, watch: &Watch) -> Result<(), LedgerError> {
    match RunLock::acquire(to, "ledger move") {
        Ok(lock) => Ledger::open_watched(lock, watch).map(drop),
        // Somebody books with it already.
        Err(LockError::Held { .. }) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Whether a file is this ledger, and became its home by this move.
fn is_answered(path: &Path, move_id: i64, identity: &str) -> bool {
    if !place::is_there(path) {
        return false;
    }
    let answered = || -> db::Result<Option<bool>> {
        let connection = sqlite::connect_to(path)?;
        connection
            .query_row(
                "SELECT EXISTS (SELECT 1 FROM homes WHERE move_id = ?1) FROM identity WHERE id = ?2",
                params![move_id, identity],
                |row| row.get(0),
            )
            .optional()
    };
    answered().is_ok_and(|answered| answered == Some(true))
}

/// Whether two files would be on one file system. Where that is not known, renaming tells.
#[cfg(unix)]
fn is_near(from: &Path, to: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let device = |path: Option<&Path>| path.and_then(|path| fs::metadata(path).ok()).map(|metadata| metadata.dev());
    device(Some(from)) == device(to.parent())
}

/// Elsewhere a file that is open cannot be renamed: it is copied.
#[cfg(not(unix))]
fn is_near(_: &Path, _: &Path) -> bool {
    false
}

/// A name is on the disk when its folder is.
fn sync_folders<'a>(files: impl IntoIterator<Item = &'a Path>) {
    for folder in files.into_iter().filter_map(Path::parent) {
        place::sync_folder(folder);
    }
}

/// What the old place needs no more.
fn remove(file: Option<PathBuf>) {
    if let Some(file) = file {
        let _ = fs::remove_file(file);
    }
}
