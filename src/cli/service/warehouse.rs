//! `service warehouse`: the service's warehouses, through configured paths.

use std::path::PathBuf;

use anyhow::Result;
use clap::Subcommand;

use super::call::{body, told};
use super::warehouse_import::{self, WarehouseImport};
use crate::app::{Exit, WarehouseCall};
use crate::cli::connect::settle_service;
use crate::cli::document::Kind;
use crate::cli::session::agreed_to;
use crate::cli::settings::Settings;

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum Warehouse {
    /// List the service's warehouses
    List,
    /// One warehouse
    Get {
        /// Its id
        id: String,
    },
    /// Create a warehouse
    Create {
        /// Its fields as JSON; `-` is standard input
        #[arg(long, value_name = "FILE")]
        body: PathBuf,
        /// Do not ask before creating
        #[arg(long, short)]
        yes: bool,
    },
    /// Create the warehouses of a sheet, each once, and show the names and ids for shipsheet.toml
    ///
    /// What was created is kept in the ledger and never created again; a creation without a clear answer ends the
    /// command and is left for a person to look up. Example:
    ///
    ///   shipsheet service warehouse import warehouses.xlsx --dry-run
    Import(WarehouseImport),
    /// Change a warehouse
    Update {
        /// Its id
        id: String,
        /// Its fields as JSON; `-` is standard input
        #[arg(long, value_name = "FILE")]
        body: PathBuf,
        /// Do not ask before changing
        #[arg(long, short)]
        yes: bool,
    },
}

pub(super) fn warehouse(settings: &Settings, command: &Warehouse) -> Result<Exit> {
    match command {
        Warehouse::List => call(settings, &WarehouseCall::List),
        Warehouse::Get { id } => call(settings, &WarehouseCall::Get(id.clone())),
        Warehouse::Create { body: file, yes } => {
            settings.app.can_call_warehouses(&WarehouseCall::Create(Vec::new()))?;
            let created = WarehouseCall::Create(body(file)?);
            agreed_to(settings, *yes, "Create this warehouse at the service?")?;
            call(settings, &created)
        }
        Warehouse::Import(arguments) => warehouse_import::import(settings, arguments),
        Warehouse::Update { id, body: file, yes } => {
            settings.app.can_call_warehouses(&WarehouseCall::Update(id.clone(), Vec::new()))?;
            let changed = WarehouseCall::Update(id.clone(), body(file)?);
            agreed_to(settings, *yes, &format!("Change warehouse {id} at the service?"))?;
            call(settings, &changed)
        }
    }
}

fn call(settings: &Settings, call: &WarehouseCall) -> Result<Exit> {
    settings.app.can_call_warehouses(call)?;
    settle_service(settings)?;
    told(settings, Kind::ServiceWarehouse, call.name(), &settings.app.call_warehouses(call)?)
}
