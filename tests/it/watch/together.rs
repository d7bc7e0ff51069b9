//! Sheets that wait for one night together, and what an earlier night left: whichever is read first, none sends what another one
//! of them refuses.

use super::{bench, command, holds, is_sound, night, numbers, report};
use crate::rig::{HEADER, Rig, row, row_with, sheet};
use shipsheet::sandbox::Answer;

fn other(number: &str) -> String {
    row_with(number, "9812345670", "560002")
}

fn cancelled(number: &str) -> String {
    format!(
        "{HEADER},Order Status\n{},Confirmed\n{},Cancelled\n",
        row_with("K-3", "9812345671", "560003"),
        other(number)
    )
}

fn text_of(rig: &Rig, sheet: &str) -> String {
    report(rig, "attention", sheet)
}

/// Promise 7: a night reads every waiting sheet first, and does not send an order that one of them cancels or
/// changes.
#[test]
fn an_order_that_another_waiting_sheet_cancels_is_not_sent_whatever_the_sheets_are_called() {
    for (first, second) in [("a", "b"), ("b", "a")] {
        let rig = bench();
        rig.file(&format!("in/{first}.csv"), &sheet([row("K-1"), other("K-2")]));
        rig.file(&format!("in/{second}.csv"), &cancelled("K-2"));
        night(&rig).exits(4);
        assert_eq!(numbers(&rig), ["K-1", "K-3"], "{first}");
        let told = text_of(&rig, first);
        assert!(told.contains(&format!("{second}.csv:3")) && told.contains("K-2"), "{told}");
        is_sound(&rig);
        // A person decides.
        rig.run(&["accept", "sources-differ", "--order", "K-2", "--because", "it goes after all"]).exits(0);
    }
}

#[test]
fn two_waiting_sheets_with_other_values_of_one_order_send_neither() {
    let rig = bench();
    rig.file("in/a.csv", &sheet([row("K-1"), other("K-2")]));
    rig.file("in/b.csv", &sheet([row("K-1"), row_with("K-2", "9812345679", "560002")]));
    night(&rig).exits(4);
    assert_eq!(numbers(&rig), ["K-1"]);
    is_sound(&rig);
}

#[test]
fn what_an_earlier_night_left_is_not_sent_once_a_waiting_sheet_cancels_it() {
    let rig = bench();
    rig.file("in/a.csv", &sheet([row("K-1"), other("K-2")]));
    rig.sandbox().script_order("K-2", [Answer::TooMany(3_600)]);
    night(&rig).exits(5);
    assert_eq!(numbers(&rig), ["K-1"]);
    // The night resumes what is left before it reads a sheet; the sheet that cancels it is read before that.
    rig.file("in/b.csv", &cancelled("K-2"));
    night(&rig);
    assert_eq!(numbers(&rig), ["K-1", "K-3"]);
    holds(&rig, &[("attention", &["a.csv"]), ("done", &["b.csv"])]);
    is_sound(&rig);
}

#[test]
fn a_corrected_sheet_beside_the_one_of_before_goes() {
    let rig = bench();
    rig.file("in/a.csv", &sheet([row("K-1"), row_with("K-2", "9812345670", "")]));
    night(&rig).exits(4);
    rig.file("in/a-corrected.csv", &sheet([row("K-1"), other("K-2")]));
    rig.file("in/c.csv", &sheet([row_with("K-3", "9812345671", "560003")]));
    night(&rig).exits(0);
    assert_eq!(numbers(&rig), ["K-1", "K-2", "K-3"]);
    is_sound(&rig);
}

#[test]
fn what_an_earlier_night_left_goes_as_a_waiting_sheet_has_it_now() {
    let rig = bench();
    rig.file("in/a.csv", &sheet([row("K-1"), other("K-2")]));
    rig.sandbox().script_order("K-2", [Answer::TooMany(3_600)]);
    night(&rig).exits(5);
    rig.file("in/b.csv", &sheet([row_with("K-2", "9812345679", "560002")]));
    night(&rig);
    assert_eq!(numbers(&rig), ["K-1", "K-2"]);
    assert_eq!(rig.body_of("K-2")["receiver"]["phoneNumber"], "9812345679");
    is_sound(&rig);
    // Two sheets that correct it differently send neither form of it.
    let rig = bench();
    rig.file("in/a.csv", &sheet([row("K-1"), other("K-2")]));
    rig.sandbox().script_order("K-2", [Answer::TooMany(3_600)]);
    night(&rig).exits(5);
    for (name, phone) in [("b", "9812345678"), ("c", "9812345679")] {
        rig.file(&format!("in/{name}.csv"), &sheet([row_with("K-2", phone, "560002")]));
    }
    night(&rig);
    rig.run(&["resume", "--yes"]);
    assert_eq!(numbers(&rig), ["K-1"]);
    is_sound(&rig);
}

/// Promise 7: a night reads every waiting sheet first, and does not send an order that one of them cancels or
/// changes.
#[test]
fn an_order_on_which_two_waiting_sheets_disagree_is_held_before_either_is_sent() {
    let rig = bench();
    rig.file("in/a.csv", &sheet([row("K-1"), other("K-2")]));
    rig.sandbox().script_order("K-2", [Answer::TooMany(3_600)]);
    night(&rig).exits(5);
    // The first one has the order as it waits, and the night ends before it comes to the other one.
    rig.file("in/b.csv", &sheet([row_with("K-3", "9812345671", "560003"), other("K-2")]));
    rig.file("in/c.csv", &sheet([row_with("K-2", "9812345679", "560002")]));
    let killed = command(&rig, &[]).env("SHIPSHEET_CRASH_AT", "after-answer:1").output().unwrap();
    assert_eq!(killed.status.code(), None, "{killed:?}");
    rig.run(&["resume", "--yes"]);
    assert_eq!(numbers(&rig), ["K-1", "K-3"]);
    let shown = rig.run(&["show", "K-2"]).exits(0).stdout.clone();
    assert!(shown.contains("held in b.csv:3 and c.csv:2 (sources-differ)"), "{shown}");
    is_sound(&rig);
}

#[test]
fn what_an_earlier_night_left_is_held_where_a_waiting_sheet_asks_about_it() {
    let more = other("K-2").replace("Kurta,K-1", "Mug,M-1");
    let of_another = other("K-2").replace("Asha", "Vikram").replace("9812345670", "9898989898");
    let cases = [
        ("fewer-products", vec![other("K-2")], 1),
        ("other-receiver", vec![of_another, more.replace("Asha", "Vikram").replace("9812345670", "9898989898")], 2),
    ];
    for (rule, rows, products) in cases {
        let rig = bench();
        rig.file("in/a.csv", &sheet([row("K-1"), other("K-2"), more.clone()]));
        rig.sandbox().script_order("K-2", [Answer::TooMany(3_600)]);
        night(&rig).exits(5);
        rig.file("in/b.csv", &sheet([vec![row_with("K-3", "9812345671", "560003")], rows].concat()));
        night(&rig).exits(4);
        rig.run(&["resume", "--yes"]);
        assert_eq!(numbers(&rig), ["K-1", "K-3"], "{rule}");
        is_sound(&rig);
        rig.run(&["accept", rule, "--order", "K-2", "--because", "asked the customer"]).exits(0);
        rig.run(&["resume", "--yes"]);
        assert_eq!(rig.body_of("K-2")["productRequestsList"].as_array().unwrap().len(), products, "{rule}");
        is_sound(&rig);
    }
}
