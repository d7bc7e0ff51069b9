//! `shipment`: details, cancellations and invoices; and what all commands over shipments share.

use std::cell::RefCell;
use std::io::Write;

use anyhow::{Result, bail};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::after::bulk::Bulk;
use crate::after::labels::{Document, Folder};
use crate::api::Caller;
use crate::book::StopSignal;
use crate::ledger::{Cancellation, Ledger, RunLock, Shipped};
use crate::text::count;

use super::Usage;
use super::args::Format;
use super::call::agreed;
use super::console::{listen_for_signals, note, print, print_json};
use super::exit::Exit;
use super::service_args::{Pace, Shipment, Which};
use super::session::{Line, host, runtime, user};
use super::settings::{Settings, Verbosity, shell_quoted};
use super::status::find_run;
use super::{label, track};

pub(super) fn shipment(settings: &Settings, command: &Shipment) -> Result<Exit> {
    match command {
        Shipment::Details(which) => details(settings, which),
        Shipment::Cancel { which, yes } => cancel(settings, which, *yes),
        Shipment::Label(arguments) => label::label(settings, arguments),
        Shipment::Invoice { which, to } => invoice(settings, which, to),
        Shipment::Track(which) => track::track(settings, which),
    }
}

/// The shipments that are meant, and numbers that are not booked here.
pub(super) struct Chosen {
    pub(super) shipments: Vec<Shipped>,
    pub(super) unknown: Vec<String>,
}

pub(super) fn chosen(settings: &Settings, which: &Which) -> Result<Chosen> {
    if which.orders.is_empty() && which.run.is_none() {
        let runs = format!("`{} runs` lists the runs", settings.command);
        bail!(Usage(format!("say which orders: their numbers, or --run RUN for all of a run ({runs})")));
    }
    let service = settings.service_key()?;
    let ledger = settings.read_ledger()?;
    let mut chosen = Chosen { shipments: Vec::new(), unknown: Vec::new() };
    if let Some(run) = which.run {
        let record = find_run(settings, &ledger, Some(run))?;
        if record.service != service {
            bail!("run {run} booked at {}, and this is {service}: name that service with --base-url", record.service);
        }
        chosen.shipments = ledger.shipped_of_run(record.id)?;
    }
    for number in &which.orders {
        match ledger.shipped(&service, number)? {
            Some(shipment) => chosen.shipments.push(shipment),
            None => chosen.unknown.push(number.clone()),
        }
    }
    for number in &chosen.unknown {
        let show = format!("{} show {}", settings.command, shell_quoted(number));
        note(format!("warning: order {number} has no AWB here: see `{show}`"));
    }
    if chosen.shipments.is_empty() {
        bail!("none of these orders has an AWB here: nothing to ask the service for");
    }
    Ok(chosen)
}

/// What came of each shipment; none where the call was interrupted before it.
pub(super) type Ends<T> = Vec<Option<Result<T, String>>>;

/// Calls for each shipment, with progress on standard error, until done or interrupted.
pub(super) fn for_each<T, E: std::fmt::Display, F: Future<Output = Result<T, E>>>(
    settings: &Settings,
    pace: &Pace,
    shipments: &[Shipped],
    call: impl Fn(Caller, Shipped) -> F,
) -> Result<Ends<T>> {
    let runtime = runtime()?;
    let concurrency = usize::from(pace.concurrency);
    let line = Line::connect(settings, concurrency, &runtime)?;
    let bulk = Bulk { concurrency, rate: pace.rate, stop: StopSignal::default() };
    let quiet = settings.verbosity == Verbosity::Quiet;
    let (total, mut done) = (shipments.len(), 0);
    let each = (total / 10).max(25);
    let results = runtime.block_on(async {
        listen_for_signals(bulk.stop.clone());
        let call = |_, shipment| call(line.caller(), shipment);
        let told = |_, _: &Result<T, E>| {
            done += 1;
            if !quiet && done % each == 0 && done < total {
                note(format!("{done} of {total}"));
            }
        };
        bulk.run(shipments, call, told).await
    });
    let results: Ends<T> =
        results.into_iter().map(|result| result.map(|result| result.map_err(|error| error.to_string()))).collect();
    let left = results.iter().filter(|result| result.is_none()).count() as u64;
    if left > 0 {
        note(format!("interrupted: {} not reached; the same command goes on", count(left, "order")));
    }
    Ok(results)
}

/// How a call over many ended.
pub(super) fn exit_of<T>(ends: &Ends<T>, chosen: &Chosen) -> Exit {
    if ends.iter().any(Option::is_none) {
        Exit::Outstanding
    } else if !chosen.unknown.is_empty() || ends.iter().flatten().any(Result::is_err) {
        Exit::SomeFailed
    } else {
        Exit::Done
    }
}

/// Prints one entry for each shipment: as JSON, or a line each.
pub(super) fn tell<T>(
    settings: &Settings,
    operation: &str,
    chosen: &Chosen,
    ends: &Ends<T>,
    as_json: impl Fn(&T) -> Value,
    as_line: impl Fn(&T) -> String,
) -> Result<Exit> {
    let exit = exit_of(ends, chosen);
    let together = || chosen.shipments.iter().zip(ends);
    if settings.format == Format::Json {
        let orders: Vec<Value> = together()
            .map(|(shipment, end)| {
                let (answer, error) = match end {
                    Some(Ok(answer)) => (as_json(answer), Value::Null),
                    Some(Err(error)) => (Value::Null, Value::from(error.clone())),
                    None => (Value::Null, Value::from("not reached")),
                };
                json!({"order_number": shipment.order_number, "awb": shipment.awb, "order_id": shipment.order_id,
                    operation: answer, "error": error})
            })
            .collect();
        print_json(&json!({"orders": orders, "unknown": chosen.unknown, "exit": exit.code()}))?;
        return Ok(exit);
    }
    let mut text = Vec::new();
    for (shipment, end) in together() {
        let said = match end {
            Some(Ok(answer)) => as_line(answer),
            Some(Err(error)) => format!("error: {error}"),
            None => "not reached".to_owned(),
        };
        writeln!(text, "{}  {}  {said}", shipment.order_number, shipment.awb)?;
    }
    print(&text)?;
    Ok(exit)
}

fn details(settings: &Settings, which: &Which) -> Result<Exit> {
    let chosen = chosen(settings, which)?;
    let ends = for_each(settings, &which.pace, &chosen.shipments, |caller, shipment| async move {
        let order_id = known_id(&shipment)?;
        let mut found = caller.details(&[&order_id]).await.map_err(|error| error.to_string())?;
        let same = found.iter().position(|details| details.order_id.as_deref().is_none_or(|id| id == order_id));
        let place = same.ok_or_else(|| "the service does not know this shipment".to_owned())?;
        Ok::<_, String>(found.swap_remove(place))
    })?;
    tell(settings, "details", &chosen, &ends, |details| details.answer.clone(), |details| details.answer.to_string())
}

fn known_id(shipment: &Shipped) -> Result<String, String> {
    let unknown = || "the service's own id of this order is not known, for a person settled it".to_owned();
    shipment.order_id.clone().ok_or_else(unknown)
}

fn cancel(settings: &Settings, which: &Which, yes: bool) -> Result<Exit> {
    let chosen = chosen(settings, which)?;
    let orders = count(chosen.shipments.len() as u64, "shipment");
    agreed(settings, yes, &format!("Cancel {orders} at the service?"))?;
    let service = settings.service_key()?;
    let _lock = RunLock::acquire(&settings.ledger, "cancel")?;
    let ledger = RefCell::new(Ledger::open(&settings.ledger)?);
    let ends = for_each(settings, &which.pace, &chosen.shipments, |caller, shipment| {
        let (ledger, service) = (&ledger, &service);
        async move {
            let cancelled = caller.cancel(&known_id(&shipment)?).await.map_err(|error| error.to_string())?;
            let told = Cancellation {
                at_ms: Timestamp::now().as_millisecond(),
                user: user(),
                host: host(),
                refund_status: cancelled.refund_status.clone(),
                answer: cancelled.answer.to_string(),
            };
            let kept = ledger.borrow_mut().cancelled(service, &shipment.order_number, &told);
            kept.map_err(|error| format!("it is cancelled, but that could not be kept: {error}"))?;
            Ok::<_, String>(cancelled)
        }
    })?;
    let refund = |status: Option<&String>| status.map_or("no refund status", String::as_str).to_owned();
    tell(
        settings,
        "cancelled",
        &chosen,
        &ends,
        |cancelled| json!({"refund_status": cancelled.refund_status, "answer": cancelled.answer}),
        |cancelled| format!("cancelled, {}", refund(cancelled.refund_status.as_ref())),
    )
}

fn invoice(settings: &Settings, which: &Which, to: &std::path::Path) -> Result<Exit> {
    let chosen = chosen(settings, which)?;
    let folder = Folder::open(to, Document::Invoice)?;
    let ends = for_each(settings, &which.pace, &chosen.shipments, |caller, shipment| {
        let folder = folder.clone();
        async move { folder.get(&caller, &shipment).await }
    })?;
    tell(
        settings,
        "invoice",
        &chosen,
        &ends,
        |kept| json!({"file": kept.path, "pages": kept.pages}),
        |kept| kept.path.display().to_string(),
    )
}
