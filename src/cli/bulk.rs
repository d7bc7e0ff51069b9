//! What all commands over many shipments share: pace, progress, brakes, and how each ended.

use std::io::Write;
use std::sync::Arc;

use anyhow::Result;
use serde_json::{Value, json};

use crate::after::brake::Brake;
use crate::after::bulk::Bulk;
use crate::after::labels::FetchError;
use crate::api::{CallError, Caller, Pace};
use crate::book::{StopSignal, StoppedBy};
use crate::ledger::Shipped;
use crate::report::Counter;
use crate::text::{count, duration};

use super::args::Format;
use super::chosen::Chosen;
use super::console::{listen_for_signals, note, print, print_json, progress_style};
use super::exit::Exit;
use super::room::runtime;
use super::service_args::Which;
use super::session::Line;
use super::settings::Settings;

/// What came of each shipment, and what stopped the rest.
pub(super) struct Ends<T> {
    /// None where the call was stopped before it.
    pub(super) list: Vec<Option<Result<T, Fault>>>,
    pub(super) stopped: Option<(StoppedBy, String)>,
}

/// What went wrong with one shipment, for people.
#[derive(Debug, Clone)]
pub(super) struct Fault {
    pub(super) text: String,
    /// Nobody knows whether it was done all the same.
    pub(super) is_unclear: bool,
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

    /// The fault; none where nothing was done and the same command goes on.
    fn fault(self) -> Option<Fault> {
        match self {
            Self::Call(CallError::Stopped | CallError::Token(_) | CallError::Unauthorized) => None,
            Self::Call(error) => Some(Fault { text: error.to_string(), is_unclear: error.may_be_done() }),
            Self::Unclear(text, _) => Some(Fault { text, is_unclear: true }),
            Self::Other(text) => Some(Fault { text, is_unclear: false }),
        }
    }
}

/// How to go over many, telling people what is waited for.
pub(super) fn bulk(concurrency: usize, rate: Option<f64>, tell: impl Fn(&str) + Send + Sync + 'static) -> Bulk {
    let tell: Arc<dyn Fn(&str) + Send + Sync> = Arc::new(tell);
    let told = Arc::clone(&tell);
    let pace = Pace::new(rate).telling(move |why, time| told(&format!("waiting {}: {why}", duration(time))));
    Bulk { concurrency, pace, stop: StopSignal::default(), tell }
}

/// Calls for each shipment, with progress on standard error, until done, stopped or interrupted.
pub(super) fn for_each<T, E: Into<Failure>, F: Future<Output = Result<T, E>>>(
    settings: &Settings,
    which: &Which,
    shipments: &[Shipped],
    does: Does,
    call: impl Fn(Caller, Shipped) -> F,
) -> Result<Ends<T>> {
    let runtime = runtime()?;
    let (concurrency, rate) = settings.pace(&which.pace);
    let line = Line::connect(settings, concurrency, &runtime)?;
    let mut counter = Counter::new(progress_style(settings.verbosity), shipments.len());
    let bulk = bulk(concurrency, rate, counter.line());
    let caller = line.caller().paced(bulk.pace.clone());
    let mut brake = Brake::default();
    brake.keep_going = which.keep_going;
    let done = runtime.block_on(async {
        listen_for_signals(bulk.stop.clone());
        let call = |_, shipment| {
            let end = call(caller.clone(), shipment);
            async move { end.await.map_err(Into::into) }
        };
        let told = |_, end: &Result<T, Failure>| {
            counter.step();
            match end {
                Ok(_) => brake.note(None),
                // What was called off says nothing of the service.
                Err(Failure::Call(CallError::Stopped)) => None,
                Err(failure) => failure.call().and_then(|error| brake.note(Some(error))),
            }
        };
        bulk.run(shipments, call, told).await
    });
    counter.finish();
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
    let left = list.iter().filter(|end| end.is_none()).count() as u64;
    let stopped = done.stopped.filter(|_| left > 0);
    if let Some((by, why)) = &stopped {
        say_stopped(*by, why, left);
    }
    Ok(Ends { list, stopped })
}

fn say_stopped(by: StoppedBy, why: &str, left: u64) {
    let left = count(left, "order");
    match by {
        StoppedBy::Signal => note(format!("interrupted: {left} not reached; the same command goes on")),
        StoppedBy::Refusals => note(format!(
            "stopped ({by}): {why}; {left} not done: the same command tries again, and with --keep-going it goes on \
             whatever is refused"
        )),
        _ => note(format!("stopped ({by}): {why}; {left} not done: the same command goes on with them")),
    }
}

impl<T> Ends<T> {
    /// How the command ends: the gravest thing wins.
    pub(super) fn exit(&self, chosen: &Chosen) -> Exit {
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

    /// What each document of such a command ends with.
    pub(super) fn finish(&self, document: &mut Value, chosen: &Chosen) -> Exit {
        let exit = self.exit(chosen);
        document["unknown"] = json!(chosen.unknown);
        document["without_awb"] = chosen.without_json();
        document["cancelled"] = chosen.cancelled.iter().map(|shipment| json!(shipment.order_number)).collect();
        document["stopped_by"] = json!(self.stopped.as_ref().map(|(by, _)| by.as_str()));
        document["stopped_why"] = json!(self.stopped.as_ref().map(|(_, why)| why));
        document["exit"] = exit.code().into();
        exit
    }
}

/// What is said of a shipment that was not come to.
pub(super) const NOT_REACHED: &str = "not done";

/// Prints one entry for each shipment: as JSON, or a line each.
pub(super) fn tell<T>(
    settings: &Settings,
    operation: &str,
    chosen: &Chosen,
    ends: &Ends<T>,
    as_json: impl Fn(&T) -> Value,
    as_line: impl Fn(&T) -> String,
) -> Result<Exit> {
    let together = || chosen.shipments.iter().zip(&ends.list);
    chosen.say(settings);
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
        let exit = ends.finish(&mut document, chosen);
        print_json(&document)?;
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
