//! Addresses of India: states, and PIN codes at their end.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::words::Topic;

use super::normalised::normalised;

/// Digits of a PIN code.
pub const PIN_DIGITS: usize = 6;

/// An address whose last words are its place, taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parted<'t> {
    /// What stands before the place.
    pub street: &'t str,
    /// The city, where it stands by itself.
    pub city: Option<&'t str>,
    /// The state, where it is named.
    pub state: Option<&'static str>,
    /// The PIN code as it is written, which may lack a digit or be missing.
    pub pin: &'t str,
}

/// Whether an address ends with its PIN code, and whether its city stands by itself.
#[must_use]
pub fn ends_with_pin(text: &str) -> Option<bool> {
    pin_at_end(trimmed(text), 0).map(|_| parted(text).city.is_some())
}

/// Takes an address apart that ends with its PIN code as others do: `16/7 ST Bed Layout, Bengaluru, Karnataka - 560034`.
#[must_use]
pub fn parted(text: &str) -> Parted<'_> {
    let before_sign = |text: &'_ str| {
        text.rfind([',', '\n', '-', '–']).map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8))
    };
    let text = trimmed(text);
    let (before, pin) = text.split_at(pin_at_end(text, 1).unwrap_or(text.len()));
    let whole = without_label(trimmed(before));
    let from = before_sign(whole);
    let by_name = indian_state(whole[from..].trim());
    // A lone `New Delhi` is the city as well.
    let rest = if by_name.is_some() && from > 0 { trimmed(&whole[..from]) } else { whole };
    let from = before_sign(rest);
    let city = rest[from..].trim();
    // Marks of other scripts are no letters by themselves.
    let is_mark = |c: char| !c.is_ascii() && !c.is_numeric();
    let is_word = |c: char| c.is_alphabetic() || c.is_whitespace() || c == '.' || is_mark(c);
    let is_city = from > 0 && !city.is_empty() && city.split_whitespace().count() <= 3 && city.chars().all(is_word);
    let (city, street) = if is_city { (Some(city), trimmed(&rest[..from])) } else { (None, rest) };
    Parted { street, city, state: by_name, pin }
}

/// A text without the signs that it ends with.
fn trimmed(text: &str) -> &str {
    text.trim_end_matches(|c: char| c.is_whitespace() || ",.-–:();".contains(c))
}

/// Where the PIN code begins that a text ends with: six digits or two times three, the first not zero; or so many digits more
/// or fewer.
fn pin_at_end(text: &str, off: usize) -> Option<usize> {
    let (bytes, end) = (text.as_bytes(), text.len());
    let run = |end: usize| bytes[..end].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let at = match run(end) {
        3 if end > 7 && bytes[end - 4] == b' ' && run(end - 4) == 3 => end - 7,
        digits if digits.abs_diff(PIN_DIGITS) <= off => end - digits,
        _ => return None,
    };
    let is_joined = text[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '/' | '#'));
    ((bytes[at] != b'0' || off > 0) && at > 0 && !is_joined).then_some(at)
}

/// A text without the word for the PIN code that it ends with.
fn without_label(text: &str) -> &str {
    let rest = text.trim_end_matches(char::is_alphabetic);
    if Topic::Values.lists("pin", &text[rest.len()..]) { without_label(trimmed(rest)) } else { text }
}

/// Each with its codes and other spellings, as `templates/places/india-states.csv` has them.
const LIST: &str = include_str!("../../templates/places/india-states.csv");

/// A state of India by its name, its code or another spelling of it.
#[must_use]
pub fn indian_state(text: &str) -> Option<&'static str> {
    let bare = normalised(&text.replace('&', "and"));
    let bare = bare.strip_prefix("in").filter(|rest| rest.len() == 2).unwrap_or(&bare);
    SPELLINGS.get(bare).copied()
}

/// Every spelling without case, spaces and punctuation: each order asks for one.
static SPELLINGS: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
    let lines = LIST.lines().filter(|line| !line.starts_with('#')).skip(1);
    let states = lines.filter_map(|line| line.split_once(','));
    let all = states
        .flat_map(|(name, others)| others.split(';').chain([name]).map(move |spelling| (normalised(spelling), name)));
    all.collect()
});
