//! Temporary files that nobody else can read, and that leave nothing behind.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

/// A temporary file, readable by its owner only. Where the system lets it be opened again without its name, it has none:
/// whatever ends this process, what people have in their sheets is gone with it.
#[derive(Debug)]
pub(super) struct Private {
    file: File,
    path: PathBuf,
    /// Takes the file away on drop where it has a name.
    _name: Option<TempPath>,
}

impl Private {
    /// A new, empty one.
    pub(super) fn new() -> io::Result<Self> {
        let (file, name) = NamedTempFile::with_prefix("shipsheet-")?.into_parts();
        if let Some(path) = nameless(&file) {
            name.close()?;
            return Ok(Self { file, path, _name: None });
        }
        Ok(Self { file, path: name.to_path_buf(), _name: Some(name) })
    }

    /// Where it can be opened, by this process and by those that it starts.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The file as it was made, to write to.
    pub(super) const fn file_mut(&mut self) -> &mut File {
        &mut self.file
    }

    /// The file from its start, with a place of its own in it.
    pub(super) fn reopen(&self) -> io::Result<File> {
        File::options().read(true).write(true).open(&self.path)
    }
}

/// A path to an open file that holds without its name.
#[cfg(target_os = "linux")]
fn nameless(file: &File) -> Option<PathBuf> {
    use std::os::fd::AsRawFd;
    let path = PathBuf::from(format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd()));
    File::options().read(true).write(true).open(&path).is_ok().then_some(path)
}

#[cfg(not(target_os = "linux"))]
const fn nameless(_: &File) -> Option<PathBuf> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};

    #[test]
    fn it_is_read_from_its_start_again_and_again() {
        let mut private = Private::new().unwrap();
        private.file_mut().write_all(b"orders").unwrap();
        for _ in 0..2 {
            let mut text = String::new();
            private.reopen().unwrap().read_to_string(&mut text).unwrap();
            assert_eq!(text, "orders");
            assert_eq!(std::fs::read(private.path()).unwrap(), b"orders");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn nothing_is_left_in_the_folder() {
        let private = Private::new().unwrap();
        let target = std::fs::read_link(private.path()).unwrap();
        assert!(target.to_string_lossy().ends_with("(deleted)") && private.path().exists(), "{target:?}");
    }
}
