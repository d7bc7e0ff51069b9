//! The stations of a shared ledger, as they are shown beside runs.

use schemars::JsonSchema;
use serde::Serialize;

use crate::ledger::{Ledger, StationRecord, StationStanding};

use super::error::Result;

/// A station that is open, or that left something of which nobody knows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StationLine {
    /// Its number.
    pub number: i64,
    /// The user who works there, and on which machine; null where people are left out.
    pub by: Option<String>,
    /// When it was heard last, in milliseconds since 1970-01-01 UTC.
    pub heard_ms: i64,
    /// How it stands.
    pub standing: StationStanding,
    /// Orders that it is sending.
    pub in_flight: u64,
    /// Orders in doubt that it began and did not answer for.
    pub in_doubt: u64,
}

impl StationLine {
    fn of(record: StationRecord, is_masked: bool) -> Self {
        let StationRecord { number, user, host, heard_ms, standing, in_flight, in_doubt, .. } = record;
        let by = (!is_masked).then(|| format!("{user} on {host}"));
        Self { number, by, heard_ms, standing, in_flight, in_doubt }
    }

    /// How it stands, in words.
    #[must_use]
    pub const fn stands(&self) -> &'static str {
        match self.standing {
            StationStanding::Works => "works",
            StationStanding::Silent => "silent: it has not been heard for longer than it may be",
            StationStanding::Unheard => "fenced: it sends nothing new, but may still send what it had begun",
            StationStanding::Off => "switched off, as somebody said",
        }
    }

    /// Whether a person should look at it.
    #[must_use]
    pub const fn is_odd(&self) -> bool {
        matches!(self.standing, StationStanding::Silent | StationStanding::Unheard)
    }
}

/// Those of a ledger; one in a file has none.
pub fn stations(ledger: &Ledger, is_masked: bool) -> Result<Vec<StationLine>> {
    Ok(ledger.stations()?.into_iter().map(|record| StationLine::of(record, is_masked)).collect())
}
