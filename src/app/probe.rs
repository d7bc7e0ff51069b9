//! A new account is tried out: every operation that changes nothing is asked once, and what came back is judged.

use crate::api::answer::{ShipmentRef, told};
use crate::api::operation::{
    FIND_ORDER, GET_WAREHOUSE, INVOICE, LABEL, LIST_COURIERS, LIST_WAREHOUSES, Operation, QUOTE, SERVICEABILITY,
    SHIPMENT_DETAILS, TRACK,
};
use crate::api::service::{Number, Parcel};
use crate::api::{CallError, Caller};
use crate::ledger::Shipped;
use crate::text::count;

use super::connect::App;
use super::error::{Error, Result};

/// What is tried, in this order.
const TRIED: [&Operation; 10] = [
    &LIST_COURIERS,
    &SERVICEABILITY,
    &QUOTE,
    &LIST_WAREHOUSES,
    &GET_WAREHOUSE,
    &SHIPMENT_DETAILS,
    &TRACK,
    &LABEL,
    &INVOICE,
    &FIND_ORDER,
];
/// PIN codes of two large towns, for whoever names none.
const PINS: [&str; 2] = ["110001", "400001"];

/// What to ask about.
#[derive(Debug, Clone, Default)]
pub struct ProbeOptions {
    /// PIN code of a pickup.
    pub from: Option<String>,
    /// PIN code of a delivery.
    pub to: Option<String>,
    /// The number of a booked order; the one that was booked last where none is named.
    pub order: Option<String>,
}

/// What came of one operation.
#[derive(Debug)]
pub struct Probe {
    /// Its name.
    pub operation: &'static str,
    /// What came of it.
    pub end: ProbeEnd,
}

/// What came of an operation that was tried.
#[derive(Debug)]
pub enum ProbeEnd {
    /// Its answer is understood: what it says, in a word or two.
    Understood(String),
    /// There was no answer, or none that is understood.
    Failed(CallError),
    /// It was not tried, for this reason.
    NotTried(String),
}

impl App {
    /// Tries every operation that changes nothing. After an answer that is about the account or the address, and not about
    /// one operation, the rest is not tried.
    ///
    /// # Errors
    /// No connection could be had; an order that is not booked here; a ledger that cannot be read.
    pub fn probe(&self, options: &ProbeOptions) -> Result<Vec<Probe>> {
        let about = About {
            shipment: self.some_shipment(options)?,
            warehouse: self.some_warehouse(),
            pins: self.pins(options),
        };
        let connection = self.connection(1)?;
        let caller = connection.caller();
        let mut probes = Vec::new();
        let mut ended = None;
        for operation in TRIED {
            let end = match &ended {
                Some(why) => ProbeEnd::NotTried(format!("{why} ended it")),
                None => self.runtime()?.block_on(about.tried(&caller, operation)),
            };
            if let ProbeEnd::Failed(CallError::Unauthorized | CallError::Token(_) | CallError::Unreachable { .. }) =
                &end
            {
                ended = Some(operation.name);
            }
            probes.push(Probe { operation: operation.name, end });
        }
        Ok(probes)
    }

    fn some_shipment(&self, options: &ProbeOptions) -> Result<Option<Shipped>> {
        let service = self.config.service_key()?;
        if !self.config.site().may_have_ledger() {
            return Ok(None);
        }
        let ledger = self.read_ledger()?;
        let number = match &options.order {
            Some(number) => Some(number.clone()),
            None => ledger.latest_booked(&service, 1)?.into_iter().next().map(|(number, _)| number),
        };
        let Some(number) = number else { return Ok(None) };
        let shipment = ledger.shipped(&service, &number)?;
        if shipment.is_none() && options.order.is_some() {
            return Err(Error::NoOrder { number });
        }
        Ok(shipment)
    }

    fn some_warehouse(&self) -> Option<String> {
        self.config.warehouses().values().next().cloned()
    }

    fn pins(&self, options: &ProbeOptions) -> [String; 2] {
        let own = options.from.clone().or_else(|| self.config.serviceability().pickup_pin.clone());
        [own.unwrap_or_else(|| PINS[0].to_owned()), options.to.clone().unwrap_or_else(|| PINS[1].to_owned())]
    }
}

/// What the operations are asked about.
struct About {
    shipment: Option<Shipped>,
    warehouse: Option<String>,
    pins: [String; 2],
}

impl About {
    async fn tried(&self, caller: &Caller, operation: &'static Operation) -> ProbeEnd {
        let entry = caller.entry(operation);
        let not_tried = |why: &str| ProbeEnd::NotTried(why.to_owned());
        if entry.path.is_none() {
            let Operation { name, example, .. } = *operation;
            return ProbeEnd::NotTried(format!(
                "its path is not known; as the service's own page has it, set [operations.{name}] path = \"{example}\" in \
                 shipsheet.toml"
            ));
        }
        let told = match operation.name {
            name if name == LIST_COURIERS.name => couriers(caller).await,
            name if name == SERVICEABILITY.name => self.serviceability(caller).await,
            name if name == QUOTE.name => self.quote(caller).await,
            name if name == LIST_WAREHOUSES.name => objects(caller, operation, &[], &[], "warehouse").await,
            name if name == GET_WAREHOUSE.name => match &self.warehouse {
                Some(id) => {
                    let names = ["warehouseId", "id"].map(|name| (name.to_owned(), id.clone()));
                    objects(caller, operation, &entry.placed(&names), &[], "warehouse").await
                }
                None => return not_tried("no warehouse is named in [warehouses]"),
            },
            _ => match &self.shipment {
                Some(shipment) => of_shipment(caller, operation, shipment.names()).await,
                None => return not_tried("no order is booked here yet"),
            },
        };
        match told {
            Ok(told) => ProbeEnd::Understood(told),
            Err(error) => ProbeEnd::Failed(error),
        }
    }

    async fn serviceability(&self, caller: &Caller) -> Result<String, CallError> {
        let [from, to] = &self.pins;
        let couriers = caller.serviceability(from, to).await?;
        let cod = couriers.iter().filter(|courier| courier.cod).count();
        let all = count(couriers.len() as u64, "courier");
        Ok(format!("{all} from {from} to {to}, {cod} of them with cash on delivery"))
    }

    async fn quote(&self, caller: &Caller) -> Result<String, CallError> {
        let [from, to] = self.pins.clone();
        let side = |cm: u32| Number::from(cm);
        let (length, width, height) = (side(20), side(15), side(5));
        let (weight, value, order_type) = ("0.5".to_owned(), "500".to_owned(), "PREPAID".to_owned());
        let rates = caller.quote(&Parcel { length, width, height, weight, value, order_type, from, to }).await?;
        let first = rates.first().and_then(|rate| Some(format!(", the first {}", rate.rate.as_ref()?)));
        Ok(format!("{}{}", count(rates.len() as u64, "price"), first.unwrap_or_default()))
    }
}

async fn couriers(caller: &Caller) -> Result<String, CallError> {
    let couriers = caller.couriers().await?;
    let names: Vec<&str> = couriers.iter().take(3).map(|courier| courier.name.as_str()).collect();
    Ok(format!("{}: {}", count(couriers.len() as u64, "courier"), names.join(", ")))
}

async fn objects(
    caller: &Caller,
    operation: &'static Operation,
    parameters: &[(String, String)],
    needs: &[&str],
    word: &str,
) -> Result<String, CallError> {
    let entry = caller.entry(operation);
    let answer = caller.json(&entry, parameters, None).await?;
    Ok(count(told(&entry, &answer, needs)?.len() as u64, word))
}

async fn of_shipment(
    caller: &Caller,
    operation: &'static Operation,
    shipment: ShipmentRef<'_>,
) -> Result<String, CallError> {
    Ok(match operation.name {
        name if name == SHIPMENT_DETAILS.name => match caller.details(shipment).await?.awb {
            Some(awb) if awb != shipment.awb => format!("AWB {awb}, and {} is booked here", shipment.awb),
            Some(awb) => format!("AWB {awb}"),
            None => "without an AWB".to_owned(),
        },
        name if name == TRACK.name => {
            caller.track(shipment).await?.status.unwrap_or_else(|| "no status yet".to_owned())
        }
        name if name == LABEL.name => format!("a PDF of {} bytes", caller.label(shipment).await?.len()),
        name if name == INVOICE.name => format!("a PDF of {} bytes", caller.invoice(shipment).await?.len()),
        _ => {
            let names = ["orderNumber", "order_number"].map(|name| (name.to_owned(), shipment.order_number.to_owned()));
            let placed = caller.entry(operation).placed(&names);
            let parameters = if placed.is_empty() { &names[..1] } else { &placed };
            objects(caller, operation, parameters, &["order_number", "awb"], "shipment").await?
        }
    })
}
