//! `quote`: what couriers ask for one parcel.

use std::io::Write;

use anyhow::Result;
use serde_json::json;

use crate::api::service::Parcel;

use super::connect::settle_service;
use super::console::{note, print};
use super::document::{Kind, print_document};
use super::global::Format;
use super::service_args::Quote;
use super::settings::Settings;
use crate::app::Exit;

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
        print_document(Kind::Quote, &json!({"rates": rates, "exit": Exit::Done.code()}))?;
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
