//! The run's one owner of state and the ledger's only writer.
//!
//! Each turn of its loop gathers what has arrived, asks the brake, chooses the orders that may go next, and commits
//! answers and intents together. Only then are reporters told and requests sent.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::api::outcome::{Observed, Outcome, Verdict, judge};
use crate::api::{Client, Token, TokenKeeper};
use crate::event::{Event, Reporter};
use crate::ledger::{Applied, Change, Ledger, LedgerError, OrderId, RunId};

use super::brake::{Brake, BrakeOptions, Ruling, StoppedBy};
use super::pace::Pacer;
use super::plan::{Queue, Queued};
use super::stop::{Stop, StopSignal};
use super::worker::{Arrived, Worker};

/// A run to be booked.
pub struct Job {
    /// Where everything is written; nobody else may write to it meanwhile.
    pub ledger: Ledger,
    /// The run.
    pub run: RunId,
    /// Orders that may be sent, for reporters.
    pub orders: u64,
    /// The service.
    pub client: Client,
    /// The token.
    pub tokens: TokenKeeper,
    /// Width, waits and retries.
    pub brake: BrakeOptions,
    /// Requests a second at most.
    pub rate: Option<f64>,
    /// How a person or the system ends it early.
    pub stop: StopSignal,
}

/// How booking ended.
#[derive(Debug)]
pub struct Booked {
    /// The ledger, handed back.
    pub ledger: Ledger,
    /// POSTs that were made.
    pub requests: u64,
    /// Which brake ended it early, with its reason.
    pub stopped: Option<(StoppedBy, String)>,
    /// Answers that could not be written.
    pub unsaved: Vec<Unsaved>,
}

/// An answer that the ledger could not take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsaved {
    /// The order number.
    pub order: String,
    /// What the answer said, for a person to keep.
    pub answer: String,
}

/// Why booking could not begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// No token could be had.
    #[error(transparent)]
    Token(#[from] crate::api::TokenError),
    /// The ledger could not be read.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The dispatcher itself failed.
    #[error("booking ended unexpectedly: {0}")]
    Broken(#[from] tokio::task::JoinError),
}

/// Books a run's outstanding orders until none is left, a brake stops it, or somebody asks it to stop.
///
/// Orders in flight are always waited for, unless the stop signal asks to cut: then they are in doubt.
pub async fn book<R>(job: Job, reporter: R) -> Result<(Booked, R), BookError>
where
    R: Reporter + 'static,
{
    let (token, generation) = job.tokens.current().await?;
    let runtime = tokio::runtime::Handle::current();
    // Commits block for an fsync each: they have a thread of their own.
    tokio::task::spawn_blocking(move || runtime.block_on(Dispatcher::new(job, reporter, token, generation).run()))
        .await?
}

/// An answer on its way to the disk.
struct Answer {
    queued: Queued,
    verdict: Verdict,
    status: Option<u16>,
    raw: Option<Vec<u8>>,
}

struct Dispatcher<R> {
    ledger: Ledger,
    run: RunId,
    orders: u64,
    tokens: TokenKeeper,
    token: Arc<Token>,
    token_generation: u64,
    brake: Brake,
    pacer: Pacer,
    stop: StopSignal,
    reporter: R,
    queue: Queue,
    worker: Worker,
    arrivals: mpsc::Receiver<Arrived>,
    tasks: JoinSet<()>,
    in_flight: HashMap<OrderId, Queued>,
    answers: Vec<Answer>,
    started: Instant,
    paused_until: Duration,
    paced_until: Duration,
    pauses: u64,
    requests: u64,
    stopped: Option<(StoppedBy, String)>,
    announced: bool,
    concurrency: usize,
}

impl<R: Reporter> Dispatcher<R> {
    fn new(job: Job, reporter: R, token: Token, token_generation: u64) -> Self {
        let (reports, arrivals) = mpsc::channel(job.brake.concurrency.max(1));
        Self {
            ledger: job.ledger,
            run: job.run,
            orders: job.orders,
            tokens: job.tokens,
            token: Arc::new(token),
            token_generation,
            brake: Brake::new(job.brake),
            pacer: Pacer::new(job.rate),
            stop: job.stop,
            reporter,
            queue: Queue::default(),
            worker: Worker { client: job.client, reports },
            arrivals,
            tasks: JoinSet::new(),
            in_flight: HashMap::new(),
            answers: Vec::new(),
            started: Instant::now(),
            paused_until: Duration::ZERO,
            paced_until: Duration::ZERO,
            pauses: 0,
            requests: 0,
            stopped: None,
            announced: false,
            concurrency: job.brake.concurrency,
        }
    }

    async fn run(mut self) -> Result<(Booked, R), BookError> {
        let (run, orders, concurrency) = (self.run.number(), self.orders, self.concurrency);
        self.reporter.event(&Event::Started { run, orders, concurrency });
        let mut stop = self.stop.watch();
        loop {
            if *stop.borrow_and_update() == Stop::Cut {
                self.cut();
            }
            self.heed_stop_signal();
            let intents = if self.stopped.is_some() { Vec::new() } else { self.choose()? };
            self.commit_and_go(intents);
            if !self.answers.is_empty() && !self.stopped_by_ledger() {
                continue;
            }
            if self.in_flight.is_empty() && self.answers.is_empty() && (self.stopped.is_some() || self.queue.is_done())
            {
                break;
            }
            if self.in_flight.is_empty() && self.stopped_by_ledger() {
                break;
            }
            let (wake, may_choose_later) = (self.started + self.wake(), self.may_choose_later());
            tokio::select! {
                biased;
                Some(arrived) = self.arrivals.recv() => {
                    self.arrived(arrived).await;
                    while let Ok(arrived) = self.arrivals.try_recv() {
                        self.arrived(arrived).await;
                    }
                }
                Ok(()) = stop.changed() => {}
                () = tokio::time::sleep_until(wake.into()), if may_choose_later => {}
            }
        }
        self.reporter.event(&Event::Finished);
        let unsaved = self.answers.iter().map(unsaved).collect();
        let booked = Booked { ledger: self.ledger, requests: self.requests, stopped: self.stopped, unsaved };
        Ok((booked, self.reporter))
    }

    /// When the next order may be chosen.
    fn wake(&self) -> Duration {
        self.paused_until.max(self.paced_until)
    }

    fn may_choose_later(&self) -> bool {
        self.stopped.is_none() && !self.queue.is_done() && self.in_flight.len() < self.brake.width()
    }

    fn stopped_by_ledger(&self) -> bool {
        matches!(self.stopped, Some((StoppedBy::Ledger, _)))
    }

    fn heed_stop_signal(&mut self) {
        if self.stop.now() != Stop::No {
            self.stop_for(StoppedBy::Signal, "you asked it to stop".to_owned());
        }
        if let Some((by, reason)) = &self.stopped
            && !self.announced
        {
            self.announced = true;
            let in_flight = self.in_flight.len();
            self.reporter.event(&Event::Stopping { by: by.as_str(), reason, in_flight });
        }
    }

    /// The first reason stays: what follows from it would hide it.
    fn stop_for(&mut self, by: StoppedBy, reason: String) {
        self.stopped.get_or_insert((by, reason));
    }

    /// Takes orders from the queue while width, pause and pace allow it.
    fn choose(&mut self) -> Result<Vec<Queued>, BookError> {
        let mut chosen = Vec::new();
        let now = self.started.elapsed();
        while now >= self.paused_until && self.in_flight.len() + chosen.len() < self.brake.width() {
            if let Some(after) = self.queue.wants() {
                let page = self.ledger.outstanding(self.run, after, Queue::PAGE)?;
                self.queue.fill(page, Queue::PAGE);
            }
            if self.queue.is_done() {
                break;
            }
            if let Err(next) = self.pacer.take(now) {
                self.paced_until = next;
                break;
            }
            let Some(queued) = self.queue.next() else { break };
            chosen.push(queued);
        }
        Ok(chosen)
    }

    /// Commits answers and intents as one; then tells reporters and lets workers go.
    fn commit_and_go(&mut self, intents: Vec<Queued>) {
        if self.answers.is_empty() && intents.is_empty() {
            return;
        }
        let run = self.run;
        let mut changes: Vec<Change> = self.answers.iter().map(answer_change).collect();
        changes.extend(intents.iter().map(|queued| Change::Intent { order: queued.order.order, run }));
        match self.ledger.commit(&changes, Timestamp::now().as_millisecond()) {
            Ok(applied) => {
                let answers = std::mem::take(&mut self.answers);
                for (answer, applied) in answers.into_iter().zip(applied) {
                    self.tell(answer, &applied);
                }
                for queued in intents {
                    self.go(queued);
                }
            }
            Err(error) => {
                for queued in intents.into_iter().rev() {
                    self.queue.not_sent(queued);
                }
                self.stop_for(StoppedBy::Ledger, format!("the ledger cannot be written: {error}"));
            }
        }
    }

    /// Reports an answer that is on disk.
    fn tell(&mut self, answer: Answer, applied: &Applied) {
        let order = answer.queued.order.number.clone();
        let attempts = answer.queued.order.attempts + answer.queued.attempts;
        let mut outcome = answer.verdict.outcome;
        if let Applied::Contradiction { other } = applied {
            let reason = format!("order {order} was answered with a shipment that order {other} already has");
            outcome = Outcome::InDoubt { reason: reason.clone() };
            self.stop_for(StoppedBy::Contradiction, format!("{reason}; ask the service before going on"));
        }
        self.reporter.event(&Event::Settled { order: &order, outcome: &outcome, attempts });
        if matches!(outcome, Outcome::Waiting { .. }) {
            // An order that has had its attempts stays outstanding in the ledger.
            self.queue.put_back(answer.queued);
        }
    }

    /// Sends an order whose intent is on disk; after a stop it is taken back instead, proven unsent.
    fn go(&mut self, queued: Queued) {
        if let Some((by, _)) = &self.stopped {
            let reason = format!("not sent: the run was stopped ({by})");
            let verdict = Verdict { outcome: Outcome::Waiting { reason }, signal: crate::api::outcome::Signal::Clear };
            self.answers.push(Answer { queued, verdict, status: None, raw: None });
            return;
        }
        self.requests += 1;
        self.in_flight.insert(queued.order.order, queued.clone());
        let token = Arc::clone(&self.token);
        self.tasks.spawn(self.worker.clone().attempt(queued, token, self.token_generation, self.pauses));
        while self.tasks.try_join_next().is_some() {}
    }

    /// Takes what came of an attempt: its meaning for the order, and what the brake makes of it for the run.
    async fn arrived(&mut self, arrived: Arrived) {
        let Arrived { queued, observed, sent, token_generation, pauses } = arrived;
        if self.in_flight.remove(&queued.order.order).is_none() {
            return;
        }
        let verdict = judge(&observed, &sent);
        let stale_token = token_generation < self.token_generation;
        let unauthorized = matches!(verdict.signal, crate::api::outcome::Signal::Unauthorized);
        if !(stale_token && unauthorized) {
            let fresh = pauses == self.pauses;
            let ruling = self.brake.judge(&verdict.outcome, &verdict.signal, fresh, fastrand::f64());
            self.follow(ruling).await;
        }
        let (status, raw) = kept(observed);
        self.answers.push(Answer { queued, verdict, status, raw });
    }

    async fn follow(&mut self, ruling: Ruling) {
        match ruling {
            Ruling::Go => {}
            Ruling::Stop { by, reason } => self.stop_for(by, reason),
            Ruling::Pause { wait, reason } => {
                self.pauses += 1;
                self.paused_until = self.paused_until.max(self.started.elapsed() + wait);
                self.reporter.event(&Event::Paused { reason: &reason, wait });
            }
            Ruling::RenewToken => match self.tokens.renew(self.token_generation).await {
                Ok((token, generation)) => {
                    self.token = Arc::new(token);
                    self.token_generation = generation;
                    self.brake.token_renewed();
                }
                Err(error) => self.stop_for(
                    StoppedBy::Authentication,
                    format!("the service does not accept the token (401), and {error}"),
                ),
            },
        }
    }

    /// Leaves at once: what is in flight is in doubt.
    fn cut(&mut self) {
        self.tasks.abort_all();
        self.stop_for(StoppedBy::Signal, "you asked it to leave at once".to_owned());
        for (_, queued) in self.in_flight.drain() {
            let reason = "the program was told to leave before the answer came".to_owned();
            let verdict = Verdict { outcome: Outcome::InDoubt { reason }, signal: crate::api::outcome::Signal::Doubt };
            self.answers.push(Answer { queued, verdict, status: None, raw: None });
        }
    }
}

fn answer_change(answer: &Answer) -> Change {
    Change::Answer {
        order: answer.queued.order.order,
        outcome: answer.verdict.outcome.clone(),
        status: answer.status,
        raw: answer.raw.clone(),
    }
}

/// What of an observation is evidence worth keeping.
fn kept(observed: Observed) -> (Option<u16>, Option<Vec<u8>>) {
    use crate::api::outcome::Lost;
    match observed {
        Observed::Reply(reply) => (Some(reply.status), Some(reply.body)),
        Observed::Lost(Lost::Partial { status, body, .. }) => (Some(status), Some(body)),
        Observed::NotSent(_) | Observed::Lost(_) => (None, None),
    }
}

fn unsaved(answer: &Answer) -> Unsaved {
    let text = match &answer.verdict.outcome {
        Outcome::Booked(booking) => format!("booked with AWB {}", booking.awb),
        Outcome::Rejected { error, .. } => format!("rejected: {error}"),
        Outcome::Refused { message } => format!("refused: {message}"),
        Outcome::Waiting { reason } | Outcome::InDoubt { reason } => reason.clone(),
    };
    Unsaved { order: answer.queued.order.number.clone(), answer: text }
}
