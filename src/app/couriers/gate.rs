//! What couriers said, as a gate before the ledger.

use std::collections::HashMap;

use crate::after::routes::{Route, Served, Way};
use crate::field::Id;
use crate::order::Order;
use crate::problem::{Code, Problem};
use crate::stage::Gate;
use crate::text::list;

use super::survey::{PICKUP_HINT, Pickups, is_domestic, no_pickup, route_of};

/// What is known of each route; keeps orders behind that no courier takes.
#[derive(Debug)]
pub struct CourierAnswers {
    pickups: Pickups,
    answers: HashMap<Route, Result<Way, String>>,
    is_required: bool,
}

impl CourierAnswers {
    pub(super) const fn new(pickups: Pickups, answers: HashMap<Route, Result<Way, String>>, is_required: bool) -> Self {
        Self { pickups, answers, is_required }
    }
}

impl Gate for CourierAnswers {
    fn bars(&self, order: &Order) -> Option<Problem> {
        let is_cod = order.order_type == "COD";
        let to = &order.destination.pin_code;
        let wrong = |code, message: String, hint: &str| {
            let problem = Problem::error(code, message).of_order(order.number.clone()).hint(hint);
            problem.on_field(Id::DestinationPinCode.field().path).found(to.clone())
        };
        let unknown = |why: &str, hint: &str| {
            wrong(Code::ServiceabilityUnknown, format!("nobody knows whether a courier goes to {to}: {why}"), hint)
        };
        let later = "import again later, or without --require-serviceability";
        let Some(route) = route_of(&self.pickups, order) else {
            let is_unknown = self.is_required && is_domestic(order);
            return is_unknown.then(|| unknown(&no_pickup(order), PICKUP_HINT));
        };
        let from = &route.from;
        let correct = "correct the PIN code, or send this order another way";
        let way = match self.answers.get(&route) {
            Some(Ok(way)) => way,
            Some(Err(why)) => return self.is_required.then(|| unknown(why, later)),
            None => return self.is_required.then(|| unknown("it was not asked for", later)),
        };
        let couriers = if order.carrier.trim().is_empty() { "couriers" } else { order.carrier.trim() };
        match (way.by_any(), way.by(&order.carrier)) {
            (Served { prepaid: false, cod: false }, _) => {
                Some(wrong(Code::NotServiceable, format!("no courier goes from {from} to {to}"), correct))
            }
            (_, None | Some(Served { prepaid: false, cod: false })) => {
                let carrier = Problem::error(
                    Code::NotServiceable,
                    format!(
                        "{couriers} does not go from {from} to {to}; what goes there: {}",
                        list(&way.names(), "and")
                    ),
                );
                let carrier =
                    carrier.of_order(order.number.clone()).hint("leave the carrier blank, or name one of these");
                Some(carrier.on_field(Id::Carrier.field().path).found(order.carrier.clone()))
            }
            (_, Some(Served { cod: false, .. })) if is_cod => Some(wrong(
                Code::PaymentNotServiceable,
                format!("from {from} to {to}, {couriers} take prepaid orders only, and this one is cash on delivery"),
                "ask for the money in advance and book it as PREPAID, or correct PIN code or carrier",
            )),
            (_, Some(Served { prepaid: false, .. })) if !is_cod => Some(wrong(
                Code::PaymentNotServiceable,
                format!("from {from} to {to}, {couriers} take cash on delivery only, and this one is prepaid"),
                correct,
            )),
            (_, Some(_)) => None,
        }
    }
}
