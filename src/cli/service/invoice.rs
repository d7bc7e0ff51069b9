//! `service invoice`: fetches invoices into a folder.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use crate::after::labels::{self, Kept};
use crate::app::Exit;
use crate::cli::bulk::{Each, Ending, each, over_many, tell};
use crate::cli::chosen::{Which, chosen};
use crate::cli::couriers::Counted;
use crate::cli::document::Kind;
use crate::cli::settings::Settings;

#[derive(Debug, Args)]
pub(in crate::cli) struct Invoice {
    #[command(flatten)]
    which: Which,
    /// The folder for them, each named by its AWB
    #[arg(long, value_name = "FOLDER", default_value = "invoices")]
    to: PathBuf,
}

/// The document of `service invoice`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Invoices")]
pub(in crate::cli) struct Document<'a> {
    /// Every shipment, and what came of it.
    orders: Vec<Each<'a, Answer>>,
    #[serde(flatten)]
    ending: Ending<'a>,
}

/// An answer for a shipment.
#[derive(Serialize, JsonSchema)]
struct Answer {
    /// Where it is kept; null where it was not fetched.
    invoice: Option<Fetched>,
}

/// The invoice.
#[derive(Serialize, JsonSchema)]
struct Fetched {
    /// The file.
    file: String,
    /// Its pages.
    pages: usize,
}

impl From<&Kept> for Fetched {
    fn from(kept: &Kept) -> Self {
        Self { file: kept.path.display().to_string(), pages: kept.pages }
    }
}

pub(super) fn invoice(settings: &Settings, arguments: &Invoice) -> Result<Exit> {
    let (chosen, to) = (chosen(settings, &arguments.which)?, &arguments.to);
    let fetch =
        |stop: &_, steps: &mut Counted<'_>| settings.app.documents(&chosen, to, labels::Document::Invoice, stop, steps);
    let ends = over_many(settings, fetch)?;
    let document = || Document {
        orders: each(&chosen, &ends, |kept| Answer { invoice: kept.map(Fetched::from) }),
        ending: Ending::of(&chosen, &ends),
    };
    tell(settings, (Kind::ServiceInvoice, document), &chosen, &ends, "", |kept| kept.path.display().to_string())
}
