//! What earlier runs left behind: invalid orders that nobody corrected, and orders that wait at another address.

use shipsheet::sandbox::Answer;

use crate::rig::{Rig, row, row_with, sheet};

/// A run with an invalid order that was stopped, and another that went on with it.
fn resumed() -> Rig {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet([row("A-1"), row("A-2"), row_with("A-3", "12", "560001")]));
    // The token that nobody accepts is not tried a second time.
    rig.sandbox().script([Answer::Status(401, String::new())]);
    rig.run(&["import", "orders.csv", "--yes", "--concurrency", "1"]).exits(5);
    rig
}

#[test]
fn what_was_invalid_is_named_after_a_resume() {
    let rig = resumed();
    let stopped = rig.json(&["status"]).1["run"].clone();
    rig.run(&["resume", "--yes"]).exits(0);
    let status = rig.run(&["status"]).stdout;
    let command = format!("shipsheet rejects --run {stopped} --to fix.xlsx");
    assert!(status.contains(&format!("1  to fix of run {stopped}: A-3")) && status.contains(&command), "{status}");
    rig.run(&["export", "--run", &stopped.to_string(), "--to", "invalid.csv", "--state", "invalid"]).exits(0);
    assert!(rig.read("invalid.csv").contains("A-3"));

    // Of the whole ledger each order once, until it is corrected.
    rig.run(&["import", "orders.csv", "--yes"]).exits(4);
    let all = |rig: &Rig| {
        rig.run(&["export", "--all", "--to", "all.csv"]).exits(0);
        let text = rig.read("all.csv");
        let rows = text.lines().skip(1).map(|line| line.split(',').take(2).collect::<Vec<_>>().join(" "));
        rows.map(|row| row.replace('"', "")).collect::<Vec<_>>()
    };
    assert_eq!(all(&rig), ["A-1 booked", "A-2 booked", "A-3 invalid"]);
    rig.run(&["show", "A-3"]).exits(0).prints("invalid").prints("orders.csv:4");
    rig.run(&["retry", "A-3"]).exits(1).says("order A-3 was never sent: in run").says("orders.csv:4");
    rig.import_text(&sheet([row("A-1"), row("A-2"), row("A-3")])).exits(0);
    assert_eq!(all(&rig), ["A-1 booked", "A-2 booked", "A-3 booked"]);
}

#[test]
fn what_waits_at_another_address_is_told_with_the_way_there() {
    let rig = resumed();
    let run = rig.json(&["status"]).1["run"].to_string();
    let there = rig.sandbox().base_url().trim_end_matches('/').to_owned();
    let elsewhere = ["--base-url", "http://127.0.0.1:9"];
    for (arguments, code) in [(vec!["resume", "--yes"], 0), (vec!["resume", "--run", &run, "--yes"], 5)] {
        let ran = rig.run(&[&elsewhere[..], &arguments].concat());
        let told = format!("2 orders of run {run} outstanding at {there}, and not at http://127.0.0.1:9");
        let command = format!("--base-url {there} resume --run {run}`");
        ran.says(&told).says(&command).exits(code);
    }
    assert!(rig.bookings().is_empty());
    rig.run(&["--base-url", &there, "resume", "--run", &run, "--yes"]).exits(0);
    assert_eq!(rig.bookings().len(), 2);
}
