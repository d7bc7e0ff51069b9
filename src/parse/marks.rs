//! What spreadsheets do to codes: marks that they leave around a value, and digits that they take off.

use super::fault::Fault;
use crate::field::{Field, Id, Kind, is_digits};
use crate::finding::cell;

/// A text without the marks around it: `="00123"` and `'00123` are how spreadsheets are told that something is text, and
/// `560001.0`, `1001.00` and `$1001.00` are how programs write a whole number that they took for a measure.
#[must_use]
pub fn unmarked<'t>(field: &Field, text: &'t str) -> &'t str {
    let bytes = text.as_bytes();
    match (bytes.first(), bytes.last()) {
        (Some(b'='), Some(b'"')) => guarded(text),
        (Some(b'\''), Some(_)) if is_figures(&text[1..]) => &text[1..],
        (Some(b'"'), Some(b'"')) if field.kind == Kind::OrderNumber => {
            let inner = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).map(str::trim);
            inner.filter(|inner| !inner.is_empty() && !inner.contains('"')).unwrap_or(text)
        }
        (Some(b'0'..=b'9'), Some(b'.')) if field.kind == Kind::OrderNumber => {
            text.strip_suffix('.').filter(|whole| is_digits(whole)).unwrap_or(text)
        }
        (Some(b'0'..=b'9'), Some(b'0')) if field.id == Id::Sku => {
            text.strip_suffix(".0").filter(|whole| is_digits(whole)).unwrap_or(text)
        }
        (Some(b'0'..=b'9'), Some(b'0')) if matches!(field.kind, Kind::OrderNumber | Kind::Phone | Kind::PinCode) => {
            without_decimals(text).unwrap_or(text)
        }
        // The first bytes of the signs of money that formats show.
        (Some(b'$' | 0xC2 | 0xE2), Some(b'0')) if field.kind == Kind::OrderNumber => {
            without_decimals(text.trim_start_matches(['$', '€', '£', '¥'])).unwrap_or(text)
        }
        _ => text,
    }
}

/// What stands in `="…"`; the text itself where more than that stands there.
fn guarded(text: &str) -> &str {
    let inner = text.strip_prefix("=\"").and_then(|rest| rest.strip_suffix('"'));
    inner.filter(|inner| !inner.contains('"')).map_or(text, str::trim)
}

/// `'Tis` and `'s-Hertogenbosch` are words; a mark stands before figures.
fn is_figures(text: &str) -> bool {
    let figure = |byte: u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b' ' | b'.' | b'/' | b'(' | b')');
    text.bytes().all(figure) && text.bytes().any(|byte| byte.is_ascii_digit())
}

/// The digits of a whole number that shows decimals. Codes of products may be `42.00`; numbers of orders are counted.
fn without_decimals(text: &str) -> Option<&str> {
    let (whole, decimals) = text.split_once('.')?;
    (is_digits(whole) && decimals.bytes().all(|byte| byte == b'0')).then_some(whole)
}

/// Why a tariff code cannot be right: they have two, four, six, eight or ten digits.
#[must_use]
pub fn tariff_fault(text: &str) -> Option<Fault> {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let figures = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b' '));
    if !figures || digits.is_multiple_of(2) || digits > 10 {
        return None;
    }
    let fault = if text.contains('.') {
        cell::digits_lost::tariff_ends(digits)
    } else {
        cell::digits_lost::tariff_begins(digits)
    };
    Some(fault.into())
}
