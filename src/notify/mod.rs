//! Who hears of it when nobody is there: alerts, signs of life, and metrics.
//!
//! A face calls it once a night or a run is over and recorded. Whatever fails here is a sentence for the terminal and the log, and
//! changes nothing of what was booked; each thing has its time, and all of it ends within two minutes.
//!
//! - `notice`: what a night or a run came to, without anything about people; `words`: the same in words
//! - `state`: what was told last, so that nothing is told twice, and what could not be told
//! - `due`: who is to be told what now
//! - `send`: a command, a webhook, a mail; `signs`: pings, metrics

mod due;
mod notice;
mod send;
mod signs;
mod state;
mod words;

use std::time::Duration;

use futures::future::join_all;
use jiff::Timestamp;
use serde_json::json;
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

use crate::app::{App, Exit, Report, ReportOf, ReportOptions, Result, WholeLedger, runtime};
use crate::config::{NightOptions, Service, Target};
use crate::finding::english::Words;
use crate::overview::{self, Advice};
use crate::text::moment;
use crate::watch::Night;

pub use notice::{CauseTold, Missed, Notice, Of, SheetTold, ToldLate};
pub use send::Patience;
pub use state::{Kept, LastTold, Untold, carry, path as state_file};
pub use words::Alert;

use due::Due;
use send::Sender;
use signs::Measured;

/// How often a watcher that goes on shows a sign of life in files, and to its dead-man's switch.
const BEAT: Duration = Duration::from_mins(1);
const PING: Duration = Duration::from_mins(15);
/// How long somebody is tried to be told by a process that is to end.
const HURRY: Duration = Duration::from_secs(5);
/// How long a watcher that goes on sees no sheet before nothing came.
const IDLE: Duration = Duration::from_hours(24);

/// What whoever tells has to know of its face.
#[derive(Clone)]
pub struct NotifyOptions {
    /// How people call this program.
    pub command: String,
    /// The words for remedies, in reports.
    pub words: Words,
    /// What to do about what is open, in reports.
    pub advice: Advice,
    /// How long somebody is tried to be told.
    pub patience: Patience,
}

/// Tells whoever is configured.
pub struct Notifier<'a> {
    app: &'a App,
    options: NotifyOptions,
    targets: Vec<Target>,
    night: NightOptions,
    runtime: Runtime,
    kept: Kept,
    missed: Option<Missed>,
    began: Timestamp,
    /// The first ping, on its way.
    started: Option<JoinHandle<std::result::Result<(), String>>>,
    /// The report of the last runs.
    last: Option<Report>,
    beaten: Option<Timestamp>,
    pinged: Option<Timestamp>,
    busy: Timestamp,
}

/// A target that was tried, and why it could not be told, where it could not.
pub type Told = (String, std::result::Result<(), String>);

impl<'a> Notifier<'a> {
    /// Whoever is configured; nothing where nobody is, or where it is only practice.
    ///
    /// # Errors
    /// A target that cannot be meant, a command that somebody has to allow first, or a system that grants no threads.
    pub fn new(app: &'a App, options: NotifyOptions, now: Timestamp) -> Result<Option<Self>> {
        let (targets, night) = (app.config().targets()?, app.config().night());
        let NightOptions { ping, metrics_file, missed_after, .. } = &night;
        let is_idle = ping.is_none() && metrics_file.is_none() && missed_after.is_none();
        if (targets.is_empty() && is_idle) || *app.config().service() == Service::Sandbox {
            return Ok(None);
        }
        app.refuse_new(&app.config().alert_commands())?;
        let kept = Kept::read(app.config().ledger());
        let missed = missed(&kept, &night, now);
        let (started, last, beaten, pinged, runtime) = (None, None, None, None, runtime()?);
        let (began, busy) = (now, now);
        Ok(Some(Self {
            app,
            options,
            targets,
            night,
            runtime,
            kept,
            missed,
            began,
            started,
            last,
            beaten,
            pinged,
            busy,
        }))
    }

    /// Whether alerts go to anybody.
    #[must_use]
    pub fn has_targets(&self) -> bool {
        !self.targets.is_empty()
    }

    /// Whoever waits for the end of this process waits no longer than for one short try.
    pub fn hurry(&mut self) {
        self.options.patience = Patience { attempt: HURRY, waits: Vec::new() };
    }

    /// A night or a run begins: the switch is told meanwhile, and nothing waits for it.
    pub fn begins(&mut self, now: Timestamp) -> Vec<String> {
        self.began = now;
        if let (Some(address), Ok(web)) = (&self.night.ping, self.app.config().web(self.options.patience.attempt)) {
            self.started = Some(self.runtime.spawn(signs::ping(web, address.clone(), "start".to_owned())));
        }
        self.kept.began_ms = Some(now.as_millisecond());
        self.keep_time().into_iter().collect()
    }

    /// A night is over, or a pass of a watcher that goes on. What could not be told is given in words.
    pub fn night(&mut self, night: &Night, is_single: bool, now: Timestamp) -> Vec<String> {
        if !night.filed.is_empty() {
            self.busy = now;
        }
        let mut notice = Notice::new(Of::Night, self.app.config().service_key().ok(), now);
        notice.take_night(night, self.night.link.as_deref());
        (notice.missed, notice.is_single) = (self.missed.take(), is_single);
        let has_run = night.resumed.is_some() || night.filed.iter().any(|sheet| sheet.run.is_some());
        let of = ReportOf::Days { from_ms: self.began.as_millisecond(), until_ms: None };
        let report = has_run.then(|| self.report(of)).flatten();
        self.ended(notice, report, now)
    }

    /// A run is over.
    pub fn run(&mut self, of: Of, run: Option<i64>, exit: Exit, now: Timestamp) -> Vec<String> {
        let mut notice = Notice::new(of, self.app.config().service_key().ok(), now);
        notice.exit = exit.code();
        let report = run.and_then(|run| self.report(ReportOf::Run(Some(run))));
        self.ended(notice, report, now)
    }

    /// A watcher that goes on is alive.
    pub fn lives(&mut self, now: Timestamp) -> Vec<String> {
        let is_due = |last: Option<Timestamp>, every: Duration| last.is_none_or(|last| since(last, now) >= every);
        let mut failed = Vec::new();
        // The next pass begins now.
        self.began = now;
        if is_due(self.beaten, BEAT) {
            self.beaten = Some(now);
            self.kept.ended_ms = Some(now.as_millisecond());
            failed.extend(self.keep_time());
            failed.extend(self.show(now));
        }
        if is_due(self.pinged, PING) {
            self.pinged = Some(now);
            failed.extend(self.ping());
        }
        if since(self.busy, now) >= IDLE {
            self.busy = now;
            let mut notice = Notice::new(Of::Night, self.app.config().service_key().ok(), now);
            notice.ledger = self.open();
            failed.extend(self.tell(notice, None));
        }
        failed
    }

    /// Tells of a night that did not come, where one did not.
    pub fn missed(&mut self, now: Timestamp) -> Vec<String> {
        let Some(missed) = self.missed.take() else { return Vec::new() };
        let mut notice = Notice::new(Of::MissedNight, self.app.config().service_key().ok(), now);
        (notice.missed, notice.ledger) = (Some(missed), self.open());
        self.tell(notice, None)
    }

    /// Sends every target a test, whatever it is to hear of.
    pub fn test(&mut self, now: Timestamp) -> Vec<Told> {
        let mut notice = Notice::new(Of::Test, self.app.config().service_key().ok(), now);
        notice.ledger = self.open();
        let due: Vec<(&Target, &Notice)> = self.targets.iter().map(|target| (target, &notice)).collect();
        self.send(&due, None)
    }

    /// The night that was missed before this one, as it looks now.
    #[must_use]
    pub fn missed_before(&self) -> Option<Missed> {
        self.missed
    }

    fn ended(&mut self, mut notice: Notice, report: Option<Report>, now: Timestamp) -> Vec<String> {
        if let Some(report) = &report {
            notice.take_report(report);
        }
        if notice.ledger.is_none() {
            notice.ledger = self.open();
        }
        let at = Some(now.as_millisecond());
        (self.kept.ended_ms, self.kept.exit) = (at, Some(notice.exit));
        if notice.exit == Exit::Done.code() {
            self.kept.succeeded_ms = at;
        }
        (self.beaten, self.pinged) = (Some(now), Some(now));
        let page = report.as_ref().map(|report| overview::page(report, &self.options.advice));
        self.last = report.or(self.last.take());
        let mut failed: Vec<String> = self.show(now).into_iter().collect();
        failed.extend(self.ping());
        failed.extend(self.tell(notice, page.as_deref()));
        failed
    }

    /// Tells whoever is to hear of it and has not heard the same before. What cannot be told is kept for the next time.
    fn tell(&mut self, mut notice: Notice, page: Option<&str>) -> Vec<String> {
        notice.advise(&self.options.command, &self.options.words);
        notice.token_from = self.app.config().token_before_login();
        self.take_told();
        let due = self.targets.iter().filter_map(|target| Due::of(target, &notice, &self.kept));
        let due: Vec<Due<'_>> = due.collect();
        let sent = self.send(&due.iter().map(|due| (due.target, &due.notice)).collect::<Vec<_>>(), page);
        let mut failed = Vec::new();
        for (due, (name, sent)) in due.into_iter().zip(sent) {
            match sent {
                Ok(()) => due.told(&mut self.kept),
                Err(why) => {
                    due.not_told(&mut self.kept);
                    failed.push(format!("[notify.{name}] was not told: {why}"));
                }
            }
        }
        failed.extend(self.keep());
        failed
    }

    /// Sends to all at a time.
    fn send(&self, due: &[(&Target, &Notice)], page: Option<&str>) -> Vec<Told> {
        let sender = Sender { config: self.app.config(), patience: &self.options.patience, page };
        let each = due.iter().map(|(target, notice)| sender.tell(target, notice));
        let sent = self.runtime.block_on(join_all(each));
        let told: Vec<Told> = due.iter().map(|(target, _)| target.name.clone()).zip(sent).collect();
        for (name, sent) in &told {
            if let Some(log) = self.app.log() {
                log.note("alert", json!({"target": name, "is_sent": sent.is_ok(), "why": sent.as_ref().err()}));
            }
        }
        told
    }

    /// Writes the metrics; gives why they could not be written.
    fn show(&self, now: Timestamp) -> Option<String> {
        let open = if self.night.metrics_file.is_some() { self.open() } else { None };
        let measured = Measured { kept: &self.kept, open, report: self.last.as_ref(), now };
        let failed = signs::measure(&self.night, &measured).err();
        failed.map(|error| format!("[night] metrics_file could not be written: {error}"))
    }

    /// Tells the switch how the last night ended.
    fn ping(&mut self) -> Option<String> {
        let address = self.night.ping.clone()?;
        let started = self.started.take();
        let attempt = self.options.patience.attempt;
        let web = match self.app.config().web(attempt) {
            Ok(web) => web,
            Err(error) => return Some(format!("[night] ping: {error}")),
        };
        let path = self.kept.exit.unwrap_or_default().to_string();
        let pinged = self.runtime.block_on(async {
            // The switch hears of the end behind the beginning.
            if let Some(started) = started {
                let _ = started.await;
            }
            let mut waits = self.options.patience.waits.iter();
            loop {
                match signs::ping(web.clone(), address.clone(), path.clone()).await {
                    Ok(()) => return Ok(()),
                    Err(why) => match waits.next() {
                        Some(wait) => tokio::time::sleep(*wait).await,
                        None => return Err(why),
                    },
                }
            }
        });
        pinged.err().map(|why| format!("[night] ping: {why}"))
    }

    /// Reads again which alerts arrived and which did not: another process may have sent some.
    fn take_told(&mut self) {
        let Kept { told, untold, .. } = Kept::read(self.app.config().ledger());
        (self.kept.told, self.kept.untold) = (told, untold);
    }

    /// Notes when the night was; what others were told meanwhile stays.
    fn keep_time(&mut self) -> Option<String> {
        self.take_told();
        self.keep()
    }

    fn keep(&self) -> Option<String> {
        let kept = self.kept.write(self.app.config().ledger());
        kept.err().map(|error| format!("what was told could not be noted, so it may be told again: {error}"))
    }

    fn open(&self) -> Option<WholeLedger> {
        let ledger = self.app.read_ledger().ok()?;
        self.app.standing(&ledger).ok().map(Into::into)
    }

    /// The report of runs in which nobody is named.
    fn report(&self, of: ReportOf) -> Option<Report> {
        let ledger = self.app.read_ledger().ok()?;
        self.app.report(&ledger, ReportOptions { of, is_masked: true }, &self.options.words).ok()
    }
}

/// The night that is missed by now.
#[must_use]
pub fn missed(kept: &Kept, night: &NightOptions, now: Timestamp) -> Option<Missed> {
    let (last_ms, after) = (kept.ended_ms?, night.missed_after?);
    let last = Timestamp::from_millisecond(last_ms).ok()?;
    (since(last, now) > after).then_some(Missed { last_ms, after_hours: after.as_secs() / 3_600 })
}

impl Missed {
    /// In one sentence.
    #[must_use]
    pub fn said(&self) -> String {
        format!("the last night ended {}, more than {} hours ago", moment(self.last_ms), self.after_hours)
    }
}

fn since(then: Timestamp, now: Timestamp) -> Duration {
    now.duration_since(then).unsigned_abs().saturating_mul(u32::from(now >= then))
}
