//! The desk's own files, in a folder beside the ledger: for their owner alone.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::app::create_private;
use crate::ledger::create_private_folder;

/// Where uploads lie until they are read.
const INCOMING: &str = "incoming";

/// The folder of the desk of a ledger.
pub(super) fn beside(ledger: &Path) -> PathBuf {
    let mut name = ledger.file_name().unwrap_or_default().to_owned();
    name.push(".desk");
    ledger.with_file_name(name)
}

/// The folder of a run, made where it is missing.
pub(super) fn of_run(desk: &Path, run: i64) -> io::Result<PathBuf> {
    let folder = desk.join("runs").join(run.to_string());
    create_private_folder(&folder)?;
    Ok(folder)
}

/// A new file for an upload.
pub(super) fn incoming(desk: &Path) -> io::Result<(PathBuf, File)> {
    let folder = desk.join(INCOMING);
    create_private_folder(&folder)?;
    let path = folder.join(format!("{:016x}", fastrand::u64(..)));
    Ok((path.clone(), create_private(&path)?))
}

/// Writes a small file as a whole, for its owner alone.
pub(super) fn write(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// Takes away uploads that nobody reads any more: those of a desk that is no longer there.
pub(super) fn clear_incoming(desk: &Path) -> io::Result<()> {
    match std::fs::remove_dir_all(desk.join(INCOMING)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_beside_the_ledger_and_for_their_owner() {
        let folder = tempfile::tempdir().unwrap();
        let desk = beside(&folder.path().join("ledger.sqlite"));
        assert_eq!(desk, folder.path().join("ledger.sqlite.desk"));
        let (path, _) = incoming(&desk).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
            assert_eq!((mode(&desk), mode(&path)), (0o700, 0o600));
        }
        clear_incoming(&desk).unwrap();
        assert!(!path.exists());
        clear_incoming(&desk).unwrap();
    }
}
