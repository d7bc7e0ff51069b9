//! A history as it happens: operators, a ledger on a disk, a service, and what a person said.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use shipsheet::api::{Client, ClientOptions, Endpoint, Token, TokenKeeper, TokenSource};
use shipsheet::book::{BrakeOptions, Concurrency, Job, Limits, RetryPolicy, StopSignal, book};
use shipsheet::event::Stream;
use shipsheet::ledger::{Ledger, LedgerError, Recovered, RunEnd, RunId, RunLock, Watch};
use tempfile::TempDir;
use tokio::sync::Notify;

use super::disk::{Snapshot, beside, empty_ledger, lock_of, occupied};
use super::figures::Figures;
use super::model::Model;
use super::plan::{Address, End, Meddler, ORDERS, Pace, Says, Step, Taking, What};
use super::service::{Service, Trigger};
use super::sheets::{Content, Entry, Shop, text};
use super::staging::{At, Orders, Staged, Stock, read, stage};

/// Longer than an answer takes, shorter than a person waits.
const PATIENCE: Duration = Duration::from_millis(600);

/// What a history has come to so far.
pub(super) struct World {
    pub(super) folder: TempDir,
    pub(super) service: Service,
    pub(super) ledger: PathBuf,
    /// A backup, with how many orders may be in doubt because of the session before it, and what was said by then.
    pub(super) backup: Option<(PathBuf, usize, Model)>,
    pub(super) copies: u32,
    shop: Shop,
    /// Every sheet that came, with what it has of each order.
    pub(super) sheets: Vec<(String, Vec<Entry>)>,
    /// What was said of the orders.
    pub(super) model: Model,
    /// How many sources the user's own folder must know of: a ledger without one of them is refused.
    pub(super) noted: usize,
    /// What each session may send.
    pub(super) allowed: Vec<HashMap<usize, Content>>,
    /// How often a person's word allowed an order to be sent once more.
    pub(super) words: HashMap<String, usize>,
    /// AWBs of a ledger that a person gave up.
    pub(super) given_up: Vec<String>,
    /// What was seen that must never be.
    pub(super) faults: Vec<String>,
    /// Orders in doubt because a process ended, at most by one session.
    pub(super) doubts_max: usize,
    pub(super) figures: Figures,
}

impl World {
    pub(super) fn new(seed: u64, services: &tokio::runtime::Runtime) -> Self {
        let folder = crate::rig::folder();
        let ledger = folder.path().join("ledger.sqlite");
        std::fs::write(&ledger, empty_ledger()).unwrap();
        let service = services.block_on(Service::start(seed));
        let (words, given_up, faults) = (HashMap::new(), Vec::new(), Vec::new());
        Self {
            folder,
            service,
            ledger,
            backup: None,
            copies: 0,
            shop: Shop::default(),
            sheets: Vec::new(),
            model: Model::default(),
            noted: 0,
            allowed: Vec::new(),
            words,
            given_up,
            faults,
            doubts_max: 0,
            figures: Figures::default(),
        }
    }

    pub(super) fn marks(&self) -> PathBuf {
        self.folder.path().join("marks")
    }

    pub(super) fn watch(&self) -> Watch {
        Watch { marks: Some(self.marks()), allow_network: true, user: "asha".into(), host: "desk".into() }
    }

    /// Opens the ledger to book, once whoever had it is gone.
    pub(super) fn open(&mut self) -> Result<(Ledger, Recovered), LedgerError> {
        let watch = self.watch();
        Ledger::refuse_place(&self.ledger, &watch)?;
        let lock = lock_of(&self.ledger);
        let mut ledger = Ledger::open_watched(lock, &watch)?;
        let recovered = ledger.recover(2_000)?;
        self.figures.crash_doubts += recovered.in_doubt.len();
        self.figures.late += recovered.answered.len();
        self.figures.contradictions += recovered.contradictions.len();
        self.noted = self.model.counts.sources;
        Ok((ledger, recovered))
    }

    /// For checks at the end: whatever is wrong with the ledger was noticed before.
    pub(super) fn open_for_audit(&mut self) -> Option<Ledger> {
        match self.open() {
            Ok((ledger, _)) => Some(ledger),
            Err(error) => {
                self.faults.push(format!("the ledger cannot be opened: {error}"));
                None
            }
        }
    }

    pub(super) fn step(&mut self, step: Step) {
        match step {
            Step::Session { what, address, pace, trouble, end, meddler } => {
                self.session((what, address), pace, trouble, (end, meddler));
            }
            Step::LookUp => self.decide(true),
            Step::GiveUp => self.decide(false),
            Step::Accept(order) => self.accept(order),
            Step::Abandon(order) => self.abandon(order),
            Step::Release(order) => self.release(order),
            Step::Backup => self.back_up(),
            Step::Restore => self.restore(false),
            Step::RestoreAndAccept => self.restore(true),
            Step::LyingDisk => self.lie(),
            Step::BookWithCopy => self.book_with_copy(false),
            Step::AcceptCopy => self.book_with_copy(true),
            Step::ClockJump(minutes) => self.service.pages().clock_minutes += minutes,
            Step::Move => self.relocate(),
            Step::Rename => self.rename(),
        }
    }

    /// A process that takes up a sheet, or what waits, and books.
    pub(super) fn session(
        &mut self,
        (what, address): (What, Address),
        Pace { width, most }: Pace,
        trouble: u64,
        (end, meddler): (End, Option<Meddler>),
    ) {
        let (mut ledger, recovered) = match self.open() {
            Ok(opened) => opened,
            Err(error) => return self.faults.push(format!("a good ledger was refused: {error}")),
        };
        self.figures.sessions += 1;
        self.figures.crashes += u64::from(end.is_sudden());
        self.figures.meddled += u64::from(meddler.is_some());
        // What was in flight, and what was about to leave.
        let bound = self.doubts_max;
        if recovered.in_doubt.len() > bound {
            self.faults.push(format!("{} in doubt after a crash, at most {bound} are right", recovered.in_doubt.len()));
        }
        self.doubts_max = width + (width / 4).min(16);
        let url = match address {
            Address::Usual => self.service.url.clone(),
            Address::Other | Address::OtherUnattended => self.service.other_url.clone(),
        };
        let (run, orders) = match self.staged(&mut ledger, &url, (what, address), end) {
            Ok(Some(staged)) => staged,
            Ok(None) => return,
            Err(error) => return self.faults.push(format!("staging failed: {error}")),
        };
        let _ = ledger.wait_at_most(Duration::from_millis(20));
        let (stop, gone) = (StopSignal::default(), Arc::new(Notify::new()));
        let held = Arc::<Mutex<Option<rusqlite::Connection>>>::default();
        self.service.begin(trouble, self.trigger(end, meddler, (&stop, &gone, &held)));
        let token = format!("token-of-session-{}", self.allowed.len());
        self.allowed.push(self.model.going());
        let tokens = TokenKeeper::new(TokenSource::Fixed(Token::new(&token).unwrap()));
        let (brake, limits, client) = (brake(width), Limits { orders_max: most, ..Limits::default() }, client(&url));
        let job = Job { ledger, run, orders, client, tokens, brake, rate: None, limits, stop };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let booked = runtime.block_on(async {
            tokio::select! {
                booked = book(job, Stream::silent()) => Some(booked),
                () = gone.notified() => None,
            }
        });
        // The process is gone: nothing leaves any more, and nothing is told.
        drop(runtime);
        let snapshot = matches!(end, End::Kill(_)).then(|| Snapshot::take(&self.ledger, &self.marks()));
        match booked {
            Some(Ok((mut booked, _))) if snapshot.is_none() => self.finish(&mut booked.ledger, run),
            Some(Ok((booked, _))) => drop(booked),
            Some(Err(error)) => self.faults.push(format!("booking broke: {error}")),
            None => {}
        }
        drop(held.lock().unwrap().take());
        drop(lock_of(&self.ledger));
        if let Some(snapshot) = snapshot {
            self.put_back(&snapshot);
        }
        self.note_known();
    }

    /// Records what a session takes up, and what its sheet says; gives the run, where one is to be booked.
    fn staged(
        &mut self,
        ledger: &mut Ledger,
        url: &str,
        (what, address): (What, Address),
        end: End,
    ) -> Result<Option<(RunId, u64)>, LedgerError> {
        let (stock, source) = self.stock(what, ledger, url);
        let mut before = Orders::read(ledger, url)?;
        let (path, marks, mut killed) = (self.ledger.clone(), self.marks(), None);
        let mut kill = || killed = Some(Snapshot::take(&path, &marks));
        let kill = (end == End::KillUnstaged).then_some(&mut kill as &mut dyn FnMut());
        let usual = self.service.url.clone();
        let unsaid = (url != usual && !before.is_one_service).then_some(&*usual);
        if unsaid.is_some() {
            // They are one as soon as the sheet is taken in.
            before.add(&Orders::read(ledger, &usual)?);
        }
        let staged = stage(ledger, At { url, address, unsaid }, &stock, kill)?;
        if let (Some((n, taking)), Staged::Run(..) | Staged::Declined) = (source, &staged) {
            self.model.take(n, &self.sheets[n].1, taking, &|order| before.standing(order));
            let after = Orders::read(ledger, url)?;
            self.model.settle(&|order| after.goes(order));
            self.figures.refused_sheets += u64::from(taking == Taking::Refused);
        }
        match staged {
            Staged::Run(..) if end == End::KillStaged => killed = Some(Snapshot::take(&path, &marks)),
            Staged::Run(run, 0) => self.finish(ledger, run),
            Staged::Run(run, orders) => return Ok(Some((run, orders))),
            Staged::Elsewhere => self.figures.refused_addresses += 1,
            Staged::Declined => self.noted = self.model.counts.sources,
            Staged::Killed => {}
        }
        if let Some(snapshot) = killed {
            self.put_back(&snapshot);
        }
        Ok(None)
    }

    /// What a session takes up, with the sheet that it reads.
    fn stock(&mut self, what: What, ledger: &Ledger, url: &str) -> (Stock, Option<(usize, Taking)>) {
        let (says, taking) = match what {
            What::Outstanding => return (Stock::Outstanding, None),
            What::Failed => return (Stock::Failed, None),
            What::Sheet { says, taking } => (says, taking),
            What::Again { taking, .. } => ([Says::Same; ORDERS], taking),
        };
        let n = match what {
            What::Again { back, .. } if !self.sheets.is_empty() => self.sheets.len().saturating_sub(back + 1),
            _ => {
                let entries = self.shop.export(&says);
                let text = text(&entries, self.sheets.len());
                // The same bytes are the same sheet, whatever it is called.
                self.sheets.iter().position(|(known, _)| *known == text).unwrap_or_else(|| {
                    self.sheets.push((text, entries));
                    self.sheets.len() - 1
                })
            }
        };
        let path = self.folder.path().join(format!("sheet-{n}.csv"));
        std::fs::write(&path, &self.sheets[n].0).unwrap();
        (read(&path, taking, ledger, url), Some((n, taking)))
    }

    /// Closes a run as the application does.
    fn finish(&mut self, ledger: &mut Ledger, run: RunId) {
        let end = RunEnd { finished_ms: 6_000, requests: 0, stopped_by: None, stopped_why: None, exit: 0 };
        // A disk that takes nothing takes this as little.
        if ledger.finish_run(run, &end).is_ok() {
            self.noted = self.model.counts.sources;
        }
    }

    fn put_back(&self, snapshot: &Snapshot) {
        let _ = std::fs::remove_file(beside(&self.ledger, "-shm"));
        snapshot.put_back();
    }

    /// What happens after so many requests.
    fn trigger(
        &self,
        end: End,
        meddler: Option<Meddler>,
        (stop, gone, held): (&StopSignal, &Arc<Notify>, &Arc<Mutex<Option<rusqlite::Connection>>>),
    ) -> Option<Trigger> {
        let (stop, gone, held) = (stop.clone(), Arc::clone(gone), Arc::clone(held));
        let ledger = self.ledger.clone();
        let meddle = move |ledger: &Path| {
            if meddler == Some(Meddler::DeletesTheLockFile) {
                let _ = std::fs::remove_file(beside(ledger, ".lock"));
            }
        };
        let is_tried = meddler.is_some();
        let refused = move |ledger: &Path| {
            if is_tried && RunLock::acquire(ledger, "a second operator").is_ok() {
                std::fs::write(beside(ledger, ".two"), "two held the lock").unwrap();
            }
        };
        let (after, act): (u64, Box<dyn FnOnce() + Send>) = match end {
            End::Done if meddler.is_none() => return None,
            // The others have ended before.
            End::Done | End::KillUnstaged | End::KillStaged => (2, Box::new(|| {})),
            End::Crash(after) | End::Kill(after) => (after, Box::new(move || gone.notify_one())),
            End::Drain(after) => (after, Box::new(move || stop.drain())),
            End::Cut(after) => (
                after,
                Box::new(move || {
                    let _ = stop.ask();
                    let _ = stop.ask();
                }),
            ),
            End::DiskFails(after) => {
                let ledger = ledger.clone();
                (after, Box::new(move || *held.lock().unwrap() = Some(occupied(&ledger))))
            }
        };
        Some((
            after,
            Box::new(move || {
                meddle(&ledger);
                refused(&ledger);
                act();
            }),
        ))
    }

    /// AWBs that are on disk now may be handed back as somebody else's.
    pub(super) fn note_known(&mut self) {
        if beside(&self.ledger, ".two").exists() {
            self.faults.push("two operators held the lock".to_owned());
        }
        let Ok(database) = rusqlite::Connection::open(&self.ledger) else { return };
        let Ok(mut statement) = database.prepare("SELECT awb FROM orders WHERE awb IS NOT NULL") else { return };
        let Ok(rows) = statement.query_map([], |row| row.get(0)) else { return };
        self.service.pages().known = rows.filter_map(Result::ok).collect();
    }
}

fn brake(width: usize) -> BrakeOptions {
    BrakeOptions {
        concurrency: Concurrency::Fixed(width),
        wait_max: Duration::from_millis(15),
        retry: RetryPolicy {
            shortest: Duration::from_micros(100),
            first: Duration::from_millis(1),
            longest: Duration::from_millis(4),
        },
        probe_wait: BrakeOptions::PROBE_WAIT,
    }
}

fn client(url: &str) -> Client {
    Client::new(ClientOptions {
        connect_timeout: PATIENCE / 2,
        request_timeout: PATIENCE,
        ..ClientOptions::new(Endpoint::parse(url).unwrap())
    })
    .unwrap()
}
