//! `shipment cancel`: each cancellation is noted before it is asked for, and believed only where the answer says so.

use std::cell::RefCell;

use anyhow::Result;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::api::{CallError, CancelError, Cancelled};
use crate::ledger::{CancelOutcome, Ledger, Shipped};
use crate::text::{count, shortened};

use super::bulk::{Does, Ends, Failure, for_each, tell};
use super::call::agreed;
use super::chosen::chosen;
use super::console::note;
use super::exit::Exit;
use super::ledger::lock_ledger;
use super::service_args::Which;
use super::session::{host, user};
use super::settings::{Settings, Verbosity};
use super::shipment::known_id;
use super::status::when;

/// Shipments that are named before the question.
const NAMED: usize = 5;

/// A shipment that is cancelled.
enum Told {
    Now(Cancelled),
    /// When it was, epoch milliseconds; it is not asked for again.
    Before(i64),
}

pub(super) fn cancel(settings: &Settings, which: &Which, yes: bool) -> Result<Exit> {
    let chosen = chosen(settings, which)?;
    let open: Vec<Shipped> =
        chosen.shipments.iter().filter(|shipment| shipment.cancelled_ms.is_none()).cloned().collect();
    let mut asked = Ends { list: Vec::new(), stopped: None };
    if !open.is_empty() {
        announce(settings, &open);
        agreed(settings, yes, &format!("Cancel {} at the service?", count(open.len() as u64, "shipment")))?;
        asked = ask(settings, which, &open)?;
    }
    let mut answers = asked.list.into_iter();
    let end = |shipment: &Shipped| match shipment.cancelled_ms {
        Some(at_ms) => Some(Ok(Told::Before(at_ms))),
        None => answers.next().flatten().map(|end| end.map(Told::Now)),
    };
    let ends = Ends { list: chosen.shipments.iter().map(end).collect(), stopped: asked.stopped };
    tell(settings, "cancelled", &chosen, &ends, as_json, as_line)
}

/// Names the first of what is to be cancelled, and what was asked for before.
fn announce(settings: &Settings, open: &[Shipped]) {
    if settings.verbosity == Verbosity::Quiet {
        return;
    }
    note("to cancel:");
    for shipment in open.iter().take(NAMED) {
        let carrier = shipment.carrier.as_ref().map(|carrier| format!(", {}", shortened(carrier, 40)));
        let before = shipment.cancel_unclear_ms.map(|at_ms| format!(" (asked for on {}, answer unknown)", when(at_ms)));
        let (number, awb) = (shortened(&shipment.order_number, 60), &shipment.awb);
        note(format!("  {number}, AWB {awb}{}{}", carrier.unwrap_or_default(), before.unwrap_or_default()));
    }
    if open.len() > NAMED {
        note(format!("  and {} more", open.len() - NAMED));
    }
}

fn ask(settings: &Settings, which: &Which, open: &[Shipped]) -> Result<Ends<Cancelled>> {
    let service = settings.service_key()?;
    let ledger = RefCell::new(Ledger::open_locked(lock_ledger(settings, "cancel")?)?);
    let (user, host) = (user(), host());
    for_each(settings, which, open, Does::Change, |caller, shipment| {
        let (ledger, service, by) = (&ledger, &service, (user.as_str(), host.as_str()));
        async move {
            let order_id = known_id(&shipment)?;
            let now_ms = || Timestamp::now().as_millisecond();
            let begun = ledger.borrow_mut().cancel_begins(service, &shipment.order_number, now_ms(), by);
            let id = begun.map_err(|error| format!("it was not asked for, as it cannot be noted: {error}"))?;
            let answered = caller.cancel(&order_id, Some(&shipment.awb)).await;
            let (outcome, said) = noted(&answered);
            let kept = ledger.borrow_mut().cancel_ends(id, now_ms(), outcome, &said);
            let cancelled = answered.map_err(failure)?;
            kept.map_err(|error| {
                Failure::Unclear(format!("it is cancelled, but that could not be kept: {error}"), None)
            })?;
            Ok::<_, Failure>(cancelled)
        }
    })
}

/// What is kept of an answer.
fn noted(answered: &Result<Cancelled, CancelError>) -> (CancelOutcome<'_>, String) {
    match answered {
        Ok(cancelled) => {
            let refund_status = cancelled.refund_status.as_deref();
            (CancelOutcome::Cancelled { refund_status }, cancelled.answer.to_string())
        }
        Err(CancelError::Unknown { why, .. }) => (CancelOutcome::Unknown, why.clone()),
        Err(CancelError::Call(error @ CallError::Refused { status, .. })) if *status != 429 => {
            (CancelOutcome::Refused, error.to_string())
        }
        Err(CancelError::Call(error)) => (CancelOutcome::Unsent, error.to_string()),
    }
}

fn failure(error: CancelError) -> Failure {
    let text = format!("{error}; look it up, or ask once more with the same command");
    match error {
        CancelError::Call(error) => Failure::Call(error),
        CancelError::Unknown { cause, .. } => Failure::Unclear(text, cause),
    }
}

fn as_json(told: &Told) -> Value {
    match told {
        Told::Now(Cancelled { refund_status, before, answer }) => {
            json!({"refund_status": refund_status, "before": before, "at_ms": null, "answer": answer})
        }
        Told::Before(at_ms) => json!({"refund_status": null, "before": true, "at_ms": at_ms, "answer": null}),
    }
}

fn as_line(told: &Told) -> String {
    match told {
        Told::Now(Cancelled { before: true, .. }) => "was cancelled before, says the service".to_owned(),
        Told::Now(Cancelled { refund_status, .. }) => {
            format!("cancelled, {}", refund_status.as_deref().unwrap_or("no refund status"))
        }
        Told::Before(at_ms) => format!("was cancelled on {}; not asked for again", when(*at_ms)),
    }
}
