//! `export`: results as a file.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use serde_json::json;

use crate::app::{Covered, Exit, ExportOptions, RunsMeant, STATES};
use crate::text::count;

use super::console::note;
use super::document::{Kind, print_document};
use super::global::Format;
use super::own::remember;
use super::runs_asked::{RunsAsked, covered};
use super::settings::Settings;

/// By this name files that it wrote are remembered.
const EXPORT: &str = "export";

#[derive(Debug, Args)]
pub(super) struct Export {
    #[command(flatten)]
    runs: RunsAsked,
    /// The file to make: .csv, .xlsx or .jsonl
    #[arg(long, value_name = "FILE")]
    to: PathBuf,
    /// Replace the file also where it is not what this command wrote
    #[arg(long)]
    force: bool,
    /// Only orders in these states
    #[arg(
        long,
        value_name = "STATE,…",
        value_delimiter = ',',
        help = format!("Only orders in these states: {}", STATES.join(", "))
    )]
    state: Vec<String>,
    /// Every order of the ledger, whatever the run, and those that were invalid and never sent
    #[arg(long, conflicts_with_all = ["run", "since", "last"])]
    all: bool,
    /// What a shop takes back, as the `[back]` section of this profile says: shopify, woocommerce, amazon-in, your own
    ///
    /// Order, AWB and carrier of every shipment that is not cancelled, in the shop's own columns.
    #[arg(long = "for", value_name = "PROFILE", conflicts_with = "state")]
    shop: Option<String>,
}

pub(super) fn export(settings: &Settings, arguments: &Export) -> Result<Exit> {
    if !arguments.force {
        settings.app.may_write(EXPORT, &arguments.to)?;
    }
    let runs = if arguments.all { RunsMeant::All } else { arguments.runs.meant() };
    if let Some(shop) = &arguments.shop {
        return tell_shop(settings, arguments, runs, shop);
    }
    let export = settings.app.prepare_export(&arguments.to, ExportOptions { runs, states: &arguments.state })?;
    let (written, of) = export.write(&settings.read_ledger()?)?;
    told(settings, arguments, written, &of)
}

/// What a shop takes back.
fn tell_shop(settings: &Settings, arguments: &Export, runs: RunsMeant, shop: &str) -> Result<Exit> {
    let (written, of) = settings.app.tell_shop(&settings.read_ledger()?, runs, shop, &arguments.to)?;
    if written.cancelled > 0 {
        note(format!("left out: {} cancelled, or perhaps", count(written.cancelled, "shipment")));
    }
    told(settings, arguments, written.orders, &of)
}

fn told(settings: &Settings, arguments: &Export, written: u64, of: &Covered) -> Result<Exit> {
    remember(settings, EXPORT, &arguments.to);
    let runs = if arguments.all { "the whole ledger".to_owned() } else { covered(of) };
    note(format!("{} of {runs} written to {}", count(written, "order"), arguments.to.display()));
    if settings.format == Format::Json {
        let file = arguments.to.display().to_string();
        let exit = Exit::Done.code();
        print_document(Kind::Export, &json!({"file": file, "orders": written, "runs": of.runs, "exit": exit}))?;
    }
    Ok(Exit::Done)
}
