//! `dismiss`: invalid orders that nobody will mend.

use anyhow::Result;
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::Exit;
use crate::text::{count, list};

use super::console::note;
use super::document::{Kind, print_document};
use super::global::Format;
use super::settings::Settings;

/// What is dismissed.
#[derive(Debug, Args)]
pub(super) struct Dismiss {
    /// The order numbers
    #[arg(required = true, value_name = "ORDER")]
    orders: Vec<String>,
    /// Why; kept for good
    #[arg(long)]
    because: String,
}

/// The document of `dismiss`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Invalid orders that a person dismisses")]
pub(super) struct Document<'a> {
    /// The order numbers.
    orders: &'a [String],
    /// Why.
    because: &'a str,
    exit: Exit,
}

/// Keeps what a person dismisses.
pub(super) fn dismiss(settings: &Settings, arguments: &Dismiss) -> Result<Exit> {
    let Dismiss { orders, because } = arguments;
    settings.app.dismiss(orders, because)?;
    let these = if orders.len() > 3 { count(orders.len() as u64, "order") } else { list(orders, "and") };
    note(format!("dismissed: {these}; once a cell of its row changes, an order counts again"));
    if settings.format == Format::Json {
        print_document(Kind::Dismiss, &Document { orders, because, exit: Exit::Done })?;
    }
    Ok(Exit::Done)
}
