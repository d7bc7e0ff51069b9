//! What an earlier process left: answers in the spool, and orders of which nobody knows.

use rusqlite::{Connection, OptionalExtension, params};

use crate::api::outcome::Outcome;

use super::chain::Chain;
use super::crash::fail_point;
use super::error::LedgerError;
use super::open::Ledger;
use super::record::OrderId;
use super::spool::{Entry, Spool};
use super::step::{self, Answer};

const CRASHED: &str = "the program ended between sending and the answer";

/// What was found at the start of a command that writes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Recovered {
    /// Orders whose answers the ledger could not take when they came, and which it has now.
    pub answered: Vec<String>,
    /// Orders that were being sent when the program ended: nobody knows what became of them.
    pub in_doubt: Vec<String>,
}

impl Ledger {
    /// Takes up the answers that the spool has kept; whatever else was being sent becomes in doubt.
    ///
    /// To be called under the run lock, before anything else is done.
    pub fn recover(&mut self, now_ms: i64) -> Result<Recovered, LedgerError> {
        let kept = self.spool.as_ref().map(Spool::entries).unwrap_or_default();
        let mut transaction = self.begin()?;
        let mut chain = Chain::read(&transaction)?;
        let mut recovered = Recovered::default();
        for entry in &kept {
            let Some(number) = waits_for(&transaction, entry)? else { continue };
            let savepoint = transaction.savepoint()?;
            let mut attempt = chain.clone();
            let (outcome, raw) = (entry.outcome(), entry.raw());
            let answer = Answer { outcome: &outcome, status: entry.status(), raw: raw.as_deref() };
            // An answer that a guard refuses leaves its order in doubt, below.
            if step::answer(&savepoint, &mut attempt, entry.order(), &answer, entry.at_ms()).is_ok() {
                savepoint.commit()?;
                chain = attempt;
                recovered.answered.push(number);
            }
        }
        let left: Vec<(OrderId, String)> = transaction
            .prepare(
                "SELECT o.id, o.number FROM attempts a CROSS JOIN orders o ON o.id = a.order_id
                 WHERE a.answered_ms IS NULL ORDER BY o.id",
            )?
            .query_map([], |row| Ok((OrderId(row.get(0)?), row.get(1)?)))?
            .collect::<Result<_, _>>()?;
        let outcome = Outcome::InDoubt { reason: CRASHED.to_owned() };
        for (order, number) in left {
            let answer = Answer { outcome: &outcome, status: None, raw: None };
            step::answer(&transaction, &mut chain, order, &answer, now_ms)?;
            recovered.in_doubt.push(number);
        }
        fail_point("recover")?;
        transaction.commit()?;
        if let Some(spool) = &mut self.spool {
            spool.clear();
        }
        self.raise_mark();
        Ok(recovered)
    }
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
