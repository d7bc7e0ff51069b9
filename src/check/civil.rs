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

impl DayOrder {
    /// What one text shows beyond doubt: `13/10/2025` does, `03/10/2025` does not.
    pub(super) fn shown_by(text: &str) -> Self {
        match triple(text) {
            Some((13..=31, 1..=12, _)) => Self::DayFirst,
            Some((1..=12, 13..=31, _)) => Self::MonthFirst,
            _ => Self::Unknown,
        }
    }
}

/// A date, taken apart: its three parts, and the time behind them.
struct Parts<'t> {
    three: [&'t str; 3],
    /// The sign between parts that are all figures; nothing where one goes by a name.
    separator: Option<char>,
    time: &'t str,
}

impl<'t> Parts<'t> {
    fn of(text: &'t str) -> Option<Self> {
        let mut words = text.split([' ', '-', ',', '/', '.']).filter(|word| !word.is_empty());
        let (first, second, third) = (words.next()?, words.next()?, words.next()?);
        let is_figure = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
        let third = if is_figure(third) { third.split('T').next()? } else { third };
        // `third` lies within `text`: what follows it is the time.
        let after = third.as_ptr() as usize - text.as_ptr() as usize + third.len();
        let time = text.get(after..)?.trim_start_matches([',', ' ', 'T']);
        let sign = text.chars().find(|c| !c.is_ascii_digit()).filter(|sign| matches!(sign, '/' | '-' | '.'));
        let begins = |sign: &char| text.starts_with(&format!("{first}{sign}{second}{sign}{third}"));
        let separator = sign.filter(|_| [first, second, third].into_iter().all(is_figure)).filter(begins);
        Some(Self { three: [first, second, third], separator, time })
    }

    /// The three numbers of a date that ends in its year, which may have two digits.
    fn numbers(&self) -> Option<(i8, i8, i16)> {
        let [first, second, third] = self.three;
        let short = |word: &str| if word.len() <= 2 { word.parse().ok() } else { None };
        self.separator.and_then(|_| Some((short(first)?, short(second)?, year_of(third)?)))
    }

    fn date(&self, order: DayOrder) -> Option<Date> {
        let [first, second, third] = self.three;
        if let Some((one, other, year)) = self.numbers() {
            let (day, month) = match (order, one, other) {
                (_, 13.., _) | (DayOrder::DayFirst, ..) => (one, other),
                (_, _, 13..) | (DayOrder::MonthFirst, ..) => (other, one),
                _ if one == other => (one, other),
                _ => return None,
            };
            return Date::new(year, month, day).ok();
        }
        // The year stands last, or first: with figures alone, the month is next.
        let (year, month, day) = if self.separator.is_some() {
            (Some(first).filter(|year| year.len() == 4)?.parse().ok()?, second.parse().ok()?, day_of(third)?)
        } else if let Some(month) = month_of(first) {
            (year_of(third)?, month, day_of(second)?)
        } else {
            let month = month_of(second)?;
            match day_of(first) {
                Some(day) => (year_of(third)?, month, day),
                None => (year_of(first)?, month, day_of(third)?),
            }
        };
        Date::new(year, month, day).ok()
    }
}

/// The three numbers of a date that ends in its year, which may have two digits.
pub(super) fn triple(text: &str) -> Option<(i8, i8, i16)> {
    // Nearly every date with its year first ends here.
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if matches!(digits, 1 | 2) { Parts::of(text)?.numbers() } else { None }
}

/// The format of a date of three numbers with its own separators, its parts in this order: `%d.%m.%Y`; a year of two
/// digits is `%y`.
pub(super) fn format_of(text: &str, parts: [&str; 3]) -> String {
    let (separator, short) =
        Parts::of(text).map_or(('/', false), |own| (own.separator.unwrap_or('/'), own.three[2].len() == 2));
    parts.map(|part| if short && part == "%Y" { "%y" } else { part }).join(&separator.to_string())
}

/// Reads a date of three parts; none where it is no date, or where day and month may be either way round.
pub(super) fn written(text: &str, order: DayOrder) -> Option<DateTime> {
    let parts = Parts::of(text)?;
    Some(parts.date(order)?.to_datetime(time_of(parts.time)?))
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
    const FORMATS: [&str; 6] = ["%H:%M", "%H:%M:%S", "%I:%M %p", "%I:%M:%S %p", "%I:%M%p", "%I:%M:%S%p"];
    let by_format = || FORMATS.iter().find_map(|format| Time::strptime(format, text.trim()).ok());
    if text.trim().is_empty() { Some(Time::midnight()) } else { by_format() }
}
