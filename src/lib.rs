//! Order sheets in, shipments out.
//!
//! The modules stand in the order in which an order passes through them; each imports only what stands above it,
//! and `tests/it/architecture.rs` lists which of them.

pub mod env;
pub mod origin;
pub mod text;
pub(crate) mod spool;
pub(crate) mod memo;
pub mod words;
pub mod finding;
pub mod rule;
pub mod field;
pub mod sheet;
pub mod parse;
pub mod profile;
pub mod column;
pub mod order;
pub(crate) mod checks;
pub mod api;
pub mod ledger;
pub mod event;
pub mod stage;
pub(crate) mod log;
pub mod book;
pub(crate) mod settle;
pub(crate) mod after;
pub(crate) mod report;
pub mod sandbox;
pub(crate) mod selftest;
pub mod config;
pub mod app;
pub mod overview;
pub(crate) mod desk;
pub mod watch;
pub mod notify;
pub(crate) mod doctor;
pub mod cli;

#[cfg(test)]
#[path = "../tests/it/rig/size.rs"]
#[expect(dead_code, reason = "tests of the whole program have more loops")]
mod size;
