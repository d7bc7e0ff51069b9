//! A ledger that moves into a database, and a database that is copied into a file: one of them books, and nothing is lost.

use shipsheet::ledger::{Address, Ledger, NewPurge, Site};
use shipsheet::sandbox::Answer;

use crate::rig::postgres::{Database, Postgres};
use crate::rig::{Ran, Rig, ran, row, row_with, sheet};

/// Orders of every kind, in a ledger in a file, and an empty database.
fn filled() -> Option<(Rig, Database)> {
    let database = Postgres::shared()?.bare_database();
    let rig = Rig::new();
    let rows = [
        row("A-1"),
        row("A-2"),
        row_with("R-1", "9876543210", "999001"),
        row("D-1"),
        row_with("I-1", "9876543210", "56"),
        row_with("P-1", "12345", "560001"),
        row("O-1"),
        row("O-2"),
    ];
    rig.file("orders.csv", &sheet(rows));
    rig.sandbox().script_order("D-1", [Answer::CutAfter]);
    let import = ["import", "orders.csv", "--yes", "--accept", "phone-form", "--because", "a landline"];
    rig.run(&[&import[..], &["--concurrency", "1", "--max-orders", "5"]].concat()).exits(6);
    rig.run(&["dismiss", "I-1", "--because", "a test order"]).exits(0);
    Some((rig, database))
}

fn relocate(rig: &Rig, database: &Database, variables: &[(&str, &str)]) -> Ran {
    let mut command = rig.command(&["ledger", "move", "--to", &database.address]);
    command.envs(variables.iter().copied());
    ran(command)
}

/// With the ledger of this name, which a database's address may be.
fn with(rig: &Rig, ledger: &str, arguments: &[&str]) -> Ran {
    rig.run(&[arguments, &["--ledger", ledger]].concat())
}

/// Whether an order is booked with this ledger.
fn books(rig: &Rig, ledger: &str, number: &str) -> bool {
    let before = rig.bookings().len();
    rig.file("one.csv", &sheet([row(number)]));
    with(rig, ledger, &["import", "one.csv", "--yes", "--accept", "same-order"]);
    rig.bookings().len() > before
}

/// What a ledger says of its orders, in the order of their numbers.
fn told(rig: &Rig, ledger: &str) -> Vec<String> {
    let mut told: Vec<String> = ["A-1", "A-2", "R-1", "D-1", "P-1", "O-1", "O-2"]
        .iter()
        .map(|number| with(rig, ledger, &["show", number, "--evidence", "--format", "json"]).stdout)
        .collect();
    told.push(
        with(rig, ledger, &["status", "--run", "1"]).stdout.lines().filter(|line| line.contains("orders")).collect(),
    );
    told
}

#[test]
fn a_ledger_moves_into_a_database_with_all_that_it_knows_and_books_on_there() {
    let Some((rig, database)) = filled() else { return };
    let before = told(&rig, "ledger.sqlite");
    relocate(&rig, &database, &[]).exits(0).says("the ledger is postgres://").says("books nothing any more");
    assert_eq!(told(&rig, &database.address), before);
    with(&rig, &database.address, &["ledger", "check"]).exits(0).prints("sound").prints("accepted");
    with(&rig, "ledger.sqlite", &["status"]).exits(1).says("was moved to postgres://");
    assert!(!books(&rig, "ledger.sqlite", "N-1"));
    // Everything goes on where it was.
    with(&rig, &database.address, &["resume", "--yes", "--accept", "same-order"]);
    let settled =
        with(&rig, &database.address, &["doubt", "booked", "D-1", "--awb", &awb_of(&rig, "D-1"), "--because", "seen"]);
    settled.exits(0);
    assert!(books(&rig, &database.address, "N-1"));
    with(&rig, &database.address, &["import", "orders.csv", "--yes", "--accept", "phone-form"]);
    assert_eq!(rig.sandbox().book().booked_twice(), Vec::<String>::new());
    assert_eq!(database.sql("SELECT count(*) FROM orders WHERE state = 'booked'"), rig.bookings().len().to_string());
    with(&rig, &database.address, &["ledger", "check"]).exits(0).prints("sound");
    relocate(&rig, &database, &[]).exits(0);
    let other = Rig::new();
    assert!(books(&other, "ledger.sqlite", "X-1"));
    relocate(&other, &database, &[]).exits(1).says("a ledger is in it already");
}

fn awb_of(rig: &Rig, number: &str) -> String {
    rig.bookings().into_iter().find(|(own, _)| own == number).unwrap().1
}

/// Promise 10: a move that ends at any step leaves at most one ledger that books, and can be finished.
#[test]
fn a_move_that_is_killed_at_any_step_leaves_one_ledger_and_can_be_finished() {
    let steps =
        [("FAIL", "copied:1"), ("CRASH", "move:1"), ("CRASH", "move:2"), ("CRASH", "move:3"), ("CRASH", "move:4")];
    for (what, step) in steps {
        let Some((rig, database)) = filled() else { return };
        let variable = format!("SHIPSHEET_{what}_AT");
        let moved = relocate(&rig, &database, &[(&variable, step)]);
        assert_eq!(moved.exit == 0, step == "move:4", "{step}: {moved:?}");
        let before = rig.bookings().len();
        // What was not committed is not there: such a database holds no ledger yet.
        let is_copied = database.sql("SELECT count(*) FROM runs") != "0";
        assert_eq!(is_copied, step != "copied:1", "{step}");
        let ledgers = if is_copied { vec!["ledger.sqlite", &database.address] } else { vec!["ledger.sqlite"] };
        let booking = ledgers.into_iter().filter(|ledger| books(&rig, ledger, "N-1")).count();
        assert_eq!(booking, usize::from(step != "move:2"), "{step}: between the two neither books");
        assert!(rig.bookings().len() <= before + 1, "{step}");
        relocate(&rig, &database, &[]).exits(0);
        assert!(books(&rig, &database.address, "N-2"), "{step}");
        assert!(!books(&rig, "ledger.sqlite", "N-3"), "{step}");
        with(&rig, &database.address, &["ledger", "check"]).exits(0).prints("sound");
        with(&rig, &database.address, &["import", "one.csv", "--yes", "--accept", "same-order"]);
        assert_eq!(rig.sandbox().book().booked_twice(), Vec::<String>::new(), "{step}");
        let known = database.sql("SELECT count(*) FROM orders WHERE state IN ('booked', 'in_doubt')");
        assert_eq!(known, rig.bookings().len().to_string(), "{step}: what was booked meanwhile is known");
    }
}

#[test]
fn a_file_that_is_older_than_the_copy_in_the_database_does_not_take_its_place() {
    let Some((rig, database)) = filled() else { return };
    std::fs::copy(rig.path("ledger.sqlite"), rig.path("older.sqlite")).unwrap();
    assert!(books(&rig, "ledger.sqlite", "N-1"));
    assert!(relocate(&rig, &database, &[("SHIPSHEET_CRASH_AT", "move:2")]).exit != 0);
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(rig.path(&format!("ledger.sqlite{suffix}")));
    }
    std::fs::rename(rig.path("older.sqlite"), rig.path("ledger.sqlite")).unwrap();
    relocate(&rig, &database, &[]).exits(1).says("is older than it was");
    rig.run(&["ledger", "accept", "--because", "looked up", "--yes"]);
    relocate(&rig, &database, &[]).exits(1).says("knows more than the file does");
    with(&rig, &database.address, &["status"]).exits(1).says("did not come to its end");
}

#[test]
fn a_backup_of_a_database_is_a_ledger_in_a_file_with_the_same_evidence() {
    let Some((rig, database)) = filled() else { return };
    relocate(&rig, &database, &[]).exits(0);
    let before = told(&rig, &database.address);
    with(&rig, &database.address, &["ledger", "backup", "copy.sqlite"]).exits(0).says("is a whole copy");
    with(&rig, "copy.sqlite", &["ledger", "check"]).exits(0).prints("sound").prints("a copy: the ledger itself is");
    assert_eq!(told(&rig, "copy.sqlite"), before);
    // A copy books nothing while nobody says that the ledger itself is lost.
    assert!(!books(&rig, "copy.sqlite", "N-1"));
    with(&rig, &database.address, &["ledger", "backup", "copy.sqlite"]).exits(1);
    // Its guards are there.
    let copy = rusqlite::Connection::open(rig.path("copy.sqlite")).unwrap();
    assert!(copy.execute("DELETE FROM orders", []).unwrap_err().to_string().contains("never deleted"));
    drop(copy);
    // Where the database is lost, the copy goes on by a person's word, into a new database as well.
    with(&rig, "copy.sqlite", &["ledger", "accept", "--because", "the server burnt", "--yes"]).exits(0);
    assert!(books(&rig, "copy.sqlite", "N-2"));
}

#[test]
fn a_removal_empties_a_database_of_people_and_leaves_its_evidence() {
    let Some((rig, database)) = filled() else { return };
    relocate(&rig, &database, &[]).exits(0);
    with(&rig, &database.address, &["ledger", "purge", "--older-than", "30d", "--yes"])
        .says("there is nothing to remove");
    let whole = || {
        database.sql(
            "SELECT string_agg(o.number, ' ' ORDER BY o.number) FROM requests q JOIN orders o
        ON o.id = q.order_id WHERE length(q.body) > 0",
        )
    };
    assert_eq!(whole(), "A-1 A-2 D-1 O-1 O-2 P-1 R-1");
    std::fs::create_dir(rig.path("beside")).unwrap();
    let address = Address::parse(&database.address, None).unwrap();
    let mut ledger = Ledger::open_at(&Site::Server { address, beside: rig.path("beside/ledger") }).unwrap();
    let new = NewPurge { before_ms: i64::MAX, user: "asha".into(), host: "desk".into(), at_ms: 1_800_000_000_000 };
    let booked = ledger.would_purge(i64::MAX).unwrap().orders;
    let done = ledger.purge(&new).unwrap();
    assert!(done.orders == booked && done.is_on_server && booked > 0, "{done:?}");
    assert_eq!(ledger.would_purge(i64::MAX).unwrap().orders, 0);
    drop(ledger);
    let left = whole();
    assert!(!left.contains("A-1") && left.contains("D-1") && left.contains("O-1"), "what is open stays: {left}");
    with(&rig, &database.address, &["ledger", "check"]).exits(0).prints("sound");
    with(&rig, &database.address, &["show", "A-1"]).exits(0).prints(awb_of(&rig, "A-1"));
    let copied = with(&rig, &database.address, &["ledger", "backup", "copy.sqlite"]);
    copied.exits(0);
    with(&rig, "copy.sqlite", &["ledger", "check"]).exits(0).prints("sound");
}
