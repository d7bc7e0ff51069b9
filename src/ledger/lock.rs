//! One run at a time: an operating-system lock beside the ledger, which dies with its process.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

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
    /// Takes the lock of a ledger, at once or not at all. `what` says what it is for, to whoever is refused.
    pub fn acquire(ledger: &Path, what: &str) -> Result<Self, LockError> {
        let path = lock_path(ledger);
        Self::take(&path, what).map_err(|error| match error {
            Failure::Held(holder) => LockError::Held { holder },
            Failure::Io(source) => LockError::Unmakeable { path, source },
        })
    }

    fn take(path: &Path, what: &str) -> Result<Self, Failure> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder)?;
        }
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                // Whoever holds it may not have written its name yet.
                let _ = file.read_to_string(&mut holder);
                let holder = holder.trim();
                return Err(Failure::Held(if holder.is_empty() { "just started" } else { holder }.to_owned()));
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
    }
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

/// Beside the ledger's real place, so that links to one ledger meet at one lock.
fn lock_path(ledger: &Path) -> PathBuf {
    let real = fs::canonicalize(ledger).unwrap_or_else(|_| {
        let folder = ledger.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        folder.join(ledger.file_name().unwrap_or_default())
    });
    let mut name = real.file_name().unwrap_or_default().to_owned();
    name.push(".lock");
    real.with_file_name(name)
}
