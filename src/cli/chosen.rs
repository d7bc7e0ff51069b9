//! Which shipments a command is about, and which orders of a run it cannot be about.

use anyhow::{Result, bail};
use serde_json::{Value, json};

use crate::ledger::{Ledger, RunId, Shipped, Wanted, holder};
use crate::text::{count, list};

use super::Usage;
use super::console::note;
use super::exit::Exit;
use super::service_args::Which;
use super::settings::{Settings, shell_quoted};
use super::status::find_run;

/// Numbers that are named of one kind.
const NAMED: usize = 3;

/// The shipments that are meant, and what has none.
pub(super) struct Chosen {
    pub(super) shipments: Vec<Shipped>,
    /// Numbers that were typed and are not booked here.
    pub(super) unknown: Vec<String>,
    /// Orders of the run without an AWB.
    pub(super) without: Vec<Without>,
    run: Option<i64>,
}

/// An order of a run that is not booked.
pub(super) struct Without {
    /// None where its rows name no order.
    order_number: Option<String>,
    state: String,
    why: Option<String>,
    rows: String,
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
    let mut chosen = Chosen { shipments: Vec::new(), unknown: Vec::new(), without: Vec::new(), run: which.run };
    if let Some(run) = which.run {
        let record = find_run(settings, &ledger, Some(run))?;
        if record.service != service {
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

fn without(settings: &Settings, ledger: &Ledger, run: RunId) -> Result<Vec<Without>> {
    let mut without = Vec::new();
    let running = holder(&settings.ledger).is_some();
    ledger.for_each_result(&Wanted { run: Some(run), states: &[], running }, &mut |row| {
        if row.awb.is_none() {
            without.push(Without {
                order_number: row.order_number.clone(),
                state: row.state.clone(),
                why: row.error.clone(),
                rows: row.rows.clone(),
            });
        }
    })?;
    Ok(without)
}

impl Chosen {
    /// How a command ends that could ask for all that is booked.
    pub(super) fn exit(&self) -> Exit {
        let has = |state: &str| self.without.iter().any(|order| order.state == state);
        match () {
            () if has("in_doubt") => Exit::InDoubt,
            () if has("outstanding") => Exit::Outstanding,
            () if self.without.is_empty() && self.unknown.is_empty() => Exit::Done,
            () => Exit::SomeFailed,
        }
    }

    /// Says which orders of the run have no AWB, and what to do about them.
    pub(super) fn say(&self, settings: &Settings) {
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

    /// The same on one line, for paper; nothing where all are booked.
    pub(super) fn line(&self) -> Option<String> {
        let kinds = STATES.iter().map(|(state, word, _)| (*word, self.names(state)));
        let kinds: Vec<String> = kinds
            .filter(|(_, names)| !names.is_empty())
            .map(|(word, names)| format!("{} {word} ({})", names.len(), few(&names)))
            .collect();
        (!kinds.is_empty()).then(|| format!("Not booked: {}", kinds.join(", ")))
    }

    pub(super) fn without_json(&self) -> Value {
        let entry = |order: &Without| json!({"order_number": order.order_number, "state": order.state, "error": order.why, "rows": order.rows});
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
