//! Words of the page: states, amounts and times as people in India write them.

use std::time::Duration;

use jiff::{Timestamp, ZonedDateTime};
use maud::{Markup, html};

pub(super) use crate::ledger::CANCELLED;
use crate::report::state_word;
use crate::text::indian;
pub(super) use crate::text::rupees;

/// Where an order stands, in words, with the colour that it has.
pub(super) fn state(state: &str) -> (&'static str, &'static str) {
    let colour = match state {
        "booked" | "already_booked" => "good",
        "rejected" | "refused" | "invalid" => "bad",
        "in_doubt" | "held" | "differs" => "warn",
        _ => "soft",
    };
    (state_word(state), colour)
}

/// A number with its digits grouped as in India: 12,34,567.
pub(super) fn number(number: u64) -> String {
    indian(&number.to_string())
}

/// A number of things: `1 order`, `12 orders`.
pub(super) fn count(amount: u64, noun: &str) -> String {
    format!("{} {noun}{}", number(amount), if amount == 1 { "" } else { "s" })
}

/// A moment by the clock of this machine: today at 2:17 pm, yesterday at 9:05 am, 21 Nov 2026, 2:17 pm.
pub(super) fn moment(ms: i64) -> String {
    said(ms, &ZonedDateTime::now())
}

/// The same, with the exact time to whoever points at it.
pub(super) fn time(ms: i64) -> Markup {
    let exact = Timestamp::from_millisecond(ms).map(|exact| exact.to_zoned_datetime(jiff::tz::TimeZone::system()));
    let exact = exact.map(|exact| exact.strftime("%-d %b %Y, %-I:%M:%S %P").to_string()).unwrap_or_default();
    html! { time title=(exact) { (moment(ms)) } }
}

fn said(ms: i64, now: &ZonedDateTime) -> String {
    let Ok(moment) = Timestamp::from_millisecond(ms) else { return String::new() };
    let moment = moment.to_zoned_datetime(now.time_zone().clone());
    let time = moment.strftime("%-I:%M %P").to_string();
    if moment.date() == now.date() {
        return format!("today at {time}");
    }
    if now.date().yesterday().is_ok_and(|yesterday| yesterday == moment.date()) {
        return format!("yesterday at {time}");
    }
    format!("{}, {time}", moment.strftime("%-d %b %Y"))
}

/// About how long: 4 seconds, 3 minutes, 2 hours.
pub(super) fn about(time: Duration) -> String {
    let seconds = time.as_secs().max(1);
    match seconds {
        0..60 => count(seconds, "second"),
        60..5400 => count(seconds.div_ceil(60), "minute"),
        _ => count(seconds.div_ceil(3600), "hour"),
    }
}

/// Said before the words of one of several orders that failed for one cause, where they have figures of its own.
pub(super) fn for_instance(orders: u64, said: &str) -> &'static str {
    // The status of the answer is the same for all of them.
    let own = said.split(" (HTTP ").next().unwrap_or_default();
    if orders > 1 && own.contains(|c: char| c.is_ascii_digit()) { "for instance, " } else { "" }
}

/// The last four digits of a phone number.
pub(super) fn last_digits(phone: &str) -> String {
    let digits: Vec<char> = phone.chars().filter(char::is_ascii_digit).collect();
    digits[digits.len().saturating_sub(4)..].iter().collect()
}

/// A text with a capital at its beginning.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().collect::<String>() + letters.as_str()).unwrap_or_default()
}

/// A text without the numbers that a system has for its errors: `disk full (os error 28)`.
pub(super) fn without_codes(text: &str) -> String {
    const CODE: &str = " (os error ";
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, code)) = rest.split_once(CODE) {
        plain.push_str(before);
        let number = code.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-');
        rest = number.strip_prefix(')').unwrap_or(number);
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_errors_are_not_said() {
        let text = "cannot write a.csv: Permission denied (os error 13): again (os error 5)";
        assert_eq!(without_codes(text), "cannot write a.csv: Permission denied: again");
        assert_eq!(without_codes("row 28 (os"), "row 28 (os");
    }

    #[test]
    fn amounts_are_grouped_as_in_india() {
        for (amount, text) in [
            ("0", "₹0"),
            ("999", "₹999"),
            ("9741.00", "₹9,741"),
            ("123456.5", "₹1,23,456.50"),
            ("12345678.255", "₹1,23,45,678.26"),
            ("-1000", "-₹1,000"),
        ] {
            assert_eq!(rupees(amount.parse().unwrap()), text);
        }
        assert_eq!(
            (number(100_000), count(1, "order"), count(20_000, "order")),
            ("1,00,000".into(), "1 order".into(), "20,000 orders".into())
        );
    }

    #[test]
    fn moments_are_told_from_today() {
        let now: ZonedDateTime = "2026-11-23T09:30:00[Asia/Kolkata]".parse().unwrap();
        let at = |text: &str| said(text.parse::<ZonedDateTime>().unwrap().timestamp().as_millisecond(), &now);
        assert_eq!(at("2026-11-23T02:17:44[Asia/Kolkata]"), "today at 2:17 am");
        assert_eq!(at("2026-11-22T23:59:00[Asia/Kolkata]"), "yesterday at 11:59 pm");
        assert_eq!(at("2026-11-01T12:00:00[Asia/Kolkata]"), "1 Nov 2026, 12:00 pm");
    }

    #[test]
    fn small_words() {
        assert_eq!((about(Duration::ZERO), about(Duration::from_secs(61))), ("1 second".into(), "2 minutes".into()));
        assert_eq!((last_digits("+91 98765-43210"), last_digits("12")), ("3210".into(), "12".into()));
        assert_eq!((capital("éa"), capital("")), ("Éa".to_owned(), String::new()));
    }
}
