//! `rejects`: what is still to be fixed of a run, as a sheet.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use serde_json::json;

use crate::app::Exit;
use crate::text::count;

use super::console::note;
use super::document::{Kind, print_document};
use super::global::Format;
use super::remedy::words;
use super::settings::Settings;

#[derive(Debug, Args)]
pub(super) struct Rejects {
    /// The run's number [default: the latest]
    run: Option<i64>,
    /// The file to make: .xlsx or .csv
    #[arg(long, value_name = "FILE")]
    to: PathBuf,
}

pub(super) fn rejects(settings: &Settings, arguments: &Rejects) -> Result<Exit> {
    let ledger = settings.read_ledger()?;
    let made = settings.app.rejects(&ledger, arguments.run, &arguments.to, &words(&settings.command))?;
    let file = made.path.display().to_string();
    if made.is_own {
        note(format!("{} to fix written to {file}, in your own columns", count(made.rows, "row")));
    } else {
        note(format!(
            "{} to fix written to {file}; the sheet is not there any more as it was, so your own columns are missing",
            count(made.rows, "order")
        ));
    }
    if let Some(earlier) = &made.earlier {
        note(format!("what was there before is now {}", earlier.display()));
    }
    if settings.format == Format::Json {
        print_document(
            Kind::Rejects,
            &json!({"file": file, "orders": made.rows, "own": made.is_own, "exit": Exit::Done.code()}),
        )?;
    }
    Ok(Exit::Done)
}
