//! `warehouse`: the service's warehouses, through configured paths.

use anyhow::Result;

use crate::app::{Exit, WarehouseCall};

use super::call::{agreed, body, told};
use super::connect::settle_service;
use super::document::Kind;
use super::service_args::Warehouse;
use super::settings::Settings;
use super::warehouse_import;

pub(super) fn warehouse(settings: &Settings, command: &Warehouse) -> Result<Exit> {
    match command {
        Warehouse::List => call(settings, &WarehouseCall::List),
        Warehouse::Get { id } => call(settings, &WarehouseCall::Get(id.clone())),
        Warehouse::Create { body: file, yes } => {
            settings.app.can_call_warehouses(&WarehouseCall::Create(Vec::new()))?;
            let created = WarehouseCall::Create(body(file)?);
            agreed(settings, *yes, "Create this warehouse at the service?")?;
            call(settings, &created)
        }
        Warehouse::Import(arguments) => warehouse_import::import(settings, arguments),
        Warehouse::Update { id, body: file, yes } => {
            settings.app.can_call_warehouses(&WarehouseCall::Update(id.clone(), Vec::new()))?;
            let changed = WarehouseCall::Update(id.clone(), body(file)?);
            agreed(settings, *yes, &format!("Change warehouse {id} at the service?"))?;
            call(settings, &changed)
        }
    }
}

fn call(settings: &Settings, call: &WarehouseCall) -> Result<Exit> {
    settings.app.can_call_warehouses(call)?;
    settle_service(settings)?;
    told(settings, Kind::Warehouse, call.name(), &settings.app.call_warehouses(call)?)
}
