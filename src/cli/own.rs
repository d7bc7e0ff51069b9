//! The files that commands write: the sheet with its results, and which files may be replaced the next time.

use std::path::Path;

use anyhow::Error;

use crate::app::Ended;

use super::console::note;
use super::remedy::words;
use super::settings::Settings;

/// By this name files that an import wrote are remembered.
const IMPORT: &str = "import";

/// Writes the results where they were asked for. What fails is said: the run itself is over.
pub(super) fn sent(settings: &Settings, ended: &mut Ended<'_>, results: Option<&Path>) {
    let Some(results) = results else { return };
    // What is not our own is kept: whatever lies there, a run is not refused for it.
    match settings.app.keep_other(IMPORT, results) {
        Ok(Some(kept)) => note(format!("the file that was there is {} now", kept.display())),
        Err(error) => note(format!("warning: {:#}", Error::from(error))),
        Ok(None) => {}
    }
    let number = ended.run;
    match ended.write_results(&words(&settings.command)) {
        Ok(()) => remember(settings, IMPORT, results),
        Err(error) => {
            let again = format!("`{} export --run {number} --to FILE` writes them by order", settings.command);
            note(format!("warning: the results were not written: {:#}; {again}", Error::from(error)));
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
