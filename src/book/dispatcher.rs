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
use crate::api::outcome::{Doubt, Observed, Outcome, Signal};
use crate::env::patience;
use crate::event::{Event, Listener, Reach, Stream};
use crate::ledger::{Applied, LedgerError, RunId};

use super::adapt::Adapt;
use super::ahead::Ahead;
use super::allotment::{self, Allotment};
use super::answer::{Answer, kept};
use super::brake::{Brake, Ruling, StoppedBy};
use super::committer::{Batch, Committer, Written};
use super::job::{BookError, Booked, Job};
use super::limits::{Limits, Sent};
use super::pauses::{Pauses, others_have_all};
use super::plan::{Queue, Queued};
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
    allotment: Allotment,
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
    pauses: Pauses,
    paced_until: Duration,
    requests: u64,
    sent: Sent,
    failures: u64,
    spool: Option<PathBuf>,
    stopped: Option<(StoppedBy, String)>,
    /// Whether the other stations are still to be stopped as well.
    tells_others: bool,
    announced: bool,
    concurrency: usize,
}

impl<L: Listener> Dispatcher<L> {
    fn new(mut job: Job, events: Stream<L>, token: RunToken) -> Result<Self, BookError> {
        let concurrency = job.brake.concurrency.ceiling();
        let allotment = Allotment::take(&mut job.ledger, job.run, concurrency, job.rate)?;
        let (worker, ahead) = (Worker::new(job.client, job.ledger.deadline()), Ahead::new(allotment.is_shared()));
        Ok(Self {
            committer: Committer::open(job.ledger, job.run)?,
            run: job.run,
            orders: job.orders,
            token,
            brake: Brake::new(job.brake),
            adapt: job.brake.concurrency.adapt(),
            limits: job.limits,
            allotment,
            stop: job.stop,
            events,
            queue: Queue::default(),
            ready: VecDeque::new(),
            ahead,
            worker,
            tasks: JoinSet::new(),
            in_flight: HashMap::new(),
            answers: Vec::new(),
            refused: false,
            failed_saves: 0,
            started: Instant::now(),
            pauses: Pauses::default(),
            paced_until: Duration::ZERO,
            requests: 0,
            sent: Sent::default(),
            failures: 0,
            spool: None,
            stopped: None,
            tells_others: false,
            announced: false,
            concurrency,
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
            if let Some(brake) = self.allotment.heed() {
                self.stopped.get_or_insert(brake);
            }
            if self.stopped.is_none() && !self.is_all_sent() {
                self.token.renew_when_due();
            }
            // One moment for the whole turn: what is to wait for a later one must also wake up for it.
            let now = self.started.elapsed();
            let waits = self.allotment.is_none() && !self.is_all_sent();
            if let Some(event) = self.pauses.told(now, waits).filter(|_| self.stopped.is_none()) {
                self.events.tell(&event);
            }
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
                () = self.allotment.changed() => {}
                Some(renewed) = self.token.renewed() => match self.token.take(renewed) {
                    Ok(true) => self.brake.token_renewed(),
                    Ok(false) => {}
                    Err(reason) => self.stop_for(StoppedBy::Authentication, reason),
                },
                () = tokio::time::sleep_until(wake.into()), if may_choose_later => {}
            }
        }
        if let Some(reason) = self.queue.put_off() {
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
        let wake = self.pauses.until.max(self.paced_until);
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
        let width = self.adapt.as_ref().map_or(usize::MAX, Adapt::width);
        width.min(self.brake.width()).min(self.allotment.width())
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
        self.tells_others |= self.stopped.is_none() && allotment::is_for_all(by);
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
        // Either may be long, and a crash would leave them uncertain.
        if self.pauses.holds(now) {
            return self.give_back("the run paused");
        }
        if self.allotment.is_none() {
            return self.give_back(others_have_all());
        }
        while self.may_send() && !self.ready.is_empty() && self.in_flight.len() < self.width() && self.allotment.enter()
        {
            let Some(queued) = self.ready.pop_front() else { break };
            self.go(queued);
        }
    }

    /// Closes the intents of orders that have not left and do not leave now.
    fn give_back(&mut self, why: &str) {
        for queued in self.ready.drain(..) {
            self.sent.take_back(&queued);
            self.answers.push(Answer::kept_back(queued, why));
            self.refused = false;
        }
    }

    /// Hands in what has arrived and what goes next, where nothing else is being written.
    fn write_next(&mut self, now: Duration) {
        if !self.committer.is_free() || self.refused || self.failed_saves >= LAST_SAVES {
            return;
        }
        let intents = if self.stopped.is_some() { Vec::new() } else { self.choose(now) };
        let page = if self.stopped.is_some() { None } else { self.queue.wants(self.allotment.part()) };
        let brake = self.stopped.clone().filter(|_| std::mem::take(&mut self.tells_others));
        self.committer.write(Batch { answers: std::mem::take(&mut self.answers), intents, page, brake });
    }

    /// Takes what came of a batch: tells listeners of answers, and has orders ready whose intents are on disk. Where the
    /// ledger failed nothing of it stands, and the answers wait for a better moment.
    async fn written(&mut self, written: Written) {
        let Written { batch, applied, page, took, untold } = written;
        match applied {
            Ok(applied) => {
                if let Some(took) = took {
                    self.ahead.committed(took);
                }
                let mut applied = applied.into_iter();
                batch.answers.into_iter().zip(&mut applied).for_each(|(answer, applied)| self.tell(answer, &applied));
                for (queued, applied) in batch.intents.into_iter().zip(applied) {
                    match applied {
                        Applied::Elsewhere | Applied::Held => {
                            if applied == Applied::Held {
                                self.events.tell(&Event::Held { order: &queued.order.number });
                            }
                            self.sent.take_back(&queued);
                            self.allotment.pacer.give_back();
                            self.paced_until = Duration::ZERO;
                        }
                        Applied::Braked(brake) => {
                            self.stopped.get_or_insert_with(|| allotment::pulled(&brake));
                            self.take_back(vec![queued]);
                        }
                        _ => self.ready.push_back(queued),
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
                        tokio::time::sleep(patience(BETWEEN_SAVES)).await;
                    }
                }
            }
        }
        if let (Some(error), Some((_, reason))) = (untold, &mut self.stopped) {
            *reason = format!("{reason} (the other stations could not be told: {error})");
        }
        match page {
            Some((wanted, Ok(page))) => self.queue.fill(wanted, page),
            Some((_, Err(error))) => self.stop_for_ledger(&error),
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
        let may = self.may_send() && !self.pauses.holds(now);
        let open = self.in_flight.len() + self.ready.len();
        let room = (self.width() + self.ahead()).saturating_sub(open);
        while may && chosen.len() < room {
            // The next page of a queue that is not done may be on its way.
            if !self.queue.has_next() || self.limit(now).is_some() {
                break;
            }
            if let Err(next) = self.allotment.pacer.take(now) {
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
        if self.allotment.pacer.is_set() { 0 } else { self.ahead.of(self.width()) }
    }

    /// Which limit is reached, where something is left to send.
    fn limit(&self, now: Duration) -> Option<(StoppedBy, String)> {
        // Whether there is more is not known before the next page is here.
        if !self.queue.has_next() {
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
        if matches!(outcome, Outcome::Waiting { .. }) {
            self.queue.put_back(answer.queued);
        }
    }

    /// Sends an order whose intent is on disk.
    fn go(&mut self, queued: Queued) {
        let (token, generation) = self.token.current();
        let leaves = self.started + self.allotment.leaves(self.started.elapsed());
        let attempt = self.worker.clone().attempt(queued.clone(), token, generation, self.pauses.count, leaves);
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
                self.allotment.leave();
                self.arrived(arrived);
            }
            Err(error) => {
                let Some(queued) = self.in_flight.remove(&error.id()) else { return };
                self.allotment.leave();
                self.requests += 1;
                let doubt = if error.is_cancelled() {
                    Doubt::Cut
                } else {
                    self.stop_for(StoppedBy::Doubts, "a worker failed: please report this".to_owned());
                    Doubt::WorkerFailed
                };
                self.answers.push(Answer::in_doubt(queued, doubt));
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
            let fresh = pauses == self.pauses.count;
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
                self.pauses.begin(self.started.elapsed() + wait);
                self.events.tell(&Event::Paused { by: by.as_str(), reason: &reason, wait });
            }
            Ruling::Lengthen { wait } => {
                self.pauses.lengthen(self.started.elapsed() + wait);
                if self.pauses.is_told {
                    self.events.tell(&Event::PauseLengthened { wait });
                }
            }
            Ruling::RenewToken if self.stopped.is_none() => self.token.renew(),
            Ruling::RenewToken | Ruling::Go => {}
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
