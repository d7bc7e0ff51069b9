//! Three stations over one ledger on a server: one after the other is killed while all of them book, and one is paused for longer
//! than its lease.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tokio::process::Child;

use crate::ledger::{Ledger, Site};
use crate::sandbox::{Book, DEFAULT_TOKEN, Faults, Options as Service, Sandbox};

use super::count::compare;
use super::program::Program;
use super::rounds::{CHILD_TIME_MAX, ended, finish};
use super::{Options, Report, SelftestError, failed};

/// Stations.
const STATIONS: usize = 3;
/// Orders of one round.
const ORDERS: u32 = 36;
/// The whole of it stays below two minutes: kills may take this long, the pause takes as long as a lease.
const KILLING: Duration = Duration::from_secs(40);
/// Longer than a lease, with the time in which another station takes over.
#[cfg(unix)]
const PAUSE: Duration = Duration::from_secs(35);

/// What one service and one ledger have at hand.
struct Stations<'a> {
    site: &'a Site,
    programs: Vec<Program>,
    sandbox: Sandbox,
    book: Book,
    service: String,
    rng: fastrand::Rng,
    made: u32,
}

/// Runs it on the empty database of a site.
pub(super) async fn run(
    options: &Options,
    (site, password_command): (&Site, Option<&str>),
    folder: &Path,
    stopped: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(&str),
) -> Result<Report, SelftestError> {
    let started = Instant::now();
    Ledger::refuse_used(site)?;
    let mut report = Report { seed: options.seed, stations: 3, ..Report::default() };
    let mut stations = Stations::new(options, (site, password_command), folder).await?;
    tell("killing stations while three of them book");
    while report.kills < options.kills && started.elapsed() < KILLING && report.failures.is_empty() && !stopped() {
        stations.kill(&mut report).await?;
    }
    for _ in 0..options.pauses {
        if stopped() || !report.failures.is_empty() {
            break;
        }
        tell("pausing a station until another one has taken over, which takes half a minute");
        stations.pause(&mut report).await?;
    }
    tell("looking through the ledger that is left");
    if stations.made > 0 {
        let checked = Ledger::read_at(site)?.check()?;
        report.links = checked.evidence;
        report.failures.extend(checked.faults.into_iter().map(|fault| format!("the ledger afterwards: {fault}")));
    }
    report.stopped = stopped();
    if report.kills == 0 && !report.stopped && report.failures.is_empty() {
        report.failures.push(format!("no kill hit a station while it was booking, in {} tries", stations.made));
    }
    stations.sandbox.shutdown().await;
    report.seconds = (started.elapsed().as_secs_f64() * 10.0).round() / 10.0;
    Ok(report)
}

impl<'a> Stations<'a> {
    async fn new(
        options: &Options,
        (site, password_command): (&'a Site, Option<&str>),
        folder: &Path,
    ) -> Result<Self, SelftestError> {
        let faults = Faults { latency: Duration::from_millis(5), ..Faults::default() };
        let sandbox = Sandbox::start(Service { faults, ..Service::default() })
            .await
            .map_err(|source| failed("listen on loopback", source))?;
        let service = format!("http://{}", sandbox.address());
        let mut programs = Vec::new();
        for station in 1..=STATIONS {
            let own = folder.join(format!("station-{station}"));
            std::fs::create_dir(&own).map_err(|source| failed("make a folder of a station", source))?;
            let mut program = Program::new(options.program.clone(), &own, service.clone(), DEFAULT_TOKEN);
            program.share(PathBuf::from(site.named()), password_command);
            programs.push(program);
        }
        let (book, rng) = (sandbox.book(), fastrand::Rng::with_seed(options.seed));
        Ok(Self { site, programs, sandbox, book, service, rng, made: 0 })
    }

    /// Starts the first station with a sheet, and the others with what it has outstanding.
    async fn start(&mut self) -> Result<Vec<Child>, SelftestError> {
        self.made += 1;
        let numbers: Vec<String> = (1..=ORDERS).map(|order| format!("S{}-{order}", self.made)).collect();
        let sheet = self.programs[0].sheet(&numbers)?;
        let before = self.book.requests();
        let mut children = vec![self.programs[0].start(&["import", &sheet.to_string_lossy()], 4)?];
        self.reach(before + 1, &mut children[0]).await?;
        for program in &self.programs[1..] {
            children.push(program.start(&["resume"], 4)?);
        }
        Ok(children)
    }

    /// Waits until the service was asked so often, or the child has ended.
    async fn reach(&self, requests: u64, child: &mut Child) -> Result<(), SelftestError> {
        let started = Instant::now();
        while self.book.requests() < requests && ended(child)?.is_none() && started.elapsed() < CHILD_TIME_MAX {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        Ok(())
    }

    /// Kills one of the stations while all of them book, and lets it go on.
    async fn kill(&mut self, report: &mut Report) -> Result<(), SelftestError> {
        let victim = self.rng.usize(..STATIONS);
        let target = self.book.requests() + self.rng.u64(2..u64::from(ORDERS));
        let mut children = self.start().await?;
        self.reach(target, &mut children[victim]).await?;
        if ended(&mut children[victim])?.is_none() {
            children[victim].kill().await.map_err(|source| failed("kill a station", source))?;
            report.kills += 1;
        }
        self.end(victim, children, report).await
    }

    /// Pauses one of them for longer than its lease. What it was sending is in doubt then, and is sent by nobody else.
    #[cfg(unix)]
    async fn pause(&mut self, report: &mut Report) -> Result<(), SelftestError> {
        use rustix::process::{Pid, Signal, kill_process};
        let victim = self.rng.usize(1..STATIONS);
        let mut children = self.start().await?;
        self.reach(self.book.requests() + 4, &mut children[victim]).await?;
        let id = children[victim].id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        let signal = |signal| {
            let sent = id.map_or(Ok(()), |id| kill_process(id, signal));
            sent.map_err(|error| failed("pause a station", error.into()))
        };
        signal(Signal::STOP)?;
        tokio::time::sleep(PAUSE).await;
        let other = STATIONS - victim;
        let mut taking_over = self.programs[other].start(&["resume"], 4)?;
        finish(&mut taking_over).await?;
        signal(Signal::CONT)?;
        report.pauses += u32::from(id.is_some());
        self.end(victim, children, report).await
    }

    /// This system has no way to pause a program.
    #[cfg(not(unix))]
    async fn pause(&mut self, _: &mut Report) -> Result<(), SelftestError> {
        Ok(())
    }

    /// Waits for all of them, has each go on with what is left, the one that was hit first, and counts.
    async fn end(&self, victim: usize, children: Vec<Child>, report: &mut Report) -> Result<(), SelftestError> {
        for mut child in children {
            finish(&mut child).await?;
        }
        let others = (0..STATIONS).filter(|station| *station != victim);
        for station in std::iter::once(victim).chain(others) {
            let code = finish(&mut self.programs[station].start(&["resume"], 4)?).await?;
            if !matches!(code, 0 | 5 | 6) {
                let said = self.programs[station].said();
                report.failures.push(format!("a resume of station {} ended with {code}: {said}", station + 1));
            }
        }
        report.orders += ORDERS;
        let known = Ledger::read_at(self.site)?.known_orders(&self.service, None, None)?;
        let bookings: Vec<(String, String)> =
            self.book.bookings().into_iter().map(|booking| (booking.order_number, booking.awb)).collect();
        let counted = compare(&bookings, &known);
        report.booked_twice = u32::try_from(counted.twice.len()).unwrap_or(u32::MAX);
        report.lost = u32::try_from(counted.lost.len()).unwrap_or(u32::MAX);
        report.doubts_max = report.doubts_max.max(counted.in_doubt);
        report.failures.extend(counted.twice.into_iter().chain(counted.lost).chain(counted.unsettled).take(5));
        Ok(())
    }
}
