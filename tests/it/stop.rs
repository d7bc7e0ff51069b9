//! Ctrl-C once, Ctrl-C twice, SIGTERM, SIGHUP: what is on its way, what is left, what the next command does.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::Value;
use shipsheet::sandbox::Answer;

use crate::rig::size::is_long;
use crate::rig::{Live, Ran, Rig, sheet_of, wait_until};

const IMPORT: &[&str] = &["import", "orders.csv", "--yes", "--concurrency", "4", "--format", "json"];

/// Longer than any test waits.
const FOREVER: Duration = Duration::from_hours(1);

/// Starts an import and waits until the service has seen so many requests.
fn importing(rig: &Rig, requests: u64) -> Live {
    // Whoever runs the tests may have signals ignored, which the program would leave so.
    #[cfg(target_os = "linux")]
    let live = rig.live_by(&["env", "--default-signal=HUP"], "import", IMPORT);
    #[cfg(not(target_os = "linux"))]
    let live = rig.live("import", IMPORT);
    wait_until("the service sees requests", || rig.sandbox().book().requests() >= requests);
    live
}

fn document(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

/// Orders of the document by fate: booked, in doubt, outstanding.
fn fates(document: &Value) -> [u64; 3] {
    ["booked", "in_doubt", "outstanding"].map(|name| document["orders"][name].as_u64().unwrap())
}

fn posts_at_most_one_each(rig: &Rig, orders: usize) {
    for number in 1..=orders {
        let number = format!("ORD-{number:04}");
        assert!(rig.sandbox().book().posts(&number) <= 1, "{number} was posted twice");
    }
}

fn drains_on(first: Signal) {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet_of(40));
    rig.sandbox().hold_after(8);
    let live = importing(&rig, 9);
    live.signal(first);
    live.said("stopping (signal)");
    rig.sandbox().go_on();
    // Whatever was not on its way when it said so is never sent.
    let seen = rig.sandbox().book().requests();
    let ran = live.end();
    let requests = rig.sandbox().book().requests();
    assert!(requests <= seen + 4 && requests < 40, "{seen} requests before, {requests} after");
    let document = document(&ran);
    let booked = rig.bookings().len() as u64;
    assert_eq!(booked, requests, "what was on its way was waited for");
    assert_eq!((ran.exit, fates(&document)), (5, [booked, 0, 40 - booked]), "{ran:?}");
    assert_eq!((&document["stopped_by"], &document["requests"]), (&"signal".into(), &requests.into()));

    let (code, resumed) = rig.json(&["resume", "--yes"]);
    assert_eq!((code, fates(&resumed)), (0, [40 - booked, 0, 0]));
    assert_eq!(rig.bookings().len(), 40);
    posts_at_most_one_each(&rig, 40);
}

/// Promise 3: one Ctrl-C lets the requests on their way finish; a second one leaves them in doubt, and they are
/// listed.
#[test]
fn one_ctrl_c_lets_what_is_on_its_way_finish() {
    drains_on(Signal::INT);
}

#[test]
fn sigterm_is_as_one_ctrl_c() {
    drains_on(Signal::TERM);
}

#[test]
#[cfg(target_os = "linux")]
fn a_terminal_that_goes_is_as_one_ctrl_c() {
    drains_on(Signal::HUP);
}

#[test]
#[cfg(target_os = "linux")]
fn a_run_that_is_to_outlive_its_terminal_does() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet_of(20));
    rig.sandbox().hold_after(2);
    let live = rig.live_by(&["nohup"], "import", IMPORT);
    wait_until("the service sees requests", || rig.sandbox().book().requests() >= 3);
    live.signal(Signal::HUP);
    rig.sandbox().go_on();
    let ran = live.end();
    assert_eq!((ran.exit, fates(&document(&ran))), (0, [20, 0, 0]), "{ran:?}");
}

/// With three orders booked and four that never get an answer.
fn stuck() -> (Rig, Live) {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet_of(20));
    for number in 4..=7 {
        rig.sandbox().script_order(&format!("ORD-{number:04}"), [Answer::Silent(FOREVER)]);
    }
    let live = importing(&rig, 7);
    (rig, live)
}

/// Promise 3: one Ctrl-C lets the requests on their way finish; a second one leaves them in doubt, and they are
/// listed.
#[test]
fn two_ctrl_c_leave_at_once() {
    let (rig, live) = stuck();
    live.signal(Signal::INT);
    live.said("stopping (signal)");
    live.signal(Signal::INT);
    let ran = live.end();
    assert_eq!((ran.exit, fates(&document(&ran))), (6, [3, 4, 13]), "{ran:?}");

    // Those in doubt are left alone, and still told of.
    let resumed = rig.came(&["resume", "--yes"]);
    assert_eq!(fates(&resumed.exits(6).document), [13, 0, 0], "{resumed:?}");
    resumed.tells_first("in-doubt");
    let (_, doubts) = rig.json(&["doubt", "list"]);
    let doubts = doubts["orders"].as_array().unwrap().iter();
    let doubts: Vec<&str> = doubts.map(|order| order["number"].as_str().unwrap()).collect();
    assert_eq!(doubts, ["ORD-0004", "ORD-0005", "ORD-0006", "ORD-0007"]);
    posts_at_most_one_each(&rig, 20);
    assert_eq!(rig.bookings().len(), 16);
}

#[test]
fn sigterm_twice_still_waits_and_ctrl_c_then_leaves() {
    let (rig, mut live) = stuck();
    live.signal(Signal::TERM);
    live.said("stopping (signal)");
    live.signal(Signal::TERM);
    // A supervisor that is impatient must not make doubts: only a person, or the answer, ends the waiting.
    std::thread::sleep(Duration::from_millis(300));
    assert!(live.runs(), "it left though orders were on their way");
    live.signal(Signal::INT);
    let ran = live.end();
    assert_eq!((ran.exit, fates(&document(&ran))), (6, [3, 4, 13]), "{ran:?}");
    assert_eq!(rig.bookings().len(), 3);
}

#[test]
fn a_pause_ends_with_the_first_ctrl_c() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet_of(5));
    rig.sandbox().script([Answer::TooMany(600)]);
    let live = importing(&rig, 1);
    live.said("waiting");
    live.signal(Signal::INT);
    let ran = live.end();
    assert_eq!((ran.exit, fates(&document(&ran))), (5, [0, 0, 5]), "{ran:?}");
    assert_eq!(rig.sandbox().book().requests(), 1);
    rig.run(&["resume", "--yes"]).exits(0);
    assert_eq!(rig.bookings().len(), 5);
}

/// Ended by a signal, as a program that listens to none is.
const KILLED: i32 = -1;

#[test]
#[cfg(target_os = "linux")]
fn before_anything_was_sent_a_signal_ends_the_program_at_once() {
    let rig = Rig::booked("", 1);
    rig.file("shipsheet.toml", "[operations.create_warehouse]\npath = \"/sandbox/warehouses\"\n");
    rig.file("warehouses.csv", "name\nDepot\n");
    rig.file("new.csv", &sheet_of(2));
    let commands: [&[&str]; 7] = [
        &["track", "--run", "1"],
        &["cancel", "ORD-0001", "--yes"],
        &["label", "--run", "1", "--to", "l.pdf"],
        &["service", "serviceability", "--from", "560048", "--to", "560001"],
        &["service", "warehouse", "import", "warehouses.csv", "--yes"],
        &["check", "new.csv", "--check-serviceability", "--pickup-pin", "560048"],
        &["import", "new.csv", "--yes", "--check-serviceability", "--pickup-pin", "560048"],
    ];
    // Each hangs at its login.
    let login = [const { Answer::Silent(FOREVER) }; 14];
    rig.sandbox().script_path("/v1/external/auth/login", login);
    let account = ["env", "-u", "SHIPSHEET_TOKEN", "SHIPSHEET_EMAIL=a@b.example", "SHIPSHEET_PASSWORD=password"];
    for (arguments, signal) in commands.iter().flat_map(|command| [(command, Signal::INT), (command, Signal::TERM)]) {
        let before = rig.sandbox().book().requests();
        let live = rig.live_by(&account, "stopped", arguments);
        wait_until("it logs in", || rig.sandbox().book().requests() > before);
        live.signal(signal);
        live.end().exits(KILLED);
    }
    assert_eq!(rig.bookings().len(), 1);
    assert!(!rig.path("l.pdf").exists());
}

#[test]
fn while_a_sheet_is_read_before_couriers_are_asked_ctrl_c_ends_the_program_at_once() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet_of(20_000));
    let arguments = ["check", "orders.csv", "--check-serviceability", "--pickup-pin", "560048"];
    let live = rig.live("check", &arguments);
    live.said("reading orders.csv");
    live.signal(Signal::INT);
    live.end().exits(KILLED).says_nothing_of("serviceability:");
    assert_eq!(rig.sandbox().book().requests(), 0);
}

#[test]
fn an_interrupt_between_asking_couriers_and_booking_ends_an_import_and_a_check() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet_of(if is_long() { 20_000 } else { 5_000 }));
    let arguments = ["orders.csv", "--check-serviceability", "--pickup-pin", "560048"];
    for more in [&["import", "--dry-run"][..], &["import", "--yes"], &["check"]] {
        let before = rig.sandbox().book().requests();
        // Another PIN code each time, which is not known yet.
        let pin = format!("56000{before}");
        let live = rig.live("asking", &[&more[..1], &arguments[..3], &[&pin], &more[1..]].concat());
        wait_until("a pair is asked for", || rig.sandbox().book().requests() > before);
        live.signal(Signal::INT);
        live.end().exits(1).says("interrupted: nothing was sent");
    }
    assert!(rig.bookings().is_empty());
}
