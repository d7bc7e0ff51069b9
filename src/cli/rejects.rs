//! `rejects`: what is still to be fixed of runs, as sheets.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

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
        let file = |made: &Written| made.path.display().to_string();
        let entry = |(run, made): &(i64, Written)| FileEntry {
            file: file(made),
            run: *run,
            orders: made.rows,
            own: made.is_own,
        };
        let document = Document {
            file: made.first().map(|(_, made)| file(made)),
            orders: made.iter().map(|(_, made)| made.rows).sum(),
            own: made.iter().all(|(_, made)| made.is_own),
            files: made.iter().map(entry).collect(),
            runs: &of.runs,
            exit: Exit::Done,
        };
        print_document(Kind::Rejects, &document)?;
    }
    Ok(Exit::Done)
}

/// The document of `rejects`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "What is still to be fixed, as a file")]
pub(super) struct Document<'r> {
    /// The file that was written, of several the first; null where nothing is left to fix of several runs.
    file: Option<String>,
    /// Rows in all files; where they are not your own, orders.
    orders: u64,
    /// Whether they are your own rows, in the columns of your sheet. Else there is one for each order, because there is no sheet of the
    /// run as it was.
    own: bool,
    /// The files: one for each run that has anything to fix.
    files: Vec<FileEntry>,
    /// The runs that it covers, the latest first.
    runs: &'r [i64],
    exit: Exit,
}

/// One file.
#[derive(Serialize, JsonSchema)]
struct FileEntry {
    /// The file.
    file: String,
    /// The run.
    run: i64,
    /// Rows in it; where they are not your own, orders.
    orders: u64,
    /// Whether they are your own rows.
    own: bool,
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
