//! What all commands over many shipments say: how each ended, and what stopped the rest.

use std::io::Write;

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::{Chosen, Ends, Exit, Fault};
use crate::book::{StopSignal, StoppedBy};
use crate::ledger::{ResultRow, Shipped};
use crate::text::count;

use super::chosen::say;
use super::connect::settle_service;
use super::console::{note, print};
use super::couriers::Counted;
use super::document::{Kind, print_document};
use super::global::Format;
use super::settings::Settings;

/// Makes calls over many shipments, with progress on standard error, until done, stopped or interrupted. Signals before
/// the first call end the program at once.
pub(super) fn over_many<T>(
    settings: &Settings,
    call: impl FnOnce(&StopSignal, &mut Counted<'_>) -> crate::app::Result<Ends<T>>,
) -> Result<Ends<T>> {
    settle_service(settings)?;
    let mut steps = Counted::new(settings);
    let ends = call(&steps.stop(), &mut steps)?;
    say_stopped(&ends);
    Ok(ends)
}

pub(super) fn say_stopped<T>(ends: &Ends<T>) {
    let Some((by, why)) = &ends.stopped else { return };
    let left = count(ends.left() as u64, "order");
    match by {
        StoppedBy::Signal => note(format!("interrupted: {left} not reached; the same command goes on")),
        StoppedBy::Refusals | StoppedBy::Answer => note(format!(
            "stopped ({by}): {why}; {left} not done: the same command tries again, and with --keep-going it goes on \
             whatever is refused"
        )),
        _ => note(format!("stopped ({by}): {why}; {left} not done: the same command goes on with them")),
    }
}

/// The end of each document of such a command.
#[derive(Serialize, JsonSchema)]
pub(super) struct Ending<'a> {
    /// Order numbers that were named and that the ledger does not know as booked.
    unknown: &'a [String],
    /// Orders of the run that have no air waybill number.
    without_awb: Vec<WithoutAwb<'a>>,
    /// Order numbers that were left out, because they are cancelled or may be.
    cancelled: Vec<&'a str>,
    /// The cause for which the command ended early, for instance `signal` or `refusals`; null where it did not.
    stopped_by: Option<&'a str>,
    /// The same in English.
    stopped_why: Option<&'a str>,
    pub(super) exit: Exit,
}

/// An order of the run that has no air waybill number.
#[derive(Serialize, JsonSchema)]
struct WithoutAwb<'a> {
    /// The order number; null where its rows have none.
    order_number: Option<&'a str>,
    /// Where it stands.
    state: &'a str,
    /// Why.
    error: Option<&'a str>,
    /// Where it stands in its sheets.
    rows: &'a str,
}

impl<'a> Ending<'a> {
    pub(super) fn of<T>(chosen: &'a Chosen, ends: &'a Ends<T>) -> Self {
        let without = |row: &'a ResultRow| WithoutAwb {
            order_number: row.order_number.as_deref(),
            state: &row.state,
            error: row.error.as_deref(),
            rows: &row.rows,
        };
        Self {
            unknown: &chosen.unknown,
            without_awb: chosen.without.iter().map(without).collect(),
            cancelled: chosen.cancelled.iter().map(|shipment| shipment.order_number.as_str()).collect(),
            stopped_by: ends.stopped.as_ref().map(|(by, _)| by.as_str()),
            stopped_why: ends.stopped.as_ref().map(|(_, why)| why.as_str()),
            exit: ends.exit(chosen),
        }
    }
}

/// One shipment.
#[derive(Serialize, JsonSchema)]
pub(super) struct Each<'a, A> {
    /// The order number.
    order_number: &'a str,
    /// The air waybill number.
    awb: &'a str,
    /// The service's own id; null where a person settled the order.
    order_id: Option<&'a str>,
    #[serde(flatten)]
    answer: A,
    /// Why it failed, or `not done` where it was not reached; null where it did not fail.
    error: Option<&'a str>,
    /// Whether nobody knows if it was done.
    unclear: bool,
}

/// All shipments; `answer` makes the keys of a kind of its answer, or of none.
pub(super) fn each<'a, T, A>(
    chosen: &'a Chosen,
    ends: &'a Ends<T>,
    answer: impl Fn(Option<&'a T>) -> A,
) -> Vec<Each<'a, A>> {
    let each = |(shipment, end): (&'a Shipped, &'a Option<Result<T, Fault>>)| Each {
        order_number: &shipment.order_number,
        awb: &shipment.awb,
        order_id: shipment.order_id.as_deref(),
        answer: answer(end.as_ref().and_then(|end| end.as_ref().ok())),
        error: why(end.as_ref()),
        unclear: matches!(end, Some(Err(Fault { is_unclear: true, .. }))),
    };
    chosen.shipments.iter().zip(&ends.list).map(each).collect()
}

/// Why a shipment has no answer; none where it has one.
pub(super) fn why<T>(end: Option<&Result<T, Fault>>) -> Option<&str> {
    match end {
        Some(Ok(_)) => None,
        Some(Err(fault)) => Some(&fault.text),
        None => Some(NOT_REACHED),
    }
}

/// Stands for the answer of a shipment that was not reached.
const NOT_REACHED: &str = "not done";

/// Prints the document of a command, or a line for each shipment.
pub(super) fn tell<T, D: Serialize>(
    settings: &Settings,
    (kind, document): (Kind, impl FnOnce() -> D),
    chosen: &Chosen,
    ends: &Ends<T>,
    way_in: &str,
    as_line: impl Fn(&T) -> String,
) -> Result<Exit> {
    say(settings, chosen, way_in);
    if settings.format == Format::Json {
        print_document(kind, &document())?;
        return Ok(ends.exit(chosen));
    }
    let mut text = Vec::new();
    for (shipment, end) in chosen.shipments.iter().zip(&ends.list) {
        let said = match end {
            Some(Ok(answer)) => as_line(answer),
            Some(Err(fault)) => format!("error: {}", fault.text),
            None => NOT_REACHED.to_owned(),
        };
        // What takes lines of its own begins with a new one.
        let gap = if said.starts_with('\n') { "" } else { "  " };
        writeln!(text, "{}  {}{gap}{said}", shipment.order_number, shipment.awb)?;
    }
    print(&text)?;
    Ok(ends.exit(chosen))
}
