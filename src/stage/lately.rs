//! Orders of the last days, by what tells their shipments apart.

use rust_decimal::Decimal;
use serde::Deserialize;

use super::near::{Content, Lately, hashed};
use crate::ledger::{LedgerError, Staging};

/// How far back orders are compared.
const SINCE_MS: i64 = 3 * 24 * 60 * 60 * 1000;

/// Requests that are looked at, which takes some 0.2 s; beyond that, only the newest.
const REQUESTS_MAX: u32 = 20_000;

/// As much of a request as tells shipments apart.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    receiver: Receiver,
    destination: Destination,
    product_requests_list: Vec<Product>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Receiver {
    first_name: String,
    last_name: String,
    phone_number: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Destination {
    address_line1: String,
    pin_code: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Product {
    #[serde(rename = "productName")]
    name: String,
    sku: String,
    quantity: serde_json::Number,
    price: serde_json::Number,
}

/// What was booked in the days before a run.
pub(super) fn booked_lately(staging: &Staging<'_>, now_ms: i64) -> Result<Vec<Lately>, LedgerError> {
    let mut lately = Vec::new();
    staging.booked_since(now_ms - SINCE_MS, REQUESTS_MAX, &mut |number, awb, body| {
        // A request of another shape is compared with nothing.
        if let Some(shipment) = shipment(body) {
            lately.push(Lately { shipment, number: number.to_owned(), awb: awb.to_owned() });
        }
    })?;
    Ok(lately)
}

fn shipment(body: &[u8]) -> Option<u64> {
    let Body { receiver, destination, product_requests_list } = serde_json::from_slice(body).ok()?;
    let number = |number: &serde_json::Number| number.to_string().parse::<Decimal>().ok();
    let content = |product: &'_ Product| Some((number(&product.quantity)?, number(&product.price)?));
    let amounts = product_requests_list.iter().map(content).collect::<Option<Vec<_>>>()?;
    let lines = product_requests_list.iter().zip(amounts).map(|(product, (quantity, price))| Content {
        product: &product.name,
        sku: &product.sku,
        quantity,
        price,
    });
    let loose = [receiver.first_name.as_str(), &receiver.last_name, &destination.address_line1];
    Some(hashed([&receiver.phone_number, &destination.pin_code], loose, lines))
}
