//! The command line: arguments as typed, options as meant, one file per command, exit codes.

mod accept;
mod address;
mod args;
mod bulk;
mod cancel;
mod chosen;
mod completions;
mod conclude;
mod config;
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
mod face;
mod fields;
mod global;
mod groups;
mod how_read;
mod import;
mod keyboard;
mod label;
mod ledger;
mod night;
mod notify;
mod own;
mod pace;
mod plan;
mod profile;
mod purge;
mod rejects;
mod remedy;
mod report;
mod rerun;
mod rules;
mod runs;
mod runs_asked;
mod sandbox;
mod schema;
mod screen;
mod selftest;
mod service;
mod session;
mod settings;
mod show;
mod stations;
mod status;
mod template;
mod track;
mod typed;
mod watch;
mod whose;

pub use crate::app::Exit;
pub use entry::{Io, main, run};
pub use schema::schemas;

/// A command line that cannot be meant.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Usage(pub(crate) String);
