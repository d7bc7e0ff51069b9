//! A ledger in a file of its own: what only SQLite has. Its layouts, how it is opened, copied, looked through and locked.

pub(super) mod handle;
pub(super) mod layout;
mod open;
pub(super) mod sealed;
mod whole;

pub(super) use open::{connect, connect_to, hold_back, keep_plans, prepare_to_write, wait_at_most};
pub(super) use whole::{alone, copy, look_through, structure, write_anew, write_back};
