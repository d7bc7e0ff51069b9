//! `doctor`: looks at everything that a night needs, and says what to mend.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::{self, Exit};
use crate::doctor::{self, Check, DoctorOptions, Level, examine};
use crate::notify::Notifier;
use crate::report::write_whole;

use super::Usage;
use super::connect::settle_commands;
use super::console::{confirm, note, print, somebody_is_here};
use super::document::{Kind, print_document};
use super::errors::hint;
use super::global::{Format, Global};
use super::notify;
use super::own::remember;
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
    #[command(flatten)]
    helper: Helper,
}

/// What somebody who helps gets.
#[derive(Debug, Args)]
struct Helper {
    /// Write what a helper needs to see into this file: a text without names, phones, addresses, order numbers and secrets
    ///
    /// A terminal shows it first and asks; elsewhere nothing is written without --yes.
    #[arg(long, value_name = "FILE")]
    bundle: Option<PathBuf>,
    /// Write it without asking
    #[arg(long, short, requires = "bundle")]
    yes: bool,
    /// Replace the file also where it is not what this command wrote
    #[arg(long, requires = "bundle")]
    force: bool,
}

/// The document of `doctor`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "What a night needs")]
pub(super) struct Document<'a> {
    /// The subject of each check.
    checks: &'a [Check],
    /// Whether no check is bad.
    is_well: bool,
    exit: Exit,
}

/// The document of `doctor --bundle`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "A file for somebody who helps")]
pub(super) struct BundleDocument {
    /// The file that was written: a text, to be read before it is sent.
    file: String,
    /// Its size.
    #[schemars(range(min = 1))]
    bytes: usize,
    /// How many checks of `doctor` are in it.
    #[schemars(range(min = 1))]
    checks: usize,
    exit: Exit,
}

/// By this name files that it wrote are remembered.
const BUNDLE: &str = "doctor";

pub(super) fn doctor(global: &Global, arguments: &Doctor) -> Result<Exit> {
    if let Some(file) = &arguments.helper.bundle {
        return bundle(global, arguments, file);
    }
    let checks = match Settings::new(global) {
        Ok(settings) => checks(&settings, arguments)?,
        // Nothing can be looked at that the configuration leads to.
        Err(error) => vec![unusable(global, &error)],
    };
    let is_well = checks.iter().all(|check| check.level < Level::Bad);
    let exit = if is_well { Exit::Done } else { Exit::CouldNotRun };
    if global.format == Format::Json {
        print_document(Kind::Doctor, &Document { checks: &checks, is_well, exit })?;
    } else {
        print(text(&checks).as_bytes())?;
    }
    Ok(exit)
}

/// A configuration that cannot be used.
fn unusable(global: &Global, error: &anyhow::Error) -> Check {
    let mend = hint(error, &command(global, true)).unwrap_or_else(|| "correct it".to_owned());
    Check::bad("configuration", format!("{error:#}"), mend)
}

/// Writes the text for a helper, once a person has seen it or said so.
fn bundle(global: &Global, arguments: &Doctor, file: &Path) -> Result<Exit> {
    let (settings, checks, trouble) = match Settings::new(global) {
        Ok(settings) => {
            let checks = checks(&settings, arguments)?;
            (settings, checks, None)
        }
        Err(error) => {
            let (check, trouble) = (unusable(global, &error), format!("{error:#}"));
            (Settings::lenient(global)?, vec![check], Some(trouble))
        }
    };
    let Helper { yes, force, .. } = &arguments.helper;
    if !force {
        settings.app.may_write(BUNDLE, file)?;
    }
    let is_shown = !yes && somebody_is_here() && settings.format == Format::Human;
    if !yes && !is_shown {
        bail!(Usage(format!(
            "{} is for somebody else to read: read it on a terminal first, or say --yes",
            file.display()
        )));
    }
    let text = doctor::bundle(&settings.app, &checks, trouble.as_deref(), Timestamp::now());
    if is_shown {
        print(text.as_bytes())?;
        if confirm(&format!("\nWrite this to {}?", file.display())) != Some(true) {
            note("nothing was written");
            return Ok(Exit::Done);
        }
    }
    write_whole(file, text.as_bytes()).map_err(app::Error::from)?;
    remember(&settings, BUNDLE, file);
    note(format!("{} is what a helper needs to see: read it before you send it", file.display()));
    if settings.format == Format::Json {
        let (file, bytes, checks) = (file.display().to_string(), text.len(), checks.len());
        let document = BundleDocument { file, bytes, checks, exit: Exit::Done };
        print_document(Kind::DoctorBundle, &document)?;
    }
    Ok(Exit::Done)
}

fn checks(settings: &Settings, arguments: &Doctor) -> Result<Vec<Check>> {
    let Doctor { folder, backups, send_test, notify, .. } = arguments;
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
        let _ = writeln!(text, "{:7}  {id:width$}  {found}", level.word());
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
