//! `track`: one order's history, a table of several, or a run's summary with exceptions first.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::Result;
use serde_json::json;

use crate::after::tracking::{Urgency, urgency};
use crate::api::service::Tracking;
use crate::app::{Chosen, Ends, Exit, Fault};
use crate::ledger::Shipped;
use crate::text::moment as when;

use super::bulk::{NOT_REACHED, finish, over_many, tell};
use super::chosen::{Which, chosen, say};
use super::console::print;
use super::document::{Kind, print_document};
use super::global::Format;
use super::settings::Settings;

pub(super) fn track(settings: &Settings, which: &Which) -> Result<Exit> {
    let chosen = chosen(settings, which)?;
    let ends = over_many(settings, |stop, steps| settings.app.track(&chosen, stop, steps))?;
    if which.run.is_some() {
        return summary(settings, &chosen, &ends);
    }
    if let ([Some(Ok(tracking))], Format::Human) = (ends.list.as_slice(), settings.format) {
        return history(&chosen, &ends, tracking);
    }
    tell(settings, (Kind::Track, "tracking"), &chosen, &ends, "", |tracking| json!(tracking), latest)
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
    Ok(ends.exit(chosen))
}

/// How many are where; what wants attention comes first and by name.
fn summary(settings: &Settings, chosen: &Chosen, ends: &Ends<Tracking>) -> Result<Exit> {
    say(settings, chosen, "");
    let mut counts: BTreeMap<(Urgency, &str), Vec<usize>> = BTreeMap::new();
    for (n, end) in ends.list.iter().enumerate() {
        if let Some(Ok(tracking)) = end {
            let status = status(tracking);
            counts.entry((urgency(status), status)).or_default().push(n);
        }
    }
    let order = |n: &usize| &chosen.shipments[*n].order_number;
    let failed = ends.list.iter().filter(|end| !matches!(end, Some(Ok(_)))).count();
    if settings.format == Format::Json {
        let statuses: Vec<_> = counts
            .iter()
            .map(|((urgency, status), places)| {
                json!({"status": status, "exception": *urgency == Urgency::Exception, "orders": places.len(),
                    "order_numbers": places.iter().map(order).collect::<Vec<_>>()})
            })
            .collect();
        let error = |(shipment, end): (&Shipped, &Option<Result<Tracking, Fault>>)| {
            let said = why(end.as_ref())?;
            Some(json!({"order_number": shipment.order_number, "error": said}))
        };
        let errors: Vec<_> = chosen.shipments.iter().zip(&ends.list).filter_map(error).collect();
        let mut document =
            json!({"statuses": statuses, "orders": ends.list.len(), "untracked": failed, "errors": errors});
        let exit = finish(ends, &mut document, chosen);
        print_document(Kind::TrackSummary, &document)?;
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
        for (shipment, end) in chosen.shipments.iter().zip(&ends.list) {
            if let Some(Err(fault)) = end {
                writeln!(text, "          {}  {}", shipment.order_number, fault.text)?;
            }
        }
    }
    print(&text)?;
    Ok(ends.exit(chosen))
}

/// Why a shipment could not be tracked; none where it could.
fn why(end: Option<&Result<Tracking, Fault>>) -> Option<&str> {
    match end {
        Some(Ok(_)) => None,
        Some(Err(fault)) => Some(&fault.text),
        None => Some(NOT_REACHED),
    }
}
