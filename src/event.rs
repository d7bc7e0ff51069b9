//! What happens in a run, as told to reporters.
//!
//! Every event about an order is sent after the ledger has it on disk.

use std::time::Duration;

use crate::api::outcome::Outcome;

/// Something that happened.
#[derive(Debug, Clone, Copy)]
pub enum Event<'a> {
    /// Booking begins.
    Started {
        /// The run's number.
        run: i64,
        /// Orders that may be sent.
        orders: u64,
        /// Orders in flight at most.
        concurrency: usize,
    },
    /// An attempt ended and is on disk.
    Settled {
        /// The order number.
        order: &'a str,
        /// What came of it.
        outcome: &'a Outcome,
        /// Attempts of this order so far, this one included.
        attempts: u32,
    },
    /// Nothing is sent for a while.
    Paused {
        /// Why.
        reason: &'a str,
        /// How long.
        wait: Duration,
    },
    /// Nothing new is started; what is in flight is waited for.
    Stopping {
        /// Which brake, by its stable word.
        by: &'a str,
        /// What happened and what to fix.
        reason: &'a str,
        /// Orders still in flight.
        in_flight: usize,
    },
    /// Booking ended.
    Finished,
}

/// Hears what happens. Must be quick: the run waits for it.
pub trait Reporter: Send {
    /// Takes one event.
    fn event(&mut self, event: &Event<'_>);
}

/// Hears nothing.
#[derive(Debug, Default, Clone, Copy)]
pub struct Silent;

impl Reporter for Silent {
    fn event(&mut self, _: &Event<'_>) {}
}
