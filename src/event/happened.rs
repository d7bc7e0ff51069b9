//! What may happen, as listeners hear of it.

use std::time::Duration;

use serde::{Serialize, Serializer};

use crate::api::outcome::Outcome;

use super::totals::as_ms;

/// Something that happened.
///
/// Serialised it has the tag `event`, and says nothing personal but the order number: texts that may quote an answer of the
/// service, and so a customer, are left out, and an outcome is one word.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event<'a> {
    /// A file is open: the headers of its sheets are known, their rows are not read yet.
    Opened {
        /// Sheets open by now, those of earlier files included.
        sheets: u64,
    },
    /// Rows are being read: told at the beginning of each pass, and then once for each portion of a sheet.
    Reading {
        /// Which of the two passes over the sheets.
        pass: Pass,
        /// Rows below the headers that this pass has read so far, blank ones included.
        rows: u64,
        /// Orders found so far, good or not; 0 in the first pass.
        orders: u64,
        /// Orders among them that cannot be sent.
        orders_invalid: u64,
    },
    /// Every row of every sheet is read.
    Read {
        /// Rows below the headers, blank ones included.
        rows: u64,
        /// Orders found, good or not.
        orders: u64,
        /// Orders among them that cannot be sent.
        orders_invalid: u64,
    },
    /// It is known what is to be sent; nobody has agreed to it yet.
    Planned {
        /// Orders that are to be sent.
        orders: u64,
    },
    /// The requests are on disk as a run.
    Staged {
        /// The run's number.
        run: i64,
        /// Orders that the run is to send.
        orders: u64,
    },
    /// Booking begins.
    Started {
        /// The run's number.
        run: i64,
        /// Orders that may be sent.
        orders: u64,
        /// Orders in flight at most.
        concurrency: usize,
    },
    /// An attempt leaves. Its intent is on disk.
    Sent {
        /// The order number.
        order: &'a str,
        /// Which attempt of this order it is, from 1, those of earlier runs included.
        attempt: u32,
    },
    /// An attempt ended and is on disk.
    Settled {
        /// The order number.
        order: &'a str,
        /// What came of it.
        #[serde(serialize_with = "outcome_word")]
        outcome: &'a Outcome,
        /// Attempts of this order so far, this one and those of earlier runs included.
        attempts: u32,
        /// How far this attempt got.
        reach: Reach,
    },
    /// An order is not sent after all: a newer source holds it or leaves it out.
    Held {
        /// The order number.
        order: &'a str,
    },
    /// Nothing is sent for a while.
    Paused {
        /// What made it pause, by its stable word.
        by: &'static str,
        /// Why, for people.
        #[serde(skip)]
        reason: &'a str,
        /// How long.
        #[serde(rename = "wait_ms", serialize_with = "as_ms")]
        wait: Duration,
    },
    /// The pause lasts longer than was told before.
    PauseLengthened {
        /// How long from now, at least.
        #[serde(rename = "wait_ms", serialize_with = "as_ms")]
        wait: Duration,
    },
    /// The pause is over: orders may be sent again.
    Resumed,
    /// Nothing new is started; what is in flight is waited for.
    Stopping {
        /// Which brake, by its stable word.
        by: &'static str,
        /// What happened and what to fix.
        #[serde(skip)]
        reason: &'a str,
        /// Orders still in flight.
        in_flight: usize,
    },
    /// Booking ended.
    Finished,
}

/// The two passes over the sheets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pass {
    /// The first: the rows of each order are counted.
    Counting,
    /// The second: orders are put together and checked.
    Checking,
}

/// How far an attempt got.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reach {
    /// It never left: the run paused or stopped between its intent and its turn. No [`Event::Sent`] came before it.
    KeptBack,
    /// It left, and it is proven that no byte reached the service.
    Unsent,
    /// It went onto the wire, or may have.
    Sent,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out a reference to the field")]
fn outcome_word<S: Serializer>(outcome: &&Outcome, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match outcome {
        Outcome::Booked(_) => "booked",
        Outcome::Rejected { .. } => "rejected",
        Outcome::Refused { .. } => "refused",
        Outcome::Waiting { .. } => "waiting",
        Outcome::InDoubt { .. } => "in-doubt",
    })
}
