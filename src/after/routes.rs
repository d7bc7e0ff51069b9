//! Which couriers go between PIN codes: each pair is asked for once.

use serde::{Deserialize, Serialize};

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
pub(crate) struct Served {
    /// Whether one takes paid orders.
    pub prepaid: bool,
    /// Whether one collects cash on delivery.
    pub cod: bool,
}

/// The couriers between two PIN codes.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Way(Vec<Lane>);

/// One courier on its way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Lane {
    carrier: Option<String>,
    prepaid: bool,
    cod: bool,
}

impl Way {
    /// The couriers of an answer.
    pub(crate) fn of(couriers: &[Courier]) -> Self {
        let lane = |c: &Courier| Lane { carrier: c.carrier.clone(), prepaid: c.prepaid, cod: c.cod };
        Self(couriers.iter().map(lane).collect())
    }

    /// What at least one of the couriers takes.
    pub(crate) fn by_any(&self) -> Served {
        served(self.0.iter())
    }

    /// What the courier takes that an order wants; any of them where it wants none. Nothing where that one is not among
    /// those that go there, and all of these have names.
    pub(crate) fn by(&self, carrier: &str) -> Option<Served> {
        let wanted = plain(carrier);
        if wanted.is_empty() || self.0.iter().any(|lane| lane.carrier.is_none()) {
            return Some(self.by_any());
        }
        let is_meant = |lane: &&Lane| lane.carrier.as_deref().is_some_and(|name| is_same(&plain(name), &wanted));
        let mut lanes = self.0.iter().filter(is_meant).peekable();
        lanes.peek()?;
        Some(served(lanes))
    }

    /// Their names, each once.
    pub(crate) fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for name in self.0.iter().filter_map(|lane| lane.carrier.as_deref()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}

fn served<'l>(lanes: impl Iterator<Item = &'l Lane>) -> Served {
    let none = Served { prepaid: false, cod: false };
    lanes.fold(none, |served, lane| Served { prepaid: served.prepaid || lane.prepaid, cod: served.cod || lane.cod })
}

/// `Blue Dart` and `bluedart` are one.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Services are part of some names: `Delhivery` and `Delhivery Surface` are one.
fn is_same(name: &str, wanted: &str) -> bool {
    name == wanted || (name.len().min(wanted.len()) >= 4 && (name.starts_with(wanted) || wanted.starts_with(name)))
}

/// What a pair of PIN codes was answered with.
pub(crate) type Answer = Result<Vec<Courier>, CallError>;

/// Asks for each route and tells `heard` of each answer as it comes, so that it can be kept.
pub(crate) async fn ask(
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

#[cfg(test)]
mod tests {
    use super::*;

    fn way(lanes: &[(Option<&str>, bool, bool)]) -> Way {
        let lane = |(carrier, prepaid, cod): &(Option<&str>, bool, bool)| Lane {
            carrier: carrier.map(str::to_owned),
            prepaid: *prepaid,
            cod: *cod,
        };
        Way(lanes.iter().map(lane).collect())
    }

    #[test]
    fn the_courier_that_an_order_wants_is_the_one_that_counts() {
        let both = way(&[(Some("Delhivery Surface"), true, true), (Some("bluedart"), true, false)]);
        let prepaid = Some(Served { prepaid: true, cod: false });
        assert_eq!(both.by("Blue Dart"), prepaid);
        assert_eq!(both.by("delhivery"), Some(Served { prepaid: true, cod: true }));
        assert_eq!((both.by("Ekart"), both.by("D")), (None, None));
        for any in ["", "  "] {
            assert_eq!(both.by(any), Some(both.by_any()));
        }
        assert_eq!(way(&[(None, true, false), (Some("x"), false, false)]).by("Ekart"), prepaid, "one may be meant");
        assert_eq!(both.names(), ["Delhivery Surface", "bluedart"]);
    }
}
