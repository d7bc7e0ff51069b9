//! The run's one owner of state and the ledger's only writer.
//!
//! Each turn of its loop gathers what has arrived, asks the brake, chooses the orders that may go next, and commits
//! answers and intents together. Only then are reporters told and requests sent.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use tokio::task::{Id, JoinError, JoinSet};

use crate::api::outcome::{Observed, Outcome, Signal, Verdict, judge};
use crate::api::{Client, Token, TokenError, TokenKeeper};
use crate::event::{Event, Reporter};
use crate::ledger::{Applied, Change, Ledger, LedgerError, RunId};
use crate::text::count;

use super::adapt::Adapt;
use super::answer::{Answer, Unsaved, kept};
use super::brake::{Brake, BrakeOptions, Ruling, StoppedBy};
use super::limits::Limits;
use super::pace::Pacer;
use super::plan::{ATTEMPTS_MAX, Queue, Queued};
use super::stop::{Stop, StopSignal};
use super::worker::{Arrived, Worker};

/// How often the last answers are offered to a ledger that does not take them, and how long it is given between.
const LAST_SAVES: u32 = 3;
const BETWEEN_SAVES: Duration = Duration::from_secs(1);

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
    /// How far it may go.
    pub limits: Limits,
    /// How a person or the system ends it early.
    pub stop: StopSignal,
}

/// How booking ended.
#[derive(Debug)]
pub struct Booked {
    /// The ledger, handed back.
    pub ledger: Ledger,
    /// POSTs that left, or may have left.
    pub requests: u64,
    /// Which brake ended it early, with its reason.
    pub stopped: Option<(StoppedBy, String)>,
    /// Answers that could not be written into the ledger.
    pub unsaved: Vec<Unsaved>,
    /// Where they are kept until the next start takes them up; none where that failed as well.
    pub spool: Option<PathBuf>,
}

/// Why booking could not begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// No token could be had.
    #[error(transparent)]
    Token(#[from] crate::api::TokenError),
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

struct Dispatcher<R> {
    ledger: Ledger,
    run: RunId,
    orders: u64,
    tokens: TokenKeeper,
    token: Arc<Token>,
    token_generation: u64,
    /// At most one, so that all workers get the same new token.
    renewal: JoinSet<Result<(Token, u64), TokenError>>,
    brake: Brake,
    adapt: Option<Adapt>,
    limits: Limits,
    pacer: Pacer,
    stop: StopSignal,
    reporter: R,
    queue: Queue,
    worker: Worker,
    tasks: JoinSet<Arrived>,
    in_flight: HashMap<Id, Queued>,
    answers: Vec<Answer>,
    started: Instant,
    paused_until: Duration,
    paced_until: Duration,
    pauses: u64,
    requests: u64,
    orders_sent: u64,
    failures: u64,
    put_off: u64,
    spool: Option<PathBuf>,
    stopped: Option<(StoppedBy, String)>,
    announced: bool,
    concurrency: usize,
}

impl<R: Reporter> Dispatcher<R> {
    fn new(job: Job, reporter: R, token: Token, token_generation: u64) -> Self {
        Self {
            ledger: job.ledger,
            run: job.run,
            orders: job.orders,
            tokens: job.tokens,
            token: Arc::new(token),
            token_generation,
            renewal: JoinSet::new(),
            brake: Brake::new(job.brake),
            adapt: job.brake.concurrency.adapt(),
            limits: job.limits,
            pacer: Pacer::new(job.rate),
            stop: job.stop,
            reporter,
            queue: Queue::default(),
            worker: Worker { client: job.client },
            tasks: JoinSet::new(),
            in_flight: HashMap::new(),
            answers: Vec::new(),
            started: Instant::now(),
            paused_until: Duration::ZERO,
            paced_until: Duration::ZERO,
            pauses: 0,
            requests: 0,
            orders_sent: 0,
            failures: 0,
            put_off: 0,
            spool: None,
            stopped: None,
            announced: false,
            concurrency: job.brake.concurrency.ceiling(),
        }
    }

    async fn run(mut self) -> Result<(Booked, R), BookError> {
        let (run, orders, concurrency) = (self.run.number(), self.orders, self.concurrency);
        self.reporter.event(&Event::Started { run, orders, concurrency });
        let mut stop = self.stop.watch();
        let mut failed_saves = 0;
        loop {
            if *stop.borrow_and_update() == Stop::Cut {
                self.cut().await;
            }
            self.heed_stop_signal();
            self.renew_when_due();
            let intents = if self.stopped.is_some() { Vec::new() } else { self.choose() };
            let saved = self.commit_and_go(intents);
            self.heed_stop_signal();
            if saved && !self.answers.is_empty() {
                continue;
            }
            if self.in_flight.is_empty() && (self.stopped.is_some() || self.queue.is_done()) {
                failed_saves += 1;
                if self.answers.is_empty() || failed_saves >= LAST_SAVES {
                    break;
                }
                tokio::time::sleep(BETWEEN_SAVES).await;
                continue;
            }
            let (wake, may_choose_later) = (self.started + self.wake(), self.may_choose_later());
            tokio::select! {
                biased;
                Some(ended) = self.tasks.join_next_with_id() => {
                    self.ended(ended);
                    while let Some(ended) = self.tasks.try_join_next_with_id() {
                        self.ended(ended);
                    }
                }
                Ok(()) = stop.changed() => {}
                Some(renewed) = self.renewal.join_next() => self.renewed(renewed),
                () = tokio::time::sleep_until(wake.into()), if may_choose_later => {}
            }
        }
        if self.put_off > 0 {
            let orders = count(self.put_off, "order");
            let reason = format!("{orders} could not be sent in {ATTEMPTS_MAX} tries each; the service put them off");
            self.stop_for(StoppedBy::Limit, reason);
        }
        self.reporter.event(&Event::Finished);
        let unsaved = self.answers.iter().map(Answer::unsaved).collect();
        let booked =
            Booked { ledger: self.ledger, requests: self.requests, stopped: self.stopped, unsaved, spool: self.spool };
        Ok((booked, self.reporter))
    }

    /// When the next order may be chosen.
    fn wake(&self) -> Duration {
        let wake = self.paused_until.max(self.paced_until);
        self.limits.deadline.map_or(wake, |deadline| wake.min(deadline))
    }

    fn may_choose_later(&self) -> bool {
        self.stopped.is_none()
            && self.renewal.is_empty()
            && !self.queue.is_done()
            && self.in_flight.len() < self.width()
    }

    fn width(&self) -> usize {
        self.adapt.as_ref().map_or(usize::MAX, Adapt::width).min(self.brake.width())
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

    fn stop_for_ledger(&mut self, error: &LedgerError) {
        self.stop_for(StoppedBy::Ledger, format!("the ledger cannot be written: {error}"));
    }

    /// Takes orders from the queue while width, pause and pace allow it.
    fn choose(&mut self) -> Vec<Queued> {
        let mut chosen = Vec::new();
        let now = self.started.elapsed();
        if let Some(reason) = self.limit(now) {
            self.stop_for(StoppedBy::Limit, reason);
            return chosen;
        }
        let may = now >= self.paused_until && self.renewal.is_empty();
        while may && self.in_flight.len() + chosen.len() < self.width() {
            if let Some(after) = self.queue.wants() {
                match self.ledger.outstanding(self.run, after, Queue::PAGE) {
                    Ok(page) => self.queue.fill(page, Queue::PAGE),
                    Err(error) => {
                        self.take_back(chosen);
                        self.stop_for_ledger(&error);
                        return Vec::new();
                    }
                }
            }
            if self.queue.is_done() || self.limit(now).is_some() {
                break;
            }
            if let Err(next) = self.pacer.take(now) {
                self.paced_until = next;
                break;
            }
            let Some(queued) = self.queue.next() else { break };
            self.orders_sent += u64::from(queued.attempts == 1);
            chosen.push(queued);
        }
        chosen
    }

    /// Which limit is reached, where something is left to send.
    fn limit(&self, now: Duration) -> Option<String> {
        if self.queue.is_done() { None } else { self.limits.reached(self.orders_sent, self.failures, now) }
    }

    fn take_back(&mut self, chosen: Vec<Queued>) {
        for queued in chosen.into_iter().rev() {
            self.orders_sent -= u64::from(queued.attempts == 1);
            self.queue.not_sent(queued);
        }
    }

    /// Commits answers and intents as one; then tells reporters and lets workers go. `false` where the ledger failed:
    /// then nothing was sent, and the answers wait for a better moment.
    fn commit_and_go(&mut self, intents: Vec<Queued>) -> bool {
        if self.answers.is_empty() && intents.is_empty() {
            return true;
        }
        let run = self.run;
        let mut changes: Vec<Change> = self.answers.iter().map(Answer::change).collect();
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
                true
            }
            Err(error) => {
                self.take_back(intents);
                self.stop_for_ledger(&error);
                // Of the latest try, which held every answer that is not in the ledger.
                self.spool = match error {
                    LedgerError::Spooled { spool, .. } => Some(spool),
                    _ => None,
                };
                false
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
        if matches!(outcome, Outcome::Waiting { .. }) && !self.queue.put_back(answer.queued) {
            self.put_off += 1;
        }
    }

    /// Sends an order whose intent is on disk; after a stop it is taken back instead, proven unsent.
    fn go(&mut self, queued: Queued) {
        if let Some((by, _)) = &self.stopped {
            let reason = format!("not sent: the run was stopped ({by})");
            let verdict = Verdict { outcome: Outcome::Waiting { reason }, signal: Signal::Clear };
            self.answers.push(Answer { queued, verdict, status: None, raw: None });
            return;
        }
        let token = Arc::clone(&self.token);
        let leaves = self.started + self.pacer.leave(self.started.elapsed());
        let attempt = self.worker.clone().attempt(queued.clone(), token, self.token_generation, self.pauses, leaves);
        let id = self.tasks.spawn(attempt).id();
        self.in_flight.insert(id, queued);
    }

    /// Takes the end of an attempt, however it ended.
    fn ended(&mut self, ended: Result<(Id, Arrived), JoinError>) {
        match ended {
            Ok((id, arrived)) => {
                self.in_flight.remove(&id);
                self.arrived(arrived);
            }
            Err(error) => {
                let Some(queued) = self.in_flight.remove(&error.id()) else { return };
                self.requests += 1;
                let reason = if error.is_cancelled() {
                    "the program was told to leave before the answer came"
                } else {
                    self.stop_for(StoppedBy::Doubts, "a worker failed: please report this".to_owned());
                    "the worker that sent it failed"
                };
                let verdict =
                    Verdict { outcome: Outcome::InDoubt { reason: reason.to_owned() }, signal: Signal::Doubt };
                self.answers.push(Answer { queued, verdict, status: None, raw: None });
            }
        }
    }

    /// Takes what came of an attempt: its meaning for the order, and what the brake makes of it for the run.
    fn arrived(&mut self, arrived: Arrived) {
        let Arrived { queued, observed, sent, token_generation, pauses, took } = arrived;
        self.requests += u64::from(!matches!(observed, Observed::NotSent(_)));
        let verdict = judge(&observed, &sent);
        self.failures += u64::from(matches!(verdict.outcome, Outcome::Rejected { .. } | Outcome::Refused { .. }));
        if let Some(adapt) = &mut self.adapt {
            // This one is out of the map already.
            adapt.answer(&verdict.signal, took, self.in_flight.len() + 1, self.started.elapsed());
        }
        let stale_token = token_generation < self.token_generation;
        let unauthorized = matches!(verdict.signal, Signal::Unauthorized);
        if !(stale_token && unauthorized) {
            let fresh = pauses == self.pauses;
            let ruling = self.brake.judge(&verdict.outcome, &verdict.signal, fresh, fastrand::f64());
            self.follow(ruling);
        }
        let (status, raw) = kept(observed);
        self.answers.push(Answer { queued, verdict, status, raw });
    }

    fn follow(&mut self, ruling: Ruling) {
        match ruling {
            Ruling::Stop { by, reason } => self.stop_for(by, reason),
            Ruling::Pause { wait, reason } => {
                self.pauses += 1;
                self.paused_until = self.paused_until.max(self.started.elapsed() + wait);
                self.reporter.event(&Event::Paused { reason: &reason, wait });
            }
            Ruling::Lengthen { wait } => {
                self.paused_until = self.paused_until.max(self.started.elapsed() + wait);
            }
            Ruling::RenewToken if self.renewal.is_empty() && self.stopped.is_none() => {
                let (tokens, refused) = (self.tokens.clone(), self.token_generation);
                self.renewal.spawn(async move { tokens.renew(refused).await });
            }
            Ruling::RenewToken | Ruling::Go => {}
        }
    }

    /// Asks for the next token while the service still takes this one.
    fn renew_when_due(&mut self) {
        if self.stopped.is_none() && self.renewal.is_empty() && !self.queue.is_done() && self.tokens.is_due() {
            let tokens = self.tokens.clone();
            self.renewal.spawn(async move { tokens.fresh().await });
        }
    }

    fn renewed(&mut self, renewed: Result<Result<(Token, u64), TokenError>, JoinError>) {
        let error = match renewed {
            Ok(Ok((token, generation))) => {
                if generation > self.token_generation {
                    self.token = Arc::new(token);
                    self.token_generation = generation;
                    self.brake.token_renewed();
                }
                return;
            }
            Ok(Err(error)) => error.to_string(),
            Err(error) => format!("its renewal failed: {error}"),
        };
        let reason = if self.tokens.is_due() {
            format!("the token is about to expire, and {error}")
        } else {
            format!("the service does not accept the token (401), and {error}")
        };
        self.stop_for(StoppedBy::Authentication, reason);
    }

    /// Leaves at once: what has come in is kept, what is still in flight is in doubt.
    async fn cut(&mut self) {
        self.stop_for(StoppedBy::Signal, "you asked it to leave at once".to_owned());
        self.tasks.abort_all();
        while let Some(ended) = self.tasks.join_next_with_id().await {
            self.ended(ended);
        }
    }
}
