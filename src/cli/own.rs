//! Sheets that come home, in words: what was written, and what to do with it.

use std::path::Path;

use anyhow::Result;

use crate::app::{Ended, OwnFiles, Reading, Rejects, Unwritten, Written};
use crate::text::{count, shell_quoted};

use super::console::note;
use super::remedy::words;
use super::settings::Settings;

/// By this name files that an import wrote are remembered.
pub(super) const IMPORT: &str = "import";

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
    // Somebody may have put a file there while the run went on.
    let is_free = results.map_or(Ok(()), |results| settings.app.may_write(IMPORT, results));
    let Written { rejects, unwritten } = match is_free {
        Ok(()) => ended.write_files(&words),
        Err(error) => ended.write_files_but_results(&words, error),
    };
    if let (Some(results), true) = (results, unwritten.is_empty()) {
        settings.app.remember_written(IMPORT, results);
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
