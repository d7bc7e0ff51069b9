//! Which shipments a command is about, and which orders of a run it cannot be about.

use anyhow::Result;
use clap::Args;

use crate::app::{self, Chosen, Error};
use crate::config::PaceOptions;
use crate::text::{count, list, shell_quoted};

use super::console::note;
use super::settings::Settings;
use super::typed::rate;

/// Numbers that are named of one kind.
const NAMED: usize = 3;

/// States without an AWB, the gravest first, with what they are called in a sentence and what to do.
const STATES: [(&str, &str, &str); 9] = [
    ("in_doubt", "in doubt", "doubt list"),
    ("outstanding", "outstanding", "resume --run {run}"),
    ("invalid", "invalid", "rejects --run {run} --to fix.xlsx"),
    ("rejected", "rejected", "retry --run {run}"),
    ("refused", "refused", "retry --run {run}"),
    ("held", "held", "show ORDER"),
    ("left_out", "left out", "show ORDER"),
    ("abandoned", "abandoned", "show ORDER"),
    ("dismissed", "dismissed", "export --run {run} --to dismissed.xlsx --state dismissed"),
];

/// Which shipments are meant.
#[derive(Debug, Args)]
pub(super) struct Which {
    /// Order numbers, as in the sheet
    #[arg(value_name = "ORDER", conflicts_with = "run")]
    pub(super) orders: Vec<String>,
    /// Every booked order of this run, in the order of its sheets
    #[arg(long, value_name = "N")]
    pub(super) run: Option<i64>,
    #[command(flatten)]
    pub(super) pace: Pace,
    /// Go on however many calls in a row are refused for one reason; five stop it otherwise
    #[arg(long)]
    pub(super) keep_going: bool,
}

#[derive(Debug, Args)]
pub(super) struct Pace {
    /// Calls in flight at most [default: as [booking] has it, up to 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(super) concurrency: Option<u16>,
    /// Requests a second at most, for instance 5 or 5/s [default: as [booking] has it]
    #[arg(long, value_name = "N/s", value_parser = rate)]
    pub(super) rate: Option<f64>,
}

impl Which {
    pub(super) fn which(&self) -> app::Which {
        let (orders, run, keep_going) = (self.orders.clone(), self.run, self.keep_going);
        app::Which { orders, run, not_printed: false, pace: self.pace.options(), keep_going }
    }
}

impl Pace {
    pub(super) fn options(&self) -> PaceOptions {
        PaceOptions { concurrency: self.concurrency.map(usize::from), rate: self.rate }
    }
}

/// Finds the shipments that are meant; one at least. `way_in` says what takes in those that are left out as cancelled.
pub(super) fn chosen(settings: &Settings, which: &Which) -> Result<Chosen> {
    chosen_of(settings, &which.which())
}

/// The same; of labels that are still to be printed there may be none.
pub(super) fn chosen_of(settings: &Settings, which: &app::Which) -> Result<Chosen> {
    which.check()?;
    let chosen = settings.app.choose(&settings.read_ledger()?, which)?;
    for number in &chosen.unknown {
        let show = format!("{} show {}", settings.command, shell_quoted(number));
        note(format!("warning: order {number} has no AWB here: see `{show}`"));
    }
    if chosen.shipments.is_empty() && !which.not_printed {
        say(settings, &chosen, "");
        return Err(Error::NoShipments.into());
    }
    Ok(chosen)
}

fn say_cancelled(settings: &Settings, chosen: &Chosen, way_in: &str) {
    let [clear, unclear] = chosen.cancelled_names();
    if !clear.is_empty() {
        let orders = count(clear.len() as u64, "cancelled order");
        note(format!("warning: {orders} left out ({}){way_in}", few(&clear)));
    }
    if let Some(first) = unclear.first() {
        let orders = count(unclear.len() as u64, "order");
        let cancel = format!("{} cancel {}", settings.command, shell_quoted(first));
        note(format!(
            "warning: {orders} left out ({}), for nobody knows whether the cancellation was done: look it up, or ask \
             once more with `{cancel}`{way_in}",
            few(&unclear)
        ));
    }
}

/// Says which orders of the run have no AWB, and what to do about them.
pub(super) fn say(settings: &Settings, chosen: &Chosen, way_in: &str) {
    say_cancelled(settings, chosen, way_in);
    let Some(run) = chosen.run.filter(|_| !chosen.without.is_empty()) else { return };
    let orders = count(chosen.without.len() as u64, "order");
    note(format!("warning: {orders} of run {run} without an AWB:"));
    for (state, word, what) in STATES {
        let names = chosen.names(state);
        if let Some(first) = names.first() {
            let what = what.replace("{run}", &run.to_string()).replace("ORDER", &shell_quoted(first));
            note(format!("  {} {word} ({}): `{} {what}`", names.len(), few(&names), settings.command));
        }
    }
}

/// What is left out on one line, for paper; nothing where nothing is.
pub(super) fn left_out(chosen: &Chosen) -> Option<String> {
    let kinds = STATES.iter().map(|(state, word, _)| (*word, chosen.names(state)));
    let said = |(word, names): &(&str, Vec<&str>)| format!("{} {word} ({})", names.len(), few(names));
    let has_some = |(_, names): &(&str, Vec<&str>)| !names.is_empty();
    let [clear, unclear] = chosen.cancelled_names();
    let cancelled = [("cancelled", clear), ("perhaps cancelled", unclear)];
    let kinds: Vec<String> = kinds.chain(cancelled).filter(has_some).map(|kind| said(&kind)).collect();
    (!kinds.is_empty()).then(|| format!("Left out: {}", kinds.join(", ")))
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
