//! `ledger stations` and `ledger station-off`: who shares the ledger, and who is gone for good.

use std::io::Write;

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::Exit;
use crate::ledger::{Ledger, StationRecord, StationStanding};
use crate::text::{count, moment};

use super::console::{note, print};
use super::document::{Kind, print_document};
use super::global::Format;
use super::settings::Settings;

/// The document of `ledger stations`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "The stations of a shared ledger")]
pub(super) struct Document<'s> {
    /// The ledger.
    ledger: &'s str,
    /// Stations that are open, or left something of which nobody knows; none of a ledger in a file.
    stations: &'s [StationRecord],
    exit: Exit,
}

/// Lists them.
pub(super) fn list(settings: &Settings) -> Result<Exit> {
    let stations = settings.read_ledger()?.stations()?;
    if settings.format == Format::Json {
        let ledger = settings.config().site().named();
        let document = Document { ledger: &ledger, stations: &stations, exit: Exit::Done };
        print_document(Kind::LedgerStations, &document)?;
        return Ok(Exit::Done);
    }
    let mut text = Vec::new();
    lines(&mut text, &stations)?;
    print(&text)?;
    if stations.is_empty() {
        let shared = settings.config().site().is_shared();
        note(if shared { "no station works with this ledger just now" } else { "a ledger in a file has no stations" });
    }
    Ok(Exit::Done)
}

/// Writes those of a ledger.
pub(super) fn write(out: &mut Vec<u8>, ledger: &Ledger) -> Result<()> {
    lines(out, &ledger.stations()?)
}

fn lines(out: &mut Vec<u8>, stations: &[StationRecord]) -> Result<()> {
    stations.iter().try_for_each(|station| Ok(writeln!(out, "{}", line(station))?))
}

/// One station in a line.
fn line(station: &StationRecord) -> String {
    let StationRecord { number, host, user, heard_ms, standing, in_flight, in_doubt, because, .. } = station;
    let heard = moment(*heard_ms);
    let stands = match standing {
        StationStanding::Works => format!("works, heard at {heard}"),
        StationStanding::Silent => format!("silent, heard at {heard}"),
        StationStanding::Unheard => format!("not heard since {heard}: it may still send what it had begun"),
        StationStanding::Off => format!("switched off: {}", because.as_deref().unwrap_or_default()),
    };
    let (in_flight, in_doubt) = (count(*in_flight, "order"), count(*in_doubt, "order"));
    format!("station {number} ({user} on {host}): {stands}; {in_flight} in flight, {in_doubt} in doubt")
}

/// Keeps a person's word that one is switched off.
pub(super) fn off(settings: &Settings, number: i64, because: &str) -> Result<Exit> {
    settings.app.station_off(number, because)?;
    note(format!("station {number} counts as switched off from now on; that is kept for good"));
    if settings.format == Format::Json {
        return list(settings);
    }
    Ok(Exit::Done)
}
