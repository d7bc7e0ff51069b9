//! The desk's own files, in a folder beside the ledger: for their owner alone.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::app::create_private;
use crate::ledger::create_private_folder;

/// Where uploads lie until they are read.
const INCOMING: &str = "incoming";
/// No upload lasts so long.
const INCOMING_KEPT: Duration = Duration::from_hours(1);

/// The desk's folder, for its owner alone. One that somebody else made, or a link, is refused.
pub(super) fn prepare(desk: &Path) -> io::Result<()> {
    create_private_folder(desk)?;
    let metadata = desk.symlink_metadata()?;
    if !metadata.is_dir() {
        return Err(io::Error::other(format!("{} is no folder of its own", desk.display())));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        if metadata.uid() != rustix::process::geteuid().as_raw() {
            return Err(io::Error::other(format!("{} is a folder of another user", desk.display())));
        }
        if metadata.permissions().mode() & 0o077 != 0 {
            std::fs::set_permissions(desk, std::fs::Permissions::from_mode(0o700))?;
        }
    }
    clear_incoming(desk)
}

/// A new file for an upload.
pub(super) fn incoming(desk: &Path) -> io::Result<(PathBuf, File)> {
    let folder = desk.join(INCOMING);
    create_private_folder(&folder)?;
    let path = folder.join(format!("{:016x}", fastrand::u64(..)));
    Ok((path.clone(), create_private(&path)?))
}

/// A place for a file with this ending that is needed for a moment.
pub(super) fn scratch(desk: &Path, ending: &str) -> io::Result<PathBuf> {
    let folder = desk.join(INCOMING);
    create_private_folder(&folder)?;
    Ok(folder.join(format!("{:016x}.{ending}", fastrand::u64(..))))
}

/// Writes a small file as a whole, for its owner alone.
pub(super) fn write(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    create_private_folder(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// Takes away uploads that nobody reads any more: those of a desk that is no longer there.
fn clear_incoming(desk: &Path) -> io::Result<()> {
    let Ok(entries) = std::fs::read_dir(desk.join(INCOMING)) else { return Ok(()) };
    for path in entries.flatten().map(|entry| entry.path()) {
        // Another desk with this ledger may be receiving one just now.
        let age = path.metadata().and_then(|metadata| metadata.modified()).map(|at| at.elapsed().unwrap_or_default());
        if age.is_ok_and(|age| age > INCOMING_KEPT) {
            if path.is_dir() { std::fs::remove_dir_all(&path) } else { std::fs::remove_file(&path) }?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::desk_folder;

    #[test]
    fn files_are_beside_the_ledger_and_for_their_owner() {
        let folder = tempfile::tempdir().unwrap();
        let desk = desk_folder(&folder.path().join("ledger.sqlite"));
        assert_eq!(desk, folder.path().join("ledger.sqlite.desk"));
        let (path, _) = incoming(&desk).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
            assert_eq!((mode(&desk), mode(&path)), (0o700, 0o600));
        }
        prepare(&desk).unwrap();
        assert!(path.exists(), "another desk may be receiving it");
        let old = std::time::SystemTime::now() - 2 * INCOMING_KEPT;
        File::options().write(true).open(&path).unwrap().set_modified(old).unwrap();
        prepare(&desk).unwrap();
        assert!(!path.exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_is_a_link_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let desk = desk_folder(&folder.path().join("ledger.sqlite"));
        std::os::unix::fs::symlink(folder.path(), &desk).unwrap();
        assert!(prepare(&desk).unwrap_err().to_string().contains("no folder of its own"));
    }
}
