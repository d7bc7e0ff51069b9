//! How everything stands, in one value.

use std::time::Duration;

use serde::{Serialize, Serializer};

/// How everything stands, as of the event that it comes with.
///
/// What does not apply yet is zero or nothing: a `resume` reads no sheet and has no rows.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Totals {
    /// What is being done.
    pub phase: Phase,
    /// For how long this phase has lasted. Serialised as `elapsed_ms`, whole milliseconds.
    #[serde(rename = "elapsed_ms", serialize_with = "as_ms")]
    pub elapsed: Duration,
    /// The run's number, once it is staged.
    pub run: Option<i64>,
    /// Sheets that are open.
    pub sheets: u64,
    /// Rows of all sheets below their headers, blank ones included; nothing until the first pass has counted them.
    pub rows: Option<u64>,
    /// Rows that the first pass has counted so far.
    pub rows_counted: u64,
    /// Rows that the second pass has read so far.
    pub rows_read: u64,
    /// Orders that the second pass has found so far, good or not.
    pub orders_found: u64,
    /// Orders among them that cannot be sent.
    pub orders_invalid: u64,
    /// Orders that are to be sent. Orders that are booked already, left alone or invalid are not among them.
    pub planned: u64,
    /// Orders whose requests are on disk in this run, ready to be sent.
    pub staged: u64,
    /// Attempts that went onto the wire, those still under way included. One that is proven unsent later is taken off
    /// again. An order may have several.
    pub sent: u64,
    /// Attempts under way: sent, and their end is not on disk yet. What is left of them when all is finished are answers
    /// that the ledger could not take.
    pub in_flight: u64,
    /// Orders booked in this run.
    pub booked: u64,
    /// Orders rejected or refused in this run.
    pub failed: u64,
    /// Those of them that were rejected.
    #[serde(skip)]
    pub rejected: u64,
    /// Orders that this run left in doubt.
    pub in_doubt: u64,
    /// Orders that are to be sent and have not come to an end: neither booked, failed nor in doubt.
    pub outstanding: u64,
    /// Until when nothing is sent, epoch milliseconds; nothing where it is not paused.
    pub paused_until_ms: Option<i64>,
    /// What made it pause, by its stable word; nothing where it is not paused.
    pub paused_by: Option<&'static str>,
    /// Orders that came to an end, a second, over the last ten seconds; nothing before the first.
    pub rate: Option<f64>,
    /// How long the outstanding orders will take at this rate; nothing where that cannot be said. Serialised as `left_ms`,
    /// whole milliseconds.
    #[serde(rename = "left_ms", serialize_with = "as_ms_if_any")]
    pub left: Option<Duration>,
    /// Whether nothing new is started any more.
    pub stopping: bool,
    /// Which brake stopped it, by its stable word.
    pub stopped_by: Option<&'static str>,
}

impl Totals {
    /// Orders that came to an end in this run: booked, failed or in doubt.
    #[must_use]
    pub const fn settled(&self) -> u64 {
        self.booked + self.failed + self.in_doubt
    }
}

/// What is being done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Sheets are opened, or the ledger is.
    #[default]
    Opening,
    /// Rows are read, in two passes.
    Reading,
    /// Every row is read.
    Read,
    /// It is known what is to be sent.
    Planned,
    /// The requests are on disk.
    Staged,
    /// Orders are sent.
    Booking,
    /// Nothing is sent any more.
    Finished,
}

/// A time as whole milliseconds.
pub(super) fn as_ms<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}

#[expect(clippy::ref_option, reason = "serde hands out a reference to the field")]
fn as_ms_if_any<S: Serializer>(time: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    match time {
        Some(time) => as_ms(time, serializer),
        None => serializer.serialize_none(),
    }
}
