//! Formats of dates, as profiles name them.

use jiff::Zoned;
use jiff::fmt::strtime;

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
