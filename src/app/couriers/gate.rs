//! What couriers said, as a gate before the ledger.

use std::collections::HashMap;

use crate::after::routes::{Route, Served, Way};
use crate::field::Id;
use crate::finding::service::{not_serviceable, payment_not_serviceable, serviceability_unknown};
use crate::finding::{Basis, Finding, Remedy};
use crate::ledger::LedgerError;
use crate::order::{Order, Text};
use crate::rule::Levels;
use crate::stage::{Frozen, Gate};

use crate::app::Reading;

use super::survey::{Pickups, is_domestic, no_pickup, route_of};

/// What is known of each route; keeps orders behind that no courier takes.
#[derive(Debug)]
pub struct CourierAnswers {
    pickups: Pickups,
    answers: HashMap<Route, Result<Way, Unanswered>>,
    is_required: bool,
    /// The levels of rules for this run.
    levels: Levels,
}

impl CourierAnswers {
    pub(super) const fn new(
        pickups: Pickups,
        answers: HashMap<Route, Result<Way, Unanswered>>,
        is_required: bool,
        levels: Levels,
    ) -> Self {
        Self { pickups, answers, is_required, levels }
    }
}

/// Why there is no answer about a pair of PIN codes.
#[derive(Debug)]
pub(super) enum Unanswered {
    /// Failures in a row ended the asking.
    GivenUp,
    /// What went wrong.
    Failed(String),
}

impl Unanswered {
    pub(super) fn why(&self) -> Finding {
        match self {
            Self::GivenUp => serviceability_unknown::given_up(),
            Self::Failed(error) => serviceability_unknown::failed(error.clone()),
        }
    }
}

impl Gate for CourierAnswers {
    fn says(&self, Frozen { order, .. }: &Frozen<'_>) -> Result<Vec<Finding>, LedgerError> {
        let headers = [Id::DestinationPinCode, Id::OrderType, Id::Carrier].map(|id| id.field().header);
        let texts = [&order.destination.pin_code, &order.order_type, &order.carrier].map(Text::as_str);
        let basis = |_: &Finding| Some(Basis::of(headers.into_iter().zip(texts)));
        Ok(self.bars(order).and_then(|finding| self.levels.apply(finding, basis)).into_iter().collect())
    }
}

impl CourierAnswers {
    /// Takes up what was accepted of these sheets meanwhile.
    pub fn accept(&mut self, reading: &Reading) {
        self.levels = std::mem::take(&mut self.levels).accepting(&reading.rules.levels.accepted);
    }

    /// Why no courier takes the order, or nobody knows.
    fn bars(&self, order: &Order) -> Option<Finding> {
        let is_cod = order.order_type == "COD";
        let to = order.destination.pin_code.as_str();
        let of_route = |finding: Finding| {
            finding.of_order(order.number.clone()).on_field(Id::DestinationPinCode.field().path).found(to)
        };
        let unknown = |why: Finding| {
            let not_required = Remedy::RequireServiceability { on: false };
            of_route(serviceability_unknown::unanswered(to, why, not_required))
        };
        let Some(route) = route_of(&self.pickups, order) else {
            let is_unknown = self.is_required && is_domestic(order);
            let pickup = || serviceability_unknown::pickup_unknown(to, no_pickup(order), Remedy::NamePickup);
            return is_unknown.then(|| of_route(pickup()));
        };
        let from = &route.from;
        let way = match self.answers.get(&route) {
            Some(Ok(way)) => way,
            Some(Err(why)) => return self.is_required.then(|| unknown(why.why())),
            None => return self.is_required.then(|| unknown(serviceability_unknown::not_asked())),
        };
        let carrier = order.carrier.trim();
        match (way.by_any(), way.by(&order.carrier)) {
            (Served { prepaid: false, cod: false }, _) => Some(of_route(not_serviceable::no_courier(from, to))),
            (_, None | Some(Served { prepaid: false, cod: false })) => {
                let other = not_serviceable::not_this_courier(carrier, from, to, &way.names());
                let other = other.of_order(order.number.clone()).on_field(Id::Carrier.field().path);
                Some(other.found(order.carrier.clone()))
            }
            (_, Some(Served { cod: false, .. })) if is_cod => {
                Some(of_route(payment_not_serviceable::prepaid_only(carrier, from, to)))
            }
            (_, Some(Served { prepaid: false, .. })) if !is_cod => {
                Some(of_route(payment_not_serviceable::cod_only(carrier, from, to)))
            }
            (_, Some(_)) => None,
        }
    }
}
