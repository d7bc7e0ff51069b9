//! Counts, days and times as people in India say them.

use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::report::Orders;
use crate::text::{self, indian};

/// Orders that were not booked: to be corrected, to be tried again, held or left out.
pub(super) const fn stayed_behind(orders: &Orders) -> u64 {
    orders.invalid + orders.rejected + orders.refused
}

/// Orders that could be sent and are not: held, left out or given up.
pub(super) const fn unsent(orders: &Orders) -> u64 {
    orders.held + orders.left_out + orders.abandoned
}

/// A number of things: `1 order`, `1,20,000 orders`.
pub(super) fn count(amount: u64, noun: &str) -> String {
    format!("{} {noun}{}", indian(&amount.to_string()), if amount == 1 { "" } else { "s" })
}

/// A text with a capital at its beginning.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().collect::<String>() + letters.as_str()).unwrap_or_default()
}

/// A moment by the clock of this machine: 23 Nov 2026, 2:17 am.
#[must_use]
pub fn moment(ms: i64) -> String {
    told(ms, "%-d %b %Y, %-I:%M %P")
}

/// Its day: 23 Nov 2026.
pub(super) fn day(ms: i64) -> String {
    told(ms, "%-d %b %Y")
}

/// The days from one moment until before another: 1 Nov 2026 to 30 Nov 2026.
pub(super) fn period(from_ms: i64, until_ms: i64) -> String {
    let (first, last) = (day(from_ms), day(until_ms - 1));
    if first == last { first } else { format!("{first} to {last}") }
}

/// Its day as commands take it: 2026-11-23.
pub(super) fn date(ms: i64) -> String {
    told(ms, "%Y-%m-%d")
}

/// The time zone of all these times, by the clock of this machine: IST, UTC.
pub(super) fn zone(ms: i64) -> String {
    told(ms, "%Z")
}

/// A day as it is noted, or a month: Mon 23 Nov, Nov 2026.
pub(super) fn of_day(noted: &str) -> String {
    match noted.parse::<Date>() {
        Ok(day) => day.strftime("%a %-d %b").to_string(),
        Err(_) => format!("{noted}-01")
            .parse::<Date>()
            .map_or_else(|_| noted.to_owned(), |day| day.strftime("%b %Y").to_string()),
    }
}

/// A moment by the clock of this machine, in this form.
pub(super) fn told(ms: i64, form: &str) -> String {
    let moment = Timestamp::from_millisecond(ms).map(|moment| moment.to_zoned_datetime(TimeZone::system()));
    moment.map(|moment| moment.strftime(form).to_string()).unwrap_or_default()
}

/// How long: 20 min 5 s, 5 days.
pub(super) fn age(ms: i64) -> String {
    const DAY_MS: u64 = 86_400_000;
    let ms = u64::try_from(ms).unwrap_or(0);
    if ms < 2 * DAY_MS { text::duration(Duration::from_millis(ms)) } else { count(ms / DAY_MS, "day") }
}
