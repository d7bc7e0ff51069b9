//! Courier's statements that were taken in: what one of them names is held at once, whoever was to send it, until a person says that
//! it goes or forgets the statement.

use super::address::{addresses, take_up};
use super::book::{Author, RevisionRow, Source, SourceKind};
use super::chain::{Chain, Kind, take_statement};
use super::crash::fail_point;
use super::db::{Connection, OptionalExtension, params};
use super::error::LedgerError;
use super::former::{of_unsent, other_numbers};
use super::open::Ledger;
use super::record::{OrderId, State, Verdict};
use super::sql::word;
use crate::finding::RuleId;

/// A statement to take in.
#[derive(Debug, Clone, Copy)]
pub struct NewStatement<'n> {
    /// The service that it is of.
    pub service: &'n str,
    /// Its name.
    pub name: &'n str,
    /// The SHA-256 of its file.
    pub sha256: [u8; 32],
    /// Its content as it was read, in JSON.
    pub content: &'n str,
    /// Whether it is kept although it names no order that could still be sent.
    pub holds_what_comes: bool,
    /// Who.
    pub user: &'n str,
    /// On which machine.
    pub host: &'n str,
    /// When, epoch milliseconds.
    pub at_ms: i64,
}

/// The outcome of taking a statement in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TakenStatement {
    /// Its id; none where it was not to be kept.
    pub id: Option<i64>,
    /// Whether it was not here before.
    pub is_new: bool,
    /// How many orders it names that could be sent.
    pub named: usize,
    /// Those of them that it holds from now on.
    pub held: Vec<String>,
}

/// A statement that nobody has forgotten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementRecord {
    /// Its id.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// Its content as it was read, in JSON.
    pub content: String,
}

/// A person's word that what a statement holds may go.
#[derive(Debug, Clone, Copy)]
pub struct NewForgetting<'n> {
    /// The statement's id.
    pub id: i64,
    /// Who.
    pub user: &'n str,
    /// On which machine.
    pub host: &'n str,
    /// Why.
    pub because: &'n str,
    /// When, epoch milliseconds.
    pub at_ms: i64,
}

/// Statements that nobody has forgotten.
const OPEN: &str = "FROM statements t CROSS JOIN sources c ON c.id = t.source_id
    WHERE NOT EXISTS (SELECT 1 FROM decisions d WHERE d.statement_id = t.source_id)";

/// An order that could be sent, or may prove unsent, with the request by which it would go.
struct Found {
    order: OrderId,
    number: String,
    state: State,
    request: (i64, [u8; 32]),
    /// Whether nothing holds it.
    goes: bool,
    /// Whether a statement does.
    is_listed: bool,
}

impl Ledger {
    /// Takes a statement in and holds each order that could still be sent and that it `has`, by any number by which it is known.
    /// One that is here already holds what it names by now.
    pub fn take_statement(
        &mut self,
        new: &NewStatement<'_>,
        has: &dyn Fn(&str) -> bool,
    ) -> Result<TakenStatement, LedgerError> {
        let transaction = self.begin()?;
        let own = take_up(&transaction, new.service)?;
        let same = format!("SELECT t.source_id {OPEN} AND t.name = ?1 AND t.sha256 = ?2 AND c.service_id = ?3");
        let same: Option<i64> =
            transaction.query_row(&same, params![new.name, new.sha256, own], |row| row.get(0)).optional()?;
        let mut source = Source::begin(&transaction)?;
        let is_new = same.is_none();
        if is_new {
            take_statement(&mut source.digest, new.name, new.sha256, new.content);
        }
        let (named, held) = hold(&transaction, (&mut source, same), new, has)?;
        if (!is_new && held.is_empty()) || (is_new && named == 0 && !new.holds_what_comes) {
            return Ok(TakenStatement { id: same, is_new: false, named, held });
        }
        let id = same.unwrap_or(source.id);
        source.end(&transaction, (SourceKind::Statement, own), &new.by())?;
        if is_new {
            transaction.execute(
                "INSERT INTO statements (source_id, name, sha256, content) VALUES (?1, ?2, ?3, ?4)",
                params![id, new.name, new.sha256, new.content],
            )?;
        }
        fail_point("decide")?;
        transaction.commit()?;
        self.raise_mark();
        Ok(TakenStatement { id: Some(id), is_new, named, held })
    }

    /// The statements of a service that nobody has forgotten, in the order in which they came.
    pub fn statements(&self, service: &str) -> Result<Vec<StatementRecord>, LedgerError> {
        let mut statement = self.connection.prepare_cached(&format!(
            "SELECT t.source_id, t.name, t.content {OPEN}
                AND c.service_id IN (SELECT id FROM same_service WHERE origin = ?1) ORDER BY t.source_id"
        ))?;
        let records = statement.query_map([service], |row| {
            Ok(StatementRecord { id: row.get(0)?, name: row.get(1)?, content: row.get(2)? })
        })?;
        Ok(records.collect::<Result<_, _>>()?)
    }

    /// Forgets a statement: what it holds goes again, but for what `still` has, which are the numbers that other statements name. Gives
    /// the orders that go.
    pub fn forget_statement(
        &mut self,
        new: &NewForgetting<'_>,
        still: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<String>, LedgerError> {
        let transaction = self.begin()?;
        let of = format!(
            "SELECT c.service_id, s.origin FROM sources c CROSS JOIN services s ON s.id = c.service_id
             WHERE c.id = ?1 AND EXISTS (SELECT 1 {OPEN} AND t.source_id = ?1)"
        );
        let of: Option<(i64, String)> =
            transaction.query_row(&of, [new.id], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
        let (own, service) = of.ok_or(LedgerError::NoStatement)?;
        let mut chain = Chain::read(&transaction)?;
        let decision = transaction.insert(
            "INSERT INTO decisions (at_ms, user, host, verb, because, statement_id, evidence_n)
             VALUES (?1, ?2, ?3, 'forget-statement', ?4, ?5, ?6)",
            params![new.at_ms, new.user, new.host, new.because.trim(), new.id, chain.next()],
        )?;
        chain.bind(&transaction, Kind::Decision, decision)?;
        let addresses = addresses(&transaction, &service)?;
        let (mut source, mut released, mut is_changed) = (Source::begin(&transaction)?, Vec::new(), false);
        for found in found(&transaction, &service)?.into_iter().filter(|found| found.is_listed) {
            let others = other_numbers(&transaction, &addresses, &found.number, &[])?;
            if still(&found.number) || others.iter().any(|other| still(other)) {
                continue;
            }
            let_go(&transaction, &mut source, &found)?;
            is_changed = true;
            // Orders on their way or in doubt go nowhere by that.
            if !matches!(found.state, State::Sending | State::InDoubt) {
                released.push(found.number);
            }
        }
        if is_changed {
            let by = Author { user: new.user, host: new.host, at_ms: new.at_ms };
            source.end(&transaction, (SourceKind::Decision, own), &by)?;
        }
        fail_point("decide")?;
        transaction.commit()?;
        self.raise_mark();
        Ok(released)
    }
}

impl NewStatement<'_> {
    const fn by(&self) -> Author<'_> {
        Author { user: self.user, host: self.host, at_ms: self.at_ms }
    }
}

/// Holds the orders that a statement names and that would go, but for those that it held before, where it is `same`: a person has let
/// them go. Gives how many it names that could be sent, and those that it holds.
fn hold(
    connection: &Connection,
    (source, same): (&mut Source, Option<i64>),
    new: &NewStatement<'_>,
    has: &dyn Fn(&str) -> bool,
) -> Result<(usize, Vec<String>), LedgerError> {
    let rule = RuleId::InCouriersList.as_str();
    let mut before = connection.prepare_cached(
        "SELECT 1 FROM revisions WHERE order_id = ?1 AND source_id >= ?2 AND hold = ?3 AND rows = ?4",
    )?;
    let mut was_held = |order: OrderId| match same {
        None => Ok(false),
        Some(same) => before.exists(params![order.0, same, rule, new.name]),
    };
    let others = of_unsent(connection, new.service)?;
    let (mut named, mut held) = (0, Vec::new());
    for Found { order, number, request, goes, .. } in found(connection, new.service)? {
        if !has(&number) && !others.get(&number).into_iter().flatten().any(|other| has(other)) {
            continue;
        }
        named += 1;
        if !goes || was_held(order)? {
            continue;
        }
        let said = RevisionRow {
            verdict: Verdict::Go,
            hold: Some(rule),
            request: Some(request),
            rows: Some(new.name),
            rule: None,
            sheet: None,
        };
        let revision = source.record(connection, (order, &number), &said)?;
        connection
            .prepare_cached("UPDATE orders SET revision_id = ?2, hold = ?3 WHERE id = ?1")?
            .execute(params![order.0, revision, rule])?;
        held.push(number);
    }
    Ok((named, held))
}

/// Lets an order go that a statement holds.
fn let_go(connection: &Connection, source: &mut Source, found: &Found) -> Result<(), LedgerError> {
    let Found { order, number, state, request: (request, sha256), .. } = found;
    let revision = source.record(connection, (*order, number), &RevisionRow::go(*request, *sha256))?;
    // The run that brought that content keeps it back no more.
    connection.execute(
        "UPDATE run_orders SET behind = 0 WHERE order_id = ?1 AND behind = 1 AND already = 0
            AND run_id = (SELECT max(run_id) FROM run_orders WHERE order_id = ?1)",
        [order.0],
    )?;
    connection.execute("UPDATE orders SET revision_id = ?2, hold = NULL WHERE id = ?1", params![order.0, revision])?;
    // A correction that came meanwhile takes its place at once, but of an order that may be booked only once that proves unsent.
    if !matches!(state, State::Sending | State::InDoubt) {
        connection.execute(
            "UPDATE orders SET request_id = ?2, state = 'staged', error = NULL, order_id = NULL
             WHERE id = ?1 AND request_id <> ?2",
            params![order.0, *request],
        )?;
    }
    Ok(())
}

/// The orders of a service that could be sent, or may prove unsent.
fn found(connection: &Connection, service: &str) -> Result<Vec<Found>, LedgerError> {
    let mut statement = connection.prepare_cached(
        "SELECT o.id, o.number, o.state, q.id, q.sha256, o.verdict = 'go' AND o.hold IS NULL,
            CASE WHEN o.verdict = 'go' THEN coalesce(o.hold, '') ELSE '' END
         FROM same_service s CROSS JOIN orders o ON o.service_id = s.id CROSS JOIN revisions v ON v.id = o.revision_id
         CROSS JOIN requests q ON q.id = coalesce(v.request_id, o.request_id)
         WHERE s.origin = ?1 AND o.request_id IS NOT NULL
            AND o.state IN ('staged', 'waiting', 'rejected', 'refused', 'sending', 'in_doubt') ORDER BY o.id",
    )?;
    let found = statement.query_map([service], |row| {
        Ok(Found {
            order: OrderId(row.get(0)?),
            number: row.get(1)?,
            state: word(row, 2)?,
            request: (row.get(3)?, row.get(4)?),
            goes: row.get(5)?,
            is_listed: row.get_ref(6)?.as_str()? == RuleId::InCouriersList.as_str(),
        })
    })?;
    Ok(found.collect::<Result<_, _>>()?)
}

impl Ledger {
    /// The numbers by which an order of a service is known: its own, and others that it had or that had its own before.
    pub fn numbers_of(&self, service: &str, number: &str) -> Result<Vec<String>, LedgerError> {
        let mut numbers = vec![number.to_owned()];
        numbers.extend(other_numbers(&self.connection, &addresses(&self.connection, service)?, number, &[])?);
        Ok(numbers)
    }
}
