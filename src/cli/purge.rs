//! `ledger purge`: what is personal goes from orders that are over.

use std::io::Write;

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::{Exit, Removal};
use crate::ledger::Purged;
use crate::text::{count, list};

use super::console::{confirm, note, print};
use super::document::{Kind, print_document};
use super::global::Format;
use super::settings::Settings;

/// `90d`.
pub(super) fn days(text: &str) -> Result<i64, String> {
    let days = text.strip_suffix('d').and_then(|days| days.parse().ok()).filter(|days| *days > 0);
    days.ok_or_else(|| "write a number of days such as 90d".to_owned())
}

/// The document of `ledger purge`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "What is personal, removed from the ledger")]
pub(super) struct Document<'r> {
    /// Whether it was removed; else it is what would be.
    removed: bool,
    #[serde(flatten)]
    removal: &'r Removal,
    exit: Exit,
}

/// Shows what would be removed, and removes it after a yes.
pub(super) fn purge(settings: &Settings, days: i64, yes: bool) -> Result<Exit> {
    let planned = settings.app.would_purge(days)?;
    if settings.format == Format::Human {
        print(&described(settings, &planned, days)?)?;
    }
    let Purged { orders, problems, deliveries, .. } = planned.purged;
    let has_any = orders + problems + deliveries > 0 || planned.sheets > 0;
    let question = if orders == 0 && planned.sheets > 0 {
        format!("Remove {} for good?", count(planned.sheets as u64, "dropped sheet"))
    } else {
        format!("Remove it for good from {}?", count(orders, "order"))
    };
    let agreed = has_any && (yes || confirm(&question) == Some(true));
    let done = if agreed { Some(settings.app.purge(days)?) } else { None };
    match &done {
        Some(removal) if removal.purged.is_log_left => {
            note(
                "removed; another program still reads the ledger, so that some of it is left in its log: run this again later",
            );
        }
        Some(removal) if removal.purged.is_on_server => {
            note(
                "removed, and the tables were written anew; the server's own log and backups have it for as long as they last",
            );
        }
        Some(_) => note("removed; the file was written anew and its log is empty"),
        None if has_any => note("nothing was removed; add --yes to remove it"),
        None => note("there is nothing to remove"),
    }
    if settings.format == Format::Json {
        let removal = done.as_ref().unwrap_or(&planned);
        let document = Document { removed: done.is_some(), removal, exit: Exit::Done };
        print_document(Kind::LedgerPurge, &document)?;
    }
    Ok(Exit::Done)
}

fn described(settings: &Settings, planned: &Removal, days: i64) -> Result<Vec<u8>> {
    let Removal { purged, sheets, elsewhere } = planned;
    let Purged { orders, requests, answers, problems, deliveries, open, invalid, named, .. } = purged;
    let mut text = Vec::new();
    writeln!(text, "over for {days} days: {}", count(*orders, "order"))?;
    writeln!(
        text,
        "goes: {}, {}, {} of rows, {}, {}",
        count(*requests, "request"),
        count(*answers, "answer"),
        count(*problems, "problem"),
        count(*deliveries, "tracking event"),
        count(*sheets as u64, "dropped sheet")
    )?;
    writeln!(text, "stays: order numbers, AWBs, hashes, money, decisions")?;
    let command = &settings.command;
    if *open > 0 {
        let open = count(*open, "order");
        writeln!(text, "stays whole, still open: {open} ({}): `{command} status`", list(named, "and"))?;
    }
    if *invalid > 0 {
        let invalid = count(*invalid, "invalid order");
        writeln!(
            text,
            "stays whole, never corrected: {invalid}; `{command} dismiss ORDER --because \"…\"` closes them"
        )?;
    }
    for folder in elsewhere {
        writeln!(text, "not touched, may hold the same people: {}", folder.display())?;
    }
    Ok(text)
}
