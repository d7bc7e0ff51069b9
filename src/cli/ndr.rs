//! `ndr`: tells the courier what to do about failed deliveries, through the configured path.

use anyhow::Result;
use serde_json::json;

use crate::app::{Error, Exit};
use crate::text::count;

use super::bulk::{over_many, tell};
use super::call::agreed;
use super::chosen::{chosen, say};
use super::document::Kind;
use super::service_args::Ndr;
use super::settings::Settings;

/// What takes in what is left out as cancelled.
const WAY_IN: &str = "; name an order to tell the courier all the same";

pub(super) fn ndr(settings: &Settings, arguments: &Ndr) -> Result<Exit> {
    settings.app.can_tell_couriers()?;
    let mut chosen = chosen(settings, &arguments.which)?;
    if arguments.which.run.is_some() {
        chosen.leave_out_cancelled();
    }
    if chosen.shipments.is_empty() {
        say(settings, &chosen, WAY_IN);
        return Err(Error::AllCancelled.into());
    }
    let shipments = count(chosen.shipments.len() as u64, "shipment");
    agreed(settings, arguments.yes, &format!("Tell the courier \"{}\" for {shipments}?", arguments.action))?;
    let ends = over_many(settings, |stop, steps| {
        settings.app.tell_couriers(&chosen, &arguments.action, &arguments.param, stop, steps)
    })?;
    tell(settings, (Kind::Ndr, "ndr"), &chosen, &ends, WAY_IN, |answer| json!(answer), |answer| answer.get().to_owned())
}
