//! The folder of the local page beside the ledger: files of its runs, and copies of sheets. It goes where the ledger goes.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::LedgerError;
use super::place::{self, create_private_folder, desk_folder};

/// Says in a folder that was brought here where it came from, until the ledger has followed.
const FROM: &str = "moved-from";
/// Where open sheets and courier's statements lay before the ledger had them.
const BEFORE: [&str; 2] = ["drafts", "statement"];

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

/// Refuses a ledger beside which sheets or statements lie that were open in an earlier version: what they keep back would be sent.
pub(super) fn refuse_before(ledger: &Path) -> Result<(), LedgerError> {
    let desk = desk_folder(ledger);
    let is_kept = |entry: fs::DirEntry| !entry.file_name().to_string_lossy().starts_with('.');
    let has_any = |folder: &PathBuf| match fs::read_dir(folder) {
        Ok(entries) => entries.flatten().any(is_kept),
        // One that cannot be listed may hold anything.
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    };
    match BEFORE.map(|name| desk.join(name)).into_iter().find(has_any) {
        Some(folder) => Err(LedgerError::OpenBefore { folder }),
        None => Ok(()),
    }
}

/// Copies the folder to the place where the ledger goes, before it goes there: at whatever step a move ends, it lies beside the
/// ledger.
pub(super) fn copy(from: &Path, to: &Path) -> Result<(), LedgerError> {
    let (old, new) = (desk_folder(from), desk_folder(to));
    if old.symlink_metadata().is_err() {
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
pub(super) fn leave(from: &Path, to: &Path) {
    let (old, new) = (desk_folder(from), desk_folder(to));
    let came_from = fs::read_to_string(new.join(FROM)).ok();
    if came_from.is_some_and(|own| Path::new(&own) == old) {
        // What is left in the old place is beside no ledger any more.
        let _ = remove(&old).and_then(|()| fs::remove_file(new.join(FROM)));
    }
}

/// Sets aside what lies in the folder of another ledger's page, and gives where it lies then. The file `last`, which says whose the
/// rest is, goes last: whoever comes after a crash still finds it, and goes on.
///
/// # Errors
/// Something cannot be moved.
pub fn set_desk_aside(desk: &Path, last: &str) -> io::Result<PathBuf> {
    let mut name = desk.as_os_str().to_owned();
    name.push(format!("-of-{:016x}", fastrand::u64(..)));
    let aside = PathBuf::from(name);
    create_private_folder(&aside)?;
    let names = fs::read_dir(desk)?.map(|entry| entry.map(|own| own.file_name()));
    for name in names.collect::<io::Result<Vec<OsString>>>()?.iter().filter(|name| **name != *last) {
        fs::rename(desk.join(name), aside.join(name))?;
    }
    fs::rename(desk.join(last), aside.join(last))?;
    Ok(aside)
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
            fs::copy(entry.path(), &to)?;
            place::sync_file(&to)?;
        }
    }
    Ok(())
}
