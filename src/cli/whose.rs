//! Whose night it is: one's own, or that of another user, who has a home and files of its own.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::app::user;
use crate::env;
use crate::text::list;

#[cfg(unix)]
use super::Usage;

/// Whose night it is.
pub(super) struct Whose {
    pub(super) user: String,
    /// Where it is another user's: this user's home folder and that one's.
    homes: Option<(PathBuf, PathBuf)>,
}

impl Whose {
    /// The named user, or this one, whose night is to take sheets from a folder that has to be there.
    pub(super) fn of(named: Option<&str>, folder: &Path) -> Result<Self> {
        let own = user();
        let name = named.unwrap_or(&own).to_owned();
        let is_other = name != own;
        let theirs = if named.is_some() { home_of(&name)? } else { None };
        let homes = env::home().zip(theirs).filter(|(mine, theirs)| is_other && !theirs.starts_with(mine));
        match folder.metadata() {
            Ok(found) if found.is_dir() => {}
            Ok(_) => bail!("{} is a file: name the folder that sheets are dropped into", folder.display()),
            // A folder of another user may be closed to this one.
            Err(error) if is_other && error.kind() == io::ErrorKind::PermissionDenied => {}
            Err(error) => bail!(
                "the folder {} cannot be found ({error}): make it first, so that {name} can write to it",
                folder.display()
            ),
        }
        Ok(Self { user: name, homes })
    }

    /// The other user's home, where a folder is in one's own.
    pub(super) fn home_instead(&self, folder: &Path) -> Option<PathBuf> {
        let (mine, theirs) = self.homes.as_ref()?;
        folder.starts_with(mine).then(|| theirs.clone())
    }

    /// Where a file of every user lies for this one.
    pub(super) fn at_home(&self, path: PathBuf) -> PathBuf {
        let theirs = self.homes.as_ref().and_then(|(mine, theirs)| Some(theirs.join(path.strip_prefix(mine).ok()?)));
        theirs.unwrap_or(path)
    }

    /// Notes on files and folders to change where it is another user's night.
    pub(super) fn needs(&self, here: &str, paths: &[&String]) -> Vec<String> {
        let Some((mine, _)) = &self.homes else { return Vec::new() };
        let name = &self.user;
        let mut needs = vec![format!(
            "the night runs as {name} in {here}, with the configuration, the ledger and the token of {name}, not with yours"
        )];
        let mut closed: Vec<String> = Vec::new();
        for path in paths.iter().filter(|path| Path::new(path).starts_with(mine)) {
            if !closed.contains(path) {
                closed.push((*path).clone());
            }
        }
        if !closed.is_empty() {
            needs.push(format!(
                "{name} may not be let into your home folder, in which the schedule names {}: put that elsewhere and give this \
                 command again",
                list(&closed, "and")
            ));
        }
        needs
    }
}

/// The home folder of a user of this machine.
#[cfg(unix)]
fn home_of(name: &str) -> Result<Option<PathBuf>> {
    match crate::app::home_of(name) {
        Some(home) => Ok(Some(home)),
        None => bail!(Usage(format!("this machine has no user {name}: make that user first, or correct the name"))),
    }
}

/// Accounts of Windows are in many places, and the Task Scheduler asks for the right one.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the same as elsewhere")]
fn home_of(_: &str) -> Result<Option<PathBuf>> {
    Ok(None)
}
