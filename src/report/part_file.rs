//! A file that appears whole or not at all.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::results::ResultsError;

/// A file's place, made sure of: what is written goes beside it until it is complete.
///
/// Only its owner can read it. Dropped before it is complete, nothing is left.
#[derive(Debug)]
pub(super) struct PartFile {
    path: PathBuf,
    part: PathBuf,
    file: Option<File>,
}

impl PartFile {
    /// Makes sure that a file can be written there.
    pub(super) fn prepare(path: &Path) -> Result<Self, ResultsError> {
        let unwritable = |source| ResultsError::Unwritable { path: path.to_owned(), source };
        if path.is_dir() {
            return Err(unwritable(io::ErrorKind::IsADirectory.into()));
        }
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".part");
        let part = path.with_file_name(name);
        let file = create_private(&part).map_err(unwritable)?;
        Ok(Self { path: path.to_owned(), part, file: Some(file) })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The file to write into; it can be had once.
    pub(super) fn take(&mut self) -> Result<File, ResultsError> {
        self.file.take().ok_or_else(|| self.unwritable(io::ErrorKind::AlreadyExists.into()))
    }

    /// Puts what was written in its place.
    pub(super) fn complete(self) -> Result<(), ResultsError> {
        std::fs::rename(&self.part, &self.path).map_err(|source| self.unwritable(source))
    }

    pub(super) fn unwritable(&self, source: io::Error) -> ResultsError {
        ResultsError::Unwritable { path: self.path.clone(), source }
    }
}

/// Writes a file as a whole, for its owner alone.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), ResultsError> {
    let mut part = PartFile::prepare(path)?;
    part.take()?.write_all(bytes).map_err(|source| part.unwritable(source))?;
    part.complete()
}

impl Drop for PartFile {
    fn drop(&mut self) {
        // What is left of a failed export helps nobody; after a rename nothing is there.
        let _ = std::fs::remove_file(&self.part);
    }
}

fn create_private(path: &Path) -> io::Result<File> {
    // One left by a crash, or somebody's link, is not written through.
    let _ = std::fs::remove_file(path);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
