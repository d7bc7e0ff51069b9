//! The morning after: what failed is retried by its cause, what nobody will mend is dismissed, doubts are settled many at once,
//! and the rows to fix and the labels to print are those that are left.

use serde_json::Value;
use shipsheet::sandbox::Answer;

use crate::rig::{Rig, row, row_of_own, row_with, sheet};

const WALLET: &str = r#"{"message": "insufficient wallet balance of order 77"}"#;
const PHONE: &str = r#"{"message": "the phone is on the courier's list"}"#;

/// An order whose phone nobody can call.
fn bad(number: &str) -> String {
    row_with(number, "12", "560001")
}

fn orders(rig: &Rig, arguments: &[&str]) -> Value {
    rig.json(arguments).1["orders"].clone()
}

fn refused_three() -> Rig {
    let rig = Rig::new();
    for (number, said) in [("W-1", WALLET), ("W-2", WALLET), ("P-1", PHONE)] {
        rig.sandbox().script_order(number, [Answer::Status(422, said.to_owned())]);
    }
    rig.file("orders.csv", &sheet(["A-1", "W-1", "P-1", "W-2"].map(row_of_own)));
    rig.run(&["import", "orders.csv", "--yes", "--concurrency", "1"]).exits(4);
    rig
}

#[test]
fn what_failed_is_retried_by_its_cause() {
    let rig = refused_three();
    let (_, status) = rig.json(&["status"]);
    let failed = status["ledger"]["failed"].as_array().unwrap();
    let began: i64 = rig.database().query_row("SELECT started_ms FROM runs", [], |row| row.get(0)).unwrap();
    let since = |cause: &Value| cause["oldest_ms"].as_i64().unwrap();
    assert!(failed.iter().all(|cause| since(cause) >= began), "not since the date of the order: {status:#}");
    let cause = failed.iter().find(|cause| cause["named"][0] == "P-1").unwrap()["id"].as_str().unwrap();
    rig.run(&["status"]).prints(format!("retry --cause {cause}"));
    rig.run(&["retry", "--cause", "nothing", "--yes"]).exits(1).says("no order has failed for the cause nothing");
    let (code, retried) = rig.json(&["retry", "--cause", cause, "--yes"]);
    assert_eq!((code, &retried["orders"]["total"], &retried["orders"]["booked"]), (0, &1.into(), &1.into()));
    let (code, retried) = rig.json(&["retry", "--cause", "funds", "--yes"]);
    assert_eq!((code, &retried["orders"]["total"], &retried["orders"]["booked"]), (0, &2.into(), &2.into()));
    rig.run(&["retry", "--cause", "funds", "--yes"]).exits(1).says("no order has failed for the cause funds");
}

#[test]
fn what_is_dismissed_is_no_longer_to_be_fixed_until_its_cells_change() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet([row("A-1"), bad("I-1"), bad("I-2")]));
    rig.run(&["import", "orders.csv", "--yes"]).exits(4);
    let dismiss = |orders: &[&str]| rig.run(&[&["dismiss"], orders, &["--because", "test orders"]].concat());
    dismiss(&["I-1", "A-1"]).exits(1).says("order A-1 cannot be dismissed: it is not invalid but booked");
    rig.run(&["dismiss", "I-1", "--because", " "]).exits(2);
    assert_eq!(orders(&rig, &["status"])["invalid"], 2, "all or none");
    dismiss(&["I-1"]).exits(0);
    dismiss(&["I-1"]).exits(1).says("it is dismissed already");
    let stand = orders(&rig, &["status"]);
    assert_eq!((&stand["invalid"], &stand["dismissed"], &stand["total"]), (&1.into(), &1.into(), &3.into()));
    dismiss(&["I-2"]).exits(0);
    rig.run(&["status"]).exits(0).prints("2 dismissed");
    rig.run(&["rejects", "--run", "1", "--to", "fix.csv"]).exits(0).says("0 rows to fix");
    let report = rig.json(&["report"]).1;
    assert_eq!((&report["orders"]["invalid"], &report["orders"]["dismissed"]), (&0.into(), &2.into()));
    assert_eq!(report["is_balanced"], true, "{:#}", report["balances"]);
    assert_eq!(rig.results(&["--state", "dismissed"]).len(), 2);
    rig.run(&["show", "I-1", "--evidence"]).exits(0).prints("dismissed");
    rig.run(&["ledger", "check"]).exits(0).prints("sound");
    // The same rows again, in another place of another sheet.
    rig.file("again.csv", &sheet([row("A-1"), row("A-2"), bad("I-2"), bad("I-1")]));
    rig.run(&["import", "again.csv", "--yes"]).exits(0);
    rig.run(&["rejects", "--to", "left.csv"]).exits(0);
    assert_eq!(orders(&rig, &["status"])["dismissed"], 2);
    assert_eq!(rig.read("left.csv").lines().count(), 1, "{}", rig.read("left.csv"));
    // A cell of one of them has changed, and it is still wrong.
    rig.file("changed.csv", &sheet([row("A-3"), bad("I-1").replace("Kurta", "Shirt"), bad("I-2")]));
    assert_ne!(rig.read("changed.csv"), sheet([row("A-3"), bad("I-1"), bad("I-2")]));
    rig.run(&["import", "changed.csv", "--yes"]).exits(4);
    let stand = orders(&rig, &["status"]);
    assert_eq!((&stand["invalid"], &stand["dismissed"]), (&1.into(), &1.into()));
    rig.run(&["ledger", "check"]).exits(0).prints("sound");
}

#[test]
fn several_doubts_are_settled_at_once_or_none_is() {
    let rig = Rig::new();
    for number in ["D-1", "D-2", "D-3"] {
        rig.sandbox().script_order(number, [Answer::CutBefore]);
    }
    rig.file("orders.csv", &sheet(["A-1", "D-1", "D-2", "D-3"].map(row)));
    rig.run(&["import", "orders.csv", "--yes", "--concurrency", "1"]).exits(6);
    let because = ["--because", "not in the portal of this morning"];
    rig.run(&[&["doubt", "not-booked", "D-1", "D-2", "A-1"][..], &because].concat()).exits(1).says("A-1");
    assert_eq!(orders(&rig, &["status"])["in_doubt"], 3);
    rig.run(&[&["doubt", "not-booked", "D-1", "D-2"][..], &because].concat())
        .exits(0)
        .says("2 orders may be sent again");
    let stand = orders(&rig, &["status"]);
    assert_eq!((&stand["in_doubt"], &stand["outstanding"]), (&1.into(), &2.into()));
    rig.run(&["resume", "--yes"]).exits(6).prints("2 of 2 orders booked");
}

#[test]
fn labels_that_were_not_printed_are_those_of_whatever_has_an_awb() {
    let rig = Rig::new();
    rig.sandbox().script_order("L-2", [Answer::CutAfter]);
    rig.file("orders.csv", &sheet(["L-1", "L-2", "L-3"].map(row)));
    rig.run(&["import", "orders.csv", "--yes", "--concurrency", "1"]).exits(6);
    let numbers = |document: &Value| -> Vec<String> {
        let labels = document["labels"].as_array().unwrap().iter();
        labels.map(|label| label["order_number"].as_str().unwrap().to_owned()).collect()
    };
    let left = ["label", "--not-printed", "--to", "left.pdf"];
    rig.run(&["show", "L-1"]).exits(0).prints("label: not printed yet");
    rig.run(&["show", "L-2"]).prints_nothing_of("label: ");
    let (code, document) = rig.json(&left);
    rig.run(&["show", "L-1"])
        .prints("label handed out for printing in left.pdf by ")
        .prints_nothing_of("not printed yet");
    assert_eq!((code, numbers(&document)), (0, vec!["L-1".to_owned(), "L-3".to_owned()]), "{document}");
    let (code, document) = rig.json(&left);
    assert_eq!((code, &document["file"], numbers(&document).len()), (0, &Value::Null, 0), "{document}");
    let awb = rig.bookings().into_iter().find(|(number, _)| number == "L-2").unwrap().1;
    rig.file("portal.csv", &format!("Client Order ID,Waybill No\nL-2,{awb}\n"));
    rig.run(&["doubt", "match", "portal.csv", "--yes"]);
    // The portal alone knows this label: its copy is taken from the folder.
    std::fs::copy(
        rig.path(&format!("left-labels/{}.pdf", rig.bookings()[0].1)),
        rig.path(&format!("left-labels/{awb}.pdf")),
    )
    .unwrap();
    let (code, document) = rig.json(&left);
    assert_eq!((code, numbers(&document)), (0, vec!["L-2".to_owned()]), "{document}");
    let again = ["label", "--run", "1", "--not-printed", "--to", "run.pdf"];
    rig.run(&again).exits(0).says("no label is left to print: 3 labels printed before");
    let all = ["label", "--run", "1", "--to", "run.pdf", "--folder", "left-labels"];
    let (code, document) = rig.json(&all);
    assert!(code == 0 && document["labels"].as_array().unwrap().iter().all(|label| label["printed"].is_string()));
}

#[test]
fn rows_to_fix_come_in_the_operators_own_layout_as_long_as_the_sheet_is_there() {
    let rig = refused_three();
    rig.file("more.csv", &sheet([row_of_own("B-1"), bad("I-1"), bad("I-2")]));
    rig.run(&["import", "more.csv", "--yes"]).exits(4);
    let header = |file: &str| rig.read(file).lines().next().unwrap().trim_start_matches('\u{feff}').to_owned();
    let numbers = |file: &str| -> Vec<String> {
        rig.read(file).lines().skip(1).map(|line| line.split(',').next().unwrap().to_owned()).collect()
    };
    rig.run(&["rejects", "--run", "1", "--to", "fix.csv"]).exits(0).says("3 rows to fix").says("in your own columns");
    assert_eq!(numbers("fix.csv"), ["W-1", "P-1", "W-2"]);
    assert!(header("fix.csv").starts_with(crate::rig::HEADER), "{}", header("fix.csv"));
    rig.run(&["retry", "W-1", "--yes"]).exits(0);
    // Somebody began to correct them.
    rig.file("fix.csv", &rig.read("fix.csv").replacen("W-1", "W-9", 1));
    rig.run(&["rejects", "--run", "1", "--to", "fix.csv"]).exits(1).says("fix.csv is there already");
    rig.run(&["rejects", "--run", "1", "--to", "fix.csv", "--force"]).exits(0).says("2 rows to fix");
    assert_eq!(numbers("fix.csv"), ["P-1", "W-2"]);
    // One is corrected and booked from another sheet; the other one comes home with its own cells.
    rig.file("corrected.csv", &sheet([row_of_own("I-1")]));
    rig.run(&["import", "corrected.csv", "--yes"]).exits(0);
    rig.run(&["rejects", "--run", "2", "--to", "two.csv"]).exits(0);
    assert_eq!(numbers("two.csv"), ["I-2"]);
    rig.file("two.csv", &rig.read("two.csv").replace(",12,", ",9876543210,"));
    rig.run(&["import", "two.csv", "--yes"]).exits(0);
    rig.run(&["rejects", "--run", "2", "--to", "none.csv"]).exits(0).says("0 rows to fix");
    // The sheet is another one by now.
    rig.file("orders.csv", &sheet([row("A-1")]));
    rig.run(&["rejects", "--run", "1", "--to", "fix.csv"])
        .exits(0)
        .says("2 orders to fix")
        .says("your own columns are missing");
    assert!(header("fix.csv").starts_with("Order Number,Rows,"), "{}", header("fix.csv"));
}

#[test]
fn a_watchers_sheet_is_found_where_it_was_filed() {
    let rig = Rig::new();
    std::fs::create_dir(rig.path("in")).unwrap();
    rig.file("in/orders.csv", &sheet([row("A-1"), bad("I-1")]));
    rig.run(&["watch", "in", "--once", "--rest", "0"]).exits(4);
    rig.run(&["rejects", "--run", "1", "--to", "fix.csv"]).exits(0).says("1 row to fix").says("in your own columns");
    // Dismissed, it is no reason to look at the same sheet again.
    rig.run(&["dismiss", "I-1", "--because", "a test order"]).exits(0);
    rig.file("in/next.csv", &sheet([row("A-2"), bad("I-1")]));
    rig.run(&["watch", "in", "--once", "--rest", "0"]).exits(0).prints("1 of 2 orders booked, 1 dismissed -> done/");
    rig.run(&["ledger", "check"]).exits(0);
}

#[test]
fn no_more_value_is_sent_than_a_person_allows() {
    let rig = Rig::new();
    // Each is worth 999.80.
    rig.file("orders.csv", &sheet((1..=4).map(|n| row(&format!("V-{n}")))));
    let value = |most: &str| rig.json(&["import", "orders.csv", "--yes", "--max-value", most]);
    let (code, document) = value("400");
    assert_eq!((code, &document["stopped_by"], &document["requests"]), (5, &"limit".into(), &0.into()), "{document}");
    assert_eq!(rig.results(&["--state", "outstanding"])[0]["value"], "999.80");
    let (code, document) = value("2,999.40");
    assert_eq!((code, &document["orders"]["booked"], &document["orders"]["outstanding"]), (5, &3.into(), &1.into()));
    rig.run(&["import", "orders.csv", "--yes", "--max-value", "0"]).exits(2).says("an amount of rupees");
    rig.file("shipsheet.toml", "[booking]\nmax_value = \"4,00\"\n");
    rig.run(&["resume", "--yes"]).exits(5).says("the limit of value is 400");
    rig.file("shipsheet.toml", "[booking]\nmax_value = 500000\n");
    rig.run(&["resume", "--yes"]).exits(0);
    let results = rig.results(&[]);
    assert!(
        results.iter().all(|result| result["booked"].as_str().is_some_and(|when| when.ends_with('Z'))),
        "{results:?}"
    );
}

#[test]
fn the_last_run_after_a_night_is_the_night_and_days_cover_all_of_their_runs() {
    let rig = Rig::new();
    std::fs::create_dir(rig.path("in")).unwrap();
    let watch = || rig.run(&["watch", "in", "--once", "--rest", "0"]);
    let bad = |number: &str| row(number).replace("9876543210", "12");
    rig.file("hand.csv", &sheet([row("H-1"), bad("H-2")]));
    rig.run(&["import", "hand.csv", "--yes"]).exits(4);
    rig.file("in/a.csv", &sheet([row("A-1"), bad("A-2")]));
    rig.file("in/b.csv", &sheet([row("B-1")]));
    rig.file("in/c.csv", &sheet([row("C-1"), bad("C-2")]));
    watch().exits(4);
    let numbers = |name: &str| -> Vec<String> {
        let text = rig.read(name);
        text.lines().skip(1).map(|line| line.split([',', '\t']).next().unwrap().to_owned()).collect()
    };
    // What the night did, and not only its last sheet.
    let told = rig.run(&["export", "--to", "night.csv"]);
    told.exits(0).says("5 orders of runs 2, 3 and 4, the last night written to night.csv");
    assert_eq!(numbers("night.csv"), ["C-1", "C-2", "B-1", "A-1", "A-2"]);
    rig.run(&["export", "--for", "shopify", "--to", "shop.csv"]).exits(0).says("3 orders of runs 2, 3 and 4");
    rig.run(&["export", "--run", "3", "--to", "one.csv"]).exits(0).says("1 order of run 3 written");
    rig.run(&["export", "--last", "2d", "--to", "days.csv"]).exits(0).says("7 orders of runs 1, 2, 3 and 4 written");
    let (code, made) = rig.json(&["rejects", "--to", "fix.csv"]);
    let files: Vec<(&str, u64)> = made["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|own| (own["file"].as_str().unwrap(), own["orders"].as_u64().unwrap()))
        .collect();
    assert_eq!((code, files), (0, vec![("fix-run4.csv", 1), ("fix-run2.csv", 1)]), "{made:#}");
    assert_eq!((&made["own"], &made["runs"]), (&true.into(), &serde_json::json!([4, 3, 2])));
    assert_eq!((numbers("fix-run4.csv"), numbers("fix-run2.csv")), (vec!["C-2".to_owned()], vec!["A-2".to_owned()]));
    rig.run(&["rejects", "--since", "today", "--state"]).exits(2);
    // An order that came again is in the results once: as the days made it.
    rig.file("in/again.csv", &sheet([row("A-1"), row("A-2"), row("N-1")]));
    watch().exits(0);
    rig.run(&["export", "--since", "today", "--state", "booked", "--to", "booked.csv"]).exits(0);
    let mut booked = numbers("booked.csv");
    booked.sort();
    assert_eq!(booked, ["A-1", "A-2", "B-1", "C-1", "H-1", "N-1"]);
    let left = rig.run(&["rejects", "--last", "7d", "--to", "left.csv"]);
    left.says("1 row to fix of run 4 written to left-run4.csv").says("1 row to fix of run 1 written to left-run1.csv");
    left.says_nothing_of("run 2 written").says("that is all that is left to fix of runs 1, 2, 3, 4 and 5");
    // A retry has no sheet of its own: what it sent in vain comes back from the sheet that it came in.
    rig.file("in/far.csv", &sheet([row_with("F-1", "9898989898", "999001"), row("F-2")]));
    watch().exits(4);
    rig.run(&["retry", "F-1", "--yes"]).exits(4);
    let (_, made) = rig.json(&["rejects", "--last", "2d", "--to", "far.csv"]);
    let files = made["files"].as_array().unwrap();
    let far = files.iter().find(|own| own["run"] == 6).unwrap();
    assert!(far["own"] == true && files.iter().all(|own| own["run"] != 7), "{made:#}");
    // A person's run ends the night: it alone is the latest.
    rig.file("one.csv", &sheet([row("Z-1")]));
    rig.run(&["import", "one.csv", "--yes"]).exits(0);
    rig.run(&["export", "--to", "last.csv"]).says("1 order of run 8 written");
    rig.run(&["export", "--last", "1h", "--all", "--to", "last.csv"]).exits(2);
}

#[test]
fn before_the_first_run_nothing_was_booked_and_that_is_no_failure() {
    let rig = Rig::new();
    rig.run(&["status"]).exits(0).prints("nothing was booked yet: there is no ledger at ").prints("import SHEET");
    rig.run(&["status", "--run", "1"]).exits(1);
    std::fs::create_dir(rig.path("in")).unwrap();
    rig.run(&["watch", "in", "--once", "--rest", "0"]).exits(0);
    rig.run(&["status"]).exits(0).prints("nothing was booked yet\n");
    assert_eq!(rig.json(&["status"]).1["run"], serde_json::Value::Null);
    rig.run(&["status", "--run", "1"]).exits(1).says("no run 1");
}

#[test]
fn the_latest_runs_are_listed_with_how_many_came_before() {
    let rig = Rig::booked("", 1);
    for _ in 0..2 {
        rig.run(&["import", "orders.csv", "--yes"]).exits(0);
    }
    let few = rig.run(&["runs", "--limit", "2"]);
    few.exits(0).says("1 run before these: `shipsheet runs --limit 0` lists all");
    let all = rig.run(&["runs", "--limit", "0"]);
    all.exits(0).says_nothing_of("before these");
    assert_eq!((few.stdout.lines().count(), all.stdout.lines().count()), (2, 3));
    assert_eq!(rig.json(&["runs", "--limit", "1"]).1["more"], 2);
}
