//! The folder of the local page beside the ledger: what is open there keeps orders from being sent, so nothing changes it
//! while orders are staged, and it goes where the ledger goes.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::db::{Connection, OptionalExtension, params};
use super::error::LedgerError;
use super::place::{self, create_private_folder, desk_folder};
use super::sqlite;

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

/// Where courier's statements lay before the ledger had them.
const LIST_FOLDER: &str = "statement";

/// What keeps orders back, and the note of whose it is: a ledger without them would send these orders.
const KEPT: [&str; 3] = [DRAFTS, "ledger", BACKED_UP];

/// Names the copies of a folder together with the ledger, one on each line, in the folder and in each copy of it: a page that is
/// begun anew beside a restored ledger has no such name, and an older folder lacks the names of later copies. A later folder has
/// them all: it keeps back what the copy kept back, and more.
const BACKED_UP: &str = "backed-up";

/// Whether sheets lie in the folder of a local page.
#[must_use]
pub fn has_open(desk: &Path) -> bool {
    has_any(desk, DRAFTS)
}

/// Whether courier's statements lie in it, which the ledger does not have.
#[must_use]
pub fn has_lists(desk: &Path) -> bool {
    has_any(desk, LIST_FOLDER)
}

fn has_any(desk: &Path, name: &str) -> bool {
    let is_kept = |entry: fs::DirEntry| !entry.file_name().to_string_lossy().starts_with('.');
    fs::read_dir(desk.join(name)).is_ok_and(|entries| entries.flatten().any(is_kept))
}

/// Refuses a backup that was made together with such a folder where that is missing: what it keeps back would be sent.
pub(super) fn refuse_without(connection: &Connection, ledger: &Path) -> Result<(), LedgerError> {
    let desk = desk_folder(ledger);
    let name: Option<String> = connection.query_row("SELECT name FROM desk_copies", (), |row| row.get(0)).optional()?;
    let is_missing = name.is_some_and(|name| !copies_of(&desk).lines().any(|own| own == name));
    if is_missing { Err(LedgerError::WithoutDesk { path: ledger.to_owned(), desk }) } else { Ok(()) }
}

/// The names of the copies that were made of a folder.
fn copies_of(desk: &Path) -> String {
    // What cannot be read names none: then the copy is refused.
    fs::read_to_string(desk.join(BACKED_UP)).unwrap_or_default()
}

/// Notes a copy of a folder, beside those that were made before: at each moment the file names all of them.
fn note_copy(desk: &Path, name: &str) -> io::Result<()> {
    let before = match fs::read_to_string(desk.join(BACKED_UP)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        before => before?,
    };
    let names = before.lines().chain([name]).fold(String::new(), |names, own| names + own + "\n");
    let mut file = tempfile::NamedTempFile::with_prefix_in(".backed-up-", desk)?;
    file.write_all(names.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(desk.join(BACKED_UP)).map(drop).map_err(|error| error.error)
}

/// Notes that this ledger is booked with beside the folder that lies there, or without any by a person's word.
pub(super) fn is_beside(connection: &Connection) -> Result<(), LedgerError> {
    // Nothing is written where nothing is there.
    if connection.query_row("SELECT EXISTS (SELECT 1 FROM desk_copies)", (), |row| row.get(0))? {
        connection.execute("DELETE FROM desk_copies", ())?;
    }
    Ok(())
}

/// Copies what keeps orders back to the folder that belongs to a copy of the ledger, and marks the copy: whoever books with it
/// needs that folder. Gives the folder, where there is any such thing. The copy, which has the name `made` until it is proven, is
/// there already: what is said later keeps more back, and not less.
///
/// # Errors
/// The folder of the copy is there already; it cannot be read or written: nothing is left of it then.
pub fn back_up_desk(ledger: &Path, copy: &Path, made: &Path) -> Result<Option<PathBuf>, LedgerError> {
    let (old, new) = (desk_folder(ledger), desk_folder(copy));
    let unmakeable = |source| LedgerError::Unmakeable { path: new.clone(), source };
    if new.symlink_metadata().is_ok() {
        return Err(LedgerError::Taken(new));
    }
    let lock = DeskLock::of(ledger).map_err(unmakeable)?;
    if !has_open(&old) {
        return Ok(None);
    }
    // A copy of a backup that misses its own folder misses it as well, whatever lies there by now.
    let of_copy = sqlite::connect_to(made)?;
    if refuse_without(&of_copy, ledger).is_ok() {
        let name = format!("{:032x}", fastrand::u128(..));
        note_copy(&old, &name).map_err(unmakeable)?;
        is_beside(&of_copy)?;
        of_copy.execute("INSERT INTO desk_copies (name) VALUES (?1)", params![name])?;
    }
    drop(of_copy);
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

/// Sets aside what lies in the folder of another ledger's page, and gives where it lies then. The file `last`, which says whose the
/// rest is, goes last: whoever comes after a crash still finds it, and goes on.
///
/// # Errors
/// Something cannot be moved.
pub fn set_desk_aside(_: &DeskLock, desk: &Path, last: &str) -> io::Result<PathBuf> {
    let mut name = desk.as_os_str().to_owned();
    name.push(format!("-of-{:016x}", fastrand::u64(..)));
    let aside = PathBuf::from(name);
    create_private_folder(&aside.join(DRAFTS))?;
    // Whoever waits for the lock has it open where it is.
    move_entries(&desk.join(DRAFTS), &aside.join(DRAFTS), &[LOCK])?;
    move_entries(desk, &aside, &[DRAFTS, last])?;
    fs::rename(desk.join(last), aside.join(last))?;
    Ok(aside)
}

/// Moves what lies in a folder, but for some names.
fn move_entries(from: &Path, to: &Path, but: &[&str]) -> io::Result<()> {
    let names = fs::read_dir(from)?.map(|entry| entry.map(|own| own.file_name()));
    for name in names.collect::<io::Result<Vec<OsString>>>()? {
        if !but.iter().any(|own| name == **own) {
            fs::rename(from.join(&name), to.join(&name))?;
        }
    }
    Ok(())
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
    place::sync_file(to)
}
