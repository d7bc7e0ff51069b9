//! Words and figures for people: plurals, lists, money, durations; and how people spell order numbers.

mod alias;
mod decimal;
mod spelling;
mod unknown;

use std::borrow::Cow;
use std::fmt::Write as _;
use std::time::Duration;

pub use alias::{Likeness, NumberForms};
pub use decimal::{Decimal, DecimalError, RoundingStrategy};

pub use spelling::{ascii_digits, bare_awb, may_have_become, spellings, unspelled};
pub use unknown::plainly;

/// A short text, up to 24 bytes without an allocation.
pub use compact_str::CompactString as Text;

/// What is said behind a word that nobody knows: the nearest of those that are known, where one is near.
#[must_use]
pub fn did_you_mean<'k>(word: &str, known: impl Iterator<Item = &'k str>) -> String {
    nearest(word, known).map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

/// A moment, in epoch milliseconds, in the zone of whoever reads.
#[must_use]
pub fn moment(ms: i64) -> String {
    jiff::Timestamp::from_millisecond(ms).map_or_else(
        |_| ms.to_string(),
        |moment| moment.to_zoned_datetime(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S").to_string(),
    )
}

/// A hash as hexadecimal digits.
#[must_use]
pub(crate) fn hex(hash: &[u8; 32]) -> String {
    const DIGITS: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    hash.iter().flat_map(|byte| [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]).collect()
}

/// An error and what caused it, each told once.
#[must_use]
pub fn error_chain(error: &dyn std::error::Error) -> String {
    let mut said = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        if !said.contains(&text) {
            // Writing into text cannot fail.
            let _ = write!(said, ": {text}");
        }
        cause = error.source();
    }
    said
}

/// A count with its noun, `1 order` or `1,234 orders`.
#[must_use]
pub fn count(number: u64, noun: &str) -> String {
    let figure = thousands(&number.to_string());
    if number == 1 { format!("{figure} {noun}") } else { format!("{figure} {}", plural(noun)) }
}

/// The plural of a noun that this program uses.
fn plural(noun: &str) -> String {
    match noun {
        "order in doubt" => "orders in doubt".to_owned(),
        _ if noun.ends_with('y') && !noun.ends_with("ay") => format!("{}ies", &noun[..noun.len() - 1]),
        _ if noun.ends_with('s') || noun.ends_with('x') || noun.ends_with("ch") => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

/// Digits with a comma between groups of three: `1234567` is `1,234,567`.
#[must_use]
pub fn thousands(digits: &str) -> String {
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |rest| ("-", rest));
    let mut text = String::with_capacity(digits.len() + digits.len() / 3 + 1);
    text.push_str(sign);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Digits grouped as in India: `1234567` is `12,34,567`.
#[must_use]
pub fn indian(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() + digits.len() / 2);
    for (place, digit) in digits.chars().enumerate() {
        let left = digits.len() - place;
        if place > 0 && (left == 3 || (left > 3 && left % 2 == 1)) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// An amount in rupees, with its digits grouped as in India: `₹1,23,456.50`.
#[must_use]
pub fn rupees(amount: Decimal) -> String {
    let text = amount.round_dp(2).normalize().to_string();
    let (sign, text) = text.strip_prefix('-').map_or(("", text.as_str()), |rest| ("-", rest));
    let (whole, paise) = text.split_once('.').unwrap_or((text, ""));
    let paise = if paise.is_empty() { String::new() } else { format!(".{paise:0<2}") };
    format!("{sign}₹{}{paise}", indian(whole))
}

/// An amount with two decimals at least and separated thousands: `1,234.50`.
#[must_use]
pub fn money(amount: Decimal) -> String {
    let plain = at_least_two_decimals(amount).to_string();
    match plain.split_once('.') {
        Some((whole, rest)) => format!("{}.{rest}", thousands(whole)),
        None => thousands(&plain),
    }
}

/// An amount with its currency: ₹1,23,456.50, or USD 1,234.50; without one, 1,23,456.50.
#[must_use]
pub fn in_currency(amount: Decimal, currency: &str) -> String {
    match currency {
        "INR" => rupees(amount),
        "" => rupees(amount).replace('₹', ""),
        other => format!("{other} {}", money(amount)),
    }
}

/// The same number with two decimals, or with as many as it needs: `5` is `5.00`, `1.250` is `1.25`, `0.125` stays.
#[must_use]
pub fn at_least_two_decimals(amount: Decimal) -> Decimal {
    if amount.scale() == 2 && !amount.is_zero() {
        return amount;
    }
    let mut amount = amount.normalize();
    if amount.scale() < 2 {
        amount.rescale(2);
    }
    amount
}

/// `a`, `a and b`, `a, b and c`.
#[must_use]
pub fn list<T: AsRef<str>>(items: &[T], last: &str) -> String {
    match items {
        [] => String::new(),
        [only] => only.as_ref().to_owned(),
        [init @ .., end] => {
            let init: Vec<&str> = init.iter().map(AsRef::as_ref).collect();
            format!("{} {last} {}", init.join(", "), end.as_ref())
        }
    }
}

/// A duration as people say it: `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`.
#[must_use]
pub fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0..=9 => format!("{:.1} s", duration.as_secs_f64()),
        10..=59 => format!("{seconds} s"),
        60..=3599 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

/// Whether a character is not seen itself but changes how a terminal or an editor shows the text: controls, marks of
/// direction, separators of lines and paragraphs, and what takes no room. Line feed and tab are what they look like.
#[must_use]
pub const fn is_hidden(character: char) -> bool {
    matches!(character,
        '\0'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{34f}' | '\u{61c}'
        | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// A text in which nothing is hidden: `\u{9b}` stands for the character itself.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    let mut last = ' ';
    for character in text.chars() {
        // Scripts of India, and others, are written with joiners within their words.
        let is_joiner = matches!(character, '\u{200c}' | '\u{200d}') && !last.is_ascii();
        last = character;
        if is_hidden(character) && !is_joiner {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

/// Text cut to a number of characters, with `…` where something is missing; it stays on one line.
#[must_use]
pub fn shortened(text: &str, characters: usize) -> String {
    let is_break = |c: char| matches!(c, '\n' | '\r' | '\t');
    let mut shown: String = text.chars().take(characters).map(|c| if is_break(c) { ' ' } else { c }).collect();
    if text.chars().nth(characters).is_some() {
        shown.push('…');
    }
    shown
}

/// A text as TOML takes it, also for a key, whatever it holds.
#[must_use]
pub fn toml_quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            // Writing into text cannot fail.
            control if control.is_control() || is_hidden(control) => {
                let _ = match u32::from(control) {
                    short @ ..=0xffff => write!(quoted, "\\u{short:04X}"),
                    long => write!(quoted, "\\U{long:08X}"),
                };
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

/// A word as a shell takes it for one.
#[must_use]
pub fn shell_quoted(word: &str) -> String {
    let plain = word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | ':'));
    if plain && !word.starts_with('-') && !word.is_empty() {
        word.to_owned()
    } else if word.contains(is_hidden) {
        printed(word)
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A word with hidden characters, which can be neither read nor typed as it stands: the shell is told their numbers.
fn printed(word: &str) -> String {
    let mut format = String::from("\"$(printf '");
    for character in word.chars() {
        match character {
            '\'' => format.push_str(r"'\''"),
            '%' => format.push_str("%%"),
            '\\' => format.push_str(r"\\"),
            hidden if is_hidden(hidden) => {
                for byte in hidden.encode_utf8(&mut [0; 4]).bytes() {
                    // Writing into text cannot fail.
                    let _ = write!(format, "\\{byte:03o}");
                }
            }
            other => format.push(other),
        }
    }
    format.push_str("')\"");
    format
}

/// The candidate nearest in spelling, where one is near enough to be meant.
#[must_use]
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let word = word.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(&word, &candidate.to_lowercase()), candidate))
        .filter(|(likeness, _)| *likeness >= 0.87)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_plurals_and_separators() {
        assert_eq!(count(1, "order"), "1 order");
        assert_eq!(count(0, "order"), "0 orders");
        assert_eq!(count(12_345, "row"), "12,345 rows");
        assert_eq!(count(2, "order in doubt"), "2 orders in doubt");
        assert_eq!(count(3, "body"), "3 bodies");
        assert_eq!(count(3, "day"), "3 days");
    }

    #[test]
    fn money_keeps_every_digit() {
        let cases = [("5", "5.00"), ("499.9", "499.90"), ("1234567.125", "1,234,567.125"), ("-1000", "-1,000.00")];
        for (amount, shown) in cases {
            assert_eq!(money(amount.parse().unwrap()), shown);
        }
    }

    #[test]
    fn lists_and_durations() {
        assert_eq!(list(&["a"], "and"), "a");
        assert_eq!(list(&["a", "b", "c"], "or"), "a, b or c");
        assert_eq!(duration(Duration::from_millis(420)), "0.4 s");
        assert_eq!(duration(Duration::from_secs(200)), "3 min 20 s");
        assert_eq!(duration(Duration::from_mins(125)), "2 h 5 min");
    }

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(shell_quoted("ORD-1"), "ORD-1");
        assert_eq!(shell_quoted("#1 a'b"), r"'#1 a'\''b'");
        assert_eq!(shell_quoted("-x"), "'-x'");
        assert_eq!(shell_quoted("a'b\u{9b}%\\"), r#""$(printf 'a'\''b\302\233%%\\')""#);
    }

    #[test]
    fn hidden_characters_are_shown_and_others_stay() {
        assert_eq!(visible("नमस्ते, Zoë\t1\n"), "नमस्ते, Zoë\t1\n");
        assert_eq!(visible("a\u{1b}[2J\u{85}\u{200f}\u{2069}"), "a\\u{1b}[2J\\u{85}\\u{200f}\\u{2069}");
        assert_eq!(shortened("a\r\nb\u{9b}", 9), "a  b\u{9b}");
        assert_eq!(toml_quoted("a\u{202e}\u{e0041}"), "\"a\\u202E\\U000E0041\"");
    }

    #[test]
    fn nearest_is_for_spelling_only() {
        assert_eq!(nearest("quantitiy", ["Quantity", "Price"]), Some("Quantity"));
        assert_eq!(nearest("colour", ["Quantity", "Price"]), None);
    }
}
