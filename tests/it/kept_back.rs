//! Orders that no source has let go yet are orders as well: they are shown, listed and counted, mended by a later sheet, and a
//! cancellation is kept of one that an older sheet brings only later.

use crate::rig::{Rig, row, row_with, sheet};
use crate::superseded::{numbers, other, stated};
use serde_json::Value;

/// K-1 is booked, and K-2 has no PIN code.
fn k_2_lacks_its_pin_code() -> Rig {
    let rig = Rig::new();
    rig.file("a.csv", &sheet([row("K-1"), row_with("K-2", "9812345670", "")]));
    rig.run(&["import", "a.csv", "--yes"]).exits(4);
    rig
}

/// What the orders of a run count as.
fn counts(rig: &Rig, run: &str) -> Value {
    rig.json(&["status", "--run", run]).1["orders"].clone()
}

fn count(orders: &Value, word: &str) -> u64 {
    orders[word].as_u64().unwrap_or_else(|| panic!("{word}: {orders}"))
}

#[test]
fn a_cancelled_order_that_an_older_sheet_brings_later_is_held() {
    let third = (row_with("K-3", "9812345671", "560003"), "Confirmed", "");
    let cancelled = (other("K-2"), "Cancelled", "");
    for (what, today, exit) in [
        ("beside another order", stated(&[third, cancelled.clone()]), 0),
        ("alone", stated(std::slice::from_ref(&cancelled)), 0),
        ("in a sheet that is refused", stated(&[cancelled, (row_with("K-4", "9812345671", ""), "Confirmed", "")]), 3),
    ] {
        let rig = Rig::new();
        rig.file("today.csv", &today);
        rig.import(&["today.csv", "--all-or-nothing"]).exits(exit);
        rig.run(&["show", "K-2"]).exits(0).prints("left_out").prints("cancelled in today.csv:");
        rig.file("yesterday.csv", &sheet([row("K-1"), other("K-2")]));
        let held = rig.import(&["yesterday.csv"]).only("held-back");
        held.holds().says("today.csv:");
        assert_eq!((held.case.as_str(), held.order.as_str()), ("taken_back_since", "K-2"), "{what}: {held:?}");
        rig.run(&["resume", "--yes"]);
        assert!(!numbers(&rig).contains(&"K-2".to_owned()), "{what}");
        rig.run(&["ledger", "check"]).exits(0);
        // A person lets it go.
        rig.run(&["accept", "old-sheet", "--order", "K-2", "--because", "the customer wants it"]).exits(0);
        rig.run(&["resume", "--yes"]).exits(0);
        assert_eq!(numbers(&rig).iter().filter(|number| *number == "K-2").count(), 1, "{what}");
        rig.run(&["ledger", "check"]).exits(0);
    }
}

#[test]
fn what_a_sheet_cancels_that_is_only_looked_at_is_not_kept() {
    let rig = Rig::new();
    rig.file("today.csv", &stated(&[(other("K-2"), "Cancelled", "")]));
    rig.run(&["import", "today.csv", "--dry-run"]);
    rig.run(&["check", "today.csv"]);
    rig.file("yesterday.csv", &sheet([row("K-1"), other("K-2")]));
    rig.run(&["import", "yesterday.csv", "--yes"]).exits(0);
    assert_eq!(numbers(&rig), ["K-1", "K-2"]);
}

#[test]
fn an_order_with_something_to_fix_is_an_order_of_the_ledger() {
    let rig = k_2_lacks_its_pin_code();
    let shown = rig.run(&["show", "K-2"]);
    shown.exits(0).prints("invalid").prints("not valid in a.csv:3").prints("dismiss K-2");
    rig.run(&["status"]).exits(4).prints("K-2");
    rig.run(&["retry", "K-2", "--yes"]).exits(1).says("was never sent");
    rig.run(&["doubt", "abandon", "K-2", "--because", "asked"]).exits(1);
    let all = rig.results(&["--all"]);
    assert!(all.iter().any(|order| order["order_number"] == "K-2" && order["state"] == "invalid"), "{all:?}");
    rig.run(&["resume", "--yes"]).exits(0);
    assert_eq!(numbers(&rig), ["K-1"]);
}

#[test]
fn an_order_that_a_later_sheet_mends_is_booked_in_the_run_that_kept_it_back() {
    let rig = k_2_lacks_its_pin_code();
    rig.file("fixed.csv", &sheet([other("K-2")]));
    rig.run(&["import", "fixed.csv", "--yes"]).exits(0);
    assert_eq!(numbers(&rig), ["K-1", "K-2"]);
    let orders = counts(&rig, "1");
    assert_eq!((count(&orders, "booked"), count(&orders, "invalid"), count(&orders, "total")), (2, 0, 2), "{orders}");
    let of_run = rig.results(&["--run", "1"]);
    let k_2 = of_run.iter().find(|order| order["order_number"] == "K-2").unwrap();
    assert_eq!(k_2["state"], "booked", "{k_2}");
    assert!(k_2["awb"].is_string(), "{k_2}");
    rig.run(&["status"]).exits(0);
    // What it came to at its end stays.
    let report = rig.json(&["report", "--run", "1"]).1;
    assert_eq!(count(&report["orders"], "booked"), 2, "{report}");
    rig.run(&["ledger", "check"]).exits(0);
}

#[test]
fn a_booked_order_that_its_sheet_changes_is_held_until_somebody_dismisses_that() {
    let rig = Rig::new();
    rig.file("a.csv", &sheet([row("K-1")]));
    rig.run(&["import", "a.csv", "--yes"]).exits(0);
    let changed = sheet([row("K-1")]).replace("MG Road", "Church Street");
    rig.file("b.csv", &changed);
    rig.import(&["b.csv"]).exits(3).only("changed-after-booking");
    let orders = counts(&rig, "2");
    assert_eq!((count(&orders, "held"), count(&orders, "invalid"), count(&orders, "booked")), (1, 0, 0), "{orders}");
    let orders = counts(&rig, "1");
    assert_eq!((count(&orders, "booked"), count(&orders, "total")), (1, 1), "{orders}");
    rig.run(&["dismiss", "K-1", "--because", "they know"]).exits(0);
    let orders = counts(&rig, "2");
    assert_eq!((count(&orders, "held"), count(&orders, "dismissed")), (0, 1), "{orders}");
    rig.run(&["dismiss", "K-1", "--because", "they know"]).exits(1).says("it is dismissed already");
    // The same cells are not asked about again, others are.
    rig.file("c.csv", &changed);
    rig.run(&["import", "c.csv", "--yes"]).exits(0);
    rig.file("d.csv", &changed.replace("Church Street", "Brigade Road"));
    rig.run(&["import", "d.csv", "--yes"]).exits(3);
    assert_eq!(numbers(&rig), ["K-1"]);
    rig.run(&["ledger", "check"]).exits(0);
}

#[test]
fn a_dismissed_order_is_not_sent_until_its_cells_change() {
    let rig = Rig::new();
    rig.file("a.csv", &stated(&[(row("K-1"), "Confirmed", ""), (other("K-2"), "Confirmed", "do not ship")]));
    rig.run(&["import", "a.csv", "--yes"]).exits(4);
    rig.run(&["dismiss", "K-2", "--because", "a test order"]).exits(0);
    rig.run(&["show", "K-2"]).exits(0).prints("dismissed: a test order");
    rig.run(&["status"]).exits(0);
    // The rule is switched off, and the sheet comes again: it is what was dismissed.
    rig.file("shipsheet.toml", "[rules]\ncancelled-note = \"off\"\n");
    rig.run(&["import", "a.csv", "--yes"]);
    assert_eq!(numbers(&rig), ["K-1"]);
    let mended =
        stated(&[(row("K-1"), "Confirmed", ""), (other("K-2").replace("MG Road", "Church Street"), "Confirmed", "")]);
    rig.file("b.csv", &mended);
    rig.run(&["import", "b.csv", "--yes"]).exits(0);
    assert_eq!(numbers(&rig), ["K-1", "K-2"]);
    rig.run(&["ledger", "check"]).exits(0);
}

#[test]
fn a_dismissed_order_with_the_same_cells_is_asked_about_in_whatever_file_it_comes() {
    let rig = Rig::new();
    let note = |also: &str| {
        let rows = [
            (row("K-1"), "Confirmed", ""),
            (other("K-2"), "Confirmed", "do not ship"),
            (row_with("K-3", also, "560003"), "Confirmed", ""),
        ];
        stated(&rows)
    };
    rig.file("a.csv", &note("9812345671"));
    rig.run(&["import", "a.csv", "--yes"]).exits(4);
    rig.run(&["dismiss", "K-2", "--because", "a double"]).exits(0);
    rig.file("shipsheet.toml", "[rules]\ncancelled-note = \"off\"\n");
    rig.file("b.csv", &note("9812345672"));
    let held = rig.import(&["b.csv"]).first("held-back");
    assert_eq!((held.case.as_str(), held.order.as_str()), ("taken_back_since", "K-2"), "{held:?}");
    assert!(!numbers(&rig).contains(&"K-2".to_owned()));
    // The person changes their mind.
    rig.run(&["accept", "old-sheet", "--order", "K-2", "--because", "it is none"]).exits(0);
    rig.run(&["resume", "--yes"]).exits(0);
    assert!(numbers(&rig).contains(&"K-2".to_owned()));
    rig.run(&["ledger", "check"]).exits(0);
}

#[test]
fn a_cancellation_is_not_dismissed_away() {
    let rig = k_2_lacks_its_pin_code();
    rig.file("b.csv", &stated(&[(other("K-2"), "Cancelled", "")]));
    rig.run(&["import", "b.csv", "--yes"]).exits(0);
    rig.run(&["dismiss", "K-2", "--because", "asked"]).exits(1).says("it is not invalid but left out");
    rig.file("c.csv", &sheet([other("K-2")]));
    rig.import(&["c.csv"]).only("held-back").holds();
    rig.run(&["dismiss", "K-2", "--because", "asked"]).exits(0);
    rig.file("d.csv", &sheet([other("K-2"), row_with("K-3", "9812345671", "560003")]));
    assert_eq!(rig.import(&["d.csv"]).first("held-back").order, "K-2");
    assert_eq!(numbers(&rig), ["K-1", "K-3"]);
    rig.run(&["ledger", "check"]).exits(0);
}

#[test]
fn a_refused_sheet_asks_nothing_about_an_order_that_no_run_could_send() {
    let rig = Rig::new();
    rig.file("today.csv", &stated(&[(other("K-2"), "Cancelled", "")]));
    rig.import(&["today.csv"]);
    rig.file("yesterday.csv", &sheet([row("K-1"), other("K-2")]));
    rig.run(&["import", "yesterday.csv", "--yes", "--all-or-nothing"]).exits(3);
    rig.run(&["show", "K-2"]).exits(0).prints("left_out");
    rig.run(&["accept", "old-sheet", "--order", "K-2", "--because", "the customer wants it"]).exits(1);
    rig.run(&["import", "yesterday.csv", "--yes", "--accept", "old-sheet:K-2", "--because", "wanted"]).exits(0);
    assert_eq!(numbers(&rig), ["K-1", "K-2"]);
    rig.run(&["ledger", "check"]).exits(0);
}
