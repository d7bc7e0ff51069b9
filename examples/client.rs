//! The shipping service as a library: a login, a price, a booking, its label and where it is.
//!
//! `cargo run --example client` starts a sandbox of its own: no account, no network, no money.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use anyhow::{Context, Result, bail};
use shipsheet::api::outcome::Outcome;
use shipsheet::api::service::{self, is_pdf};
use shipsheet::api::wire::{
    Address, Common, Contact, Dimension, ForwardShipment, Parcel, ProductLine, ShippingProperties, Weight,
};
use shipsheet::api::{
    Caller, Client, ClientOptions, Endpoint, Login, SecretSource, Timestamp, TokenKeeper, TokenSource,
};
use shipsheet::sandbox::{DEFAULT_EMAIL, DEFAULT_PASSWORD, Options, Sandbox};

#[tokio::main]
async fn main() -> Result<()> {
    for line in tour().await? {
        println!("{line}");
    }
    Ok(())
}

/// Every step of a shipment's life, told line by line.
pub(crate) async fn tour() -> Result<Vec<String>> {
    let mut told = Vec::new();
    let sandbox = Sandbox::start(Options::default()).await?;
    let client = Client::new(ClientOptions::new(Endpoint::parse(&sandbox.base_url())?))?;
    // The token lives in memory only and is renewed before it expires, once for all who use it.
    let tokens = TokenKeeper::new(TokenSource::Login(Box::new(Login {
        client: client.clone(),
        email: DEFAULT_EMAIL.to_owned(),
        password: SecretSource::Given(DEFAULT_PASSWORD.to_owned().into()),
        renew_after: Login::RENEW_AFTER,
    })));
    let caller = Caller::new(client, tokens);

    let couriers = caller.serviceability("560048", "560001").await?;
    told.push(format!("{} couriers go from 560048 to 560001", couriers.len()));
    for rate in caller.quote(&parcel()).await? {
        told.push(format!("{} asks {}", rate.carrier.unwrap_or_default(), rate.rate.unwrap_or_default()));
    }

    // One POST, and a second one only if the token was refused before anything was booked. An order in doubt may be
    // booked: it is not to be sent again before somebody has looked.
    let attempt = caller.book(&order(Timestamp::now())?).await?;
    let order_id = match attempt.verdict.outcome {
        Outcome::Booked(booking) => {
            told.push(format!("booked: AWB {}", booking.awb));
            booking.order_id.context("the answer names no order id")?
        }
        other => bail!("not booked: {other:?}"),
    };

    let label = caller.label(&order_id).await?;
    told.push(format!("a label of {} bytes, a PDF: {}", label.len(), is_pdf(&label)));
    let tracking = caller.track(&order_id).await?;
    told.push(format!("now: {}", tracking.status.unwrap_or_default()));
    let cancelled = caller.cancel(&order_id).await?;
    told.push(format!("cancelled: {}", cancelled.refund_status.unwrap_or_default()));
    sandbox.shutdown().await;
    Ok(told)
}

/// What is to be priced: centimetres, kilograms, rupees.
fn parcel() -> service::Parcel {
    service::Parcel {
        length: 30.into(),
        width: 20.into(),
        height: 5.into(),
        weight: "0.5".to_owned(),
        value: "1098.80".to_owned(),
        order_type: "COD".to_owned(),
        from: "560048".to_owned(),
        to: "560001".to_owned(),
    }
}

/// A whole order. Amounts are exact decimals and go out digit for digit; what may be missing is an `Option`.
fn order(created: Timestamp) -> Result<ForwardShipment<'static>> {
    let common = Common {
        // New to the service: a number that it has may be booked and paid twice.
        order_number: "EX-1".into(),
        order_created_at: created.as_millisecond().to_string().into(),
        channel_id: "External".into(),
        shipment_type: "External".into(),
        receiver: Contact {
            first_name: "Asha".into(),
            last_name: Some("Rao".into()),
            email: Some("asha@example.com".into()),
            phone_number: "9876543210".into(),
            company_name: None,
        },
        destination: Address {
            address_line1: "14 MG Road".into(),
            address_line2: Some("Near City Mall".into()),
            city: "Bengaluru".into(),
            state: "Karnataka".into(),
            country: "India".into(),
            country_code: "IN".into(),
            pin_code: "560001".into(),
            address_type: "Residential".into(),
        },
        parcel_attributes: Parcel {
            dimension: Dimension { length: 30.into(), width: 20.into(), height: "5.5".parse()?, unit: "cm".into() },
            weight: Weight { weight: "0.5".parse()?, unit: "kg".into() },
        },
        product_requests_list: vec![
            line("Kurta", "KUR-01", "499.90", 2, "20.00")?,
            line("Cotton scarf", "SCARF-02", "99.00", 1, "0.00")?,
        ],
        // The courier collects 1098.80 + 50.00 + 25.00 - 20.00 = 1153.80 at the door.
        shipping_properties: ShippingProperties {
            order_type: "COD".into(),
            sub_total: "1098.80".parse()?,
            shipping_charges: "50.00".parse()?,
            other_charges: "25.00".parse()?,
            discount: "20.00".parse()?,
        },
        seller_note: Some("Leave at the gate".into()),
        tags: None,
        carrier: Some("Delhivery".into()),
        service: Some("Surface".into()),
    };
    Ok(ForwardShipment { common, warehouse_id: "WH-1".into(), return_address_id: Some("WH-1".into()) })
}

/// One product: the price of a piece, the discount on all its pieces.
fn line(
    name: &'static str,
    sku: &'static str,
    price: &str,
    pieces: u32,
    less: &'static str,
) -> Result<ProductLine<'static>> {
    Ok(ProductLine {
        product_name: name.into(),
        sku: sku.into(),
        price: price.parse()?,
        quantity: pieces.into(),
        currency_code: "INR".into(),
        tax_rate: "5".into(),
        taxes_included: true,
        discount: less.into(),
        category: Some("Clothing".into()),
        description: None,
        hs_code: Some("6204".into()),
    })
}
