//! `runs`: the latest runs.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use serde_json::json;

use crate::app::{Exit, RunEntry};
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

pub(super) fn runs(settings: &Settings, arguments: &Runs) -> Result<Exit> {
    let ledger = settings.read_ledger()?;
    let all = ledger.run_count()?;
    let most = if arguments.limit == 0 { all } else { arguments.limit };
    let runs = settings.app.runs(&ledger, usize::try_from(most).unwrap_or(usize::MAX))?;
    let more = all.saturating_sub(runs.len() as u64);
    let mut text = Vec::new();
    let mut entries = Vec::new();
    for RunEntry { record, at_end, orders } in &runs {
        entries.push(json!({
            "run": record.id.number(),
            "kind": record.kind.as_str(),
            "started": moment(record.started_ms),
            "service": record.service,
            "sheets": record.sheets,
            "orders": orders,
            "orders_at_end": at_end,
            "stopped_by": record.stopped_by,
        }));
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
        print_document(Kind::Runs, &json!({"runs": entries, "more": more, "exit": Exit::Done.code()}))?;
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
