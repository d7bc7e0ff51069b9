//! One run at a time on a ledger, by whatever name it goes; looking is always allowed.

use std::time::Duration;

use shipsheet::sandbox::Answer;

use crate::rig::{Live, Rig, ran, row, sheet, sheet_of, wait_until};
#[cfg(unix)]
use crate::terminal::Terminal;

/// An import that waits for the answer to its third order.
fn busy() -> (Rig, Live) {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet_of(6));
    rig.sandbox().script_order("ORD-0003", [Answer::Silent(Duration::from_hours(1))]);
    let live = rig.live("first", &["import", "orders.csv", "--yes", "--concurrency", "1"]);
    wait_until("the first import is in the middle", || rig.sandbox().book().requests() == 3);
    (rig, live)
}

/// Promise 10: a second writer is refused at once, and told of the first.
#[test]
fn a_second_writer_is_refused_at_once_and_told_of_the_first() {
    let (rig, live) = busy();
    let commands: [&[&str]; 5] = [
        &["import", "orders.csv", "--yes"],
        &["resume", "--yes"],
        &["retry", "--yes"],
        &["doubt", "not-booked", "ORD-0003", "--because", "not in the portal"],
        &["doubt", "booked", "ORD-0003", "--awb", "AWB-1", "--because", "seen in the portal"],
    ];
    for arguments in commands {
        let ran = rig.run(arguments);
        ran.exits(1);
        let holder = format!("(import, process {}, since ", live.id());
        ran.says(&holder);
        assert_eq!(ran.stdout, "", "{arguments:?}");
    }
    assert_eq!(rig.sandbox().book().requests(), 3, "nobody else sent anything");
}

#[cfg(unix)]
#[test]
fn links_to_one_ledger_meet_at_one_lock() {
    let (rig, _live) = busy();
    std::fs::create_dir(rig.path("elsewhere")).unwrap();
    std::os::unix::fs::symlink(rig.path("ledger.sqlite"), rig.path("elsewhere/linked.sqlite")).unwrap();
    std::os::unix::fs::symlink(rig.path(""), rig.path("folder")).unwrap();
    for ledger in ["elsewhere/linked.sqlite", "folder/ledger.sqlite", "./elsewhere/../ledger.sqlite"] {
        let ran = rig.run(&["import", "orders.csv", "--yes", "--ledger", ledger]);
        assert!(ran.exit == 1 && ran.stderr.contains("in use by another shipsheet"), "{ledger}: {ran:?}");
    }
    assert_eq!(rig.sandbox().book().requests(), 3);
}

#[test]
fn looking_is_allowed_meanwhile() {
    let (rig, live) = busy();
    let (code, document) = rig.json(&["status"]);
    let orders = &document["orders"];
    assert_eq!((&orders["total"], &orders["booked"]), (&6.into(), &2.into()), "{document}");
    assert_eq!((code, &document["requests"]), (5, &3.into()), "orders are still to come: {document}");
    let words = rig.run(&["status"]).stdout;
    let holder = format!("going on just now (import, process {}, since ", live.id());
    assert!(words.contains(&holder) && words.contains("next: nothing to do while it is booked"), "{words}");
    assert!(!words.contains("resume"), "nobody can resume what goes on: {words}");
    let rows = rig.results(&[]);
    let states: Vec<&str> = rows.iter().map(|row| row["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["booked", "booked", "outstanding", "outstanding", "outstanding", "outstanding"]);
    let looks: [&[&str]; 6] = [
        &["runs"],
        &["show", "ORD-0001"],
        &["doubt", "list"],
        &["ledger", "check"],
        &["ledger", "backup", "copy.sqlite"],
        &["ledger", "check", "--ledger", "copy.sqlite"],
    ];
    for arguments in looks {
        rig.run(arguments).exits(0);
    }
    rig.run(&["check", "orders.csv"]).exits(0).says("1 on their way just now, by another process");
    assert_eq!(rig.sandbox().book().requests(), 3);
}

#[test]
fn a_killed_run_is_told_as_it_stands_before_anybody_writes() {
    let (rig, live) = busy();
    drop(live);
    let (code, document) = rig.json(&["status"]);
    let orders = &document["orders"];
    assert_eq!((&orders["booked"], &orders["in_doubt"], &orders["outstanding"]), (&2.into(), &1.into(), &3.into()));
    assert_eq!((code, &document["requests"]), (6, &3.into()), "{document}");
    let seconds = document["seconds"].as_f64().unwrap();
    assert_eq!(Some(seconds), rig.json(&["status"]).1["seconds"].as_f64(), "a run that is dead grows no older");
    let words = rig.run(&["status"]).stdout;
    assert!(words.contains("killed before its end") && words.contains("resume --run 1`"), "{words}");
    let rows = rig.results(&["--state", "in_doubt"]);
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert_eq!(rows[0]["order_number"], "ORD-0003");
    assert_eq!(rows[0]["error"], "the run was killed before an answer was kept");
    rig.run(&["show", "ORD-0003"]).prints(": in_doubt");
    let open: i64 =
        rig.database().query_row("SELECT count(*) FROM orders WHERE state = 'sending'", [], |row| row.get(0)).unwrap();
    assert_eq!(open, 1, "looking has written nothing");
}

#[test]
fn a_killed_run_does_not_go_on_because_another_one_does() {
    let (rig, live) = busy();
    drop(live);
    rig.sandbox().script_order("ORD-0004", [Answer::Silent(Duration::from_hours(1))]);
    let _second = rig.live("second", &["resume", "--yes", "--concurrency", "1"]);
    wait_until("the second run is in the middle", || rig.sandbox().book().requests() == 4);
    let status = |run: &str| rig.run(&["status", "--run", run]).stdout;
    assert!(!status("1").contains("going on just now"), "{}", status("1"));
    assert!(status("2").contains("going on just now (resume, "), "{}", status("2"));
}

#[test]
fn the_lock_dies_with_its_process() {
    let (rig, live) = busy();
    // Dropped, it is killed as by SIGKILL.
    drop(live);
    let (code, document) = rig.json(&["resume", "--yes"]);
    assert_eq!((code, &document["orders"]["booked"]), (6, &3.into()), "{document}");
    assert_eq!(rig.bookings().len(), 5);
}

#[test]
fn another_ledger_is_another_matter() {
    let (rig, _live) = busy();
    rig.file("others.csv", &sheet_of(1).replace("ORD-", "OTHER-"));
    rig.run(&["import", "others.csv", "--yes", "--ledger", "other.sqlite"]).exits(0);
    let mut sandbox = rig.command(&["import", "others.csv", "--sandbox"]);
    sandbox.env_remove("SHIPSHEET_LEDGER");
    let own = ran(sandbox);
    assert_eq!(own.exit, 0, "the sandbox has a ledger of its own: {own:?}");
    assert_eq!(rig.sandbox().book().requests(), 4);
}

#[test]
fn a_hard_link_to_a_ledger_is_no_way_around_its_lock() {
    let (rig, live) = busy();
    std::fs::hard_link(rig.path("ledger.sqlite"), rig.path("hard.sqlite")).unwrap();
    rig.run(&["import", "orders.csv", "--yes", "--ledger", "hard.sqlite"]).exits(1).says("hard.sqlite has 2 names");
    assert_eq!(rig.sandbox().book().requests(), 3);
    drop(live);
}

#[cfg(unix)]
#[test]
fn while_a_person_is_asked_others_write_and_what_changed_is_shown_again() {
    let rig = Rig::booked("", 1);
    rig.file("more.csv", &sheet([row("NEW-1"), row("NEW-2")]));
    let mut terminal = Terminal::start(rig.command(&["import", "more.csv"]));
    terminal.shows("Book 2 orders for real?");
    rig.run(&["label", "--run", "1", "--to", "labels.pdf"]).exits(0);
    let printed = "SELECT count(*) FROM label_prints";
    assert_eq!(rig.database().query_row(printed, [], |row| row.get::<_, i64>(0)).unwrap(), 1);
    terminal.answer("[y/N]", "y\n");
    let (code, screen) = terminal.end();
    assert_eq!((code, rig.bookings().len()), (Some(0), 3), "{screen}");
}
