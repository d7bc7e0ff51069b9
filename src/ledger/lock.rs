//! One run at a time: an operating-system lock beside the ledger, which dies with its process.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::place;

/// Held for as long as this process may write to the ledger.
#[derive(Debug)]
pub struct RunLock {
    file: File,
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
    /// Takes the lock of a ledger, at once or not at all; links to one ledger meet at one lock. `what` says what it is
    /// for, to whoever is refused.
    pub fn acquire(ledger: &Path, what: &str) -> Result<Self, LockError> {
        let path = place::resolve(ledger)
            .map(|real| place::beside(&real, ".lock"))
            .map_err(|source| LockError::Unmakeable { path: ledger.to_owned(), source })?;
        Self::take(&path, what).map_err(|error| match error {
            Failure::Held(holder) => LockError::Held { holder },
            Failure::Io(source) => LockError::Unmakeable { path, source },
        })
    }

    fn take(path: &Path, what: &str) -> Result<Self, Failure> {
        place::create_private(path)?;
        let mut file = OpenOptions::new().read(true).write(true).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Failure::Held(named_in(&mut file)));
            }
            Err(TryLockError::Error(error)) => return Err(Failure::Io(error)),
        }
        file.set_len(0)?;
        file.rewind()?;
        let since = Timestamp::now().to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S");
        writeln!(file, "{what}, process {}, since {since}", std::process::id())?;
        Ok(Self { file })
    }
}

impl Drop for RunLock {
    fn drop(&mut self) {
        // The file stays: were it removed, two processes could hold locks on two files of one name.
        let _ = self.file.set_len(0);
        // A child that is just being started may still share the open file: closing alone would not let go.
        let _ = self.file.unlock();
    }
}

/// What a holder has written of itself.
pub(super) fn named_in(file: &mut File) -> String {
    let mut holder = String::new();
    // Whoever holds it may not have written its name yet.
    let _ = file.read_to_string(&mut holder);
    let holder = holder.trim();
    if holder.is_empty() { "just started" } else { holder }.to_owned()
}

enum Failure {
    Held(String),
    Io(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
