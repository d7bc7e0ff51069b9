//! A person's word on a whole ledger: that the one at this place, or its absence, is right. Kept for good, in the ledger.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use super::chain::{Chain, Kind};
use super::crash::fail_point;
use super::db::{Connection, Transaction, params};
use super::error::LedgerError;
use super::home::{Home, Noting};
use super::lock::{RunLock, holder};
use super::mark::{self, Noted};
use super::open::{Ledger, Watch};

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

/// One acceptance, as the ledger keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AcceptanceRecord {
    /// When, in milliseconds since 1970-01-01 UTC.
    pub at_ms: i64,
    /// Who.
    pub user: String,
    /// On which machine.
    pub host: String,
    /// How they know.
    pub because: String,
    /// Attempts that were noted of the ledger that was here before.
    #[schemars(range(min = 0))]
    pub attempts_noted: i64,
    /// Attempts that the accepted one had.
    #[schemars(range(min = 0))]
    pub attempts_found: i64,
}

impl Ledger {
    /// A person says that the ledger at this place, or its absence, is right; where it is gone, a new one begins.
    /// `false` where nothing was held against it: then nothing is recorded.
    pub fn accept(lock: RunLock, watch: &Watch, word: &NewAcceptance) -> Result<bool, LedgerError> {
        let path = lock.ledger().to_owned();
        let is_file = lock.is_of_file();
        let missing = is_file && watch.marks.as_ref().is_some_and(|marks| mark::refuse_missing(marks, &path).is_err());
        let mut ledger = Self::open_locked(lock, watch)?;
        let here = if is_file { Self::home_at(&path, watch)? } else { Home::of_database(&ledger.connection)? };
        let found = ledger.take_mark(&path, watch)?;
        let refused = ledger.refuse_unfit(&path, &here, &found);
        match refused {
            Ok(_) if !missing => return Ok(false),
            Err(LedgerError::Copy { of, host, .. }) if host == watch.host && holder(Path::new(&of)).is_some() => {
                return Err(LedgerError::InUseElsewhere { path });
            }
            Ok(_)
            | Err(
                LedgerError::Older { .. }
                | LedgerError::Foreign { .. }
                | LedgerError::Behind { .. }
                | LedgerError::Copy { .. }
                | LedgerError::Replaced { .. },
            ) => {}
            Err(error) => return Err(error),
        }
        let attempts = Noted::of(&ledger.connection)?.attempts();
        let transaction = ledger.begin()?;
        keep_acceptance(&transaction, word, found.attempts().unwrap_or(attempts), (&here, watch.noting(), None))?;
        fail_point("decide")?;
        transaction.commit()?;
        // First the word, then the mark: were the program to end between them, the ledger is refused once more.
        match ledger.write_mark() {
            Err(why) if watch.marks.is_some() => Err(LedgerError::Unmarkable(why)),
            _ => Ok(true),
        }
    }
}

/// Every acceptance, oldest first.
pub(super) fn acceptances(connection: &Connection) -> Result<Vec<AcceptanceRecord>, LedgerError> {
    let mut statement = connection.prepare(
        "SELECT at_ms, user, host, because, attempts_noted, attempts_found FROM decisions
         WHERE verb = 'accept-ledger' ORDER BY id",
    )?;
    let records = statement.query_map((), |row| {
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

/// Keeps a person's word with the home that it makes, which may answer a move; bound into the evidence.
pub(super) fn keep_acceptance(
    transaction: &Transaction<'_>,
    word: &NewAcceptance,
    noted: i64,
    (home, by, answers): (&Home, Noting<'_>, Option<i64>),
) -> Result<i64, LedgerError> {
    let mut chain = Chain::read(transaction)?;
    let acceptance = transaction.insert(
        "INSERT INTO decisions (at_ms, user, host, verb, because, attempts_noted, attempts_found, evidence_n)
         VALUES (?1, ?2, ?3, 'accept-ledger', ?4, ?5, (SELECT coalesce(max(id), 0) FROM attempts), ?6)",
        params![word.at_ms, word.user, word.host, word.because.trim(), noted, chain.next()],
    )?;
    // Before it is bound: the link speaks of the home as well.
    home.note(transaction, by, Some(acceptance), answers)?;
    chain.bind(transaction, Kind::Decision, acceptance)?;
    Ok(acceptance)
}
