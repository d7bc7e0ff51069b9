//! What all commands over many shipments say: how each ended, and what stopped the rest.

use std::io::Write;

use anyhow::Result;
use serde_json::{Value, json};

use crate::app::{Chosen, Ends, Exit, Fault};
use crate::book::{StopSignal, StoppedBy};
use crate::text::count;

use super::chosen::{say, without_json};
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

/// What each document of such a command ends with.
pub(super) fn finish<T>(ends: &Ends<T>, document: &mut Value, chosen: &Chosen) -> Exit {
    let exit = ends.exit(chosen);
    document["unknown"] = json!(chosen.unknown);
    document["without_awb"] = without_json(chosen);
    document["cancelled"] = chosen.cancelled.iter().map(|shipment| json!(shipment.order_number)).collect();
    document["stopped_by"] = json!(ends.stopped.as_ref().map(|(by, _)| by.as_str()));
    document["stopped_why"] = json!(ends.stopped.as_ref().map(|(_, why)| why));
    document["exit"] = exit.code().into();
    exit
}

/// What is said of a shipment that was not come to.
pub(super) const NOT_REACHED: &str = "not done";

/// Prints one entry for each shipment: as JSON, or a line each.
pub(super) fn tell<T>(
    settings: &Settings,
    (kind, operation): (Kind, &str),
    chosen: &Chosen,
    ends: &Ends<T>,
    way_in: &str,
    as_json: impl Fn(&T) -> Value,
    as_line: impl Fn(&T) -> String,
) -> Result<Exit> {
    let together = || chosen.shipments.iter().zip(&ends.list);
    say(settings, chosen, way_in);
    if settings.format == Format::Json {
        let orders: Vec<Value> = together()
            .map(|(shipment, end)| {
                let (answer, error) = match end {
                    Some(Ok(answer)) => (as_json(answer), Value::Null),
                    Some(Err(fault)) => (Value::Null, Value::from(fault.text.clone())),
                    None => (Value::Null, Value::from(NOT_REACHED)),
                };
                let is_unclear = matches!(end, Some(Err(Fault { is_unclear: true, .. })));
                json!({"order_number": shipment.order_number, "awb": shipment.awb, "order_id": shipment.order_id,
                    operation: answer, "error": error, "unclear": is_unclear})
            })
            .collect();
        let mut document = json!({"orders": orders});
        let exit = finish(ends, &mut document, chosen);
        print_document(kind, &document)?;
        return Ok(exit);
    }
    let mut text = Vec::new();
    for (shipment, end) in together() {
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
