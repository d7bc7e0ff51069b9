//! The command line: arguments as typed, options as meant, one file per command, exit codes.

mod added;
mod address;
mod args;
mod aside;
mod bulk;
mod call;
mod cancel;
mod caution;
mod chosen;
mod conclude;
mod config;
mod console;
mod doubt;
mod exit;
mod export;
mod fields;
mod home;
mod import;
mod label;
mod ledger;
mod login;
mod ndr;
mod next;
mod operations;
mod profile;
mod quote;
mod remedy;
mod rerun;
mod room;
mod run;
mod sandbox;
mod service_args;
mod selftest;
mod served;
mod serviceability;
mod session;
mod settings;
mod shipment;
mod status;
mod survey;
mod template;
mod track;
mod trust;
mod warehouse;
mod warehouse_import;
mod warehouse_sheet;
mod webhook;

pub use exit::Exit;
pub use run::main;

/// A command line that cannot be meant.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Usage(pub(crate) String);
