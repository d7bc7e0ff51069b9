//! `service couriers`: the couriers of the account.

use std::io::Write;

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;

use crate::api::service::NamedCourier;
use crate::app::Exit;
use crate::cli::connect::settle_service;
use crate::cli::console::{note, print};
use crate::cli::document::{Kind, print_document};
use crate::cli::global::Format;
use crate::cli::settings::Settings;

/// The document of `service couriers`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "The couriers of the account")]
pub(in crate::cli) struct Document {
    /// Every courier, as the service orders them.
    couriers: Vec<NamedCourier>,
    exit: Exit,
}

pub(super) fn couriers(settings: &Settings) -> Result<Exit> {
    settle_service(settings)?;
    let couriers = settings.app.couriers()?;
    if settings.format == Format::Json {
        print_document(Kind::ServiceCouriers, &Document { couriers, exit: Exit::Done })?;
        return Ok(Exit::Done);
    }
    if couriers.is_empty() {
        note("the account has no courier");
    }
    let mut text = Vec::new();
    for courier in &couriers {
        match &courier.id {
            Some(id) => writeln!(text, "{}  {id}", courier.name)?,
            None => writeln!(text, "{}", courier.name)?,
        }
    }
    print(&text)?;
    Ok(Exit::Done)
}
