//! Days as people write them beside a word, with or without a year: `20/11`, `25 Nov`, `on Nov 20, 2026 10:30 am`.

use jiff::civil::Date;

use crate::words::{Topic, Vocabulary};

/// A day that a cell names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedDay {
    day: i8,
    month: i8,
    year: Option<i16>,
}

impl NamedDay {
    /// The day itself; without a year it is the one that is nearest to today.
    #[must_use]
    pub fn near(self, today: Date) -> Option<Date> {
        let of = |year| Date::new(year, self.month, self.day).ok();
        if let Some(year) = self.year {
            return of(year);
        }
        let years = [today.year() - 1, today.year(), today.year() + 1];
        let away = |date: &Date| today.until(*date).map_or(i32::MAX, |span| span.get_days().abs());
        years.into_iter().filter_map(of).min_by_key(away)
    }
}

/// The classes of the names that months have, in order.
const MONTHS: [&str; 12] = [
    "month_1", "month_2", "month_3", "month_4", "month_5", "month_6", "month_7", "month_8", "month_9", "month_10",
    "month_11", "month_12",
];

/// The day with which a text ends, or which it is, and what stands before that.
#[must_use]
pub fn day_at_end(text: &str) -> Option<(&str, NamedDay)> {
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let parts = parts(text);
    let starts = (0..parts.len()).filter(|index| {
        let part = parts[*index].1;
        part.starts_with(|c: char| c.is_ascii_digit()) || month_of(part).is_some() || is("around_day", part)
    });
    starts.into_iter().find_map(|index| {
        let day = whole(parts.get(index..)?, text)?;
        Some((text.get(..parts[index].0)?.trim(), day))
    })
}

/// Whether a word is in a class of words of days.
fn is(class: &str, word: &str) -> bool {
    Vocabulary::built_in().lists(Topic::Values, class, word)
}

/// Runs of letters and runs of figures, with their places.
fn parts(text: &str) -> Vec<(usize, &str)> {
    let mut parts: Vec<(usize, usize)> = Vec::new();
    let mut before: Option<char> = None;
    for (at, c) in text.char_indices() {
        let joins = before.is_some_and(|before| {
            before.is_alphanumeric() && before.is_ascii_digit() == c.is_ascii_digit() && c.is_alphanumeric()
        });
        match parts.last_mut().filter(|_| joins) {
            Some(last) => last.1 = at + c.len_utf8(),
            None if c.is_alphanumeric() => parts.push((at, at + c.len_utf8())),
            None => {}
        }
        before = Some(c);
    }
    parts.into_iter().map(|(start, end)| (start, &text[start..end])).collect()
}

/// The month that a word names.
#[must_use]
pub fn month_of(word: &str) -> Option<i8> {
    i8::try_from(Vocabulary::built_in().class_of(Topic::Values, &MONTHS, word)? + 1).ok()
}

/// A day that all these parts are.
fn whole(parts: &[(usize, &str)], text: &str) -> Option<NamedDay> {
    let mut rest: Vec<(usize, &str)> = Vec::with_capacity(parts.len());
    for (at, part) in parts {
        let passed = if rest.is_empty() { is("around_day", part) } else { is("ordinal", part) };
        if !passed {
            rest.push((*at, part));
        }
    }
    let figure = |index: usize| rest.get(index).and_then(|(_, part)| part.parse::<i16>().ok());
    let length = |index: usize| rest.get(index).map_or(0, |(_, part)| part.len());
    let named = |index: usize| rest.get(index).and_then(|(_, part)| month_of(part));
    let small = |index: usize| figure(index).and_then(|figure| i8::try_from(figure).ok());
    let (day, month, taken) = match () {
        () if length(0) == 4 && figure(0).is_some() => {
            let day = NamedDay { day: small(2)?, month: named(1).or_else(|| small(1))?, year: figure(0) };
            return (day.is_real() && is_time(rest.get(3..)?)).then_some(day);
        }
        () if named(1).is_some() => (small(0)?, named(1)?, 2),
        () if named(0).is_some() => (small(1)?, named(0)?, 2),
        () => {
            let (first, second) = (small(0)?, small(1)?);
            // `1/2` is one of two, and a figure with a blank behind it no day.
            let between = text.get(rest[0].0 + length(0)..rest[1].0)?;
            let apart = matches!(between, "/" | "-" | "." | " / " | " - ");
            let in_pairs = length(0) == 2 || length(1) == 2 || length(2) > 0;
            if !apart || !in_pairs {
                return None;
            }
            if second > 12 { (second, first, 2) } else { (first, second, 2) }
        }
    };
    let behind = rest.get(taken..)?;
    let year = figure(taken)
        .filter(|_| matches!(length(taken), 2 | 4))
        .map(|year| if year < 100 { 2000 + year } else { year });
    // `25/11 10:30` has no year.
    let with_year = year.filter(|_| length(taken) == 4 || behind.get(1..).is_some_and(is_time));
    let day = NamedDay { day, month, year: with_year };
    let time = if with_year.is_some() { behind.get(1..)? } else { behind };
    (day.is_real() && is_time(time)).then_some(day)
}

/// Whether nothing is left, or a time of day.
fn is_time(parts: &[(usize, &str)]) -> bool {
    let figures = parts.iter().filter(|(_, part)| part.starts_with(|c: char| c.is_ascii_digit())).count();
    let words = parts.iter().filter(|(_, part)| is("of_time", part)).count();
    let has_half = parts.iter().any(|(_, part)| is("half_of_day", part));
    figures + words == parts.len() && (parts.is_empty() || figures > 1 || has_half)
}

impl NamedDay {
    fn is_real(self) -> bool {
        let year = self.year.unwrap_or(2024);
        (2000..2100).contains(&year) && Date::new(year, self.month, self.day).is_ok()
    }
}
