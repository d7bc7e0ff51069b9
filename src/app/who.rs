//! Who does something, and where: kept with every run and decision.

#[cfg(unix)]
use std::path::PathBuf;

use jiff::Timestamp;

use crate::env::variable;
use crate::finding::Accepted;

/// A person's word of this moment, that findings keep nothing back.
pub(super) fn word(because: &str) -> Accepted {
    let at_ms = Timestamp::now().as_millisecond();
    Accepted { by: user(), at_ms, because: because.trim().to_owned(), is_new: true }
}

/// Stands for a user whose name nobody knows.
pub(super) const UNKNOWN: &str = "unknown";

/// The user's name.
#[must_use]
pub fn user() -> String {
    let named = ["USER", "LOGNAME", "USERNAME"].iter().find_map(|name| variable(name));
    named.filter(|name| !name.is_empty()).or_else(account).unwrap_or_else(|| UNKNOWN.to_owned())
}

/// The name of this process's account, where the environment does not say it, as under some schedulers and in containers.
#[cfg(unix)]
fn account() -> Option<String> {
    let id = rustix::process::getuid().as_raw().to_string();
    let accounts = std::fs::read_to_string("/etc/passwd").ok()?;
    let named = accounts.lines().find_map(|line| {
        let mut parts = line.split(':');
        let name = parts.next()?;
        (parts.nth(1)? == id).then(|| name.to_owned())
    });
    named.or(Some(format!("uid {id}")))
}

#[cfg(not(unix))]
fn account() -> Option<String> {
    None
}

/// The home folder of a user of this machine, by name or number; nothing where there is no such user.
#[cfg(unix)]
#[must_use]
pub fn home_of(user: &str) -> Option<PathBuf> {
    let of = |accounts: &str| {
        accounts.lines().find_map(|line| {
            let parts: Vec<&str> = line.split(':').collect();
            let is_it = parts.len() > 5 && (parts[0] == user || parts[2] == user);
            is_it.then(|| PathBuf::from(parts[5]))
        })
    };
    let local = std::fs::read_to_string("/etc/passwd").ok();
    local.as_deref().and_then(of).or_else(|| {
        // Users of a directory are in no file.
        let asked = std::process::Command::new("getent").args(["passwd", "--", user]).output().ok()?;
        of(&String::from_utf8_lossy(&asked.stdout))
    })
}

/// This machine's name.
#[must_use]
pub fn host() -> String {
    gethostname::gethostname().to_string_lossy().into_owned()
}
