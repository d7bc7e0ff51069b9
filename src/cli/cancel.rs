//! `cancel`: shipments are named and asked about before they are cancelled at the service.

use anyhow::Result;
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::api::Cancelled;
use crate::app::{Cancellation, Ends, Exit};
use crate::ledger::Shipped;
use crate::text::{count, moment, shortened};

use super::bulk::{Each, Ending, each, over_many, tell};
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

/// The document of `cancel`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Shipments that were cancelled")]
pub(super) struct Document<'a> {
    /// Every shipment, and what came of it.
    orders: Vec<Each<'a, Answer<'a>>>,
    #[serde(flatten)]
    ending: Ending<'a>,
}

/// An answer for a shipment.
#[derive(Serialize, JsonSchema)]
struct Answer<'a> {
    /// Null where it was not cancelled.
    cancelled: Option<Told<'a>>,
}

/// The cancellation.
#[derive(Serialize, JsonSchema)]
struct Told<'a> {
    /// The refund's status, in the service's word.
    refund_status: Option<&'a str>,
    /// Whether it was cancelled before.
    before: bool,
    /// When it was cancelled, where the ledger knew that already and the service was not asked, in milliseconds since 1970-01-01
    /// UTC; null where the service was asked.
    at_ms: Option<i64>,
    /// The service's whole answer; null where it was not asked.
    answer: Option<&'a Value>,
}

impl<'a> From<&'a Cancellation> for Told<'a> {
    fn from(told: &'a Cancellation) -> Self {
        match told {
            Cancellation::Now(Cancelled { refund_status, before, answer }) => {
                Self { refund_status: refund_status.as_deref(), before: *before, at_ms: None, answer: Some(answer) }
            }
            Cancellation::Before(at_ms) => {
                Self { refund_status: None, before: true, at_ms: Some(*at_ms), answer: None }
            }
        }
    }
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
    let document = || Document {
        orders: each(&chosen, &ends, |told| Answer { cancelled: told.map(Told::from) }),
        ending: Ending::of(&chosen, &ends),
    };
    tell(settings, (Kind::Cancel, document), &chosen, &ends, "", as_line)
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

fn as_line(told: &Cancellation) -> String {
    match told {
        Cancellation::Now(Cancelled { before: true, .. }) => "was cancelled before, says the service".to_owned(),
        Cancellation::Now(Cancelled { refund_status, .. }) => {
            format!("cancelled, {}", refund_status.as_deref().unwrap_or("no refund status"))
        }
        Cancellation::Before(at_ms) => format!("was cancelled on {}; not asked for again", moment(*at_ms)),
    }
}
