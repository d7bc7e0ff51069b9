//! The watched folder: what lies where, and that one watcher at a time works on it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use jiff::Timestamp;
use sha2::{Digest, Sha256};

use crate::ledger::Tray;
use crate::text::moment;

use super::look::Found;

/// How the name of a sheet begins that is claimed and not recorded yet.
pub(super) const CLAIM: &str = ".claimed-";
/// Bytes that are read at a time.
const BLOCK: usize = 128 * 1024;

/// Why a folder cannot be watched just now.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// It cannot be read, or nothing can be moved or made in it.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Whoever asks it waits.
    #[error("{} has not answered for {seconds} s: is the share there?", folder.display())]
    Silent {
        /// The folder.
        folder: PathBuf,
        /// For how long.
        seconds: u64,
    },
    /// Another watcher is at it.
    #[error("{} is watched by another shipsheet already ({holder})", folder.display())]
    Watched {
        /// The folder.
        folder: PathBuf,
        /// Who it is.
        holder: String,
    },
    /// Sheets are claimed by a watcher whose ledger is another one.
    #[error(
        "{} holds sheets that a watcher with another ledger took ({holder}): let that one finish them, or move them back yourself", working.display()
    )]
    OtherLedger {
        /// The folder of claimed sheets.
        working: PathBuf,
        /// Who it is.
        holder: String,
    },
}

/// What lies in a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FolderSeen {
    /// Sheets that wait to be taken.
    pub waiting: u64,
    /// When the oldest of them was changed last.
    pub oldest: Option<SystemTime>,
    /// Sheets that are taken and not filed.
    pub working: u64,
}

/// Looks into a folder that a watcher works on, and changes nothing.
///
/// # Errors
/// It is not there, or cannot be read.
pub fn look_into(folder: &Path) -> Result<FolderSeen, FolderError> {
    let folder = Folder::open(folder)?;
    let waiting = folder.waiting()?;
    let working =
        if folder.tray(Tray::Working).exists() { (folder.claims()?.len() + folder.working()?.len()) as u64 } else { 0 };
    let oldest = waiting.iter().filter_map(|found| found.changed).min();
    Ok(FolderSeen { waiting: waiting.len() as u64, oldest, working })
}

/// A watched folder.
#[derive(Debug, Clone)]
pub(super) struct Folder {
    root: PathBuf,
}

/// Held while a watcher works on a folder.
#[derive(Debug)]
pub(super) struct FolderLock {
    _file: File,
}

impl Folder {
    pub(super) fn open(root: &Path) -> Result<Self, FolderError> {
        let failed = |source| FolderError::Io { path: root.to_owned(), source };
        let root = root.canonicalize().map_err(failed)?;
        if root.is_dir() { Ok(Self { root }) } else { Err(failed(io::ErrorKind::NotADirectory.into())) }
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Where sheets of a tray lie; those that are gone lay in `working`.
    pub(super) fn tray(&self, tray: Tray) -> PathBuf {
        match tray {
            Tray::Inbox => self.root.clone(),
            Tray::Gone => self.tray(Tray::Working),
            tray => self.root.join(tray.as_str()),
        }
    }

    /// A path as people read it in this folder.
    pub(super) fn shown(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).display().to_string()
    }

    /// Makes the folders for sheets, readable by whoever can read the watched one.
    pub(super) fn prepare(&self) -> Result<(), FolderError> {
        for tray in [Tray::Working, Tray::Done, Tray::Attention, Tray::Failed] {
            let path = self.tray(tray);
            match std::fs::create_dir(&path) {
                Ok(()) => copy_permissions(&self.root, &path),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => {}
                Err(source) => return Err(FolderError::Io { path, source }),
            }
        }
        Ok(())
    }

    /// Keeps every other watcher away for as long as the lock is held; `ledger` says whose claimed sheets are.
    pub(super) fn lock(&self, ledger: &str, station: &str) -> Result<FolderLock, FolderError> {
        let path = self.tray(Tray::Working).join(".lock");
        let failed = |source| FolderError::Io { path: path.clone(), source };
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = opened.map_err(failed)?;
        let is_held = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
        let mut said = String::new();
        let read = file.read_to_string(&mut said);
        let (whose, holder) = said.split_once('\n').unwrap_or_default();
        let holder = holder.trim().to_owned();
        if is_held {
            return Err(FolderError::Watched { folder: self.root.clone(), holder });
        }
        read.map_err(failed)?;
        // Where a share knows no locks, two watchers still never claim one sheet, nor work on each other's.
        if whose != ledger && !whose.is_empty() && !self.is_idle()? {
            return Err(FolderError::OtherLedger { working: self.tray(Tray::Working), holder });
        }
        let since = moment(Timestamp::now().as_millisecond());
        let own = format!("{ledger}\n{station}, process {}, since {since}\n", std::process::id());
        let written = file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(own.as_bytes()));
        written.map_err(failed)?;
        Ok(FolderLock { _file: file })
    }

    /// The sheets that wait to be taken, by name.
    pub(super) fn waiting(&self) -> Result<Vec<Found>, FolderError> {
        self.sheets(Tray::Inbox)
    }

    /// The names of the sheets that are claimed.
    pub(super) fn working(&self) -> Result<Vec<String>, FolderError> {
        Ok(self.sheets(Tray::Working)?.into_iter().map(|found| found.name).collect())
    }

    /// The sheets that are claimed and not recorded yet.
    pub(super) fn claims(&self) -> Result<Vec<PathBuf>, FolderError> {
        let path = self.tray(Tray::Working);
        let failed = |source| FolderError::Io { path: path.clone(), source };
        let entries = std::fs::read_dir(&path).and_then(Iterator::collect::<io::Result<Vec<_>>>).map_err(failed)?;
        let is_claim = |entry: &std::fs::DirEntry| entry.file_name().to_string_lossy().starts_with(CLAIM);
        let mut claims: Vec<PathBuf> =
            entries.iter().filter(|entry| is_claim(entry)).map(std::fs::DirEntry::path).collect();
        claims.sort();
        Ok(claims)
    }

    /// Whether no sheet is claimed or worked on.
    pub(super) fn is_idle(&self) -> Result<bool, FolderError> {
        Ok(self.claims()?.is_empty() && self.working()?.is_empty())
    }

    fn sheets(&self, tray: Tray) -> Result<Vec<Found>, FolderError> {
        let path = self.tray(tray);
        let failed = |source| FolderError::Io { path: path.clone(), source };
        let mut sheets = Vec::new();
        for entry in std::fs::read_dir(&path).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            // A name that is no text finds no file later, which is told.
            let name = entry.file_name().to_string_lossy().into_owned();
            // What vanishes meanwhile is no sheet; links lead elsewhere, and folders hold what is filed.
            let Ok(metadata) = entry.metadata() else { continue };
            if metadata.is_file() && !is_passed_over(&name) {
                sheets.push(Found { name, bytes: metadata.len(), changed: metadata.modified().ok() });
            }
        }
        sheets.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(sheets)
    }

    /// The file by which an office program says that it has this sheet open.
    pub(super) fn held_by(&self, name: &str) -> Option<String> {
        let shortened: String = name.chars().skip(2).collect();
        let marks = [format!(".~lock.{name}#"), format!("~${name}"), format!("~${shortened}")];
        marks.into_iter().find(|mark| self.root.join(mark).exists())
    }

    /// The first free path for a name in a tray.
    pub(super) fn free(&self, tray: Tray, name: &str) -> PathBuf {
        let (stem, extension) = parts(name);
        let numbered = (2_u32..).map(|number| format!("{stem}.{number}{extension}"));
        let names = std::iter::once(name.to_owned()).chain(numbered);
        let mut paths = names.map(|name| self.tray(tray).join(name));
        paths.find(|path| path.symlink_metadata().is_err()).unwrap_or_default()
    }
}

/// A file name before its extension, and the extension with its dot.
pub(super) fn parts(name: &str) -> (&str, &str) {
    name.rfind('.').filter(|at| *at > 0).map_or((name, ""), |at| name.split_at(at))
}

/// Files that are no sheets, or not yet: of office programs, of copies under way, hidden ones.
fn is_passed_over(name: &str) -> bool {
    let lower = name.to_lowercase();
    let is_unfinished = [".tmp", ".part", ".partial", ".crdownload"].iter().any(|ending| lower.ends_with(ending));
    name.starts_with('.') || name.starts_with("~$") || is_unfinished
}

/// Whether some program could still write to a file. Elsewhere than on Windows nothing tells.
#[cfg(windows)]
pub(super) fn is_open_elsewhere(path: &Path) -> bool {
    use std::os::windows::fs::OpenOptionsExt;
    /// The system's number for a file that another program has open.
    const SHARING_VIOLATION: i32 = 32;
    let opened = OpenOptions::new().read(true).write(true).share_mode(0).open(path);
    opened.is_err_and(|error| error.raw_os_error() == Some(SHARING_VIOLATION))
}

/// Whether some program could still write to a file. Elsewhere than on Windows nothing tells.
#[cfg(not(windows))]
pub(super) const fn is_open_elsewhere(_: &Path) -> bool {
    false
}

/// Reads a file to its end: how many bytes it has, and their SHA-256.
pub(super) fn digest(path: &Path) -> Result<(u64, [u8; 32]), FolderError> {
    let failed = |source| FolderError::Io { path: path.to_owned(), source };
    let mut file = File::open(path).map_err(failed)?;
    let (mut hash, mut block, mut bytes) = (Sha256::new(), vec![0; BLOCK], 0);
    loop {
        let read = file.read(&mut block).map_err(failed)?;
        if read == 0 {
            return Ok((bytes, hash.finalize().into()));
        }
        hash.update(&block[..read]);
        bytes += read as u64;
    }
}

/// Moves a file to where nothing is, in one step.
pub(super) fn move_to(from: &Path, to: &Path) -> Result<(), FolderError> {
    renamed(from, to).map_err(|source| FolderError::Io { path: from.to_owned(), source })
}

fn renamed(from: &Path, to: &Path) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        use rustix::io::Errno;
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            // Some shares cannot: there the name, which is nobody else's, has to do.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
            moved => return moved.map_err(Into::into),
        }
    }
    if to.symlink_metadata().is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    std::fs::rename(from, to)
}

/// Lets whoever could read the one read the other, where that can be done.
pub(super) fn copy_permissions(from: &Path, to: &Path) {
    if let Ok(metadata) = from.metadata() {
        let _ = std::fs::set_permissions(to, metadata.permissions());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_sheet_is_passed_over() {
        let passed = ["~$a.xlsx", ".~lock.a.ods#", "a.csv.tmp", "a.CSV.part", ".hidden.csv", "a.xlsx.crdownload"];
        assert!(passed.iter().all(|name| is_passed_over(name)));
        assert!(["a.csv", "tmp.csv", "a~b.xlsx", "a.pdf", "part"].iter().all(|name| !is_passed_over(name)));
    }

    #[test]
    fn nothing_is_moved_over_something() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (folder.path().join("one"), folder.path().join("other"));
        std::fs::write(&one, "1").unwrap();
        std::fs::write(&other, "2").unwrap();
        assert!(move_to(&one, &other).is_err());
        assert_eq!(std::fs::read_to_string(&other).unwrap(), "2");
        let free = Folder::open(folder.path()).unwrap().free(Tray::Inbox, "other");
        move_to(&one, &free).unwrap();
        assert_eq!(free.file_name().unwrap(), "other.2");
    }
}
