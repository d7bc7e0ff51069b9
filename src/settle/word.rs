//! A person's word, and what counts as an AWB.

use crate::ledger::{DecisionVerb, Ledger, LedgerError, NewDecision, Upon};

/// Texts that stand where an AWB would, and are none.
const NO_AWB: &[&str] = &["null", "na", "n/a", "none", "nil", "undefined", "0", "-", "--"];

/// Longer than any courier's.
const AWB_CHARACTERS_MAX: usize = 64;

/// Who decides, and how they know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The user's name.
    pub user: String,
    /// The machine's name.
    pub host: String,
    /// How they know.
    pub because: String,
    /// When, epoch milliseconds.
    pub at_ms: i64,
}

/// Why a word is not taken.
#[derive(Debug, thiserror::Error)]
pub enum SettleError {
    /// No reason was given.
    #[error("no reason was given: write how you know, for instance what the courier's portal shows")]
    NoReason,
    /// Not an AWB.
    #[error("\"{0}\" is no AWB: copy it from the courier's portal")]
    NoAwb(String),
    /// It was sent to a service whose portal is another one.
    #[error("order {order} was sent to {service}: settle it with that service configured")]
    OtherService {
        /// The order number.
        order: String,
        /// Where it was sent to.
        service: String,
    },
    /// The ledger does not take it.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

/// The AWB that a text is, without what spreadsheets put around it; nothing where it cannot be one.
///
/// A number that a spreadsheet has shortened (`1.23457E+11`) is none: its digits are lost.
#[must_use]
pub fn believable_awb(text: &str) -> Option<&str> {
    let awb = bare(text);
    // A spreadsheet writes it behind a number.
    let is_number = |own: &&str| !own.is_empty() && own.bytes().all(|byte| byte.is_ascii_digit());
    let awb = awb.strip_suffix(".0").filter(is_number).unwrap_or(awb);
    let plausible = !awb.is_empty() && awb.len() <= AWB_CHARACTERS_MAX && awb.chars().all(is_of_awb);
    let blank = NO_AWB.contains(&awb.to_lowercase().as_str());
    (plausible && !blank && !is_shortened(awb) && awb.contains(|c: char| c.is_ascii_digit())).then_some(awb)
}

/// What AWBs are written with: no markup, and nothing that a spreadsheet calculates.
const fn is_of_awb(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '/' | '_' | '.' | '#')
}

/// A cell's text without what keeps spreadsheets from calculating with it: `="123"` and `'123` are `123`.
pub(super) fn bare(text: &str) -> &str {
    let text = text.trim();
    let unwrapped = text.strip_prefix("=\"").and_then(|rest| rest.strip_suffix('"'));
    unwrapped.unwrap_or_else(|| text.strip_prefix('\'').unwrap_or(text)).trim()
}

/// Digits, a point, an exponent: what a spreadsheet makes of a long number.
#[must_use]
pub fn is_shortened(text: &str) -> bool {
    let Some((digits, exponent)) = text.split_once(['e', 'E']) else { return false };
    let exponent = exponent.strip_prefix('+');
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let has_point = digits.split_once('.').is_some_and(|(whole, part)| is_number(whole) && is_number(part));
    exponent.is_some_and(is_number) && (has_point || is_number(digits))
}

/// The portal shows the order: its AWB is recorded and it is booked.
pub fn booked(ledger: &mut Ledger, upon: &Upon, awb: &str, word: &Word) -> Result<(), SettleError> {
    let awb = believable_awb(awb).ok_or_else(|| SettleError::NoAwb(awb.trim().to_owned()))?;
    decide(ledger, upon, DecisionVerb::Booked { awb: awb.to_owned() }, word)
}

/// The portal does not show these orders, each for a reason: they may be sent again, once. All of them or none.
pub fn not_booked(ledger: &mut Ledger, orders: &[Upon], word: &Word) -> Result<(), SettleError> {
    let decisions = orders.iter().map(|upon| decision(upon, DecisionVerb::NotBooked, word));
    Ok(ledger.decide_all(&decisions.collect::<Result<Vec<_>, _>>()?)?)
}

/// The order is given up: it is not sent again, whatever the next sheet says.
pub fn abandon(ledger: &mut Ledger, upon: &Upon, word: &Word) -> Result<(), SettleError> {
    decide(ledger, upon, DecisionVerb::Abandoned, word)
}

fn decide(ledger: &mut Ledger, upon: &Upon, verb: DecisionVerb, word: &Word) -> Result<(), SettleError> {
    Ok(ledger.decide(&decision(upon, verb, word)?)?)
}

fn decision(upon: &Upon, verb: DecisionVerb, word: &Word) -> Result<NewDecision, SettleError> {
    if word.because.trim().is_empty() {
        return Err(SettleError::NoReason);
    }
    let Word { user, host, because, at_ms } = word.clone();
    Ok(NewDecision { upon: upon.clone(), verb, user, host, because, at_ms })
}

#[cfg(test)]
mod tests {
    use super::believable_awb;

    #[test]
    fn an_awb_keeps_every_digit_or_is_none() {
        for (text, awb) in [
            ("14134010123456", "14134010123456"),
            (" SF-1/2 ", "SF-1/2"),
            ("=\"0012345\"", "0012345"),
            ("'0012345", "0012345"),
            ("12E4567", "12E4567"),
        ] {
            assert_eq!(believable_awb(text), Some(awb), "{text}");
        }
        for text in [
            "", " ", "NA", "n/a", "0", "--", "1.41E+13", "1E+13", "AWB 12", "pending", "=\"\"", "'", "<b>1</b>",
            "=1+1", "1&2",
        ] {
            assert_eq!(believable_awb(text), None, "{text}");
        }
        assert_eq!(believable_awb(&"9".repeat(65)), None);
    }
}
