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
    let which = ExportOptions { run: arguments.run, states: &arguments.state, all: arguments.all };
    let export = settings.app.prepare_export(&arguments.to, which)?;
    let written = export.write(&settings.read_ledger()?)?;
    note(format!("{} written to {}", count(written, "order"), arguments.to.display()));
    if settings.format == Format::Json {
        let file = arguments.to.display().to_string();
        print_document(Kind::Export, &json!({"file": file, "orders": written, "exit": Exit::Done.code()}))?;
    }
    Ok(Exit::Done)
}
