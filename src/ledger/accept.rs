//! A person's word on a whole ledger: that the one at this place, or its absence, is right. Kept for good, in the ledger.

use std::path::Path;

use rusqlite::params;
use serde::Serialize;

use super::chain::{Chain, Evidence};
use super::crash::fail_point;
use super::error::LedgerError;
use super::mark::{self, Mark};
use super::open::{Ledger, Watch};
use super::place;

/// Who accepts a ledger, and how they know.
#[derive(Debug, Clone)]
pub struct NewAcceptance {
    /// The user's name.
    pub user: String,
    /// The machine's name.
    pub host: String,
    /// How they know.
    pub because: String,
    /// When, epoch milliseconds.
    pub at_ms: i64,
}

/// An acceptance, as the ledger keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AcceptanceRecord {
    /// When, epoch milliseconds.
    pub at_ms: i64,
    /// Who.
    pub user: String,
    /// On which machine.
    pub host: String,
    /// How they know.
    pub because: String,
    /// Attempts that were noted of the ledger that was here before.
    pub attempts_noted: i64,
    /// Attempts that the accepted one had.
    pub attempts_found: i64,
}

impl Ledger {
    /// A person says that the ledger at this place, or its absence, is right; where it is gone, a new one begins.
    /// `false` where nothing was held against it: then nothing is recorded.
    ///
    /// Whoever accepts holds a [`super::RunLock`] first.
    pub fn accept(path: &Path, watch: &Watch, word: &NewAcceptance) -> Result<bool, LedgerError> {
        let unmakeable = |source| LedgerError::Unmakeable { path: path.to_owned(), source };
        let path = &place::resolve(path).map_err(unmakeable)?;
        let Some(marks) = &watch.marks else { return Ok(false) };
        let Some(noted) = mark::noted(marks, path) else { return Ok(false) };
        let missing = mark::refuse_missing(Some(&noted), path).is_err();
        let mut ledger = Self::open(path)?;
        if !missing && mark::refuse_older(Some(&noted), &ledger.connection, path).is_ok() {
            return Ok(false);
        }
        // First the word, then the mark: were the program to end between them, the ledger is refused once more.
        ledger.keep_acceptance(word, noted.attempts())?;
        Mark::open(marks, path, &ledger.connection)?;
        Ok(true)
    }

    fn keep_acceptance(&mut self, word: &NewAcceptance, noted: i64) -> Result<(), LedgerError> {
        let transaction = self.begin()?;
        let mut chain = Chain::read(&transaction)?;
        transaction.execute(
            "INSERT INTO acceptances (at_ms, user, host, because, attempts_noted, attempts_found, evidence_n)
             VALUES (?1, ?2, ?3, ?4, ?5, (SELECT coalesce(max(id), 0) FROM attempts), ?6)",
            params![word.at_ms, word.user, word.host, word.because.trim(), noted, chain.next()],
        )?;
        chain.bind(&transaction, Evidence::Acceptance(transaction.last_insert_rowid()))?;
        fail_point("decide")?;
        Ok(transaction.commit()?)
    }

    /// Every acceptance, oldest first.
    pub(super) fn acceptances(&self) -> Result<Vec<AcceptanceRecord>, LedgerError> {
        let mut statement = self.connection.prepare(
            "SELECT at_ms, user, host, because, attempts_noted, attempts_found FROM acceptances ORDER BY id",
        )?;
        let records = statement.query_map([], |row| {
            Ok(AcceptanceRecord {
                at_ms: row.get(0)?,
                user: row.get(1)?,
                host: row.get(2)?,
                because: row.get(3)?,
                attempts_noted: row.get(4)?,
                attempts_found: row.get(5)?,
            })
        })?;
        Ok(records.collect::<Result<_, _>>()?)
    }
}
