//! A watcher that is killed at any step: the next one goes on where it was, and nothing is booked twice or lost.

use shipsheet::sandbox::Answer;

use super::{bad, bench, command, is_sound, night, numbers, sheets};
use crate::rig::{Rig, ran, row, sheet};

/// Every step between the folder and the tray, with those of booking between them.
const STEPS: [&str; 10] = [
    "watch-claimed",
    "watch-recorded",
    "before-intent",
    "after-intent",
    "before-answer",
    "after-answer",
    "watch-booked",
    "watch-handed",
    "watch-filed",
    "watch-moved",
];

/// A night that is killed at a step.
fn killed(rig: &Rig, step: &str) {
    let mut command = command(rig, &["--concurrency", "1"]);
    command.env("SHIPSHEET_CRASH_AT", step);
    let ended = ran(command);
    assert_eq!(ended.exit, -1, "{step}: it was to be killed: {ended:?}");
}

/// Promise 1: a night that is killed at any step books nothing twice and loses nothing.
#[test]
fn a_kill_at_any_step_loses_nothing_and_books_nothing_twice() {
    for step in STEPS {
        let rig = bench();
        rig.file("in/a.csv", &sheet([row("A-1"), row("A-2")]));
        killed(&rig, step);
        let ended = night(&rig);
        // What was on its way is in doubt, and nothing else.
        let in_doubt = usize::from(ended.exit == 6);
        assert!(in_doubt == 0 || step.ends_with("intent") || step.ends_with("answer"), "{step}: {ended:?}");
        assert!([0, 6].contains(&ended.exit), "{step}: {ended:?}");
        let tray = if in_doubt == 1 { "attention" } else { "done" };
        assert_eq!(sheets(&rig), [(tray, vec!["a.csv".to_owned()])].into(), "{step}: {ended:?}");
        assert!(numbers(&rig).len() >= 2 - in_doubt, "{step}: {:?}", numbers(&rig));
        is_sound(&rig);
    }
}

#[test]
fn a_kill_in_front_of_a_sheet_that_needs_a_person_or_came_before() {
    for step in STEPS.into_iter().filter(|step| step.starts_with("watch")) {
        let rig = bench();
        rig.file("in/a.csv", &sheet([row("A-1"), bad("A-2")]));
        killed(&rig, step);
        night(&rig);
        rig.file("in/again.csv", &sheet([row("A-1"), bad("A-2")]));
        killed(&rig, step);
        night(&rig);
        let lies = [("attention", vec!["a.csv".to_owned(), "again.csv".to_owned()])].into();
        assert_eq!(sheets(&rig), lies, "{step}");
        assert_eq!(rig.sandbox().book().requests(), 1, "{step}");
        is_sound(&rig);
    }
}

#[test]
fn a_kill_while_a_sheet_is_filed_anew_leaves_it_to_the_next_night() {
    for step in ["watch-booked", "watch-handed", "watch-filed", "watch-moved"] {
        let rig = bench();
        rig.file("in/a.csv", &sheet([row("A-1")]));
        rig.sandbox().script([Answer::TooMany(3_600)]);
        night(&rig).exits(5);
        killed(&rig, step);
        night(&rig).exits(0);
        assert_eq!(sheets(&rig), [("done", vec!["a.csv".to_owned()])].into(), "{step}");
        assert_eq!(numbers(&rig), ["A-1"]);
    }
}

#[test]
fn a_sheet_that_was_put_back_is_sent_though_a_kill_came_before_it_was_recorded() {
    let rig = bench();
    for name in ["A", "B", "C"] {
        rig.file(&format!("in/{name}.csv"), &sheet([row(name)]));
        night(&rig).exits(0);
    }
    rig.file("in/giant.csv", &sheet((0..60).map(|n| row(&format!("G-{n:02}")))));
    night(&rig).exits(1);
    // A person looked and puts it back, with a word on how many may go.
    for step in ["watch-claimed", "watch-recorded"] {
        let filed = |entry: std::io::Result<std::fs::DirEntry>| entry.unwrap().path();
        let held = std::fs::read_dir(rig.path("in/attention")).unwrap().map(filed);
        let held = held.filter(|path| path.extension().unwrap() == "csv").max();
        if let Some(held) = held {
            std::fs::rename(held, rig.path("in/giant.csv")).unwrap();
        }
        killed(&rig, step);
    }
    ran(command(&rig, &["--max-orders", "100"])).exits(0).prints("giant.csv: 60 of 60 orders booked");
    assert_eq!(sheets(&rig)["done"], ["A.csv", "B.csv", "C.csv", "giant.csv"]);
    assert_eq!(numbers(&rig).len(), 63);
    is_sound(&rig);
}
