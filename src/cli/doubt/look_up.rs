//! `doubt look-up`: the service itself asked for orders in doubt.

use std::collections::HashMap;
use std::io::Write;
use std::time::Duration;

use anyhow::{Result, bail};
use jiff::Timestamp;
use serde::Serialize;

use crate::api::operation::FIND_ORDER;
use crate::api::{Client, TokenKeeper};
use crate::cli::args::Format;
use crate::cli::console::{confirm, note, print, print_json};
use crate::cli::exit::Exit;
use crate::cli::room::runtime;
use crate::cli::settings::{Service, Settings};
use crate::ledger::Ledger;
use crate::settle::{self, CALIBRATION, Doubtful, Finder, Finding};
use crate::text::{count, list};

use super::word::{word, writable};

/// How long a service is given to show a booking, unless the configuration says otherwise.
const SETTLING: Duration = Duration::from_mins(15);

/// One order as it is told.
#[derive(Serialize)]
struct Entry {
    order: String,
    /// `booked`, `not-booked` or `unclear`.
    finding: &'static str,
    awb: Option<String>,
    because: String,
    settled: bool,
}

#[derive(Serialize)]
struct Report<'e> {
    orders: &'e [Entry],
    exit: u8,
}

pub(super) fn look_up(settings: &Settings, orders: &[String], yes: bool) -> Result<Exit> {
    let finder = finder(settings)?;
    let (mut ledger, service) = writable(settings)?;
    let doubts = doubts(&ledger, &service, orders)?;
    if doubts.is_empty() {
        note("no order is in doubt");
        return told(settings, &[]);
    }
    let known = ledger.latest_booked(&service, CALIBRATION)?;
    let settling = settings.config.doubt.settling_seconds.map_or(SETTLING, Duration::from_secs);
    let now_ms = Timestamp::now().as_millisecond();
    let findings = runtime()?.block_on(finder.find(&known, &doubts, settling, now_ms))?;
    let mut entries: Vec<Entry> = findings.into_iter().map(entry).collect();
    if settings.format == Format::Human {
        print(&described(&entries)?)?;
    }
    record(&mut ledger, &service, &mut entries, yes);
    if entries.iter().any(|entry| entry.settled && entry.finding == "not-booked") {
        note(format!("what is not booked may be sent again, once; next: `{} resume`", settings.command));
    }
    told(settings, &entries)
}

fn told(settings: &Settings, entries: &[Entry]) -> Result<Exit> {
    let exit = if entries.iter().all(|entry| entry.settled) { Exit::Done } else { Exit::InDoubt };
    if settings.format == Format::Json {
        print_json(&Report { orders: entries, exit: exit.code() })?;
    }
    Ok(exit)
}

fn finder(settings: &Settings) -> Result<Finder> {
    let Service::At(Some(endpoint)) = &settings.service else {
        settings.service_key()?;
        bail!("the sandbox inside this program forgets its bookings when it ends: there is nothing to ask");
    };
    let options = settings.client(endpoint.clone(), 1)?;
    let entry = options.operations.of(&FIND_ORDER);
    let client = Client::new(options)?;
    let tokens = TokenKeeper::new(settings.token_source(&client)?);
    Ok(Finder::new(client, tokens, entry)?)
}

/// The named orders in doubt, or all.
fn doubts(ledger: &Ledger, service: &str, orders: &[String]) -> Result<Vec<Doubtful>> {
    let mut histories = ledger.doubts()?;
    let mut is_ours = HashMap::new();
    for history in &histories {
        if !is_ours.contains_key(&history.service) {
            is_ours.insert(history.service.clone(), ledger.is_same_service(service, &history.service)?);
        }
    }
    histories.retain(|history| is_ours[&history.service]);
    let mut doubts: Vec<Doubtful> = histories
        .into_iter()
        .map(|history| {
            let sent_ms = history.attempts.last().map_or(i64::MAX, |attempt| attempt.intent_ms);
            Doubtful { number: history.number, sent_ms }
        })
        .collect();
    if orders.is_empty() {
        return Ok(doubts);
    }
    let not_in_doubt: Vec<&String> =
        orders.iter().filter(|order| !doubts.iter().any(|doubt| doubt.number == **order)).collect();
    if !not_in_doubt.is_empty() {
        bail!("not in doubt: {}; `doubt list` names those that are", list(&not_in_doubt, "and"));
    }
    doubts.retain(|doubt| orders.contains(&doubt.number));
    Ok(doubts)
}

fn entry((order, finding): (String, Finding)) -> Entry {
    let (finding, awb, because) = match finding {
        Finding::Booked { awb, because } => ("booked", Some(awb), because),
        Finding::NotBooked { because } => ("not-booked", None, because),
        Finding::Unclear { why } => ("unclear", None, why),
    };
    Entry { order, finding, awb, because, settled: false }
}

fn described(entries: &[Entry]) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    for entry in entries {
        let finding = if entry.finding == "unclear" { "stays in doubt" } else { entry.finding };
        writeln!(text, "order {}: {finding}: {}", entry.order, entry.because)?;
    }
    Ok(text)
}

/// Keeps what was found, after a yes; what the ledger does not take stays in doubt.
fn record(ledger: &mut Ledger, service: &str, entries: &mut [Entry], yes: bool) {
    let clear = entries.iter().filter(|entry| entry.finding != "unclear").count();
    if clear == 0 {
        return;
    }
    let orders = count(clear as u64, "order in doubt");
    if !yes && confirm(&format!("Record what was found of {orders}?")) != Some(true) {
        note(format!("{orders} could be settled and nothing was changed; add --yes to record what was found"));
        return;
    }
    for entry in entries {
        let word = word(&entry.because);
        let settled = match (entry.finding, &entry.awb) {
            ("booked", Some(awb)) => settle::booked(ledger, service, &entry.order, awb, &word),
            ("not-booked", _) => settle::not_booked(ledger, service, &entry.order, &word),
            _ => continue,
        };
        match settled {
            Ok(()) => entry.settled = true,
            Err(error) => note(format!("warning: order {} stays in doubt: {error}", entry.order)),
        }
    }
}
