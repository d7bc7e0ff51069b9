//! Removing what is personal from orders that are over.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::ledger::{NewPurge, Purged, copies_of_upgrades, desk_folder};

use super::connect::App;
use super::error::{Misuse, Result};
use super::who::{host, user};

/// Younger orders stay as they are, in days: they are held against new ones, and couriers are asked about them.
const LEAST_DAYS: i64 = 30;

const DAY_MS: i64 = 24 * 3_600_000;

/// What a removal takes away, and what it does not reach.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Removal {
    /// In the ledger, of orders.
    #[serde(flatten)]
    pub purged: Purged,
    /// Sheets at the desk, open or finished, of which nobody said anything for as long, and that keep no order back.
    pub sheets: usize,
    /// Places that are not touched and may hold the same people: folders of labels, sheets and backups, and copies that upgrades made.
    #[serde(serialize_with = "shown")]
    #[schemars(with = "Vec<String>")]
    pub elsewhere: Vec<PathBuf>,
}

fn shown<S: Serializer>(paths: &[PathBuf], serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_seq(paths.iter().map(|path| path.display().to_string()))
}

impl App {
    /// What a removal from orders that are over for so many days would take away; nothing is changed.
    ///
    /// # Errors
    /// Too few days; there is no ledger, or it cannot be read.
    pub fn would_purge(&self, days: i64) -> Result<Removal> {
        let before_ms = before(days)?;
        let purged = self.read_ledger()?.would_purge(before_ms)?;
        Ok(self.removal(purged, self.idle_drafts(before_ms)?.len()))
    }

    /// Removes names, phones, addresses, requests and answers from orders that are over for so many days, for good, and sheets that
    /// are open for as long without a word. Numbers, AWBs, hashes, money and decisions stay, and the evidence holds.
    ///
    /// # Errors
    /// Too few days; another process works with the ledger; it cannot be written.
    pub fn purge(&self, days: i64) -> Result<Removal> {
        let before_ms = before(days)?;
        let mut session = self.session_there("ledger purge")?;
        // First, so that nothing of them is left where the file is written anew.
        let sheets = self.clear_drafts(before_ms)?;
        let at_ms = Timestamp::now().as_millisecond();
        let purged = session.ledger.purge(&NewPurge { before_ms, user: user(), host: host(), at_ms })?;
        drop(session);
        Ok(self.removal(purged, sheets))
    }

    fn removal(&self, purged: Purged, sheets: usize) -> Removal {
        let watched = self.read_ledger().and_then(|ledger| Ok(ledger.watched_folders()?)).unwrap_or_default();
        let backups = self.config.backup().map(|plan| plan.folder);
        let folders = [desk_folder(self.config.ledger())].into_iter().chain(watched).chain(backups);
        let folders = folders.filter(|folder: &PathBuf| Path::is_dir(folder));
        let elsewhere: BTreeSet<PathBuf> = folders.chain(copies_of_upgrades(self.config.ledger())).collect();
        Removal { purged, sheets, elsewhere: elsewhere.into_iter().collect() }
    }
}

/// The moment before which orders must be over.
fn before(days: i64) -> Result<i64> {
    if days < LEAST_DAYS {
        return Err(Misuse::TooYoung { least: LEAST_DAYS }.into());
    }
    Ok(Timestamp::now().as_millisecond().saturating_sub(days.saturating_mul(DAY_MS)))
}
