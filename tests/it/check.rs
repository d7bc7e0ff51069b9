//! `check` beside a ledger: what it says is what `import --dry-run` says, and nothing is written.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;
use shipsheet::sandbox::Answer;

use crate::rig::{HEADER, Rig, row, row_with, sheet, sheet_of, wait_until};

/// What a command that sends nothing came to as JSON, but for how long it took.
#[track_caller]
fn document(rig: &Rig, arguments: &[&str]) -> (i32, Value) {
    let (exit, mut document) = rig.json(arguments);
    assert!(document.as_object_mut().unwrap().remove("seconds").is_some(), "{document:#}");
    (exit, document)
}

/// Holds `check` and `import --dry-run` to say the same, as JSON and in words; gives the JSON.
#[track_caller]
fn same(rig: &Rig, arguments: &[&str]) -> Value {
    let check = [&["check"], arguments].concat();
    let dry_run = [&["import"], arguments, &["--dry-run"]].concat();
    let (checked, planned) = (document(rig, &check), document(rig, &dry_run));
    assert_eq!(checked, planned);
    let (checked_in_words, planned_in_words) = (rig.run(&check), rig.run(&dry_run));
    assert_eq!(checked_in_words.stdout, planned_in_words.stdout);
    assert_eq!(checked_in_words.stderr, planned_in_words.stderr);
    checked.1
}

/// Every file of the rig's folder with its bytes.
fn files(rig: &Rig) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(rig.path("")).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.filter(|path| path.is_file());
    files.map(|path| (path.display().to_string(), std::fs::read(&path).unwrap())).collect()
}

/// A ledger that knows orders in every state, and a sheet of them as `again.csv`: unchanged, changed, noted otherwise, wrong
/// now, corrected, with some that are new.
fn known_in_every_way() -> Rig {
    let rig = Rig::new();
    let header = format!("{HEADER},Seller Note");
    let write = |name: &str, rows: &[String]| {
        let rows: Vec<String> = rows.iter().map(|row| format!("{row},")).collect();
        rig.file(name, &format!("{header}\n{}\n", rows.join("\n")));
    };
    for number in ["DOUBT-1", "GIVEN-UP-1"] {
        rig.sandbox().script_order(number, [Answer::CutAfter]);
    }
    let refused = Answer::Status(422, r#"{"message": "no such warehouse"}"#.to_owned());
    rig.sandbox().script_order("REFUSED-1", [refused]);
    let rejected = |number: &str| row_with(number, "9876543210", "999001");
    // The parcel of nobody else, so that no other order may be the same one.
    let of_another = |number: &str| row_with(number, "9876543219", "560001");
    let first: Vec<String> = ["SAME-1", "CHANGED-1", "NOTED-1", "WRONG-1", "TAKEN-1", "DOUBT-1", "GIVEN-UP-1"]
        .into_iter()
        .map(|number| if number == "DOUBT-1" { of_another(number) } else { row(number) })
        .chain([rejected("CORRECTED-1"), rejected("REJECTED-1"), row("REFUSED-1")])
        .chain([row("LEFT-1"), row("LEFT-2")])
        .collect();
    write("first.csv", &first);
    let import = ["import", "first.csv", "--yes", "--max-orders", "10", "--concurrency", "1"];
    let (exit, document) = rig.json(&import);
    let orders = &document["orders"];
    assert_eq!((exit, &orders["booked"], &orders["outstanding"]), (6, &5.into(), &2.into()), "{document:#}");
    assert_eq!((&orders["rejected"], &orders["refused"], &orders["in_doubt"]), (&2.into(), &1.into(), &2.into()));
    rig.run(&["doubt", "abandon", "GIVEN-UP-1", "--because", "not needed"]).exits(0);
    rig.run(&["cancel", "TAKEN-1", "--yes"]).exits(0);
    let noted = format!("{},ring twice", row("NOTED-1"));
    let again = [
        row("SAME-1"),
        row("CHANGED-1").replace("Kurta", "Saree"),
        row_with("WRONG-1", "12", "560001"),
        row("TAKEN-1"),
        of_another("DOUBT-1"),
        row("GIVEN-UP-1").replace("Kurta", "Saree"),
        row("CORRECTED-1"),
        rejected("REJECTED-1"),
        row("REFUSED-1"),
        row("LEFT-1"),
        row("LEFT-2").replace("Kurta", "Saree"),
        row("same 1"),
        row("NEW-1").replace("Asha", "Meera"),
        row_with("INVALID-1", "12", "560001"),
        row(""),
    ];
    write("again.csv", &again);
    let text = rig.read("again.csv");
    rig.file("again.csv", &format!("{text}{noted}\n"));
    rig
}

#[test]
fn a_check_beside_a_ledger_says_what_a_dry_run_says() {
    let rig = known_in_every_way();
    let before = files(&rig);
    let checked = rig.run(&["check", "again.csv"]);
    assert_eq!(files(&rig), before, "a check changes no file and makes none");
    checked
        .exits(3)
        .says("4 will be sent: 1 new, 1 corrected since they failed, 2 left by an earlier run")
        .says("1 changed after they were booked, 2 booked already and unchanged")
        .says("1 booked already, and noted otherwise in this sheet, 1 booked already, and wrong in this sheet")
        .says("2 failed before and unchanged")
        .says("1 abandoned")
        .says("1 in doubt");
    let document = same(&rig, &["again.csv"]);
    let orders = &document["orders"];
    assert_eq!((&orders["already_booked"], &orders["in_doubt"]), (&4.into(), &1.into()), "{orders}");
    let said = |code: &str| document["problems"].as_array().unwrap().iter().any(|problem| problem["code"] == code);
    for code in ["changed-after-booking", "booked-before", "cancelled-before", "same-shipment", "bad-phone"] {
        assert!(said(code), "{code}: {document:#}");
    }
    let awb = rig.bookings().into_iter().find(|(number, _)| number == "CHANGED-1").unwrap().1;
    checked.says(&awb);
    same(&rig, &["again.csv", "--quiet"]);
}

#[test]
fn a_check_says_the_same_while_another_process_books() {
    let rig = known_in_every_way();
    let alone = document(&rig, &["check", "again.csv"]);
    rig.file("others.csv", &sheet([row("OTHER-1").replace("Asha", "Ravi").replace("Kurta", "Belt")]));
    rig.sandbox().script_order("OTHER-1", [Answer::Silent(Duration::from_hours(1))]);
    let requests = rig.sandbox().book().requests();
    let _live = rig.live("others", &["import", "others.csv", "--yes"]);
    wait_until("the other import waits for its answer", || rig.sandbox().book().requests() > requests);
    rig.run(&["import", "again.csv", "--dry-run"]).exits(1).says("in use by another shipsheet");
    assert_eq!(document(&rig, &["check", "again.csv"]), alone);
}

#[test]
fn a_check_waits_for_nobody_who_writes() {
    let rig = known_in_every_way();
    let alone = document(&rig, &["check", "again.csv"]);
    let database = rig.database();
    database.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(document(&rig, &["check", "again.csv"]), alone);
    database.execute_batch("ROLLBACK").unwrap();
}

#[test]
fn what_a_killed_run_left_is_in_doubt_for_a_check_before_anybody_writes() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet_of(4));
    rig.sandbox().script_order("ORD-0002", [Answer::Silent(Duration::from_hours(1))]);
    let live = rig.live("first", &["import", "orders.csv", "--yes", "--concurrency", "1"]);
    wait_until("the import is in the middle", || rig.sandbox().book().requests() == 2);
    let meanwhile = document(&rig, &["check", "orders.csv"]).1;
    assert_eq!(
        (&meanwhile["plan"]["sending"], &meanwhile["orders"]["in_doubt"]),
        (&1.into(), &0.into()),
        "{meanwhile:#}"
    );
    rig.run(&["check", "orders.csv"]).says("1 on their way just now, by another process");
    // Dropped, it is killed as by SIGKILL.
    drop(live);
    let checked = document(&rig, &["check", "orders.csv"]);
    let open: i64 =
        rig.database().query_row("SELECT count(*) FROM orders WHERE state = 'sending'", [], |row| row.get(0)).unwrap();
    assert_eq!((open, &checked.1["orders"]["in_doubt"]), (1, &1.into()), "{:#}", checked.1);
    assert_eq!(checked, document(&rig, &["import", "orders.csv", "--dry-run"]));
}

#[test]
fn a_check_says_what_is_far_more_than_usual() {
    let rig = Rig::new();
    let night = |name: &str, orders| sheet((1..=orders).map(|number| row(&format!("{name}-{number:04}"))));
    for name in ["A", "B", "C"] {
        rig.import_text(&night(name, 20)).exits(0);
    }
    rig.file("giant.csv", &night("X", 70));
    rig.run(&["check", "giant.csv"]).exits(0).says("far more than usual: 70 orders, and none of the last 3 imports");
    same(&rig, &["giant.csv"]);
}

#[test]
fn a_check_says_what_is_known_at_another_address() {
    let rig = Rig::booked("", 5);
    let other = format!("http://localhost:{}", rig.sandbox().address().port());
    let check = ["check", "orders.csv", "--base-url", &other];
    rig.run(&check).exits(0).says("5 booked (ORD-0001, ORD-0002, ORD-0003 and 2 more)").says("service same");
    same(&rig, &check[1..]);
    let here = rig.sandbox().base_url();
    rig.run(&["service", "same", &here, "--because", "told by the vendor", "--base-url", &other]).exits(0);
    rig.run(&check).exits(0).says("5 booked already and unchanged").says_nothing_of("service same");
    same(&rig, &check[1..]);
}

#[test]
fn without_a_ledger_every_order_is_new_and_none_is_made() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet_of(2));
    let before = files(&rig);
    let ran = rig.run(&["check", "orders.csv"]);
    ran.exits(0).says("to send: 2 orders").says_nothing_of("ledger").says_nothing_of("warning: checked");
    assert_eq!(files(&rig), before);
}

#[test]
fn a_ledger_that_cannot_be_read_is_told_in_a_line_and_stays_as_it_is() {
    let rig = Rig::booked("", 2);
    rig.file("strange.sqlite", "this is the file of another program, and no ledger");
    std::fs::copy(rig.path("ledger.sqlite"), rig.path("older.sqlite")).unwrap();
    let older = rusqlite::Connection::open(rig.path("older.sqlite")).unwrap();
    older.pragma_update(None, "user_version", 3).unwrap();
    drop(older);
    for (name, why) in
        [("strange.sqlite", "is not a ledger of shipsheet"), ("older.sqlite", "a shipsheet that is too old")]
    {
        let before = files(&rig);
        let ran = rig.run(&["check", "orders.csv", "--ledger", name]);
        assert_eq!(files(&rig), before, "{name}");
        ran.exits(0).says("to send: 2 orders").says(why);
        let lines = ran.stderr.lines().filter(|line| line.starts_with("warning: checked without the ledger"));
        assert_eq!(lines.count(), 1, "{ran:?}");
        let (_, document) = document(&rig, &["check", "orders.csv", "--ledger", name]);
        let problems = document["problems"].as_array().unwrap();
        assert!(problems.iter().any(|problem| problem["code"] == "ledger-not-read"), "{document:#}");
    }
}

#[test]
fn what_was_practised_is_known_in_practice_alone() {
    let rig = Rig::alone();
    rig.file("orders.csv", &sheet_of(2));
    rig.run(&["import", "orders.csv", "--sandbox"]).exits(0);
    rig.run(&["check", "orders.csv", "--sandbox"]).exits(0).says("2 booked already and unchanged");
    rig.run(&["check", "orders.csv"]).exits(0).says("to send: 2 orders").says_nothing_of("booked already");
}
