//! The ledger's files: where they really are, whose they are, and for whose eyes.

use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::error::LedgerError;

/// What stands beside the ledger: the database's own files, the lock, and the spool.
const COMPANIONS: [&str; 5] = ["-wal", "-shm", "-journal", ".lock", ".spool"];

/// Those that belong to the database itself and hold a part of it.
const OF_DATABASE: [&str; 3] = ["-wal", "-shm", "-journal"];

/// A file that stands where one of the program's own should be.
#[derive(Debug, thiserror::Error)]
#[error("it is {0} and not a file of this program; find out who put it there, and remove it")]
struct NotOurs(String);

/// The real place of a ledger: one file has one name, whatever links lead to it. Neither the file nor its folders need
/// to exist yet.
pub(super) fn resolve(path: &Path) -> io::Result<PathBuf> {
    if path.symlink_metadata().is_ok() {
        return path.canonicalize();
    }
    let name = path.file_name().ok_or_else(|| io::Error::other("the path names no file"))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match folder.canonicalize() {
        Ok(folder) => Ok(folder.join(name)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let path = std::path::absolute(path)?;
            // A link above what is missing, or a letter that stands for a share, leads elsewhere today already.
            let real = |folder: &Path| Some(folder.canonicalize().ok()?.join(path.strip_prefix(folder).ok()?));
            let resolved = path.ancestors().skip(1).find_map(real);
            Ok(resolved.unwrap_or(path))
        }
        Err(error) => Err(error),
    }
}

/// A file beside the ledger.
pub(super) fn beside(ledger: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(ledger);
    name.push(suffix);
    PathBuf::from(name)
}

/// The folder of the local page beside a ledger: beside its real place, whatever path or link leads to it.
#[must_use]
pub fn desk_folder(ledger: &Path) -> PathBuf {
    beside(&resolve(ledger).unwrap_or_else(|_| ledger.to_owned()), ".desk")
}

/// Whether a ledger stands here; an empty file is none.
pub(super) fn is_there(ledger: &Path) -> bool {
    fs::metadata(ledger).is_ok_and(|metadata| metadata.len() > 0)
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

/// Brings a file that others wrote and closed onto the disk. Windows does that only for a handle that may write.
pub(super) fn sync_file(path: &Path) -> io::Result<()> {
    OpenOptions::new().read(true).write(cfg!(windows)).open(path)?.sync_all()
}

/// Brings the names in a folder onto the disk, where the system does that at all; Windows opens no folder for it.
pub fn sync_folder(folder: &Path) {
    if !cfg!(windows) {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}

/// Opens a file of the program's own to read and write, and makes it where there is none. What a link leads to, or what
/// somebody else put there, is refused and not touched.
pub(crate) fn open_own(path: &Path) -> io::Result<File> {
    create_private(path)?;
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    open_checked(path, &mut options)
}

/// Opens a file of the program's own to read.
///
/// # Errors
/// There is none, it is a link or no plain file, or somebody else made it.
pub fn open_own_to_read(path: &Path) -> io::Result<File> {
    open_checked(path, OpenOptions::new().read(true))
}

fn open_checked(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    refuse_foreign(path, &path.symlink_metadata()?)?;
    without_following(options);
    let file = options.open(path)?;
    // Looked at again: the file may have been replaced in between.
    refuse_foreign(path, &file.metadata()?)?;
    Ok(file)
}

/// Opens no symbolic link, and waits for nobody at a pipe.
#[cfg(unix)]
pub(crate) fn without_following(options: &mut OpenOptions) {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits();
    options.custom_flags(flags.cast_signed());
}

#[cfg(not(unix))]
pub(crate) fn without_following(_: &mut OpenOptions) {}

/// Refuses what the program did not make itself.
fn refuse_foreign(path: &Path, metadata: &Metadata) -> io::Result<()> {
    let refused = |what: &str| Err(io::Error::other(NotOurs(what.to_owned())));
    if metadata.is_symlink() {
        return refused("a symbolic link");
    }
    if !metadata.is_file() {
        return refused("no regular file");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if metadata.nlink() > 1 {
            return refused("a file with several names (hard links)");
        }
        // Whoever owns the folder could put anything there anyway.
        let of_folder = || path.parent().and_then(|folder| fs::metadata(folder).ok()).map(|folder| folder.uid());
        if metadata.uid() != rustix::process::geteuid().as_raw() && of_folder() != Some(metadata.uid()) {
            return refused(&format!("a file of another user (number {})", metadata.uid()));
        }
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

/// Refuses a ledger that is no regular file, and companions that the program did not make.
pub(super) fn refuse_planted(ledger: &Path) -> Result<(), LedgerError> {
    look_at(ledger, &COMPANIONS)
}

/// The same for whoever only reads: lock and spool are not touched then.
pub(super) fn refuse_planted_database(ledger: &Path) -> Result<(), LedgerError> {
    look_at(ledger, &OF_DATABASE)
}

fn look_at(ledger: &Path, suffixes: &[&str]) -> Result<(), LedgerError> {
    if ledger.symlink_metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Err(LedgerError::NotALedger(ledger.to_owned()));
    }
    for path in suffixes.iter().map(|suffix| beside(ledger, suffix)) {
        let Ok(metadata) = path.symlink_metadata() else { continue };
        refuse_foreign(&path, &metadata)
            .map_err(|error| LedgerError::NotOurs { path: path.clone(), reason: error.to_string() })?;
    }
    Ok(())
}

/// What the database keeps beside a ledger: with another file in the ledger's place it would be taken for a part of it.
pub(super) fn rest_of_database(ledger: &Path) -> Option<PathBuf> {
    OF_DATABASE.iter().map(|suffix| beside(ledger, suffix)).find(|path| path.symlink_metadata().is_ok())
}

/// The ledger and its companions that others have rights on.
#[cfg(unix)]
fn wide(ledger: &Path) -> Vec<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    let companions = COMPANIONS.iter().map(|suffix| beside(ledger, suffix));
    let mut paths: Vec<PathBuf> = std::iter::once(ledger.to_owned()).chain(companions).collect();
    paths.retain(|path| {
        path.symlink_metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o077 != 0)
    });
    paths
}

/// Whether others have rights on a ledger or its companions.
#[cfg(unix)]
pub(super) fn is_wide(ledger: &Path) -> bool {
    !wide(ledger).is_empty()
}

#[cfg(not(unix))]
pub(super) fn is_wide(_: &Path) -> bool {
    false
}

/// Takes from others what rights they have on a ledger and its companions. To be called while this process has no
/// connection to the ledger: closing a handle of the file would drop the connection's locks.
#[cfg(unix)]
pub(super) fn narrow(ledger: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    for path in wide(ledger) {
        // By the handle: whatever stands under the name a moment later keeps its rights.
        open_own_to_read(&path)?.set_permissions(fs::Permissions::from_mode(0o600))?;
    }
    Ok(())
}

#[cfg(not(unix))]
pub(super) fn narrow(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Two names of one file have two logs and two spools.
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
