//! `export`: results as a file, or on standard output.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::{self, Covered, Exit, ExportOptions, RunsMeant, STATES};
use crate::cli::screen::terminal::Data;
use crate::report::write_whole;
use crate::text::count;

use super::Usage;
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
    /// The file to make: .csv, .xlsx or .jsonl; `-` is standard output, as CSV, or with --format json an object a line
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

impl Export {
    /// Whether the orders themselves go to standard output.
    pub(super) fn is_stream(&self) -> bool {
        self.to == Path::new("-")
    }
}

pub(super) fn export(settings: &Settings, arguments: &Export) -> Result<Exit> {
    if !arguments.force && !arguments.is_stream() {
        settings.app.may_write(EXPORT, &arguments.to)?;
    }
    let runs = if arguments.all { RunsMeant::All } else { arguments.runs.meant() };
    if let Some(shop) = &arguments.shop {
        return tell_shop(settings, arguments, runs, shop);
    }
    let which = ExportOptions { runs, states: &arguments.state };
    if arguments.is_stream() {
        let mut out = Data::new(settings.format == Format::Json);
        let export = settings.app.prepare_stream(&mut out, settings.format == Format::Json, which)?;
        let (written, of) = export.write(&settings.read_ledger()?)?;
        say(arguments, written, &of);
        return Ok(Exit::Done);
    }
    let export = settings.app.prepare_export(&arguments.to, which)?;
    let (written, of) = export.write(&settings.read_ledger()?)?;
    told(settings, arguments, written, &of)
}

/// Writes the sheet that a shop takes back.
fn tell_shop(settings: &Settings, arguments: &Export, runs: RunsMeant, shop: &str) -> Result<Exit> {
    if arguments.is_stream() && settings.format == Format::Json {
        bail!(Usage("--for writes the shop's own columns, which are no JSON: omit --format json".to_owned()));
    }
    let (made, of) = settings.app.tell_shop(&settings.read_ledger()?, runs, shop)?;
    if made.cancelled > 0 {
        note(format!("left out: {} cancelled, or perhaps", count(made.cancelled, "shipment")));
    }
    if arguments.is_stream() {
        let mut out = Data::new(false);
        out.write_all(&made.sheet)?;
        out.flush()?;
        say(arguments, made.orders, &of);
        return Ok(Exit::Done);
    }
    write_whole(&arguments.to, &made.sheet).map_err(app::Error::from)?;
    told(settings, arguments, made.orders, &of)
}

/// The document of `export`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Results as a file")]
pub(super) struct Document<'r> {
    /// The file that was written.
    file: String,
    /// Orders in it.
    orders: u64,
    /// The runs that it covers, the latest first.
    runs: &'r [i64],
    exit: Exit,
}

fn say(arguments: &Export, written: u64, of: &Covered) {
    let runs = if arguments.all { "the whole ledger".to_owned() } else { covered(of) };
    let to = if arguments.is_stream() { "standard output".to_owned() } else { arguments.to.display().to_string() };
    note(format!("{} of {runs} written to {to}", count(written, "order")));
}

fn told(settings: &Settings, arguments: &Export, written: u64, of: &Covered) -> Result<Exit> {
    remember(settings, EXPORT, &arguments.to);
    say(arguments, written, of);
    if settings.format == Format::Json {
        let file = arguments.to.display().to_string();
        let document = Document { file, orders: written, runs: &of.runs, exit: Exit::Done };
        print_document(Kind::Export, &document)?;
    }
    Ok(Exit::Done)
}
