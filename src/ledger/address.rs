//! One service at several addresses, and what people said of them.
//!
//! An order is known by its number and the address of its service. Whether the same service answers at another address is
//! known to nobody but a person, whose word is kept here for good. Which addresses are one service is told by the view
//! `same_service`, and by nothing else.

use schemars::JsonSchema;
use serde::Serialize;

use super::chain::{Chain, Kind};
use super::crash::fail_point;
use super::db::{Connection, OptionalExtension, params};
use super::error::LedgerError;
use super::open::Ledger;
use super::record::State;
use super::sql::service_id;

/// The stand-in service inside the program: its orders never stand in the way of real ones.
pub const SANDBOX: &str = "sandbox";

/// What a person says of two addresses.
#[derive(Debug, Clone)]
pub struct NewAddressWord {
    /// One address, as the origin of its URL.
    pub one: String,
    /// The other one.
    pub other: String,
    /// Whether they are of one service.
    pub is_same: bool,
    /// How they know.
    pub because: String,
    /// The user's name.
    pub user: String,
    /// The machine's name.
    pub host: String,
    /// When, epoch milliseconds.
    pub at_ms: i64,
}

/// A word on two addresses, as the ledger keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AddressWord {
    /// An address.
    pub one: String,
    /// Another address.
    pub other: String,
    /// Whether they are one service.
    pub is_same: bool,
    /// How they know.
    pub because: String,
    /// The user who said so.
    pub user: String,
    /// On which machine.
    pub host: String,
    /// When, in milliseconds since 1970-01-01 UTC.
    pub at_ms: i64,
    /// Whether no later word on the same two replaced it.
    pub holds: bool,
}

/// How strongly a state forbids that its number is sent: where a service knows one number at two addresses, the first one
/// counts.
pub(super) const fn precedence(state: State) -> u8 {
    match state {
        State::Booked => 0,
        State::Sending => 1,
        State::InDoubt => 2,
        State::Abandoned | State::Held | State::LeftOut | State::Dismissed => 3,
        State::Staged | State::Waiting => 4,
        State::Rejected | State::Refused => 5,
        State::Invalid => 6,
    }
}

/// The ids of all addresses of a service, its own first.
pub(super) fn addresses(connection: &Connection, origin: &str) -> Result<Vec<i64>, LedgerError> {
    let mut statement =
        connection.prepare_cached("SELECT id FROM same_service WHERE origin = ?1 ORDER BY is_own DESC, id")?;
    let ids = statement.query_map([origin], |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

/// An address of which nobody has said whether it is the service, by its id and its origin.
pub(super) type Stranger = (i64, String);

/// Every address of which nobody has said whether it is this service. None for the sandbox, which is none either.
pub(super) fn strangers(connection: &Connection, service: &str) -> Result<Vec<Stranger>, LedgerError> {
    if service == SANDBOX {
        return Ok(Vec::new());
    }
    let mut statement = connection.prepare(
        "SELECT s.id, s.origin FROM services s
         WHERE s.origin NOT IN (?1, ?2) AND s.id NOT IN (SELECT id FROM same_service WHERE origin = ?1) AND NOT EXISTS (
            SELECT 1 FROM address_pairs p CROSS JOIN same_service ours CROSS JOIN same_service theirs
            WHERE p.is_same = 0 AND ours.origin = ?1 AND theirs.origin = s.origin
                AND ((p.one = ours.id AND p.other = theirs.id) OR (p.one = theirs.id AND p.other = ours.id)))
         ORDER BY s.id",
    )?;
    let strangers = statement.query_map([service, SANDBOX], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(strangers.collect::<Result<_, _>>()?)
}

/// Whether more than one address is known; else nothing needs to be looked up at others.
pub(super) fn has_addresses(connection: &Connection) -> Result<bool, LedgerError> {
    Ok(connection.prepare_cached("SELECT 1 FROM services LIMIT 1 OFFSET 1")?.exists(())?)
}

/// The id of an address, which is taken up where it is new.
pub(super) fn take_up(connection: &Connection, origin: &str) -> Result<i64, LedgerError> {
    if let Some(id) = service_id(connection, origin)? {
        return Ok(id);
    }
    Ok(connection.insert("INSERT INTO services (origin) VALUES (?1)", [origin])?)
}

impl Ledger {
    /// Records a word on two addresses. From then on orders are looked up at all addresses of a service.
    ///
    /// Refuses to part two that are the same by way of a third.
    pub fn say_of_addresses(&mut self, word: &NewAddressWord) -> Result<(), LedgerError> {
        let NewAddressWord { one, other, is_same, because, user, host, at_ms } = word;
        let transaction = self.begin()?;
        let (first, second) = (take_up(&transaction, one)?, take_up(&transaction, other)?);
        let verb = if *is_same { "same-service" } else { "other-service" };
        let mut chain = Chain::read(&transaction)?;
        let kept = transaction.insert(
            "INSERT INTO decisions (at_ms, user, host, service_id, other_id, verb, because, evidence_n)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![at_ms, user, host, first.min(second), first.max(second), verb, because.trim(), chain.next()],
        )?;
        chain.bind(&transaction, Kind::Decision, kept)?;
        if !is_same && addresses(&transaction, one)?.contains(&second) {
            let by_way_of = between(&transaction, first, second)?;
            return Err(LedgerError::SameByWayOf { one: one.clone(), other: other.clone(), by_way_of });
        }
        fail_point("decide")?;
        transaction.commit()?;
        self.raise_mark();
        Ok(())
    }

    /// Everything that was said of addresses, oldest first.
    pub fn address_words(&self) -> Result<Vec<AddressWord>, LedgerError> {
        let mut statement = self.connection.prepare(
            "SELECT a.origin, b.origin, w.verb = 'same-service', w.because, w.user, w.host, w.at_ms,
                NOT EXISTS (SELECT 1 FROM decisions l WHERE l.service_id = w.service_id AND l.other_id = w.other_id AND l.id > w.id)
             FROM decisions w CROSS JOIN services a ON a.id = w.service_id CROSS JOIN services b ON b.id = w.other_id
             WHERE w.other_id IS NOT NULL ORDER BY w.id",
        )?;
        let words = statement.query_map((), |row| {
            Ok(AddressWord {
                one: row.get(0)?,
                other: row.get(1)?,
                is_same: row.get(2)?,
                because: row.get(3)?,
                user: row.get(4)?,
                host: row.get(5)?,
                at_ms: row.get(6)?,
                holds: row.get(7)?,
            })
        })?;
        Ok(words.collect::<Result<_, _>>()?)
    }

    /// Every address that the ledger knows, with the number of its orders.
    pub fn known_addresses(&self) -> Result<Vec<(String, u64)>, LedgerError> {
        let mut statement = self.connection.prepare(
            "SELECT s.origin, (SELECT count(*) FROM orders o WHERE o.service_id = s.id) FROM services s ORDER BY s.id",
        )?;
        let known = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(known.collect::<Result<_, _>>()?)
    }

    /// Whether two addresses are of one service, as far as the ledger was told.
    pub fn is_same_service(&self, one: &str, other: &str) -> Result<bool, LedgerError> {
        let Some(other_id) = service_id(&self.connection, other)? else { return Ok(one == other) };
        Ok(one == other || addresses(&self.connection, one)?.contains(&other_id))
    }
}

/// An address that joins two others which were not said to be the same themselves.
fn between(connection: &Connection, one: i64, other: i64) -> Result<String, LedgerError> {
    let found = connection.query_row(
        "SELECT s.origin FROM address_pairs p JOIN services s ON s.id = CASE WHEN p.one = ?1 THEN p.other ELSE p.one END
         WHERE p.is_same = 1 AND ?1 IN (p.one, p.other) AND s.id IN (SELECT id FROM same_service WHERE asked = ?2) LIMIT 1",
        [one, other],
        |row| row.get(0),
    );
    Ok(found.optional()?.unwrap_or_default())
}
