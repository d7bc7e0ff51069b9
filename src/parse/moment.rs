//! Points in time: ISO 8601, epoch seconds and milliseconds, configured formats, and dates as people write them:
//! `13/10/2025`, `Sep-30-26 02:44:15`, `13 October 2025 4:02 PM`.

use jiff::civil::{Date, DateTime, Time};
use jiff::fmt::strtime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ZonedDateTime};
use serde::Deserialize;
use serde::de::{Deserializer, Error};

use super::fault::Parsed;
use super::settings::ReadingSettings;
use crate::field::{Kind, day_at_end, is_digits, month_of};
use crate::finding::{Remedy, cell};
use crate::words::Topic;

/// Clocks and zones differ; orders from further ahead are not believed.
const AHEAD_MAX: SignedDuration = SignedDuration::from_hours(48);

/// Orders that are older are not believed: most often day, month and year are mixed up.
const AGE_MAX: SignedDuration = SignedDuration::from_hours(5 * 366 * 24);

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
    for day in days.iter().filter_map(|day| day.parse::<ZonedDateTime>().ok()) {
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
    pub(super) rules: &'a ReadingSettings,
    pub(super) dates: Option<&'a Dates>,
    /// Whether day or month comes first in its column.
    pub(super) order: DayOrder,
    /// Whether it is a date of the sheet itself, which may have day and month swapped.
    pub(super) is_swapped: bool,
}

/// Epoch milliseconds of a cell's text, and what there is to doubt of them. Where day and month may be either way round,
/// the day comes first, unless that day is still to come. A day without a year is the one that is nearest to today.
pub(super) fn moment(text: &str, calendar: Calendar<'_>) -> Parsed<i64> {
    let rules = calendar.rules;
    let whole = calendar.with_nearest_year(text);
    let text = whole.as_deref().unwrap_or(text);
    let odd = |found: Timestamp| match found.duration_since(rules.now) {
        away if away < -AGE_MAX => Some(cell::odd_date::long_ago()),
        away => (away > AHEAD_MAX).then(cell::odd_date::in_future),
    };
    if let Some(found) = calendar.timestamp(text, calendar.order) {
        let day = || calendar.day(found);
        let other = |day: Date| Date::new(day.year(), day.day(), day.month()).ok().map(|day| day.to_string());
        let swapped = || cell::ambiguous_date::among_texts(&day().to_string(), other(day()).as_deref());
        let doubt = calendar.is_swapped.then(swapped).or_else(|| odd(found));
        return Ok((found.as_millisecond(), doubt.map(Into::into)));
    }
    let either = [DayOrder::DayFirst, DayOrder::MonthFirst].map(|order| calendar.timestamp(text, order));
    let [Some(first), Some(second)] = either else {
        return Err(cell::bad_date::not_date(Kind::Instant.accepted(), formats("%d/%m/%Y")).into());
    };
    let (taken, other) = if odd(first).is_some() && odd(second).is_none() { (second, first) } else { (first, second) };
    let day_first = formats(&format_of(text, ["%d", "%m", "%Y"]));
    let month_first = format_of(text, ["%m", "%d", "%Y"]);
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
        self.dates.and_then(|own| own.time_zone.as_ref()).unwrap_or(&self.rules.time_zone)
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
            .or_else(|| zone.to_timestamp(written(text, self.order_of(text, order))?).ok())
    }

    /// A day without a year, with the one in which it is nearest to today.
    fn with_nearest_year(&self, text: &str) -> Option<String> {
        let sign = lacks_year(text)?;
        day_at_end(text).filter(|(before, day)| before.is_empty() && !day.has_year())?;
        let now = self.rules.now;
        let this = self.day(now).year();
        let away = |whole: &String| {
            let mut orders = [self.order, DayOrder::DayFirst].into_iter();
            let found = orders.find_map(|order| self.timestamp(whole, order));
            found.map_or(SignedDuration::MAX, |found| found.duration_since(now).abs())
        };
        (this - 1..=this + 1).map(|year| with_year(text, sign, year)).min_by_key(away)
    }

    /// A moment's day, for people.
    fn day(&self, found: Timestamp) -> Date {
        found.to_zoned_datetime(self.zone().clone()).date()
    }

    /// Whether day or month comes first in a text: as it shows itself, as the formats have it that somebody has named, or as
    /// its column does.
    fn order_of(&self, text: &str, column: DayOrder) -> DayOrder {
        let of_format = |format: &String| Some(DayOrder::shown_by(&strtime::format(format, PROBE).ok()?));
        let mut shown = std::iter::once(DayOrder::shown_by(text)).chain(self.formats().filter_map(of_format));
        shown.find(|order| *order != DayOrder::Unknown).unwrap_or(column)
    }
}

/// A text by a format. One of a date alone takes a time behind it as well.
fn by_format(format: &str, text: &str, zone: &TimeZone) -> Option<Timestamp> {
    let Ok(broken) = strtime::parse(format, text) else {
        let (date, length) = strtime::BrokenDownTime::parse_prefix(format, text).ok()?;
        let time = text.get(length..)?.strip_prefix([' ', 'T', ',']).filter(|_| date.hour().is_none())?;
        let civil = date.to_date().ok()?.to_datetime(time_of(time)?);
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
    if !is_digits(text) {
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
    let of_day = || text.parse::<Date>().map(|day| day.at(0, 0, 0, 0));
    let civil = if time.is_some() { text.parse::<DateTime>() } else { of_day() }.ok()?;
    zone.to_timestamp(civil).ok()
}

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
        // Any year will do.
        let whole = lacks_year(text).map(|sign| with_year(text, sign, PROBE.year()));
        match triple(whole.as_deref().unwrap_or(text)) {
            Some((13..=31, 1..=12, _)) => Self::DayFirst,
            Some((1..=12, 13..=31, _)) => Self::MonthFirst,
            // Dates that begin with the month are never parted by points.
            Some((1..=12, 1..=12, _)) if Parts::of(text).is_some_and(|own| own.separator == Some('.')) => {
                Self::DayFirst
            }
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
            if let Some(day) = day_of(first) {
                (year_of(third)?, month, day)
            } else {
                (year_of(first)?, month, day_of(third)?)
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

/// The sign between a day and a month that are all of a text: `16/11`, `16 Nov`.
fn lacks_year(text: &str) -> Option<char> {
    let sign = text.chars().find(|c| !c.is_alphanumeric()).filter(|sign| matches!(sign, '/' | '-' | '.' | ' '))?;
    let (first, second) = text.split_once(sign)?;
    let is_part = |word: &str| {
        let is_figure = (1..=2).contains(&word.len()) && is_digits(word);
        is_figure || (!word.is_empty() && word.chars().all(char::is_alphabetic))
    };
    (is_part(first) && is_part(second)).then_some(sign)
}

fn with_year(text: &str, sign: char, year: i16) -> String {
    format!("{text}{sign}{year}")
}

/// The format of a date of three numbers with its own separators, its parts in this order: `%d.%m.%Y`; a year of two
/// digits is `%y`.
fn format_of(text: &str, parts: [&str; 3]) -> String {
    let (separator, short) =
        Parts::of(text).map_or(('/', false), |own| (own.separator.unwrap_or('/'), own.three[2].len() == 2));
    parts.map(|part| if short && part == "%Y" { "%y" } else { part }).join(&separator.to_string())
}

/// The format of dates in figures in this order, with the signs of the first; nothing where the order is not known.
#[must_use]
pub fn date_format(texts: &[&str], order: DayOrder) -> Option<String> {
    let first = texts.iter().find(|text| Parts::of(text).is_some_and(|own| own.separator.is_some()))?;
    match order {
        DayOrder::DayFirst => Some(format_of(first, ["%d", "%m", "%Y"])),
        DayOrder::MonthFirst => Some(format_of(first, ["%m", "%d", "%Y"])),
        DayOrder::Unknown | DayOrder::Mixed => None,
    }
}

/// Whether a text is a date of three parts, whatever time follows.
#[must_use]
pub fn looks_like_date(text: &str) -> bool {
    let parts = Parts::of(text.trim_start_matches(['/', '-', '.', ' ']));
    parts.is_some_and(|parts| {
        [DayOrder::DayFirst, DayOrder::MonthFirst].iter().any(|order| parts.date(*order).is_some())
    })
}

/// Reads a date of three parts; none where it is no date, or where day and month may be either way round.
pub(super) fn written(text: &str, order: DayOrder) -> Option<DateTime> {
    let parts = Parts::of(text)?;
    Some(parts.date(order)?.to_datetime(time_of(parts.time)?))
}

fn day_of(word: &str) -> Option<i8> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let suffix = &word[digits.len()..];
    let valid = digits.len() <= 2 && (suffix.is_empty() || Topic::Values.lists("ordinal", suffix));
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
fn time_of(text: &str) -> Option<Time> {
    const FORMATS: [&str; 6] = ["%H:%M", "%H:%M:%S", "%I:%M %p", "%I:%M:%S %p", "%I:%M%p", "%I:%M:%S%p"];
    let by_format = || FORMATS.iter().find_map(|format| Time::strptime(format, text.trim()).ok());
    if text.trim().is_empty() { Some(Time::midnight()) } else { by_format() }
}
