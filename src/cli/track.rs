//! `track`: one order's history, a table of several, or a run's summary with exceptions first.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;

use crate::after::tracking::{Urgency, urgency};
use crate::api::service::Tracking;
use crate::app::{Chosen, Ends, Exit};
use crate::text::moment as when;

use super::bulk::{Each, Ending, each, over_many, tell, why};
use super::chosen::{Which, chosen, say};
use super::console::print;
use super::document::{Kind, print_document};
use super::global::Format;
use super::settings::Settings;

/// The document of `track`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Where shipments are")]
pub(super) struct Document<'a> {
    /// Every shipment, and what came of it.
    orders: Vec<Each<'a, Answer<'a>>>,
    #[serde(flatten)]
    ending: Ending<'a>,
}

/// An answer for a shipment.
#[derive(Serialize, JsonSchema)]
struct Answer<'a> {
    /// Where it is; null where that is not known.
    tracking: Option<&'a Tracking>,
}

/// The document of `track --run`: how many are where, exceptions first.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Where the shipments of a run are")]
pub(super) struct Summary<'a> {
    /// Every status that shipments have.
    statuses: Vec<Status<'a>>,
    /// Shipments that were asked for.
    orders: usize,
    /// Shipments that could not be tracked.
    untracked: usize,
    /// Why they could not.
    errors: Vec<Untracked<'a>>,
    #[serde(flatten)]
    ending: Ending<'a>,
}

/// One status.
#[derive(Serialize, JsonSchema)]
struct Status<'a> {
    /// The service's word, or `no status yet`.
    #[serde(rename = "status")]
    word: &'a str,
    /// Whether it wants attention.
    exception: bool,
    /// Shipments that have it.
    orders: usize,
    /// Their order numbers.
    order_numbers: Vec<&'a str>,
}

/// A shipment that could not be tracked.
#[derive(Serialize, JsonSchema)]
struct Untracked<'a> {
    /// The order number.
    order_number: &'a str,
    /// Why.
    error: &'a str,
}

pub(super) fn track(settings: &Settings, which: &Which) -> Result<Exit> {
    let chosen = chosen(settings, which)?;
    let ends = over_many(settings, |stop, steps| settings.app.track(&chosen, stop, steps))?;
    if which.run.is_some() {
        return summary(settings, &chosen, &ends);
    }
    if let ([Some(Ok(tracking))], Format::Human) = (ends.list.as_slice(), settings.format) {
        return history(&chosen, &ends, tracking);
    }
    let document = || Document {
        orders: each(&chosen, &ends, |tracking| Answer { tracking }),
        ending: Ending::of(&chosen, &ends),
    };
    tell(settings, (Kind::Track, document), &chosen, &ends, "", latest)
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
fn summary<'s>(settings: &Settings, chosen: &'s Chosen, ends: &'s Ends<Tracking>) -> Result<Exit> {
    say(settings, chosen, "");
    let mut counts: BTreeMap<(Urgency, &str), Vec<usize>> = BTreeMap::new();
    for (n, end) in ends.list.iter().enumerate() {
        if let Some(Ok(tracking)) = end {
            let status = status(tracking);
            counts.entry((urgency(status), status)).or_default().push(n);
        }
    }
    let failed = ends.list.iter().filter(|end| !matches!(end, Some(Ok(_)))).count();
    if settings.format == Format::Json {
        let order = |n: usize| chosen.shipments[n].order_number.as_str();
        let status = |((urgency, status), places): (&(Urgency, &'s str), &Vec<usize>)| Status {
            word: status,
            exception: *urgency == Urgency::Exception,
            orders: places.len(),
            order_numbers: places.iter().map(|n| order(*n)).collect(),
        };
        let error =
            |(n, end): (usize, &'s Option<_>)| Some(Untracked { order_number: order(n), error: why(end.as_ref())? });
        let document = Summary {
            statuses: counts.iter().map(status).collect(),
            orders: ends.list.len(),
            untracked: failed,
            errors: ends.list.iter().enumerate().filter_map(error).collect(),
            ending: Ending::of(chosen, ends),
        };
        print_document(Kind::TrackSummary, &document)?;
        return Ok(ends.exit(chosen));
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
