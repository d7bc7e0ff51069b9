//! What could not be told is told by the next night that can, and nothing is called well before that.

use serde_json::Value;
use shipsheet::sandbox::Answer;

use super::{Hook, bench, heard, night};
use crate::rig::{Rig, row, row_with, sheet};

/// Refused for good: a night tries it once.
const DOWN: &str = "404 Not Found";

fn alerts(hook: &Hook) -> Vec<Value> {
    heard(&hook.heard).iter().map(|told| serde_json::from_str(told).unwrap()).collect()
}

fn told_of(hook: &Hook, when: &str) -> Rig {
    bench(&format!("[notify.team]\nwebhook = \"{}\"\nwhen = {when}\n", hook.address))
}

fn two_to_fix(rig: &Rig) {
    let invalid = row("A-3").replace("9876543210", "12");
    rig.file("in/a.csv", &sheet([row("A-1"), row("A-2"), invalid, row_with("A-4", "9876543210", "999001")]));
}

#[test]
fn what_could_not_be_told_is_told_by_the_next_night_that_can() {
    let hook = Hook::new(&[DOWN, DOWN, "200 OK"]);
    let rig = told_of(&hook, "[\"problems\", \"missed-night\"]");
    two_to_fix(&rig);
    night(&rig).exits(4).says("[notify.team] was not told");
    let first = alerts(&hook)[0].clone();
    // Nothing new came, and still nobody is told.
    night(&rig).exits(0).says("[notify.team] was not told");
    night(&rig).exits(0).says_nothing_of("warning");
    let late = alerts(&hook)[2].clone();
    assert_eq!(late["title"], "shipsheet: told late: 2 to fix, 2 orders booked");
    assert_eq!((&late["is_well_again"], &late["is_problem"], &late["exit"]), (&false.into(), &true.into(), &0.into()));
    assert_eq!(late["untold"].as_array().unwrap().len(), 1, "{late:#}");
    assert_eq!((&late["untold"][0]["title"], &late["untold"][0]["at_ms"]), (&first["title"], &first["at_ms"]));
    assert_eq!(late["untold"][0]["lines"], first["lines"]);
    assert!(late["lines"].to_string().contains("a.csv: 2 of 4 orders booked, 1 invalid, 1 rejected"), "{late:#}");
    let kept = rig.read("ledger.sqlite.notify");
    for personal in ["Asha", "Rao", "9876543210", "MG Road", "560001", "999001"] {
        assert!(!late.to_string().contains(personal) && !kept.contains(personal), "{personal}: {late:#} {kept}");
    }
    night(&rig).exits(0);
    assert_eq!(alerts(&hook).len(), 3, "it is told once");
}

#[test]
fn a_sheet_that_could_not_be_read_is_told_late_beside_what_is_new() {
    let hook = Hook::new(&[DOWN, "200 OK"]);
    let rig = told_of(&hook, "\"problems\"");
    rig.file("in/b.csv", "x,y\n1,2\n");
    night(&rig).exits(3).says("[notify.team] was not told");
    two_to_fix(&rig);
    night(&rig).exits(4).says_nothing_of("warning");
    let told = alerts(&hook)[1].clone();
    assert_eq!(told["title"], "shipsheet: 2 to fix, 2 orders booked; 1 alert told late");
    assert!(told["untold"].to_string().contains("b.csv: nothing was sent"), "{told:#}");
    assert!(told["lines"].to_string().contains("This could not be told on "), "{told:#}");
    night(&rig).exits(0);
    assert_eq!(alerts(&hook).len(), 2);
}

#[test]
fn nothing_is_called_well_again_before_what_was_bad_is_told() {
    let hook = Hook::new(&["200 OK", DOWN, "200 OK"]);
    let rig = told_of(&hook, "\"problems\"");
    rig.file("in/d.csv", &sheet([row("D-1"), row("D-2")]));
    rig.sandbox().script_order("D-2", [Answer::CutAfter]);
    night(&rig).exits(6).says_nothing_of("warning");
    two_to_fix(&rig);
    night(&rig).exits(6).says("[notify.team] was not told");
    rig.run(&["doubt", "booked", "D-2", "--awb", "SBX9990000000000001", "--because", "seen in the portal"]).exits(0);
    night(&rig).exits(0);
    night(&rig).exits(0);
    night(&rig).exits(0);
    let titles: Vec<String> = alerts(&hook).iter().map(|told| told["title"].as_str().unwrap().to_owned()).collect();
    let [_, untold, late, well] = titles.as_slice() else { panic!("{titles:?}") };
    assert_eq!(late.strip_prefix("shipsheet: told late: "), untold.strip_prefix("shipsheet: "), "{titles:?}");
    assert_eq!(well, "shipsheet: it is well again");
}

#[test]
fn of_many_nights_the_last_are_kept_and_the_others_counted() {
    let statuses: &[&str] = &[DOWN; 12];
    let hook = Hook::new([statuses, &["200 OK"]].concat().leak());
    let rig = told_of(&hook, "\"always\"");
    for _ in 0..12 {
        night(&rig).exits(0).says("[notify.team] was not told");
    }
    night(&rig).exits(0).says_nothing_of("warning");
    let told = alerts(&hook).pop().unwrap();
    assert_eq!((told["untold"].as_array().unwrap().len(), &told["untold_unnamed"]), (10, &2.into()));
    assert_eq!(told["title"], "shipsheet: nothing came; 12 alerts told late");
    assert_eq!(told["is_problem"], false, "quiet nights need nobody");
}
