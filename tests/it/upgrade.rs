//! A ledger of an earlier layout: what refuses it, and how it is upgraded, wherever that ends.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest as _, Sha256};
use shipsheet::sandbox::Answer;

use crate::rig::{Ran, Rig, ran, row, sheet, sheet_of, wait_until};

/// The present layout.
const LAYOUT: i64 = 21;

/// A ledger of the layout before, in which nearly everything has happened.
const STORED: &str = include_str!("../ledgers/layout_20.sql");

/// Makes the tables that the layout before had.
pub(crate) const TABLES_BEFORE: &str = include_str!("../ledgers/before.sql");

/// Statements that bind the attempts of these orders to each other, as a layout did that had no sources. `bytes` writes a hash.
pub(crate) fn bound_before(rig: &Rig, numbers: &[&str], bytes: fn(&str) -> String) -> String {
    let mut links = BTreeMap::new();
    for number in numbers {
        let (_, shown) = rig.json(&["show", number, "--evidence"]);
        for link in shown["links"].as_array().unwrap() {
            let text = link["text"].as_str().unwrap();
            if !text.starts_with("[\"source\"") {
                links.insert(link["n"].as_i64().unwrap(), text.to_owned());
            }
        }
    }
    // That program noted no more links than it had.
    let _ = std::fs::remove_dir_all(rig.path(".local/state/shipsheet/marks"));
    let (mut after, mut sql) = ("0".repeat(64), String::new());
    for (now, (was, text)) in (1..).zip(&links) {
        let digest = Sha256::digest(format!("{after}\n{text}"));
        after = digest.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
        let hash = bytes(&after);
        write!(
            sql,
            "UPDATE evidence SET n = {now}, hash = {hash} WHERE n = {was};
            UPDATE attempts SET evidence_n = {now} WHERE evidence_n = {was};"
        )
        .unwrap();
    }
    sql
}

/// Gives the ledger of these orders, which were sent and no more, the layout that it would have if an earlier program had made it: so
/// many steps back.
fn older(rig: &Rig, numbers: &[&str], steps: i64) {
    let bound = bound_before(rig, numbers, |hash| format!("x'{hash}'"));
    let ledger = rig.database();
    ledger.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
    for trigger in names(&ledger, "SELECT name FROM sqlite_schema WHERE type = 'trigger'") {
        ledger.execute_batch(&format!("DROP TRIGGER {trigger}")).unwrap();
    }
    ledger.execute_batch(&format!("{TABLES_BEFORE} {bound}")).unwrap();
    ledger.pragma_update(None, "user_version", LAYOUT - steps).unwrap();
}

/// A ledger of the layout before at this place.
pub(crate) fn stored(at: &Path) {
    rusqlite::Connection::open(at).unwrap().execute_batch(STORED).unwrap();
}

fn layout(rig: &Rig) -> i64 {
    rig.database().query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap()
}

/// Three booked orders in a ledger so many steps back.
fn booked(steps: i64) -> Rig {
    let rig = Rig::booked("", 3);
    rig.file("more.csv", &sheet([row("NEW-1")]));
    if steps > 0 {
        older(&rig, &["ORD-0001", "ORD-0002", "ORD-0003"], steps);
        // All of it is in the file itself then, and bytes can be compared.
        rig.database().pragma_update(None, "journal_mode", "DELETE").unwrap();
    }
    rig
}

/// The copies that upgrades left.
fn copies(rig: &Rig) -> Vec<PathBuf> {
    let files = std::fs::read_dir(rig.path("")).unwrap().map(|entry| entry.unwrap().path());
    let mut copies: Vec<PathBuf> =
        files.filter(|path| path.to_string_lossy().contains(".sqlite.before-upgrade-")).collect();
    copies.sort();
    copies
}

/// Whatever writes.
const WRITERS: [&[&str]; 13] = [
    &["import", "more.csv", "--yes"],
    &["import", "orders.csv", "--yes"],
    &["resume", "--yes"],
    &["retry", "--yes"],
    &["watch", "watched", "--once", "--rest", "0"],
    &["desk", "--port", "0", "--no-open"],
    &["doubt", "booked", "ORD-0001", "--awb", "AWB-1", "--because", "seen in the portal"],
    &["dismiss", "ORD-0001", "--because", "asked"],
    &["accept", "phone-form", "--order", "ORD-0001", "--because", "asked"],
    &["ledger", "accept", "--because", "it is the right one", "--yes"],
    &["ledger", "move", "elsewhere.sqlite"],
    &["service", "webhook", "register", "--url", "https://example.com/hook", "--yes"],
    &["service", "same", "https://other.example.com", "--because", "told"],
];

/// Everything that writes refuses the ledger with what to do, and changes nothing.
fn assert_refused(rig: &Rig, why: &str, what_to_do: &str) {
    std::fs::create_dir_all(rig.path("watched")).unwrap();
    std::fs::copy(rig.path("more.csv"), rig.path("watched/more.csv")).unwrap();
    let (before, requests) = (std::fs::read(rig.path("ledger.sqlite")).unwrap(), rig.sandbox().book().requests());
    for arguments in WRITERS {
        let ran = rig.run(arguments);
        ran.exits(1).says(why).says(what_to_do);
        assert_eq!(std::fs::read(rig.path("ledger.sqlite")).unwrap(), before, "{arguments:?} changed it");
    }
    assert_eq!(rig.sandbox().book().requests(), requests, "nothing was sent");
    assert!(rig.path("watched/more.csv").exists(), "no sheet was taken");
    assert!(!rig.path("elsewhere.sqlite").exists());
}

#[test]
fn the_layout_before_is_refused_with_what_to_do_and_not_changed() {
    let rig = booked(1);
    let before = std::fs::read(rig.path("ledger.sqlite")).unwrap();
    let why = "was made by an older shipsheet (layout 20, this one writes 21)";
    let what_to_do = "ledger upgrade` brings it up to date";
    for arguments in [
        &["status"][..],
        &["runs"],
        &["show", "ORD-0001"],
        &["report"],
        &["export", "--all", "--to", "all.csv"],
        &["doubt", "list"],
        &["ledger", "check"],
        &["ledger", "backup", "copy.sqlite"],
    ] {
        rig.run(arguments).exits(1).says(why).says(what_to_do);
        assert_eq!(std::fs::read(rig.path("ledger.sqlite")).unwrap(), before, "{arguments:?} changed it");
    }
    rig.run(&["check", "orders.csv"]).exits(0).says("checked without the ledger").says(why);
    rig.run(&["doctor"]).exits(1).prints("layout 20, this one writes 21").prints(what_to_do);
    assert_refused(&rig, why, what_to_do);
}

#[test]
fn an_older_layout_is_refused_by_all_and_never_begun_anew() {
    for steps in [2, 18] {
        let rig = booked(steps);
        let why = format!("that is too old (layout {}, this one upgrades from 20 on)", LAYOUT - steps);
        let before = std::fs::read(rig.path("ledger.sqlite")).unwrap();
        for arguments in
            [&["status"][..], &["runs"], &["doubt", "list"], &["ledger", "check"], &["report"], &["ledger", "upgrade"]]
        {
            rig.run(arguments).exits(1).says(&why).says("do not begin a new ledger");
        }
        rig.run(&["check", "orders.csv"]).exits(0).says("checked without the ledger").says("too old");
        rig.run(&["doctor"]).exits(1).prints("the last shipsheet that wrote the older layouts");
        assert_refused(&rig, &why, "do not begin a new ledger");
        assert_eq!((std::fs::read(rig.path("ledger.sqlite")).unwrap(), copies(&rig)), (before, Vec::new()));
    }
}

/// Tables of the layout before whose rows stand elsewhere now, or name others.
const MADE_ANEW: [&str; 16] = [
    "orders",
    "run_orders",
    "run_invalid",
    "problems",
    "run_tallies",
    "run_ends",
    "decisions",
    "acceptances",
    "address_words",
    "accepted_findings",
    "dismissals",
    "purges",
    "withdrawals",
    "shipments",
    "evidence",
    "desk_copies",
];

/// Every row of a table.
fn rows(ledger: &rusqlite::Connection, table: &str) -> Vec<Vec<rusqlite::types::Value>> {
    let mut columns = names(ledger, &format!("SELECT name FROM pragma_table_info('{table}')"));
    columns.sort_unstable();
    let columns = columns.join("\", \"");
    let mut statement = ledger.prepare(&format!("SELECT \"{columns}\" FROM {table}")).unwrap();
    let width = statement.column_count();
    let rows = statement.query_map([], |row| (0..width).map(|at| row.get(at)).collect()).unwrap();
    rows.map(Result::unwrap).collect()
}

fn names(ledger: &rusqlite::Connection, sql: &str) -> Vec<String> {
    ledger.prepare(sql).unwrap().query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

#[test]
fn a_stored_ledger_is_upgraded_with_every_row_and_link() {
    let rig = Rig::new();
    let stored = rusqlite::Connection::open(rig.path("ledger.sqlite")).unwrap();
    stored.execute_batch(STORED).unwrap();
    // What links say is held by `ledger check`, for which their hashes did not change.
    let hashes = |ledger: &rusqlite::Connection| names(ledger, "SELECT hex(hash) FROM evidence ORDER BY n");
    let linked = hashes(&stored);
    let mut tables = names(&stored, "SELECT name FROM sqlite_schema WHERE type = 'table'");
    tables.retain(|table| !MADE_ANEW.contains(&table.as_str()));
    let before: Vec<_> = tables.iter().map(|table| rows(&stored, table)).collect();
    drop(stored);
    let upgraded = rig.run(&["ledger", "upgrade"]);
    upgraded.exits(0).says("has layout 21 now, and had layout 20: 25 orders, 19 attempts");
    upgraded.says("every count, request and link of evidence holds");
    for (table, before) in tables.iter().zip(before) {
        assert_eq!(rows(&rig.database(), table), before, "{table}");
    }
    assert_eq!(hashes(&rig.database()), linked);
    // An acceptance keeps its id; whatever else was decided comes behind it by the number of its link.
    let decisions = "SELECT concat_ws(' ', id, verb, order_id, number, evidence_n) FROM decisions ORDER BY id";
    let expected = [
        "1 accept-ledger 28",
        "5 dismiss MON-2 4",
        "6 accept-finding MON-2 5",
        "12 booked 4 11",
        "13 not-booked 5 12",
        "14 abandoned 6 13",
        "19 abandoned 15 18",
        "20 abandoned 16 19",
        "28 same-service 27",
    ];
    assert_eq!(names(&rig.database(), decisions), expected);
    // What stayed behind is an order, with its problems.
    let kept_back = "SELECT concat_ws(' ', o.number, o.standing, r.run_id, r.seq, r.rows, p.code) FROM orders o
        JOIN run_orders r ON r.order_id = o.id AND r.behind = 1
        JOIN problems p ON p.run_id = r.run_id AND p.seq = r.seq AND p.severity = 'error' ORDER BY o.id, r.run_id, p.n";
    let expected = ["MON-2 dismissed 1 1 monday.csv:4 bad-phone", "FRI-2 invalid 7 1 bad.csv:4 bad-phone"];
    assert_eq!(names(&rig.database(), kept_back), expected);
    // What a newer sheet took back does not go, and whoever asks hears why.
    let revised = "SELECT concat_ws(' ', o.number, o.state, o.verdict, y.because, o.attempts) FROM orders o
        JOIN reasons y ON y.order_id = o.id WHERE o.standing = 'left_out' ORDER BY o.id";
    let expected =
        ["WED-3 staged cancelled cancelled in wed2.csv:5 0", "WED-4 staged cancelled cancelled in wed2.csv:6 0"];
    assert_eq!(names(&rig.database(), revised), expected);
    rig.run(&["ledger", "check"]).exits(0).prints("25 orders, 19 attempts").prints("holds (28 links)");
    rig.run(&["status"]).exits(6).prints("3 outstanding since").prints("2 in doubt since");
}

#[test]
fn a_newer_ledger_wants_the_newer_program() {
    let rig = booked(0);
    rig.database().pragma_update(None, "user_version", 99).unwrap();
    let before = std::fs::read(rig.path("ledger.sqlite")).unwrap();
    for arguments in [&["status"][..], &["import", "orders.csv", "--yes"], &["ledger", "upgrade"]] {
        rig.run(arguments).exits(1).says("made by a newer shipsheet").says("use the newer program");
        assert_eq!(std::fs::read(rig.path("ledger.sqlite")).unwrap(), before, "{arguments:?} changed it");
    }
    rig.run(&["doctor"]).exits(1).prints("use the newer program");
}

#[test]
fn an_upgrade_loses_nothing_and_its_copy_never_books() {
    let rig = booked(1);
    let found = LAYOUT - 1;
    let upgraded = rig.run(&["ledger", "upgrade"]);
    upgraded.exits(0).says(format!("has layout {LAYOUT} now, and had layout {found}: 3 orders, 3 attempts"));
    upgraded.says("every count, request and link of evidence holds").says("nothing ever books with it");
    assert_eq!(layout(&rig), LAYOUT);
    rig.run(&["ledger", "check"]).exits(0).prints("3 orders, 3 attempts").prints("sound");
    rig.run(&["import", "orders.csv", "--yes"]).exits(0).says("3 booked already and unchanged");
    rig.run(&["ledger", "upgrade"]).exits(0).says("there is nothing to do");
    let [copy] = &copies(&rig)[..] else { panic!("{:?}", copies(&rig)) };
    assert_eq!(*copy, rig.path(&format!("ledger.sqlite.before-upgrade-{found}")));
    assert_never_books(&rig, copy);
    rig.run(&["import", "more.csv", "--yes"]).exits(0);
    assert_eq!(rig.bookings().len(), 4);
}

/// Nothing books with a copy, looks at it, accepts it, moves it or upgrades it, whatever becomes of the ledger; and it is as it was.
fn assert_never_books(rig: &Rig, copy: &Path) {
    let (named, before) = (copy.to_str().unwrap(), std::fs::read(copy).unwrap());
    let commands: [&[&str]; 6] = [
        &["import", "more.csv", "--yes"],
        &["resume", "--yes"],
        &["status"],
        &["ledger", "accept", "--because", "it is the right one", "--yes"],
        &["ledger", "move", "revived.sqlite"],
        &["ledger", "upgrade"],
    ];
    let requests = rig.sandbox().book().requests();
    let asked = |arguments: &[&str]| rig.run(&[arguments, &["--ledger", named]].concat());
    for arguments in commands {
        asked(arguments).exits(1).says("was moved to ").says("use that one with --ledger");
    }
    // Under another name, and in the ledger's own place, it says the same.
    let own = rig.path("ledger.sqlite");
    std::fs::rename(&own, rig.path("aside.sqlite")).unwrap();
    std::fs::copy(copy, &own).unwrap();
    rig.run(&["import", "more.csv", "--yes"]).exits(1).says("was moved to ");
    rig.run(&["ledger", "upgrade"]).exits(1).says("was moved to ");
    std::fs::rename(rig.path("aside.sqlite"), &own).unwrap();
    // The guard of attempts goes by this row.
    let unanswered = "SELECT count(*) FROM moves m WHERE NOT EXISTS (SELECT 1 FROM homes h WHERE h.move_id = m.id)";
    let copied = rusqlite::Connection::open(copy).unwrap();
    assert_eq!(copied.query_row(unanswered, [], |row| row.get::<_, i64>(0)).unwrap(), 1);
    drop(copied);
    assert_eq!(std::fs::read(copy).unwrap(), before);
    assert_eq!(rig.sandbox().book().requests(), requests);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(copy).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn an_upgrade_that_is_killed_anywhere_leaves_the_old_layout_or_the_new_one() {
    let steps = 5;
    for step in 1..=steps {
        let case = format!("SHIPSHEET_CRASH_AT=upgrade:{step}");
        let rig = booked(1);
        let mut command = rig.command(&["ledger", "upgrade"]);
        command.env("SHIPSHEET_CRASH_AT", format!("upgrade:{step}"));
        let ended = ran(command);
        assert_eq!(ended.exit == 0, step == steps, "{case}: {ended:?}");
        let found = layout(&rig);
        assert_eq!(found, if step < 4 { LAYOUT - 1 } else { LAYOUT }, "{case}");
        if found < LAYOUT {
            rig.run(&["import", "more.csv", "--yes"]).exits(1).says("ledger upgrade");
        }
        let again = rig.run(&["ledger", "upgrade"]);
        assert_eq!(again.exit, 0, "{case}: {again:?}");
        assert_eq!(layout(&rig), LAYOUT, "{case}");
        rig.run(&["ledger", "check"]).exits(0).prints("3 orders, 3 attempts");
        rig.run(&["import", "orders.csv", "--yes"]).exits(0).says("3 booked already and unchanged");
        for copy in copies(&rig).iter().filter(|copy| copy.extension().is_none_or(|end| end != "part")) {
            assert_never_books(&rig, copy);
        }
        assert_eq!(rig.bookings().len(), 3, "{case}");
    }
}

#[test]
fn an_upgrade_without_room_changes_nothing_and_leaves_no_copy() {
    let rig = booked(1);
    let before = std::fs::read(rig.path("ledger.sqlite")).unwrap();
    let mut command = rig.command(&["ledger", "upgrade"]);
    command.env("SHIPSHEET_FAIL_AT", "upgrade:1");
    ran(command).exits(1).says("the disk is full");
    assert_eq!((std::fs::read(rig.path("ledger.sqlite")).unwrap(), copies(&rig)), (before, Vec::new()));
    rig.run(&["ledger", "upgrade"]).exits(0);
    assert_eq!(copies(&rig).len(), 1);
}

#[test]
fn what_is_not_sound_is_not_upgraded() {
    let rig = booked(1);
    let ledger = rig.database();
    ledger.execute_batch("UPDATE run_tallies SET booked = 2, outstanding = 1").unwrap();
    drop(ledger);
    let ran = rig.run(&["ledger", "upgrade"]);
    ran.exits(1).says("is not sound (1 runs whose counts are not those of their orders)").says("nothing was changed");
    assert_eq!((layout(&rig), copies(&rig)), (LAYOUT - 1, Vec::new()));
}

#[test]
fn what_others_put_into_a_ledger_is_not_lost_unsaid_and_statistics_are_in_nobodys_way() {
    let rig = booked(1);
    let ledger = rig.database();
    ledger
        .execute_batch("ANALYZE; CREATE TABLE \"my notes\" (text); CREATE INDEX \"my-index\" ON orders (awb)")
        .unwrap();
    let refused = rig.run(&["ledger", "upgrade"]);
    refused.exits(1).says("the table my notes in it is none of a ledger's").says("nothing was changed");
    assert_eq!((layout(&rig), copies(&rig)), (LAYOUT - 1, Vec::new()));
    ledger.execute_batch("DROP TABLE \"my notes\"").unwrap();
    drop(ledger);
    rig.run(&["ledger", "upgrade"]).exits(0);
    rig.run(&["import", "orders.csv", "--yes"]).exits(0).says("3 booked already and unchanged");
}

#[test]
fn a_ledger_that_somebody_uses_is_not_upgraded() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet_of(3));
    rig.sandbox().script_order("ORD-0003", [Answer::Silent(Duration::from_hours(1))]);
    let live = rig.live("first", &["import", "orders.csv", "--yes", "--concurrency", "1"]);
    wait_until("the import is in the middle", || rig.sandbox().book().requests() == 3);
    // As if the program that books were the older one.
    older(&rig, &["ORD-0001", "ORD-0002", "ORD-0003"], 1);
    let holder = format!("in use by another shipsheet (import, process {}", live.id());
    rig.run(&["ledger", "upgrade"]).exits(1).says(&holder);
    assert_eq!((layout(&rig), copies(&rig)), (LAYOUT - 1, Vec::new()));
    drop(live);
    // One that looks has no lock.
    let reader = rig.database();
    reader.execute_batch("BEGIN; SELECT count(*) FROM orders").unwrap();
    rig.run(&["ledger", "upgrade"]).exits(1).says("the ledger is busy");
    assert_eq!((layout(&rig), copies(&rig)), (LAYOUT - 1, Vec::new()));
    drop(reader);
    // What the killed run left in flight is still there for whoever comes next.
    rig.run(&["ledger", "upgrade"]).exits(0).says("3 orders, 3 attempts");
    rig.run(&["resume", "--yes"]).exits(6).says("in doubt");
    assert_eq!(rig.sandbox().book().requests(), 3);
}

#[test]
fn without_a_ledger_none_is_made_by_an_upgrade() {
    let rig = Rig::new();
    rig.run(&["ledger", "upgrade"]).exits(1).says("there is no ledger at ");
    rig.file("strange.sqlite", "the file of another program");
    rig.run(&["ledger", "upgrade", "--ledger", "strange.sqlite"]).exits(1).says("is not a ledger of shipsheet");
    let left: Vec<_> = std::fs::read_dir(rig.path("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().contains("ledger")), "{left:?}");
}

#[test]
fn a_purge_names_the_copies_that_hold_the_same_people() {
    let rig = booked(1);
    rig.run(&["ledger", "upgrade"]).exits(0);
    let purge = rig.run(&["ledger", "purge", "--older-than", "90d"]);
    purge.exits(0).prints("may hold the same people: ").prints("ledger.sqlite.before-upgrade-20");
}

/// What a ledger holds that was upgraded: orders, states and AWBs.
fn states(rig: &Rig) -> BTreeMap<String, (String, String)> {
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let rows = rig.results(&["--all"]);
    rows.iter().map(|row| (text(&row["order_number"]), (text(&row["state"]), text(&row["awb"])))).collect()
}

/// After a disk failed: the ledger has one of both layouts, can be upgraded, and holds what it held.
pub(crate) fn holds_all(rig: &Rig, failed: &Ran, case: &str) {
    assert!([1, 0].contains(&failed.exit), "{case}: {failed:?}");
    assert!([LAYOUT - 1, LAYOUT].contains(&layout(rig)), "{case}: layout {}", layout(rig));
    let again = rig.run(&["ledger", "upgrade"]);
    assert_eq!((again.exit, layout(rig)), (0, LAYOUT), "{case}: {failed:?} {again:?}");
    let bookings = rig.bookings();
    let states = states(rig);
    assert_eq!(states.len(), bookings.len(), "{case}");
    for (number, awb) in bookings {
        assert_eq!(states[&number], ("booked".to_owned(), awb), "{case}: {number}");
    }
}

/// Three booked orders in the layout before.
pub(crate) fn prepared() -> Rig {
    booked(1)
}
