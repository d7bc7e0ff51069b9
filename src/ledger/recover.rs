//! What an earlier process left: answers in the spool, and orders of which nobody knows.

use crate::api::outcome::{Doubt, Outcome};

use super::chain::Chain;
use super::crash::fail_point;
use super::db::{Connection, OptionalExtension, Transaction, params};
use super::error::LedgerError;
use super::late::{self, Late, LateContradiction};
use super::open::Ledger;
use super::record::OrderId;
use super::spool::{Entry, Spool};
use super::step::{self, Answer};

/// What was found at the start of a command that writes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Recovered {
    /// Orders whose answers the ledger could not take when they came, and which it has now.
    pub answered: Vec<String>,
    /// Orders that were being sent when the program ended: nobody knows what became of them.
    pub in_doubt: Vec<String>,
    /// Answers that came to light and contradict what the ledger knows: a person must look at them.
    pub contradictions: Vec<LateContradiction>,
}

impl Ledger {
    /// Takes up the answers that the spool has kept; whatever else was being sent becomes in doubt.
    ///
    /// To be called under the run lock, before anything else is done.
    pub fn recover(&mut self, now_ms: i64) -> Result<Recovered, LedgerError> {
        let kept = self.spool.as_ref().map(Spool::entries).unwrap_or_default();
        // Of a file whoever has its lock is alone with it. On a server others go on sending, but for those that are fenced.
        let left_alone = if self.connection.has_file() {
            ""
        } else {
            "AND (a.epoch IS NULL OR a.epoch = own_epoch()
                OR a.epoch IN (SELECT epoch FROM stations WHERE ended IS NOT NULL OR fenced IS NOT NULL))"
        };
        let mut transaction = self.connection.begin()?;
        #[cfg(feature = "postgres")]
        if let Some(session) = &self.session {
            session.fence_others(&transaction)?;
        }
        let mut chain = Chain::read(&transaction)?;
        let mut recovered = Recovered::default();
        let mut not_taken = Vec::new();
        let mut late = Vec::new();
        for entry in kept {
            match taken(&mut transaction, &mut chain, &entry)? {
                Taken::Answered(number) => recovered.answered.push(number),
                Taken::Late => late.push(entry),
                Taken::NotAtAll => not_taken.push(entry),
            }
        }
        let left: Vec<(OrderId, String)> = transaction
            .prepare(&format!(
                "SELECT o.id, o.number FROM attempts a CROSS JOIN orders o ON o.id = a.order_id
                 WHERE a.answered_ms IS NULL {left_alone} ORDER BY o.id"
            ))?
            .query_map((), |row| Ok((OrderId(row.get(0)?), row.get(1)?)))?
            .collect::<Result<_, _>>()?;
        let outcome = Outcome::InDoubt { doubt: Doubt::Crashed };
        for (order, number) in left {
            let answer = Answer { outcome: &outcome, status: None, raw: None };
            step::answer(&transaction, &mut chain, order, &answer, now_ms)?;
            recovered.in_doubt.push(number);
        }
        // Whatever was being sent is in doubt by now: an answer to an earlier attempt meets no open one.
        for entry in late {
            let taken = taken_late(&mut transaction, &mut chain, &entry, now_ms)?;
            match taken {
                Some((number, Late::Settled)) => {
                    recovered.in_doubt.retain(|doubt| *doubt != number);
                    recovered.answered.push(number);
                }
                Some((number, Late::Contradiction(contradiction))) => {
                    recovered.in_doubt.retain(|doubt| *doubt != number);
                    recovered.contradictions.push(contradiction);
                }
                // A ledger that was put back from a copy may not know the attempt yet.
                Some((_, Late::Unknown)) | None => not_taken.push(entry),
                Some(_) => {}
            }
        }
        fail_point("recover")?;
        transaction.commit()?;
        if let Some(spool) = &mut self.spool {
            spool.keep_only(&not_taken);
        }
        self.raise_mark();
        Ok(recovered)
    }
}

/// What became of an answer that was kept.
enum Taken {
    /// Its attempt was open.
    Answered(String),
    /// Its attempt is closed already.
    Late,
    /// A guard refused it: it stays where it is, and its order is in doubt.
    NotAtAll,
}

fn taken(transaction: &mut Transaction<'_>, chain: &mut Chain, entry: &Entry) -> Result<Taken, LedgerError> {
    let Some(number) = waits_for(transaction, entry)? else { return Ok(Taken::Late) };
    let savepoint = transaction.savepoint()?;
    let mut attempt = chain.clone();
    let (outcome, raw) = (entry.outcome(), entry.raw());
    let answer = Answer { outcome: &outcome, status: entry.status(), raw: raw.as_deref() };
    if step::answer(&savepoint, &mut attempt, entry.order(), &answer, entry.at_ms()).is_err() {
        return Ok(Taken::NotAtAll);
    }
    savepoint.commit()?;
    *chain = attempt;
    Ok(Taken::Answered(number))
}

/// Takes an answer to an attempt that is closed; none where a guard refused it.
fn taken_late(
    transaction: &mut Transaction<'_>,
    chain: &mut Chain,
    entry: &Entry,
    now_ms: i64,
) -> Result<Option<(String, Late)>, LedgerError> {
    let savepoint = transaction.savepoint()?;
    let mut attempt = chain.clone();
    let (outcome, raw) = (entry.outcome(), entry.raw());
    let answer = Answer { outcome: &outcome, status: entry.status(), raw: raw.as_deref() };
    let times = (entry.at_ms(), now_ms);
    let Ok(late) = late::take(&savepoint, &mut attempt, (entry.order(), entry.attempt()), &answer, times) else {
        return Ok(None);
    };
    let number = savepoint
        .query_row("SELECT number FROM orders WHERE id = ?1", [entry.order().0], |row| row.get(0))
        .optional()?
        .unwrap_or_default();
    savepoint.commit()?;
    *chain = attempt;
    Ok(Some((number, late)))
}

/// The number of the order, if this very attempt of it has no answer yet.
fn waits_for(connection: &Connection, entry: &Entry) -> Result<Option<String>, LedgerError> {
    let found = connection.query_row(
        "SELECT o.number FROM attempts a JOIN orders o ON o.id = a.order_id
         WHERE a.order_id = ?1 AND a.n = ?2 AND a.answered_ms IS NULL",
        params![entry.order().0, entry.attempt()],
        |row| row.get(0),
    );
    Ok(found.optional()?)
}
