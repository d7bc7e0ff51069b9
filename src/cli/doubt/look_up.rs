//! `doubt look-up`: the service itself asked for orders in doubt.

use std::io::Write;

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::{Exit, Session};
use crate::cli::connect::settle_service;
use crate::cli::console::{confirm, note, print};
use crate::cli::document::{Kind, print_document};
use crate::cli::global::Format;
use crate::cli::settings::Settings;
use crate::ledger::Upon;
use crate::settle::Finding;
use crate::text::count;

use super::word::settling;

/// The document of `doubt look-up`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Orders in doubt that the service was asked for")]
pub(in crate::cli) struct Document<'e> {
    /// The finding on each.
    orders: &'e [Entry],
    exit: Exit,
}

/// One order.
#[derive(Serialize, JsonSchema)]
struct Entry {
    /// The order number.
    order: String,
    /// The proof in the service's answer: that the order is booked, or none.
    finding: Proof,
    /// The air waybill number that the service has; null where it proves nothing.
    awb: Option<String>,
    /// The answer as it was seen.
    because: String,
    /// Whether it was recorded; what was not stays in doubt.
    settled: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Proof {
    Booked,
    Unclear,
}

pub(super) fn look_up(settings: &Settings, orders: &[String], yes: bool) -> Result<Exit> {
    settle_service(settings)?;
    let mut session = settling(settings)?;
    let findings = session.look_up(orders)?;
    if findings.is_empty() {
        note("no order is in doubt");
        return told(settings, &[]);
    }
    let mut entries: Vec<Entry> = findings.iter().map(entry).collect();
    if settings.format == Format::Human {
        print(&described(&entries)?)?;
    }
    record(&mut session, &findings, &mut entries, yes);
    if !entries.iter().all(|entry| entry.settled) {
        note(format!("look for what stays in doubt in the courier's portal; next: `{} doubt list`", settings.command));
    }
    told(settings, &entries)
}

fn told(settings: &Settings, entries: &[Entry]) -> Result<Exit> {
    let exit = if entries.iter().all(|entry| entry.settled) { Exit::Done } else { Exit::InDoubt };
    if settings.format == Format::Json {
        print_document(Kind::DoubtLookUp, &Document { orders: entries, exit })?;
    }
    Ok(exit)
}

fn entry((upon, finding): &(Upon, Finding)) -> Entry {
    let (finding, awb, because) = match finding {
        Finding::Booked { awb, because } => (Proof::Booked, Some(awb.clone()), because),
        Finding::Unclear { why } => (Proof::Unclear, None, why),
    };
    Entry { order: upon.number.clone(), finding, awb, because: because.clone(), settled: false }
}

fn described(entries: &[Entry]) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    for entry in entries {
        let finding = if entry.finding == Proof::Unclear { "stays in doubt" } else { "booked" };
        writeln!(text, "order {}: {finding}: {}", entry.order, entry.because)?;
    }
    Ok(text)
}

/// Keeps what was found, after a yes; what the ledger does not take stays in doubt.
fn record(session: &mut Session<'_>, findings: &[(Upon, Finding)], entries: &mut [Entry], yes: bool) {
    let clear = entries.iter().filter(|entry| entry.finding == Proof::Booked).count();
    if clear == 0 {
        return;
    }
    let orders = count(clear as u64, "order in doubt");
    if !yes && confirm(&format!("Record what was found of {orders}?")) != Some(true) {
        note(format!("{orders} could be settled and nothing was changed; add --yes to record what was found"));
        return;
    }
    for ((upon, finding), entry) in findings.iter().zip(entries) {
        match session.settle_finding(upon, finding) {
            Ok(settled) => entry.settled = settled,
            Err(error) => note(format!("warning: order {} stays as it is: {error}", upon.number)),
        }
    }
}
