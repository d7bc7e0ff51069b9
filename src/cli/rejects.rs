//! `rejects`: what is still to be fixed of runs, as sheets.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};

use crate::app::{Exit, Rejects as Written, RejectsOptions};
use crate::text::count;

use super::console::note;
use super::document::{Kind, print_document};
use super::global::Format;
use super::how_read::HowRead;
use super::own::remember;
use super::remedy::words;
use super::runs_asked::{RunsAsked, covered};
use super::settings::Settings;

/// By this name files that it wrote are remembered.
const REJECTS: &str = "rejects";

#[derive(Debug, Args)]
pub(super) struct Rejects {
    #[command(flatten)]
    runs: RunsAsked,
    /// The file to make: .xlsx or .csv; where several runs have rows to fix, one for each, such as FILE-run7.xlsx
    #[arg(long, value_name = "FILE")]
    to: PathBuf,
    /// Replace the file also where it is not what this command wrote
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    how: HowRead,
}

pub(super) fn rejects(settings: &Settings, arguments: &Rejects) -> Result<Exit> {
    let ledger = settings.read_ledger()?;
    let may_write = |path: &Path| if arguments.force { Ok(()) } else { settings.app.may_write(REJECTS, path) };
    let options = RejectsOptions {
        runs: arguments.runs.meant(),
        to: &arguments.to,
        may_write: &may_write,
        like: arguments.how.sheets(Vec::new()),
        words: &words(&settings.command),
    };
    let (made, of) = settings.app.rejects(&ledger, &options)?;
    for (run, made) in &made {
        remember(settings, REJECTS, &made.path);
        told(*run, made);
    }
    if made.is_empty() {
        note(format!("nothing is left to fix of {}; no file was written", covered(&of)));
    } else if of.runs.len() > 1 {
        note(format!("that is all that is left to fix of {}", covered(&of)));
    }
    if settings.format == Format::Json {
        let file = |(run, made): &(i64, Written)| json!({"file": made.path.display().to_string(), "run": run, "orders": made.rows, "own": made.is_own});
        let files: Vec<Value> = made.iter().map(file).collect();
        let document = json!({
            "file": made.first().map(|(_, made)| made.path.display().to_string()),
            "orders": made.iter().map(|(_, made)| made.rows).sum::<u64>(),
            "own": made.iter().all(|(_, made)| made.is_own),
            "files": files,
            "runs": of.runs,
            "exit": Exit::Done.code(),
        });
        print_document(Kind::Rejects, &document)?;
    }
    Ok(Exit::Done)
}

fn told(run: i64, made: &Written) {
    let file = made.path.display();
    if made.is_own {
        note(format!("{} to fix of run {run} written to {file}, in your own columns", count(made.rows, "row")));
    } else {
        note(format!(
            "{} to fix of run {run} written to {file}; there is no sheet of this run as it was, so your own columns are missing",
            count(made.rows, "order")
        ));
    }
}
