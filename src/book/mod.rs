//! Books the orders of a run: bounded, braked, each intent on disk before its first byte leaves.
//!
//! The [`dispatcher`](book) owns the run's state and the ledger's only writer, the committer. Workers post and report back, nothing
//! else. One commit carries the answers that have come in and the intents of the orders that take their places.

mod adapt;
mod ahead;
mod allotment;
mod answer;
mod brake;
mod committer;
mod dispatcher;
mod job;
mod limits;
mod pace;
mod pauses;
mod plan;
mod renewal;
mod retry;
mod stop;
mod usual;
mod worker;

#[cfg(test)]
mod brake_tests;

pub use adapt::{Adapt, Concurrency};
pub use answer::Unsaved;
pub use brake::{Brake, BrakeOptions, PausedBy, Ruling, StoppedBy, is_for_want_of_money};
pub use dispatcher::book;
pub use job::{BookError, Booked, Job};
pub use limits::{Limits, Sent};
pub use pace::Pacer;
pub use retry::RetryPolicy;
pub use stop::{Stop, StopSignal};
pub use usual::{Amounts, Decimal, FACTOR as UNUSUAL_FACTOR, FarMore, IMPORTS_MAX as USUAL_IMPORTS, Quantity, unusual};
