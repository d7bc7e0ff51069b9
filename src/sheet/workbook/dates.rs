//! Dates, times and durations of workbooks as ISO text.

use std::fmt::Write as _;

use calamine::ExcelDateTime;

use super::numbers::{self, NumberStyle};
use crate::sheet::cell::CellKind;

/// The first serial number after 9999-12-31.
const BEYOND_DATES: f64 = 2_958_466.0;

/// Writes a serial date: `2025-10-13`, or with its time where it has one. A time alone and a duration are no dates.
pub(super) fn write_serial(out: &mut String, serial: ExcelDateTime) -> CellKind {
    let value = serial.as_f64();
    if !(0.0..BEYOND_DATES).contains(&value) {
        return numbers::write(out, value, &NumberStyle::Plain);
    }
    let (year, month, day, hour, minute, second, _) = serial.to_ymd_hms_milli();
    if serial.is_duration() || value < 1.0 {
        // Below 2^53 seconds and not negative: checked above.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within the bounds checked above")]
        let seconds = (value * 86_400.0).round() as u64;
        write_time(out, seconds);
        return CellKind::Text;
    }
    let _ = write!(out, "{year:04}-{month:02}-{day:02}");
    if (hour, minute, second) != (0, 0, 0) {
        let _ = write!(out, "T{hour:02}:{minute:02}:{second:02}");
    }
    CellKind::Date
}

/// Writes an ISO date of a cell, without a time that is midnight.
pub(super) fn write_iso(out: &mut String, iso: &str) -> CellKind {
    let iso = iso.trim();
    let date = iso.get(..10).filter(|date| is_date(date));
    let Some(date) = date else {
        out.push_str(iso);
        return CellKind::Text;
    };
    let time = &iso[10..];
    let midnight = time.strip_prefix("T00:00:00").is_some_and(|rest| rest.trim_start_matches(['.', '0']).is_empty());
    out.push_str(date);
    if !midnight {
        out.push_str(time);
    }
    CellKind::Date
}

/// Writes an ISO duration such as `PT10H30M00S` as `10:30:00`.
pub(super) fn write_duration(out: &mut String, iso: &str) -> CellKind {
    match seconds(iso) {
        Some(seconds) => write_time(out, seconds),
        None => out.push_str(iso),
    }
    CellKind::Text
}

fn write_time(out: &mut String, seconds: u64) {
    let _ = write!(out, "{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

fn is_date(text: &str) -> bool {
    text.bytes().enumerate().all(|(index, byte)| match index {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    })
}

fn seconds(iso: &str) -> Option<u64> {
    let mut rest = iso.strip_prefix("PT")?;
    let mut total = 0_u64;
    for (unit, weight) in [('H', 3600), ('M', 60), ('S', 1)] {
        if let Some((count, after)) = rest.split_once(unit) {
            let whole = count.split(['.', ',']).next()?;
            total = total.checked_add(whole.parse::<u64>().ok()?.checked_mul(weight)?)?;
            rest = after;
        }
    }
    rest.is_empty().then_some(total)
}

#[cfg(test)]
mod tests {
    use calamine::ExcelDateTimeType::{DateTime, TimeDelta};

    use super::*;

    #[test]
    fn serials() {
        let cases = [
            (45_943.0, DateTime, false, "2025-10-13", CellKind::Date),
            (45_943.5, DateTime, false, "2025-10-13T12:00:00", CellKind::Date),
            (44_481.0, DateTime, true, "2025-10-13", CellKind::Date),
            (0.5, DateTime, false, "12:00:00", CellKind::Text),
            (1.25, TimeDelta, false, "30:00:00", CellKind::Text),
            (-1.0, DateTime, false, "-1", CellKind::Number),
            (9e9, DateTime, false, "9000000000", CellKind::Number),
        ];
        for (serial, typ, is_1904, expected, kind) in cases {
            let mut out = String::new();
            assert_eq!(write_serial(&mut out, ExcelDateTime::new(serial, typ, is_1904)), kind, "{serial}");
            assert_eq!(out, expected);
        }
    }

    #[test]
    fn iso_texts() {
        let cases = [
            ("2025-10-13", "2025-10-13", CellKind::Date),
            ("2025-10-13T00:00:00.000", "2025-10-13", CellKind::Date),
            ("2025-10-13T10:00:00Z", "2025-10-13T10:00:00Z", CellKind::Date),
            ("10:00:00", "10:00:00", CellKind::Text),
        ];
        for (iso, expected, kind) in cases {
            let mut out = String::new();
            assert_eq!((write_iso(&mut out, iso), out.as_str()), (kind, expected));
        }
        let mut out = String::new();
        assert_eq!(write_duration(&mut out, "PT10H30M00S"), CellKind::Text);
        assert_eq!(out, "10:30:00");
    }
}
