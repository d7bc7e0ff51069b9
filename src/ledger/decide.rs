//! A person's word on an order, kept for good.

use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::chain::{Chain, Evidence};
use super::crash::fail_point;
use super::error::LedgerError;
use super::open::Ledger;
use super::record::{OrderId, State};
use super::sql::word;
use super::step::illegal;

/// What a person decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DecisionVerb {
    /// An order in doubt is booked.
    Booked {
        /// Its AWB.
        awb: String,
    },
    /// An order in doubt, or an abandoned one, is not booked and may be sent again, once: the next attempt that ends in
    /// doubt needs a decision of its own.
    NotBooked,
    /// The order is given up: nothing sends it again but a later [`DecisionVerb::NotBooked`]. Of any order that is not
    /// booked and not under way.
    Abandoned,
}

impl DecisionVerb {
    /// The word in the ledger, the state that it leads to, and what the person wanted, for whoever is refused.
    const fn parts(&self) -> (&'static str, State, &'static str) {
        match self {
            Self::Booked { .. } => ("booked", State::Booked, "settled: it is not in doubt"),
            Self::NotBooked => ("not-booked", State::Staged, "settled: it is not in doubt"),
            Self::Abandoned => ("abandoned", State::Abandoned, "abandoned"),
        }
    }
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
    /// Records a decision and moves its order, both or neither.
    pub fn decide(&mut self, decision: &NewDecision) -> Result<(), LedgerError> {
        self.decide_all(std::slice::from_ref(decision))
    }

    /// Records decisions and moves their orders, all of it or nothing.
    pub fn decide_all(&mut self, decisions: &[NewDecision]) -> Result<(), LedgerError> {
        let transaction = self.begin()?;
        decisions.iter().try_for_each(|decision| decision.record(&transaction))?;
        fail_point("decide")?;
        transaction.commit()?;
        self.raise_mark();
        Ok(())
    }
}

impl NewDecision {
    fn record(&self, transaction: &Transaction<'_>) -> Result<(), LedgerError> {
        let Self { service, number, verb, user, host, because, at_ms } = self;
        let may = |from: State| match verb {
            DecisionVerb::Booked { .. } => from == State::InDoubt,
            DecisionVerb::NotBooked => matches!(from, State::InDoubt | State::Abandoned),
            DecisionVerb::Abandoned => !matches!(from, State::Booked | State::Sending | State::Abandoned),
        };
        let found = find(transaction, service, number, may)?;
        let Some((order, from, attempts)) = found else {
            return Err(LedgerError::UnknownOrder { order: number.clone(), service: service.clone() });
        };
        let (said, to, wanted) = verb.parts();
        if !may(from) {
            return Err(LedgerError::Illegal { order: number.clone(), state: from.as_str().to_owned(), wanted });
        }
        if to == State::Staged && is_emptied(transaction, order)? {
            return Err(LedgerError::Emptied { order: number.clone() });
        }
        let awb = match verb {
            DecisionVerb::Booked { awb } => Some(awb.trim()),
            DecisionVerb::NotBooked | DecisionVerb::Abandoned => None,
        };
        if let Some(awb) = awb
            && let Some(other) = holder_of(transaction, service, awb)?
        {
            return Err(LedgerError::AwbTaken { awb: awb.to_owned(), other });
        }
        let mut chain = Chain::read(transaction)?;
        transaction.execute(
            "INSERT INTO decisions (at_ms, user, host, order_id, attempt_id, verb, awb, because, evidence_n)
             VALUES (?1, ?2, ?3, ?4, (SELECT id FROM attempts WHERE order_id = ?4 AND n = ?5), ?6, ?7, ?8, ?9)",
            params![at_ms, user, host, order.0, attempts, said, awb, because.trim(), chain.next()],
        )?;
        chain.bind(transaction, Evidence::Decision(transaction.last_insert_rowid()))?;
        let error = (to == State::Abandoned).then(|| format!("abandoned: {}", because.trim()));
        let moved = transaction.execute(
            "UPDATE orders SET state = ?2, awb = ?3, order_id = NULL, error = ?4 WHERE id = ?1 AND state = ?5",
            params![order.0, to.as_str(), awb, error, from.as_str()],
        )?;
        if moved != 1 {
            return Err(illegal(transaction, order, wanted));
        }
        Ok(())
    }
}

/// Whether the request of an order was removed with what is personal.
fn is_emptied(connection: &Connection, order: OrderId) -> Result<bool, LedgerError> {
    let mut statement = connection.prepare_cached(
        "SELECT length(q.body) = 0 FROM orders o JOIN requests q ON q.id = o.request_id WHERE o.id = ?1",
    )?;
    Ok(statement.query_row([order.0], |row| row.get(0))?)
}

/// The order of this number: where a service with several addresses knows it more than once, the first that a word may be
/// said of, else the first.
fn find(
    connection: &Connection,
    service: &str,
    number: &str,
    may: impl Fn(State) -> bool,
) -> Result<Option<(OrderId, State, u32)>, LedgerError> {
    let mut statement = connection.prepare_cached(
        "SELECT o.id, o.state, o.attempts FROM same_service s CROSS JOIN orders o ON o.service_id = s.id
         WHERE s.origin = ?1 AND o.number = ?2 ORDER BY s.is_own DESC, o.id",
    )?;
    let orders = statement.query_map(params![service, number], |row| {
        let state: State = word(row, 1)?;
        Ok((OrderId(row.get(0)?), state, row.get(2)?))
    })?;
    let mut orders = orders.collect::<Result<Vec<_>, _>>()?;
    // The sort is stable: `false` comes first.
    orders.sort_by_key(|(_, state, _)| !may(*state));
    Ok(orders.into_iter().next())
}

fn holder_of(connection: &Connection, service: &str, awb: &str) -> Result<Option<String>, LedgerError> {
    let holder = connection.query_row(
        "SELECT o.number FROM services s CROSS JOIN may_be_same_service m ON m.asked = s.id
         CROSS JOIN orders o ON o.service_id = m.id
         WHERE s.origin = ?1 AND o.awb = ?2 AND o.awb IS NOT NULL LIMIT 1",
        params![service, awb],
        |row| row.get(0),
    );
    Ok(holder.optional()?)
}
