//! Which ways the orders of a sheet go, from PIN code to PIN code.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::after::routes::Route;
use crate::finding::service::serviceability_unknown;
use crate::finding::{Finding, Remedy};
use crate::ledger::{Ledger, LedgerError};
use crate::order::{Order, ShipFrom};
use crate::stage::{Frozen, Sink};

use crate::app::error::Result;
use crate::config::{Config, ConfigError};

/// Where parcels are picked up.
#[derive(Debug, Default)]
pub struct Pickups {
    by_warehouse: HashMap<String, String>,
    otherwise: Option<String>,
    /// Whether the one place goes before the origin that an order itself names.
    is_for_all: bool,
}

impl Pickups {
    /// By the configuration; `given` stands in where it says nothing of a warehouse.
    ///
    /// # Errors
    /// A PIN code in the configuration that is none.
    pub fn of(config: &Config, given: Option<&str>) -> Result<Self> {
        let own = config.serviceability();
        let right = |text: &str, setting: &str| {
            let wrong = |why| ConfigError::Setting(format!("[serviceability] {setting}: \"{text}\" is none: {why}"));
            pin(text).map_err(wrong)
        };
        let mut by_warehouse = HashMap::new();
        for (warehouse, text) in &own.pickup_pins {
            let pin = right(text, &format!("pickup_pins of {warehouse}"))?;
            let id = config.warehouses().get(warehouse).unwrap_or(warehouse);
            by_warehouse.insert(id.clone(), pin);
        }
        let otherwise = given.or(own.pickup_pin.as_deref()).map(|text| right(text, "pickup_pin")).transpose()?;
        Ok(Self { by_warehouse, otherwise, is_for_all: false })
    }

    /// One place for all.
    #[must_use]
    pub fn all_from(pin: String) -> Self {
        Self { by_warehouse: HashMap::new(), otherwise: Some(pin), is_for_all: true }
    }

    pub(super) fn of_order<'o>(&'o self, order: &'o Order) -> Option<&'o str> {
        match &order.placement {
            _ if self.is_for_all => self.otherwise.as_deref(),
            ShipFrom::Addresses(written) => Some(written.origin.pin_code.as_str()),
            ShipFrom::Warehouse { warehouse_id, .. } => {
                self.by_warehouse.get(warehouse_id.as_str()).or(self.otherwise.as_ref()).map(String::as_str)
            }
        }
    }
}

/// The order's way; none where the service's couriers do not go at all, or where it begins is not known.
pub(super) fn route_of(pickups: &Pickups, order: &Order) -> Option<Route> {
    let from = pickups.of_order(order).filter(|_| is_domestic(order))?;
    Some(Route { from: from.to_owned(), to: order.destination.pin_code.to_string() })
}

/// PIN codes are asked for within India only.
pub(super) fn is_domestic(order: &Order) -> bool {
    matches!(order.destination.country_code.as_str(), "IN" | "")
}

/// Why nobody knows where an order is picked up.
pub(super) fn no_pickup(order: &Order) -> Finding {
    without_pin(warehouse_of(order))
}

/// A PIN code as it is sent.
///
/// # Errors
/// Why it is none, in words.
pub fn pin(text: &str) -> Result<String, String> {
    let bare: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let fits = (2..=10).contains(&bare.len()) && bare.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    if fits { Ok(bare) } else { Err("write a PIN code, for instance 560001".to_owned()) }
}

fn without_pin(warehouse: Option<&str>) -> Finding {
    warehouse.map_or_else(serviceability_unknown::origin_without_pin, serviceability_unknown::warehouse_without_pin)
}

fn warehouse_of(order: &Order) -> Option<&str> {
    match &order.placement {
        ShipFrom::Warehouse { warehouse_id, .. } => Some(warehouse_id),
        ShipFrom::Addresses { .. } => None,
    }
}

/// How many orders go a way.
#[derive(Debug, Clone, Default)]
pub struct Demand {
    /// All of them.
    pub orders: u64,
    /// Those of them that are paid at the door.
    pub cod: u64,
    /// The same by the carrier that they want, which may be none.
    pub by_carrier: BTreeMap<String, (u64, u64)>,
}

/// Finds the routes of a sheet's orders, and asks for nothing yet.
pub(super) struct Survey<'a> {
    pickups: &'a Pickups,
    /// Orders that this ledger has booked at this service are sent nowhere.
    booked: Option<(&'a Ledger, &'a str)>,
    /// The orders that go, where that is known.
    orders: Option<&'a HashSet<String>>,
    pub(super) routes: BTreeMap<Route, Demand>,
    /// Orders whose pickup is not known, by their warehouse.
    no_pickup: BTreeMap<Option<String>, u64>,
}

impl Sink for Survey<'_> {
    fn order(&mut self, frozen: &Frozen<'_>) -> Result<Vec<Finding>, LedgerError> {
        let order = frozen.order;
        if self.orders.is_some_and(|own| !own.contains(&*order.number)) {
            return Ok(Vec::new());
        }
        if let Some((ledger, service)) = self.booked
            && ledger.shipped(service, &order.number)?.is_some()
        {
            return Ok(Vec::new());
        }
        match route_of(self.pickups, order) {
            Some(route) => {
                let demand = self.routes.entry(route).or_default();
                demand.orders += 1;
                let cod = u64::from(order.order_type == "COD");
                demand.cod += cod;
                let (orders, of_them) = demand.by_carrier.entry(order.carrier.trim().to_owned()).or_default();
                *orders += 1;
                *of_them += cod;
            }
            None if is_domestic(order) => {
                *self.no_pickup.entry(warehouse_of(order).map(str::to_owned)).or_default() += 1;
            }
            None => {}
        }
        Ok(Vec::new())
    }
}

impl<'a> Survey<'a> {
    /// Of orders from these places. Those that the ledger has booked at this service are left out.
    pub(super) fn new(pickups: &'a Pickups, booked: Option<(&'a Ledger, &'a str)>) -> Self {
        Self { pickups, booked, orders: None, routes: BTreeMap::new(), no_pickup: BTreeMap::new() }
    }

    /// The same of these orders only.
    pub(super) const fn of(mut self, orders: Option<&'a HashSet<String>>) -> Self {
        self.orders = orders;
        self
    }

    /// Orders whose way is not known, and what would tell it.
    pub(super) fn warnings(&self) -> Vec<Finding> {
        let warning = |(warehouse, orders): (&Option<String>, &u64)| {
            let why = without_pin(warehouse.as_deref());
            serviceability_unknown::not_asked_about(*orders, why, Remedy::NamePickup)
        };
        self.no_pickup.iter().map(warning).collect()
    }
}
