//! Whoever is configured hears what a night or a run came to; what could not be told is said here.

use anyhow::{Result, bail};
use jiff::Timestamp;
use serde_json::json;

use crate::app::{App, Exit};
use crate::env::patience;
use crate::notify::{Notifier, NotifyOptions, Of, Patience};

use super::Usage;
use super::connect::settle_commands;
use super::console::note;
use super::remedy::words;
use super::report::advice;
use super::settings::Settings;

/// What alerts say of this program.
pub(super) fn options(command: &str) -> NotifyOptions {
    let (words, advice, usual) = (words(command), advice(command), Patience::default());
    let waits = usual.waits.into_iter().map(patience).collect();
    let patience = Patience { attempt: usual.attempt, waits };
    NotifyOptions { command: command.to_owned(), words, advice, patience }
}

/// Whoever is to hear of a night; nothing where nobody is configured.
pub(super) fn of_night(settings: &Settings) -> Result<Option<Notifier<'_>>> {
    let now = Timestamp::now();
    settle_commands(settings, &settings.config().alert_commands())?;
    let mut notifier = Notifier::new(&settings.app, options(&settings.command), now)?;
    if let Some(notifier) = &mut notifier {
        said(&settings.app, notifier.begins(now));
    }
    Ok(notifier)
}

/// Whoever is to hear of this run, where `--notify` asks for it.
pub(super) fn of_run(settings: &Settings, is_asked: bool) -> Result<Option<Notifier<'_>>> {
    if !is_asked {
        return Ok(None);
    }
    let notifier = of_night(settings)?;
    if notifier.is_none() {
        let why =
            if settings.is_sandbox() { "with --sandbox nobody is told" } else { "nobody is configured to be told" };
        bail!(Usage(format!("--notify: {why}; see [notify.NAME] in shipsheet.toml")));
    }
    Ok(notifier)
}

/// Tells of a run that is over, or could not be.
pub(super) fn tell(settings: &Settings, notifier: Option<Notifier<'_>>, of: Of, ended: &Result<(Option<i64>, Exit)>) {
    let Some(mut notifier) = notifier else { return };
    let (run, exit) = ended.as_ref().map_or((None, Exit::CouldNotRun), |ended| *ended);
    said(&settings.app, notifier.run(of, run, exit, Timestamp::now()));
}

/// Says what could not be told.
pub(super) fn said(app: &App, failed: Vec<String>) {
    for why in failed {
        note(format!("warning: {why}"));
        if let Some(log) = app.log() {
            log.note("not-told", json!({"why": why}));
        }
    }
}
