//! Points in time: ISO 8601, epoch seconds and milliseconds, and configured formats.

use jiff::civil::{Date, DateTime};
use jiff::fmt::strtime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Zoned};
use serde::Deserialize;
use serde::de::{Deserializer, Error};

use super::civil::{self, DayOrder};
use super::fault::Parsed;
use super::rules::Rules;
use crate::field::Kind;
use crate::finding::{Finding, Remedy, cell};

/// Orders from before are not believed: 2000-01-01T00:00:00Z.
const EARLIEST_MS: i64 = 946_684_800_000;

/// Clocks and zones differ; orders from further ahead are not believed.
const AHEAD_MAX: SignedDuration = SignedDuration::from_hours(48);

/// An order that is older was hardly written with two digits of its year.
const SHORT_YEAR_MAX: SignedDuration = SignedDuration::from_hours(5 * 366 * 24);

/// A moment that shows whether a format has the day or the month first.
const PROBE: DateTime = DateTime::constant(2026, 11, 22, 0, 0, 0, 0);

/// With an offset in digits, as shop systems write it.
const WITH_OFFSET: [&str; 2] = ["%Y-%m-%d %H:%M:%S %z", "%Y-%m-%dT%H:%M:%S%z"];

/// How one sheet writes its dates, where its profile says it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Dates {
    /// `strptime` formats tried before all others.
    #[serde(deserialize_with = "formats_of_dates")]
    pub formats: Vec<String>,
    /// The zone of dates that name none.
    #[serde(with = "jiff::fmt::serde::tz::optional")]
    pub time_zone: Option<TimeZone>,
}

fn formats_of_dates<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let formats = Vec::<String>::deserialize(deserializer)?;
    match formats.iter().find_map(|format| Some((format, wrong_date_format(format)?))) {
        Some((format, why)) => Err(D::Error::custom(format!(
            "[dates] formats: \"{format}\" is no format of a date ({why}); write one such as %d/%m/%Y"
        ))),
        None => Ok(formats),
    }
}

/// Why a format cannot be used for dates; nothing where it can.
///
/// A format is sound where a date that is written by it is read again as the same day.
#[must_use]
pub fn wrong_date_format(format: &str) -> Option<String> {
    let days = ["2026-11-21T22:33:44[UTC]", "2026-03-04T05:06:07[UTC]"];
    for day in days.iter().filter_map(|day| day.parse::<Zoned>().ok()) {
        let written = match strtime::format(format, &day) {
            Ok(written) => written,
            Err(error) => return Some(error.to_string()),
        };
        let read = strtime::parse(format, &written).and_then(|parsed| parsed.to_date());
        match read {
            Ok(read) if read == day.date() => {}
            _ => return Some("it does not hold day, month and year".to_owned()),
        }
    }
    None
}

/// What a date is read by, beside its text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Calendar<'a> {
    pub(super) rules: &'a Rules,
    pub(super) dates: Option<&'a Dates>,
    /// Whether day or month comes first in its column.
    pub(super) order: DayOrder,
    /// Whether it is a date of the sheet itself, which may have day and month swapped.
    pub(super) is_swapped: bool,
}

/// Epoch milliseconds of a cell's text, and what there is to doubt of them. Where day and month may be either way round,
/// the day comes first, unless that day is still to come.
pub(super) fn moment(text: &str, calendar: Calendar<'_>) -> Parsed<i64> {
    let rules = calendar.rules;
    let odd = |found: Timestamp| {
        if found.as_millisecond() < EARLIEST_MS {
            return Some(cell::odd_date::long_ago());
        }
        (found.duration_since(rules.now) > AHEAD_MAX).then(cell::odd_date::in_future)
    };
    if let Some(found) = calendar.timestamp(text, calendar.order) {
        let doubt = calendar.doubt(text, found).or_else(|| odd(found));
        return Ok((found.as_millisecond(), doubt.map(Into::into)));
    }
    let either = [DayOrder::DayFirst, DayOrder::MonthFirst].map(|order| calendar.timestamp(text, order));
    let [Some(first), Some(second)] = either else {
        // A day and a year around a word: `20 novembre 2026`.
        let is_figure = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let parts: Vec<&str> = text.split([' ', '-', '/', '.', ',']).filter(|part| !part.is_empty()).collect();
        let names_month =
            matches!(*parts, [day, month, year, ..] if is_figure(day) && !is_figure(month) && is_figure(year));
        let fault = if names_month { cell::bad_date::month_in_words } else { cell::bad_date::not_date };
        return Err(fault(Kind::Instant.accepted(), formats("%d/%m/%Y")).into());
    };
    let (taken, other) = if odd(first).is_some() && odd(second).is_none() { (second, first) } else { (first, second) };
    let day_first = formats(&civil::format_of(text, ["%d", "%m", "%Y"]));
    let month_first = civil::format_of(text, ["%m", "%d", "%Y"]);
    let [one, two] = [taken, other].map(|found| calendar.day(found).to_string());
    let doubt = match calendar.order {
        DayOrder::Mixed => cell::ambiguous_date::both_shown,
        _ => cell::ambiguous_date::none_shown,
    };
    let mut doubt = Some(doubt(&month_first, Some(&one), Some(&two), day_first).into());
    if let Some(odd) = odd(taken) {
        odd.add_to(&mut doubt);
    }
    Ok((taken.as_millisecond(), doubt))
}

/// The setting of a date format.
fn formats(format: &str) -> Remedy {
    Remedy::listed("dates", "formats", format)
}

impl Calendar<'_> {
    fn zone(&self) -> &TimeZone {
        self.dates.and_then(|dates| dates.time_zone.as_ref()).unwrap_or(&self.rules.time_zone)
    }

    /// The formats that somebody has named.
    fn formats(&self) -> impl Iterator<Item = &String> {
        self.dates.map_or(&[][..], |dates| &dates.formats).iter().chain(&self.rules.date_formats)
    }

    /// The moment of a text; none where it is none, or where day and month may be either way round.
    fn timestamp(&self, text: &str, order: DayOrder) -> Option<Timestamp> {
        let zone = self.zone();
        self.formats()
            .find_map(|format| by_format(format, text, zone))
            .or_else(|| civil(text, zone))
            .or_else(|| epoch(text))
            // A text with an offset must not be read as a civil time: that would drop the offset in silence.
            .or_else(|| text.parse::<Timestamp>().ok())
            .or_else(|| WITH_OFFSET.iter().find_map(|format| by_format(format, text, zone)))
            .or_else(|| zone.to_timestamp(civil::written(text, order)?).ok())
    }

    /// A moment's day, for people.
    fn day(&self, found: Timestamp) -> Date {
        found.to_zoned(self.zone().clone()).date()
    }

    /// Why a date that can be read may be another one.
    fn doubt(&self, text: &str, found: Timestamp) -> Option<Finding> {
        let day = self.day(found);
        if self.is_swapped {
            let other = Date::new(day.year(), day.day(), day.month()).ok().map(|day| day.to_string());
            return Some(cell::ambiguous_date::among_texts(&day.to_string(), other.as_deref()));
        }
        let (first, second, year) = civil::triple(text)?;
        if self.formats().any(|format| by_format(format, text, self.zone()).is_some()) {
            return None;
        }
        if self.rules.now.duration_since(found) > SHORT_YEAR_MAX && !text.contains(&year.to_string()) {
            let year_first = formats(&civil::format_of(text, ["%y", "%m", "%d"]));
            return Some(cell::ambiguous_date::short_year(&day.to_string(), year_first));
        }
        let shown = match DayOrder::shown_by(text) {
            DayOrder::Unknown if first != second => self.order,
            shown => shown,
        };
        let named = |format: &&String| {
            strtime::format(format.as_str(), PROBE).map_or(DayOrder::Unknown, |probe| DayOrder::shown_by(&probe))
        };
        if !matches!(shown, DayOrder::DayFirst | DayOrder::MonthFirst) || self.formats().any(|own| named(&own) == shown)
        {
            return None;
        }
        let against = self.formats().find(|format| named(format) != DayOrder::Unknown)?;
        Some(cell::ambiguous_date::against_format(&day.to_string(), against, Remedy::setting("dates", "formats", None)))
    }
}

/// A text by a format. One of a date alone takes a time behind it as well.
fn by_format(format: &str, text: &str, zone: &TimeZone) -> Option<Timestamp> {
    let Ok(broken) = strtime::parse(format, text) else {
        let (date, length) = strtime::BrokenDownTime::parse_prefix(format, text).ok()?;
        let time = text.get(length..)?.strip_prefix([' ', 'T', ',']).filter(|_| date.hour().is_none())?;
        let civil = date.to_date().ok()?.to_datetime(civil::time_of(time)?);
        return zone.to_timestamp(civil).ok();
    };
    if broken.offset().is_some() {
        return broken.to_timestamp().ok();
    }
    let civil = broken.to_datetime().or_else(|_| broken.to_date().map(|date| date.at(0, 0, 0, 0))).ok()?;
    zone.to_timestamp(civil).ok()
}

/// Ten digits are seconds, thirteen are milliseconds.
fn epoch(text: &str) -> Option<Timestamp> {
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number: i64 = text.parse().ok()?;
    match text.len() {
        10 => Timestamp::from_second(number).ok(),
        13 => Timestamp::from_millisecond(number).ok(),
        _ => None,
    }
}

/// A date as ISO 8601 writes it, without an offset.
fn civil(text: &str, zone: &TimeZone) -> Option<Timestamp> {
    let time = text.split_once(['T', 't', ' ']).map(|(_, time)| time);
    // Eight bare digits are as likely a number as a date.
    if text.as_bytes().get(4) != Some(&b'-') || time.is_some_and(|time| time.contains(['+', '-', 'Z', 'z', '['])) {
        return None;
    }
    let civil = match time {
        Some(_) => text.parse::<DateTime>().ok()?,
        None => text.parse::<Date>().ok()?.at(0, 0, 0, 0),
    };
    zone.to_timestamp(civil).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_holds_a_whole_date() {
        for good in ["%d/%m/%Y", "%m/%d/%y", "%d-%m-%Y %H:%M", "%m/%d/%Y %I:%M:%S %p", "%d %b %Y", "%F %T", "%e %B %Y"]
        {
            assert_eq!(wrong_date_format(good), None, "{good}");
        }
        for wrong in ["%Q", "%", "%!", "%d/%m", "%H:%M", "dd/mm/yyyy", "", "%d/%d/%Y"] {
            assert!(wrong_date_format(wrong).is_some(), "{wrong}");
        }
    }
}
