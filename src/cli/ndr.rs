//! `ndr`: tells the courier what to do about failed deliveries, through the configured path.

use anyhow::{Result, bail};
use serde_json::{Map, Value, json};

use crate::api::operation::NDR;
use crate::text::count;

use super::bulk::{Does, Failure, for_each, tell};
use super::call::agreed;
use super::chosen::chosen;
use super::exit::Exit;
use super::service_args::Ndr;
use super::settings::Settings;
use super::shipment::known_id;

pub(super) fn ndr(settings: &Settings, arguments: &Ndr) -> Result<Exit> {
    // Fails at once where nobody has said how the service takes it.
    settings.operations()?.of(&NDR).address(&[("orderId".to_owned(), "1".to_owned())])?;
    let mut chosen = chosen(settings, &arguments.which)?;
    if arguments.which.run.is_some() {
        chosen.leave_out_cancelled("; name an order to tell the courier all the same");
    }
    if chosen.shipments.is_empty() {
        chosen.say(settings);
        bail!("all of these orders are cancelled, or may be: there is nothing to tell the courier");
    }
    let shipments = count(chosen.shipments.len() as u64, "shipment");
    agreed(settings, arguments.yes, &format!("Tell the courier \"{}\" for {shipments}?", arguments.action))?;
    let ends = for_each(settings, &arguments.which, &chosen.shipments, Does::Change, |caller, shipment| {
        let mut body = Map::from_iter([("action".to_owned(), Value::from(arguments.action.clone()))]);
        body.extend(arguments.param.iter().map(|(name, value)| (name.clone(), Value::from(value.clone()))));
        async move {
            let order_id = known_id(&shipment)?;
            body.entry("orderId").or_insert_with(|| Value::from(order_id.clone()));
            Ok::<_, Failure>(caller.ndr(&order_id, &Value::Object(body)).await?)
        }
    })?;
    tell(settings, "ndr", &chosen, &ends, |answer| json!(answer), |answer| answer.get().to_owned())
}
