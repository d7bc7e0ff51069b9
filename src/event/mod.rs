//! One stream of what happens, from the first sheet opened to the last answer, with totals beside each event.
//!
//! Whoever works tells a [`Stream`]. It keeps the [`Totals`] and passes them on with each [`Event`] to a [`Listener`]: a
//! progress bar, a page, a log. The totals alone say how things stand, so a listener counts nothing and may join late.
//!
//! Every event about an order is told after the ledger has it on disk.

mod happened;
mod stream;
mod totals;

#[cfg(test)]
mod tests;

pub use happened::{Event, Pass, Reach};
pub use stream::{Events, Listener, Moment, Silent, Stream};
pub use totals::{Phase, Totals};
