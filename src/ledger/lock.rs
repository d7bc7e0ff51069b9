//! One run at a time: an operating-system lock on the ledger's file and on one beside it, which die with their process.
//!
//! The lock on the file itself holds wherever the file is seen from: another folder, a container, a new name; and nobody
//! can delete it. The lock file beside the ledger says who holds it, and is the only lock where the database's own file
//! cannot be locked: on other systems than Linux (see [`handle`]) and on network file systems, which turn this kind of lock
//! into SQLite's own.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

#[cfg(feature = "postgres")]
use super::db::Address;
use super::site::Site;
use super::sqlite::handle::{self, InodeLock};
use super::{network, place};

/// What is said of a holder whose lock file is not the one beside the ledger.
const UNSEEN: &str = "its lock file was deleted, or it sees the ledger from another folder or container";

/// Held for as long as this process may write to the ledger.
#[derive(Debug)]
pub struct RunLock {
    ledger: PathBuf,
    /// Where the ledger itself is, if it is on a server: then the lock is this station's alone.
    #[cfg(feature = "postgres")]
    server: Option<Address>,
    file: File,
    database: Option<InodeLock>,
}

/// Why the lock was not had.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process holds it.
    #[error("this ledger is in use by another shipsheet ({holder}): wait until it is done, or stop it with Ctrl-C")]
    Held {
        /// Who holds it, since when and for what.
        holder: String,
    },
    /// The file could not be made.
    #[error("cannot make the lock {}: {source}", path.display())]
    Unmakeable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl RunLock {
    /// Takes the lock of a ledger, at once or not at all; makes an empty ledger where there is none. `what` says what it
    /// is for, to whoever is refused.
    ///
    /// Whoever calls this knows already that the file is no other program's.
    pub fn acquire(ledger: &Path, what: &str) -> Result<Self, LockError> {
        let unmakeable = |path: &Path, source| LockError::Unmakeable { path: path.to_owned(), source };
        let ledger = place::resolve(ledger).map_err(|source| unmakeable(ledger, source))?;
        let path = place::beside(&ledger, ".lock");
        let mut file = place::open_own(&path).map_err(|source| unmakeable(&path, source))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LockError::Held { holder: named_in(&mut file) }),
            Err(TryLockError::Error(source)) => return Err(unmakeable(&path, source)),
        }
        let database = match locked_database(&ledger) {
            Ok(Some(database)) => database,
            Ok(None) => return Err(LockError::Held { holder: UNSEEN.to_owned() }),
            Err(source) => return Err(unmakeable(&ledger, source)),
        };
        write_holder(&mut file, what).map_err(|source| unmakeable(&path, source))?;
        Ok(Self {
            ledger,
            #[cfg(feature = "postgres")]
            server: None,
            file,
            database: Some(database),
        })
    }

    /// The same wherever the ledger is; of one on a server it is the lock of this station.
    pub fn of(site: &Site, what: &str) -> Result<Self, LockError> {
        #[cfg_attr(not(feature = "postgres"), expect(unused_mut, reason = "only a server has an address"))]
        let mut lock = Self::acquire(site.path(), what)?;
        #[cfg(feature = "postgres")]
        if let Site::Server { address, .. } = site {
            lock.server = Some(address.clone());
        }
        Ok(lock)
    }

    /// Whether the ledger is a file.
    pub(super) const fn is_of_file(&self) -> bool {
        #[cfg(feature = "postgres")]
        let is_of_file = self.server.is_none();
        #[cfg(not(feature = "postgres"))]
        let is_of_file = {
            let _ = self;
            true
        };
        is_of_file
    }

    /// Where the ledger is, if it is on a server.
    #[cfg(feature = "postgres")]
    pub(super) const fn server(&self) -> Option<&Address> {
        self.server.as_ref()
    }

    /// The ledger's real place.
    pub(super) fn ledger(&self) -> &Path {
        &self.ledger
    }
}

/// The lock on the ledger's own file; none where somebody else has it.
fn locked_database(ledger: &Path) -> io::Result<Option<InodeLock>> {
    if network::is_remote(ledger) {
        return Ok(Some(InodeLock::nothing()));
    }
    place::create_private(ledger)?;
    handle::try_lock(ledger)
}

fn write_holder(file: &mut File, what: &str) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    let since = Timestamp::now().to_zoned_datetime(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S");
    writeln!(file, "{what}, process {}, since {since}", std::process::id())
}

impl Drop for RunLock {
    fn drop(&mut self) {
        // Before the file beside it: whoever is refused until then still reads who is here.
        drop(self.database.take());
        // The file stays: were it removed, two processes could hold locks on two files of one name.
        let _ = self.file.set_len(0);
        // A child that is just being started may still share the open file: closing alone would not let go.
        let _ = self.file.unlock();
    }
}

/// What a holder has written of itself.
fn named_in(file: &mut File) -> String {
    let mut holder = String::new();
    // Whoever holds it may not have written its name yet.
    let _ = file.read_to_string(&mut holder);
    let holder = holder.trim();
    if holder.is_empty() { "just started" } else { holder }.to_owned()
}

/// Who may be writing to a ledger just now, since when and for what; none where nobody is. Where that cannot be found
/// out, somebody may be.
#[must_use]
pub fn holder(ledger: &Path) -> Option<String> {
    let unknown = || Some("another process".to_owned());
    let Ok(path) = place::resolve(ledger) else { return unknown() };
    if !path.exists() {
        return None;
    }
    match place::open_own_to_read(&place::beside(&path, ".lock")) {
        Ok(mut file) => match file.try_lock_shared() {
            Ok(()) => drop(file.unlock()),
            Err(TryLockError::WouldBlock) => return Some(named_in(&mut file)),
            Err(TryLockError::Error(_)) => return unknown(),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(_) => return unknown(),
    }
    // The lock file may have been deleted, or the holder may see the ledger from elsewhere.
    let is_locked = !network::is_remote(&path) && handle::is_locked(&path).unwrap_or(true);
    if is_locked { unknown() } else { None }
}
