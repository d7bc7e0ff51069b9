//! Sheets that come home, in words: what was written, and what to do with it.

use std::path::Path;

use anyhow::Result;

use crate::app::{Ended, OwnFiles, Reading, Rejects, Unwritten, Written};
use crate::text::{count, shell_quoted};

use super::console::note;
use super::remedy::words;
use super::settings::Settings;

/// By this name files that an import wrote are remembered.
const IMPORT: &str = "import";

/// Writes the rejects where nothing was sent: the rows of invalid orders.
pub(super) fn nothing_sent(settings: &Settings, files: Option<OwnFiles<'_>>) {
    if let Some(mut files) = files {
        let written = files.write_rejects(&words(&settings.command)).map_err(Into::into);
        tell_rejects(settings, files.reading(), written);
    }
}

/// Writes everything that was asked for. What fails is said: the run itself is over.
pub(super) fn sent(settings: &Settings, ended: &mut Ended<'_>, results: Option<&Path>) {
    let (number, words) = (ended.run, words(&settings.command));
    let Some(reading) = ended.reading() else { return };
    // What is not our own is kept: whatever lies there, a run is not refused for it.
    match results.map(|results| settings.app.keep_other(IMPORT, results)) {
        Some(Ok(Some(kept))) => note(format!("the file that was there is {} now", kept.display())),
        Some(Err(error)) => note(format!("warning: {:#}", anyhow::Error::from(error))),
        Some(Ok(None)) | None => {}
    }
    let Written { rejects, unwritten } = ended.write_files(&words);
    let are_written = !unwritten.iter().any(|own| matches!(own, Unwritten::Results(_)));
    if let Some(results) = results.filter(|_| are_written) {
        remember(settings, IMPORT, results);
    }
    let mut rejects = Ok(rejects);
    for unwritten in unwritten {
        match unwritten {
            Unwritten::Results(error) => {
                let error = anyhow::Error::from(error);
                let again = format!("`{} export {number} --to FILE` writes them by order", settings.command);
                note(format!("warning: the results were not written: {error:#}; {again}"));
            }
            Unwritten::Rejects(error) => rejects = Err(error.into()),
        }
    }
    tell_rejects(settings, reading, rejects);
}

fn tell_rejects(settings: &Settings, reading: &Reading, written: Result<Option<Rejects>>) {
    match written {
        Ok(None) => {}
        Ok(Some(Rejects { path, rows, earlier, .. })) => {
            if let Some(earlier) = earlier {
                note(format!("{} was there already and is now {}", path.display(), earlier.display()));
            }
            if rows == 0 {
                return note(format!("no row was rejected: {} has the header only", path.display()));
            }
            let profile = reading.sheets().profile.as_ref();
            let profile = profile.map(|name| format!(" --profile {}", shell_quoted(name))).unwrap_or_default();
            let next = format!("{} import {}{profile}", settings.command, shell_quoted(&path.display().to_string()));
            note(format!("next: correct {} in {}, save it, and `{next}`", count(rows, "row"), path.display()));
        }
        Err(error) => {
            let next = "importing the sheet again with --rejects writes them, and sends nothing twice";
            note(format!("warning: the rejects were not written: {error:#}; {next}"));
        }
    }
}

/// Remembers a file as a command wrote it, so that the command may replace it.
pub(super) fn remember(settings: &Settings, command: &'static str, path: &Path) {
    if let Err(error) = settings.app.remember_written(command, path) {
        let path = path.display();
        note(format!(
            "warning: it could not be noted that {path} is written by this command, so it is not replaced next time: {error}"
        ));
    }
}
