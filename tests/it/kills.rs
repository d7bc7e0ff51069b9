//! The program is killed at any moment, and nothing is booked twice or lost.
//!
//! In the suite a few kills at seeded moments and each named crash point at several of its passes. A long run takes more, from
//! `SHIPSHEET_SEED` where a failure is to be repeated, and says its figures:
//! `SHIPSHEET_LONG=1000 cargo test --release --test it kills::seeded -- --nocapture`
//! (crash points exist in debug builds only).

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;

use fastrand::Rng;

use crate::apart::Apart;
use crate::disk::{cut_power, that_may_lose_power};
use crate::rig::size::{SEED, is_long, seed, times};
use crate::rig::{Rig, ran, sheet_of, wait_until};

/// Kills at seeded moments in the suite, at each width.
const KILLS: u64 = 5;

#[test]
fn seeded_kills_one_at_a_time() {
    seeded(1, 24);
}

#[test]
fn seeded_kills_four_in_flight() {
    seeded(4, 40);
}

#[test]
fn seeded_kills_sixteen_in_flight() {
    seeded(16, 70);
}

/// Promise 3: a kill at any moment leaves few orders in doubt, each of them listed: at most those in flight and a
/// quarter more.
#[test]
fn seeded_kills_sixty_four_in_flight() {
    seeded(64, 160);
}

fn seeded(concurrency: usize, orders: usize) {
    let (wanted, mut seed) = (times(KILLS), seed(SEED));
    let started = Instant::now();
    let mut figures = Figures::default();
    while figures.kills < wanted {
        let mut trial = Trial::new(format!("concurrency {concurrency}, SHIPSHEET_SEED={seed}"), concurrency, orders);
        let mut rng = Rng::with_seed(seed);
        for _ in 0..rng.u64(1..=3).min(wanted - figures.kills) {
            trial.kill(&mut rng);
        }
        figures.add(&trial.finish());
        seed += 1;
    }
    figures.assert_real();
    let seconds = started.elapsed().as_secs_f64();
    let _ = writeln!(std::io::stderr(), "concurrency {concurrency}: {figures:?} in {seconds:.1} s");
}

/// A kill, and with it whatever the program has written and not synced. Without `synchronous=FULL` this fails.
/// Promise 2: a power cut at any moment costs no order and no AWB.
#[test]
fn power_cuts_cost_no_order_and_no_awb() {
    let mut figures = Figures::default();
    for (seed, concurrency) in (seed(SEED)..).zip([1, 4, 16, 64].repeat(times(1))) {
        let context = format!("power cuts, concurrency {concurrency}, seed {seed}");
        let mut trial = Trial::without_power(context, concurrency, 40);
        let mut rng = Rng::with_seed(seed);
        trial.kill(&mut rng);
        trial.kill(&mut rng);
        figures.add(&trial.finish());
    }
    figures.assert_real();
    let _ = writeln!(std::io::stderr(), "power cuts: {figures:?}");
}

/// Promise 2: no order is reported as booked before the ledger has its answer, wherever the program crashes.
#[test]
fn every_crash_point_at_several_passes() {
    let mut points = crash_points();
    // A move books nothing; `places` ends it at each of its steps.
    assert!(points.remove("move"));
    // Nor does an upgrade; `upgrade` ends it at each of its steps.
    assert!(points.remove("upgrade"));
    // An answer at the desk and a sheet that is discarded book nothing either; `desk::crashes` ends them.
    assert!(points.remove("answer") && points.remove("clear"));
    // Those of a watcher are met in `watch::crashes`, each of them.
    points.retain(|point| !point.starts_with("watch-"));
    assert!(points.len() >= 4, "{points:?}");
    let mut figures = Figures::default();
    let passes = [(1, 1), (1, 9), (16, 4), (1, 2), (16, 1), (16, 8)];
    let passes = if is_long() { &passes[..] } else { &passes[..3] };
    for point in &points {
        for &(concurrency, pass) in passes {
            let context = format!("SHIPSHEET_CRASH_AT={point}:{pass}, concurrency {concurrency}");
            let mut trial = Trial::new(context, concurrency, 40);
            let crashed = trial.crash(point, pass);
            assert!(crashed || pass > 1, "{}: the point was not met", trial.context);
            figures.add(&trial.finish());
        }
    }
    assert!(figures.killed >= (points.len() * passes.len() * 2 / 3) as u64, "{figures:?}");
}

/// The names of all crash points, as the sources have them.
fn crash_points() -> BTreeSet<String> {
    fn search(folder: &Path, found: &mut BTreeSet<String>) {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                search(&path, found);
            } else {
                let text = std::fs::read_to_string(path).unwrap();
                let calls = text.split("crash_point(\"").skip(1);
                found.extend(calls.map(|call| call.split('"').next().unwrap().to_owned()));
            }
        }
    }
    let mut found = BTreeSet::new();
    search(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    found
}

/// What came of trials.
#[derive(Debug, Default)]
struct Figures {
    kills: u64,
    killed: u64,
    orders: usize,
    bookings: usize,
    doubts: usize,
    doubts_at_most: usize,
}

impl Figures {
    /// A process that had ended before its kill came is no kill; most must be real, and of a few some.
    fn assert_real(&self) {
        let most = if is_long() { self.kills * 7 / 10 } else { 1 };
        assert!(self.killed >= most, "too few were killed in time: {self:?}");
    }

    fn add(&mut self, other: &Self) {
        self.kills += other.kills;
        self.killed += other.killed;
        self.orders += other.orders;
        self.bookings += other.bookings;
        self.doubts += other.doubts;
        self.doubts_at_most = self.doubts_at_most.max(other.doubts_at_most);
    }
}

/// One sheet, one service in a process of its own, one ledger, and a program that is killed again and again.
struct Trial {
    rig: Rig,
    service: Apart,
    context: String,
    concurrency: usize,
    orders: usize,
    /// Orders that kills left without an answer.
    left: BTreeSet<String>,
    left_at_most: usize,
    kills: u64,
    killed: u64,
    /// What a power cut would leave of the ledger's files, where kills are power cuts.
    kept: Option<PathBuf>,
}

impl Trial {
    fn new(context: String, concurrency: usize, orders: usize) -> Self {
        let service = Apart::start("latency=2ms");
        let rig = Rig::beside(service.address());
        rig.file("orders.csv", &sheet_of(orders));
        let left = BTreeSet::new();
        Self { rig, service, context, concurrency, orders, left, left_at_most: 0, kills: 0, killed: 0, kept: None }
    }

    /// As [`Trial::new`], on a disk that forgets what was not synced when a kill comes.
    fn without_power(context: String, concurrency: usize, orders: usize) -> Self {
        let mut trial = Self::new(context, concurrency, orders);
        trial.kept = Some(trial.rig.path("kept"));
        trial
    }

    /// The import, or what goes on after one.
    fn arguments(&self) -> Vec<String> {
        let command: &[&str] = if self.kills == 0 { &["import", "orders.csv"] } else { &["resume"] };
        let width = self.concurrency.to_string();
        command.iter().copied().chain(["--yes", "--concurrency", &width]).map(str::to_owned).collect()
    }

    /// Kills the program once the service has seen, or booked, so many more orders.
    fn kill(&mut self, rng: &mut Rng) {
        let arguments = self.arguments();
        let (seen, booked) = self.service.counts();
        let more = rng.usize(1..=(self.orders / 2));
        let by_booking = rng.bool();
        let mut command = self.rig.command(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        if let Some(kept) = &self.kept {
            that_may_lose_power(&mut command, &self.rig, kept);
        }
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        wait_until(&self.context, || {
            let (requests, bookings) = self.service.counts();
            let enough = if by_booking { bookings >= booked + more } else { requests >= seen + more as u64 };
            enough || child.try_wait().unwrap().is_some()
        });
        let _ = child.kill();
        // What a signal ended has no code.
        let killed = child.wait().unwrap().code().is_none();
        if let Some(kept) = self.kept.as_ref().filter(|_| killed) {
            cut_power(&self.rig, kept);
        }
        self.note(killed);
    }

    /// Lets the program abort at a point of its own; `false` where it never came there.
    fn crash(&mut self, point: &str, pass: u32) -> bool {
        let arguments = self.arguments();
        let mut command = self.rig.command(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        command.arg("--verbose").env("SHIPSHEET_CRASH_AT", format!("{point}:{pass}"));
        let ran = ran(command);
        assert!(ran.exit == -1 || ran.exit == 0, "{}: {ran:?}", self.context);
        let states = self.states();
        for told in ran.stderr.lines().filter_map(|line| line.split_once(": booked").map(|(number, _)| number)) {
            assert_eq!(states[told].0, "booked", "{}: told of before it was on disk: {told}", self.context);
        }
        self.note(ran.exit == -1);
        ran.exit == -1
    }

    /// What the ledger holds right after a kill, before any program has looked at it.
    fn note(&mut self, killed: bool) {
        self.kills += 1;
        self.killed += u64::from(killed);
        let bookings = self.service.book().bookings;
        let states = self.states();
        let sending = states.iter().filter(|(_, (state, _))| state == "sending").map(|(number, _)| number.clone());
        let sending: BTreeSet<String> = sending.collect();
        // As many as may be in flight, and a quarter more, 16 at most, that are about to leave.
        let most = self.concurrency + (self.concurrency / 4).min(16);
        assert!(sending.len() <= most, "{}: left in sending: {sending:?}", self.context);
        for (number, awb) in bookings {
            let (state, known) = &states[&number];
            let right =
                (state == "booked" && known.as_ref() == Some(&awb)) || state == "sending" || state == "in_doubt";
            assert!(right, "{}: order {number} is booked with {awb}, but {state} {known:?}", self.context);
        }
        self.left_at_most = self.left_at_most.max(sending.len());
        self.left.extend(sending);
    }

    /// State and AWB of each order in the ledger.
    fn states(&self) -> BTreeMap<String, (String, Option<String>)> {
        let database = self.rig.database();
        let check: String = database.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!(check, "ok", "{}", self.context);
        let staged: bool = database
            .query_row("SELECT count(*) FROM sqlite_schema WHERE name = 'orders'", [], |row| row.get(0))
            .unwrap();
        if !staged {
            return BTreeMap::new();
        }
        let mut statement = database.prepare("SELECT number, state, awb FROM orders").unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?)))).unwrap();
        rows.map(Result::unwrap).collect()
    }

    /// Resumes, imports once more, and compares ledger and service order by order.
    fn finish(self) -> Figures {
        let Self { rig, service, context, concurrency, orders, left, .. } = &self;
        let staged = !self.states().is_empty();
        let width = concurrency.to_string();
        let resumed = rig.run(&["resume", "--yes", "--concurrency", &width]);
        let requests = service.book().requests;
        let (code, document) = rig.json(&["import", "orders.csv", "--yes", "--concurrency", &width]);
        assert!(!staged || service.book().requests == requests, "{context}: the second import sent something");

        let (list_code, doubts) = rig.json(&["doubt", "list"]);
        let listed =
            doubts["orders"].as_array().unwrap().iter().map(|order| order["number"].as_str().unwrap().to_owned());
        let doubts: BTreeSet<String> = listed.collect();
        assert_eq!(&doubts, left, "{context}: what the kills left, and nothing else, is in doubt");
        let exit = if doubts.is_empty() { 0 } else { 6 };
        assert_eq!((code, list_code), (exit, exit), "{context}: {document}");
        assert!(!staged || resumed.exit == exit, "{context}: {resumed:?}");

        let counts = &document["orders"];
        let count = |name: &str| usize::try_from(counts[name].as_u64().unwrap()).unwrap();
        assert_eq!(count("total"), *orders, "{context}: {counts}");
        assert_eq!(count("in_doubt"), doubts.len(), "{context}: {counts}");
        assert_eq!(count("booked") + count("already_booked"), orders - doubts.len(), "{context}: {counts}");

        let states = self.states();
        let book = service.book();
        let bookings: BTreeMap<String, String> = book.bookings.iter().cloned().collect();
        assert_eq!(bookings.len(), book.bookings.len(), "{context}: booked twice");
        for (number, (state, awb)) in &states {
            assert!(book.posts(number) <= 1, "{context}: order {number} was posted twice");
            match state.as_str() {
                "booked" => assert_eq!(awb.as_ref(), bookings.get(number), "{context}: order {number}"),
                "in_doubt" => assert!(doubts.contains(number), "{context}: order {number} is not listed"),
                _ => panic!("{context}: order {number} is {state}"),
            }
        }
        assert!(bookings.keys().all(|number| states.contains_key(number)), "{context}: a booking nobody knows");
        Figures {
            kills: self.kills,
            killed: self.killed,
            orders: *orders,
            bookings: bookings.len(),
            doubts: doubts.len(),
            doubts_at_most: self.left_at_most,
        }
    }
}
