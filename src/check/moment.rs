//! Points in time: ISO 8601, epoch seconds and milliseconds, and configured formats.

use jiff::civil::{Date, DateTime};
use jiff::fmt::strtime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::fault::Fault;
use super::rules::Rules;
use crate::problem::Code;

/// Orders from before are not believed: 2000-01-01T00:00:00Z.
const EARLIEST_MS: i64 = 946_684_800_000;

/// Clocks and zones differ; orders from further ahead are not believed.
const AHEAD_MAX: SignedDuration = SignedDuration::from_hours(48);

/// Epoch milliseconds of a cell's text.
pub(super) fn moment(text: &str, rules: &Rules, accepted: &str) -> Result<i64, Fault> {
    let Some(found) = parsed(text, rules) else {
        return Err(Fault::new(
            Code::BadDate,
            format!("not a date; accepted is {accepted}"),
            "write it as 2026-11-20, or name its format in the configuration: [dates] formats = [\"%d/%m/%Y\"]",
        ));
    };
    let milliseconds = found.as_millisecond();
    if milliseconds < EARLIEST_MS {
        return Err(Fault::new(Code::OddDate, "before the year 2000", "check day, month and year"));
    }
    if found.duration_since(rules.now) > AHEAD_MAX {
        return Err(Fault::new(Code::OddDate, "in the future", "check day, month and year"));
    }
    Ok(milliseconds)
}

fn parsed(text: &str, rules: &Rules) -> Option<Timestamp> {
    let zone = &rules.time_zone;
    rules
        .date_formats
        .iter()
        .find_map(|format| by_format(format, text, zone))
        .or_else(|| epoch(text))
        // A text with an offset must not be read as a civil time: that would drop the offset in silence.
        .or_else(|| text.parse::<Timestamp>().ok())
        .or_else(|| if text.contains('[') { None } else { civil(text, zone) })
}

fn by_format(format: &str, text: &str, zone: &TimeZone) -> Option<Timestamp> {
    let broken = strtime::parse(format, text).ok()?;
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

    fn rules() -> Rules {
        Rules::new("2026-11-21T00:00:00Z".parse().unwrap())
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
            ("13 Oct 2025", 1_760_293_800_000),
        ];
        for (text, expected) in cases {
            assert_eq!(moment(text, &rules, "").unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn the_zone_is_the_configured_one() {
        let mut rules = rules();
        rules.time_zone = TimeZone::UTC;
        assert_eq!(moment("2025-10-13T10:00:00", &rules, "").unwrap(), 1_760_349_600_000);
    }

    #[test]
    fn what_is_no_date_and_what_cannot_be() {
        for text in ["", "soon", "13/10/2025", "2025-13-01", "20251013", "45943", "2025-10-13T25:00"] {
            assert_eq!(moment(text, &rules(), "").unwrap_err().code, Code::BadDate, "{text}");
        }
        for text in ["1999-12-31", "2026-12-24", "9999999999"] {
            assert_eq!(moment(text, &rules(), "").unwrap_err().code, Code::OddDate, "{text}");
        }
    }
}
