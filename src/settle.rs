//! Orders in doubt: a person's word settles them, and it is kept for good.

use crate::ledger::{DecisionVerb, Ledger, LedgerError, NewDecision};

/// Who decides, and how they know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The user's name.
    pub user: String,
    /// The machine's name.
    pub host: String,
    /// How they know.
    pub because: String,
    /// When, epoch milliseconds.
    pub at_ms: i64,
}

/// Why a word is not taken.
#[derive(Debug, thiserror::Error)]
pub enum SettleError {
    /// No reason was given.
    #[error("--because is empty: write how you know, for instance what the courier's portal shows")]
    NoReason,
    /// Not an AWB.
    #[error("\"{0}\" is no AWB: copy it from the courier's portal")]
    NoAwb(String),
    /// The ledger does not take it.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

/// The portal shows the order: its AWB is recorded and it is booked.
pub fn booked(ledger: &mut Ledger, service: &str, order: &str, awb: &str, word: &Word) -> Result<(), SettleError> {
    let awb = awb.trim();
    let plausible = !awb.is_empty() && awb.len() <= 64 && awb.chars().all(|c| c.is_ascii_graphic());
    let blank = ["null", "na", "n/a", "none", "0", "-"].contains(&awb.to_lowercase().as_str());
    if !plausible || blank {
        return Err(SettleError::NoAwb(awb.to_owned()));
    }
    decide(ledger, service, order, DecisionVerb::Booked { awb: awb.to_owned() }, word)
}

/// The portal does not show the order: it may be sent again.
pub fn not_booked(ledger: &mut Ledger, service: &str, order: &str, word: &Word) -> Result<(), SettleError> {
    decide(ledger, service, order, DecisionVerb::NotBooked, word)
}

fn decide(ledger: &mut Ledger, service: &str, order: &str, verb: DecisionVerb, word: &Word) -> Result<(), SettleError> {
    if word.because.trim().is_empty() {
        return Err(SettleError::NoReason);
    }
    let Word { user, host, because, at_ms } = word.clone();
    Ok(ledger.decide(&NewDecision {
        service: service.to_owned(),
        number: order.to_owned(),
        verb,
        user,
        host,
        because,
        at_ms,
    })?)
}
