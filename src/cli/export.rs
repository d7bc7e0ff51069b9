//! `export`: results as a file.

use anyhow::{Result, bail};

use crate::ledger::{Wanted, holder};
use crate::report::{ResultFile, ResultsError};
use crate::text::{count, nearest};

use super::Usage;
use super::args::Export;
use super::console::note;
use super::exit::Exit;
use super::settings::Settings;
use super::status::find_run;

/// The states that `--state` knows.
pub(super) const STATES: [&str; 7] =
    ["booked", "rejected", "refused", "in_doubt", "outstanding", "invalid", "abandoned"];

pub(super) fn export(settings: &Settings, arguments: &Export) -> Result<Exit> {
    let file = result_file(&arguments.to)?;
    for state in &arguments.state {
        if !STATES.contains(&state.as_str()) {
            let near = nearest(state, STATES).map(|near| format!("; did you mean {near}?")).unwrap_or_default();
            bail!(Usage(format!("--state {state} is no state{near} (known are {})", STATES.join(", "))));
        }
    }
    let ledger = settings.read_ledger()?;
    let run = if arguments.all { None } else { Some(find_run(settings, &ledger, arguments.run)?.id) };
    let running = holder(&settings.ledger).is_some();
    let written = file.write(&ledger, &Wanted { run, states: &arguments.state, running })?;
    note(format!("{} written to {}", count(written, "order"), arguments.to.display()));
    Ok(Exit::Done)
}

/// A place for results, made sure of before anything is sent.
pub(super) fn result_file(path: &std::path::Path) -> Result<ResultFile> {
    ResultFile::prepare(path).map_err(|error| match error {
        ResultsError::UnknownFormat(_) => Usage(error.to_string()).into(),
        other => other.into(),
    })
}
