//! Cancellations: each is noted before it is asked for, and believed only where the answer says so.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use jiff::Timestamp;

use crate::api::{CallError, Caller, CancelError, Cancelled};
use crate::book::StopSignal;
use crate::ledger::{CancelOutcome, Consignment, Ledger, Shipped};
use crate::text::Decimal;

use super::bulk::Steps;
use super::connect::App;
use super::error::Result;
use super::shipments::{Chosen, Does, Ends, Failure, Which};
use super::who::{host, user};

/// Shipments that would be cancelled, before a person says so.
#[derive(Debug, Default)]
pub struct ToCancel {
    /// The shipments; of a run only those that are not cancelled yet.
    pub chosen: Chosen,
    /// The declared value of those that are not cancelled yet: a sum of figures, each in its order's currency.
    pub value: Decimal,
    /// The amount that couriers would collect for them at the door, likewise.
    pub to_collect: Decimal,
    /// How many shipments of the run are cancelled.
    pub cancelled: u64,
    /// Shipments of the run's orders that other runs sent, which stay: how many, by run.
    pub of_other_runs: BTreeMap<i64, u64>,
}

impl ToCancel {
    /// Tells the shipments from any others: a person agrees to these alone.
    #[must_use]
    pub fn stamp(&self) -> String {
        let open: Vec<_> = self.chosen.not_cancelled().into_iter().map(|own| (own.order_number, own.awb)).collect();
        format!("{:016x}", BuildHasherDefault::<DefaultHasher>::default().hash_one(open))
    }
}

/// A shipment that is cancelled.
#[derive(Debug)]
pub enum Cancellation {
    /// The service said so now.
    Now(Cancelled),
    /// It was before, epoch milliseconds; it is not asked for again.
    Before(i64),
}

impl Chosen {
    /// Shipments of which it is not known that they are cancelled.
    #[must_use]
    pub fn not_cancelled(&self) -> Vec<Shipped> {
        self.shipments.iter().filter(|shipment| shipment.cancelled_ms.is_none()).cloned().collect()
    }
}

impl App {
    /// The shipments that would be cancelled. Of a run these are what it sent itself: an order may have come with another
    /// sheet as well, which booked it.
    ///
    /// # Errors
    /// Nothing was named; no such run, or one of another service; a ledger that cannot be read.
    pub fn to_cancel(&self, ledger: &Ledger, which: &Which) -> Result<ToCancel> {
        let (service, chosen) = (self.config.service_key()?, self.choose(ledger, which)?);
        let mut found = ToCancel { chosen, ..ToCancel::default() };
        for shipment in std::mem::take(&mut found.chosen.shipments) {
            let consignment = ledger.consignment(&service, &shipment.order_number)?;
            let Some(Consignment { sent_in, value, to_collect }) = consignment else { continue };
            if let Some(other) = sent_in.filter(|own| which.run.is_some_and(|run| run != *own)) {
                *found.of_other_runs.entry(other).or_default() += 1;
                continue;
            }
            if shipment.cancelled_ms.is_some() {
                found.cancelled += 1;
                if which.run.is_some() {
                    continue;
                }
            } else {
                found.value += value;
                found.to_collect += to_collect;
            }
            found.chosen.shipments.push(shipment);
        }
        Ok(found)
    }

    /// Cancels shipments at the service; what is known as cancelled is not asked for again.
    ///
    /// # Errors
    /// Another process holds the ledger; no connection could be had. What failed for one shipment is among the ends.
    pub fn cancel(&self, chosen: &Chosen, stop: &StopSignal, steps: &mut dyn Steps) -> Result<Ends<Cancellation>> {
        let open = chosen.not_cancelled();
        let asked = if open.is_empty() {
            Ends { list: Vec::new(), stopped: None }
        } else {
            self.ask_to_cancel(chosen, &open, stop, steps)?
        };
        let mut answers = asked.list.into_iter();
        let end = |shipment: &Shipped| match shipment.cancelled_ms {
            Some(at_ms) => Some(Ok(Cancellation::Before(at_ms))),
            None => answers.next().flatten().map(|end| end.map(Cancellation::Now)),
        };
        Ok(Ends { list: chosen.shipments.iter().map(end).collect(), stopped: asked.stopped })
    }

    fn ask_to_cancel(
        &self,
        chosen: &Chosen,
        open: &[Shipped],
        stop: &StopSignal,
        steps: &mut dyn Steps,
    ) -> Result<Ends<Cancelled>> {
        let service = self.config.service_key()?;
        let ledger = RefCell::new(Ledger::open_locked(self.lock_ledger("cancel")?, &self.watch())?);
        let (user, host) = (user(), host());
        let call = |caller: Caller, shipment: Shipped| {
            let (ledger, service, by) = (&ledger, &service, (user.as_str(), host.as_str()));
            async move {
                let now_ms = || Timestamp::now().as_millisecond();
                let begun = ledger.borrow_mut().cancel_begins(service, &shipment.order_number, now_ms(), by);
                let id = begun.map_err(|error| format!("it was not asked for, as it cannot be noted: {error}"))?;
                let answered = caller.cancel(shipment.names()).await;
                let (outcome, said) = noted(&answered);
                let kept = ledger.borrow_mut().cancel_ends(id, now_ms(), outcome, &said);
                let cancelled = answered.map_err(failure)?;
                kept.map_err(|error| {
                    Failure::Unclear(format!("it is cancelled, but that could not be kept: {error}"), None)
                })?;
                Ok::<_, Failure>(cancelled)
            }
        };
        self.for_each(chosen, open, Does::Change, stop, steps, call)
    }
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
    let text = format!("{error}; look it up, or ask once more");
    match error {
        CancelError::Call(error) => Failure::Call(error),
        CancelError::Unknown { cause, .. } => Failure::Unclear(text, cause),
    }
}
