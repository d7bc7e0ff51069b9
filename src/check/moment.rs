//! Points in time: ISO 8601, epoch seconds and milliseconds, and configured formats.

use jiff::civil::{Date, DateTime};
use jiff::fmt::strtime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::civil::{self, DayOrder, Written};
use super::fault::Fault;
use super::rules::Rules;
use crate::field::Kind;
use crate::finding::{Remedy, Value, cell};

/// Orders from before are not believed: 2000-01-01T00:00:00Z.
const EARLIEST_MS: i64 = 946_684_800_000;

/// Clocks and zones differ; orders from further ahead are not believed.
const AHEAD_MAX: SignedDuration = SignedDuration::from_hours(48);

/// How one sheet writes its dates, where its profile says it.
#[derive(Debug, Clone, Default)]
pub struct Dates {
    /// `strptime` formats tried before all others.
    pub formats: Vec<String>,
    /// The zone of dates that name none.
    pub zone: Option<TimeZone>,
}

/// Epoch milliseconds of a cell's text.
pub(super) fn moment(text: &str, order: DayOrder, dates: Option<&Dates>, rules: &Rules) -> Result<i64, Fault> {
    if let Some(fault) = against_format(text, order, dates, rules) {
        return Err(fault);
    }
    let found = match parsed(text, order, dates, rules) {
        Parsed::Moment(found) => found,
        Parsed::Ambiguous => {
            let day_first = formats(&civil::format_of(text, ["%d", "%m", "%Y"]));
            let month_first = civil::format_of(text, ["%m", "%d", "%Y"]);
            let fault = if order == DayOrder::Mixed {
                cell::ambiguous_date::both_shown
            } else {
                cell::ambiguous_date::none_shown
            };
            return Err(fault(&month_first, day_first).into());
        }
        Parsed::No => {
            let fault = if names_month(text) { cell::bad_date::month_in_words } else { cell::bad_date::not_date };
            return Err(fault(Kind::Instant.accepted(), formats("%d/%m/%Y")).into());
        }
    };
    let milliseconds = found.as_millisecond();
    if milliseconds < EARLIEST_MS {
        return Err(cell::odd_date::long_ago().into());
    }
    if rules.now.duration_since(found) > SHORT_YEAR_MAX && civil::has_short_year(text) {
        let year = found.strftime("%Y").to_string();
        let year_first = formats(&civil::format_of(text, ["%y", "%m", "%d"]));
        return Err(cell::ambiguous_date::short_year(&year, year_first).into());
    }
    if found.duration_since(rules.now) > AHEAD_MAX {
        return Err(cell::odd_date::in_future().into());
    }
    Ok(milliseconds)
}

/// Epoch milliseconds of a cell's text, be its day ever so far away; none where it is no day.
pub(super) fn whatever_day(text: &str, order: DayOrder, dates: Option<&Dates>, rules: &Rules) -> Option<i64> {
    match parsed(text, order, dates, rules) {
        Parsed::Moment(found) if against_format(text, order, dates, rules).is_none() => Some(found.as_millisecond()),
        _ => None,
    }
}

/// The setting of a date format.
fn formats(format: &str) -> Remedy {
    Remedy::setting("dates", "formats", Some(Value::List(vec![format.to_owned()])))
}

/// Whether a day and a year stand around a word: `20 novembre 2026`.
fn names_month(text: &str) -> bool {
    let mut parts = text.split([' ', '-', '/', '.', ',']).filter(|part| !part.is_empty());
    let figures = |part: Option<&str>| part.is_some_and(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
    let day = figures(parts.next());
    let word = parts.next().is_some_and(|word| !word.contains(|c: char| c.is_ascii_digit()));
    day && word && figures(parts.next())
}

/// An order that is older was hardly written with two digits of its year.
const SHORT_YEAR_MAX: SignedDuration = SignedDuration::from_hours(5 * 366 * 24);

enum Parsed {
    Moment(Timestamp),
    Ambiguous,
    No,
}

/// With an offset in digits, as shop systems write it.
const WITH_OFFSET: [&str; 2] = ["%Y-%m-%d %H:%M:%S %z", "%Y-%m-%dT%H:%M:%S%z"];

fn parsed(text: &str, order: DayOrder, dates: Option<&Dates>, rules: &Rules) -> Parsed {
    let zone = dates.and_then(|dates| dates.zone.as_ref()).unwrap_or(&rules.time_zone);
    let by_sheet = dates.map_or(&[][..], |dates| &dates.formats);
    let found = by_sheet
        .iter()
        .chain(&rules.date_formats)
        .find_map(|format| by_format(format, text, zone))
        .or_else(|| epoch(text))
        // A text with an offset must not be read as a civil time: that would drop the offset in silence.
        .or_else(|| text.parse::<Timestamp>().ok())
        .or_else(|| WITH_OFFSET.iter().find_map(|format| by_format(format, text, zone)))
        .or_else(|| if text.contains('[') { None } else { civil(text, zone) });
    match found {
        Some(found) => Parsed::Moment(found),
        None => match civil::written(text, order) {
            Written::Date(date) => zone.to_timestamp(date).map_or(Parsed::No, Parsed::Moment),
            Written::Ambiguous => Parsed::Ambiguous,
            Written::No => Parsed::No,
        },
    }
}

/// A date that a format was named for, and that is written the other way round.
fn against_format(text: &str, order: DayOrder, dates: Option<&Dates>, rules: &Rules) -> Option<Fault> {
    let by_sheet = dates.map_or(&[][..], |dates| &dates.formats);
    let formats = || by_sheet.iter().chain(&rules.date_formats);
    let (format, named) = formats().find_map(|format| Some((format, order_of(format)?)))?;
    let (first, second, _) = civil::triple(text)?;
    let other = |format: &String| order_of(format).is_some_and(|order| order != named);
    if formats().any(|format| other(format) || by_format(format, text, &TimeZone::UTC).is_some()) {
        return None;
    }
    let shown = match (first, second) {
        (13.., _) => DayOrder::DayFirst,
        (_, 13..) => DayOrder::MonthFirst,
        _ => order,
    };
    let against = matches!(shown, DayOrder::DayFirst | DayOrder::MonthFirst) && shown != named;
    against.then(|| {
        let correct = Remedy::setting("dates", "formats", None);
        cell::bad_date::against_format(format, correct).into()
    })
}

/// Whether a format has the day or the month first; nothing where the month goes by its name, or the year comes first.
fn order_of(format: &str) -> Option<DayOrder> {
    let day = format.find("%d").or_else(|| format.find("%e")).or_else(|| format.find("%-d"))?;
    let month = format.find("%m").or_else(|| format.find("%-m"))?;
    let year = format.find("%Y").or_else(|| format.find("%y"))?;
    if year < day && year < month {
        return None;
    }
    Some(if day < month { DayOrder::DayFirst } else { DayOrder::MonthFirst })
}

/// A text by a format. One of a date alone takes a time behind it as well.
fn by_format(format: &str, text: &str, zone: &TimeZone) -> Option<Timestamp> {
    let Ok(broken) = strtime::parse(format, text) else {
        let (date, length) = strtime::BrokenDownTime::parse_prefix(format, text).ok()?;
        let time = text.get(length..)?.strip_prefix([' ', 'T', ',']).filter(|_| !names_time(format))?;
        let civil = date.to_date().ok()?.to_datetime(civil::time_of(time)?);
        return zone.to_timestamp(civil).ok();
    };
    if broken.offset().is_some() {
        return broken.to_timestamp().ok();
    }
    let civil = broken.to_datetime().or_else(|_| broken.to_date().map(|date| date.at(0, 0, 0, 0))).ok()?;
    zone.to_timestamp(civil).ok()
}

/// Whether a format has a part of the day, or what hangs on one.
fn names_time(format: &str) -> bool {
    let mut characters = format.chars();
    let mut after = || characters.find(|c| *c == '%').and_then(|_| characters.find(char::is_ascii_alphabetic));
    std::iter::from_fn(&mut after).any(|directive| !"YyCGgmbBhdejuwUWVaADFx".contains(directive))
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

fn civil(text: &str, zone: &TimeZone) -> Option<Timestamp> {
    // Eight bare digits are as likely a number as a date.
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let time = text.split_once(['T', 't', ' ']).map(|(_, time)| time);
    if time.is_some_and(|time| time.contains(['+', '-', 'Z', 'z'])) {
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
    use crate::finding;
    use crate::finding::english::{message, plain_advice};

    fn rules() -> Rules {
        Rules::new("2026-11-21T00:00:00Z".parse().unwrap())
    }

    #[test]
    fn months_of_other_languages_are_told() {
        for text in ["20 novembre 2026", "3. März 2026"] {
            let fault = moment(text, DayOrder::Unknown, None, &rules()).unwrap_err();
            assert!(
                fault.id == finding::Id::BadDate && message(&fault).contains("English names are"),
                "{text}: {fault:?}"
            );
        }
        let read = |text| moment(text, DayOrder::Unknown, None, &rules()).ok();
        assert_eq!(read("20 नवंबर 2026"), read("20 November 2026"));
        let fault = moment("soon", DayOrder::Unknown, None, &rules()).unwrap_err();
        assert!(message(&fault).starts_with("not a date; "), "{fault:?}");
    }

    #[test]
    fn forms_of_one_moment() {
        let mut rules = rules();
        rules.date_formats = vec!["%d/%m/%Y %H:%M".into(), "%d %b %Y".into()];
        let cases = [
            ("2025-10-13T10:00:00+05:30", 1_760_329_800_000),
            ("2025-10-13T04:30:00Z", 1_760_329_800_000),
            ("2025-10-13 10:00:00", 1_760_329_800_000),
            ("2025-10-13T10:00", 1_760_329_800_000),
            ("1760329800", 1_760_329_800_000),
            ("1760329800123", 1_760_329_800_123),
            ("13/10/2025 10:00", 1_760_329_800_000),
            ("2025-10-13", 1_760_293_800_000),
            ("2025-10-12 21:30:00 -0700", 1_760_329_800_000),
            ("Oct-13-25 10:00:00", 1_760_329_800_000),
            ("13 Oct 2025", 1_760_293_800_000),
        ];
        for (text, expected) in cases {
            assert_eq!(moment(text, DayOrder::Unknown, None, &rules).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn the_zone_is_the_configured_one() {
        let mut rules = rules();
        rules.time_zone = TimeZone::UTC;
        assert_eq!(moment("2025-10-13T10:00:00", DayOrder::Unknown, None, &rules).unwrap(), 1_760_349_600_000);
    }

    #[test]
    fn what_is_no_date_and_what_cannot_be() {
        for text in ["", "soon", "32/10/2025", "2025-13-01", "20251013", "45943", "2025-10-13T25:00"] {
            assert_eq!(moment(text, DayOrder::Unknown, None, &rules()).unwrap_err().id, finding::Id::BadDate, "{text}");
        }
        for text in ["1999-12-31", "2026-12-24", "9999999999"] {
            assert_eq!(moment(text, DayOrder::Unknown, None, &rules()).unwrap_err().id, finding::Id::OddDate, "{text}");
        }
    }

    #[test]
    fn a_date_against_all_named_formats_is_refused() {
        let dates = |formats: &[&str]| Dates { formats: formats.iter().map(|f| (*f).to_owned()).collect(), zone: None };
        let read = |text: &str, order: DayOrder, formats: &[&str]| {
            moment(text, order, Some(&dates(formats)), &rules()).map_err(|fault| fault.id)
        };
        let day_first = ["%Y-%m-%d", "%d/%m/%Y"];
        for (text, order) in [("04/25/2026", DayOrder::Unknown), ("4-5-2026", DayOrder::MonthFirst)] {
            assert_eq!(read(text, order, &day_first), Err(finding::Id::BadDate), "{text}");
        }
        for text in ["25/04/2026", "2026-04-25", "25-4-2026", "Apr-25-26"] {
            assert!(read(text, DayOrder::Unknown, &day_first).is_ok(), "{text}");
        }
        assert_eq!(read("4-5-2026", DayOrder::Unknown, &day_first), Err(finding::Id::AmbiguousDate));
        assert!(read("04/25/2026", DayOrder::Unknown, &["%d/%m/%Y", "%m/%d/%Y"]).is_ok(), "both are named");
    }

    #[test]
    fn a_format_of_a_date_takes_a_time_behind_it() {
        let read = |format: &str, text: &str| {
            let dates = Dates { formats: vec![format.to_owned()], zone: TimeZone::get("UTC").ok() };
            let found = moment(text, DayOrder::Unknown, Some(&dates), &rules()).map(Timestamp::from_millisecond);
            found.map(|found| found.unwrap().to_string()).map_err(|fault| plain_advice(&fault))
        };
        for (format, text, expected) in [
            ("%d/%m/%Y", "10/11/2026 10:30", "2026-11-10T10:30:00Z"),
            ("%d-%m-%Y", "10-11-2026T22:30:15", "2026-11-10T22:30:15Z"),
            ("%d.%m.%Y", "1.11.2026, 10:30 PM", "2026-11-01T22:30:00Z"),
            ("%m/%d/%y", "10/11/26 9:05", "2026-10-11T09:05:00Z"),
            ("%d/%m/%Y %H:%M", "10/11/2026 10:30", "2026-11-10T10:30:00Z"),
        ] {
            assert_eq!(read(format, text).as_deref(), Ok(expected), "{format} {text}");
        }
        for (text, named) in [("10-11-2026 10:30", "%d-%m-%Y"), ("1.2.26", "%m.%d.%y"), ("1/2/2026", "%d/%m/%Y")] {
            let hint = read("%Y-%m-%d", text).unwrap_err();
            assert!(hint.contains(named), "{hint}");
            assert!(read(named, text).is_ok(), "{text} by {named}");
        }
        assert!(read("%d/%m/%Y", "10/11/2026 soon").is_err());
    }

    #[test]
    fn a_sheets_own_zone_and_formats_go_first() {
        let dates = Dates { formats: vec!["%m/%d/%Y".into()], zone: TimeZone::get("America/Los_Angeles").ok() };
        let found = moment("03/04/2025", DayOrder::DayFirst, Some(&dates), &rules()).unwrap();
        assert_eq!(Timestamp::from_millisecond(found).unwrap().to_string(), "2025-03-04T08:00:00Z");
        let fault = moment("03/04/2025", DayOrder::Unknown, None, &rules()).unwrap_err();
        assert_eq!(fault.id, finding::Id::AmbiguousDate);
    }
}
