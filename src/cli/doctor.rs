//! `doctor`: looks at everything that a night needs, and says what to mend.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use jiff::Timestamp;
use serde_json::json;

use crate::app::Exit;
use crate::doctor::{Check, DoctorOptions, Level, examine};
use crate::notify::Notifier;

use super::connect::settle_commands;
use super::console::print;
use super::document::{Kind, print_document};
use super::errors::hint;
use super::global::{Format, Global};
use super::notify;
use super::settings::{Settings, command};

#[derive(Debug, Args)]
pub(super) struct Doctor {
    /// The folder that sheets are dropped into, as `watch` takes it
    #[arg(long, value_name = "FOLDER")]
    pub(super) folder: Option<PathBuf>,
    /// The folder with backups of the ledger [default: `folder` under [backup] in shipsheet.toml]
    #[arg(long, value_name = "FOLDER")]
    pub(super) backups: Option<PathBuf>,
    /// Send a test to everybody who is configured under [notify.NAME]
    #[arg(long)]
    pub(super) send_test: bool,
    /// Tell them where a night is missed, as a job of the morning does
    #[arg(long)]
    pub(super) notify: bool,
}

pub(super) fn doctor(global: &Global, arguments: &Doctor) -> Result<Exit> {
    let checks = match Settings::new(global) {
        Ok(settings) => checks(&settings, arguments)?,
        // Nothing can be looked at that the configuration leads to.
        Err(error) => {
            let mend = hint(&error, &command(global, true));
            vec![Check::bad("configuration", format!("{error:#}"), mend.unwrap_or_else(|| "correct it".to_owned()))]
        }
    };
    let is_well = checks.iter().all(|check| check.level < Level::Bad);
    let exit = if is_well { Exit::Done } else { Exit::CouldNotRun };
    if global.format == Format::Json {
        print_document(Kind::Doctor, &json!({"checks": checks, "is_well": is_well, "exit": exit.code()}))?;
    } else {
        print(text(&checks).as_bytes())?;
    }
    Ok(exit)
}

fn checks(settings: &Settings, arguments: &Doctor) -> Result<Vec<Check>> {
    let Doctor { folder, backups, send_test, notify } = arguments;
    let (now, own) = (Timestamp::now(), notify::options(&settings.command));
    let options =
        DoctorOptions { folder: folder.clone(), backups: backups.clone(), sends_test: *send_test, notify: own.clone() };
    let checks = examine(&settings.app, &options, now);
    if *notify {
        settle_commands(settings, &settings.config().alert_commands())?;
    }
    if *notify && let Some(mut notifier) = Notifier::new(&settings.app, own, now)? {
        notify::said(&settings.app, notifier.missed(now));
    }
    Ok(checks)
}

fn text(checks: &[Check]) -> String {
    let width = checks.iter().map(|check| check.id.len()).max().unwrap_or_default();
    let mut text = String::new();
    for Check { id, level, found, mend } in checks {
        let word = match level {
            Level::Skipped => "-",
            Level::Good => "ok",
            Level::Warning => "warning",
            Level::Bad => "bad",
        };
        let _ = writeln!(text, "{word:7}  {id:width$}  {found}");
        if let Some(mend) = mend {
            let _ = writeln!(text, "{:7}  {:width$}  -> {mend}", "", "");
        }
    }
    let of = |level: Level| checks.iter().filter(|check| check.level == level).count();
    let _ = match (of(Level::Bad), of(Level::Warning)) {
        (0, 0) => writeln!(text, "a night can go"),
        (0, warnings) => writeln!(text, "a night can go; to look at: {warnings}"),
        (bad, _) => writeln!(text, "to mend before the next night: {bad}"),
    };
    text
}
