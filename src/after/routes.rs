//! Which couriers go between PIN codes: each pair is asked for once.

use std::cell::{Cell, RefCell};

use crate::api::service::Courier;
use crate::api::{CallError, Caller};
use crate::book::Stop;

use super::bulk::Bulk;

/// Failures in a row after which no further pair is asked for: a service that is away stays away.
const FAILURES_MAX: u32 = 5;

/// From one PIN code to another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Route {
    /// PIN code of the pickup.
    pub from: String,
    /// PIN code of the delivery.
    pub to: String,
}

/// What couriers take between two PIN codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Served {
    /// Whether one takes paid orders.
    pub prepaid: bool,
    /// Whether one collects cash on delivery.
    pub cod: bool,
}

impl Served {
    /// What at least one of the couriers takes.
    #[must_use]
    pub fn by(couriers: &[Courier]) -> Self {
        Self { prepaid: couriers.iter().any(|c| c.prepaid), cod: couriers.iter().any(|c| c.cod) }
    }
}

/// What came of asking.
#[derive(Debug)]
pub struct Answers {
    /// In the order of the routes; none for those that were not reached.
    pub couriers: Vec<Option<Result<Vec<Courier>, CallError>>>,
    /// Whether it was given up after failures, rather than interrupted by a person.
    pub given_up: bool,
}

/// Asks for each route and tells `heard` of each answer as it comes, so that it can be kept.
pub async fn ask(
    bulk: &Bulk,
    caller: &Caller,
    routes: &[Route],
    heard: impl FnMut(&Route, &Result<Vec<Courier>, CallError>),
) -> Answers {
    let (failures, given_up) = (Cell::new(0), Cell::new(false));
    let heard = RefCell::new(heard);
    let call = |_, route: Route| async move { caller.serviceability(&route.from, &route.to).await };
    let done = |place: usize, answer: &Result<Vec<Courier>, CallError>| {
        failures.set(if answer.is_ok() { 0 } else { failures.get() + 1 });
        if failures.get() >= FAILURES_MAX && bulk.stop.now() == Stop::No {
            given_up.set(true);
            bulk.stop.drain();
        }
        (heard.borrow_mut())(&routes[place], answer);
    };
    let couriers = bulk.run(routes, call, done).await;
    Answers { couriers, given_up: given_up.get() }
}
