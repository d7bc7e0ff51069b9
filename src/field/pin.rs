//! Addresses that end with their place: with a PIN code, a city and a state of India, or abroad with a postal code and a city.

use std::collections::{HashMap, HashSet};
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
    let text = trimmed(text);
    let before = state_at_end(text).map_or("", |(before, _)| before);
    let has_pin = [text, before].into_iter().any(|text| pin_at_end(text, 0).is_some());
    has_pin.then(|| parted(text).city.is_some())
}

/// Takes an address apart that ends with its PIN code as others do: `16/7 ST Bed Layout, Bengaluru, Karnataka - 560034`.
#[must_use]
pub fn parted(text: &str) -> Parted<'_> {
    let text = trimmed(text);
    // The state may stand behind the PIN code.
    let (text, behind) = match state_at_end(text) {
        Some((before, state)) if pin_at_end(before, 1).is_some() => (before, Some(state)),
        _ => (text, None),
    };
    let (before, pin) = text.split_at(pin_at_end(text, 1).unwrap_or(text.len()));
    let whole = without_label(trimmed(before), "pin");
    let (rest, state) = state_at_end(whole).map_or((whole, None), |(rest, state)| {
        // A lone `New Delhi` is the city as well.
        (if rest.is_empty() { whole } else { rest }, Some(state))
    });
    let state = behind.or(state);
    if let Some(abroad) = ends_abroad(text).filter(|_| pin.is_empty() && state.is_none()) {
        return abroad;
    }
    let at = city_at_end(rest).or_else(|| word_at_end(rest));
    let (city, street) =
        at.map_or((None, rest), |at| (Some(rest[at..].trim()), without_label(trimmed(&rest[..at]), "district")));
    // Chandigarh is a city and a state in one.
    let of_state = || state.filter(|state| CITIES.contains(normalised(state).as_str()));
    Parted { street, city: city.or_else(of_state), state, pin }
}

/// An address that ends as they do where the postal code stands before the city: `14 chemin des Vignes, 69003 Lyon`.
#[must_use]
pub fn ends_abroad(text: &str) -> Option<Parted<'_>> {
    let text = trimmed(text);
    let at = after_sign(text);
    let (pin, city) = text[at..].trim().split_once(char::is_whitespace)?;
    let is_code = matches!(pin.len(), 4 | 5) && pin.bytes().all(|byte| byte.is_ascii_digit());
    let is_city = city.starts_with(char::is_alphabetic) && !city.contains(char::is_numeric);
    (at > 0 && is_code && is_city).then(|| Parted {
        street: trimmed(&text[..at]),
        city: Some(city.trim()),
        state: None,
        pin,
    })
}

/// The state that an address ends with, and what stands before it: behind a sign, in brackets, or as its last words.
fn state_at_end(text: &str) -> Option<(&str, &'static str)> {
    const WORDS_MAX: usize = 4;
    let behind_sign = Some(after_sign(text)).filter(|at| *at > 0);
    let by_words = word_starts(text).take(WORDS_MAX).collect::<Vec<usize>>();
    let words = |at: usize| text[at..].trim_matches(|c: char| !c.is_alphabetic());
    let is_clear = |words: &str| words.len() > 2 || words.chars().all(char::is_uppercase);
    let named = |at: usize| indian_state(words(at));
    let by_words = by_words.into_iter().rev().filter(|at| *at == 0 || is_clear(words(*at)));
    let at = behind_sign.into_iter().chain(by_words).find(|at| named(*at).is_some())?;
    Some((trimmed(&text[..at]), named(at)?))
}

/// Whether a text ends with a known city of India: `Sector 62 Noida`.
#[must_use]
pub fn ends_with_city(text: &str) -> bool {
    city_at_end(trimmed(text)).is_some()
}

/// Where a city begins that an address ends with: a known one, which may be followed by a part of it, as in `Thane West`.
fn city_at_end(text: &str) -> Option<usize> {
    const WORDS_MAX: usize = 3;
    let starts: Vec<usize> = word_starts(text).take(WORDS_MAX + 1).collect();
    let is_side = |at: &usize| Topic::Values.lists("side", text[*at..].trim_matches(|c: char| !c.is_alphabetic()));
    let end = starts.first().copied().filter(is_side).unwrap_or(text.len());
    let is_city = |at: &usize| *at < end && CITIES.contains(normalised(&text[*at..end]).as_str());
    starts.into_iter().rev().find(is_city)
}

/// Where the last part of an address begins that stands behind a sign, and may be a city: a few words.
fn word_at_end(text: &str) -> Option<usize> {
    const WORDS_MAX: usize = 3;
    let at = after_sign(text);
    let last = text[at..].trim();
    // Marks of other scripts are no letters by themselves.
    let is_mark = |c: char| !c.is_ascii() && !c.is_numeric();
    let is_word = |c: char| c.is_alphabetic() || c.is_whitespace() || c == '.' || is_mark(c);
    let is_city =
        at > 0 && !last.is_empty() && last.split_whitespace().count() <= WORDS_MAX && last.chars().all(is_word);
    is_city.then_some(at)
}

/// Where the text behind the last sign begins; 0 where there is none.
fn after_sign(text: &str) -> usize {
    text.rfind([',', '\n', '-', '–']).map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8))
}

/// Where the words of a text begin, the last one first.
fn word_starts(text: &str) -> impl Iterator<Item = usize> {
    let is_between = |c: char| c.is_whitespace() || matches!(c, ',' | '-' | '–');
    let starts = text
        .char_indices()
        .rev()
        .filter(move |(at, c)| !is_between(*c) && text[..*at].chars().next_back().is_none_or(is_between));
    starts.map(|(at, _)| at)
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

/// A text without the word for the PIN code or for the district that it ends with.
fn without_label<'t>(text: &'t str, class: &str) -> &'t str {
    let rest = text.trim_end_matches(char::is_alphabetic);
    if Topic::Values.lists(class, &text[rest.len()..]) { without_label(trimmed(rest), class) } else { text }
}

/// The cities, as `templates/places/india-cities.txt` has them.
static CITIES: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let list = include_str!("../../templates/places/india-cities.txt");
    list.lines().filter(|line| !line.starts_with('#')).map(normalised).collect()
});

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
