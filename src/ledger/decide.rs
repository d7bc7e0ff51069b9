//! A person's word on an order, kept for good.

use serde::{Deserialize, Serialize};

use super::book::{Author, Release, release};
use super::chain::{Chain, Kind};
use super::crash::fail_point;
use super::db::{Connection, OptionalExtension, Transaction, params};
use super::draft_holds;
use super::error::LedgerError;
use super::open::Ledger;
use super::record::{OrderId, State};
use super::sql::{bare_awb_of, word};
use super::stations::unheard_of;
use super::step::illegal;
use crate::text::bare_awb;

/// What a person decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DecisionVerb {
    /// An order that was sent is booked, whatever was known of it before; or its AWB, which a person gave, is another one.
    Booked {
        /// Its AWB.
        awb: String,
    },
    /// An order in doubt, or an abandoned one, is not booked and may be sent again, once: the next attempt that ends in
    /// doubt needs a decision of its own. One that is held or left out goes as it is.
    NotBooked,
    /// The order is given up: nothing sends it again but a later [`DecisionVerb::NotBooked`]. Of any order that is not
    /// booked and not under way.
    Abandoned,
    /// The same, because the courier has the order already, booked from elsewhere.
    BookedElsewhere {
        /// Its AWB there; several where it has more than one.
        awb: String,
    },
}

impl DecisionVerb {
    /// The word in the ledger, the state that it leads to, and what the person wanted, for whoever is refused.
    const fn parts(&self) -> (&'static str, State, &'static str) {
        match self {
            Self::Booked { .. } => ("booked", State::Booked, "given an AWB"),
            Self::NotBooked => ("not-booked", State::Staged, "settled: it is not in doubt"),
            Self::Abandoned | Self::BookedElsewhere { .. } => ("abandoned", State::Abandoned, "abandoned"),
        }
    }

    /// Whether it can be said of an order in this state.
    const fn is_of(&self, state: State) -> bool {
        match self {
            Self::Booked { .. } => !matches!(state, State::Sending),
            Self::NotBooked => {
                matches!(state, State::InDoubt | State::Held | State::LeftOut | State::Dismissed | State::Abandoned)
            }
            Self::Abandoned | Self::BookedElsewhere { .. } => {
                !matches!(state, State::Booked | State::Sending | State::Invalid | State::Abandoned)
            }
        }
    }
}

/// An order as a person saw it. A word on it is of this very attempt, and of what was said of it by then: it holds neither for
/// a later one, nor after another word, nor in another state, nor for the same number at another address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Upon {
    /// The address that it was sent to.
    pub service: String,
    /// The order number.
    pub number: String,
    /// Where it stood, by the word of the state.
    pub state: String,
    /// How often it had been sent.
    pub attempts: u32,
    /// How many words there were on it.
    #[serde(default)]
    pub decisions: u32,
}

/// A decision and who made it.
#[derive(Debug, Clone)]
pub struct NewDecision {
    /// What it is about.
    pub upon: Upon,
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

    /// The other order that has an AWB, however it is written there.
    pub fn holder_of_awb(&self, upon: &Upon, awb: &str) -> Result<Option<String>, LedgerError> {
        holder_of(&self.connection, upon, awb)
    }
}

impl NewDecision {
    fn record(&self, transaction: &Transaction<'_>) -> Result<(), LedgerError> {
        let Self { upon, verb, user, host, because, at_ms } = self;
        let Some((order, from, attempts, decisions)) = find(transaction, upon)? else {
            return Err(LedgerError::UnknownOrder { order: upon.number.clone(), service: upon.service.clone() });
        };
        if (from.as_str(), attempts, decisions) != (upon.state.as_str(), upon.attempts, upon.decisions) {
            return Err(LedgerError::NotAsSeen { order: upon.number.clone(), state: from });
        }
        let (said, to, wanted) = verb.parts();
        // An order without a request is dismissed, not given up.
        let is_bare = to == State::Abandoned && !has_request(transaction, order)?;
        if !verb.is_of(from) || is_bare {
            return Err(LedgerError::Illegal { order: upon.number.clone(), state: from.as_str().to_owned(), wanted });
        }
        if matches!(verb, DecisionVerb::NotBooked)
            && let Some((station, host)) = unheard_of(transaction, order.0)?
        {
            return Err(LedgerError::Unheard { order: upon.number.clone(), station, host });
        }
        let is_booking = matches!(verb, DecisionVerb::Booked { .. });
        if is_booking && attempts == 0 {
            return Err(LedgerError::NeverSent { order: upon.number.clone() });
        }
        if from == State::Booked && !is_correctable(transaction, order)? {
            return Err(LedgerError::AwbStays { order: upon.number.clone() });
        }
        if to == State::Staged && is_emptied(transaction, order)? {
            return Err(LedgerError::Emptied { order: upon.number.clone() });
        }
        let said_awb = match verb {
            DecisionVerb::Booked { awb } | DecisionVerb::BookedElsewhere { awb } => Some(awb.trim()),
            DecisionVerb::NotBooked | DecisionVerb::Abandoned => None,
        };
        let awb = said_awb.filter(|_| is_booking);
        if let Some(awb) = awb
            && let Some(other) = holder_of(transaction, upon, awb)?
        {
            return Err(LedgerError::AwbTaken { awb: awb.to_owned(), other });
        }
        let mut chain = Chain::read(transaction)?;
        let decision = transaction.insert(
            "INSERT INTO decisions (at_ms, user, host, order_id, attempt_id, verb, awb, because, evidence_n)
             VALUES (?1, ?2, ?3, ?4, (SELECT id FROM attempts WHERE order_id = ?4 AND n = ?5), ?6, ?7, ?8, ?9)",
            params![at_ms, user, host, order.0, attempts, said, said_awb, because.trim(), chain.next()],
        )?;
        chain.bind(transaction, Kind::Decision, decision)?;
        let error = (to == State::Abandoned).then(|| format!("abandoned: {}", because.trim()));
        if matches!((verb, from), (DecisionVerb::NotBooked, State::Held | State::LeftOut | State::Dismissed)) {
            let by = Author { user, host, at_ms: *at_ms };
            return if let_go(transaction, order, &by)? { Ok(()) } else { Err(illegal(transaction, order, wanted)) };
        }
        let moved = if from == State::Booked {
            transaction
                .execute("UPDATE orders SET awb = ?2 WHERE id = ?1 AND state = 'booked'", params![order.0, awb])?
        } else {
            transaction.execute(
                "UPDATE orders SET state = ?2, awb = ?3, order_id = NULL, error = ?4,
                    -- What a sheet corrected while nobody knew whether it was booked.
                    request_id = CASE WHEN ?2 = 'staged' THEN coalesce((SELECT v.request_id FROM revisions v
                        WHERE v.id = orders.revision_id AND v.verdict = 'go' AND v.hold IS NULL), request_id) ELSE request_id END
                 WHERE id = ?1 AND standing = ?5",
                params![order.0, to.as_str(), awb, error, from.as_str()],
            )?
        };
        if moved != 1 {
            return Err(illegal(transaction, order, wanted));
        }
        // A person brings it back, whatever a sheet said of it before.
        if from == State::Abandoned && to == State::Staged {
            release(transaction, order, Release::AsItIs, &Author { user, host, at_ms: *at_ms })?;
        }
        Ok(())
    }
}

/// Lets an order go, whatever keeps it back: sources, or sheets that are open. Whether anything did.
fn let_go(connection: &Connection, order: OrderId, by: &Author<'_>) -> Result<bool, LedgerError> {
    let is_freed = draft_holds::let_go(connection, order)?;
    Ok(release(connection, order, Release::AsItIs, by)? || is_freed)
}

/// Whether a source has let an order go yet.
fn has_request(connection: &Connection, order: OrderId) -> Result<bool, LedgerError> {
    let mut statement = connection.prepare_cached("SELECT 1 FROM orders WHERE id = ?1 AND request_id IS NOT NULL")?;
    Ok(statement.exists([order.0])?)
}

/// Whether the request of an order was removed with what is personal.
fn is_emptied(connection: &Connection, order: OrderId) -> Result<bool, LedgerError> {
    let mut statement = connection.prepare_cached(
        "SELECT length(q.body) = 0 FROM orders o JOIN requests q ON q.id = o.request_id WHERE o.id = ?1",
    )?;
    Ok(statement.query_row([order.0], |row| row.get(0)).optional()?.unwrap_or(false))
}

/// Whether a booked order has its AWB from a person, and nothing was done with that yet.
fn is_correctable(connection: &Connection, order: OrderId) -> Result<bool, LedgerError> {
    let mut statement = connection.prepare_cached(
        "SELECT NOT EXISTS (SELECT 1 FROM attempts WHERE order_id = ?1 AND outcome = 'booked')
            AND NOT EXISTS (SELECT 1 FROM late_answers l JOIN attempts a ON a.id = l.attempt_id
                WHERE a.order_id = ?1 AND l.outcome = 'booked')
            AND NOT EXISTS (SELECT 1 FROM cancel_requests WHERE order_id = ?1)
            AND NOT EXISTS (SELECT 1 FROM deliveries WHERE order_id = ?1)",
    )?;
    Ok(statement.query_row([order.0], |row| row.get(0))?)
}

fn find(connection: &Connection, upon: &Upon) -> Result<Option<(OrderId, State, u32, u32)>, LedgerError> {
    let mut statement = connection.prepare_cached(
        "SELECT o.id, o.standing, o.attempts, (SELECT count(*) FROM decisions d WHERE d.order_id = o.id) FROM services s CROSS JOIN orders o ON o.service_id = s.id
         WHERE s.origin = ?1 AND o.number = ?2",
    )?;
    let found = statement.query_row(params![upon.service, upon.number], |row| {
        Ok((OrderId(row.get(0)?), word(row, 1)?, row.get(2)?, row.get(3)?))
    });
    Ok(found.optional()?)
}

/// The order that has an AWB, however it is written there; that an order's own AWB is written in another way by now does not
/// count.
fn holder_of(connection: &Connection, upon: &Upon, awb: &str) -> Result<Option<String>, LedgerError> {
    let bare = bare_awb(awb);
    for written in
        ["o.awb IN (?2, ?3)", concat!("o.awb <> ", bare_awb_of!("o.awb"), " AND ", bare_awb_of!("o.awb"), " = ?3")]
    {
        let holder = connection.query_row(
            &format!(
                "SELECT o.number FROM services s CROSS JOIN may_be_same_service m ON m.asked = s.id
                 CROSS JOIN orders o ON o.service_id = m.id
                 WHERE s.origin = ?1 AND o.awb IS NOT NULL AND {written}
                    AND (o.awb = ?2 OR o.number <> ?4 OR o.service_id <> s.id) LIMIT 1"
            ),
            params![upon.service, awb, bare, upon.number],
            |row| row.get(0),
        );
        if let Some(holder) = holder.optional()? {
            return Ok(Some(holder));
        }
    }
    Ok(None)
}
