//! The desk's own files, in a folder beside the ledger: for their owner alone.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::app::create_private;
use crate::ledger::{create_private_folder, desk_folder, is_own_folder, open_own_to_read, set_desk_aside};

/// Where uploads lie until they are read.
const INCOMING: &str = "incoming";
/// No upload lasts so long.
const INCOMING_KEPT: Duration = Duration::from_hours(1);

/// The folder of a run, which need not be there.
pub(super) fn of_run(desk: &Path, run: i64) -> PathBuf {
    desk.join("runs").join(run.to_string())
}

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

/// Which ledger the folder is of, once there is one.
const LEDGER: &str = "ledger";

/// Notes which ledger the folder is of, unless it is of another one.
pub(super) fn note_ledger(desk: &Path, identity: &str) -> io::Result<()> {
    let path = desk.join(LEDGER);
    if path.exists() { Ok(()) } else { write(&path, identity) }
}

/// Sets aside what lies in a ledger's folder and is of another one: its runs are strange here. Gives where it
/// lies then.
pub(super) fn leave_to_other(ledger: &Path, identity: &str) -> io::Result<Option<PathBuf>> {
    let desk = desk_folder(ledger);
    let is_of_other = || match open_own_to_read(&desk.join(LEDGER)).and_then(io::read_to_string) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        of => of.map(|of| of != identity),
    };
    if !is_own_folder(&desk)? || !is_of_other()? {
        return Ok(None);
    }
    set_desk_aside(&desk, LEDGER).map(Some)
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

    #[test]
    fn what_is_of_another_ledger_is_set_aside() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = folder.path().join("ledger.sqlite");
        let desk = desk_folder(&ledger);
        prepare(&desk).unwrap();
        assert_eq!(leave_to_other(&ledger, "one").unwrap(), None, "it is not known yet whose it is");
        note_ledger(&desk, "one").unwrap();
        note_ledger(&desk, "other").unwrap();
        assert_eq!(leave_to_other(&ledger, "one").unwrap(), None);
        let (sheet, run) = (desk.join("sheets").join("a1"), of_run(&desk, 3));
        for own in [sheet.join("a.csv"), run.join("runs")] {
            write(&own, "own").unwrap();
        }
        let aside = leave_to_other(&ledger, "other").unwrap().unwrap();
        for gone in ["ledger", "sheets/a1", "runs"] {
            assert!(!desk.join(gone).exists() && aside.join(gone).exists(), "{gone}");
        }
        assert_eq!(leave_to_other(&ledger, "other").unwrap(), None);
    }

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
