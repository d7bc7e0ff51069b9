//! The status that the courier told last of each shipment, kept in the desk's own folder.

use std::collections::BTreeMap;
use std::path::PathBuf;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::after::tracking::{Urgency, urgency};
use crate::api::service::Tracking;
use crate::ledger::{Ledger, Shipped};

use super::state::Desk;
use super::trouble::Result;
use super::{files, words};

/// Shipments whose status is kept; of more, those that were asked for longest ago are forgotten.
const KEPT_MAX: usize = 50_000;

/// A status as the courier told it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tracked {
    status: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    /// When that was, epoch milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at_ms: Option<i64>,
    /// When the courier told it, epoch milliseconds.
    pub(super) told_ms: i64,
}

impl Tracked {
    /// From the answer to a question where a shipment is.
    pub(super) fn of(tracking: &Tracking) -> Self {
        let last = tracking.checkpoints.last();
        Self {
            status: tracking.status.clone().unwrap_or_else(|| "no status".to_owned()),
            place: last.and_then(|last| last.place.clone()),
            at_ms: last.and_then(|last| last.at_ms),
            told_ms: Timestamp::now().as_millisecond(),
        }
    }

    /// From an event that the courier sent.
    pub(super) const fn of_event(status: String, told_ms: i64) -> Self {
        Self { status, place: None, at_ms: None, told_ms }
    }

    /// Its colour, and in words.
    pub(super) fn said(&self) -> (&'static str, String) {
        let tone = match urgency(&self.status) {
            Urgency::Exception => "bad",
            Urgency::Underway => "soft",
            Urgency::Done => "good",
        };
        let place = self.place.as_ref().map(|place| format!(", {place}")).unwrap_or_default();
        let when = self.at_ms.map(|at_ms| format!(", {}", words::moment(at_ms))).unwrap_or_default();
        (tone, format!("{}{place}{when}", in_words(&self.status)))
    }
}

/// A status without the service's spelling.
pub(super) fn in_words(status: &str) -> String {
    words::capital(&status.replace('_', " "))
}

impl Desk {
    /// Keeps what the courier told of these shipments.
    pub(super) fn keep_tracked<'t>(
        &self,
        ledger: &Ledger,
        told: impl Iterator<Item = (&'t Shipped, Tracked)>,
    ) -> Result<()> {
        let file = self.tracked_file(ledger)?;
        let mut kept = read(&file);
        kept.extend(told.map(|(shipment, tracked)| (shipment.awb.clone(), tracked)));
        if kept.len() > KEPT_MAX {
            let mut told: Vec<i64> = kept.values().map(|own| own.told_ms).collect();
            told.sort_unstable();
            let since = told[told.len() - KEPT_MAX];
            kept.retain(|_, own| own.told_ms >= since);
        }
        Ok(files::write(&file, &serde_json::to_string(&kept).unwrap_or_default())?)
    }

    /// The courier's last word on a shipment, by its AWB.
    pub(super) fn tracked(&self, ledger: &Ledger, awb: &str) -> Result<Option<Tracked>> {
        Ok(read(&self.tracked_file(ledger)?).remove(awb))
    }

    /// Another ledger beside the same folder has shipments of its own.
    fn tracked_file(&self, ledger: &Ledger) -> Result<PathBuf> {
        Ok(self.folder().join("tracked").join(format!("{}.json", ledger.identity()?)))
    }
}

/// The file of last words by AWB; one that cannot be read is written anew.
fn read(file: &PathBuf) -> BTreeMap<String, Tracked> {
    std::fs::read(file).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}
