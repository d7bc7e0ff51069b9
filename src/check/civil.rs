//! Dates as people write them: `13/10/2025`, `Sep-30-26 02:44:15`, `13 October 2025 4:02 PM`.

use jiff::civil::{Date, DateTime, Time};

use crate::field::month_of;

/// Whether day or month comes first in a column's dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DayOrder {
    /// Nothing in the column shows it.
    #[default]
    Unknown,
    /// `13/10/2025`.
    DayFirst,
    /// `10/13/2025`.
    MonthFirst,
    /// Some cells show the one, others the other.
    Mixed,
}

/// What a text comes to.
pub(super) enum Written {
    /// A date, perhaps with a time.
    Date(DateTime),
    /// Day and month may be either way round.
    Ambiguous,
    /// Nothing of the kind.
    No,
}

/// The three numbers of a date that ends in its year, which may have two digits.
pub(super) fn triple(text: &str) -> Option<(i8, i8, i16)> {
    // Nearly every date with its year first ends here.
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let separator = char::from(*text.as_bytes().get(digits)?);
    if digits > 2 || !matches!(separator, '/' | '-' | '.') {
        return None;
    }
    let date = text.split_once([' ', 'T', ',']).map_or(text, |(date, _)| date);
    let mut parts = date.split(separator);
    let (first, second, year) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || second.len() > 2 {
        return None;
    }
    Some((first.parse().ok()?, second.parse().ok()?, year_of(year)?))
}

/// The format of a date of three numbers with its own separators, its parts in this order: `%d.%m.%Y`; a year of two
/// digits is `%y`.
pub(super) fn format_of(text: &str, parts: [&str; 3]) -> String {
    let separator = text.chars().find(|c| !c.is_ascii_digit()).unwrap_or('/');
    let year = if has_short_year(text) { "%y" } else { "%Y" };
    let parts = parts.map(|part| if part == "%Y" { year } else { part });
    parts.join(&separator.to_string())
}

/// Reads a date that ends in its year, or one with the month's name.
pub(super) fn written(text: &str, order: DayOrder) -> Written {
    if let Some((first, second, year)) = triple(text) {
        let rest = text.split_once([' ', 'T', ',']).map_or("", |(_, rest)| rest);
        let (day, month) = match (order, first, second) {
            (_, 13.., _) | (DayOrder::DayFirst, ..) => (first, second),
            (_, _, 13..) | (DayOrder::MonthFirst, ..) => (second, first),
            _ if first == second => (first, second),
            _ => return Written::Ambiguous,
        };
        return joined(Date::new(year, month, day).ok(), rest);
    }
    let found = year_first(text).or_else(|| named(text));
    found.map_or(Written::No, Written::Date)
}

/// `2026/06/05`, `2026.6.5 10:30`: with the year first, the month is next.
fn year_first(text: &str) -> Option<DateTime> {
    let (date, rest) = text.split_once([' ', 'T', ',']).unwrap_or((text, ""));
    let separator = date.chars().nth(4).filter(|c| matches!(c, '/' | '.'))?;
    let mut parts = date.split(separator);
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || year.len() != 4 || !year.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let date = Date::new(year.parse().ok()?, month.parse().ok()?, day_of(day)?).ok()?;
    Some(date.to_datetime(time_of(rest)?))
}

/// Whether a date that ends in its year writes two digits of it.
pub(super) fn has_short_year(text: &str) -> bool {
    let date = text.split_once([' ', 'T', ',']).map_or(text, |(date, _)| date);
    triple(text).is_some() && date.rsplit(['/', '-', '.']).next().is_some_and(|year| year.len() == 2)
}

fn joined(date: Option<Date>, time: &str) -> Written {
    match (date, time_of(time)) {
        (Some(date), Some(time)) => Written::Date(date.to_datetime(time)),
        _ => Written::No,
    }
}

/// Day, month by name and year in any order that leaves the year last or first.
fn named(text: &str) -> Option<DateTime> {
    let separators = [' ', '-', ',', '/', '.'];
    let mut words = text.split(separators).filter(|word| !word.is_empty());
    let (first, second, third) = (words.next()?, words.next()?, words.next()?);
    let date = if let Some(month) = month_of(first) {
        Date::new(year_of(third)?, month, day_of(second)?)
    } else {
        let month = month_of(second)?;
        match day_of(first) {
            Some(day) => Date::new(year_of(third)?, month, day),
            None => Date::new(year_of(first)?, month, day_of(third)?),
        }
    };
    // `third` lies within `text`: what follows it is the time.
    let after = third.as_ptr() as usize - text.as_ptr() as usize + third.len();
    let time = time_of(text.get(after..)?.trim_start_matches([',', ' ']))?;
    Some(date.ok()?.to_datetime(time))
}

fn day_of(word: &str) -> Option<i8> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let suffix = &word[digits.len()..];
    let valid = digits.len() <= 2 && matches!(suffix.to_ascii_lowercase().as_str(), "" | "st" | "nd" | "rd" | "th");
    valid.then(|| digits.parse().ok()).flatten()
}

/// Four digits, or two of this century.
fn year_of(word: &str) -> Option<i16> {
    let number: i16 = word.parse().ok()?;
    match word.len() {
        4 => Some(number),
        2 => Some(2000 + number),
        _ => None,
    }
}

/// `10:00`, `10:00:30`, `4:02 PM`; midnight where nothing is written.
pub(super) fn time_of(text: &str) -> Option<Time> {
    let text = text.trim();
    if text.is_empty() {
        return Some(Time::midnight());
    }
    let lower = text.to_ascii_lowercase();
    let (clock, half) = match (lower.strip_suffix("am"), lower.strip_suffix("pm")) {
        (Some(clock), _) => (clock.trim(), Some(false)),
        (_, Some(clock)) => (clock.trim(), Some(true)),
        _ => (lower.as_str(), None),
    };
    let mut parts = clock.split(':');
    let (hour, minute) = (parts.next()?.parse::<i8>().ok()?, parts.next()?.parse::<i8>().ok()?);
    let second = parts.next().map_or(Some(0), |second| second.parse::<i8>().ok())?;
    let hour = match (half, hour) {
        (None, hour) => hour,
        (Some(afternoon), 1..=12) => hour % 12 + if afternoon { 12 } else { 0 },
        _ => return None,
    };
    if parts.next().is_some() {
        return None;
    }
    Time::new(hour, minute, second, 0).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, order: DayOrder) -> String {
        match written(text, order) {
            Written::Date(date) => date.to_string(),
            Written::Ambiguous => "ambiguous".to_owned(),
            Written::No => "no".to_owned(),
        }
    }

    #[test]
    fn day_and_month_follow_the_column() {
        let cases = [
            ("2026/06/05", DayOrder::Unknown, "2026-06-05T00:00:00"),
            ("2026.6.5 10:30", DayOrder::DayFirst, "2026-06-05T10:30:00"),
            ("2026/13/05", DayOrder::Unknown, "no"),
            ("13/10/2025", DayOrder::Unknown, "2025-10-13T00:00:00"),
            ("03/10/2025", DayOrder::Unknown, "ambiguous"),
            ("03/10/2025", DayOrder::Mixed, "ambiguous"),
            ("03/10/2025", DayOrder::DayFirst, "2025-10-03T00:00:00"),
            ("03/10/2025", DayOrder::MonthFirst, "2025-03-10T00:00:00"),
            ("05.05.25", DayOrder::Unknown, "2025-05-05T00:00:00"),
            ("16-05-2018 07:32:06", DayOrder::DayFirst, "2018-05-16T07:32:06"),
            ("09/22/2026 04:02:10 PM", DayOrder::MonthFirst, "2026-09-22T16:02:10"),
            ("12/22/2026 12:02 AM", DayOrder::MonthFirst, "2026-12-22T00:02:00"),
            ("31/02/2025", DayOrder::DayFirst, "no"),
            ("13/10/2025 soon", DayOrder::DayFirst, "no"),
            ("13/13/2025", DayOrder::DayFirst, "no"),
        ];
        for (text, order, expected) in cases {
            assert_eq!(read(text, order), expected, "{text}");
        }
    }

    #[test]
    fn months_by_name() {
        let cases = [
            ("Sep-30-26 02:44:15", "2026-09-30T02:44:15"),
            ("13 Oct 2025", "2025-10-13T00:00:00"),
            ("13th October, 2025 4:02 pm", "2025-10-13T16:02:00"),
            ("October 13, 2025", "2025-10-13T00:00:00"),
            ("2025 Oct 13", "2025-10-13T00:00:00"),
            ("13-Sept-25", "2025-09-13T00:00:00"),
            ("13 Okt 2025", "no"),
            ("ma 13 2025", "no"),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text, DayOrder::Unknown), expected, "{text}");
        }
    }
}
