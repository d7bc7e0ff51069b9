//! What every booking command does around booking: lock, ledger, service, the yes, the run, the report.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use jiff::Timestamp;

use crate::api::{Caller, Client, Endpoint, Token, TokenKeeper, TokenSource};
use crate::book::{self, Job, Stop, StopSignal, Unsaved};
use crate::event::{Event, Stream};
use crate::ledger::{Ledger, NewRun, RunEnd, RunId, RunKind, Tally};
use crate::report::{Highlights, Progress};
use crate::sandbox::{self, Sandbox};
use crate::text::{count, money};

use super::Usage;
use super::console::{confirm, confirm_unless, listen_for_signals, note, progress_style};
use super::ledger::open_ledger;
use super::room::make_room;
use super::settings::{BookingSettings, NO_SERVICE, Service, Settings, Verbosity};

use crate::stage::Totals;

/// A ledger that this process alone may write.
pub(super) struct Session {
    pub(super) ledger: Ledger,
    pub(super) service: String,
    pub(super) started: Instant,
    /// Filled rows of this run's sheets that name no order.
    pub(super) rows_without_order: u64,
}

/// How a run's booking ended.
pub(super) struct Ended {
    pub(super) tally: Tally,
    pub(super) requests: u64,
    pub(super) stopped: Option<(String, String)>,
    pub(super) highlights: Highlights,
    /// Answers that the ledger could not take; their orders count as in doubt.
    pub(super) unsaved: Vec<Unsaved>,
    /// Where they are kept for the next start, if they are.
    pub(super) spool: Option<PathBuf>,
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
        let ledger = open_ledger(settings, what)?;
        Ok(Self { ledger, service, started: Instant::now(), rows_without_order: 0 })
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

    /// Books what a committed run holds, and closes its record. `line` is needed where anything is outstanding.
    ///
    /// Fails only as long as nothing was sent; after that, whatever fails is said and the report still comes.
    pub(super) fn book(
        self,
        run: RunId,
        booking: &BookingSettings,
        runtime: &tokio::runtime::Runtime,
        line: Option<Line>,
        mut events: Stream<Progress>,
    ) -> Result<(Ended, Ledger)> {
        let stop = StopSignal::default();
        let before = self.ledger.tally(run)?;
        let mut ledger = self.ledger;
        let Some(line) = line.filter(|_| before.outstanding > 0) else {
            let ended = Ended {
                tally: before,
                requests: 0,
                stopped: None,
                highlights: Highlights::default(),
                unsaved: Vec::new(),
                spool: None,
            };
            events.tell(&Event::Finished);
            ledger.finish_run(run, &run_end(&ended, self.rows_without_order))?;
            return Ok((ended, ledger));
        };
        let job = Job {
            ledger,
            run,
            orders: before.outstanding,
            client: line.client.clone(),
            tokens: line.tokens.clone(),
            brake: booking.brake,
            rate: booking.rate,
            limits: booking.limits,
            stop: stop.clone(),
        };
        let booked = runtime.block_on(async {
            listen_for_signals(stop);
            book::book(job, events).await
        });
        let (booked, events) = booked?;
        drop(line);
        let mut ledger = booked.ledger;
        let mut tally = ledger.tally(run).unwrap_or_else(|error| {
            note(format!("warning: the ledger cannot be read, so the counts below are those from before: {error}"));
            before
        });
        let uncertain = (booked.unsaved.len() as u64).min(tally.outstanding);
        tally.outstanding -= uncertain;
        tally.in_doubt += uncertain;
        let ended = Ended {
            tally,
            requests: booked.requests,
            stopped: booked.stopped.map(|(by, reason)| (by.as_str().to_owned(), reason)),
            highlights: events.into_listener().into_highlights(),
            unsaved: booked.unsaved,
            spool: booked.spool,
        };
        if let Err(error) = ledger.finish_run(run, &run_end(&ended, self.rows_without_order)) {
            note(format!("warning: the end of run {} could not be recorded: {error}", run.number()));
        }
        Ok((ended, ledger))
    }
}

fn run_end(ended: &Ended, rows_without_order: u64) -> RunEnd {
    RunEnd {
        finished_ms: Timestamp::now().as_millisecond(),
        requests: ended.requests,
        stopped_by: ended.stopped.as_ref().map(|(by, _)| by.clone()),
        stopped_why: ended.stopped.as_ref().map(|(_, why)| why.clone()),
        exit: super::exit::Exit::of(&ended.tally.into(), rows_without_order, ended.requests == 0).code(),
    }
}

impl Line {
    /// Gets everything ready that a first request needs, so that nothing fails after the yes that could fail before.
    pub(super) fn open(
        settings: &Settings,
        booking: &BookingSettings,
        runtime: &tokio::runtime::Runtime,
    ) -> Result<Self> {
        Self::connect(settings, booking.brake.concurrency.ceiling(), runtime)
    }

    /// The same for commands that book nothing.
    pub(super) fn connect(settings: &Settings, concurrency: usize, runtime: &tokio::runtime::Runtime) -> Result<Self> {
        make_room(concurrency)?;
        let (endpoint, sandbox) = match &settings.service {
            Service::Sandbox => {
                let sandbox = runtime.block_on(Sandbox::start(sandbox::Options::default()))?;
                (Endpoint::parse(&format!("http://{}", sandbox.address()))?, Some(sandbox))
            }
            Service::At(Some(endpoint)) => (endpoint.clone(), None),
            Service::At(None) => bail!(NO_SERVICE),
        };
        let client = Client::new(settings.client(endpoint, concurrency)?)?;
        let source = match sandbox {
            Some(_) => TokenSource::Fixed(Token::new(sandbox::DEFAULT_TOKEN)?),
            None => settings.token_source(&client)?,
        };
        let tokens = TokenKeeper::new(source);
        runtime.block_on(tokens.current()).context("no token could be had")?;
        Ok(Self { client, tokens, _sandbox: sandbox })
    }

    /// For every operation but the bookings.
    pub(super) fn caller(&self) -> Caller {
        Caller::new(self.client.clone(), self.tokens.clone())
    }
}

/// What happens in this command, as its terminal shows it.
pub(super) fn events(settings: &Settings) -> Stream<Progress> {
    let style = progress_style(settings.verbosity);
    Stream::new(Progress::new(style, settings.verbosity == Verbosity::Verbose))
}

/// Whether to go ahead with what will be sent: asked on a terminal, `--yes` elsewhere, never with the sandbox.
///
/// `listening` is the signal of whoever listens to Ctrl-C already.
pub(super) fn agreed(
    settings: &Settings,
    booking: &BookingSettings,
    totals: &Totals,
    listening: Option<(&StopSignal, &tokio::runtime::Runtime)>,
) -> Result<bool> {
    if listening.is_some_and(|(stop, _)| stop.now() != Stop::No) {
        return Ok(false);
    }
    if booking.yes || settings.service == Service::Sandbox {
        return Ok(true);
    }
    let orders = count(totals.orders, "order");
    let question = format!("Book {orders} for real?");
    let answer = match listening {
        Some((stop, runtime)) => confirm_unless(&question, stop, runtime),
        None => confirm(&question),
    };
    answer.ok_or_else(|| Usage(format!("this books {orders} for real, and nobody can be asked here: add --yes")).into())
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
