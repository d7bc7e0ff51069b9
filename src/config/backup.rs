//! Backups of the ledger on a schedule, as they are configured.

use std::path::PathBuf;

use jiff::SignedDuration;

use super::Config;
use super::home::expanded;

/// Backups that are kept, unless more or fewer are asked for.
const KEEP: u32 = 14;
/// Hours after which the next one is due: a job that begins a little earlier than the day before is not put off by a day.
const EVERY_HOURS: i64 = 20;

/// Where backups go, how often one is made, and which are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupPlan {
    /// The folder; it may hold backups of several ledgers.
    pub folder: PathBuf,
    /// The next one is due so long after the last.
    pub every: SignedDuration,
    /// How many are kept.
    pub keep: u32,
    /// How many days each is kept at most.
    pub keep_days: Option<u32>,
}

impl Config {
    /// How backups are made; nothing where no folder is named.
    #[must_use]
    pub fn backup(&self) -> Option<BackupPlan> {
        let configured = &self.file.backup;
        Some(BackupPlan {
            folder: expanded(configured.folder.as_ref()?),
            every: configured.every.unwrap_or(SignedDuration::from_hours(EVERY_HOURS)),
            keep: configured.keep.unwrap_or(KEEP),
            keep_days: configured.keep_days,
        })
    }
}
