//! What booking needs, what it gives back, and why it could not.

use std::path::PathBuf;

use crate::api::{Client, TokenKeeper};
use crate::ledger::{Ledger, RunId};

use super::answer::Unsaved;
use super::brake::{BrakeOptions, StoppedBy};
use super::limits::Limits;
use super::stop::StopSignal;

/// A run to be booked.
pub struct Job {
    /// Where everything is written; nobody else may write to it meanwhile.
    pub ledger: Ledger,
    /// The run.
    pub run: RunId,
    /// Orders that may be sent, for listeners.
    pub orders: u64,
    /// The service.
    pub client: Client,
    /// The token.
    pub tokens: TokenKeeper,
    /// Width, waits and retries.
    pub brake: BrakeOptions,
    /// Requests a second at most.
    pub rate: Option<f64>,
    /// How far it may go.
    pub limits: Limits,
    /// How a person or the system ends it early.
    pub stop: StopSignal,
}

/// How booking ended.
#[derive(Debug)]
pub struct Booked {
    /// The ledger, handed back.
    pub ledger: Ledger,
    /// POSTs that left, or may have left.
    pub requests: u64,
    /// Which brake ended it early, with its reason.
    pub stopped: Option<(StoppedBy, String)>,
    /// Answers that could not be written into the ledger.
    pub unsaved: Vec<Unsaved>,
    /// Where they are kept until the next start takes them up; none where that failed as well.
    pub spool: Option<PathBuf>,
}

/// Why booking could not begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// No token could be had.
    #[error(transparent)]
    Token(#[from] crate::api::TokenError),
    /// No share of what the service takes could be had.
    #[error(transparent)]
    Ledger(#[from] crate::ledger::LedgerError),
    /// There is no thread to write the ledger.
    #[error("the ledger cannot be written: {0}")]
    Thread(#[from] std::io::Error),
    /// The thread that writes the ledger failed.
    #[error("writing the ledger ended unexpectedly: please report this")]
    Unwritten,
    /// The dispatcher itself failed.
    #[error("booking ended unexpectedly: {0}")]
    Broken(#[from] tokio::task::JoinError),
}
