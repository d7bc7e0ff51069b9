//! Where tests put their files.

use std::path::PathBuf;

use tempfile::TempDir;

/// Bytes that all tests which run at a time may need together.
#[cfg(target_os = "linux")]
const ROOM: u64 = 3 << 30;

/// Where files go that nobody keeps: into memory, where enough of it is given to files, and programs in it may be started.
/// Nothing waits for a disk there; what is said of a disk that fails or fills up is said of one that a test makes.
#[cfg(target_os = "linux")]
pub(crate) fn spacious() -> PathBuf {
    let memory = std::path::Path::new("/dev/shm");
    let is_good = rustix::fs::statvfs(memory).is_ok_and(|found| {
        let starts_programs = !found.f_flag.contains(rustix::fs::StatVfsMountFlags::NOEXEC);
        starts_programs && found.f_bavail.saturating_mul(found.f_frsize) >= ROOM
    });
    if is_good { memory.to_owned() } else { std::env::temp_dir() }
}

/// Where files go that nobody keeps.
#[cfg(not(target_os = "linux"))]
pub(crate) fn spacious() -> PathBuf {
    std::env::temp_dir()
}

/// A folder there, which goes with this value.
pub(crate) fn folder() -> TempDir {
    tempfile::tempdir_in(spacious()).unwrap()
}
