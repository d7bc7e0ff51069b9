//! Calls over many shipments: paced, braked, interruptible, and honest about what they were not made for.

use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::Value;
use shipsheet::sandbox::{Answer, DEFAULT_EMAIL, DEFAULT_PASSWORD};

use crate::rig::{Ran, Rig, ran_here, row, row_of_own, row_with, sheet};

const TRACK: &str = "/v1/external/shipments/track";
const SERVICEABILITY: &str = "/v1/external/carrier/serviceability";

/// The program with an account instead of a token.
fn with_account(rig: &Rig, arguments: &[&str]) -> Ran {
    let mut command = rig.command(arguments);
    command.env_remove("SHIPSHEET_TOKEN");
    command.env("SHIPSHEET_EMAIL", DEFAULT_EMAIL).env("SHIPSHEET_PASSWORD", DEFAULT_PASSWORD);
    ran_here(command)
}

fn requests(rig: &Rig) -> u64 {
    rig.sandbox().book().requests()
}

#[test]
fn a_login_that_fails_in_the_middle_stops_a_call_over_many_once() {
    let rig = Rig::booked("token-life=400ms", 60);
    rig.file("shipsheet.toml", "[auth]\nrenew_after_seconds = 600\n");
    for command in [
        &["track", "--run", "1"][..],
        &["service", "details", "--run", "1"],
        &["label", "--run", "1", "--to", "l.pdf"],
        &["cancel", "--run", "1", "--yes"],
    ] {
        let outage = Answer::Status(500, "{\"message\": \"Internal server error\"}".into());
        rig.sandbox().script_path("/v1/external/auth/login", [Answer::Plain, outage]);
        let (book, arguments) = (rig.sandbox().book(), [command, &["--rate", "60", "--format", "json"]].concat());
        let (logins, before, refused) = (book.logins(), book.requests(), book.unauthorized());
        let stopped = with_account(&rig, &arguments);
        let document: Value = serde_json::from_str(&stopped.stdout).unwrap();
        assert_eq!((stopped.exit, &document["stopped_by"]), (5, &"authentication".into()), "{stopped:?}");
        assert_eq!(stopped.stderr.matches("login failed").count(), 1, "one message: {}", stopped.stderr);
        stopped.says("not done: the same command goes on");
        assert_eq!(book.logins(), logins + 1);
        if command.contains(&"details") {
            let done = stopped.stdout.matches("\"error\": null").count() as u64;
            let answered = done + book.unauthorized() - refused;
            assert_eq!(book.requests() - before, answered + 2, "two logins, one of which failed: {}", stopped.stdout);
        }
        let again = rig.run(command);
        assert_eq!(again.exit, 0, "the same command goes on: {again:?}");
    }
}

#[test]
fn what_a_run_has_no_booking_for_is_named_with_what_to_do() {
    let rig = Rig::new();
    let bad = row_with("BAD", "12", "560001");
    rig.file(
        "orders.csv",
        &sheet([row("GOOD"), row_with("REJ", "9876543210", "999001"), row_with("DOUBT", "9876543219", "560001"), bad]),
    );
    rig.sandbox().script_order("DOUBT", [Answer::CutAfter]);
    rig.run(&["import", "orders.csv", "--yes", "--concurrency", "1"]).exits(6);
    let label = ["label", "--run", "1", "--to", "l.pdf"];
    let commands: [&[&str]; 4] = [
        &label,
        &["track", "--run", "1"],
        &["service", "details", "--run", "1"],
        &["service", "invoice", "--run", "1"],
    ];
    for command in commands {
        let ran = rig.run(command);
        ran.exits(6);
        for line in [
            "3 orders of run 1 without an AWB:",
            "1 in doubt (DOUBT): `shipsheet doubt list`",
            "1 rejected (REJ): `shipsheet retry --run 1`",
            "1 invalid (BAD): `shipsheet rejects --run 1 --to fix.xlsx`",
        ] {
            ran.says(line);
        }
        let (_, document) = rig.json(command);
        let without = document["without_awb"].as_array().unwrap();
        let states: Vec<_> = without.iter().map(|order| (&order["order_number"], &order["state"])).collect();
        let expected = [("REJ", "rejected"), ("DOUBT", "in_doubt"), ("BAD", "invalid")];
        let expected = expected.map(|(number, state)| (Value::from(number), Value::from(state)));
        assert_eq!(states, expected.iter().map(|(number, state)| (number, state)).collect::<Vec<_>>(), "{document}");
    }
    let index = lopdf::Document::load(rig.path("l.pdf")).unwrap().extract_text(&[1]).unwrap();
    assert!(index.contains("Left out: 1 in doubt (DOUBT), 1 invalid (BAD), 1 rejected (REJ)"), "{index}");
    let awb = rig.bookings().into_iter().find(|(number, _)| number == "DOUBT").unwrap().1;
    let settled = rig.run(&["doubt", "booked", "DOUBT", "--awb", &awb, "--because", "portal", "--yes"]);
    assert!(
        settled.exit == 0 || rig.run(&["doubt", "booked", "DOUBT", "--awb", &awb, "--because", "portal"]).exit == 0
    );
    assert_eq!(rig.run(&["track", "GOOD"]).exit, 0, "who is named alone is asked for alone");
    assert_eq!(rig.run(commands[1]).exit, 4, "nothing is in doubt any more");
    rig.file("more.csv", &sheet((0..3).map(|n| row_of_own(&format!("M-{n}")))));
    rig.run(&["import", "more.csv", "--yes", "--max-orders", "1"]).exits(5);
    rig.run(&["track", "--run", "2"]).exits(5).says("2 outstanding (M-1, M-2): `shipsheet resume --run 2`");
}

#[test]
fn the_configured_pace_holds_after_booking_and_for_the_labels_themselves() {
    let rig = Rig::booked("", 10);
    rig.file("shipsheet.toml", "[booking]\nrate = 20\nconcurrency = 2\n");
    let begun = Instant::now();
    let before = requests(&rig);
    rig.run(&["label", "--run", "1", "--to", "l.pdf"]).exits(0);
    assert_eq!(requests(&rig) - before, 20, "an address and a label each");
    assert!(begun.elapsed() >= Duration::from_millis(930), "19 intervals of 50 ms: {:?}", begun.elapsed());
    let begun = Instant::now();
    assert_eq!(rig.run(&["track", "--run", "1", "--rate", "10"]).exit, 0, "what is typed wins");
    assert!(begun.elapsed() >= Duration::from_millis(880), "{:?}", begun.elapsed());
}

#[test]
fn a_pause_that_the_service_asks_for_is_told_and_a_long_one_ends_the_call() {
    let rig = Rig::booked("", 12);
    rig.sandbox().script_path(TRACK, [Answer::TooMany(2)]);
    let begun = Instant::now();
    let ran = rig.run(&["track", "--run", "1", "--concurrency", "1"]);
    ran.exits(0);
    assert!(begun.elapsed() >= Duration::from_secs(2), "{ran:?}");
    assert_eq!(ran.stderr.matches("waiting 2.0 s: the service asks for a pause (429)").count(), 1, "{ran:?}");
    rig.sandbox().script_path(TRACK, [Answer::TooMany(3600)]);
    let (code, document) = rig.json(&["track", "--run", "1", "--concurrency", "1"]);
    assert_eq!((code, &document["stopped_by"]), (5, &"limit".into()), "{document}");
    assert!(document["stopped_why"].as_str().unwrap().contains("a pause of 3600 s"), "{document}");
    // An interrupt does not wait for the end of a pause, and says what it does.
    rig.sandbox().script_path(TRACK, [const { Answer::TooMany(100) }; 4]);
    let live = rig.live("paused", &["track", "--run", "1", "--concurrency", "4"]);
    live.said("waiting 1 min 40 s: the service asks for a pause");
    let begun = Instant::now();
    live.signal(Signal::INT);
    let ended = live.end();
    ended.exits(5).says("stopping: waiting for 4 calls on the way").says("interrupted: 12 orders not reached");
    assert!(begun.elapsed().as_secs() < 30, "{ended:?}");
}

#[test]
fn the_same_refusal_five_times_in_a_row_stops_unless_told_to_keep_going() {
    let rig = Rig::booked("", 20);
    let gone = || [const { Answer::Status(404, String::new()) }; 20];
    rig.sandbox().script_path(TRACK, gone());
    let before = requests(&rig);
    let ran = rig.run(&["track", "--run", "1", "--concurrency", "1"]);
    ran.exits(5);
    assert!(requests(&rig) == before + 5, "{ran:?}");
    ran.says("stopped (refusals): 5 calls in a row ended alike").says("15 orders not done").says("--keep-going");
    rig.run(&["track", "--run", "1", "--concurrency", "1", "--keep-going"])
        .exits(4)
        .prints("      15  could not be tracked");
}

/// Orders that are booked, and a service that hangs whenever something is asked of it at this path.
fn hanging(path: &str) -> Rig {
    let rig = Rig::booked("", 6);
    let settings = "[booking]\nconnect_timeout_seconds = 1\ntimeout_seconds = 2\nconcurrency = 1\n";
    rig.file("shipsheet.toml", settings);
    rig.file("pins.csv", &sheet((0..6).map(|n| row_with(&format!("P-{n}"), "9876543210", &format!("56000{n}")))));
    rig.sandbox().script_path(path, [const { Answer::Silent(Duration::from_mins(10)) }; 6]);
    rig
}

#[test]
fn a_service_that_hangs_costs_two_timeouts() {
    let costs_two = |path: &str, arguments: &[&str], exit: i32, says: &str| {
        let rig = hanging(path);
        let before = requests(&rig);
        rig.run(arguments).exits(exit).says(says);
        assert_eq!(requests(&rig), before + 2, "each is asked once: {arguments:?}");
    };
    let track = ["track", "--run", "1", "--concurrency", "1"];
    let from = ["service", "serviceability", "--from", "560048", "--sheet", "pins.csv", "--concurrency", "1"];
    let check = ["check", "pins.csv", "--check-serviceability", "--pickup-pin", "560048"];
    let no_answer = "no answer came in time: 4 pairs not asked for";
    // All at once: each waits for its timeouts.
    std::thread::scope(|scope| {
        scope.spawn(|| costs_two(TRACK, &track, 5, "stopped (unreachable): 2 calls in a row ended alike"));
        scope.spawn(|| costs_two(SERVICEABILITY, &from, 1, no_answer));
        scope.spawn(|| costs_two(SERVICEABILITY, &check, 0, "it was given up: 2 calls in a row ended alike"));
    });
}
