//! The one long job at a time: it runs on a thread of its own, and goes on whoever looks.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::after::bulk::News;
use crate::app::{App, Steps};
use crate::book::{Stop, StopSignal};
use crate::event::{Event, Listener, Stream, Totals};

use super::trouble::{Result, Trouble};

/// What a job is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Orders are booked.
    Booking,
    /// Labels are fetched.
    Labels,
    /// Shipments are cancelled.
    Cancelling,
    /// The service is asked where shipments are.
    Tracking,
}

/// How a job stands.
#[derive(Debug, Clone, Default)]
pub(super) struct Standing {
    /// What booking came to so far.
    pub(super) totals: Totals,
    /// Calls that are done, of how many, where nothing is booked.
    pub(super) steps: (usize, usize),
    /// What is waited for, or why nothing more is sent.
    pub(super) said: Option<String>,
    /// Whether somebody asked it to stop.
    pub(super) is_stopping: bool,
    /// How it ended: the page that shows it, or what went wrong.
    pub(super) end: Option<std::result::Result<String, Ended>>,
}

/// A job that failed, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ended {
    pub(super) sentence: String,
    pub(super) advice: &'static str,
}

/// A job.
pub(super) struct Job {
    pub(super) kind: Kind,
    pub(super) began: Instant,
    stop: StopSignal,
    standing: Mutex<Standing>,
}

/// The place of the one job.
#[derive(Default)]
pub(super) struct Slot(Mutex<Option<Arc<Job>>>);

impl Slot {
    /// The job that is under way, or the last one.
    pub(super) fn job(&self) -> Option<Arc<Job>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The job that is under way.
    pub(super) fn running(&self) -> Option<Arc<Job>> {
        self.job().filter(|job| job.standing().end.is_none())
    }

    /// Begins a job on a thread of its own. What it gives is the page that shows how it ended.
    pub(super) fn start(
        &self,
        kind: Kind,
        work: impl FnOnce(&Arc<Job>) -> Result<String> + Send + 'static,
    ) -> Result<()> {
        let job = self.begin(kind)?;
        let own = Arc::clone(&job);
        let run = move || {
            let ending = Ending(Arc::clone(&own));
            let end = work(&own);
            ending.tell(end);
        };
        if let Err(error) = std::thread::Builder::new().name("desk".to_owned()).spawn(run) {
            Ending(job).tell(Err(Trouble::File(error)));
        }
        Ok(())
    }

    /// Waits until nothing is under way any more, as a desk does that is closed; `asked` says how urgently.
    pub(super) fn finish(&self, asked: &StopSignal) {
        while let Some(job) = self.running() {
            if job.stop.now() == Stop::No {
                job.stop();
            } else if asked.now() == Stop::Cut && job.stop.now() != Stop::Cut {
                let _ = job.stop.ask();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Takes the place for a job.
    fn begin(&self, kind: Kind) -> Result<Arc<Job>> {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(job) = slot.as_ref().filter(|job| job.standing().end.is_none()) {
            return Err(Trouble::Busy(job.kind.words()));
        }
        let job =
            Arc::new(Job { kind, began: Instant::now(), stop: StopSignal::default(), standing: Mutex::default() });
        *slot = Some(Arc::clone(&job));
        Ok(job)
    }
}

impl Kind {
    /// What is being done.
    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::Booking => "orders are being booked",
            Self::Labels => "labels are being fetched",
            Self::Cancelling => "shipments are being cancelled",
            Self::Tracking => "the courier is being asked where shipments are",
        }
    }
}

impl Job {
    /// How it stands.
    pub(super) fn standing(&self) -> Standing {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What ends it early.
    pub(super) const fn stop_signal(&self) -> &StopSignal {
        &self.stop
    }

    /// Starts nothing new and waits for what is under way, as one Ctrl-C does.
    pub(super) fn stop(&self) {
        self.stop.drain();
        self.note(|standing| standing.is_stopping = true);
    }

    /// A stream whose events this job's page shows.
    pub(super) fn events(self: &Arc<Self>, app: &App) -> Stream<Told> {
        app.events(Told(Arc::clone(self)))
    }

    /// Hears the steps of calls over many.
    pub(super) fn steps(self: &Arc<Self>) -> Told {
        Told(Arc::clone(self))
    }

    fn note(&self, change: impl FnOnce(&mut Standing)) {
        change(&mut self.standing.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// Notes in a job what happens to it.
pub(super) struct Told(Arc<Job>);

impl Listener for Told {
    fn event(&mut self, event: &Event<'_>, totals: &Totals) {
        self.0.note(|standing| {
            standing.totals.clone_from(totals);
            match event {
                Event::Paused { reason, .. } | Event::Stopping { reason, .. } => {
                    standing.said = Some((*reason).to_owned());
                }
                Event::Resumed => standing.said = None,
                _ => {}
            }
        });
    }
}

impl Steps for Told {
    fn begin(&mut self, total: usize) {
        self.0.note(|standing| standing.steps = (0, total));
    }

    fn step(&mut self) {
        self.0.note(|standing| standing.steps.0 += 1);
    }

    fn finish(&mut self) {}

    fn news(&self) -> Arc<dyn Fn(&News<'_>) + Send + Sync> {
        let job = Arc::clone(&self.0);
        Arc::new(move |news| {
            if let News::Waiting { why, .. } = news {
                job.note(|standing| standing.said = Some((*why).to_owned()));
            }
        })
    }
}

/// Says how a job ended, also where it broke off.
struct Ending(Arc<Job>);

impl Ending {
    fn tell(&self, end: Result<String>) {
        let end = end.map_err(|trouble| Ended { sentence: trouble.sentence(), advice: trouble.advice() });
        self.0.note(|standing| standing.end = Some(end));
    }
}

impl Drop for Ending {
    fn drop(&mut self) {
        if self.0.standing().end.is_none() {
            self.tell(Err(Trouble::Failed));
        }
    }
}
