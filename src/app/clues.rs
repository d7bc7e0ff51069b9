//! Clues to an order in doubt, and reasons against an AWB that a person typed for it.

use serde_json::Value;

use crate::ledger::{Ledger, LedgerError, OrderHistory, Upon};
use crate::settle::{self, OddAwb, OwnNumbers, SettleError};

use super::orders::Receiver;

/// The clocks of two machines, and a booking that takes its time; in milliseconds.
const PORTAL_MS: i64 = 10 * 60_000;
/// Booked orders whose AWBs show what those of this courier look like.
const LIKE: usize = 1_000;

/// Values that a person can search for in the courier's portal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Clue {
    /// This order number.
    OrderNumber(String),
    /// A shipment made in this time, epoch milliseconds, should the portal not show order numbers.
    MadeBetween {
        /// From.
        from_ms: i64,
        /// To.
        to_ms: i64,
    },
    /// An AWB that the answer named.
    Awb(String),
    /// The service's own id of the order.
    OrderId(String),
}

/// Why the last attempt left an order in doubt.
#[must_use]
pub fn why_in_doubt(history: &OrderHistory) -> String {
    let last = history.attempts.last();
    last.and_then(|attempt| attempt.reason.clone()).or_else(|| history.error.clone()).unwrap_or_default()
}

/// The values to look for in the courier's portal.
#[must_use]
pub fn clues(history: &OrderHistory) -> Vec<Clue> {
    let mut clues = vec![Clue::OrderNumber(history.number.clone())];
    if let Some(attempt) = history.attempts.last() {
        let (from, to) = (attempt.intent_ms, attempt.answered_ms.unwrap_or(attempt.intent_ms));
        clues.push(Clue::MadeBetween { from_ms: from - PORTAL_MS, to_ms: to + PORTAL_MS });
        clues.extend(known_awb(history).map(Clue::Awb));
    }
    clues.extend(history.order_id.clone().map(Clue::OrderId));
    clues
}

/// A reason against an AWB that a person typed for an order: then it is asked about once more.
///
/// # Errors
/// A ledger that cannot be read.
pub fn odd_awb(ledger: &Ledger, upon: &Upon, awb: &str) -> Result<Option<OddAwb>, LedgerError> {
    let Some(awb) = settle::believable_awb(awb) else { return Ok(None) };
    let receiver = ledger.listed(&upon.service, &upon.number)?.map(|listed| Receiver::of(&listed.body));
    let Receiver { phone, pin_code, .. } = receiver.unwrap_or_default();
    let mut histories = ledger.order(&upon.number)?.into_iter();
    let order_id = histories.find(|history| history.service == upon.service).and_then(|history| history.order_id);
    let own = OwnNumbers { number: upon.number.clone(), phone, pin_code, order_id: order_id.unwrap_or_default() };
    let booked = ledger.latest_booked(&upon.service, LIKE)?;
    let known: Vec<String> =
        booked.into_iter().filter(|(number, _)| *number != upon.number).map(|(_, awb)| awb).collect();
    Ok(OddAwb::of(&awb, &own, &known))
}

/// The AWB that the answer to the last attempt named, although nobody knows whether it was booked.
#[must_use]
pub fn known_awb(history: &OrderHistory) -> Option<String> {
    let last = history.attempts.last()?;
    let in_answer = || {
        let answer: Value = serde_json::from_str(last.answer.as_deref()?).ok()?;
        settle::believable_awb(answer["awb"].as_str()?)
    };
    last.awb.clone().or_else(in_answer)
}

/// Why an AWB that a person typed cannot be recorded, or is hardly the order's.
///
/// # Errors
/// A ledger that cannot be read.
pub fn wrong_awb(ledger: &Ledger, upon: &Upon, awb: &str) -> Result<Option<SettleError>, LedgerError> {
    let Some(believable) = settle::believable_awb(awb) else { return Ok(Some(SettleError::NoAwb(awb.to_owned()))) };
    if let Some(other) = ledger.holder_of_awb(upon, &believable)? {
        return Ok(Some(LedgerError::AwbTaken { awb: believable, other }.into()));
    }
    Ok(odd_awb(ledger, upon, awb)?.map(SettleError::Odd))
}
