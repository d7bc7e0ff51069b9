//! Backups of the ledger on a schedule: made when one is due, looked through, and pruned.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::config::BackupPlan;
use crate::ledger::{Ledger, create_private_folder};

use super::connect::App;
use super::error::{Error, Misuse, Result};

/// The time in the name of a backup (UTC).
const TIME: &str = "%Y%m%dT%H%M%SZ";
/// How the name of a backup ends, and that of a copy which was not looked through yet.
const BACKUP: &str = ".sqlite";
const UNPROVEN: &str = ".unproven";
/// No backup takes so long.
const UNFINISHED_KEPT: SignedDuration = SignedDuration::from_hours(24);

/// What came of a scheduled backup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BackupEnd {
    /// The last one is young enough.
    NotDue {
        /// The last one.
        last: Backup,
    },
    /// One was made, and looked through.
    Made {
        /// It.
        backup: Backup,
        /// Earlier ones that were deleted.
        pruned: Vec<PathBuf>,
    },
}

/// A backup of this ledger. It has its name once it was looked through and found sound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backup {
    /// The file.
    pub file: PathBuf,
    /// When it was made.
    pub at: Timestamp,
}

impl App {
    /// Makes the backup that `[backup]` asks for, where one is due: copied while others may write, opened and looked through,
    /// and only then named as a backup. Earlier ones go by number and age, never the newest.
    ///
    /// # Errors
    /// Nothing is configured; there is no ledger; the folder cannot be written; the copy is not sound. No earlier backup is
    /// deleted then.
    pub fn scheduled_backup(&self) -> Result<BackupEnd> {
        let plan = self.config.backup().ok_or(Misuse::NoBackupFolder)?;
        let ledger = self.read_ledger()?;
        let prefix = prefix(self.config.ledger(), &ledger)?;
        let now = Timestamp::now();
        if let Some(last) = backups(&plan.folder, &prefix).into_iter().next()
            && now.duration_since(last.at) < plan.every
        {
            return Ok(BackupEnd::NotDue { last });
        }
        let cannot = || Error::file(format!("cannot use {} as a folder for backups", plan.folder.display()));
        create_private_folder(&plan.folder).map_err(cannot())?;
        let file = plan.folder.join(format!("{prefix}{}{BACKUP}", now.strftime(TIME)));
        let unproven = file.with_extension(&UNPROVEN[1..]);
        let made = ledger.backup(&unproven).map_err(Error::from).and_then(|()| prove(&unproven));
        if let Err(error) = made.and_then(|()| std::fs::rename(&unproven, &file).map_err(cannot())) {
            // It may have a person's data in it, and helps nobody.
            let _ = std::fs::remove_file(&unproven);
            return Err(error);
        }
        clear_unfinished(&plan.folder, &prefix, now);
        Ok(BackupEnd::Made { backup: Backup { file, at: now }, pruned: prune(&plan, &prefix, now) })
    }

    /// The newest backup of this ledger where `[backup]` puts them.
    ///
    /// # Errors
    /// There is no ledger, or it cannot be read.
    pub fn last_backup(&self) -> Result<Option<Backup>> {
        let Some(plan) = self.config.backup() else { return Ok(None) };
        let prefix = prefix(self.config.ledger(), &self.read_ledger()?)?;
        Ok(backups(&plan.folder, &prefix).into_iter().next())
    }
}

/// What the names of a ledger's backups begin with. Another ledger of the same name has others.
fn prefix(path: &Path, ledger: &Ledger) -> Result<String> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let identity: String = ledger.identity()?.chars().take(8).collect();
    Ok(format!("{stem}-{identity}-"))
}

/// The backups with such names, the newest first.
fn backups(folder: &Path, prefix: &str) -> Vec<Backup> {
    named(folder, prefix, BACKUP)
}

/// What lies there under such names that end so, the newest first.
fn named(folder: &Path, prefix: &str, ending: &str) -> Vec<Backup> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let of = |entry: std::io::Result<std::fs::DirEntry>| {
        let name = entry.ok()?.file_name().into_string().ok()?;
        let time = name.strip_prefix(prefix)?.strip_suffix(ending)?;
        let at = DateTime::strptime(TIME, time).ok()?.to_zoned_datetime(TimeZone::UTC).ok()?.timestamp();
        Some(Backup { file: folder.join(name), at })
    };
    let mut backups: Vec<Backup> = entries.filter_map(of).collect();
    backups.sort_by_key(|backup| std::cmp::Reverse(backup.at));
    backups
}

/// Opens a copy and looks through all of it.
fn prove(copy: &Path) -> Result<()> {
    let checked = Ledger::open_read_only(copy)?.check()?;
    let Some((first, more)) = checked.faults.split_first() else { return Ok(()) };
    let mut faults = first.clone();
    if !more.is_empty() {
        // Writing into text cannot fail.
        let _ = write!(faults, ", and {} more", more.len());
    }
    Err(Error::UnsoundCopy(faults))
}

/// Deletes what backups have left that were killed before they had their names. What is younger than a day may be in the making.
fn clear_unfinished(folder: &Path, prefix: &str, now: Timestamp) {
    let is_old = |left: &Backup| now.duration_since(left.at) > UNFINISHED_KEPT;
    for Backup { file, .. } in named(folder, prefix, UNPROVEN).into_iter().filter(is_old) {
        // One that cannot be deleted now is tried again with the next backup.
        let _ = std::fs::remove_file(file);
    }
}

/// Deletes what is beyond the number or the age, and gives what is gone.
fn prune(plan: &BackupPlan, prefix: &str, now: Timestamp) -> Vec<PathBuf> {
    let is_old = |backup: &Backup| {
        plan.keep_days
            .is_some_and(|days| now.duration_since(backup.at) > SignedDuration::from_hours(i64::from(days) * 24))
    };
    let kept = usize::try_from(plan.keep).unwrap_or(usize::MAX).max(1);
    // The first is the one that was proven just now.
    let later = backups(&plan.folder, prefix).into_iter().enumerate().skip(1);
    let goes = later.filter(|(place, backup)| *place >= kept || is_old(backup));
    let is_gone = |file: &PathBuf| std::fs::remove_file(file).is_ok();
    goes.map(|(_, backup)| backup.file).filter(is_gone).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_backup_left_goes_after_a_day() {
        let folder = tempfile::tempdir().unwrap();
        let now: Timestamp = "2026-11-23T02:00:00Z".parse().unwrap();
        let at = |name: &str| folder.path().join(name);
        for file in [
            "l-1-20261121T010000Z.unproven",
            "l-1-20261122T020001Z.unproven",
            "l-1-20261121T020000Z.sqlite",
            "l-2-20261121T010000Z.unproven",
            "l-1-notes.unproven",
        ] {
            std::fs::write(at(file), "").unwrap();
        }
        clear_unfinished(folder.path(), "l-1-", now);
        let left = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let mut left: Vec<String> = left.map(|name| name.into_string().unwrap()).collect();
        left.sort();
        let kept = [
            "l-1-20261121T020000Z.sqlite",
            "l-1-20261122T020001Z.unproven",
            "l-1-notes.unproven",
            "l-2-20261121T010000Z.unproven",
        ];
        assert_eq!(left, kept, "backups, other ledgers' and young ones stay");
    }

    #[test]
    fn backups_go_by_number_and_age_and_never_the_newest() {
        let folder = tempfile::tempdir().unwrap();
        let now: Timestamp = "2026-11-23T02:00:00Z".parse().unwrap();
        let day = SignedDuration::from_hours(24);
        let made = |prefix: &str, days: i32| {
            let at = now.checked_sub(day * days).unwrap();
            let file = folder.path().join(format!("{prefix}{}.sqlite", at.strftime(TIME)));
            std::fs::write(&file, "").unwrap();
            file
        };
        let own: Vec<PathBuf> = (0..6).map(|days| made("ledger-1a2b3c4d-", days)).collect();
        let others = [made("ledger-99999999-", 40), folder.path().join("ledger-1a2b3c4d-notes.sqlite")];
        std::fs::write(&others[1], "").unwrap();
        let plan = |keep, keep_days| BackupPlan { folder: folder.path().to_owned(), every: day, keep, keep_days };
        assert_eq!(prune(&plan(5, None), "ledger-1a2b3c4d-", now), own[5..]);
        assert_eq!(prune(&plan(5, Some(3)), "ledger-1a2b3c4d-", now), own[4..5], "a day over three");
        assert_eq!(prune(&plan(0, Some(0)), "ledger-1a2b3c4d-", now), own[1..4]);
        assert!(own[0].exists() && others.iter().all(|other| other.exists()));
        assert_eq!(backups(folder.path(), "ledger-1a2b3c4d-"), [Backup { file: own[0].clone(), at: now }]);
    }
}
