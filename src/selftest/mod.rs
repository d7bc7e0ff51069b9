//! The promise, tried on the user's own machine and disk: kills, faults and commit latency, offline.
//!
//! The program starts itself again and again as a child process, books against a stand-in service inside this process,
//! on a ledger of its own in a folder beside the real one, and is killed or answered badly at seeded moments. After each
//! round the service's book and the ledger are held against each other.
//!
//! - `program`: this program as a child, and its sheets
//! - `rounds`: one kill, one fault
//! - `stations`: three of them over a ledger on a server
//! - `count`: the book beside the ledger; pure
//! - `latency`: how long a commit takes

mod count;
mod latency;
mod program;
mod rounds;
mod stations;

use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::Serialize;

use crate::ledger::{LedgerError, Site, create_private_folder};
use crate::text::count as counted;

use rounds::{FAULTS, Rounds};

/// The whole test stays below a minute: kills may take this long, the rest is short.
const KILLING: Duration = Duration::from_secs(35);

/// What to try.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    /// This program's executable.
    pub program: PathBuf,
    /// The folder in which the ledger stands; what the test makes there it takes away.
    pub folder: PathBuf,
    /// Chooses the moments of the kills.
    pub seed: u64,
    /// Kills at most; fewer where the machine is slow.
    pub kills: u32,
    /// Stations that are paused for longer than their lease, one after the other.
    pub pauses: u32,
    /// The empty database on which three stations are tried, with the command that gives its password.
    pub stations: Option<(Site, Option<String>)>,
}

/// What it came to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Report {
    /// Repeats the test.
    pub seed: u64,
    /// Processes killed while they were booking.
    pub kills: u32,
    /// Stations that booked with one ledger; 0 where that was not tried.
    pub stations: u32,
    /// Stations paused for longer than their lease.
    pub pauses: u32,
    /// Bad answers given.
    pub faults: u32,
    /// Orders sent.
    pub orders: u32,
    /// Orders with more than one booking.
    pub booked_twice: u32,
    /// Bookings that the ledger does not know as booked or in doubt, or has with another air waybill number.
    pub lost: u32,
    /// The most orders that one kill left in doubt.
    pub doubts_max: u32,
    /// Kills that left more orders in doubt than were in flight or about to leave.
    pub beyond: u32,
    /// Links of evidence in the ledger afterwards, all of which hold unless `failures` says otherwise.
    pub links: u64,
    /// Commits timed.
    pub commits: u32,
    /// Half of the commits took less, in microseconds.
    pub commit_p50_us: u64,
    /// One of a hundred took longer, in microseconds.
    pub commit_p99_us: u64,
    /// How long it took, in seconds.
    #[schemars(range(min = 0))]
    pub seconds: f64,
    /// Whether a person stopped it early.
    pub stopped: bool,
    /// The failures, in English.
    pub failures: Vec<String>,
}

impl Report {
    /// Whether every promise was kept, and tried.
    pub(crate) const fn passed(&self) -> bool {
        self.failures.is_empty() && !self.stopped && self.kills > 0
    }
}

/// Why the test could not be made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SelftestError {
    /// A file or a process.
    #[error("cannot {what}")]
    Io {
        /// What was tried.
        what: String,
        /// Why not.
        source: io::Error,
    },
    /// The ledger on which it is tried.
    #[error("the ledger of the test: {0}")]
    Ledger(#[from] LedgerError),
}

/// Runs the test; `stopped` is asked between the rounds, `tell` hears how far it is.
pub(crate) async fn run(
    options: &Options,
    stopped: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(&str),
) -> Result<Report, SelftestError> {
    let started = Instant::now();
    create_private_folder(&options.folder).map_err(|source| failed("make the ledger's folder", source))?;
    let folder = tempfile::Builder::new()
        .prefix("shipsheet-selftest-")
        .tempdir_in(&options.folder)
        .map_err(|source| failed("make a folder beside the ledger", source))?;
    if let Some((site, password_command)) = &options.stations {
        let tried = stations::run(options, (site, password_command.as_deref()), folder.path(), stopped, tell).await;
        let _ = folder.close();
        return tried;
    }
    let mut report = Report { seed: options.seed, ..Report::default() };
    let mut rounds = Rounds::new(options.program.clone(), folder.path(), options.seed).await?;
    tell("killing the program while it books");
    while report.kills < options.kills && started.elapsed() < KILLING && report.failures.is_empty() && !stopped() {
        rounds.kill(&mut report).await?;
    }
    tell("answering badly");
    for fault in FAULTS {
        if stopped() || !report.failures.is_empty() {
            break;
        }
        rounds.fault(fault, &mut report).await?;
    }
    tell("looking through the ledger that is left");
    if rounds.made() > 0 {
        rounds.check(&mut report)?;
    }
    tell("timing commits");
    latency::measure(folder.path(), &mut report)?;
    report.stopped = stopped();
    if report.kills == 0 && !report.stopped && report.failures.is_empty() {
        report.failures.push(format!("no kill hit the program while it was booking, in {} tries", rounds.made()));
    }
    rounds.close().await;
    let _ = folder.close();
    report.seconds = (started.elapsed().as_secs_f64() * 10.0).round() / 10.0;
    Ok(report)
}

/// The table at the end.
pub(crate) fn table(report: &Report) -> String {
    let milliseconds = |micros: u64| format!("{}.{} ms", micros / 1000, micros % 1000 / 100);
    if report.stations > 0 {
        return table_of_stations(report);
    }
    let rows = [
        ("kills", counted(report.kills.into(), "process")),
        ("faults", counted(report.faults.into(), "bad answer")),
        ("orders sent", report.orders.to_string()),
        ("booked twice", report.booked_twice.to_string()),
        ("lost", report.lost.to_string()),
        (
            "in doubt after a kill",
            format!(
                "at most {}, never more than in flight or about to leave: {}",
                report.doubts_max,
                yes(report.beyond == 0)
            ),
        ),
        ("ledger afterwards", format!("{} of evidence hold", counted(report.links, "link"))),
        (
            "commit to disk",
            format!(
                "half below {}, 99 of 100 below {} ({})",
                milliseconds(report.commit_p50_us),
                milliseconds(report.commit_p99_us),
                counted(report.commits.into(), "commit")
            ),
        ),
        ("took", format!("{} s", report.seconds)),
    ];
    lines(&rows)
}

fn table_of_stations(report: &Report) -> String {
    lines(&[
        ("stations", report.stations.to_string()),
        ("kills", counted(report.kills.into(), "station")),
        ("pauses", format!("{}, each longer than its lease", counted(report.pauses.into(), "station"))),
        ("orders sent", report.orders.to_string()),
        ("booked twice", report.booked_twice.to_string()),
        ("lost", report.lost.to_string()),
        ("in doubt", counted(report.doubts_max.into(), "order")),
        ("ledger afterwards", format!("{} of evidence hold", counted(report.links, "link"))),
        ("took", format!("{} s", report.seconds)),
    ])
}

fn lines(rows: &[(&str, String)]) -> String {
    let lines: Vec<String> = rows.iter().map(|(name, value)| format!("  {name:<22}{value}\n")).collect();
    lines.concat()
}

const fn yes(is_so: bool) -> &'static str {
    if is_so { "yes" } else { "NO" }
}

fn failed(what: &str, source: io::Error) -> SelftestError {
    SelftestError::Io { what: what.to_owned(), source }
}
