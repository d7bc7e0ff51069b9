//! `export`: results as a file.

use anyhow::Result;
use serde_json::json;

use crate::app::{Exit, ExportOptions};
use crate::text::count;

use super::args::Export;
use super::console::note;
use super::document::{Kind, print_document};
use super::global::Format;
use super::settings::Settings;

pub(super) fn export(settings: &Settings, arguments: &Export) -> Result<Exit> {
    if let Some(shop) = &arguments.shop {
        return tell_shop(settings, arguments, shop);
    }
    let which = ExportOptions { run: arguments.run, states: &arguments.state, all: arguments.all };
    let export = settings.app.prepare_export(&arguments.to, which)?;
    let written = export.write(&settings.read_ledger()?)?;
    told(settings, arguments, written)
}

/// What a shop takes back.
fn tell_shop(settings: &Settings, arguments: &Export, shop: &str) -> Result<Exit> {
    let of = (arguments.run, arguments.all);
    let written = settings.app.tell_shop(&settings.read_ledger()?, of, shop, &arguments.to)?;
    if written.cancelled > 0 {
        note(format!("left out: {} cancelled, or perhaps", count(written.cancelled, "shipment")));
    }
    told(settings, arguments, written.orders)
}

fn told(settings: &Settings, arguments: &Export, written: u64) -> Result<Exit> {
    note(format!("{} written to {}", count(written, "order"), arguments.to.display()));
    if settings.format == Format::Json {
        let file = arguments.to.display().to_string();
        print_document(Kind::Export, &json!({"file": file, "orders": written, "exit": Exit::Done.code()}))?;
    }
    Ok(Exit::Done)
}
