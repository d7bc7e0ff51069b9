//! `selftest`: the promise, tried on this machine and disk.

use std::path::Path;

use anyhow::{Context, Result, bail};
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::{Exit, runtime};
use crate::book::Stop;
use crate::env;
use crate::selftest::{Options, Report, run, table};

use super::args::Selftest;
use super::console::{listen_for_signals, note, print};
use super::document::{Kind, print_document};
use super::global::Format;
use super::settings::Settings;

/// The document of `selftest`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "The promise, tried on this machine")]
pub(super) struct Document<'r> {
    /// Whether every promise was kept, and tried.
    passed: bool,
    #[serde(flatten)]
    report: &'r Report,
    exit: Exit,
}

pub(super) fn selftest(settings: &Settings, arguments: &Selftest) -> Result<Exit> {
    let site = settings.config().site();
    if arguments.stations && !site.is_shared() {
        bail!(super::Usage("name an empty database with --ledger postgres://user@host/name".to_owned()));
    }
    let folder = settings.ledger().parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let options = Options {
        program: env::program().context("the system does not tell where this program is")?,
        folder: std::path::absolute(folder).context("the working directory is gone")?,
        seed: arguments.seed.unwrap_or_else(|| fastrand::u64(..1_000_000_000)),
        kills: arguments.kills,
        pauses: arguments.pauses,
        stations: arguments.stations.then(|| (site.clone(), settings.config().ledger_password_command())),
    };
    let quiet = settings.is_quiet();
    if !quiet {
        let takes = match arguments.pauses {
            pauses @ 1.. if arguments.stations => format!("about {} seconds", 50 + 40 * pauses),
            _ => "less than a minute".to_owned(),
        };
        note(format!("selftest in {}, seed {}; it takes {takes}", options.folder.display(), options.seed));
    }
    let watch = listen_for_signals()?.watch();
    let report = runtime()?.block_on(async {
        let stopped = || *watch.borrow() != Stop::No;
        let mut tell = |what: &str| {
            if !quiet {
                note(what);
            }
        };
        run(&options, &stopped, &mut tell).await
    })?;
    told(settings, &report)
}

fn told(settings: &Settings, report: &Report) -> Result<Exit> {
    let exit = if report.passed() { Exit::Done } else { Exit::CouldNotRun };
    if settings.format == Format::Json {
        let document = Document { passed: report.passed(), report, exit };
        print_document(Kind::Selftest, &document)?;
        return Ok(exit);
    }
    print(table(report).as_bytes())?;
    for failure in &report.failures {
        note(format!("FAILED: {failure}"));
    }
    let again = if report.stations > 0 {
        note(format!(
            "{} holds test orders now: drop that database, and let nobody book with it",
            settings.config().site().named()
        ));
        format!("{} selftest --stations --seed {}", settings.command, report.seed)
    } else {
        format!("{} selftest --seed {}", settings.command, report.seed)
    };
    print(
        match (report.passed(), report.stopped) {
            (true, _) => format!("passed; repeat it with `{again}`\n"),
            (false, true) => "stopped before its end; nothing is left behind\n".to_owned(),
            (false, false) => format!("FAILED; repeat it with `{again}` and report it: do not book on this machine\n"),
        }
        .as_bytes(),
    )?;
    Ok(exit)
}
