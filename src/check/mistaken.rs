//! Codes that a spreadsheet took for something else before the sheet was saved as text: `3-4` that became `3-Apr`,
//! `MAR05` that became `Mar-05`, `1E5`.

use super::fault::Fault;
use super::number::looks_scientific;
use crate::field::{Field, Id, Kind};
use crate::finding::cell;

/// What a text looks like that spreadsheets and programs write for dates, times and powers of ten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Look {
    /// `3-Apr`, `Mar-05`, `2026-03-05 00:00:00`, `00:00:00`: hardly anybody types that.
    Cell,
    /// `05-03-2026`: people type it as well.
    Date,
    /// `1.2345678E7`, with a point: hardly anybody types that.
    Power,
    /// `1E5`: many a code looks so.
    ShortPower,
}

/// What to say of a code or a name that is most likely not what was typed.
///
/// Where the sheet itself marks a value as text (`="3-Apr"`), nothing was mistaken.
pub(super) fn mistaken(field: &Field, text: &str) -> Option<Fault> {
    let concerned = matches!(field.kind, Kind::OrderNumber | Kind::Text | Kind::NullableText) && !field.may_be_date();
    if !concerned {
        return None;
    }
    let look = look(text)?;
    let (is_number, is_sku) = (field.id == Id::OrderNumber, field.id == Id::Sku);
    if matches!(look, Look::Power | Look::ShortPower) {
        if !is_number && !is_sku {
            return None;
        }
        let held = is_number && look == Look::Power;
        let fault =
            if held { cell::digits_lost::number_reads_shortened(text) } else { cell::digits_lost::reads_shortened() };
        return Some(fault.into());
    }
    let held = is_number || (is_sku && look == Look::Cell);
    let fault =
        if held { cell::turned_into_date::reads_as_date(text) } else { cell::turned_into_date::may_be_date(text) };
    Some(fault.into())
}

fn look(text: &str) -> Option<Look> {
    /// `2026-03-05 00:00:00`, with room for fractions of a second.
    const LENGTH_MAX: usize = 26;
    let bytes = text.as_bytes();
    if bytes.len() > LENGTH_MAX || bytes.len() < 3 {
        return None;
    }
    // Nearly every text ends here: such cells hold one of few signs, or begin with a digit, and hold one in any case.
    let is_sign = |byte: &u8| matches!(byte, b':' | b'-' | b'/');
    if !(bytes[0].is_ascii_digit() || bytes.iter().any(is_sign)) || !bytes.iter().any(u8::is_ascii_digit) {
        return None;
    }
    if bytes.contains(&b':') {
        let text = text.strip_suffix(" AM").or_else(|| text.strip_suffix(" PM")).unwrap_or(text);
        let (before, time) = text.split_once([' ', 'T']).unwrap_or(("", text));
        return (is_time(time) && (before.is_empty() || date(before).is_some())).then_some(Look::Cell);
    }
    if bytes.iter().any(|byte| matches!(byte, b'-' | b'/')) {
        return date(text);
    }
    let scientific = bytes[0].is_ascii_digit() && looks_scientific(text);
    scientific.then(|| if bytes.contains(&b'.') { Look::Power } else { Look::ShortPower })
}

/// `00:00:00`, `12:30`.
fn is_time(text: &str) -> bool {
    // Seconds may have fractions.
    let (clock, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let figures = |part: &str| (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_fraction = fraction.bytes().all(|byte| byte.is_ascii_digit());
    matches!(clock.split(':').count(), 2 | 3) && clock.split(':').all(figures) && is_fraction
}

/// `3-Apr`, `Mar-05` and `5-Mar-26` as spreadsheets write them, and dates in figures alone.
fn date(text: &str) -> Option<Look> {
    let figure = |part: &str| part.parse::<u16>().ok().filter(|_| part.bytes().all(|byte| byte.is_ascii_digit()));
    let is_day = |part: &str| part.len() <= 2 && figure(part).is_some_and(|day| (1..=31).contains(&day));
    let is_short = |part: &str| part.len() == 2 && figure(part).is_some();
    let is_year = |part: &str| part.len() == 4 && figure(part).is_some_and(|year| (1900..2100).contains(&year));
    match *text.split(['-', '/']).collect::<Vec<&str>>() {
        [day, month] if is_day(day) && is_month(month) => Some(Look::Cell),
        [month, year] if is_month(month) && is_short(year) => Some(Look::Cell),
        [day, month, year] if is_day(day) && is_month(month) && (is_short(year) || is_year(year)) => Some(Look::Cell),
        [year, one, other] | [one, other, year] if is_year(year) && is_day(one) && is_day(other) => Some(Look::Date),
        _ => None,
    }
}

/// The short name of a month, in the one case in which spreadsheets write it.
fn is_month(text: &str) -> bool {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    MONTHS.contains(&text)
}
