//! `service quote`: what couriers ask for one parcel.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use crate::api::service::{Parcel, Rate};
use crate::app::{Exit, pin};
use crate::cli::connect::settle_service;
use crate::cli::console::{note, print};
use crate::cli::document::{Kind, print_document};
use crate::cli::global::Format;
use crate::cli::settings::Settings;
use crate::text::Decimal;

#[derive(Debug, Args)]
pub(in crate::cli) struct Quote {
    /// PIN code of the pickup
    #[arg(long, value_name = "PIN", value_parser = pin)]
    from: String,
    /// PIN code of the delivery
    #[arg(long, value_name = "PIN", value_parser = pin)]
    to: String,
    /// Length, width and height in cm, for instance 30x20x5
    #[arg(long, value_name = "LxWxH", value_parser = sides)]
    size: [serde_json::Number; 3],
    /// Weight in kg
    #[arg(long, value_name = "KG", value_parser = positive)]
    weight: String,
    /// Declared value
    #[arg(long, value_name = "AMOUNT", value_parser = positive)]
    value: String,
    /// Type of payment, for instance PREPAID or COD
    #[arg(long, value_name = "TYPE", default_value = "PREPAID")]
    payment: String,
}

/// The document of `service quote`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Prices for a parcel")]
pub(in crate::cli) struct Document {
    /// Prices, as the service orders them.
    rates: Vec<Rate>,
    exit: Exit,
}

pub(super) fn quote(settings: &Settings, arguments: &Quote) -> Result<Exit> {
    settle_service(settings)?;
    let [length, width, height] = arguments.size.clone();
    let parcel = Parcel {
        length,
        width,
        height,
        weight: arguments.weight.clone(),
        value: arguments.value.clone(),
        order_type: arguments.payment.clone(),
        from: arguments.from.clone(),
        to: arguments.to.clone(),
    };
    let rates = settings.app.quote(&parcel)?;
    if settings.format == Format::Json {
        print_document(Kind::ServiceQuote, &Document { rates, exit: Exit::Done })?;
        return Ok(Exit::Done);
    }
    if rates.is_empty() {
        note("no courier offers this");
    }
    let mut text = Vec::new();
    for rate in &rates {
        let said = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
        let days = rate.days.as_ref().map(|days| format!("{days} days")).unwrap_or_default();
        let zone = rate.zone.as_ref().map(|zone| format!("zone {zone}"));
        let weight = rate.charged_weight.as_ref().map(|weight| format!("charged for {weight} kg"));
        let more: Vec<String> =
            [Some(days).filter(|days| !days.is_empty()), zone, weight].into_iter().flatten().collect();
        let (price, currency) = (said(&rate.rate), rate.currency.clone().unwrap_or_default());
        let (carrier, service) = (said(&rate.carrier), said(&rate.service));
        writeln!(text, "{price:>10} {currency:<4} {carrier:<16} {service:<16} {}", more.join(", "))?;
    }
    print(&text)?;
    Ok(Exit::Done)
}

/// Digits above zero, as they are written.
fn positive(text: &str) -> Result<String, String> {
    match text.trim().parse::<Decimal>() {
        Ok(number) if number > Decimal::ZERO => Ok(number.to_string()),
        _ => Err("write a number above zero, for instance 0.5".to_owned()),
    }
}

fn sides(text: &str) -> Result<[serde_json::Number; 3], String> {
    let wrong = || "write three measures above zero, for instance 30x20x5".to_owned();
    let number = |text: &str| -> Result<serde_json::Number, String> {
        let digits = positive(text).map_err(|_| wrong())?;
        serde_json::from_str(&digits).map_err(|_| wrong())
    };
    let sides: Vec<_> = text.split(['x', 'X', '*']).map(number).collect::<Result<_, _>>()?;
    sides.try_into().map_err(|_| wrong())
}
