//! The operations of the service: what is known of each, and what the configuration says of it.

mod entry;
mod table;

pub use entry::{Entry, OperationError, Operations, Override, encode};
pub use table::*;
