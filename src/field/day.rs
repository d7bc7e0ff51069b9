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
    /// Whether it was named with its year.
    #[must_use]
    pub const fn has_year(self) -> bool {
        self.year.is_some()
    }

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

/// The month that a word names.
#[must_use]
pub fn month_of(word: &str) -> Option<i8> {
    i8::try_from(Vocabulary::built_in().class_of(Topic::Values, &MONTHS, word)? + 1).ok()
}

/// The day with which a text ends, or which it is, and what stands before that. A time of day may stand behind it.
#[must_use]
pub fn day_at_end(text: &str) -> Option<(&str, NamedDay)> {
    let digit = |c: char| c.is_ascii_digit();
    text.find(digit)?;
    let is = |class: &str, word: &str| Topic::Values.lists(class, word);
    let hour = text.match_indices(':').find(|(at, _)| text[..*at].ends_with(digit));
    let dated = hour.map_or(text, |(at, _)| text[..at].trim_end_matches(digit));
    let mut parts = parts(dated);
    while parts.pop_if(|(_, part)| is("around_day", part) || is("of_time", part)).is_some() {}
    parts.retain(|(_, part)| !is("ordinal", part));
    let (first, day) = [3, 2].into_iter().find_map(|count| {
        let first = parts.len().checked_sub(count)?;
        Some((first, named(&parts[first..], dated)?))
    })?;
    let before = parts[..first].iter().rposition(|(_, part)| !is("around_day", part));
    Some((dated[..parts[before.map_or(0, |last| last + 1)].0].trim(), day))
}

/// The figures of a day and a time to the minute: `20261120-0905`. However a program writes a moment, they are the same: a day and
/// a month that may be either way round stand in one order.
#[must_use]
pub fn moment_figures(text: &str) -> Option<String> {
    let (before, day) = day_at_end(text)?;
    let year = day.year.filter(|_| before.is_empty())?;
    let (hour, minutes) = text.split_once(':')?;
    let hour: u8 = hour.rsplit(|c: char| !c.is_ascii_digit()).next()?.parse().ok()?;
    let minute: u8 = minutes.get(..2)?.parse().ok()?;
    let half = minutes.find(char::is_alphabetic).and_then(|at| minutes[at..].chars().next());
    let hour = match half.map(|half| half.to_ascii_lowercase()) {
        Some('p') if hour < 12 => hour + 12,
        Some('a') if hour == 12 => 0,
        _ => hour,
    };
    let either_way = day.day <= 12 && day.month <= 12;
    let (month, date) =
        if either_way { (day.month.max(day.day), day.month.min(day.day)) } else { (day.month, day.day) };
    (hour < 24 && minute < 60).then(|| format!("{year:04}{month:02}{date:02}-{hour:02}{minute:02}"))
}

/// Runs of letters and runs of figures, with their places.
fn parts(text: &str) -> Vec<(usize, &str)> {
    let mut parts: Vec<(usize, &str)> = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(char::is_alphanumeric) {
        rest = &rest[start..];
        let is_figure = rest.starts_with(|c: char| c.is_ascii_digit());
        let is_other = |c: char| !c.is_alphanumeric() || c.is_ascii_digit() != is_figure;
        let (part, behind) = rest.split_at(rest.find(is_other).unwrap_or(rest.len()));
        parts.push((text.len() - rest.len(), part));
        rest = behind;
    }
    parts
}

/// The day that two or three parts are.
fn named(parts: &[(usize, &str)], text: &str) -> Option<NamedDay> {
    let texts: Vec<&str> = parts.iter().map(|(_, part)| *part).collect();
    let (day, month, year) = match texts[..] {
        [year, month, day] if year.len() == 4 => (day, month, Some(year)),
        [month, day, year] if month_of(month).is_some() => (day, month, Some(year)),
        [day, month, year] => (day, month, Some(year)),
        [month, day] if month_of(month).is_some() => (day, month, None),
        [day, month] => (day, month, None),
        _ => return None,
    };
    let year = match year {
        Some(year) if matches!(year.len(), 2 | 4) => {
            Some(year.parse::<i16>().ok()?).map(|year| if year < 100 { 2000 + year } else { year })
        }
        Some(_) => return None,
        None => None,
    };
    let mut of_year = (day.parse::<i8>().ok()?, month_of(month).or_else(|| month.parse().ok())?);
    if month_of(month).is_none() {
        // `1/2` is one of two, and a figure with a blank behind it no day.
        let between = text[parts[0].0 + texts[0].len()..parts[1].0].trim();
        if !matches!(between, "/" | "-" | ".") || (year.is_none() && texts.iter().all(|part| part.len() == 1)) {
            return None;
        }
        if of_year.1 > 12 {
            of_year = (of_year.1, of_year.0);
        }
    }
    let (day, month) = of_year;
    let is_real = (2000..2100).contains(&year.unwrap_or(2024)) && Date::new(year.unwrap_or(2024), month, day).is_ok();
    is_real.then_some(NamedDay { day, month, year })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_has_the_same_figures_however_it_is_written() {
        for text in
            ["20/11/2026 10:01:22", "2026-11-20 10:01:22", "11/20/2026 10:01", "20-Nov-2026 10:01", "20/11/26 10:01 am"]
        {
            assert_eq!(moment_figures(text).as_deref(), Some("20261120-1001"), "{text}");
        }
        assert_eq!(moment_figures("03/11/2026 22:05"), moment_figures("11/3/2026 10:05 PM"));
        assert_ne!(moment_figures("03/11/2026 22:05"), moment_figures("03/11/2026 10:05"));
        for none in ["20/11/2026", "9876543210", "10:01", "Flat 3:4", "20/11/2026 25:01"] {
            assert_eq!(moment_figures(none), None, "{none}");
        }
    }
}
