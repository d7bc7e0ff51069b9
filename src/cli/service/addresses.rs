//! `service same` and `service different`: whether one service answers at several addresses.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::{Addresses, Exit, ServiceWord};
use crate::cli::address::said;
use crate::cli::console::{note, print};
use crate::cli::document::{Kind, print_document};
use crate::cli::global::Format;
use crate::cli::settings::Settings;
use crate::ledger::AddressWord;
use crate::text::{count, moment};

#[derive(Debug, Args)]
pub(in crate::cli) struct Same {
    /// The other address [default: all addresses that the ledger knows are listed]
    #[arg(value_name = "URL", requires = "because")]
    url: Option<String>,
    /// How you know; kept for good
    #[arg(long, requires = "url")]
    because: Option<String>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Different {
    /// The other address
    url: String,
    /// How you know; kept for good
    #[arg(long)]
    because: String,
}

/// The document of `service same` and `service different`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "What a person said of two addresses")]
pub(in crate::cli) struct Document {
    /// The configured address.
    one: String,
    /// The other address.
    other: String,
    /// Whether they are one service.
    is_same: bool,
    /// How the person knows.
    because: String,
    /// Orders that the ledger has at the other address.
    orders: u64,
    exit: Exit,
}

/// The document of `service same` without an address.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Addresses of services")]
pub(in crate::cli) struct ListDocument {
    /// The addresses that the ledger knows.
    addresses: Vec<Known>,
    /// People's words on them, the oldest first.
    words: Vec<AddressWord>,
    exit: Exit,
}

/// One address.
#[derive(Serialize, JsonSchema)]
struct Known {
    /// The address, or `sandbox`.
    address: String,
    /// Orders that are kept for it.
    orders: u64,
}

pub(super) fn same(settings: &Settings, arguments: &Same) -> Result<Exit> {
    match (&arguments.url, &arguments.because) {
        (Some(url), Some(because)) => say(settings, url, true, because),
        _ => listing(settings),
    }
}

pub(super) fn different(settings: &Settings, arguments: &Different) -> Result<Exit> {
    say(settings, &arguments.url, false, &arguments.because)
}

fn say(settings: &Settings, url: &str, is_same: bool, because: &str) -> Result<Exit> {
    let word = settings.app.service_word(url, is_same, because)?;
    let orders = settings.app.say_of_service(&word)?;
    if orders == 0 {
        let other = &word.other;
        note(format!("warning: the ledger has no order at {other}: check the address if you expected some"));
    }
    let own = settings.service_key()?;
    note(said(&own, &word.other, is_same));
    if settings.format == Format::Json {
        let (one, ServiceWord { other, because, .. }) = (own, word);
        print_document(Kind::ServiceWord, &Document { one, other, is_same, because, orders, exit: Exit::Done })?;
    }
    Ok(Exit::Done)
}

fn listing(settings: &Settings) -> Result<Exit> {
    drop(settings.read_ledger()?);
    let Addresses { addresses, words } = settings.app.addresses()?;
    if settings.format == Format::Json {
        let addresses = addresses.into_iter().map(|(address, orders)| Known { address, orders }).collect();
        print_document(Kind::ServiceAddresses, &ListDocument { addresses, words, exit: Exit::Done })?;
        return Ok(Exit::Done);
    }
    let own = settings.service_key().ok();
    let mut text = Vec::new();
    for (address, orders) in &addresses {
        let own = if own.as_ref() == Some(address) { ", configured" } else { "" };
        writeln!(text, "{address}: {}{own}", count(*orders, "order"))?;
    }
    for said in &words {
        let word = if said.is_same { "is the same service as" } else { "is another service than" };
        let replaced = if said.holds { "" } else { " (replaced by a later word)" };
        let (at, user, host) = (moment(said.at_ms), &said.user, &said.host);
        writeln!(
            text,
            "{} {word} {}{replaced}: said {at} by {user} on {host}, because: {}",
            said.one, said.other, said.because
        )?;
    }
    print(&text)?;
    Ok(Exit::Done)
}
