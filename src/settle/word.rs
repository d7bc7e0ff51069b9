//! A person's word, and what counts as an AWB.

use crate::ledger::{DecisionVerb, Ledger, LedgerError, NewDecision, Upon};
use crate::text::{bare_awb, is_hidden};

use super::odd_awb::OddAwb;

/// Longer than any courier's.
const AWB_CHARACTERS_MAX: usize = 64;

/// Digits of an AWB that are shown as one group, and of one that is shown in groups: more are two AWBs.
const GROUP_MAX: usize = 5;
const GROUPED_MAX: usize = 18;

/// Who decides, and how they know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
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
    /// Hardly the AWB of this order.
    #[error(transparent)]
    Odd(#[from] OddAwb),
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

/// The AWB that a text is, without what spreadsheets and pages put around it and between its digits; nothing where it cannot be one.
///
/// A number that a spreadsheet has shortened (`1.23457E+11`) is none: its digits are lost.
pub(crate) fn believable_awb(text: &str) -> Option<String> {
    let mut awb: String = bare(text).chars().filter(|c| !is_hidden(*c) && !is_variant(*c)).collect();
    let end = awb.trim_end_matches(['.', ' ']).len();
    awb.truncate(end);
    let is_number = |own: &str| !own.is_empty() && own.bytes().all(|byte| byte.is_ascii_digit());
    // A spreadsheet writes it behind a number.
    if let Some((whole, zeros)) = awb.split_once('.')
        && is_number(whole)
        && !zeros.is_empty()
        && zeros.bytes().all(|byte| byte == b'0')
    {
        awb.truncate(whole.len());
    }
    // A portal shows it in groups of digits; longer ones may be several AWBs.
    if awb.contains(char::is_whitespace)
        && awb.split_whitespace().all(|part| is_number(part) && part.len() <= GROUP_MAX)
        && awb.chars().filter(char::is_ascii_digit).count() <= GROUPED_MAX
    {
        awb.retain(|c| !c.is_whitespace());
    }
    let plausible = !awb.is_empty() && awb.len() <= AWB_CHARACTERS_MAX && awb.chars().all(is_of_awb);
    // Whatever stands there for nothing has no digit, but for zeros.
    let is_number = !bare_awb(&awb).is_empty() && awb.contains(|c: char| c.is_ascii_digit());
    (plausible && is_number && !is_shortened(&awb)).then_some(awb)
}

/// What says how the character before it is to look.
const fn is_variant(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}')
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
pub(crate) fn is_shortened(text: &str) -> bool {
    let Some((digits, exponent)) = text.split_once(['e', 'E']) else { return false };
    let exponent = exponent.strip_prefix('+');
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let has_point = digits.split_once('.').is_some_and(|(whole, part)| is_number(whole) && is_number(part));
    exponent.is_some_and(is_number) && (has_point || is_number(digits))
}

/// The portal shows the order: its AWB is recorded and it is booked.
pub(crate) fn booked(ledger: &mut Ledger, upon: &Upon, awb: &str, word: &Word) -> Result<(), SettleError> {
    let awb = believable_awb(awb).ok_or_else(|| SettleError::NoAwb(awb.trim().to_owned()))?;
    decide(ledger, upon, DecisionVerb::Booked { awb }, word)
}

/// The portal does not show these orders, each for a reason: they may be sent again, once. All of them or none.
pub(crate) fn not_booked(ledger: &mut Ledger, orders: &[Upon], word: &Word) -> Result<(), SettleError> {
    let decisions = orders.iter().map(|upon| decision(upon, DecisionVerb::NotBooked, word));
    Ok(ledger.decide_all(&decisions.collect::<Result<Vec<_>, _>>()?)?)
}

/// The order is given up: it is not sent again, whatever the next sheet says.
pub(crate) fn abandon(ledger: &mut Ledger, upon: &Upon, word: &Word) -> Result<(), SettleError> {
    decide(ledger, upon, DecisionVerb::Abandoned, word)
}

/// The same, because the courier has it already with this AWB, booked from elsewhere.
pub(crate) fn booked_elsewhere(ledger: &mut Ledger, upon: &Upon, awb: &str, word: &Word) -> Result<(), SettleError> {
    decide(ledger, upon, DecisionVerb::BookedElsewhere { awb: awb.to_owned() }, word)
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
            ("7700 0000 0002", "770000000002"),
            ("\u{200b}7700\u{feff}02", "770002"),
            ("770000000009.00", "770000000009"),
            ("\u{202a}770000000002\u{202c}", "770000000002"),
            ("770000000002\u{fe0f}", "770000000002"),
            ("12345678.", "12345678"),
        ] {
            assert_eq!(believable_awb(text).as_deref(), Some(awb), "{text}");
        }
        for text in [
            "",
            " ",
            "NA",
            "770000000001 770000000002",
            "7700 0000 0001 7700 0000 0002",
            "0000",
            "00-0",
            "12 A",
            "770000000009.0 1",
            "n/a",
            "0",
            "--",
            "1.41E+13",
            "1E+13",
            "AWB 12",
            "pending",
            "=\"\"",
            "'",
            "<b>1</b>",
            "=1+1",
            "1&2",
        ] {
            assert_eq!(believable_awb(text), None, "{text}");
        }
        assert_eq!(believable_awb(&"9".repeat(65)), None);
    }
}
