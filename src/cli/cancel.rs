//! `cancel`: shipments are named and asked about before they are cancelled at the service.

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};

use crate::api::Cancelled;
use crate::app::{Cancellation, Ends, Exit};
use crate::ledger::Shipped;
use crate::text::{count, moment, shortened};

use super::bulk::{over_many, tell};
use super::chosen::{Which, chosen};
use super::console::note;
use super::document::Kind;
use super::session::agreed_to;
use super::settings::Settings;

/// Shipments that are named before the question.
const NAMED: usize = 5;

#[derive(Debug, Args)]
pub(super) struct Cancel {
    #[command(flatten)]
    which: Which,
    /// Do not ask before cancelling
    #[arg(long, short)]
    yes: bool,
}

pub(super) fn cancel(settings: &Settings, arguments: &Cancel) -> Result<Exit> {
    let chosen = chosen(settings, &arguments.which)?;
    let open = chosen.not_cancelled();
    let ends: Ends<Cancellation> = if open.is_empty() {
        let before = |shipment: &Shipped| shipment.cancelled_ms.map(|at_ms| Ok(Cancellation::Before(at_ms)));
        Ends { list: chosen.shipments.iter().map(before).collect(), stopped: None }
    } else {
        announce(settings, &open);
        agreed_to(
            settings,
            arguments.yes,
            &format!("Cancel {} at the service?", count(open.len() as u64, "shipment")),
        )?;
        over_many(settings, |stop, steps| settings.app.cancel(&chosen, stop, steps))?
    };
    tell(settings, (Kind::Cancel, "cancelled"), &chosen, &ends, "", as_json, as_line)
}

/// Names the first of what is to be cancelled, and what was asked for before.
fn announce(settings: &Settings, open: &[Shipped]) {
    if settings.is_quiet() {
        return;
    }
    note("to cancel:");
    for shipment in open.iter().take(NAMED) {
        let carrier = shipment.carrier.as_ref().map(|carrier| format!(", {}", shortened(carrier, 40)));
        let before =
            shipment.cancel_unclear_ms.map(|at_ms| format!(" (asked for on {}, answer unknown)", moment(at_ms)));
        let (number, awb) = (shortened(&shipment.order_number, 60), &shipment.awb);
        note(format!("  {number}, AWB {awb}{}{}", carrier.unwrap_or_default(), before.unwrap_or_default()));
    }
    if open.len() > NAMED {
        note(format!("  and {} more", open.len() - NAMED));
    }
}

fn as_json(told: &Cancellation) -> Value {
    match told {
        Cancellation::Now(Cancelled { refund_status, before, answer }) => {
            json!({"refund_status": refund_status, "before": before, "at_ms": null, "answer": answer})
        }
        Cancellation::Before(at_ms) => json!({"refund_status": null, "before": true, "at_ms": at_ms, "answer": null}),
    }
}

fn as_line(told: &Cancellation) -> String {
    match told {
        Cancellation::Now(Cancelled { before: true, .. }) => "was cancelled before, says the service".to_owned(),
        Cancellation::Now(Cancelled { refund_status, .. }) => {
            format!("cancelled, {}", refund_status.as_deref().unwrap_or("no refund status"))
        }
        Cancellation::Before(at_ms) => format!("was cancelled on {}; not asked for again", moment(*at_ms)),
    }
}
