//! A disk that fails: full, broken, read-only, or not synced, from the N-th operation on, for N from the first to the last.
//!
//! `disk.c` stands between the program and the C library, so that the database, the spool and the lock meet it alike.
//! In the suite the first, the last and a few of the others fail; a long run takes every sync and more of the writes, up to all:
//! `SHIPSHEET_LONG=100 cargo test --test it disk:: -- --nocapture`

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use shipsheet::sandbox::Answer;

use crate::rig::size::{SEED, is_long, one_of, seed};
use crate::rig::{Ran, Rig, on_disk, ran, row, sheet};

/// The files that are on the disk.
const FILES: [&str; 4] = ["ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-shm", "ledger.sqlite.spool"];

/// Makes files of one folder those of another.
fn same(from: &Path, to: &Path) {
    for name in FILES {
        let _ = std::fs::remove_file(to.join(name));
        if from.join(name).exists() {
            std::fs::copy(from.join(name), to.join(name)).unwrap();
        }
    }
}

/// Puts the ledger on a disk of which the folder holds what is synced: all that a power cut would leave. What is there
/// already is.
pub(crate) fn that_may_lose_power(command: &mut Command, rig: &Rig, kept: &Path) {
    std::fs::create_dir_all(kept).unwrap();
    same(&rig.path(""), kept);
    on_disk(command, &[("DISK_KEPT", kept.to_str().unwrap())]);
}

/// Cuts the power: what was not synced is gone.
pub(crate) fn cut_power(rig: &Rig, kept: &Path) {
    same(kept, &rig.path(""));
}

/// What fails, and whether only once.
type Fault = (&'static str, bool);

const FAULTS: [Fault; 7] = [
    ("space", false),
    ("write", false),
    ("write", true),
    ("readonly", false),
    ("sync", false),
    ("sync", true),
    ("space", true),
];

/// A command that meets a failing disk, and what must be true after it.
struct Scenario {
    name: &'static str,
    /// Brings rig, service and ledger to where the command begins.
    prepare: fn() -> Rig,
    arguments: &'static [&'static str],
    /// Goes on, on a good disk, and looks at what is there.
    after: fn(&Rig, &Ran, &str),
    /// In the suite, of so many writes one fails.
    step: u32,
}

/// The first and the last operation of a sweep, and of those between them one in so many, from a place that the seed says.
fn sampled(operations: u32, step: u32, offset: u64) -> impl Iterator<Item = u32> {
    (1..=operations).filter(move |&from| {
        from == 1 || from == operations || u64::from(from) % u64::from(step) == offset % u64::from(step)
    })
}

/// Sweeps all faults, several at a time: most of their time goes into waiting.
fn sweep(scenario: &Scenario) {
    let offset = seed(SEED);
    let operations: BTreeMap<&str, u32> =
        ["space", "write", "readonly", "sync"].map(|kind| (kind, operations(scenario, kind))).into();
    let mut all = Vec::new();
    for (number, (kind, once)) in (0..).zip(FAULTS) {
        let step = if kind == "sync" { 16 } else { scenario.step };
        let step = if is_long() { one_of(step / 4) } else { step };
        all.extend(sampled(operations[kind], step, offset + number).map(|from| ((kind, once), from)));
    }
    let (next, cells) = (AtomicUsize::new(0), AtomicU32::new(0));
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                while let Some(&(fault, from)) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    cells.fetch_add(u32::from(cell(scenario, fault, from)), Ordering::Relaxed);
                }
            });
        }
    });
    let cells = cells.into_inner();
    assert!(cells > if is_long() { 20 } else { 6 }, "{}: {cells} faults", scenario.name);
    let _ = writeln!(std::io::stderr(), "{}: {cells} faults of a disk", scenario.name);
}

/// How many operations there are for a fault of this kind, where none fails.
fn operations(scenario: &Scenario, kind: &str) -> u32 {
    let rig = (scenario.prepare)();
    let counted = rig.path("counted");
    let mut command = rig.command(scenario.arguments);
    let settings = [("DISK_FAULT", kind), ("DISK_FROM", "1000000"), ("DISK_COUNT", counted.to_str().unwrap())];
    on_disk(&mut command, &settings);
    ran(command);
    std::fs::metadata(counted).unwrap().len().try_into().unwrap()
}

/// One fault; `false` where the command ended before it came.
fn cell(scenario: &Scenario, (kind, once): Fault, from: u32) -> bool {
    let case = format!("{}, {kind} fails at {from}{}", scenario.name, if once { " once" } else { " and on" });
    let rig = (scenario.prepare)();
    let (from, hit) = (from.to_string(), rig.path("hit"));
    let mut command = rig.command(scenario.arguments);
    on_disk(&mut command, &[("DISK_FAULT", kind), ("DISK_FROM", &from), ("DISK_HIT", hit.to_str().unwrap())]);
    if once {
        command.env("DISK_ONCE", "1");
    }
    let before = rig.sandbox().book().requests();
    let failed = ran(command);
    let Ok(hit_ms) = std::fs::read_to_string(hit) else { return false };
    assert!((0..=6).contains(&failed.exit), "{case}: {failed:?}");
    let hit_ms: i64 = hit_ms.parse().unwrap();
    for booking in rig.sandbox().book().bookings().iter().skip(usize::try_from(before).unwrap()) {
        let late = booking.at_ms > hit_ms;
        // What fails while the program tidies up, at its end or between commits, is no failed commit.
        assert!(!late || !failed.stderr.contains("cannot be written"), "{case}: sent after the failure: {failed:?}");
    }
    (scenario.after)(&rig, &failed, &case);
    let checked = rig.run(&["ledger", "check"]);
    assert_eq!(checked.exit, 0, "{case}: {checked:?}");
    true
}

/// State and AWB of each order, as the program tells it.
fn states(rig: &Rig) -> BTreeMap<String, (String, String)> {
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let rows = rig.results(&["--all"]);
    rows.iter().map(|row| (text(&row["order_number"]), (text(&row["state"]), text(&row["awb"])))).collect()
}

/// Goes on with a run: what was booked is known with its AWB, or was named with it; nothing was posted twice.
fn goes_on(rig: &Rig, failed: &Ran, case: &str) {
    let resumed = rig.run(&["resume", "--yes"]);
    assert!([0, 6].contains(&resumed.exit), "{case}: {failed:?} {resumed:?}");
    let again = rig.run(&["import", "orders.csv", "--yes"]);
    assert!([0, 6].contains(&again.exit), "{case}: {failed:?} {again:?}");
    let (states, bookings) = (states(rig), rig.bookings());
    let mut doubts = 0;
    for (number, awb) in &bookings {
        assert!(rig.sandbox().book().posts(number) <= 1, "{case}: {number} was posted twice");
        let (state, known) = &states[number];
        if state == "in_doubt" {
            let named = failed.stderr.contains(awb.as_str()) || number == CRASHED;
            assert!(named, "{case}: {number} is in doubt, and its AWB was not named: {failed:?}");
        } else {
            assert_eq!((state.as_str(), known), ("booked", awb), "{case}: {number}");
        }
    }
    for (number, (state, _)) in &states {
        let known = state == "in_doubt" || bookings.iter().any(|(booked, _)| booked == number);
        assert!(known, "{case}: {number} is {state}, and the service does not know it");
        doubts += u32::from(state == "in_doubt");
    }
    // One in flight, one left by the crash where there was one, and one whose intent was written by a commit that failed.
    assert!(doubts <= 3, "{case}: {doubts} in doubt");
    assert_eq!(states.len(), 3, "{case}");
}

/// The order whose answer never came to the disk, where a run was ended by a crash.
const CRASHED: &str = "O-1";

/// A ledger that was used before, and a sheet of three orders.
fn used() -> Rig {
    let rig = Rig::new().patient_for("0.01");
    rig.file("orders.csv", &sheet(["O-1", "O-2", "O-3"].map(row)));
    rig
}

/// A run that crashed with an order on its way.
fn crashed() -> Rig {
    let rig = used();
    let mut command = rig.command(&["import", "orders.csv", "--yes", "--concurrency", "1"]);
    command.env("SHIPSHEET_CRASH_AT", "before-answer:1");
    ran(command).exits(-1);
    rig
}

/// A run whose first answer is in the spool, because the ledger did not take it.
fn spooled() -> Rig {
    let rig = used();
    let mut command = rig.command(&["import", "orders.csv", "--yes", "--concurrency", "1"]);
    command.env("SHIPSHEET_FAIL_AT", "commit:2");
    ran(command).exits(6);
    rig
}

/// Promise 2: a disk that fails at any operation of an import costs no AWB.
#[test]
fn an_import_on_a_failing_disk_loses_no_awb() {
    let arguments = &["import", "orders.csv", "--yes", "--concurrency", "1"];
    sweep(&Scenario { name: "import", prepare: used, arguments, after: goes_on, step: 244 });
}

#[test]
fn a_start_after_a_crash_on_a_failing_disk_loses_no_awb() {
    let arguments = &["resume", "--yes", "--concurrency", "1"];
    sweep(&Scenario { name: "resume after a crash", prepare: crashed, arguments, after: goes_on, step: 188 });
}

#[test]
fn a_start_with_answers_in_the_spool_on_a_failing_disk_loses_none() {
    let after = |rig: &Rig, failed: &Ran, case: &str| {
        goes_on(rig, failed, case);
        let kept = &states(rig)[CRASHED];
        assert_eq!(kept.0, "booked", "{case}: what the spool kept is taken up sooner or later: {failed:?}");
    };
    let arguments = &["resume", "--yes", "--concurrency", "1"];
    sweep(&Scenario { name: "resume with answers in the spool", prepare: spooled, arguments, after, step: 188 });
}

#[test]
fn an_upgrade_on_a_failing_disk_leaves_a_whole_ledger() {
    let (prepare, after) = (crate::upgrade::prepared as fn() -> Rig, crate::upgrade::holds_all as fn(&Rig, &Ran, &str));
    sweep(&Scenario { name: "ledger upgrade", prepare, arguments: &["ledger", "upgrade"], after, step: 244 });
}

/// An order in doubt.
fn doubtful() -> Rig {
    let rig = Rig::new().patient_for("0.01");
    rig.sandbox().script_order("O-1", [Answer::CutBefore]);
    rig.import_text(&sheet([row("O-1")])).exits(6);
    rig
}

#[test]
fn a_decision_on_a_failing_disk_is_kept_or_refused() {
    let after = |rig: &Rig, failed: &Ran, case: &str| {
        let (state, awb) = states(rig)[CRASHED].clone();
        let decided = state == "booked" && awb == "AWB-0007";
        assert!(decided || state == "in_doubt", "{case}: {state} {awb}");
        // A sync that is reported as failed may have been done all the same; the reverse may not be.
        assert!(failed.exit != 0 || decided, "{case}: said to be kept, and is not: {failed:?}");
        assert!(failed.exit == 0 || failed.stderr.starts_with("error: "), "{case}: {failed:?}");
        if !decided {
            let again = rig.run(&["doubt", "booked", "O-1", "--awb", "AWB-0007", "--because", "seen in the portal"]);
            assert_eq!(again.exit, 0, "{case}: {again:?}");
        }
        assert_eq!(rig.sandbox().book().requests(), 1, "{case}");
    };
    let arguments = &["doubt", "booked", "O-1", "--awb", "AWB-0007", "--because", "seen in the portal"];
    sweep(&Scenario { name: "doubt booked", prepare: doubtful, arguments, after, step: 36 });
}
