//! The program and its sandbox as processes: how long, how much processor time, how much memory.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

/// The program that is measured: the one that was built for it, or another one that `BENCH_PROGRAM` names.
fn measured() -> String {
    std::env::var("BENCH_PROGRAM").unwrap_or_else(|_| env!("CARGO_BIN_EXE_shipsheet").to_owned())
}

/// What a run of the program took.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Taken {
    pub(crate) wall: Duration,
    /// Processor time, where the system tells it.
    pub(crate) processor: Option<Duration>,
    /// The most memory that was resident, in MB, where the system tells it.
    pub(crate) peak: Option<f64>,
}

/// A sandbox in a process of its own.
pub(crate) struct Service {
    process: Child,
    pub(crate) url: String,
}

impl Service {
    pub(crate) fn start(faults: &str) -> Result<Self> {
        let mut process = Command::new(measured())
            .args(["sandbox", "--port", "0", "--faults", if faults.is_empty() { "seed=1" } else { faults }])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut line = String::new();
        BufReader::new(process.stdout.take().context("no output")?).read_line(&mut line)?;
        let url = line.trim().strip_prefix("listening on ").context("the sandbox did not start")?.to_owned();
        Ok(Self { process, url })
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // It may have ended by itself; either way it is gone.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The program with nothing of this machine around it.
pub(crate) fn program(folder: &Path, url: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(measured());
    command
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .env("HOME", folder)
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("SHIPSHEET_BASE_URL", url)
        .env("SHIPSHEET_TOKEN", "sandbox-token")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .stdout(Stdio::piped());
    command
}

/// Runs the program to its end, which must be a good one.
pub(crate) fn run(mut command: Command) -> Result<Taken> {
    let started = Instant::now();
    let mut process = command.spawn()?;
    let id = process.id();
    let mut out = process.stdout.take().context("no output")?;
    let reading = thread::spawn(move || out.read_to_end(&mut Vec::new()));
    let mut peak = None;
    while !reading.is_finished() {
        peak = peak_of(id).or(peak);
        thread::sleep(Duration::from_millis(2));
    }
    let wall = started.elapsed();
    // A process that has ended and was not waited for still tells its times.
    let processor = processor_of(id);
    let status = process.wait()?;
    ensure!(status.success(), "the program ended with {status}: {command:?}");
    Ok(Taken { wall, processor, peak })
}

fn peak_of(id: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.trim().trim_end_matches(" kB").parse().ok()?;
    Some(kilobytes / 1024.0)
}

fn processor_of(id: u32) -> Option<Duration> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name may hold spaces; it ends with the last parenthesis. User and system time are fields 14 and 15.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: u64 = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    // Linux gives these in hundredths of a second on every machine.
    Some(Duration::from_millis(ticks * 10))
}

/// From the start of the process to its first request.
pub(crate) fn until_first_request(folder: &Path, sheet: &str) -> Result<Duration> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let url = format!("http://{}", listener.local_addr()?);
    let started = Instant::now();
    let arguments = ["import", sheet, "--yes", "-q", "--ledger", "first.sqlite"];
    let mut process = program(folder, &url, &arguments).spawn()?;
    let (mut connection, _) = listener.accept()?;
    connection.read_exact(&mut [0; 4])?;
    let taken = started.elapsed();
    process.kill()?;
    process.wait()?;
    Ok(taken)
}
