//! `runs`: the latest runs.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::{Exit, RunEntry};
use crate::ledger::RunKind;
use crate::report::Orders;
use crate::text::{count, moment};

use super::console::{note, print};
use super::document::{Kind, print_document};
use super::global::Format;
use super::settings::Settings;

#[derive(Debug, Args)]
pub(super) struct Runs {
    /// How many are listed; 0: all
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: u64,
}

/// The document of `runs`: the latest runs, the latest first; 20 of them, or as many as `--limit` says.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "The latest runs")]
pub(super) struct Document<'r> {
    /// The runs.
    runs: Vec<Entry<'r>>,
    /// How many earlier runs there are beside these.
    more: u64,
    exit: Exit,
}

/// One run.
#[derive(Serialize, JsonSchema)]
struct Entry<'r> {
    /// Its number.
    #[schemars(range(min = 0))]
    run: i64,
    /// The command that made it.
    kind: RunKind,
    /// When it began, in the time zone of this machine.
    started: String,
    /// The address of the service, or `sandbox`.
    service: &'r str,
    /// The files that were read.
    sheets: &'r [String],
    /// Where its orders stand now.
    orders: Orders,
    /// Where they stood when the run ended; null while it goes on, and of runs that an earlier version recorded.
    orders_at_end: Option<Orders>,
    /// Which brake ended it early; null where none did.
    stopped_by: Option<&'r str>,
}

impl<'r> Entry<'r> {
    fn of(RunEntry { record, at_end, orders }: &'r RunEntry) -> Self {
        Self {
            run: record.id.number(),
            kind: record.kind,
            started: moment(record.started_ms),
            service: &record.service,
            sheets: &record.sheets,
            orders: *orders,
            orders_at_end: *at_end,
            stopped_by: record.stopped_by.as_deref(),
        }
    }
}

pub(super) fn runs(settings: &Settings, arguments: &Runs) -> Result<Exit> {
    let ledger = settings.read_ledger()?;
    let all = ledger.run_count()?;
    let most = if arguments.limit == 0 { all } else { arguments.limit };
    let runs = settings.app.runs(&ledger, usize::try_from(most).unwrap_or(usize::MAX))?;
    let more = all.saturating_sub(runs.len() as u64);
    let mut text = Vec::new();
    for RunEntry { record, at_end, orders } in &runs {
        let failed = orders.invalid + orders.held + orders.rejected + orders.refused;
        let since = at_end.as_ref().filter(|at_end| *at_end != orders);
        let since = since.map(|at_end| format!(" ({} booked at its end)", at_end.booked + at_end.already_booked));
        writeln!(
            text,
            "{:>5}  {}  {:<6}  {:>6} of {} booked{}, {failed} failed, {} in doubt, {} outstanding  {}",
            record.id.number(),
            moment(record.started_ms),
            record.kind.as_str(),
            orders.booked + orders.already_booked,
            orders.total,
            since.unwrap_or_default(),
            orders.in_doubt,
            orders.outstanding,
            record.sheets.join(", ")
        )?;
    }
    if settings.format == Format::Json {
        let runs = runs.iter().map(Entry::of).collect();
        print_document(Kind::Runs, &Document { runs, more, exit: Exit::Done })?;
    } else if runs.is_empty() {
        note(format!("no run yet in this ledger; begin with `{} import`", settings.command));
    } else {
        print(&text)?;
        if more > 0 {
            note(format!("{} before these: `{} runs --limit 0` lists all", count(more, "run"), settings.command));
        }
    }
    Ok(Exit::Done)
}
