//! What was told last, and when the last night was: a file beside the ledger.
//!
//! It is no part of the ledger: an alert must go out as well where the ledger cannot be read or written, and what was told is
//! no evidence. Where it is lost, an alert comes once more.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::ledger::create_private_folder;

use super::notice::ToldLate;

/// What is kept.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Kept {
    /// When the last night began, epoch milliseconds.
    pub began_ms: Option<i64>,
    /// When the last night ended, or a watcher that goes on showed its last sign of life.
    pub ended_ms: Option<i64>,
    /// When the last one ended without anything left to do.
    pub succeeded_ms: Option<i64>,
    /// How the last one ended, as an exit code.
    pub exit: Option<u8>,
    /// What each target was told last, by its name.
    pub told: BTreeMap<String, LastTold>,
    /// Alerts that did not arrive yet, by the name of the target, the oldest first.
    pub untold: BTreeMap<String, Vec<Untold>>,
}

/// An alert that did not arrive, as a person would have read it: like every alert it has nothing about people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Untold {
    /// The alert.
    #[serde(flatten)]
    pub alert: ToldLate,
    /// The standing of that time, as in [`LastTold`].
    pub standing: String,
    /// The news of that time, as in [`LastTold`].
    pub news: Option<String>,
    /// Whether it told of something that lasts until it is over.
    pub is_lasting: bool,
    /// How many older ones were left out in favour of it.
    #[serde(default)]
    pub unnamed: u64,
}

/// What a target was told last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastTold {
    /// A hash of what stood then until it is over: orders in doubt, sheets left in the folder.
    pub standing: String,
    /// A hash of the last thing that had happened: sheets, causes.
    pub news: Option<String>,
    /// When, epoch milliseconds.
    pub at_ms: i64,
    /// Whether it told of something that lasts until it is over.
    pub is_lasting: bool,
}

/// Where it is kept, for a ledger.
#[must_use]
pub fn path(ledger: &Path) -> PathBuf {
    let mut name = ledger.canonicalize().unwrap_or_else(|_| ledger.to_owned()).into_os_string();
    name.push(".notify");
    PathBuf::from(name)
}

impl Kept {
    /// What is kept for a ledger; nothing where there is no such file, or none that can be read.
    #[must_use]
    pub fn read(ledger: &Path) -> Self {
        let text = std::fs::read(path(ledger)).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }

    pub(super) fn write(&self, ledger: &Path) -> io::Result<()> {
        let path = path(ledger);
        // The first night may begin before there is a ledger, and a folder for it.
        create_private_folder(path.parent().unwrap_or(Path::new("")))?;
        put(&path, &serde_json::to_vec_pretty(self)?, 0o600)
    }
}

/// Takes what is kept along to where a ledger has gone; what is kept there already stays.
///
/// # Errors
/// It cannot be read, or nothing can be written beside the ledger: an alert may come once more.
pub fn carry(from: &Path, to: &Path) -> io::Result<()> {
    let (from, to) = (path(from), path(to));
    if !from.exists() || to.exists() {
        return Ok(());
    }
    put(&to, &std::fs::read(&from)?, 0o600)?;
    std::fs::remove_file(from)
}

/// Puts a file in the place of an earlier one, as a whole.
pub(super) fn put(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_string_lossy();
    let part = path.with_file_name(format!(".{name}.part"));
    // One left by a crash, or somebody's link, is not written through.
    let _ = std::fs::remove_file(&part);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
    #[cfg(not(unix))]
    let _ = mode;
    let mut file = options.open(&part)?;
    file.write_all(bytes)?;
    drop(file);
    std::fs::rename(&part, path)
}
