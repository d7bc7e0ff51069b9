//! What people accepted of what rules held, kept for good with the cells that it was given for.

use super::address::take_up;
use super::chain::{Chain, Kind};
use super::crash::fail_point;
use super::db::{Transaction, Value, params};
use super::error::LedgerError;
use super::open::Ledger;
use super::record::{ProblemColumns, ProblemRecord};
use crate::finding::{Accepted, Basis};

/// A finding that a person accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedFinding {
    /// The rule's id.
    pub rule: String,
    /// The order; none of a finding on a whole sheet.
    pub order: Option<String>,
    /// The sheet, where no order is meant.
    pub sheet: Option<String>,
    /// The cells that it was given for.
    pub basis: Basis,
    /// Who, when and why.
    pub word: Accepted,
}

impl Ledger {
    /// Records what a person accepted, all of it or nothing.
    pub fn accept_findings(
        &mut self,
        service: &str,
        host: &str,
        accepted: &[AcceptedFinding],
    ) -> Result<(), LedgerError> {
        let transaction = self.begin()?;
        let service = take_up(&transaction, service)?;
        accepted.iter().try_for_each(|accepted| keep(&transaction, service, host, accepted))?;
        fail_point("decide")?;
        transaction.commit()?;
        self.raise_mark();
        Ok(())
    }

    /// Everything that was accepted at a service, oldest first.
    pub fn accepted_findings(&self, service: &str) -> Result<Vec<AcceptedFinding>, LedgerError> {
        let mut statement = self.connection.prepare(
            "SELECT rule, number, sheet, basis, user, at_ms, because FROM decisions
             WHERE rule IS NOT NULL AND service_id IN (SELECT id FROM same_service WHERE origin = ?1) ORDER BY id",
        )?;
        let accepted = statement.query_map([service], |row| {
            let basis: String = row.get(3)?;
            Ok(AcceptedFinding {
                rule: row.get(0)?,
                order: row.get(1)?,
                sheet: row.get(2)?,
                basis: serde_json::from_str(&basis).unwrap_or_default(),
                word: Accepted { by: row.get(4)?, at_ms: row.get(5)?, because: row.get(6)?, is_new: false },
            })
        })?;
        Ok(accepted.collect::<Result<_, _>>()?)
    }

    /// What held an order when it was left behind last at a service; nothing where it never was.
    pub fn held_last(&self, service: &str, number: &str) -> Result<Vec<ProblemRecord>, LedgerError> {
        let problems =
            "SELECT p.code, p.severity, p.place, p.order_number, p.field, p.found, p.message, p.hint, p.detail
             FROM problems p WHERE p.severity = 'error' AND p.order_number = ?2 AND p.run_id = (
                SELECT max(i.run_id) FROM run_invalid i CROSS JOIN runs r ON r.id = i.run_id
                WHERE i.number = ?2 AND r.service_id IN (SELECT id FROM same_service WHERE origin = ?1)) ORDER BY p.n";
        self.problems_by(problems, params![service, number])
    }

    /// The numbers of orders that were left behind in the latest runs at a service, latest run first.
    pub fn left_behind_lately(&self, service: &str, runs: u32) -> Result<Vec<String>, LedgerError> {
        let mut statement = self.connection.prepare(
            "SELECT i.number FROM run_invalid i WHERE i.number IS NOT NULL AND i.run_id IN (
                SELECT id FROM runs WHERE service_id IN (SELECT id FROM same_service WHERE origin = ?1)
                ORDER BY id DESC LIMIT ?2) GROUP BY i.number ORDER BY max(i.run_id) DESC, min(i.n)",
        )?;
        let numbers = statement.query_map(params![service, runs], |row| row.get(0))?;
        Ok(numbers.collect::<Result<_, _>>()?)
    }

    fn problems_by(&self, sql: &str, with: &[Value<'_>]) -> Result<Vec<ProblemRecord>, LedgerError> {
        let mut statement = self.connection.prepare(sql)?;
        let rows = statement.query_map(with, |row| ProblemColumns::of_row(row).map(ProblemRecord::from))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

/// Keeps what a person accepted, bound into the evidence.
pub(super) fn keep(
    transaction: &Transaction<'_>,
    service: i64,
    host: &str,
    accepted: &AcceptedFinding,
) -> Result<(), LedgerError> {
    let AcceptedFinding { rule, order, sheet, basis, word } = accepted;
    let basis = serde_json::to_string(basis).map_err(|error| LedgerError::Damaged(error.to_string()))?;
    let mut chain = Chain::read(transaction)?;
    let kept = transaction.insert(
        "INSERT INTO decisions (at_ms, user, host, verb, service_id, rule, number, sheet, basis, because, evidence_n)
         VALUES (?1, ?2, ?3, 'accept-finding', ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        params![word.at_ms, word.by, host, service, rule, order, sheet, basis, word.because.trim(), chain.next()],
    )?;
    chain.bind(transaction, Kind::Decision, kept)
}
