//! Backups of the ledger on a schedule, as they are configured.

use std::path::PathBuf;

use jiff::{SignedDuration, Span, SpanRelativeTo};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::Config;
use super::home::expanded;

/// Backups that are kept, unless more or fewer are asked for.
const KEEP: u32 = 14;

/// `[backup]`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BackupSettings {
    folder: Option<PathBuf>,
    #[serde(default, deserialize_with = "time")]
    every: Option<SignedDuration>,
    keep: Option<u32>,
    keep_days: Option<u32>,
}

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
        let BackupSettings { folder, every, keep, keep_days } = &self.file.backup;
        Some(BackupPlan {
            folder: expanded(folder.as_ref()?),
            // A job that begins a little earlier than the day before is not put off by a day.
            every: every.unwrap_or(SignedDuration::from_hours(20)),
            keep: keep.unwrap_or(KEEP),
            keep_days: *keep_days,
        })
    }
}

/// `1d`, `12h` or `90m`.
fn time<'de, D: Deserializer<'de>>(from: D) -> Result<Option<SignedDuration>, D::Error> {
    let text = String::deserialize(from)?;
    let span = text.parse::<Span>().ok();
    let time = span.and_then(|span| span.to_duration(SpanRelativeTo::days_are_24_hours()).ok());
    let time = time.filter(|time| time.is_positive());
    time.map(Some).ok_or_else(|| D::Error::custom(format!("every = \"{text}\" is no time: write 1d, 12h or 90m")))
}
