//! The watched folder: what lies where, and that one watcher at a time works on it.

use std::fs::{File, FileType, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use jiff::Timestamp;
use sha2::{Digest, Sha256};

use crate::ledger::{Tray, open_own, open_own_to_read, without_following};
use crate::text::moment;

use super::look::Found;

/// How the name of a sheet begins that is claimed and not recorded yet.
pub(super) const CLAIM: &str = ".claimed-";
/// The longest name that file systems take, in bytes.
const NAME_MAX: usize = 255;
/// The longest ending of a name that is an extension, in bytes with its dot.
const EXTENSION_MAX: usize = 16;
/// Room for the number of a name that is taken already.
const NUMBER_ROOM: usize = ".99999".len();
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
    /// One file in it cannot be read, moved or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderSeen {
    /// Sheets that wait to be taken.
    pub waiting: u64,
    /// When the oldest of them was changed last.
    pub oldest: Option<SystemTime>,
    /// Sheets that are taken and not filed.
    pub working: u64,
    /// What lies among the sheets and cannot be one, but for folders: its name, and what it is.
    pub strange: Vec<(String, &'static str)>,
    /// The folders that files are moved in: the watched one, and those of its trays that are there.
    pub folders: Vec<PathBuf>,
}

/// Looks into a folder that a watcher works on, and changes nothing.
///
/// # Errors
/// It is not there, or cannot be read; what should be its lock is another file.
pub fn look_into(folder: &Path) -> Result<FolderSeen, FolderError> {
    let folder = Folder::open(folder)?;
    let waiting = folder.waiting()?;
    let trays = TRAYS.map(|tray| folder.tray(tray)).into_iter().filter(|path| is_folder(path));
    let folders = std::iter::once(folder.root.clone()).chain(trays).collect();
    let mut strange = folder.strange(Tray::Inbox)?;
    let mut working = 0;
    if is_folder(&folder.tray(Tray::Working)) {
        working = (folder.claims()?.len() + folder.working()?.len()) as u64;
        strange.extend(folder.strange(Tray::Working)?);
        let lock = folder.lock_path();
        if lock.symlink_metadata().is_ok() {
            open_own_to_read(&lock).map_err(|source| FolderError::File { path: lock, source })?;
        }
    }
    strange.retain(|(_, what)| *what != A_FOLDER);
    let oldest = waiting.iter().filter_map(|found| found.changed).min();
    Ok(FolderSeen { waiting: waiting.len() as u64, oldest, working, strange, folders })
}

/// The folders for sheets within the watched one.
const TRAYS: [Tray; 4] = [Tray::Working, Tray::Done, Tray::Attention, Tray::Failed];

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

    /// Makes the folders for sheets, readable by whoever can read the watched one. A file or a link of such a name gives way:
    /// it may be a sheet.
    pub(super) fn prepare(&self) -> Result<(), FolderError> {
        std::fs::read_dir(&self.root).map_err(|source| FolderError::Io { path: self.root.clone(), source })?;
        for tray in TRAYS {
            let path = self.tray(tray);
            if is_folder(&path) {
                continue;
            }
            let failed = |source| FolderError::Io { path: path.clone(), source };
            if path.symlink_metadata().is_ok() {
                renamed(&path, &self.free(Tray::Inbox, tray.as_str())).map_err(failed)?;
            }
            std::fs::create_dir(&path).map_err(failed)?;
            copy_permissions(&self.root, &path);
        }
        Ok(())
    }

    /// Keeps every other watcher away for as long as the lock is held; `ledger` says whose claimed sheets are.
    pub(super) fn lock(&self, ledger: &str, station: &str) -> Result<FolderLock, FolderError> {
        let path = self.lock_path();
        let failed = |source| FolderError::Io { path: path.clone(), source };
        let mut file = open_own(&path).map_err(failed)?;
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

    fn lock_path(&self) -> PathBuf {
        self.tray(Tray::Working).join(".lock")
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
        let is_claim = |entry: &std::fs::DirEntry| {
            entry.file_name().to_string_lossy().starts_with(CLAIM) && entry.file_type().is_ok_and(|kind| kind.is_file())
        };
        let mut claims: Vec<PathBuf> =
            entries.iter().filter(|entry| is_claim(entry)).map(std::fs::DirEntry::path).collect();
        claims.sort();
        Ok(claims)
    }

    /// Whether no sheet is claimed or worked on.
    pub(super) fn is_idle(&self) -> Result<bool, FolderError> {
        Ok(self.claims()?.is_empty() && self.working()?.is_empty())
    }

    /// What lies among the sheets and cannot be one: its name as people read it, and what it is. Links are never followed.
    pub(super) fn strange(&self, tray: Tray) -> Result<Vec<(String, &'static str)>, FolderError> {
        let path = self.tray(tray);
        let failed = |source| FolderError::Io { path: path.clone(), source };
        let mut strange = Vec::new();
        for entry in std::fs::read_dir(&path).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let Ok(kind) = entry.file_type() else { continue };
            let is_own = tray == Tray::Inbox && kind.is_dir() && TRAYS.iter().any(|tray| tray.as_str() == name);
            let is_told = name.starts_with(CLAIM) || !is_passed_over(&name);
            if let Some(what) = what_it_is(kind).filter(|_| is_told && !is_own) {
                strange.push((self.shown(&entry.path()), what));
            }
        }
        strange.sort();
        Ok(strange)
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
        free_name("", stem, &[extension], |name| self.tray(tray).join(name).symlink_metadata().is_err())
            .map_or_else(PathBuf::new, |base| self.tray(tray).join(format!("{base}{extension}")))
    }
}

/// The first name of which no file is there yet with any of these endings, without its ending: `before`, and as much of the
/// stem as fits into the name of a file. Line ends and other controls are no part of it.
pub(super) fn free_name(before: &str, stem: &str, endings: &[&str], is_free: impl Fn(&str) -> bool) -> Option<String> {
    let plain = |text: &str| text.replace(char::is_control, "_");
    let (before, stem) = (plain(before), plain(stem));
    let longest = endings.iter().map(|ending| ending.len()).max().unwrap_or(0);
    let room = NAME_MAX.saturating_sub(before.len() + longest + NUMBER_ROOM);
    let first = format!("{before}{}", &stem[..stem.floor_char_boundary(room)]);
    let others = (2_u32..).map(|number| format!("{first}.{number}"));
    std::iter::once(first.clone())
        .chain(others)
        .find(|base| endings.iter().all(|ending| is_free(&format!("{base}{ending}"))))
}

/// A file name before its extension, and the extension with its dot.
pub(super) fn parts(name: &str) -> (&str, &str) {
    let is_extension =
        |at: &usize| *at > 0 && name.len() - at <= EXTENSION_MAX && !name[*at..].contains(char::is_control);
    name.rfind('.').filter(is_extension).map_or((name, ""), |at| name.split_at(at))
}

/// Whether a folder itself is there, and no link to one.
fn is_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir())
}

pub(super) const A_FOLDER: &str = "a folder";

/// What cannot be a sheet.
fn what_it_is(kind: FileType) -> Option<&'static str> {
    match kind {
        kind if kind.is_file() => None,
        kind if kind.is_dir() => Some(A_FOLDER),
        kind if kind.is_symlink() => Some("a link"),
        _ => Some("a pipe or a device"),
    }
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

/// Opens a file itself, and nothing that a link leads to; a pipe is not waited for.
fn open_plain(path: &Path) -> io::Result<File> {
    let refused = |what: &str| Err(io::Error::other(format!("it is {what} and no sheet")));
    if let Some(what) = what_it_is(path.symlink_metadata()?.file_type()) {
        return refused(what);
    }
    let mut options = OpenOptions::new();
    options.read(true);
    without_following(&mut options);
    let file = options.open(path)?;
    what_it_is(file.metadata()?.file_type()).map_or(Ok(file), refused)
}

/// Reads a file to its end: how many bytes it has, and their SHA-256.
pub(super) fn digest(path: &Path) -> Result<(u64, [u8; 32]), FolderError> {
    let failed = |source| FolderError::File { path: path.to_owned(), source };
    let mut file = open_plain(path).map_err(failed)?;
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
    renamed(from, to).map_err(|source| FolderError::File { path: from.to_owned(), source })
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

/// Lets whoever could read or write the one do the same with the other, where that can be done; nothing that a file of the
/// program's own makes run goes along.
#[cfg(unix)]
pub(super) fn copy_permissions(from: &Path, to: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let Ok(metadata) = from.symlink_metadata() else { return };
    // Folders hand their group on, and keep others from deleting what is not theirs.
    let (least, allowed) = if metadata.is_dir() { (0o700, 0o3777) } else { (0o600, 0o666) };
    let mode = metadata.permissions().mode() & allowed | least;
    let mut options = OpenOptions::new();
    options.read(true);
    without_following(&mut options);
    let _ = options.open(to).and_then(|own| own.set_permissions(std::fs::Permissions::from_mode(mode)));
}

/// Elsewhere what is made in a folder has the rights of that folder.
#[cfg(not(unix))]
pub(super) fn copy_permissions(_: &Path, _: &Path) {}

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
    fn a_name_is_shortened_to_what_file_systems_take() {
        let devanagari = "\u{905}".repeat(83);
        for stem in [devanagari.as_str(), &"a".repeat(255), "a"] {
            let base = free_name("20261129-021500-host-run7-", stem, &[".csv", ".results.csv"], |_| true).unwrap();
            assert!(base.len() + ".results.csv".len() <= NAME_MAX, "{base}");
            assert!(stem.starts_with(base.split_once("run7-").unwrap().1), "{base}");
        }
        assert_eq!(free_name("", "a\nb", &[".csv"], |name| name != "a_b.csv"), Some("a_b.2".to_owned()));
        assert_eq!(parts("a.csv"), ("a", ".csv"));
        let sentence = format!("no. {}", "x".repeat(250));
        assert_eq!(parts(&sentence), (sentence.as_str(), ""));
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
