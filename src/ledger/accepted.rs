//! What people accepted of what rules held, kept for good with the cells that it was given for.

use super::address::{addresses, take_up};
use super::book::{Author, Release, release};
use super::chain::{Chain, Kind};
use super::crash::fail_point;
use super::db::{OptionalExtension, Transaction, Value, params};
use super::error::LedgerError;
use super::known::known;
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
    /// Records what a person accepted, all of it or nothing, and lets the orders go whose row waits for that answer; gives their
    /// numbers.
    pub fn accept_findings(
        &mut self,
        service: &str,
        host: &str,
        accepted: &[AcceptedFinding],
    ) -> Result<Vec<String>, LedgerError> {
        let transaction = self.begin()?;
        let (own, mut released) = (take_up(&transaction, service)?, Vec::new());
        let addresses = addresses(&transaction, service)?;
        for one in accepted {
            keep(&transaction, own, host, one)?;
            let AcceptedFinding { rule, order: Some(number), basis, word, .. } = one else { continue };
            let Some(order) = known(&transaction, &addresses, number)? else { continue };
            let by = Author { user: &word.by, host, at_ms: word.at_ms };
            if release(&transaction, order.order, Release::Asked(rule, basis), &by)? {
                released.push(number.clone());
            }
        }
        fail_point("decide")?;
        transaction.commit()?;
        self.raise_mark();
        Ok(released)
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

    /// The findings that held an order when a run kept it back last at a service, and those of the question that its row waits for;
    /// nothing where it never was.
    pub fn held_last(&self, service: &str, number: &str) -> Result<Vec<ProblemRecord>, LedgerError> {
        let problems =
            "SELECT p.code, p.severity, p.place, p.order_number, p.field, p.found, p.message, p.hint, p.detail
             FROM problems p WHERE p.severity = 'error' AND p.order_number = ?2 AND p.run_id IN (
                SELECT max(r.run_id) FROM same_service s CROSS JOIN orders o ON o.service_id = s.id AND o.number = ?2
                CROSS JOIN run_orders r ON r.order_id = o.id AND r.behind = 1 WHERE s.origin = ?1
                UNION SELECT c.run_id FROM same_service s CROSS JOIN orders o ON o.service_id = s.id AND o.number = ?2
                CROSS JOIN revisions v ON v.id = o.revision_id CROSS JOIN sources c ON c.id = v.source_id
                WHERE s.origin = ?1 AND o.hold IS NOT NULL) ORDER BY p.run_id DESC, p.n";
        self.problems_by(problems, params![service, number])
    }

    /// The rule whose question an order's row waits for, and the hash of the request that it is about; nothing where there is none.
    pub fn question(&self, service: &str, number: &str) -> Result<Option<(String, [u8; 32])>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT o.hold, q.sha256 FROM same_service s CROSS JOIN orders o ON o.service_id = s.id AND o.number = ?2
             CROSS JOIN revisions v ON v.id = o.revision_id CROSS JOIN requests q ON q.id = v.request_id
             WHERE s.origin = ?1 AND o.standing = 'held' AND o.hold IS NOT NULL",
        )?;
        Ok(statement.query_row([service, number], |row| Ok((row.get(0)?, row.get(1)?))).optional()?)
    }

    /// The numbers of orders that the latest runs kept back at a service, latest run first.
    pub fn kept_back_lately(&self, service: &str, runs: u32) -> Result<Vec<String>, LedgerError> {
        let mut statement = self.connection.prepare(
            "SELECT o.number FROM run_orders r CROSS JOIN orders o ON o.id = r.order_id WHERE r.behind = 1 AND r.run_id IN (
                SELECT id FROM runs WHERE service_id IN (SELECT id FROM same_service WHERE origin = ?1)
                ORDER BY id DESC LIMIT ?2) GROUP BY o.number ORDER BY max(r.run_id) DESC, min(r.seq)",
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
