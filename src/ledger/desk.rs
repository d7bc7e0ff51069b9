//! The folder of the local page beside the ledger: labels and other files of runs, and copies of sheets.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::LedgerError;
use super::place::{create_private_folder, desk_folder};

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

/// Files of runs, which go where the ledger goes.
const RUNS: &str = "runs";

/// Takes the folder away from the place that the ledger has left, with its files of runs carried along. Where the new place is on another
/// disk, it stays.
pub(super) fn leave(from: &Path, to: &Path) {
    let (old, new) = (desk_folder(from), desk_folder(to));
    let is_carried = !old.join(RUNS).exists()
        || create_private_folder(&new).and_then(|()| fs::rename(old.join(RUNS), new.join(RUNS))).is_ok();
    if is_carried {
        let _ = fs::remove_dir_all(old);
    }
}
