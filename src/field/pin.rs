//! PIN codes of India: in the text of an address, and the state that they belong to.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use serde::Deserialize;

use super::state::indian_state;

/// Digits of a PIN code.
pub const PIN_DIGITS: usize = 6;

#[derive(Debug, Default, Deserialize)]
struct File {
    states: BTreeMap<String, Vec<String>>,
}

/// First digits of PIN codes, each with its state; an empty one where it may be one of two.
static STATES: LazyLock<HashMap<String, Option<&'static str>>> = LazyLock::new(|| {
    let file: File = toml::from_str(include_str!("../../templates/words/pins.toml")).unwrap_or_default();
    let each = file.states.into_iter().flat_map(|(state, begins)| {
        let state = indian_state(&state);
        begins.into_iter().map(move |begins| (begins, state))
    });
    each.collect()
});

/// The state that a PIN code belongs to, where its first digits tell.
#[must_use]
pub fn state_of_pin(pin: &str) -> Option<&'static str> {
    let digits: String = pin.chars().filter(char::is_ascii_digit).collect();
    if digits.len() != PIN_DIGITS {
        return None;
    }
    // The more digits say it, the better.
    (2..PIN_DIGITS).rev().find_map(|length| STATES.get(&digits[..length])).copied().flatten()
}

/// An address whose last words are its place, taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parted<'t> {
    /// What stands before the place.
    pub street: &'t str,
    /// The city, where it stands by itself.
    pub city: Option<&'t str>,
    /// The state by name, or by the PIN code.
    pub state: Option<&'static str>,
    /// The PIN code as it is written.
    pub pin: &'t str,
}

/// Takes an address apart that ends with its PIN code: `16/7 ST Bed Layout, Bengaluru, Karnataka - 560034`.
#[must_use]
pub fn parted(text: &str) -> Option<Parted<'_>> {
    let before_sign = |text: &'_ str| {
        text.rfind([',', '\n', '-', '–']).map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8))
    };
    let text = trimmed(text);
    let at = pin_at_end(text)?;
    let (before, pin) = text.split_at(at);
    let whole = without_label(trimmed(before));
    let from = before_sign(whole);
    let by_name = indian_state(whole[from..].trim());
    // A lone `New Delhi` is the city as well.
    let rest = if by_name.is_some() && from > 0 { trimmed(&whole[..from]) } else { whole };
    let from = before_sign(rest);
    let city = rest[from..].trim();
    let is_word = |c: char| c.is_alphabetic() || c.is_whitespace() || c == '.';
    let is_city = from > 0 && !city.is_empty() && city.split_whitespace().count() <= 3 && city.chars().all(is_word);
    let (city, street) = if is_city { (Some(city), trimmed(&rest[..from])) } else { (None, rest) };
    Some(Parted { street, city, state: by_name.or_else(|| state_of_pin(pin)), pin })
}

/// A text without the signs that it ends with.
fn trimmed(text: &str) -> &str {
    text.trim_end_matches(|c: char| c.is_whitespace() || ",.-–:();".contains(c))
}

/// Where the PIN code begins that a text ends with: six digits of which the first is not zero, or two times three.
fn pin_at_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let end = bytes.len();
    let run = |end: usize| (0..end).rev().take_while(|at| is_digit(*at)).count();
    let at = match run(end) {
        PIN_DIGITS => end - PIN_DIGITS,
        3 if end > 7 && bytes[end - 4] == b' ' && run(end - 4) == 3 => end - 7,
        _ => return None,
    };
    let is_joined = text[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '/' | '#'));
    (bytes[at] != b'0' && at > 0 && !is_joined).then_some(at)
}

/// A text without the word for the PIN code that it ends with.
fn without_label(text: &str) -> &str {
    let lower = text.to_ascii_lowercase();
    let label = ["pin code", "pincode", "pin", "zip"].into_iter().find(|label| lower.ends_with(label));
    let Some(label) = label else { return text };
    let rest = &text[..text.len() - label.len()];
    if rest.ends_with(|c: char| c.is_alphanumeric()) { text } else { trimmed(rest) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_told_by_the_first_digits() {
        for (pin, state) in [
            ("560034", Some("Karnataka")),
            ("403001", Some("Goa")),
            ("400 601", Some("Maharashtra")),
            ("781005", Some("Assam")),
            ("194101", Some("Ladakh")),
            ("737101", Some("Sikkim")),
            ("605001", None),
            ("244713", None),
            ("900001", None),
            ("56003", None),
            ("", None),
        ] {
            assert_eq!(state_of_pin(pin), state, "{pin}");
        }
    }

    #[test]
    fn every_state_of_the_list_is_one() {
        let known = STATES.values().flatten().count();
        assert!(known > 60 && STATES.len() - known < 30, "{known} of {}", STATES.len());
    }

    #[test]
    fn an_address_that_ends_with_its_pin_code_is_taken_apart() {
        let cases = [
            (
                "16/7 ST Bed, Bengaluru, Karnataka - 560034",
                "16/7 ST Bed",
                Some("Bengaluru"),
                Some("Karnataka"),
                "560034",
            ),
            ("4 MG Road, Noida - 201301", "4 MG Road", Some("Noida"), Some("Uttar Pradesh"), "201301"),
            ("4 MG Road, New Delhi, Delhi 110024", "4 MG Road", Some("New Delhi"), Some("Delhi"), "110024"),
            ("4 MG Road, Pune, Maharashtra, PIN: 411 001.", "4 MG Road", Some("Pune"), Some("Maharashtra"), "411 001"),
            ("4 MG Road Pune 411001", "4 MG Road Pune", None, Some("Maharashtra"), "411001"),
        ];
        for (text, street, city, state, pin) in cases {
            assert_eq!(parted(text), Some(Parted { street, city, state, pin }), "{text}");
        }
        for text in ["4 MG Road, Pune", "Plot A/411001", "411001", "Order 9876543210", ""] {
            assert_eq!(parted(text), None, "{text}");
        }
    }
}
