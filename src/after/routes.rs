//! Which couriers go between PIN codes: each pair is asked for once.

use crate::api::service::Courier;
use crate::api::{CallError, Caller};

use super::brake::Brake;
use super::bulk::{Bulk, Done};

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

/// What a pair of PIN codes was answered with.
pub type Answer = Result<Vec<Courier>, CallError>;

/// Asks for each route and tells `heard` of each answer as it comes, so that it can be kept.
pub async fn ask(
    bulk: &Bulk,
    caller: &Caller,
    routes: &[Route],
    mut heard: impl FnMut(&Route, &Answer),
) -> Done<Answer> {
    let mut brake = Brake::default();
    let call = |_, route: Route| async move { caller.serviceability(&route.from, &route.to).await };
    let done = |place: usize, answer: &Answer| {
        heard(&routes[place], answer);
        brake.note(answer.as_ref().err())
    };
    bulk.run(routes, call, done).await
}
