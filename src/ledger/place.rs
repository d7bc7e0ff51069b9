//! The ledger's files: where they really are, and for whose eyes.

use std::ffi::OsString;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::error::LedgerError;

/// What stands beside the ledger: the database's own files, the lock, and the spool.
const COMPANIONS: [&str; 4] = ["-wal", "-shm", ".lock", ".spool"];

/// The real place of a ledger: one file has one name, whatever links lead to it. The file need not exist yet.
pub(super) fn resolve(path: &Path) -> io::Result<PathBuf> {
    if path.symlink_metadata().is_ok() {
        return path.canonicalize();
    }
    let name = path.file_name().ok_or_else(|| io::Error::other("the path names no file"))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match folder.canonicalize() {
        Ok(folder) => Ok(folder.join(name)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => std::path::absolute(path),
        Err(error) => Err(error),
    }
}

/// A file beside the ledger.
pub(super) fn beside(ledger: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(ledger);
    name.push(suffix);
    PathBuf::from(name)
}

/// Makes what is missing of folder and file, for their owner only: orders hold names, addresses and phone numbers.
pub(super) fn create_private(path: &Path) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        create_private_folder(folder)?;
    }
    let mut options = OpenOptions::new();
    // Never opens a file that exists: closing a second handle would drop the database's locks in this process.
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// Makes a folder that only its owner can enter, with whatever is missing above it.
pub fn create_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Takes from others what rights they have on a ledger and its companions.
#[cfg(unix)]
pub(super) fn narrow(ledger: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let companions = COMPANIONS.iter().map(|suffix| beside(ledger, suffix));
    for path in std::iter::once(ledger.to_owned()).chain(companions) {
        let Ok(metadata) = fs::metadata(&path) else { continue };
        if metadata.permissions().mode() & 0o077 != 0 {
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;
        }
    }
    Ok(())
}

#[cfg(not(unix))]
pub(super) fn narrow(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Two names of one file have two locks.
#[cfg(unix)]
pub(super) fn refuse_hard_links(path: &Path) -> Result<(), LedgerError> {
    use std::os::unix::fs::MetadataExt;
    let names = fs::metadata(path).map_or(1, |metadata| metadata.nlink());
    if names > 1 { Err(LedgerError::HardLinked { path: path.to_owned(), names }) } else { Ok(()) }
}

#[cfg(not(unix))]
pub(super) fn refuse_hard_links(_: &Path) -> Result<(), LedgerError> {
    Ok(())
}
