//! The folder of the local page beside the ledger: what is open there keeps orders from being sent, so nothing changes it
//! while orders are staged, and it goes where the ledger goes.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::error::LedgerError;
use super::place::{self, create_private_folder, desk_folder};

/// The lock of what is open; no draft has such a name.
const LOCK: &str = ".lock";
/// Nobody holds it for longer who is alive: what is done with it takes a moment.
const LOCK_TIME_MAX: Duration = Duration::from_secs(20);
/// How often it is tried.
const LOCK_PAUSE: Duration = Duration::from_millis(10);
/// The folder of what is open.
const DRAFTS: &str = "drafts";
/// Says in a folder that was brought here where it came from, until the ledger has followed.
const FROM: &str = "moved-from";

/// Held while something is said of a sheet that is open, and while what it keeps back is looked up and orders are staged.
#[derive(Debug)]
pub struct DeskLock(File);

impl DeskLock {
    /// Waits for the lock of the page beside a ledger. None where there is no such page.
    ///
    /// # Errors
    /// The lock cannot be made.
    pub fn of(ledger: &Path) -> io::Result<Option<Self>> {
        Self::in_folder(&desk_folder(ledger).join(DRAFTS))
    }

    /// The same where there need not be such a page yet: its folder is made.
    ///
    /// # Errors
    /// The folder or the lock cannot be made.
    pub fn made_for(ledger: &Path) -> io::Result<Self> {
        let drafts = desk_folder(ledger).join(DRAFTS);
        loop {
            create_private_folder(&drafts)?;
            // Whoever had it may have taken the folder away.
            if let Some(lock) = Self::in_folder(&drafts)?.filter(|_| drafts.join(LOCK).exists()) {
                return Ok(lock);
            }
        }
    }

    /// The same for the folder of what is open.
    ///
    /// # Errors
    /// The lock cannot be made.
    pub fn in_folder(drafts: &Path) -> io::Result<Option<Self>> {
        if !drafts.is_dir() {
            return Ok(None);
        }
        let file = place::open_own(&drafts.join(LOCK))?;
        let began = Instant::now();
        while let Err(error) = file.try_lock() {
            match error {
                TryLockError::Error(error) => return Err(error),
                TryLockError::WouldBlock if began.elapsed() < LOCK_TIME_MAX => std::thread::sleep(LOCK_PAUSE),
                TryLockError::WouldBlock => {
                    let why = "another program holds what is open at the desk, and does not let go of it";
                    return Err(io::Error::new(io::ErrorKind::TimedOut, why));
                }
            }
        }
        Ok(Some(Self(file)))
    }
}

/// Whether a folder of the page is there. One that somebody else made, or a link, is refused.
///
/// # Errors
/// It is no folder of this user, or cannot be looked at.
pub fn is_own_folder(folder: &Path) -> io::Result<bool> {
    let metadata = match folder.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        metadata => metadata?,
    };
    if !metadata.is_dir() {
        return Err(io::Error::other(format!("{} is no folder of its own", folder.display())));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        // Whoever owns the folder that it lies in could put anything there anyway.
        let of_parent = || folder.parent().and_then(|own| fs::metadata(own).ok()).map(|own| own.uid());
        if metadata.uid() != rustix::process::geteuid().as_raw() && of_parent() != Some(metadata.uid()) {
            return Err(io::Error::other(format!("{} is a folder of another user", folder.display())));
        }
    }
    Ok(true)
}

impl Drop for DeskLock {
    fn drop(&mut self) {
        // A child that is just being started may still share the open file: closing alone would not let go.
        let _ = self.0.unlock();
    }
}

/// Keeps the page from taking anything in while the ledger moves.
pub(super) fn hold(from: &Path) -> Result<DeskLock, LedgerError> {
    DeskLock::made_for(from).map_err(|source| LedgerError::Unmakeable { path: desk_folder(from), source })
}

/// Copies the folder to the place where the ledger goes, before it goes there: at whatever step a move ends, what is open
/// lies beside the ledger. The lock is held until the ledger has left, so that nothing comes after the copy.
pub(super) fn copy(_: &DeskLock, from: &Path, to: &Path) -> Result<(), LedgerError> {
    let (old, new) = (desk_folder(from), desk_folder(to));
    if is_bare(&old) {
        return Ok(());
    }
    if new.symlink_metadata().is_ok() {
        let is_ours = fs::read_to_string(new.join(FROM)).is_ok_and(|own| Path::new(&own) == old);
        if !is_ours {
            let reason = "the folder of another ledger's page lies beside it (.desk); name another file";
            return Err(LedgerError::NoPlace { path: to.to_owned(), reason });
        }
    }
    let part = place::beside(to, ".desk-part");
    let copied = || -> io::Result<()> {
        remove(&part)?;
        copy_folder(&old, &part)?;
        fs::write(part.join(FROM), old.to_string_lossy().as_bytes())?;
        remove(&new)?;
        fs::rename(&part, &new)
    };
    copied().map_err(|source| LedgerError::Unmakeable { path: new, source })
}

/// Takes the folder away from the place that the ledger has left.
pub(super) fn leave(_: DeskLock, from: &Path, to: &Path) {
    let (old, new) = (desk_folder(from), desk_folder(to));
    if is_bare(&old) {
        let _ = remove(&old);
    }
    let came_from = fs::read_to_string(new.join(FROM)).ok();
    if came_from.is_some_and(|own| Path::new(&own) == old) {
        // What is left in the old place is beside no ledger any more.
        let _ = remove(&old).and_then(|()| fs::remove_file(new.join(FROM)));
    }
}

/// What keeps orders back, and the note of whose it is: a ledger without them would send these orders.
const KEPT: [&str; 3] = [DRAFTS, "statement", "ledger"];

/// Copies what keeps orders back to the folder that belongs to a copy of the ledger. Gives that folder, where there is any such
/// thing. The copy of the ledger is made before: what is said later keeps more back, and not less.
///
/// # Errors
/// The folder of the copy is there already; it cannot be read or written: nothing is left of it then.
pub fn back_up_desk(ledger: &Path, copy: &Path) -> Result<Option<PathBuf>, LedgerError> {
    let (old, new) = (desk_folder(ledger), desk_folder(copy));
    let unmakeable = |source| LedgerError::Unmakeable { path: new.clone(), source };
    if new.symlink_metadata().is_ok() {
        return Err(unmakeable(io::ErrorKind::AlreadyExists.into()));
    }
    let lock = DeskLock::of(ledger).map_err(unmakeable)?;
    if !old.is_dir() || is_bare(&old) {
        return Ok(None);
    }
    let copied = || -> io::Result<()> {
        create_private_folder(&new)?;
        for (from, to) in KEPT.map(|name| (old.join(name), new.join(name))) {
            if from.is_dir() {
                copy_folder(&from, &to)?;
            } else if from.is_file() {
                copy_file(&from, &to)?;
            }
        }
        Ok(())
    };
    let copied = copied();
    drop(lock);
    match copied {
        Ok(()) => Ok(Some(new)),
        Err(source) => {
            let _ = remove(&new);
            Err(unmakeable(source))
        }
    }
}

/// Takes away what belongs to a copy of the ledger that is no longer kept.
///
/// # Errors
/// It cannot be taken away.
pub fn remove_desk_copy(copy: &Path) -> io::Result<()> {
    remove(&desk_folder(copy))
}

/// Whether there is nothing in a folder but what the lock lies in.
fn is_bare(desk: &Path) -> bool {
    let only = |folder: &Path, name: &str| {
        fs::read_dir(folder).is_ok_and(|entries| entries.flatten().all(|entry| entry.file_name() == name))
    };
    only(desk, DRAFTS) && only(&desk.join(DRAFTS), LOCK)
}

fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Copies files and folders, for their owner alone, and nothing else that may lie there.
fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    create_private_folder(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, to): (_, PathBuf) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() {
            copy_folder(&entry.path(), &to)?;
        } else if kind.is_file() {
            copy_file(&entry.path(), &to)?;
        }
    }
    Ok(())
}

/// Copies a file with its rights.
fn copy_file(from: &Path, to: &Path) -> io::Result<()> {
    fs::copy(from, to)?;
    File::open(to)?.sync_all()
}
