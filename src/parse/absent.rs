//! Words that stand where a value should be, and are none: `N/A`, `-`, `NaN`.

use crate::field::{Field, Id, Kind, is_digits};
use crate::words::Topic;

/// Longer than the longest of these words.
const BYTES_MAX: usize = 10;

/// Whether a cell's text only says that there is nothing.
///
/// `Na`, `Nan`, `Null` and `Nil` are names of people and `Nan` is a city: where a name or a place stands, only `N/A`,
/// dashes and the like count, and `nan`, `NaN`, `NAN`, `null`, `NULL`, `none`, `None`, `NONE`, `nil`, `NIL` and `NA` as
/// programs write them. `NA` is the state of Naples and the country Namibia.
#[must_use]
pub fn is_no_value(field: &Field, text: &str) -> bool {
    let suspect = |byte: u8| matches!(byte, b'n' | b'N' | b'-' | b'?' | b'(' | b'<' | b'u' | b'U' | 0xe2);
    // Of these fields such a word is no value of their kind, and refused as such.
    let is_refused = matches!(field.kind, Kind::CountryCode | Kind::Payment | Kind::Measure | Kind::Quantity);
    if text.len() > BYTES_MAX || !text.bytes().next().is_some_and(suspect) || is_refused {
        return false;
    }
    if matches!(field.kind, Kind::Money | Kind::MoneyText) {
        // The accounting format of spreadsheets writes a dash for zero.
        return text == "-";
    }
    if Topic::Values.lists("no_value", text) {
        return true;
    }
    if field.kind == Kind::Warehouse || !Topic::Values.lists("no_value_at_times", text) {
        return false;
    }
    let part = field.path.rsplit('.').next().unwrap_or_default();
    let (is_name, is_city) = (matches!(part, "firstName" | "lastName"), part == "city");
    if !(is_name || is_city || matches!(part, "state" | "country")) {
        return true;
    }
    let is_called = text.starts_with(|c: char| c.is_ascii_uppercase())
        && text[1..].bytes().all(|byte| byte.is_ascii_lowercase())
        && text != "None";
    !is_called && text != "na" && (text != "NA" || is_name || is_city)
}

/// Longer texts say something of their own.
const POINTER_BYTES_MAX: usize = 32;

/// Whether a text only points to another cell: `same as above`, `-do-`, and the marks that stand for it.
///
/// Notes may say `same` of anything. `Do` is a last name, in capitals at least.
#[must_use]
pub fn is_elsewhere(field: &Field, text: &str) -> bool {
    let bytes = text.as_bytes();
    // Quotes, dots and dashes, what is written in more bytes than one, and how the words begin.
    let suspect = match bytes {
        [first, second, ..] if first.is_ascii_alphabetic() => {
            let begins = [first.to_ascii_lowercase(), second.to_ascii_lowercase()];
            matches!(&begins, b"do" | b"di" | b"sa" | b"id" | b"ab" | b"as" | b"se")
        }
        [first, ..] => !first.is_ascii_alphanumeric(),
        [] => false,
    };
    // Other scripts take three bytes for a letter.
    let bytes_max = if text.is_ascii() { POINTER_BYTES_MAX } else { 3 * POINTER_BYTES_MAX };
    if !suspect || bytes.len() > bytes_max {
        return false;
    }
    if is_mark(text) {
        return true;
    }
    let lists = |class: &str, word: &str| Topic::Values.lists(class, word);
    let mut words = words_of(text);
    let Some(first) = words.next() else { return false };
    let rest: Vec<&str> = words.collect();
    // `same as row 4`, and not the order DO-1001.
    let counted = rest.iter().any(|word| is_digits(word));
    if counted && (matches!(field.id, Id::OrderNumber | Id::Sku) || !rest.iter().any(|word| lists("numbered", word))) {
        return false;
    }
    let is_capital = || text.starts_with(char::is_uppercase) && text.chars().all(char::is_alphabetic);
    let named = rest.is_empty() && field.id == Id::ReceiverLastName && is_capital();
    let of_note = matches!(field.id, Id::SellerNote | Id::Tags) && !first.eq_ignore_ascii_case("ditto");
    let points = lists("points", first) || (!rest.is_empty() && lists("points_on", first));
    points && !named && !of_note && rest.iter().all(|word| lists("pointed_at", word) || is_digits(word))
}

/// Whether a text says that the value is that of the cell right above it: `-do-`, `same as above`, and no other cell.
#[must_use]
pub fn is_ditto(field: &Field, text: &str) -> bool {
    is_elsewhere(field, text) && words_of(text).all(|word| Topic::Values.lists("ditto", word))
}

/// The words of a text; signs of vowels belong to theirs in the scripts of India.
fn words_of(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '\u{900}'..='\u{dff}');
    text.split(move |c: char| !is_part(c)).filter(|word| !word.is_empty())
}

/// Whether a text is made of the marks that stand for what is written above them: `"`, `''`, `-"-`, `〃`.
fn is_mark(text: &str) -> bool {
    let quotes = |c: char| matches!(c, '"' | '\'' | '`' | '´' | '“' | '”' | '„' | '‟' | '’' | '‘' | '″' | '〃');
    let around = |c: char| matches!(c, '-' | '–' | '—' | '.' | ',' | '_' | '~') || c.is_whitespace();
    let commas = text.matches(',').count() > 1;
    text.chars().all(|c| quotes(c) || around(c)) && (commas || text.contains(quotes))
}
