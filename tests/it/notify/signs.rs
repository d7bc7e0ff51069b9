//! Signs of life: pings, metrics, the log, and a night that is missed.

use serde_json::Value;
use shipsheet::sandbox::Answer;

use super::{Hook, bench, heard, night};
use crate::rig::{Rig, row, sheet, wait_until};

#[test]
fn the_switch_hears_when_a_night_begins_and_how_it_ends() {
    let hook = Hook::new(&["200 OK"]);
    let rig = bench(&format!("[night]\nping = \"{}/id\"\n", hook.address));
    rig.file("in/a.csv", &sheet([row("A-1")]));
    night(&rig).exits(0).says_nothing_of("warning");
    rig.file("in/b.csv", "x,y\n1,2\n");
    night(&rig).exits(3);
    assert_eq!(heard(&hook.heard), ["/id/start", "/id/0", "/id/start", "/id/3"]);
}

#[test]
fn metrics_say_how_it_stands() {
    let rig = bench("[night]\nmetrics_file = \"shipsheet.prom\"\n");
    rig.file("in/a.csv", &sheet([row("A-1"), row("A-2"), row("A-3")]));
    rig.sandbox().script_order("A-2", [Answer::CutAfter]);
    night(&rig).exits(6).says_nothing_of("warning");
    let metrics = rig.read("shipsheet.prom");
    for line in [
        "shipsheet_orders{state=\"in_doubt\"} 1",
        "shipsheet_orders{state=\"outstanding\"} 0",
        "shipsheet_last_orders{state=\"booked\"} 2",
        "shipsheet_last_requests{outcome=\"booked\"} 2",
        "shipsheet_last_requests{outcome=\"in_doubt\"} 1",
        // What never got an answer took no known time.
        "shipsheet_last_request_duration_seconds_bucket{le=\"+Inf\"} 2",
        "shipsheet_last_request_duration_seconds_count 2",
        "shipsheet_last_exit_code 6",
    ] {
        assert!(metrics.lines().any(|own| own == line), "{line}: {metrics}");
    }
    assert!(!metrics.contains("last_success"), "no night went well yet: {metrics}");
    // Each name has its help and type once, and no value stands twice.
    let mut names: Vec<&str> =
        metrics.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(' ').next().unwrap()).collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all, "{metrics}");
}

#[test]
fn a_watcher_that_goes_on_shows_that_it_is_alive() {
    let rig = bench("[night]\nmetrics_file = \"shipsheet.prom\"\n");
    let live = rig.live("watch", &["watch", "in", "--rest", "0", "--interval", "1"]);
    wait_until("it has written its metrics", || rig.path("shipsheet.prom").exists());
    drop(live);
}

#[test]
fn a_night_that_is_missed_is_told_by_the_next_one_and_by_the_doctor() {
    let hook = Hook::new(&["200 OK"]);
    let rig = bench(&format!(
        "[night]\nmissed_after_hours = 26\n[notify.owner]\nwebhook = \"{}\"\nwhen = \"missed-night\"\n",
        hook.address
    ));
    night(&rig).exits(0);
    rig.run(&["doctor", "--notify"]).says_nothing_of("warning").prints("the last night ended");
    assert!(heard(&hook.heard).is_empty());
    let told = || -> Vec<Value> { heard(&hook.heard).iter().map(|told| serde_json::from_str(told).unwrap()).collect() };
    rig.hours_go_by(72);
    night(&rig).exits(0);
    assert_eq!((told().len(), &told()[0]["missed"]["after_hours"]), (1, &26.into()));
    rig.run(&["doctor"]).prints_nothing_of("bad      schedule");
    night(&rig).exits(0);
    assert_eq!((told().len(), &told()[1]["is_well_again"]), (2, &true.into()));
    rig.hours_go_by(72);
    rig.run(&["doctor", "--notify"]).exits(1).prints("bad      schedule").prints("more than 26 hours ago");
    rig.run(&["doctor", "--notify"]).exits(1);
    assert_eq!((told().len(), &told()[2]["of"]), (3, &"missed-night".into()), "told once");
    assert_eq!(told()[2]["title"], "shipsheet: a night is missed");
    night(&rig).exits(0);
    assert_eq!(told().len(), 3, "the doctor has told of it");
}

#[test]
fn with_the_sandbox_nobody_is_told_anything() {
    let hook = Hook::new(&["200 OK"]);
    let rig = Rig::alone();
    std::fs::create_dir(rig.path("in")).unwrap();
    let text = format!("[night]\nping = \"{0}\"\n[notify.a]\nwebhook = \"{0}\"\nwhen = \"always\"\n", hook.address);
    rig.file("shipsheet.toml", &text);
    rig.file("in/a.csv", &sheet([row("A-1")]));
    rig.run(&["watch", "in", "--once", "--rest", "0", "--sandbox"]).exits(0);
    assert!(heard(&hook.heard).is_empty());
}

#[test]
fn the_log_has_run_and_order_on_its_lines_and_nobody_by_name() {
    let rig = bench("[log]\nfile = \"night.jsonl\"\n");
    rig.file("in/a.csv", &sheet([row("A-1"), row("A-2").replace("9876543210", "12")]));
    night(&rig).exits(4);
    let text = rig.read("night.jsonl");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of =
        |event: &str| lines.iter().find(|line| line["event"] == event).unwrap_or_else(|| panic!("{event}: {text}"));
    assert_eq!((&of("began")["command"], &of("ended")["exit"]), (&"watch".into(), &4.into()));
    assert_eq!((&of("settled")["run"], &of("settled")["order"]), (&1.into(), &"A-1".into()));
    assert_eq!((&of("filed")["sheet"], &of("filed")["filed"]), (&"a.csv".into(), &"attention".into()));
    for personal in ["Asha", "9876543210", "MG Road", "sandbox-token"] {
        assert!(!text.contains(personal), "{personal}: {text}");
    }
    // Where it cannot be written, that is said and the night goes on.
    rig.file("shipsheet.toml", "[log]\nfile = \"no/such/folder/log\"\n");
    rig.file("in/b.csv", &sheet([row("B-1")]));
    night(&rig).exits(0).says("warning: the log could not be written");
}
