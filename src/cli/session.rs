//! What every booking command does around booking: lock, ledger, service, the yes, the run, the report.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use jiff::Timestamp;

use crate::api::{Client, Endpoint, Token, TokenKeeper, TokenSource};
use crate::book::{self, Job, StopSignal};
use crate::ledger::{Ledger, NewRun, RunEnd, RunId, RunKind, RunLock, Tally};
use crate::report::{Highlights, Progress};
use crate::sandbox::{self, Sandbox};
use crate::text::{count, money};

use super::console::{confirm, listen_for_signals, note, progress_style};
use super::settings::{BookingSettings, Service, Settings, Verbosity};

use crate::stage::Totals;

/// A ledger that this process alone may write.
pub(super) struct Session {
    pub(super) ledger: Ledger,
    pub(super) service: String,
    pub(super) started: Instant,
    _lock: RunLock,
}

/// How a run's booking ended.
pub(super) struct Ended {
    pub(super) tally: Tally,
    pub(super) requests: u64,
    pub(super) stopped: Option<(String, String)>,
    pub(super) highlights: Highlights,
}

/// The service, ready to be posted to; a sandbox lives as long as this does.
pub(super) struct Line {
    client: Client,
    tokens: TokenKeeper,
    _sandbox: Option<Sandbox>,
}

impl Session {
    /// Takes the lock, opens the ledger, and finds what a crash left behind.
    pub(super) fn open(settings: &Settings, what: &str) -> Result<Self> {
        let service = settings.service_key()?;
        let lock = RunLock::acquire(&settings.ledger, what)?;
        let mut ledger = Ledger::open(&settings.ledger)?;
        let left = ledger.recover(Timestamp::now().as_millisecond())?;
        if !left.is_empty() {
            note(format!(
                "warning: the last run ended in the middle of {}, now in doubt: see `{} doubt list`",
                count(left.len() as u64, "order"),
                settings.command
            ));
        }
        Ok(Self { ledger, service, started: Instant::now(), _lock: lock })
    }

    /// The first lines of a run's record.
    pub(super) fn new_run(&self, kind: RunKind) -> NewRun {
        NewRun {
            kind,
            service: self.service.clone(),
            started_ms: Timestamp::now().as_millisecond(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            user: user(),
            host: host(),
        }
    }

    /// Books what a committed run holds, and closes its record.
    pub(super) fn book(
        self,
        run: RunId,
        settings: &Settings,
        booking: &BookingSettings,
        runtime: &tokio::runtime::Runtime,
        line: Line,
    ) -> Result<(Ended, Ledger)> {
        let stop = StopSignal::default();
        let tally = self.ledger.tally(run)?;
        let mut ledger = self.ledger;
        if tally.outstanding == 0 {
            let ended = Ended { tally, requests: 0, stopped: None, highlights: Highlights::default() };
            ledger.finish_run(run, &run_end(&ended))?;
            return Ok((ended, ledger));
        }
        let job = Job {
            ledger,
            run,
            orders: tally.outstanding,
            client: line.client.clone(),
            tokens: line.tokens.clone(),
            brake: booking.brake,
            rate: booking.rate,
            stop: stop.clone(),
        };
        let progress = Progress::new(progress_style(settings.verbosity), settings.verbosity == Verbosity::Verbose);
        let booked = runtime.block_on(async {
            listen_for_signals(stop);
            book::book(job, progress).await
        });
        let (booked, progress) = booked?;
        if !booked.unsaved.is_empty() {
            let lines: Vec<String> =
                booked.unsaved.iter().map(|unsaved| format!("  order {}: {}", unsaved.order, unsaved.answer)).collect();
            let why = booked.stopped.map(|(_, reason)| reason).unwrap_or_default();
            bail!(
                "{why}\nthe service has answered these orders, but the answers could not be written; keep this list:\n{}\n\
                 make room on the disk, then settle them with `{} doubt list`",
                lines.join("\n"),
                settings.command
            );
        }
        let mut ledger = booked.ledger;
        let stopped = booked.stopped.map(|(by, reason)| (by.as_str().to_owned(), reason));
        let tally = ledger.tally(run)?;
        let ended = Ended { tally, requests: booked.requests, stopped, highlights: progress.into_highlights() };
        drop(line);
        ledger.finish_run(run, &run_end(&ended))?;
        Ok((ended, ledger))
    }
}

fn run_end(ended: &Ended) -> RunEnd {
    RunEnd {
        finished_ms: Timestamp::now().as_millisecond(),
        requests: ended.requests,
        stopped_by: ended.stopped.as_ref().map(|(by, _)| by.clone()),
        exit: super::exit::Exit::of(&ended.tally.into(), ended.requests == 0).code(),
    }
}

impl Line {
    /// Gets everything ready that a first request needs, so that nothing fails after the yes that could fail before.
    pub(super) fn open(
        settings: &Settings,
        booking: &BookingSettings,
        runtime: &tokio::runtime::Runtime,
    ) -> Result<Self> {
        let (endpoint, source, sandbox) = match &settings.service {
            Service::Sandbox => {
                let sandbox = runtime.block_on(Sandbox::start(sandbox::Options::default()))?;
                let endpoint = Endpoint::parse(&format!("http://{}", sandbox.address()))?;
                let token = Token::new(sandbox::DEFAULT_TOKEN)?;
                (endpoint, TokenSource::Fixed(token), Some(sandbox))
            }
            Service::At(Some(endpoint)) => (endpoint.clone(), settings.token_source()?, None),
            Service::At(None) => bail!("no service is configured"),
        };
        let client = Client::new(settings.client(endpoint, booking.brake.concurrency)?)?;
        let tokens = TokenKeeper::new(source);
        runtime.block_on(tokens.current()).context("no token could be had")?;
        Ok(Self { client, tokens, _sandbox: sandbox })
    }
}

/// Asks for a yes where one is needed.
pub(super) enum Answer {
    Yes,
    No,
    /// Nobody can be asked, and `--yes` was not given.
    NobodyToAsk,
}

/// Whether to go ahead with what will be sent.
pub(super) fn ask(settings: &Settings, booking: &BookingSettings, totals: &Totals) -> Answer {
    if booking.yes || settings.service == Service::Sandbox {
        return Answer::Yes;
    }
    match confirm(&format!("Book {} for real?", count(totals.orders, "order"))) {
        Some(true) => Answer::Yes,
        Some(false) => Answer::No,
        None => Answer::NobodyToAsk,
    }
}

/// What will be sent, in one line.
pub(super) fn to_send(totals: &Totals) -> String {
    format!(
        "{} with {}, declared value {}, cash on delivery {}",
        count(totals.orders, "order"),
        count(totals.lines, "line"),
        money(totals.value),
        money(totals.to_collect)
    )
}

/// A runtime for the requests of one command.
pub(super) fn runtime() -> Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("the system does not let this program start its threads")
}

/// Seconds since the session began.
pub(super) fn seconds(started: Instant) -> f64 {
    let elapsed: Duration = started.elapsed();
    (elapsed.as_secs_f64() * 1000.0).round() / 1000.0
}

/// Who runs this, for the ledger's record.
pub(super) fn user() -> String {
    std::env::var("USER")
        .or_else(|_| std::env::var("LOGNAME"))
        .or_else(|_| std::env::var("USERNAME"))
        .unwrap_or_else(|_| "unknown".to_owned())
}

/// Where it runs.
pub(super) fn host() -> String {
    gethostname::gethostname().to_string_lossy().into_owned()
}
