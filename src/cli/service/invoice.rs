//! `service invoice`: fetches invoices into a folder.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use serde_json::json;

use crate::after::labels::Document;
use crate::app::Exit;
use crate::cli::bulk::{over_many, tell};
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

pub(super) fn invoice(settings: &Settings, arguments: &Invoice) -> Result<Exit> {
    let (chosen, to) = (chosen(settings, &arguments.which)?, &arguments.to);
    let fetch = |stop: &_, steps: &mut Counted<'_>| settings.app.documents(&chosen, to, Document::Invoice, stop, steps);
    let ends = over_many(settings, fetch)?;
    tell(
        settings,
        (Kind::ServiceInvoice, "invoice"),
        &chosen,
        &ends,
        "",
        |kept| json!({"file": kept.path.display().to_string(), "pages": kept.pages}),
        |kept| kept.path.display().to_string(),
    )
}
