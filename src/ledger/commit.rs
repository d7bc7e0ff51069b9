//! Group commit: one transaction carries the answers that have come in and the intents of the orders that go next.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::api::outcome::Outcome;

use super::chain::Chain;
use super::crash::{crash_point, fail_point};
use super::db::{Connection, params};
use super::error::LedgerError;
use super::open::Ledger;
use super::record::{OrderId, RunId};
use super::share::{Allowance, BrakeElsewhere, Share};
use super::spool::Entry;
use super::sql::int;
use super::step::{self, Answer};

/// One step of one order.
#[derive(Debug, Clone)]
pub enum Change {
    /// It is about to be sent.
    Intent {
        /// The order.
        order: OrderId,
        /// The request that is sent: where another one has taken its place, nothing is.
        request: i64,
        /// The run that sends it.
        run: RunId,
    },
    /// Its open attempt has ended.
    Answer {
        /// The order.
        order: OrderId,
        /// What came of it.
        outcome: Outcome,
        /// The HTTP status, where there was one.
        status: Option<u16>,
        /// The answer as it came.
        raw: Option<Vec<u8>>,
    },
}

/// What became of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Applied {
    /// It stands.
    Done,
    /// The shipment belongs to another order already: this one is in doubt.
    Contradiction {
        /// The other order's number.
        other: String,
    },
    /// The answer came late, and its order may be booked twice.
    TwoBookings {
        /// The AWB of this answer.
        awb: String,
        /// What stands against it, for people.
        against: String,
    },
    /// Another station has the order by now, or has corrected it: nothing is to be sent.
    Elsewhere,
    /// A newer source, or a question about it, keeps the order back: nothing is to be sent.
    Held,
    /// Another station has stopped all of them: nothing is to be sent.
    Braked(Box<BrakeElsewhere>),
}

impl Ledger {
    /// Writes changes to the disk, all or none; `now_ms` is their time. Gives what became of each, in order.
    ///
    /// Where that fails, nothing may be sent any more; the answers among the changes are written into the spool beside
    /// the ledger and taken up by the next [`Ledger::recover`] ([`LedgerError::Spooled`] says so). They may be offered
    /// again until then.
    pub fn commit(&mut self, changes: &[Change], now_ms: i64) -> Result<Vec<Applied>, LedgerError> {
        // A transaction that is broken off is rolled back, and its answers are still worth keeping.
        let write = AssertUnwindSafe(|| self.write(changes, now_ms));
        match catch_unwind(write).unwrap_or(Err(LedgerError::Panicked)) {
            Ok((applied, attempts)) => {
                for ((change, attempt), became) in changes.iter().zip(attempts).zip(&applied) {
                    match change {
                        Change::Intent { .. } if *became != Applied::Done => {}
                        Change::Intent { order, .. } => drop(self.under_way.insert(*order, attempt)),
                        Change::Answer { order, .. } => {
                            self.under_way.remove(order);
                            if let Some(spool) = &mut self.spool {
                                spool.forget(*order);
                            }
                        }
                    }
                }
                #[cfg(feature = "postgres")]
                if let Some(session) = &mut self.session {
                    session.note_under_way(self.under_way.len());
                }
                self.raise_mark();
                Ok(applied)
            }
            Err(error) => Err(self.keep_answers(changes, now_ms, error)),
        }
    }

    /// This station's share of what the service of a run takes, which is at most what was declared; none where nobody else can
    /// book with this ledger.
    #[cfg_attr(not(feature = "postgres"), expect(clippy::unnecessary_wraps, reason = "only stations share"))]
    pub fn share(&mut self, run: RunId, declared: Allowance) -> Result<Option<Share>, LedgerError> {
        #[cfg(feature = "postgres")]
        if !self.connection.has_file() {
            return self.take_share(run, declared);
        }
        let _ = (run, declared);
        Ok(None)
    }

    /// Stops all stations that book at the service of a run; where there are no others nothing has to be said.
    #[cfg_attr(not(feature = "postgres"), expect(clippy::unnecessary_wraps, reason = "only stations are told"))]
    pub fn pull_brake(&mut self, run: RunId, by: &str, why: &str) -> Result<(), LedgerError> {
        #[cfg(feature = "postgres")]
        if !self.connection.has_file() {
            return self.pull(run, by, why);
        }
        let _ = (run, by, why);
        Ok(())
    }

    /// One transaction; gives with each change its attempt, which only intents have.
    fn write(&mut self, changes: &[Change], now_ms: i64) -> Result<(Vec<Applied>, Vec<u32>), LedgerError> {
        let has_answer = changes.iter().any(|change| matches!(change, Change::Answer { .. }));
        let has_intent = changes.iter().any(|change| matches!(change, Change::Intent { .. }));
        if has_answer {
            crash_point("before-answer");
        }
        if has_intent {
            crash_point("before-intent");
        }
        #[cfg(feature = "postgres")]
        if !self.connection.has_file() {
            let turned = self.turn(changes, now_ms)?;
            fail_point("committed")?;
            passed_on_the_disk(has_answer, has_intent);
            return Ok(turned);
        }
        let transaction = self.begin()?;
        let mut chain = Chain::read(&transaction)?;
        let mut applied = Vec::with_capacity(changes.len());
        let mut attempts = Vec::with_capacity(changes.len());
        for change in changes {
            let (now, attempt) = match change {
                Change::Intent { order, request, run } => {
                    match step::intend(&transaction, (*order, *request), *run, now_ms)? {
                        Some(attempt) => (Applied::Done, attempt),
                        None => (Applied::Held, 0),
                    }
                }
                Change::Answer { order, outcome, status, raw } => {
                    let answer = Answer { outcome, status: *status, raw: raw.as_deref() };
                    (step::answer(&transaction, &mut chain, *order, &answer, now_ms)?, 0)
                }
            };
            applied.push(now);
            attempts.push(attempt);
        }
        count_requests(&transaction, changes, &applied)?;
        fail_point("commit")?;
        transaction.commit()?;
        fail_point("committed")?;
        passed_on_the_disk(has_answer, has_intent);
        Ok((applied, attempts))
    }

    /// Writes the answers of a failed commit beside the ledger, and says in the error whether that worked.
    fn keep_answers(&mut self, changes: &[Change], now_ms: i64, error: LedgerError) -> LedgerError {
        let entries: Vec<Entry> = changes
            .iter()
            .filter_map(|change| match change {
                Change::Intent { .. } => None,
                Change::Answer { order, outcome, status, raw } => {
                    let attempt = *self.under_way.get(order)?;
                    Some(Entry::new(*order, attempt, now_ms, outcome, *status, raw.as_deref()))
                }
            })
            .collect();
        let answers = entries.len() as u64;
        let Some(spool) = &mut self.spool else { return error };
        if answers == 0 || spool.keep(entries).is_err() {
            return error;
        }
        LedgerError::Spooled { cause: Box::new(error), answers, spool: spool.path().to_owned() }
    }
}

/// Where a test may end the process once all is on the disk.
fn passed_on_the_disk(has_answer: bool, has_intent: bool) {
    if has_answer {
        crash_point("after-answer");
    }
    if has_intent {
        crash_point("after-intent");
    }
}

/// Keeps the count of requests of the run that sends, so that it can be told while the run goes on and if it is killed.
fn count_requests(connection: &Connection, changes: &[Change], applied: &[Applied]) -> Result<(), LedgerError> {
    let intents = |(change, applied): (&Change, &Applied)| match change {
        Change::Intent { run, .. } if *applied == Applied::Done => Some(*run),
        Change::Intent { .. } | Change::Answer { .. } => None,
    };
    let all = || changes.iter().zip(applied);
    let Some(run) = all().find_map(intents) else { return Ok(()) };
    let sent = all().filter(|one| intents(*one) == Some(run)).count();
    connection
        .prepare_cached("UPDATE runs SET requests = requests + ?2 WHERE id = ?1")?
        .execute(params![run.0, int(sent as u64)])?;
    Ok(())
}
