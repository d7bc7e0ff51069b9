//! `track`: one order's history, a table of several, or a run's summary with exceptions first.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::Result;
use serde_json::json;

use crate::after::tracking::{Urgency, urgency};
use crate::api::service::Tracking;
use crate::ledger::Shipped;

use super::args::Format;
use super::console::{print, print_json};
use super::exit::Exit;
use super::service_args::Which;
use super::settings::Settings;
use super::shipment::{Chosen, Ends, chosen, exit_of, for_each, tell};
use super::status::when;

pub(super) fn track(settings: &Settings, which: &Which) -> Result<Exit> {
    let chosen = chosen(settings, which)?;
    let ends = for_each(settings, &which.pace, &chosen.shipments, |caller, shipment| async move {
        let order_id = shipment.order_id.ok_or("its id at the service is not known, for a person settled it")?;
        caller.track(&order_id).await.map_err(|error| error.to_string())
    })?;
    if which.run.is_some() {
        return summary(settings, &chosen, &ends);
    }
    if let ([Some(Ok(tracking))], Format::Human) = (ends.as_slice(), settings.format) {
        return history(&chosen, &ends, tracking);
    }
    tell(settings, "tracking", &chosen, &ends, |tracking| json!(tracking), latest)
}

fn status(tracking: &Tracking) -> &str {
    tracking.status.as_deref().unwrap_or("no status yet")
}

/// The latest of a shipment, on one line.
fn latest(tracking: &Tracking) -> String {
    let last = tracking.checkpoints.last();
    let at = last.and_then(|checkpoint| checkpoint.at_ms).map(|at| format!("  {}", when(at))).unwrap_or_default();
    let said = last.and_then(|checkpoint| checkpoint.message.clone()).map(|text| format!("  {text}"));
    format!("{}{at}{}", status(tracking), said.unwrap_or_default())
}

fn history(chosen: &Chosen, ends: &Ends<Tracking>, tracking: &Tracking) -> Result<Exit> {
    let mut text = Vec::new();
    let shipment = &chosen.shipments[0];
    writeln!(text, "order {}, AWB {}: {}", shipment.order_number, shipment.awb, status(tracking))?;
    for checkpoint in &tracking.checkpoints {
        let at = checkpoint.at_ms.map_or_else(|| "(no time)".to_owned(), when);
        let parts = [&checkpoint.status, &checkpoint.message, &checkpoint.place].map(|part| part.as_deref());
        writeln!(text, "  {at}  {}", parts.into_iter().flatten().collect::<Vec<_>>().join(", "))?;
    }
    print(&text)?;
    Ok(exit_of(ends, chosen))
}

/// How many are where; what wants attention comes first and by name.
fn summary(settings: &Settings, chosen: &Chosen, ends: &Ends<Tracking>) -> Result<Exit> {
    let exit = exit_of(ends, chosen);
    let mut counts: BTreeMap<(Urgency, &str), Vec<usize>> = BTreeMap::new();
    for (n, end) in ends.iter().enumerate() {
        if let Some(Ok(tracking)) = end {
            let status = status(tracking);
            counts.entry((urgency(status), status)).or_default().push(n);
        }
    }
    let order = |n: &usize| &chosen.shipments[*n].order_number;
    let failed = ends.iter().filter(|end| !matches!(end, Some(Ok(_)))).count();
    if settings.format == Format::Json {
        let statuses: Vec<_> = counts
            .iter()
            .map(|((urgency, status), places)| {
                json!({"status": status, "exception": *urgency == Urgency::Exception, "orders": places.len(),
                    "order_numbers": places.iter().map(order).collect::<Vec<_>>()})
            })
            .collect();
        let error = |(shipment, end): (&Shipped, &Option<Result<Tracking, String>>)| match end {
            Some(Err(error)) => Some(json!({"order_number": shipment.order_number, "error": error})),
            _ => None,
        };
        let errors: Vec<_> = chosen.shipments.iter().zip(ends).filter_map(error).collect();
        print_json(&json!({"statuses": statuses, "orders": ends.len(), "untracked": failed, "errors": errors,
            "exit": exit.code()}))?;
        return Ok(exit);
    }
    let mut text = Vec::new();
    for ((urgency, status), places) in &counts {
        let mark = if *urgency == Urgency::Exception { "!" } else { " " };
        writeln!(text, "{mark} {:>6}  {status}", places.len())?;
        if *urgency == Urgency::Exception {
            for n in places {
                writeln!(text, "          {}  {}", chosen.shipments[*n].order_number, chosen.shipments[*n].awb)?;
            }
        }
    }
    if failed > 0 {
        writeln!(text, "  {failed:>6}  could not be tracked")?;
        for (shipment, end) in chosen.shipments.iter().zip(ends) {
            if let Some(Err(error)) = end {
                writeln!(text, "          {}  {error}", shipment.order_number)?;
            }
        }
    }
    print(&text)?;
    Ok(exit)
}
