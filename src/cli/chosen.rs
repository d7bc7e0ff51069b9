//! Which shipments a command is about, and which orders of a run it cannot be about.

use anyhow::{Result, bail};
use serde_json::{Value, json};

use crate::ledger::{Ledger, ResultRow, RunId, Shipped, Wanted, holder};
use crate::text::{count, list, shell_quoted};

use super::Usage;
use super::console::note;
use super::exit::Exit;
use super::service_args::Which;
use super::settings::Settings;
use super::status::find_run;

/// Numbers that are named of one kind.
const NAMED: usize = 3;

/// The shipments that are meant, and what has none.
pub(super) struct Chosen {
    pub(super) shipments: Vec<Shipped>,
    /// Numbers that were typed and are not booked here.
    pub(super) unknown: Vec<String>,
    /// Orders of the run without an AWB.
    pub(super) without: Vec<ResultRow>,
    /// Shipments that are left out because they are cancelled, or may be.
    pub(super) cancelled: Vec<Shipped>,
    /// What takes them in, where something does.
    way_in: &'static str,
    run: Option<i64>,
}

/// States without an AWB, the gravest first, with what they are called in a sentence and what to do.
const STATES: [(&str, &str, &str); 6] = [
    ("in_doubt", "in doubt", "doubt list"),
    ("outstanding", "outstanding", "resume {run}"),
    ("invalid", "invalid", "export {run} --to invalid.xlsx --state invalid"),
    ("rejected", "rejected", "retry {run}"),
    ("refused", "refused", "retry {run}"),
    ("abandoned", "abandoned", "show ORDER"),
];

pub(super) fn chosen(settings: &Settings, which: &Which) -> Result<Chosen> {
    if which.orders.is_empty() && which.run.is_none() {
        let runs = format!("`{} runs` lists the runs", settings.command);
        bail!(Usage(format!("say which orders: their numbers, or --run RUN for all of a run ({runs})")));
    }
    let service = settings.service_key()?;
    let ledger = settings.read_ledger()?;
    let run = which.run;
    let mut chosen = Chosen {
        shipments: Vec::new(),
        unknown: Vec::new(),
        without: Vec::new(),
        cancelled: Vec::new(),
        way_in: "",
        run,
    };
    if let Some(run) = which.run {
        let record = find_run(settings, &ledger, Some(run))?;
        if !ledger.is_same_service(&service, &record.service)? {
            bail!("run {run} booked at {}, and this is {service}: name that service with --base-url", record.service);
        }
        chosen.shipments = ledger.shipped_of_run(record.id)?;
        chosen.without = without(settings, &ledger, record.id)?;
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
    for number in &chosen.unknown {
        let show = format!("{} show {}", settings.command, shell_quoted(number));
        note(format!("warning: order {number} has no AWB here: see `{show}`"));
    }
    if chosen.shipments.is_empty() {
        chosen.say(settings);
        bail!("none of these orders has an AWB here: nothing to ask the service for");
    }
    Ok(chosen)
}

fn without(settings: &Settings, ledger: &Ledger, run: RunId) -> Result<Vec<ResultRow>> {
    let mut without = Vec::new();
    let running = holder(&settings.ledger).is_some();
    ledger.for_each_result(&Wanted { run: Some(run), states: &[], running }, &mut |row| {
        if row.awb.is_none() {
            without.push(row.clone());
        }
    })?;
    Ok(without)
}

impl Chosen {
    /// How a command ends that could ask for all that is booked.
    pub(super) fn exit(&self) -> Exit {
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

    /// Sets aside what is cancelled, or may be: nobody shall pack it. `way_in` says what takes it in all the same.
    pub(super) fn leave_out_cancelled(&mut self, way_in: &'static str) {
        self.way_in = way_in;
        let is_cancelled = |shipment: &Shipped| shipment.cancelled_ms.or(shipment.cancel_unclear_ms).is_some();
        let (cancelled, rest) = std::mem::take(&mut self.shipments).into_iter().partition(is_cancelled);
        (self.cancelled, self.shipments) = (cancelled, rest);
    }

    /// Numbers that are left out: cancelled, and perhaps cancelled.
    fn cancelled_names(&self) -> [Vec<&str>; 2] {
        let (unclear, clear): (Vec<&Shipped>, Vec<&Shipped>) =
            self.cancelled.iter().partition(|shipment| shipment.cancel_unclear_ms.is_some());
        [clear, unclear].map(|list| list.into_iter().map(|shipment| shipment.order_number.as_str()).collect())
    }

    fn say_cancelled(&self, settings: &Settings) {
        let [clear, unclear] = self.cancelled_names();
        if !clear.is_empty() {
            let orders = count(clear.len() as u64, "cancelled order");
            note(format!("warning: {orders} left out ({}){}", few(&clear), self.way_in));
        }
        if let Some(first) = unclear.first() {
            let orders = count(unclear.len() as u64, "order");
            let cancel = format!("{} shipment cancel {}", settings.command, shell_quoted(first));
            note(format!(
                "warning: {orders} left out ({}), for nobody knows whether the cancellation was done: look it up, or ask \
                 once more with `{cancel}`{}",
                few(&unclear),
                self.way_in
            ));
        }
    }

    /// Says which orders of the run have no AWB, and what to do about them.
    pub(super) fn say(&self, settings: &Settings) {
        self.say_cancelled(settings);
        let Some(run) = self.run.filter(|_| !self.without.is_empty()) else { return };
        let orders = count(self.without.len() as u64, "order");
        note(format!("warning: {orders} of run {run} without an AWB:"));
        for (state, word, what) in STATES {
            let names = self.names(state);
            if let Some(first) = names.first() {
                let what = what.replace("{run}", &run.to_string()).replace("ORDER", &shell_quoted(first));
                note(format!("  {} {word} ({}): `{} {what}`", names.len(), few(&names), settings.command));
            }
        }
    }

    /// What is left out on one line, for paper; nothing where nothing is.
    pub(super) fn line(&self) -> Option<String> {
        let kinds = STATES.iter().map(|(state, word, _)| (*word, self.names(state)));
        let said = |(word, names): &(&str, Vec<&str>)| format!("{} {word} ({})", names.len(), few(names));
        let has_some = |(_, names): &(&str, Vec<&str>)| !names.is_empty();
        let [clear, unclear] = self.cancelled_names();
        let cancelled = [("cancelled", clear), ("perhaps cancelled", unclear)];
        let kinds: Vec<String> = kinds.chain(cancelled).filter(has_some).map(|kind| said(&kind)).collect();
        (!kinds.is_empty()).then(|| format!("Left out: {}", kinds.join(", ")))
    }

    pub(super) fn without_json(&self) -> Value {
        let entry = |ResultRow { order_number, state, error, rows, .. }: &ResultRow| json!({"order_number": order_number, "state": state, "error": error, "rows": rows});
        self.without.iter().map(entry).collect()
    }

    fn names(&self, state: &str) -> Vec<&str> {
        let of_state = self.without.iter().filter(|order| order.state == state);
        of_state.map(|order| order.order_number.as_deref().unwrap_or(&order.rows)).collect()
    }
}

/// The first names, and how many more there are.
pub(super) fn few(names: &[&str]) -> String {
    let more = names.len().saturating_sub(NAMED);
    let mut shown: Vec<String> = names.iter().take(NAMED).map(|name| crate::text::shortened(name, 40)).collect();
    if more > 0 {
        shown.push(format!("{more} more"));
        return list(&shown, "and");
    }
    shown.join(", ")
}
