//! What lies on this machine: the configuration, the ledger and its backups, room on the disk, rights, the log.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use serde_json::json;

use crate::app::english::TOO_OLD;
use crate::app::{App, Error, host};
use crate::config::Service;
use crate::finding::english::Words;
use crate::finding::{Command, Remedy};
use crate::ledger::{Ledger, LedgerError, holder};
use crate::notify::state_file;
use crate::text::{count, duration, error_chain, list, moment};

use super::check::Check;

/// Below this a night may not end; below that it is time to clear up.
const FREE_LEAST: u64 = 200 << 20;
const FREE_FEW: u64 = 2 << 30;
/// A backup older than this lacks too much.
const BACKUP_AGE_MAX: Duration = Duration::from_hours(48);
/// What lies beside a ledger.
pub(super) const COMPANIONS: [&str; 5] = ["", "-wal", "-shm", ".lock", ".spool"];

pub(super) fn configuration(app: &App, words: &Words) -> Check {
    match app.config().file() {
        Some(path) => Check::good("configuration", path.display()),
        None => Check::warning(
            "configuration",
            "no shipsheet.toml here or in your configuration folder",
            format!("`{}` writes one with every setting", words(&Remedy::run(Command::WriteConfiguration))),
        ),
    }
}

/// The ledger, and what it has open.
pub(super) fn ledger(app: &App, command: &str, now: Timestamp) -> Vec<Check> {
    let path = app.config().ledger();
    let shown = app.config().site().named();
    let ledger = match app.read_ledger() {
        Ok(ledger) => ledger,
        Err(Error::Ledger(LedgerError::Missing(_))) => {
            let mend = "the first import makes it; if orders were booked before, restore the last backup first";
            return vec![Check::warning("ledger", format!("there is none at {shown} yet"), mend)];
        }
        Err(error) => {
            let lost = format!("`{command} ledger check` says more; where it is lost, restore the last backup");
            let mend = upgrade(&error, command).unwrap_or(lost);
            return vec![Check::bad("ledger", error_chain(&error), mend)];
        }
    };
    let bytes = path.metadata().map_or(0, |metadata| metadata.len());
    let mut checks = vec![match ledger.copy_of(&host()) {
        Ok(Some(home)) if *app.config().service() != Service::Sandbox => {
            let found = format!("{shown} is a copy: the ledger itself is {} on {}", home.path, home.host);
            Check::bad("ledger", found, format!("name the ledger itself, or `{command} ledger accept` after a restore"))
        }
        Ok(_) => {
            if let Err(refused) = app.refuse_to_book(&ledger) {
                let other = format!("`{command} resume` says what to do; nothing is sent before that");
                Check::bad("ledger", error_chain(&refused), upgrade(&refused, command).unwrap_or(other))
            } else {
                let used = holder(path).map(|holder| format!("; in use by {holder}")).unwrap_or_default();
                Check::good("ledger", format!("{shown}, {}{used}", size(bytes)))
            }
        }
        Err(error) => Check::bad("ledger", error_chain(&error), format!("`{command} ledger check` says more")),
    }];
    checks.push(match app.standing(&ledger) {
        Err(error) => Check::bad("open", error_chain(&error), format!("`{command} ledger check` says more")),
        Ok(standing) => {
            let since = |ms: Option<i64>| ms.map(|ms| format!(", the oldest {}", age(ms, now))).unwrap_or_default();
            let (doubt, waiting) = (&standing.in_doubt, &standing.outstanding);
            let in_doubt = format!("{}{}", count(doubt.orders, "order in doubt"), since(doubt.oldest_ms));
            let outstanding = format!("{} not sent yet{}", count(waiting.orders, "order"), since(waiting.oldest_ms));
            match (doubt.orders, waiting.orders) {
                (0, 0) => Check::good("open", "no order is in doubt or waits to be sent"),
                (0, _) => Check::warning("open", outstanding, format!("`{command} resume` sends them")),
                (_, 0) => Check::warning("open", in_doubt, format!("`{command} doubt list` says what to look for")),
                _ => Check::warning(
                    "open",
                    format!("{in_doubt}; {outstanding}"),
                    format!("`{command} doubt list` says what to look for; then `{command} resume`"),
                ),
            }
        }
    });
    checks
}

/// What to do about a ledger of an earlier or later layout.
fn upgrade(error: &Error, command: &str) -> Option<String> {
    match error {
        Error::Ledger(LedgerError::Outdated { .. }) => {
            Some(format!("`{command} ledger upgrade` brings it up to date, once nothing else uses it"))
        }
        Error::Ledger(LedgerError::TooOld { .. }) => Some(TOO_OLD.to_owned()),
        Error::Ledger(LedgerError::Newer { .. }) => Some("use the newer program".to_owned()),
        _ => None,
    }
}

/// The newest backup of the ledger with this identity; of any ledger where that one is not there.
pub(super) fn backup(folder: Option<&Path>, identity: Option<&str>, words: &Words, now: Timestamp) -> Check {
    let made_now = words(&Remedy::run(Command::BackUp));
    let mend = format!(
        "name a `folder` under [backup] in shipsheet.toml, on another disk: each night makes a backup, and `{made_now}` makes one now"
    );
    let none = |folder: &Path| match identity {
        None => Check::skipped("backup", "there is no ledger to back up yet"),
        Some(_) => Check::warning(
            "backup",
            format!("no backup of this ledger is in {} yet; the first one is due", folder.display()),
            format!("the next night makes it, or `{made_now}` now"),
        ),
    };
    let Some(folder) = folder else {
        return Check::warning(
            "backup",
            "no folder of backups is named, so nobody knows how old the last one is",
            mend,
        );
    };
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        // The first backup makes it.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return none(folder),
        Err(error) => return Check::bad("backup", format!("{}: {error}", folder.display()), mend),
    };
    let mut files: Vec<(SystemTime, PathBuf)> =
        entries.flatten().filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path()))).collect();
    files.sort();
    let is_own = |path: &Path| {
        let found = Ledger::open_read_only(path).and_then(|ledger| ledger.identity());
        found.is_ok_and(|found| identity.is_none_or(|own| found == own))
    };
    let Some((made, path)) = files.into_iter().rev().find(|(_, path)| is_own(path)) else { return none(folder) };
    let made_ms = Timestamp::try_from(made).map_or(0, Timestamp::as_millisecond);
    let found = format!("{}, {}", path.display(), age(made_ms, now));
    let is_old = now.as_millisecond().saturating_sub(made_ms) > i64::try_from(BACKUP_AGE_MAX.as_millis()).unwrap_or(0);
    if is_old { Check::warning("backup", found, mend) } else { Check::good("backup", found) }
}

/// Room where the ledger is.
pub(super) fn disk(app: &App) -> Check {
    let folder = app.config().ledger().parent().filter(|folder| folder.exists()).unwrap_or(Path::new("."));
    let Some(free) = free_bytes(folder) else {
        return Check::skipped("disk", "this system does not tell how much room there is");
    };
    let found = format!("{} free where the ledger is", size(free));
    let mend = "make room: a night that cannot write stops";
    match free {
        0..FREE_LEAST => Check::bad("disk", found, mend),
        FREE_LEAST..FREE_FEW => Check::warning("disk", found, mend),
        _ => Check::good("disk", found),
    }
}

#[cfg(unix)]
fn free_bytes(folder: &Path) -> Option<u64> {
    let system = rustix::fs::statvfs(folder).ok()?;
    Some(system.f_bavail.saturating_mul(system.f_frsize))
}

#[cfg(not(unix))]
fn free_bytes(_: &Path) -> Option<u64> {
    None
}

/// Whether others can read what holds people or secrets.
pub(super) fn rights(app: &App, words: &Words) -> Check {
    let ledger = app.config().ledger();
    let beside = COMPANIONS.iter().map(|suffix| {
        let mut name = ledger.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    });
    let own = beside.chain([state_file(ledger)]).chain(app.config().secret_files());
    let own: Vec<PathBuf> = own.chain(app.log().map(|log| log.file().to_owned())).collect();
    let exposed: Vec<PathBuf> = own.iter().filter(|path| is_exposed(path)).cloned().collect();
    if exposed.is_empty() {
        let looked = own.iter().filter(|path| path.exists()).count() as u64;
        if looked == 0 {
            return Check::skipped("rights", "no file holds orders or secrets yet");
        }
        return Check::good(
            "rights",
            format!("only you can read the {} with orders and secrets", count(looked, "file")),
        );
    }
    let files: Vec<String> = exposed.iter().map(|path| path.display().to_string()).collect();
    let mend = format!("`{}`", words(&Remedy::run(Command::MakePrivate { files: exposed })));
    Check::bad("rights", format!("others can read {}", list(&files, "and")), mend)
}

#[cfg(unix)]
fn is_exposed(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|metadata| metadata.permissions().mode() & 0o077 != 0)
}

/// Elsewhere rights are not told by a number.
#[cfg(not(unix))]
fn is_exposed(_: &Path) -> bool {
    false
}

/// Whether the log can be written: by a line that says who looked.
pub(super) fn log(app: &App) -> Check {
    let Some(log) = app.log() else {
        return Check::skipped("log", "none is configured; `[log] file` in shipsheet.toml keeps one");
    };
    log.note("doctor", json!({}));
    match log.trouble() {
        None => Check::good("log", log.file().display()),
        Some(why) => Check::bad("log", why, "make its folder, or let this user write to it"),
    }
}

/// How long ago something was.
pub(super) fn age(since_ms: i64, now: Timestamp) -> String {
    let ago = u64::try_from(now.as_millisecond().saturating_sub(since_ms)).unwrap_or(0);
    format!("{} ({} ago)", moment(since_ms), duration(Duration::from_millis(ago)))
}

/// Bytes as people say them.
pub(super) fn size(bytes: u64) -> String {
    match bytes {
        0..1_048_576 => format!("{} KB", bytes.div_ceil(1_024)),
        1_048_576..10_737_418_240 => format!("{} MB", bytes >> 20),
        _ => format!("{} GB", bytes >> 30),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::check::Level;
    use crate::finding::english::plain_words;

    #[test]
    fn the_newest_backup_counts_and_what_is_no_ledger_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let check = |hours: i64, own: Option<&str>| {
            let now = Timestamp::now().checked_add(jiff::SignedDuration::from_hours(hours)).unwrap();
            backup(Some(folder.path()), own, &plain_words(), now)
        };
        let look = |hours: i64, own: Option<&str>| check(hours, own).level;
        assert_eq!(backup(None, None, &plain_words(), Timestamp::now()).level, Level::Warning);
        std::fs::write(folder.path().join("notes.txt"), "no ledger").unwrap();
        assert_eq!(look(0, None), Level::Skipped, "nothing is there to be backed up");
        let none = Some(folder.path().join("none"));
        let first = backup(none.as_deref(), Some("own"), &plain_words(), Timestamp::now());
        assert!(first.level == Level::Warning && first.found.contains("the first one is due"), "{first:?}");
        let monday = Ledger::open(&folder.path().join("monday.sqlite")).unwrap();
        let own = monday.identity().unwrap();
        drop(monday);
        assert_eq!((look(1, Some(&own)), look(72, Some(&own))), (Level::Good, Level::Warning));
        let other = check(1, Some("another ledger"));
        assert!(other.level == Level::Warning && other.found.contains("the first one is due"), "{other:?}");
    }

    #[test]
    fn sizes_are_said_as_people_say_them() {
        assert_eq!((size(10), size(5 << 20), size(20 << 30)), ("1 KB".into(), "5 MB".into(), "20 GB".into()));
    }
}
