//! `warehouse`: the service's warehouses, through configured paths.

use anyhow::Result;
use serde_json::json;

use crate::api::operation::{CREATE_WAREHOUSE, GET_WAREHOUSE, LIST_WAREHOUSES, Operation, UPDATE_WAREHOUSE};

use super::args::Format;
use super::call::{agreed, body};
use super::console::print_json;
use super::exit::Exit;
use super::room::runtime;
use super::service_args::Warehouse;
use super::session::Line;
use super::settings::Settings;
use super::warehouse_import;

pub(super) fn warehouse(settings: &Settings, command: &Warehouse) -> Result<Exit> {
    match command {
        Warehouse::List => call(settings, &LIST_WAREHOUSES, None, None),
        Warehouse::Get { id } => call(settings, &GET_WAREHOUSE, Some(id), None),
        Warehouse::Create { body: file, yes } => {
            let body = checked(settings, &CREATE_WAREHOUSE, None, file)?;
            agreed(settings, *yes, "Create this warehouse at the service?")?;
            call(settings, &CREATE_WAREHOUSE, None, Some(body))
        }
        Warehouse::Import(arguments) => warehouse_import::import(settings, arguments),
        Warehouse::Update { id, body: file, yes } => {
            let body = checked(settings, &UPDATE_WAREHOUSE, Some(id), file)?;
            agreed(settings, *yes, &format!("Change warehouse {id} at the service?"))?;
            call(settings, &UPDATE_WAREHOUSE, Some(id), Some(body))
        }
    }
}

fn parameters(id: Option<&String>) -> Vec<(String, String)> {
    id.map(|id| ("warehouseId".to_owned(), id.clone())).into_iter().collect()
}

/// The body, once it is clear that the operation can be called at all.
fn checked(
    settings: &Settings,
    operation: &'static Operation,
    id: Option<&String>,
    file: &std::path::Path,
) -> Result<Vec<u8>> {
    settings.operations()?.of(operation).address(&parameters(id))?;
    body(file)
}

fn call(
    settings: &Settings,
    operation: &'static Operation,
    id: Option<&String>,
    body: Option<Vec<u8>>,
) -> Result<Exit> {
    let entry = settings.operations()?.of(operation);
    entry.address(&parameters(id))?;
    let runtime = runtime()?;
    let line = Line::connect(settings, 1, &runtime)?;
    let answer = runtime.block_on(line.caller().plain(&entry, &parameters(id), body))?;
    if settings.format == Format::Json {
        print_json(&json!({"operation": operation.name, "answer": answer}))?;
    } else {
        print_json(&answer)?;
    }
    Ok(Exit::Done)
}
