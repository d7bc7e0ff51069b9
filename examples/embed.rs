//! Books a sheet from a program of one's own, against a stand-in service that it starts itself.
//!
//! ```sh
//! cargo run --example embed -- examples/quickstart/orders.csv
//! ```

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example shows what it does")]

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use shipsheet::api::{Client, ClientOptions, Endpoint, Token, TokenKeeper, TokenSource};
use shipsheet::book::{self, BrakeOptions, Concurrency, Job, RetryPolicy, StopSignal};
use shipsheet::check::{Rules, Timestamp};
use shipsheet::event::{Events, Stream};
use shipsheet::finding::Finding;
use shipsheet::finding::english::message;
use shipsheet::ledger::{Ledger, NewRun, RunFacts, RunId, RunKind, RunLock, Wanted};
use shipsheet::sandbox::{DEFAULT_TOKEN, Options, Sandbox};
use shipsheet::sheet;
use shipsheet::stage::{self, OpenOptions, Recorder};

/// What tells this service's orders from another's in the ledger.
const SERVICE: &str = "sandbox";

#[tokio::main]
async fn main() -> Result<()> {
    let sheet = std::env::args().nth(1).context("name a sheet")?;
    let folder = tempfile::tempdir()?;
    for line in book_sheet(Path::new(&sheet), &folder.path().join("ledger.sqlite")).await? {
        println!("{line}");
    }
    Ok(())
}

/// Books a sheet and gives a line for each order.
pub(crate) async fn book_sheet(sheet: &Path, ledger: &Path) -> Result<Vec<String>> {
    // One writer at a time: the lock is held until the run is over and dies with this process.
    let _lock = RunLock::acquire(ledger, "embed")?;
    let mut ledger = Ledger::open(ledger)?;
    // What a crash left in the middle of sending is in doubt from now on, and never sent again by itself.
    ledger.recover(Timestamp::now().as_millisecond())?;
    // One stream from the first row to the last answer; a listener in place of nobody could draw a page from it.
    let mut events = Stream::silent();
    let (run, orders) = stage_sheet(&mut ledger, sheet, &mut events)?;

    let sandbox = Sandbox::start(Options::default()).await?;
    let job = Job {
        ledger,
        run,
        orders,
        client: Client::new(ClientOptions::new(Endpoint::parse(&format!("http://{}", sandbox.address()))?))?,
        tokens: TokenKeeper::new(TokenSource::Fixed(Token::new(DEFAULT_TOKEN)?)),
        brake: BrakeOptions {
            concurrency: Concurrency::default(),
            wait_max: Duration::from_mins(1),
            retry: RetryPolicy::default(),
        },
        rate: None,
        limits: book::Limits::default(),
        stop: StopSignal::default(),
    };
    // Every answer is in the ledger before anyone hears of it.
    let (booked, _) = book::book(job, events).await?;
    if let Some((by, reason)) = booked.stopped {
        bail!("stopped by {}: {reason}", by.as_str());
    }

    let mut lines = Vec::new();
    booked.ledger.for_each_result(&Wanted { run: Some(run), states: &[], running: false }, &mut |order| {
        let number = order.order_number.as_deref().unwrap_or("(no number)");
        let what = order.awb.as_deref().or(order.error.as_deref()).unwrap_or_default();
        lines.push(format!("{number}: {} {what}", order.state));
    })?;
    Ok(lines)
}

/// Reads, checks, groups and freezes; nothing is sent, and until `commit` nothing is recorded.
fn stage_sheet(ledger: &mut Ledger, path: &Path, events: &mut Events<'_>) -> Result<(RunId, u64)> {
    let now = Timestamp::now();
    let mut rules = Rules::new(now);
    rules.set_default("destination.countryCode", "IN")?;
    let paths = vec![path.to_owned()];
    let options = OpenOptions { paths, sheet: sheet::Options::default(), profile: None, saved: Vec::new(), rules };
    let opened = stage::open(&options, events)?;
    if opened.is_unusable() {
        bail!("{} cannot be used: {}", path.display(), message(&opened.problems[0]));
    }
    let mut staging = ledger.stage(NewRun {
        kind: RunKind::Import,
        service: SERVICE.to_owned(),
        started_ms: now.as_millisecond(),
        version: "embed".to_owned(),
        user: "embed".to_owned(),
        host: "localhost".to_owned(),
    })?;
    let mut recorder = Recorder::new(&mut staging, now.as_millisecond());
    // Bad input is data: each problem has a code, a place and a way out, and the good orders go on.
    let mut say = |problem: &Finding| eprintln!("{}", message(problem));
    let gathered = stage::gather(&opened, &options.rules, &mut recorder, &mut say, events)?;
    let orders = recorder.to_send.orders;
    let rows = gathered.rows;
    let run = staging.commit(&RunFacts {
        sheets: vec![path.display().to_string()],
        rows_read: rows.read,
        rows_blank: rows.blank,
        rows_skipped: rows.skipped,
        rows_in_orders: rows.in_orders,
        rows_invalid: rows.invalid,
        lines: gathered.good.lines,
    })?;
    Ok((run, orders))
}
