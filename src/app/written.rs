//! Files that people name: one that the same command wrote, and nobody changed since, is replaced; any other is not.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::after::labels::write_whole;
use crate::ledger::{create_private_folder, open_own};
use crate::text::hex;

use super::connect::App;
use super::error::{Error, Result};
use super::own::keep_previous;

/// So many files are remembered, the latest; older ones are replaced only where a person says so.
const REMEMBERED: usize = 1_000;

impl App {
    /// Makes sure that this command may write a file: there is none, or it is as this command wrote it.
    ///
    /// # Errors
    /// A file is there that somebody else made or changed.
    pub fn may_write(&self, command: &'static str, path: &Path) -> Result<()> {
        let is_there = path.symlink_metadata().is_ok();
        let is_own = || {
            let (key, own) = (key(command, path), hash_of(path)?);
            let known = self.remembered().lines().any(|line| line == format!("{key} {own}"));
            known.then_some(())
        };
        if !is_there || is_own().is_some() {
            return Ok(());
        }
        Err(Error::NotOwnFile { path: path.to_owned(), command })
    }

    /// Sets a file aside that somebody else made or changed, beside its place; gives where it is now.
    ///
    /// # Errors
    /// It cannot be moved.
    pub fn keep_other(&self, command: &'static str, path: &Path) -> Result<Option<PathBuf>> {
        match self.may_write(command, path) {
            Ok(()) => Ok(None),
            Err(_) => keep_previous(path),
        }
    }

    /// Remembers a file as this command wrote it.
    ///
    /// # Errors
    /// The list of such files cannot be written: next time only a person replaces the file.
    pub fn remember_written(&self, command: &'static str, path: &Path) -> io::Result<()> {
        let Some(hash) = hash_of(path) else { return Ok(()) };
        let list = self.list().ok_or_else(|| io::Error::other("this user has no folder for it"))?;
        create_private_folder(list.parent().unwrap_or(Path::new(".")))?;
        // Two commands that end at once both add to it.
        let lock = open_own(&list.with_extension("lock"))?;
        lock.lock()?;
        let key = key(command, path);
        let before = self.remembered();
        let others: Vec<&str> = before.lines().filter(|line| !line.starts_with(&key)).collect();
        let latest = &others[others.len().saturating_sub(REMEMBERED - 1)..];
        let lines: String = latest.iter().map(|line| format!("{line}\n")).chain([format!("{key} {hash}\n")]).collect();
        write_whole(&list, lines.as_bytes())
    }

    fn list(&self) -> Option<PathBuf> {
        Some(self.config.lasting_folder()?.join("written"))
    }

    fn remembered(&self) -> String {
        self.list().and_then(|list| std::fs::read_to_string(list).ok()).unwrap_or_default()
    }
}

/// What a file is known by: a hash, so that the list names no file of anybody.
fn key(command: &str, path: &Path) -> String {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let whole: OsString = folder.join(path.file_name().unwrap_or_default()).into();
    hex(&Sha256::new().chain_update(command).chain_update([0]).chain_update(whole.as_encoded_bytes()).finalize().into())
}

/// The hash of a plain file; of nothing else, for reading a pipe would wait.
fn hash_of(path: &Path) -> Option<String> {
    let is_file = path.symlink_metadata().ok()?.is_file();
    is_file.then(|| std::fs::read(path).ok().map(|bytes| hex(&Sha256::digest(bytes).into())))?
}
