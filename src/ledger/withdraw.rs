//! Orders that a newer sheet takes back: an older request of theirs that waits is not sent any more, and only what was never
//! seen of them, or a person, lets them go again.

use super::address::addresses;
use super::chain::{Chain, Kind};
use super::db::{Connection, params};
use super::error::LedgerError;
use super::known::known;
use super::open::Ledger;
use super::record::{Known, NewWithdrawal, OrderId};

/// Who records something, and when.
pub(super) struct By<'b> {
    pub(super) user: &'b str,
    pub(super) host: &'b str,
    pub(super) at_ms: i64,
}

/// Takes an order back that waits to be sent; what is on its way or over stays as it is.
pub(super) fn withdraw(
    connection: &Connection,
    known: &Known,
    by: &By<'_>,
    new: &NewWithdrawal,
) -> Result<bool, LedgerError> {
    if !known.is_unsent() {
        return Ok(false);
    }
    let decision = decide(connection, known.order, by, ("abandoned", &new.because))?;
    connection
        .prepare_cached("INSERT INTO withdrawals (decision_id, verdict, sheet) VALUES (?1, ?2, ?3)")?
        .execute(params![decision, new.verdict.as_str(), new.sheet])?;
    connection
        .prepare_cached(
            "UPDATE orders SET state = 'abandoned', order_id = NULL, error = ?2
             WHERE id = ?1 AND state IN ('staged', 'waiting', 'rejected', 'refused')",
        )?
        .execute(params![known.order.0, format!("abandoned: {}", new.because)])?;
    Ok(true)
}

/// Lets an order go again that a sheet took back.
pub(super) fn release(connection: &Connection, order: OrderId, by: &By<'_>, because: &str) -> Result<(), LedgerError> {
    decide(connection, order, by, ("not-booked", because))?;
    connection
        .prepare_cached("UPDATE orders SET state = 'staged', error = NULL WHERE id = ?1 AND state = 'abandoned'")?
        .execute([order.0])?;
    Ok(())
}

fn decide(
    connection: &Connection,
    order: OrderId,
    by: &By<'_>,
    (verb, because): (&str, &str),
) -> Result<i64, LedgerError> {
    let mut chain = Chain::read(connection)?;
    let decision = connection.insert(
        "INSERT INTO decisions (at_ms, user, host, order_id, attempt_id, verb, because, evidence_n)
         VALUES (?1, ?2, ?3, ?4, (SELECT max(id) FROM attempts WHERE order_id = ?4), ?5, ?6, ?7)",
        params![by.at_ms, by.user, by.host, order.0, verb, because, chain.next()],
    )?;
    chain.bind(connection, Kind::Decision, decision)?;
    Ok(decision)
}

impl Ledger {
    /// Takes orders of a service back that wait to be sent, all of them or none; gives their numbers. Of those that are on
    /// their way, over, or unknown, nothing is recorded.
    pub fn withdraw(
        &mut self,
        service: &str,
        (user, host, at_ms): (&str, &str, i64),
        all: &[NewWithdrawal],
    ) -> Result<Vec<String>, LedgerError> {
        if all.is_empty() {
            return Ok(Vec::new());
        }
        let transaction = self.begin()?;
        let (addresses, by) = (addresses(&transaction, service)?, By { user, host, at_ms });
        let mut withdrawn = Vec::new();
        for new in all {
            if let Some(known) = known(&transaction, &addresses, &new.number)?
                && withdraw(&transaction, &known, &by, new)?
            {
                withdrawn.push(new.number.clone());
            }
        }
        transaction.commit()?;
        self.raise_mark();
        Ok(withdrawn)
    }
}
