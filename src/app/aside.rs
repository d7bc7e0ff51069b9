//! What is in the way is moved aside, and never overwritten.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// The first free name beside a file, by its number from 1 on; none where thousands are taken.
pub(super) fn free_beside(path: &Path, name: impl Fn(u32) -> String) -> Option<PathBuf> {
    let mut paths = (1..10_000).map(|number| path.with_file_name(name(number)));
    // A link that leads nowhere is there as well.
    paths.find(|path| path.symlink_metadata().is_err())
}

/// Makes a file that was not there, for its owner alone; a link is not followed.
pub fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
