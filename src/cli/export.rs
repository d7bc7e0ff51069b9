//! `export`: results as a file.

use std::path::Path;

use anyhow::{Result, bail};

use crate::ledger::Ledger;
use crate::report::{ResultFormat, write_results};
use crate::text::{count, nearest};

use super::Usage;
use super::args::Export;
use super::console::note;
use super::exit::Exit;
use super::settings::Settings;
use super::status::find_run;

/// The states that `--state` knows.
const STATES: [&str; 7] = ["booked", "rejected", "refused", "in_doubt", "outstanding", "invalid", "abandoned"];

pub(super) fn export(settings: &Settings, arguments: &Export) -> Result<Exit> {
    check_target(&arguments.to)?;
    for state in &arguments.state {
        if !STATES.contains(&state.as_str()) {
            let near = nearest(state, STATES).map(|near| format!("; did you mean {near}?")).unwrap_or_default();
            bail!(Usage(format!("--state {state} is no state{near} (known are {})", STATES.join(", "))));
        }
    }
    let ledger = Ledger::open_read_only(&settings.ledger)?;
    let run = if arguments.all { None } else { Some(find_run(&ledger, arguments.run)?.id) };
    let written = write_results(&ledger, run, &arguments.state, &arguments.to)?;
    note(format!("{} written to {}", count(written, "order"), arguments.to.display()));
    Ok(Exit::Done)
}

/// Whether results can be written there at all; asked before anything is sent.
pub(super) fn check_target(path: &Path) -> Result<()> {
    ResultFormat::of(path).map_err(|error| Usage(error.to_string()))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder
        && !folder.is_dir()
    {
        bail!("cannot write {}: the folder {} is not there", path.display(), folder.display());
    }
    Ok(())
}
