//! What can be done with booked shipments: which are meant, and calls over many of them.

use std::path::Path;

use jiff::Timestamp;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::after::brake::Brake;
use crate::after::labels::{Document, FetchError, Folder, Kept};
use crate::api::operation::{NDR, TRACK};
use crate::api::service::{Details, Tracking};
use crate::api::{CallError, Caller};
use crate::book::{StopSignal, StoppedBy};
use crate::config::PaceOptions;
use crate::ledger::{Ledger, ResultRow, RunId, Shipped, Wanted};

use super::bulk::{Steps, bulk};
use super::connect::App;
use super::error::{Error, Misuse, Result};
use super::exit::Exit;
use super::status::find_run;

/// Since when a booking is of late, in milliseconds: older labels that nobody printed are not wanted any more.
const LATELY_MS: i64 = 30 * 24 * 3_600_000;

/// Which shipments are meant, and how to go over them.
#[derive(Debug, Clone, Default)]
pub struct Which {
    /// Order numbers, as in the sheet.
    pub orders: Vec<String>,
    /// Every booked order of this run.
    pub run: Option<i64>,
    /// Only those whose labels were not handed out to be printed; where nothing else is named, all that were booked lately.
    pub not_printed: bool,
    /// How fast to call.
    pub pace: PaceOptions,
    /// Go on however many calls in a row are refused for one reason.
    pub keep_going: bool,
}

/// The shipments that are meant, and what has none.
#[derive(Debug, Clone, Default)]
pub struct Chosen {
    /// The shipments, in the order of the sheet, or as they were named.
    pub shipments: Vec<Shipped>,
    /// Numbers that were named and are not booked here.
    pub unknown: Vec<String>,
    /// Orders of the run without an AWB.
    pub without: Vec<ResultRow>,
    /// Shipments that are left out because they are cancelled, or may be.
    pub cancelled: Vec<Shipped>,
    /// How many are left out because their labels were printed.
    pub printed: u64,
    /// The run that was named.
    pub run: Option<i64>,
    pace: PaceOptions,
    keep_going: bool,
}

/// What came of each shipment, and what stopped the rest.
#[derive(Debug)]
pub struct Ends<T> {
    /// None where the call was stopped before it.
    pub list: Vec<Option<Result<T, Fault>>>,
    /// What ended it early, where shipments were not reached.
    pub stopped: Option<(StoppedBy, String)>,
}

/// What went wrong with one shipment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// In words.
    pub text: String,
    /// Nobody knows whether it was done all the same.
    pub is_unclear: bool,
}

/// What a call does at the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Does {
    /// It only asks.
    Ask,
    /// It changes something: one whose answer nobody waited for may have been done.
    Change,
}

/// Why a call for one shipment came to nothing.
#[derive(Debug)]
pub(super) enum Failure {
    Call(CallError),
    /// It may have been done all the same.
    Unclear(String, Option<CallError>),
    Other(String),
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Self {
        Self::Call(error)
    }
}

impl From<String> for Failure {
    fn from(text: String) -> Self {
        Self::Other(text)
    }
}

impl From<FetchError> for Failure {
    fn from(error: FetchError) -> Self {
        match error {
            FetchError::Call(error) => Self::Call(error),
            other => Self::Other(other.to_string()),
        }
    }
}

impl Failure {
    const fn call(&self) -> Option<&CallError> {
        match self {
            Self::Call(error) | Self::Unclear(_, Some(error)) => Some(error),
            Self::Unclear(_, None) | Self::Other(_) => None,
        }
    }

    /// The fault; none where nothing was done and the same call goes on.
    fn fault(self) -> Option<Fault> {
        match self {
            Self::Call(CallError::Stopped | CallError::Token(_) | CallError::Unauthorized) => None,
            Self::Call(error) => Some(Fault { text: error.to_string(), is_unclear: error.may_be_done() }),
            Self::Unclear(text, _) => Some(Fault { text, is_unclear: true }),
            Self::Other(text) => Some(Fault { text, is_unclear: false }),
        }
    }
}

impl Which {
    /// Makes sure that something was named.
    ///
    /// # Errors
    /// Nothing was.
    pub fn check(&self) -> Result<()> {
        let is_empty = self.orders.is_empty() && self.run.is_none() && !self.not_printed;
        if is_empty { Err(Misuse::NoOrderNamed.into()) } else { Ok(()) }
    }
}

impl App {
    /// Finds the shipments that are meant. There may be none: then nothing can be asked of the service.
    ///
    /// # Errors
    /// Nothing was named; no such run, or one of another service; a ledger that cannot be read.
    pub fn choose(&self, ledger: &Ledger, which: &Which) -> Result<Chosen> {
        which.check()?;
        let service = self.config.service_key()?;
        let (run, pace, keep_going) = (which.run, which.pace, which.keep_going);
        let mut chosen = Chosen { run, pace, keep_going, ..Chosen::default() };
        if let Some(run) = run {
            let record = find_run(ledger, Some(run))?;
            if !ledger.is_same_service(&service, &record.service)? {
                return Err(Error::OtherService { run, service: record.service, own: service });
            }
            chosen.shipments = ledger.shipped_of_run(record.id)?;
            chosen.without = self.without_awb(ledger, record.id)?;
        }
        for (place, number) in which.orders.iter().enumerate() {
            // Whoever names an order twice means it once.
            if which.orders[..place].contains(number) {
                continue;
            }
            match ledger.shipped(&service, number)? {
                Some(shipment) => chosen.shipments.push(shipment),
                None => chosen.unknown.push(number.clone()),
            }
        }
        if which.not_printed && run.is_none() && which.orders.is_empty() {
            chosen.shipments = ledger.not_printed(&service, Timestamp::now().as_millisecond() - LATELY_MS)?;
        } else if which.not_printed {
            let all = chosen.shipments.len();
            chosen.shipments.retain(|shipment| shipment.printed_ms.is_none());
            chosen.printed = (all - chosen.shipments.len()) as u64;
        }
        Ok(chosen)
    }

    fn without_awb(&self, ledger: &Ledger, run: RunId) -> Result<Vec<ResultRow>> {
        let mut without = Vec::new();
        ledger.for_each_result(
            &Wanted { run: Some(run), running: self.is_running(), ..Wanted::default() },
            &mut |row| {
                if row.awb.is_none() {
                    without.push(row.clone());
                }
            },
        )?;
        Ok(without)
    }

    /// What the service knows of shipments.
    ///
    /// # Errors
    /// No connection could be had. What failed for one shipment is among the ends.
    pub fn details(&self, chosen: &Chosen, stop: &StopSignal, steps: &mut dyn Steps) -> Result<Ends<Details>> {
        let call = |caller: Caller, shipment: Shipped| async move { caller.details(shipment.names()).await };
        self.for_each(chosen, &chosen.shipments, Does::Ask, stop, steps, call)
    }

    /// Where shipments are.
    ///
    /// # Errors
    /// No connection could be had. What failed for one shipment is among the ends.
    pub fn track(&self, chosen: &Chosen, stop: &StopSignal, steps: &mut dyn Steps) -> Result<Ends<Tracking>> {
        let call = |caller: Caller, shipment: Shipped| async move { caller.track(shipment.names()).await };
        self.for_each(chosen, &chosen.shipments, Does::Ask, stop, steps, call)
    }

    /// The status that a tracking event tells, in the service's word, where it tells it as an answer does.
    #[must_use]
    pub fn status_in(&self, event: &str) -> Option<String> {
        let (event, entry) = (serde_json::from_str::<Value>(event).ok()?, self.config.operations().ok()?.of(&TRACK));
        let at = |field| entry.configured_at(field).into_iter().chain(entry.known_at(field).iter().copied());
        let mut statuses = at("answer").flat_map(|whole| at("status").map(move |own| format!("{whole}{own}")));
        statuses.find_map(|pointer| event.pointer(&pointer)?.as_str().map(str::to_owned))
    }

    /// Fetches labels or invoices into a folder, each by its AWB; what is there and whole is not fetched again.
    ///
    /// # Errors
    /// The folder cannot be used, or no connection could be had. What failed for one shipment is among the ends.
    pub fn documents(
        &self,
        chosen: &Chosen,
        folder: &Path,
        document: Document,
        stop: &StopSignal,
        steps: &mut dyn Steps,
    ) -> Result<Ends<Kept>> {
        let cannot = format!("cannot use {} as a folder for {}", folder.display(), document.word());
        let folder = Folder::open(folder, document).map_err(Error::file(cannot))?;
        let call = |caller: Caller, shipment: Shipped| {
            let folder = folder.clone();
            async move { folder.get(&caller, &shipment).await }
        };
        self.for_each(chosen, &chosen.shipments, Does::Ask, stop, steps, call)
    }

    /// Whether failed deliveries can be told of: fails where nobody has said how the service takes it.
    ///
    /// # Errors
    /// The operation has no path.
    pub fn can_tell_couriers(&self) -> Result<()> {
        let operations = self.config.operations()?;
        let names = ["orderId", "order_id", "id", "orderNumber", "order_number", "awb"];
        operations.of(&NDR).address(&names.map(|name| (name.to_owned(), "1".to_owned())))?;
        Ok(())
    }

    /// Tells the courier what to do about failed deliveries, in the service's word, with further fields of the request.
    ///
    /// # Errors
    /// No connection could be had. What failed for one shipment is among the ends.
    pub fn tell_couriers(
        &self,
        chosen: &Chosen,
        action: &str,
        fields: &[(String, String)],
        stop: &StopSignal,
        steps: &mut dyn Steps,
    ) -> Result<Ends<Box<RawValue>>> {
        let call = |caller: Caller, shipment: Shipped| {
            let fields: Map<String, Value> =
                fields.iter().map(|(name, value)| (name.clone(), Value::from(value.clone()))).collect();
            async move { caller.ndr(shipment.names(), action, fields).await }
        };
        self.for_each(chosen, &chosen.shipments, Does::Change, stop, steps, call)
    }

    /// Calls for each shipment until done, stopped or interrupted.
    pub(super) fn for_each<T, E: Into<Failure>, F: Future<Output = Result<T, E>>>(
        &self,
        chosen: &Chosen,
        shipments: &[Shipped],
        does: Does,
        stop: &StopSignal,
        steps: &mut dyn Steps,
        call: impl Fn(Caller, Shipped) -> F,
    ) -> Result<Ends<T>> {
        let pace = self.config.pace(chosen.pace);
        let connection = self.connection(pace.concurrency)?;
        steps.begin(shipments.len());
        let bulk = bulk(pace, stop.clone(), steps)?;
        let caller = connection.caller().paced(bulk.pace.clone());
        let mut brake = Brake::default();
        brake.keep_going = chosen.keep_going;
        let call = |_, shipment| {
            let end = call(caller.clone(), shipment);
            async move { end.await.map_err(Into::into) }
        };
        let told = |_, end: &Result<T, Failure>| {
            steps.step();
            match end {
                Ok(_) => brake.note(None),
                // What was called off says nothing of the service.
                Err(Failure::Call(CallError::Stopped)) => None,
                Err(failure) => failure.call().and_then(|error| brake.note(Some(error))),
            }
        };
        let done = self.runtime()?.block_on(bulk.run(shipments, call, told));
        steps.finish();
        let fault = |end: Result<T, Failure>| match end {
            Ok(end) => Some(Ok(end)),
            Err(failure) => failure.fault().map(Err),
        };
        let mut list: Vec<_> = done.results.into_iter().map(|end| end.and_then(fault)).collect();
        if does == Does::Change {
            for place in done.left {
                let text = "it was left while the request was on the way, and may have been done; look it up";
                list[place] = Some(Err(Fault { text: text.to_owned(), is_unclear: true }));
            }
        }
        let stopped = done.stopped.filter(|_| list.iter().any(Option::is_none));
        Ok(Ends { list, stopped })
    }
}

impl Chosen {
    /// How a use case ends that could ask for all that is booked.
    #[must_use]
    pub fn exit(&self) -> Exit {
        let has = |state: &str| self.without.iter().any(|order| order.state == state);
        match () {
            () if has("in_doubt") || self.cancelled.iter().any(|left| left.cancel_unclear_ms.is_some()) => {
                Exit::InDoubt
            }
            () if has("outstanding") => Exit::Outstanding,
            () if self.without.is_empty() && self.unknown.is_empty() => Exit::Done,
            () => Exit::SomeFailed,
        }
    }

    /// Sets aside what is cancelled, or may be: nobody shall pack it.
    pub fn leave_out_cancelled(&mut self) {
        let is_cancelled = |shipment: &Shipped| shipment.cancelled_ms.or(shipment.cancel_unclear_ms).is_some();
        let (cancelled, rest) = std::mem::take(&mut self.shipments).into_iter().partition(is_cancelled);
        (self.cancelled, self.shipments) = (cancelled, rest);
    }

    /// Numbers that are left out: cancelled, and perhaps cancelled.
    #[must_use]
    pub fn cancelled_names(&self) -> [Vec<&str>; 2] {
        let (unclear, clear): (Vec<&Shipped>, Vec<&Shipped>) =
            self.cancelled.iter().partition(|shipment| shipment.cancel_unclear_ms.is_some());
        [clear, unclear].map(|list| list.into_iter().map(|shipment| shipment.order_number.as_str()).collect())
    }

    /// The orders without an AWB that are in a state, by number, or by rows where they have none.
    #[must_use]
    pub fn names(&self, state: &str) -> Vec<&str> {
        let of_state = self.without.iter().filter(|order| order.state == state);
        of_state.map(|order| order.order_number.as_deref().unwrap_or(&order.rows)).collect()
    }
}

impl<T> Ends<T> {
    /// How it ended: the gravest thing wins.
    #[must_use]
    pub fn exit(&self, chosen: &Chosen) -> Exit {
        let faults = || self.list.iter().flatten().filter_map(|end| end.as_ref().err());
        let exit = chosen.exit();
        if exit == Exit::InDoubt || faults().any(|fault| fault.is_unclear) {
            Exit::InDoubt
        } else if exit == Exit::Outstanding || self.list.iter().any(Option::is_none) {
            Exit::Outstanding
        } else if exit == Exit::SomeFailed || faults().next().is_some() {
            Exit::SomeFailed
        } else {
            Exit::Done
        }
    }

    /// Shipments that were not reached.
    #[must_use]
    pub fn left(&self) -> usize {
        self.list.iter().filter(|end| end.is_none()).count()
    }
}
