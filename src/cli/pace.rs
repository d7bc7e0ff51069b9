//! How fast to book, and how far, as typed.

use std::time::Duration;

use crate::text::Decimal;
use clap::Args;
use jiff::{SignedDuration, ZonedDateTime, civil};

use crate::book::Concurrency;
use crate::config::BookingOptions;

use super::typed::rate;

/// How fast to book, and how far.
#[derive(Debug, Args)]
pub(super) struct BookingPace {
    /// Orders in flight at most: a number, or auto, which finds out how many pay [default: auto, up to 64]
    #[arg(long, value_name = "N|auto|auto:N")]
    pub(super) concurrency: Option<Concurrency>,
    /// Requests a second at most, for instance 5 or 5/s
    #[arg(long, value_name = "N/s", value_parser = rate)]
    pub(super) rate: Option<f64>,
    /// The longest wait for a service that cannot be reached or asks for a pause, in seconds [default: 900]
    #[arg(long, value_name = "SECONDS")]
    pub(super) max_wait: Option<u64>,
    /// Send so many orders at most; the rest stays outstanding
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) max_orders: Option<u64>,
    /// Send orders of so much declared value at most, in rupees; the rest stays outstanding
    #[arg(long, value_name = "RUPEES", value_parser = value)]
    pub(super) max_value: Option<Decimal>,
    /// Stop once so many orders were rejected or refused; the rest stays outstanding
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) max_failures: Option<u64>,
    /// Send nothing after this: a time from now such as 45m, or a clock time such as 06:30
    #[arg(long, value_name = "TIME", value_parser = deadline)]
    pub(super) deadline: Option<Duration>,
}

impl BookingPace {
    pub(super) fn options(&self) -> BookingOptions {
        BookingOptions {
            concurrency: self.concurrency,
            rate: self.rate,
            wait_max: self.max_wait.map(Duration::from_secs),
            orders_max: self.max_orders,
            value_max: self.max_value,
            failures_max: self.max_failures,
            deadline: self.deadline,
        }
    }
}

/// An amount of rupees, also with its digits grouped: 5,00,000.
fn value(text: &str) -> Result<Decimal, String> {
    let amount = text.replace(',', "").parse::<Decimal>().ok().filter(|amount| *amount > Decimal::ZERO);
    amount.ok_or_else(|| "write an amount of rupees such as 500000".to_owned())
}

/// A time from now.
fn deadline(text: &str) -> Result<Duration, String> {
    let wrong = || "write a time from now such as 45m or 2h, or a clock time such as 06:30".to_owned();
    if !text.contains(':') {
        let span: SignedDuration = text.parse().map_err(|_| wrong())?;
        return Duration::try_from(span).map_err(|_| wrong());
    }
    let time: civil::Time = text.parse().map_err(|_| wrong())?;
    let now = ZonedDateTime::now();
    let today = now.with().time(time).build().map_err(|_| wrong())?;
    let then = if today > now { today } else { today.tomorrow().map_err(|_| wrong())? };
    Duration::try_from(now.duration_until(&then)).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deadlines_are_spans_or_clock_times() {
        assert_eq!(deadline("45m"), Ok(Duration::from_mins(45)));
        assert_eq!(deadline("1h 30m"), Ok(Duration::from_mins(90)));
        assert!(deadline("06:30").is_ok_and(|wait| wait <= Duration::from_hours(25)));
        for wrong in ["soon", "-5m", "25:00", ""] {
            assert!(deadline(wrong).is_err(), "{wrong}");
        }
    }
}
