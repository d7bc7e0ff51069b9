//! A person's word on an order in doubt, kept for good.

use rusqlite::{OptionalExtension, TransactionBehavior, params};

use super::error::LedgerError;
use super::open::Ledger;

/// What a person decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DecisionVerb {
    /// It is booked.
    Booked {
        /// Its AWB.
        awb: String,
    },
    /// It is not booked and may be sent again.
    NotBooked,
}

/// A decision and who made it.
#[derive(Debug, Clone)]
pub struct NewDecision {
    /// The service.
    pub service: String,
    /// The order number.
    pub number: String,
    /// What was decided.
    pub verb: DecisionVerb,
    /// Who.
    pub user: String,
    /// On which machine.
    pub host: String,
    /// How they know.
    pub because: String,
    /// When, epoch milliseconds.
    pub at_ms: i64,
}

impl Ledger {
    /// Settles an order in doubt.
    pub fn decide(&mut self, decision: &NewDecision) -> Result<(), LedgerError> {
        let NewDecision { service, number, verb, user, host, because, at_ms } = decision;
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let found: Option<(i64, String)> = transaction
            .query_row(
                "SELECT id, state FROM orders WHERE service = ? AND number = ?",
                params![service, number],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .optional()?;
        let Some((id, state)) = found else {
            return Err(LedgerError::UnknownOrder { order: number.clone(), service: service.clone() });
        };
        if state != "in_doubt" {
            return Err(LedgerError::Illegal { order: number.clone(), state, wanted: "settled: it is not in doubt" });
        }
        let (word, awb) = match verb {
            DecisionVerb::Booked { awb } => ("booked", Some(awb)),
            DecisionVerb::NotBooked => ("not-booked", None),
        };
        if let Some(awb) = awb {
            let other: Option<String> = transaction
                .query_row("SELECT number FROM orders WHERE service = ? AND awb = ?", params![service, awb], |row| {
                    row.get(0)
                })
                .optional()?;
            if let Some(other) = other {
                return Err(LedgerError::AwbTaken { awb: awb.clone(), other });
            }
        }
        transaction.execute(
            "INSERT INTO decisions (at_ms, user, host, order_id, attempt_id, verb, awb, because)
             VALUES (?1, ?2, ?3, ?4, (SELECT max(id) FROM attempts WHERE order_id = ?4), ?5, ?6, ?7)",
            params![at_ms, user, host, id, word, awb, because],
        )?;
        let state = if awb.is_some() { "booked" } else { "staged" };
        transaction.execute(
            "UPDATE orders SET state = ?, awb = ?, error = NULL WHERE id = ? AND state = 'in_doubt'",
            params![state, awb, id],
        )?;
        Ok(transaction.commit()?)
    }
}
