//! When the bookings of a statement were made, and the time of which it is believed to have every one. Pure.

use jiff::civil::Time;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How long after an attempt its booking may be made, with clocks that differ; in milliseconds.
pub(super) const LATE_MS: i64 = 15 * 60_000;

/// A time of which a statement is believed to have every booking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Span {
    /// When it begins, in milliseconds since 1970-01-01 UTC.
    pub from_ms: i64,
    /// When it ends, in milliseconds since 1970-01-01 UTC; what comes at this moment is not in it.
    pub until_ms: i64,
}

impl Span {
    /// What the dates of a statement show: from its first booking to its last one. Days without a time count from the
    /// first one's beginning to the last one's beginning, for nobody knows how much of that was over. Where day and month
    /// may be either way round, only what both ways show.
    ///
    /// `booked_ms` are the times of all bookings, with the day and with the month first.
    pub(super) fn of(booked_ms: &[[Option<i64>; 2]], zone: &TimeZone) -> Option<Self> {
        let of_order = |order: usize| -> Option<Self> {
            let moments: Option<Vec<i64>> = booked_ms.iter().map(|both| both[order]).collect();
            let moments = moments?;
            Some(Self { from_ms: *moments.iter().min()?, until_ms: *moments.iter().max()? })
        };
        let spans: Vec<Self> = (0..2).filter_map(of_order).collect();
        let from_ms = spans.iter().map(|span| span.from_ms).max()?;
        let until_ms = spans.iter().map(|span| span.until_ms).min()?;
        let has_times = booked_ms.iter().flatten().flatten().any(|ms| {
            Timestamp::from_millisecond(*ms)
                .is_ok_and(|at| at.to_zoned_datetime(zone.clone()).time() != Time::midnight())
        });
        // The last booking itself is seen.
        let until_ms = if has_times { until_ms + 1 } else { until_ms };
        (from_ms < until_ms).then_some(Self { from_ms, until_ms })
    }

    /// The same with a person's word on where it begins and ends, up to now. A statement whose dates [lie ahead](Self::is_ahead)
    /// shows nothing by them.
    pub fn told(span: Option<Self>, from_ms: Option<i64>, until_ms: Option<i64>, now_ms: i64) -> Option<Self> {
        let span = span.filter(|span| !span.is_ahead(now_ms));
        let from_ms = from_ms.or(span.map(|span| span.from_ms))?;
        let until_ms = until_ms.or(span.map(|span| span.until_ms))?.min(now_ms);
        (from_ms < until_ms).then_some(Self { from_ms, until_ms })
    }

    /// Whether it ends in the future: then its dates are not those of bookings, or of another time zone.
    pub const fn is_ahead(&self, now_ms: i64) -> bool {
        self.until_ms > now_ms + LATE_MS
    }

    /// Whether it has what an order that was sent then was booked as.
    pub const fn covers(&self, sent_ms: i64) -> bool {
        self.from_ms <= sent_ms && sent_ms + LATE_MS < self.until_ms
    }
}

/// Whether a booking with these times, by both ways to read day and month, may be of what was sent then. One without a time
/// may be of anything, and one of which only the day is told, of all of that day.
pub(super) fn may_be_of(booked_ms: [Option<i64>; 2], sent_ms: i64) -> bool {
    const DAY_MS: i64 = 24 * 60 * 60_000;
    // Midnight, in whatever time zone.
    let is_day = |own: i64| own % (15 * 60_000) == 0;
    let is_near = |own: i64| {
        let until_ms = own + LATE_MS + if is_day(own) { DAY_MS } else { 0 };
        (own - LATE_MS..=until_ms).contains(&sent_ms)
    };
    booked_ms.iter().all(Option::is_none) || booked_ms.into_iter().flatten().any(is_near)
}

/// Whether a booking with these times, by both ways to read day and month, was made clearly before that, in whatever time zone.
pub(super) fn is_before(booked_ms: [Option<i64>; 2], sent_ms: i64) -> bool {
    const DAY_MS: i64 = 24 * 60 * 60_000;
    let latest_ms = booked_ms.into_iter().flatten().max();
    latest_ms.is_some_and(|latest_ms| latest_ms + 2 * DAY_MS < sent_ms)
}

/// The first moment of the day after this one.
pub(crate) fn end_of_day(day: jiff::civil::Date, zone: TimeZone) -> Option<i64> {
    let next = day.checked_add(1.day()).ok()?;
    Some(next.to_zoned_datetime(zone).ok()?.timestamp().as_millisecond())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 3_600_000;
    const DAY: i64 = 24 * HOUR;

    fn span(moments: &[[Option<i64>; 2]]) -> Option<(i64, i64)> {
        Span::of(moments, &TimeZone::UTC).map(|span| (span.from_ms, span.until_ms))
    }

    #[test]
    fn a_statement_shows_what_lies_between_its_bookings_and_no_more() {
        let both = |ms: i64| [Some(ms); 2];
        assert_eq!(span(&[both(DAY + HOUR), both(3 * DAY + HOUR)]), Some((DAY + HOUR, 3 * DAY + HOUR + 1)));
        assert_eq!(
            span(&[both(DAY), both(3 * DAY)]),
            Some((DAY, 3 * DAY)),
            "nobody knows how much of the last day is over"
        );
        assert_eq!(span(&[both(DAY), both(DAY)]), None);
        assert_eq!(span(&[both(DAY + HOUR), [None; 2]]), None, "one booking without a date");
        assert_eq!(span(&[]), None);
        let either = [[Some(2 * DAY), Some(40 * DAY)], [Some(50 * DAY), Some(60 * DAY)]];
        assert_eq!(span(&either), Some((40 * DAY, 50 * DAY)), "day or month first: what both ways show");
        assert_eq!(span(&[[Some(DAY), None], [Some(3 * DAY), Some(9 * DAY)]]), Some((DAY, 3 * DAY)));
    }

    #[test]
    fn an_attempt_is_covered_with_the_time_that_its_booking_may_take() {
        let span = Span { from_ms: DAY, until_ms: 2 * DAY };
        assert!(span.covers(DAY) && span.covers(2 * DAY - LATE_MS - 1));
        assert!(!span.covers(DAY - 1) && !span.covers(2 * DAY - LATE_MS));
        let told = |from_ms, until_ms, now_ms| Span::told(Some(span), from_ms, until_ms, now_ms);
        assert_eq!(Span::told(None, Some(1), None, 9 * DAY), None);
        assert_eq!(told(None, Some(3 * DAY), 9 * DAY), Some(Span { from_ms: DAY, until_ms: 3 * DAY }));
        assert_eq!(
            told(None, Some(5 * DAY), 4 * DAY),
            Some(Span { from_ms: DAY, until_ms: 4 * DAY }),
            "no longer than now"
        );
        assert_eq!(told(None, None, 2 * DAY - 1), Some(Span { until_ms: 2 * DAY - 1, ..span }), "clocks differ");
        assert_eq!(told(None, None, 2 * DAY - HOUR), None, "it has bookings of the future");
    }
}
