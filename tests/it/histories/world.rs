//! A history as it happens: operators, a ledger on a disk, a service, and what a person said.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use shipsheet::api::{Client, ClientOptions, Endpoint, Token, TokenKeeper, TokenSource};
use shipsheet::book::{BrakeOptions, Concurrency, Job, Limits, RetryPolicy, StopSignal, book};
use shipsheet::event::Stream;
use shipsheet::ledger::{DecisionVerb, Ledger, LedgerError, NewAcceptance, NewDecision, Recovered, RunLock, Watch};
use tempfile::TempDir;
use tokio::sync::Notify;

use super::disk::{COMPANIONS, Snapshot, attempts, beside, empty_ledger, lock_of, occupied};
use super::figures::Figures;
use super::plan::{Address, End, Meddler, ORDERS, Step, What};
use super::service::{Service, Trigger};
use super::staging::stage;

/// Longer than an answer takes, shorter than a person waits.
const PATIENCE: Duration = Duration::from_millis(600);

/// What a history has come to so far.
pub(super) struct World {
    folder: TempDir,
    pub(super) service: Service,
    ledger: PathBuf,
    /// A backup, with how many orders may be in doubt because of the session before it.
    backup: Option<(PathBuf, usize)>,
    copies: u32,
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
            words,
            given_up,
            faults,
            doubts_max: 0,
            figures: Figures::default(),
        }
    }

    fn marks(&self) -> PathBuf {
        self.folder.path().join("marks")
    }

    pub(super) fn watch(&self) -> Watch {
        Watch { marks: Some(self.marks()), allow_network: true, user: "asha".into(), host: "desk".into() }
    }

    /// Opens the ledger to book, once whoever had it is gone.
    fn open(&mut self) -> Result<(Ledger, Recovered), LedgerError> {
        let watch = self.watch();
        Ledger::refuse_place(&self.ledger, &watch)?;
        let lock = lock_of(&self.ledger);
        let mut ledger = Ledger::open_watched(lock, &watch)?;
        let recovered = ledger.recover(2_000)?;
        self.figures.crash_doubts += recovered.in_doubt.len();
        self.figures.late += recovered.answered.len();
        self.figures.contradictions += recovered.contradictions.len();
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
            Step::Session { what, address, width, trouble, end, meddler } => {
                self.session((what, address), width, trouble, (end, meddler));
            }
            Step::LookUp => self.decide(true),
            Step::GiveUp => self.decide(false),
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

    fn session(
        &mut self,
        (what, address): (What, Address),
        width: usize,
        trouble: u64,
        (end, meddler): (End, Option<Meddler>),
    ) {
        let (mut ledger, recovered) = match self.open() {
            Ok(opened) => opened,
            Err(error) => return self.faults.push(format!("a good ledger was refused: {error}")),
        };
        self.figures.sessions += 1;
        self.figures.crashes += u64::from(matches!(end, End::Crash(_) | End::Kill(_)));
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
        let (run, orders) = match stage(&mut ledger, &url, what, address) {
            Ok(Some(staged)) => staged,
            // Nobody could be asked whether it is the same service: nothing is sent.
            Ok(None) => {
                self.figures.refused_addresses += 1;
                return;
            }
            Err(error) => return self.faults.push(format!("staging failed: {error}")),
        };
        let _ = ledger.wait_at_most(Duration::from_millis(20));
        let (stop, gone) = (StopSignal::default(), Arc::new(Notify::new()));
        let held = Arc::<Mutex<Option<rusqlite::Connection>>>::default();
        self.service.begin(trouble, self.trigger(end, meddler, (&stop, &gone, &held)));
        let job = Job {
            ledger,
            run,
            orders,
            client: client(&url),
            tokens: TokenKeeper::new(TokenSource::Fixed(Token::new("token-of-the-history").unwrap())),
            brake: BrakeOptions {
                concurrency: Concurrency::Fixed(width),
                wait_max: Duration::from_millis(15),
                retry: RetryPolicy {
                    shortest: Duration::from_micros(100),
                    first: Duration::from_millis(1),
                    longest: Duration::from_millis(4),
                },
                probe_wait: BrakeOptions::PROBE_WAIT,
            },
            rate: None,
            limits: Limits::default(),
            stop,
        };
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
            Some(Ok((booked, _))) => drop(booked),
            Some(Err(error)) => self.faults.push(format!("booking broke: {error}")),
            None => {}
        }
        drop(held.lock().unwrap().take());
        drop(lock_of(&self.ledger));
        if let Some(snapshot) = snapshot {
            let _ = std::fs::remove_file(beside(&self.ledger, "-shm"));
            snapshot.put_back();
        }
        self.note_known();
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
            End::Done => (2, Box::new(|| {})),
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
    fn note_known(&mut self) {
        if beside(&self.ledger, ".two").exists() {
            self.faults.push("two operators held the lock".to_owned());
        }
        let Ok(database) = rusqlite::Connection::open(&self.ledger) else { return };
        let Ok(mut statement) = database.prepare("SELECT awb FROM orders WHERE awb IS NOT NULL") else { return };
        let Ok(rows) = statement.query_map([], |row| row.get(0)) else { return };
        self.service.pages().known = rows.filter_map(Result::ok).collect();
    }

    /// A person settles what is in doubt, by what the service's book says at that moment, or gives it up.
    fn decide(&mut self, look_up: bool) {
        let Ok((mut ledger, _)) = self.open() else {
            return self.faults.push("a good ledger was refused to a person".to_owned());
        };
        for doubt in ledger.doubts().unwrap() {
            let theirs =
                self.service.pages().bookings.iter().find(|(n, _)| *n == doubt.number).map(|(_, awb)| awb.clone());
            let verb = match theirs {
                _ if !look_up => DecisionVerb::Abandoned,
                Some(awb) => DecisionVerb::Booked { awb },
                None => {
                    *self.words.entry(doubt.number.clone()).or_default() += 1;
                    self.figures.words += 1;
                    DecisionVerb::NotBooked
                }
            };
            let decided = ledger.decide(&NewDecision {
                upon: doubt.upon(),
                verb,
                user: "asha".into(),
                host: "desk".into(),
                because: "seen in the portal".into(),
                at_ms: 4_000,
            });
            match decided {
                Ok(()) | Err(LedgerError::AwbTaken { .. }) => {}
                Err(error) => self.faults.push(format!("a person's word was refused: {error}")),
            }
        }
    }

    fn back_up(&mut self) {
        self.copies += 1;
        let to = self.folder.path().join(format!("backup-{}.sqlite", self.copies));
        if self.ledger.exists() {
            Ledger::open_read_only(&self.ledger).unwrap().backup(&to).unwrap();
            self.backup = Some((to, self.doubts_max));
        }
    }

    /// Puts the backup in the ledger's place; unless it knows all that the ledger knew, it must be refused.
    fn restore(&mut self, accept: bool) {
        let Some((backup, doubts_max)) = self.backup.clone() else { return };
        let newest = Snapshot::take(&self.ledger, &self.marks());
        let (before, after) = (attempts(&self.ledger), attempts(&backup));
        for suffix in ["-wal", "-shm"] {
            let _ = std::fs::remove_file(beside(&self.ledger, suffix));
        }
        std::fs::copy(&backup, &self.ledger).unwrap();
        let opened = self.open();
        let refused = opened.is_err();
        drop(opened);
        self.figures.refused_backups += u64::from(refused);
        if after < before && !refused {
            self.faults.push(format!("a backup with {after} of {before} attempts was taken for the ledger"));
        }
        if !refused {
            // It knows all that the ledger knew, and is the ledger from here on.
            return;
        }
        if !accept {
            for suffix in ["-wal", "-shm"] {
                let _ = std::fs::remove_file(beside(&self.ledger, suffix));
            }
            return newest.put_back();
        }
        let word = NewAcceptance {
            user: "asha".into(),
            host: "desk".into(),
            because: "the disk broke; the portal was looked through".into(),
            at_ms: 5_000,
        };
        if let Err(error) = Ledger::accept(lock_of(&self.ledger), &self.watch(), &word) {
            return self.faults.push(format!("a person could not accept a backup: {error}"));
        }
        // What was on its way when the backup was made is on its way once more.
        self.doubts_max = doubts_max;
        // Whatever the lost ledger had sent is that person's affair, also what the service books only now.
        self.service.begin(0, None);
        let known = rusqlite::Connection::open(&self.ledger).unwrap();
        for (number, awb) in &self.service.pages().bookings {
            let has = known.query_row("SELECT 1 FROM orders WHERE awb = ?1", [awb], |_| Ok(())).is_ok();
            if !has {
                *self.words.entry(number.clone()).or_default() += 1;
                self.given_up.push(awb.clone());
            }
        }
        self.note_known();
    }

    /// The disk forgets what it said that it had; what the user's own folder knows is elsewhere.
    fn lie(&mut self) {
        if !self.ledger.exists() {
            return;
        }
        let before = Snapshot::take(&self.ledger, Path::new("/nowhere"));
        let attempts_before = attempts(&self.ledger);
        let all = What::Sheet { orders: (1 << ORDERS) - 1, version: 0 };
        self.session((all, Address::Usual), 2, 0, (End::Done, None));
        let newest = Snapshot::take(&self.ledger, Path::new("/nowhere"));
        let lost = attempts(&self.ledger) - attempts_before;
        let _ = std::fs::remove_file(beside(&self.ledger, "-shm"));
        before.put_back();
        self.figures.lost_by_disks += lost;
        if self.open().is_ok() && lost > 0 {
            self.faults.push(format!("a disk lost {lost} attempts, and the ledger was taken for good"));
        }
        for suffix in ["-wal", "-shm"] {
            let _ = std::fs::remove_file(beside(&self.ledger, suffix));
        }
        newest.put_back();
    }

    /// A copy in another place must not book while the ledger itself is there; once a person says that the copy is right, the
    /// other one must not.
    fn book_with_copy(&mut self, accept: bool) {
        let sent = attempts(&self.ledger) > 0;
        if !self.ledger.exists() || !sent {
            return;
        }
        self.copies += 1;
        let copy = self.folder.path().join(format!("copy-{}.sqlite", self.copies));
        for suffix in COMPANIONS {
            let _ = std::fs::copy(beside(&self.ledger, suffix), beside(&copy, suffix));
        }
        let ours = std::mem::replace(&mut self.ledger, copy);
        let taken = self.open().is_ok();
        self.figures.refused_copies += u64::from(!taken);
        if taken {
            self.faults.push("a copy was taken for the ledger".to_owned());
        }
        if !accept {
            self.ledger = ours;
            return;
        }
        let word =
            NewAcceptance { user: "asha".into(), host: "desk".into(), because: "the disk broke".into(), at_ms: 5_500 };
        if let Err(error) = Ledger::accept(lock_of(&self.ledger), &self.watch(), &word) {
            return self.faults.push(format!("a person could not accept a copy: {error}"));
        }
        if let Err(error) = self.open() {
            return self.faults.push(format!("a copy that was accepted is refused: {error}"));
        }
        self.figures.accepted_copies += 1;
        let copy = std::mem::replace(&mut self.ledger, ours);
        if self.open().is_ok() {
            self.faults.push("a ledger books beside its accepted copy".to_owned());
        }
        self.ledger = copy;
    }

    fn relocate(&mut self) {
        if !self.ledger.exists() {
            return;
        }
        self.copies += 1;
        let to = self.folder.path().join(format!("moved-{}", self.copies)).join("ledger.sqlite");
        let word =
            NewAcceptance { user: "asha".into(), host: "desk".into(), because: "a larger disk".into(), at_ms: 6_000 };
        drop(lock_of(&self.ledger));
        match Ledger::relocate(&self.ledger, &to, &self.watch(), &word) {
            Ok(relocated) => {
                self.ledger = relocated.to;
                self.figures.moves += 1;
            }
            Err(error) => self.faults.push(format!("the ledger could not be moved: {error}")),
        }
    }

    fn rename(&mut self) {
        if !self.ledger.exists() {
            return;
        }
        self.copies += 1;
        let to = self.folder.path().join(format!("renamed-{}.sqlite", self.copies));
        for suffix in COMPANIONS {
            let _ = std::fs::rename(beside(&self.ledger, suffix), beside(&to, suffix));
        }
        self.ledger = to;
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
