//! Orders of the last weeks, by what tells their shipments apart.

use rust_decimal::Decimal;
use serde::Deserialize;

use super::near::{Content, Lately, Standing, hashed};
use crate::ledger::{Intake, LedgerError, Sent, State};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// How far back the spellings of order numbers are compared.
const SINCE_MS: i64 = 30 * DAY_MS;

/// How far back the same products for the same person under another number are told: later, customers order again.
const SAME_SHIPMENT_MS: i64 = 3 * DAY_MS;

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

/// What was sent in the weeks before a run, or is still to be.
pub(super) fn sent_lately(intake: &dyn Intake, now_ms: i64) -> Result<Vec<Lately>, LedgerError> {
    let mut lately = Vec::new();
    intake.sent_since(now_ms - SINCE_MS, REQUESTS_MAX, &mut |sent| {
        lately.push(Lately {
            // A request of another shape is compared by its number alone.
            shipment: shipment(sent.body),
            is_of_days: sent.staged_ms >= now_ms - SAME_SHIPMENT_MS,
            number: sent.number.to_owned(),
            standing: standing(sent),
            address: sent.elsewhere.map(ToString::to_string),
        });
    })?;
    Ok(lately)
}

fn standing(sent: &Sent<'_>) -> Standing {
    match (sent.state, sent.awb) {
        (State::Booked, awb) => Standing::Booked(awb.unwrap_or_default().to_owned()),
        (State::Abandoned, _) => Standing::GivenUp,
        (State::Staged | State::Waiting, _) => Standing::Outstanding,
        _ => Standing::InDoubt,
    }
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
