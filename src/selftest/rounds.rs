//! One round: a sheet is booked, and something happens to it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tokio::process::Child;

use crate::ledger::Ledger;
use crate::sandbox::{Answer, Book, DEFAULT_TOKEN, Faults, Options, Sandbox};

use super::count::compare;
use super::program::Program;
use super::{Report, SelftestError, failed};

/// A child that takes longer hangs.
pub(super) const CHILD_TIME_MAX: Duration = Duration::from_secs(20);

/// Orders of one round, and of a round at concurrency 1.
const ORDERS: u32 = 24;
const ORDERS_ALONE: u32 = 8;

/// Orders of a round of faults, and how many are hit: fewer than the doubts for which a run pauses.
const FAULT_ORDERS: u32 = 12;
const FAULT_HITS: [usize; 2] = [2, 9];

/// A bad answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fault {
    name: &'static str,
    answer: fn() -> Answer,
    /// Whether nobody can know what became of the order.
    doubtful: bool,
}

/// Each kind of bad answer once.
pub(super) const FAULTS: &[Fault] = &[
    Fault { name: "cut before booking", answer: || Answer::CutBefore, doubtful: true },
    Fault { name: "cut after booking", answer: || Answer::CutAfter, doubtful: true },
    Fault { name: "503 before booking", answer: || Answer::Status(503, "<html>busy".to_owned()), doubtful: true },
    Fault { name: "502 after booking", answer: || Answer::BookedThen(502, "<html>bad".to_owned()), doubtful: true },
    Fault { name: "garbage after booking", answer: || Answer::BookedThen(201, "{\"awb\":".to_owned()), doubtful: true },
    Fault {
        name: "neither AWB nor error",
        answer: || Answer::Status(200, "{\"awb\":\"\"}".to_owned()),
        doubtful: true,
    },
    Fault { name: "too many requests", answer: || Answer::TooMany(1), doubtful: false },
];

/// All rounds share one service and one ledger.
pub(super) struct Rounds {
    program: Program,
    sandbox: Sandbox,
    book: Book,
    service: String,
    rng: fastrand::Rng,
    made: u32,
    in_doubt: u32,
}

impl Rounds {
    pub(super) async fn new(executable: PathBuf, folder: &Path, seed: u64) -> Result<Self, SelftestError> {
        // Slow enough that several requests are under way when the kill comes.
        let faults = Faults { latency: Duration::from_millis(3), ..Faults::default() };
        let sandbox = Sandbox::start(Options { faults, ..Options::default() })
            .await
            .map_err(|source| failed("listen on loopback", source))?;
        let service = format!("http://{}", sandbox.address());
        let program = Program::new(executable, folder, service.clone(), DEFAULT_TOKEN);
        let book = sandbox.book();
        Ok(Self { program, sandbox, book, service, rng: fastrand::Rng::with_seed(seed), made: 0, in_doubt: 0 })
    }

    /// Rounds so far.
    pub(super) const fn made(&self) -> u32 {
        self.made
    }

    pub(super) async fn close(self) {
        self.sandbox.shutdown().await;
    }

    /// Books a sheet, kills the program in the middle of it, and lets another one go on.
    pub(super) async fn kill(&mut self, report: &mut Report) -> Result<(), SelftestError> {
        let concurrency = [1, 4, 8, 16][self.made as usize % 4];
        let orders = if concurrency == 1 { ORDERS_ALONE } else { ORDERS };
        let numbers = self.numbers(orders);
        let sheet = self.program.sheet(&numbers)?;
        let target = self.book.requests() + self.rng.u64(1..=u64::from(orders));
        let moment = Duration::from_micros(self.rng.u64(0..4_000));
        let mut child = self.program.start(&["import", &sheet.to_string_lossy()], concurrency)?;
        let started = Instant::now();
        while self.book.requests() < target && ended(&mut child)?.is_none() && started.elapsed() < CHILD_TIME_MAX {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        tokio::time::sleep(moment).await;
        match ended(&mut child)? {
            None => {
                child.kill().await.map_err(|source| failed("kill the child", source))?;
                report.kills += 1;
            }
            Some(0) => {}
            Some(code) => report.failures.push(format!("an import ended with {code}: {}", self.program.said())),
        }
        report.orders += orders;
        let mut child = self.program.start(&["resume"], concurrency)?;
        let code = finish(&mut child).await?;
        if !matches!(code, 0 | 6) {
            report.failures.push(format!("a resume after a kill ended with {code}: {}", self.program.said()));
        }
        let doubts = self.compare(report)?;
        report.doubts_max = report.doubts_max.max(doubts);
        // What is promised, said here once more: those in flight, and a quarter or 16 that were about to leave.
        let most = concurrency + (concurrency / 4).min(16);
        if doubts > most {
            report.beyond += 1;
            report
                .failures
                .push(format!("a kill left {doubts} orders in doubt, and {most} were sent or about to leave"));
        }
        Ok(())
    }

    /// Books a sheet of which some orders get a bad answer.
    pub(super) async fn fault(&mut self, fault: &Fault, report: &mut Report) -> Result<(), SelftestError> {
        let numbers = self.numbers(FAULT_ORDERS);
        for index in FAULT_HITS {
            self.sandbox.script_order(&numbers[index], [(fault.answer)()]);
        }
        let sheet = self.program.sheet(&numbers)?;
        let mut child = self.program.start(&["import", &sheet.to_string_lossy()], 4)?;
        let code = finish(&mut child).await?;
        report.orders += FAULT_ORDERS;
        report.faults += u32::try_from(FAULT_HITS.len()).unwrap_or(0);
        let expected = if fault.doubtful { (6, FAULT_HITS.len()) } else { (0, 0) };
        let doubts = self.compare(report)?;
        if (code, doubts as usize) != expected {
            report.failures.push(format!(
                "{}: the import ended with {code} and {doubts} in doubt, and {} in doubt were expected: {}",
                fault.name,
                expected.1,
                self.program.said()
            ));
        }
        Ok(())
    }

    fn numbers(&mut self, orders: u32) -> Vec<String> {
        self.made += 1;
        (1..=orders).map(|order| format!("S{}-{order}", self.made)).collect()
    }

    /// Looks through the whole ledger as the rounds have left it.
    pub(super) fn check(&self, report: &mut Report) -> Result<(), SelftestError> {
        let checked = Ledger::open_read_only(self.program.ledger())?.check()?;
        report.links = checked.evidence;
        report.failures.extend(checked.faults.into_iter().map(|fault| format!("the ledger afterwards: {fault}")));
        Ok(())
    }

    /// Holds the book against the ledger; gives how many orders came into doubt since the last time.
    fn compare(&mut self, report: &mut Report) -> Result<u32, SelftestError> {
        let known = Ledger::open_read_only(self.program.ledger())?.known_orders(&self.service, None, None)?;
        let bookings: Vec<(String, String)> =
            self.book.bookings().into_iter().map(|booking| (booking.order_number, booking.awb)).collect();
        let counted = compare(&bookings, &known);
        report.booked_twice = u32::try_from(counted.twice.len()).unwrap_or(u32::MAX);
        report.lost = u32::try_from(counted.lost.len()).unwrap_or(u32::MAX);
        report.failures.extend(counted.twice.into_iter().chain(counted.lost).chain(counted.unsettled).take(5));
        let new = counted.in_doubt.saturating_sub(self.in_doubt);
        self.in_doubt = counted.in_doubt;
        Ok(new)
    }
}

pub(super) fn ended(child: &mut Child) -> Result<Option<i32>, SelftestError> {
    let status = child.try_wait().map_err(|source| failed("wait for the child", source))?;
    Ok(status.map(|status| status.code().unwrap_or(-1)))
}

/// The exit code of a child that is left alone; one that hangs is killed.
pub(super) async fn finish(child: &mut Child) -> Result<i32, SelftestError> {
    if let Ok(status) = tokio::time::timeout(CHILD_TIME_MAX, child.wait()).await {
        return Ok(status.map_err(|source| failed("wait for the child", source))?.code().unwrap_or(-1));
    }
    child.kill().await.map_err(|source| failed("kill the child", source))?;
    Ok(-1)
}
