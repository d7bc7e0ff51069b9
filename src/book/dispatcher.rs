//! The run's one owner of state: it takes what has arrived, asks the brake, and chooses the orders that may go next.
//!
//! Answers and intents are committed together, one batch after the other, while it goes on. Listeners are told what is
//! on disk and nothing else, and an order leaves only when its intent is: at once where there is room, else ready for the
//! next place.

use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use tokio::task::{Id, JoinError, JoinSet};

use crate::api::Attempt;
use crate::api::outcome::{Doubt, Observed, Outcome, Signal, Verdict};
use crate::event::{Event, Listener, Reach, Stream};
use crate::ledger::{Applied, LedgerError, RunId, pause_point};
use crate::text::count;

use super::adapt::Adapt;
use super::ahead::Ahead;
use super::answer::{Answer, kept};
use super::brake::{Brake, Ruling, StoppedBy};
use super::committer::{Batch, Committer, Written};
use super::job::{BookError, Booked, Job};
use super::limits::{Limits, Sent};
use super::pace::Pacer;
use super::plan::{ATTEMPTS_MAX, Queue, Queued};
use super::renewal::RunToken;
use super::stop::{Stop, StopSignal};
use super::worker::{Arrived, Worker};

/// How often the last answers are offered to a ledger that does not take them, and how long it is given between.
const LAST_SAVES: u32 = 3;
const BETWEEN_SAVES: Duration = Duration::from_secs(1);

/// Books a run's outstanding orders until none is left, a brake stops it, or somebody asks it to stop.
///
/// Orders in flight are always waited for, unless the stop signal asks to cut: then they are in doubt.
pub async fn book<L>(job: Job, events: Stream<L>) -> Result<(Booked, Stream<L>), BookError>
where
    L: Listener + 'static,
{
    let token = RunToken::new(job.tokens.clone()).await?;
    tokio::spawn(Dispatcher::new(job, events, token)?.run()).await?
}

struct Dispatcher<L> {
    committer: Committer,
    run: RunId,
    orders: u64,
    token: RunToken,
    brake: Brake,
    adapt: Option<Adapt>,
    limits: Limits,
    pacer: Pacer,
    stop: StopSignal,
    events: Stream<L>,
    queue: Queue,
    /// Orders whose intents are on disk and for which there was no room yet.
    ready: VecDeque<Queued>,
    ahead: Ahead,
    worker: Worker,
    tasks: JoinSet<Arrived>,
    in_flight: HashMap<Id, Queued>,
    answers: Vec<Answer>,
    /// Whether the ledger did not take them; they are offered again when another has come in.
    refused: bool,
    /// Commits that failed once nothing more could come in.
    failed_saves: u32,
    started: Instant,
    /// Whether the events have told of a pause, and not of its end yet.
    paused: bool,
    paused_until: Duration,
    paced_until: Duration,
    pauses: u64,
    requests: u64,
    sent: Sent,
    failures: u64,
    put_off: u64,
    spool: Option<PathBuf>,
    stopped: Option<(StoppedBy, String)>,
    announced: bool,
    concurrency: usize,
}

impl<L: Listener> Dispatcher<L> {
    fn new(job: Job, events: Stream<L>, token: RunToken) -> Result<Self, BookError> {
        let client = match job.ledger.deadline() {
            Some(deadline) => job.client.looking(move || {
                let holds = !deadline.has_passed();
                pause_point("after-look");
                holds
            }),
            None => job.client,
        };
        Ok(Self {
            committer: Committer::open(job.ledger, job.run)?,
            run: job.run,
            orders: job.orders,
            token,
            brake: Brake::new(job.brake),
            adapt: job.brake.concurrency.adapt(),
            limits: job.limits,
            pacer: Pacer::new(job.rate),
            stop: job.stop,
            events,
            queue: Queue::default(),
            ready: VecDeque::new(),
            ahead: Ahead::default(),
            worker: Worker { client },
            tasks: JoinSet::new(),
            in_flight: HashMap::new(),
            answers: Vec::new(),
            refused: false,
            failed_saves: 0,
            started: Instant::now(),
            paused: false,
            paused_until: Duration::ZERO,
            paced_until: Duration::ZERO,
            pauses: 0,
            requests: 0,
            sent: Sent::default(),
            failures: 0,
            put_off: 0,
            spool: None,
            stopped: None,
            announced: false,
            concurrency: job.brake.concurrency.ceiling(),
        })
    }

    async fn run(mut self) -> Result<(Booked, Stream<L>), BookError> {
        let (run, orders, concurrency) = (self.run.number(), self.orders, self.concurrency);
        self.events.tell(&Event::Started { run, orders, concurrency });
        let mut stop = self.stop.watch();
        loop {
            if *stop.borrow_and_update() == Stop::Cut {
                self.cut().await;
            }
            self.heed_stop_signal();
            if self.stopped.is_none() && !self.is_all_sent() {
                self.token.renew_when_due();
            }
            // One moment for the whole turn: what is to wait for a later one must also wake up for it.
            let now = self.started.elapsed();
            self.end_pause(now);
            self.send_ready(now);
            self.write_next(now);
            self.heed_stop_signal();
            if self.is_over() {
                break;
            }
            let wake = self.wake();
            let (wake, may_choose_later) = (self.started + wake, wake > now && self.may_choose_later());
            tokio::select! {
                biased;
                Some(ended) = self.tasks.join_next_with_id() => {
                    self.ended(ended);
                    while let Some(ended) = self.tasks.try_join_next_with_id() {
                        self.ended(ended);
                    }
                }
                written = self.committer.written(), if !self.committer.is_free() => {
                    self.written(written.ok_or(BookError::Unwritten)?).await;
                }
                Ok(()) = stop.changed() => {}
                Some(renewed) = self.token.renewed() => match self.token.take(renewed) {
                    Ok(true) => self.brake.token_renewed(),
                    Ok(false) => {}
                    Err(reason) => self.stop_for(StoppedBy::Authentication, reason),
                },
                () = tokio::time::sleep_until(wake.into()), if may_choose_later => {}
            }
        }
        if self.put_off > 0 {
            let orders = count(self.put_off, "order");
            let reason = format!("{orders} could not be sent in {ATTEMPTS_MAX} tries each; the service put them off");
            self.stop_for(StoppedBy::Limit, reason);
        }
        self.events.tell(&Event::Finished);
        let unsaved = self.answers.iter().map(Answer::unsaved).collect();
        let ledger = self.committer.close().ok_or(BookError::Unwritten)?;
        let booked = Booked { ledger, requests: self.requests, stopped: self.stopped, unsaved, spool: self.spool };
        Ok((booked, self.events))
    }

    /// When the next order may be chosen.
    fn wake(&self) -> Duration {
        let wake = self.paused_until.max(self.paced_until);
        self.limits.deadline.map_or(wake, |deadline| wake.min(deadline))
    }

    fn may_choose_later(&self) -> bool {
        self.may_send() && !self.is_all_sent() && self.in_flight.len() < self.width()
    }

    fn is_all_sent(&self) -> bool {
        self.queue.is_done() && self.ready.is_empty()
    }

    /// Whether orders may leave, but for pause and pace.
    fn may_send(&self) -> bool {
        self.stopped.is_none() && !self.token.is_renewing()
    }

    /// Whether nothing is left to do, or nothing that can be done.
    fn is_over(&self) -> bool {
        let idle = self.in_flight.is_empty() && self.ready.is_empty() && self.committer.is_free();
        idle && (self.answers.is_empty() || self.failed_saves >= LAST_SAVES)
            && (self.stopped.is_some() || self.queue.is_done())
    }

    fn width(&self) -> usize {
        self.adapt.as_ref().map_or(usize::MAX, Adapt::width).min(self.brake.width())
    }

    fn heed_stop_signal(&mut self) {
        if self.stop.now() != Stop::No {
            let why = self.stop.why().unwrap_or("you asked it to stop").to_owned();
            self.stop_for(StoppedBy::Signal, why);
        }
        if let Some((by, reason)) = &self.stopped
            && !self.announced
        {
            self.announced = true;
            let in_flight = self.in_flight.len();
            self.events.tell(&Event::Stopping { by: by.as_str(), reason, in_flight });
        }
    }

    /// The first reason stays: what follows from it would hide it.
    fn stop_for(&mut self, by: StoppedBy, reason: String) {
        self.stopped.get_or_insert((by, reason));
    }

    fn stop_for_ledger(&mut self, error: &LedgerError) {
        self.stop_for(StoppedBy::Ledger, format!("the ledger cannot be written: {error}"));
    }

    /// Lets orders go whose intents are on disk, as far as there is room; at a stop or a pause they are given back.
    fn send_ready(&mut self, now: Duration) {
        // How many orders may be sent was heeded when their intents were written.
        if !self.ready.is_empty()
            && let Some((by, reason)) = self.limits.reached(Sent::default(), self.failures, now)
        {
            self.stop_for(by, reason);
        }
        if let Some((by, _)) = &self.stopped {
            let why = format!("the run was stopped ({by})");
            return self.give_back(&why);
        }
        if now < self.paused_until {
            // A pause may be long, and a crash would leave them uncertain.
            return self.give_back("the run paused");
        }
        while self.may_send() && self.in_flight.len() < self.width() {
            let Some(queued) = self.ready.pop_front() else { break };
            self.go(queued);
        }
    }

    /// Closes the intents of orders that have not left and do not leave now.
    fn give_back(&mut self, why: &str) {
        for mut queued in self.ready.drain(..) {
            self.sent.take_back(&queued);
            // Kept as an attempt, and none of those that the service put off.
            queued.attempts -= 1;
            queued.order.attempts += 1;
            let outcome = Outcome::Waiting { reason: format!("not sent: {why}") };
            let verdict = Verdict { outcome, signal: Signal::Clear };
            self.answers.push(Answer { queued, verdict, reach: Reach::KeptBack, status: None, raw: None });
            self.refused = false;
        }
    }

    /// Hands in what has arrived and what goes next, where nothing else is being written.
    fn write_next(&mut self, now: Duration) {
        if !self.committer.is_free() || self.refused || self.failed_saves >= LAST_SAVES {
            return;
        }
        let intents = if self.stopped.is_some() { Vec::new() } else { self.choose(now) };
        let page = if self.stopped.is_some() { None } else { self.queue.wants() };
        self.committer.write(Batch { answers: std::mem::take(&mut self.answers), intents, page });
    }

    /// Takes what came of a batch: tells listeners of answers, and has orders ready whose intents are on disk. Where the
    /// ledger failed nothing of it stands, and the answers wait for a better moment.
    async fn written(&mut self, written: Written) {
        let Written { batch, applied, page, took } = written;
        match applied {
            Ok(applied) => {
                if let Some(took) = took {
                    self.ahead.committed(took);
                }
                let mut applied = applied.into_iter();
                for (answer, applied) in batch.answers.into_iter().zip(&mut applied) {
                    self.tell(answer, &applied);
                }
                for (queued, applied) in batch.intents.into_iter().zip(applied) {
                    // What another station has by now, that one sends.
                    if applied == Applied::Elsewhere {
                        self.sent.take_back(&queued);
                    } else {
                        self.ready.push_back(queued);
                    }
                }
            }
            Err(error) => {
                let others_came = !self.answers.is_empty();
                self.answers.splice(..0, batch.answers);
                self.take_back(batch.intents);
                self.stop_for_ledger(&error);
                // Of the latest try, which held every answer that had come in by then.
                self.spool = match error {
                    LedgerError::Spooled { spool, .. } => Some(spool),
                    _ => None,
                };
                if others_came {
                    // They were never offered, and are at once, with those.
                } else if !self.in_flight.is_empty() {
                    self.refused = true;
                } else {
                    self.failed_saves += 1;
                    if self.failed_saves < LAST_SAVES {
                        tokio::time::sleep(BETWEEN_SAVES).await;
                    }
                }
            }
        }
        match page {
            Some(Ok(page)) => self.queue.fill(page),
            Some(Err(error)) => self.stop_for_ledger(&error),
            None => {}
        }
    }

    /// Takes orders from the queue while width, pause and pace allow it.
    fn choose(&mut self, now: Duration) -> Vec<Queued> {
        let mut chosen = Vec::new();
        if let Some((by, reason)) = self.limit(now) {
            // Those that are ready were within it.
            if self.ready.is_empty() {
                self.stop_for(by, reason);
            }
            return chosen;
        }
        let may = self.may_send() && now >= self.paused_until;
        let open = self.in_flight.len() + self.ready.len();
        let room = (self.width() + self.ahead()).saturating_sub(open);
        while may && chosen.len() < room {
            // The next page of a queue that is not done may be on its way.
            if !self.queue.has_next() || self.limit(now).is_some() {
                break;
            }
            if let Err(next) = self.pacer.take(now) {
                self.paced_until = next;
                break;
            }
            let Some(queued) = self.queue.next() else { break };
            self.sent.count(&queued);
            chosen.push(queued);
        }
        chosen
    }

    /// How many intents may run ahead of the room in flight; none at a given pace, which is slow enough to wait.
    fn ahead(&self) -> usize {
        if self.pacer.is_set() { 0 } else { self.ahead.of(self.width()) }
    }

    /// Which limit is reached, where something is left to send.
    fn limit(&self, now: Duration) -> Option<(StoppedBy, String)> {
        if self.queue.is_done() {
            return None;
        }
        let next = self.queue.next_value().unwrap_or_default();
        self.limits.reached(Sent { next, ..self.sent }, self.failures, now)
    }

    fn take_back(&mut self, chosen: Vec<Queued>) {
        for queued in chosen.into_iter().rev() {
            self.sent.take_back(&queued);
            self.queue.not_sent(queued);
        }
    }

    /// Reports an answer that is on disk.
    fn tell(&mut self, answer: Answer, applied: &Applied) {
        let order = answer.queued.order.number.clone();
        let attempts = answer.queued.order.attempts + answer.queued.attempts;
        let mut outcome = answer.verdict.outcome;
        if let Applied::Contradiction { other } = applied {
            let doubt = Doubt::SharedShipment { order: order.clone(), other: other.clone() };
            let reason = doubt.to_string();
            outcome = Outcome::InDoubt { doubt };
            self.stop_for(StoppedBy::Contradiction, format!("{reason}; ask the service before going on"));
        }
        if let Applied::TwoBookings { awb, against } = applied {
            let reason = format!("order {order} was answered late, with AWB {awb}, and {against}");
            self.stop_for(StoppedBy::Contradiction, format!("{reason}; ask the service before going on"));
        }
        self.events.tell(&Event::Settled { order: &order, outcome: &outcome, attempts, reach: answer.reach });
        if matches!(outcome, Outcome::Waiting { .. }) && !self.queue.put_back(answer.queued) {
            self.put_off += 1;
        }
    }

    /// Sends an order whose intent is on disk.
    fn go(&mut self, queued: Queued) {
        let (token, generation) = self.token.current();
        let leaves = self.started + self.pacer.leave(self.started.elapsed());
        let attempt = self.worker.clone().attempt(queued.clone(), token, generation, self.pauses, leaves);
        let number = queued.order.attempts + queued.attempts;
        self.events.tell(&Event::Sent { order: &queued.order.number, attempt: number });
        let id = self.tasks.spawn(attempt).id();
        self.in_flight.insert(id, queued);
    }

    /// Takes the end of an attempt, however it ended.
    fn ended(&mut self, ended: Result<(Id, Arrived), JoinError>) {
        self.refused = false;
        match ended {
            Ok((id, arrived)) => {
                self.in_flight.remove(&id);
                self.arrived(arrived);
            }
            Err(error) => {
                let Some(queued) = self.in_flight.remove(&error.id()) else { return };
                self.requests += 1;
                let doubt = if error.is_cancelled() {
                    Doubt::Cut
                } else {
                    self.stop_for(StoppedBy::Doubts, "a worker failed: please report this".to_owned());
                    Doubt::WorkerFailed
                };
                let verdict = Verdict { outcome: Outcome::InDoubt { doubt }, signal: Signal::Doubt };
                self.answers.push(Answer { queued, verdict, reach: Reach::Sent, status: None, raw: None });
            }
        }
    }

    /// Takes what came of an attempt: its meaning for the order, and what the brake makes of it for the run.
    fn arrived(&mut self, arrived: Arrived) {
        let Arrived { queued, attempt: Attempt { observed, verdict }, token_generation, pauses, took } = arrived;
        let reach = if matches!(observed, Observed::NotSent(_)) { Reach::Unsent } else { Reach::Sent };
        self.requests += u64::from(reach == Reach::Sent);
        self.failures += u64::from(matches!(verdict.outcome, Outcome::Rejected { .. } | Outcome::Refused { .. }));
        if let Some(adapt) = &mut self.adapt {
            // This one is out of the map already.
            adapt.answer(&verdict.signal, took, self.in_flight.len() + 1, self.started.elapsed());
        }
        self.ahead.answered(took);
        let unauthorized = matches!(verdict.signal, Signal::Unauthorized);
        if !(unauthorized && self.token.is_stale(token_generation)) {
            let fresh = pauses == self.pauses;
            let ruling = self.brake.judge(&verdict.outcome, &verdict.signal, fresh, fastrand::f64());
            self.follow(ruling);
        }
        let (status, raw) = kept(observed);
        self.answers.push(Answer { queued, verdict, reach, status, raw });
    }

    fn follow(&mut self, ruling: Ruling) {
        match ruling {
            Ruling::Stop { by, reason } => self.stop_for(by, reason),
            Ruling::Pause { by, wait, reason } => {
                self.pauses += 1;
                self.paused_until = self.paused_until.max(self.started.elapsed() + wait);
                self.paused = true;
                self.events.tell(&Event::Paused { by: by.as_str(), reason: &reason, wait });
            }
            Ruling::Lengthen { wait } => {
                self.paused_until = self.paused_until.max(self.started.elapsed() + wait);
                if self.paused {
                    self.events.tell(&Event::PauseLengthened { wait });
                }
            }
            Ruling::RenewToken if self.stopped.is_none() => self.token.renew(),
            Ruling::RenewToken | Ruling::Go => {}
        }
    }

    /// Tells of a pause that is over. One that ends with the run is never over.
    fn end_pause(&mut self, now: Duration) {
        if self.paused && now >= self.paused_until && self.stopped.is_none() {
            self.paused = false;
            self.events.tell(&Event::Resumed);
        }
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
