//! `service ndr`: tells the courier what to do about failed deliveries, through the configured path.

use std::ops::Deref;

use anyhow::Result;
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::app::{Error, Exit};
use crate::cli::bulk::{Each, Ending, each, over_many, tell};
use crate::cli::chosen::{Which, chosen, say};
use crate::cli::document::Kind;
use crate::cli::session::agreed_to;
use crate::cli::settings::Settings;
use crate::cli::typed::parameter;
use crate::text::count;

/// What takes in what is left out as cancelled.
const WAY_IN: &str = "; name an order to tell the courier all the same";

#[derive(Debug, Args)]
pub(in crate::cli) struct Ndr {
    #[command(flatten)]
    which: Which,
    /// What the courier should do, in the service's word
    #[arg(long, value_name = "ACTION")]
    action: String,
    /// A further field of the request; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = parameter)]
    param: Vec<(String, String)>,
    /// Do not ask before telling the courier
    #[arg(long, short)]
    yes: bool,
}

/// The document of `service ndr`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "What couriers were told about failed deliveries")]
pub(in crate::cli) struct Document<'a> {
    /// Every shipment, and what came of it.
    orders: Vec<Each<'a, Answer<'a>>>,
    #[serde(flatten)]
    ending: Ending<'a>,
}

/// An answer for a shipment.
#[derive(Serialize, JsonSchema)]
struct Answer<'a> {
    /// The service's whole answer; null where there is none.
    #[schemars(with = "Value")]
    ndr: Option<&'a RawValue>,
}

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
    agreed_to(settings, arguments.yes, &format!("Tell the courier \"{}\" for {shipments}?", arguments.action))?;
    let ends = over_many(settings, |stop, steps| {
        settings.app.tell_couriers(&chosen, &arguments.action, &arguments.param, stop, steps)
    })?;
    let document = || Document {
        orders: each(&chosen, &ends, |answer| Answer { ndr: answer.map(Deref::deref) }),
        ending: Ending::of(&chosen, &ends),
    };
    tell(settings, (Kind::ServiceNdr, document), &chosen, &ends, WAY_IN, |answer| answer.get().to_owned())
}
