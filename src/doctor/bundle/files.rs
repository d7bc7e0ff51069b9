//! Where files lie, for whom, how large and how old; nothing of what is in them.

use std::fmt::Write;
use std::fs::Metadata;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::app::App;
use crate::ledger::{copies_of_upgrades, desk_folder};
use crate::notify::state_file;
use crate::text::moment;

use super::super::machine::{COMPANIONS, size};
use super::mask::Mask;

/// Earlier logs that are listed.
const LOGS_MAX: u32 = 20;

/// A line for each file and folder of the program.
pub(super) fn files(mask: &mut Mask, app: &App) -> String {
    let (config, mut text) = (app.config(), String::new());
    let mut line = |what: &str, path: &Path, is_secret: bool| {
        let found = path.symlink_metadata().ok();
        let told = found.as_ref().map_or_else(|| "not there".to_owned(), |found| described(found, is_secret));
        // Writing into text cannot fail.
        let _ = writeln!(text, "{what:<16} {}: {told}", mask.path(path));
    };
    if let Some(file) = config.file() {
        line("configuration", file, false);
    }
    let ledger = config.ledger();
    for suffix in COMPANIONS {
        let mut name = ledger.as_os_str().to_owned();
        name.push(suffix);
        let path = PathBuf::from(name);
        if suffix.is_empty() || path.exists() {
            line("ledger", &path, false);
        }
    }
    line("alerts told", &state_file(ledger), false);
    line("desk", &desk_folder(ledger), false);
    for copy in copies_of_upgrades(ledger) {
        line("earlier ledger", &copy, false);
    }
    for secret in config.secret_files() {
        line("secret", &secret, true);
    }
    if let Some(log) = config.log() {
        line("log", &log.file, false);
        for number in 1..=log.keep.min(LOGS_MAX) {
            let mut name = log.file.as_os_str().to_owned();
            name.push(format!(".{number}"));
            let earlier = PathBuf::from(name);
            if earlier.exists() {
                line("earlier log", &earlier, false);
            }
        }
    }
    if let Some(plan) = config.backup() {
        line("backups", &plan.folder, false);
    }
    if let Some(folder) = config.profile_file("any").ok().as_deref().and_then(Path::parent) {
        line("profiles", folder, false);
    }
    if let Some(folder) = config.lasting_folder() {
        line("state", &folder, false);
    }
    text
}

/// What it is, who may do what with it, its size, and when it was written last. Of a secret not even the length is told.
fn described(found: &Metadata, is_secret: bool) -> String {
    let kind = match found {
        found if found.is_dir() => "folder",
        found if found.is_symlink() => "link",
        _ => "file",
    };
    let size = if found.is_file() && !is_secret { format!(", {}", size(found.len())) } else { String::new() };
    let written = found.modified().ok().and_then(|at| Timestamp::try_from(at).ok());
    let written = written.map(|at| format!(", written {}", moment(at.as_millisecond()))).unwrap_or_default();
    format!("{kind}{}{size}{written}", mode(found))
}

#[cfg(unix)]
fn mode(found: &Metadata) -> String {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let whose = if found.uid() == rustix::process::geteuid().as_raw() { "own" } else { "of another user" };
    format!(", {:o}, {whose}", found.permissions().mode() & 0o7777)
}

/// Elsewhere rights are not told by a number.
#[cfg(not(unix))]
fn mode(_: &Metadata) -> String {
    String::new()
}
