//! The shipping service as a library: a login, a price, a booking, its label and where it is.
//!
//! `cargo run --example client` starts a sandbox of its own: no account, no network, no money.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use anyhow::{Context, Result, bail};
use jiff::Timestamp;
use shipsheet::api::outcome::{Outcome, Sent, judge};
use shipsheet::api::service::{Parcel, is_pdf};
use shipsheet::api::wire::{Address, Common, Contact, ForwardShipment};
use shipsheet::api::{Caller, Client, ClientOptions, Endpoint, Login, SecretSource, TokenKeeper, TokenSource};
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
    let caller = Caller::new(client.clone(), tokens.clone());

    let couriers = caller.serviceability("560048", "560001").await?;
    told.push(format!("{} couriers go from 560048 to 560001", couriers.len()));
    let parcel = Parcel {
        length: 30.into(),
        width: 20.into(),
        height: 5.into(),
        weight: "0.5".to_owned(),
        value: "999.80".to_owned(),
        order_type: "PREPAID".to_owned(),
        from: "560048".to_owned(),
        to: "560001".to_owned(),
    };
    for rate in caller.quote(&parcel).await? {
        told.push(format!("{} asks {}", rate.carrier.unwrap_or_default(), rate.rate.unwrap_or_default()));
    }

    // One POST at most, whatever happens; what came of it is for `judge` to say, and for nobody else.
    let now_ms = Timestamp::now().as_millisecond();
    let (token, _) = tokens.fresh().await?;
    let observed = client.forward_shipment(&token, order(now_ms)?.to_json()).await;
    let sent = Sent { order_number: ORDER, at_ms: now_ms, order_created_ms: now_ms };
    let order_id = match judge(&observed, &sent).outcome {
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
    let cancelled = caller.cancel(&order_id, None).await?;
    told.push(format!("cancelled: {}", cancelled.refund_status.unwrap_or_default()));
    sandbox.shutdown().await;
    Ok(told)
}

/// The order number, which must be new to the service.
const ORDER: &str = "EX-1";

/// A request as the contract has it. Amounts are exact decimals and go out digit for digit.
fn order(created_ms: i64) -> Result<ForwardShipment<'static>> {
    let mut common = Common {
        order_number: ORDER.into(),
        order_created_at: created_ms.to_string().into(),
        receiver: Contact { first_name: "Asha".into(), ..Contact::default() },
        destination: Address { city: "Bengaluru".into(), pin_code: "560001".into(), ..Address::default() },
        ..Common::default()
    };
    common.shipping_properties.sub_total = "999.80".parse::<rust_decimal::Decimal>()?.into();
    common.product_requests_list.push(shipsheet::api::wire::ProductLine {
        product_name: "Kurta".into(),
        price: "499.90".parse::<rust_decimal::Decimal>()?.into(),
        quantity: rust_decimal::Decimal::TWO.into(),
        ..Default::default()
    });
    Ok(ForwardShipment { common, warehouse_id: "WH-1".into(), return_address_id: "".into() })
}
