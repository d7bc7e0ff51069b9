//! `export`: results as a file.

use anyhow::Result;

use crate::app::{Exit, ExportOptions};
use crate::text::count;

use super::args::Export;
use super::console::note;
use super::settings::Settings;

pub(super) fn export(settings: &Settings, arguments: &Export) -> Result<Exit> {
    let ledger = settings.read_ledger()?;
    let which = ExportOptions { run: arguments.run, states: &arguments.state, all: arguments.all };
    let written = settings.app.export(&ledger, &arguments.to, which)?;
    note(format!("{} written to {}", count(written, "order"), arguments.to.display()));
    Ok(Exit::Done)
}
