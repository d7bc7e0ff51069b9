//! The command line: arguments as typed, options as meant, one file per command, exit codes.

mod accept;
mod address;
mod args;
mod bulk;
mod call;
mod cancel;
mod chosen;
mod completions;
mod conclude;
mod connect;
mod console;
mod couriers;
mod desk;
mod dismiss;
mod doctor;
mod document;
mod doubt;
mod entry;
mod errors;
mod explain;
mod export;
mod fields;
mod global;
mod import;
mod label;
mod ledger;
mod login;
mod ndr;
mod next;
mod notify;
mod operations;
mod own;
mod pace;
mod plan;
mod profile;
mod purge;
mod quote;
mod rejects;
mod remarks;
mod remedy;
mod report;
mod rerun;
mod rules;
mod runs_asked;
mod sandbox;
mod schedule;
mod screen;
mod service_args;
mod selftest;
mod serviceability;
mod session;
mod settings;
mod shipment;
mod stations;
mod status;
mod template;
mod track;
mod warehouse;
mod warehouse_import;
mod watch;
mod webhook;

pub use crate::app::Exit;
pub use entry::{Io, main, run};

/// A command line that cannot be meant.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Usage(pub(crate) String);
