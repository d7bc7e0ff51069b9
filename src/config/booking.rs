//! How to book, and how fast to call for everything else.

use std::time::Duration;

use crate::text::Decimal;

use crate::book::{BrakeOptions, Concurrency, Limits, RetryPolicy, UNUSUAL_FACTOR};
use crate::env::patience;

use super::Config;

/// Calls in flight beside bookings at most, unless more are asked for.
pub const CALLS_IN_FLIGHT: usize = 8;
const WAIT_MAX: Duration = Duration::from_mins(15);

/// What a face was told of booking; what is missing is as the configuration has it.
#[derive(Debug, Clone, Default)]
pub struct BookingOptions {
    /// Orders in flight at most.
    pub concurrency: Option<Concurrency>,
    /// Requests a second at most.
    pub rate: Option<f64>,
    /// The longest wait for a service that cannot be reached or asks for a pause.
    pub wait_max: Option<Duration>,
    /// Orders that are sent at most; the rest stays outstanding.
    pub orders_max: Option<u64>,
    /// Declared value that is sent at most; the rest stays outstanding.
    pub value_max: Option<Decimal>,
    /// Rejected and refused orders after which it stops; the rest stays outstanding.
    pub failures_max: Option<u64>,
    /// Nothing is sent later than this from now.
    pub deadline: Option<Duration>,
}

/// How to book.
#[derive(Debug, Clone)]
pub struct Booking {
    /// Width, waits and retries.
    pub brake: BrakeOptions,
    /// How far it may go.
    pub limits: Limits,
    /// Requests a second at most.
    pub rate: Option<f64>,
}

/// What a face was told of calls beside booking.
#[derive(Debug, Clone, Copy, Default)]
pub struct PaceOptions {
    /// Calls in flight at most.
    pub concurrency: Option<usize>,
    /// Requests a second at most.
    pub rate: Option<f64>,
}

/// How fast to call.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// Calls in flight at most.
    pub concurrency: usize,
    /// Requests a second at most.
    pub rate: Option<f64>,
}

impl Booking {
    /// Orders in flight at most.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.brake.concurrency.ceiling()
    }
}

impl Config {
    /// How to book.
    #[must_use]
    pub fn booking(&self, options: &BookingOptions) -> Booking {
        let configured = &self.file.booking;
        let wait = options.wait_max.or_else(|| configured.max_wait_seconds.map(Duration::from_secs));
        let usual = RetryPolicy::default();
        Booking {
            brake: BrakeOptions {
                concurrency: options.concurrency.or(configured.concurrency).unwrap_or_default(),
                wait_max: wait.unwrap_or(WAIT_MAX),
                retry: RetryPolicy { first: patience(usual.first), longest: patience(usual.longest), ..usual },
                probe_wait: patience(BrakeOptions::PROBE_WAIT),
            },
            rate: options.rate.or(configured.rate),
            limits: Limits {
                orders_max: options.orders_max.or(configured.max_orders),
                value_max: options.value_max.or(configured.max_value),
                failures_max: options.failures_max.or(configured.max_failures),
                deadline: options.deadline,
            },
        }
    }

    /// How fast to make the calls that come before and after booking.
    #[must_use]
    pub fn pace(&self, options: PaceOptions) -> Pace {
        let configured = &self.file.booking;
        let usual = || beside(configured.concurrency.unwrap_or_default());
        Pace { concurrency: options.concurrency.unwrap_or_else(usual), rate: options.rate.or(configured.rate) }
    }

    /// How many times the largest earlier import is far more than usual; 0 finds nothing unusual.
    #[must_use]
    pub fn unusual_factor(&self) -> f64 {
        self.file.booking.usual_factor.unwrap_or(UNUSUAL_FACTOR)
    }
}

/// Calls in flight of what comes before and after bookings of which so many may be in flight.
pub(super) fn beside(concurrency: Concurrency) -> usize {
    concurrency.ceiling().min(CALLS_IN_FLIGHT)
}

impl Pace {
    /// The pace of calls beside bookings that go as this says.
    #[must_use]
    pub fn beside(booking: &Booking) -> Self {
        Self { concurrency: beside(booking.brake.concurrency), rate: booking.rate }
    }
}
