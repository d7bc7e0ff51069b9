//! Where a ledger is, who holds it, and which copy of it is the real one.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use shipsheet::sandbox::Answer;

use crate::desk::Desk;
use crate::rig::{Live, Ran, Rig, ran, row, sheet, sheet_of, wait_until};

/// An import that waits for the answer to its third order; its ledger has a folder of its own.
fn busy() -> (Rig, Live) {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet_of(6));
    rig.sandbox().script_order("ORD-0003", [Answer::Silent(Duration::from_hours(1))]);
    let import = ["import", "orders.csv", "--yes", "--concurrency", "1", "--ledger", "a/ledger.sqlite"];
    let live = rig.live("first", &import);
    wait_until("the first import is in the middle", || rig.sandbox().book().requests() == 3);
    (rig, live)
}

fn import(rig: &Rig, sheet: &str, ledger: &str) -> Ran {
    rig.run(&["import", sheet, "--yes", "--ledger", ledger])
}

/// Copies a ledger's file, as anybody could.
fn copy(rig: &Rig, from: &str, to: &str) {
    std::fs::copy(rig.path(from), rig.path(to)).unwrap();
}

/// A shell in a mount namespace of its own, where this is allowed.
fn apart(rig: &Rig, script: &str, arguments: &[&str]) -> Option<Ran> {
    let allowed = Command::new("unshare").args(["-m", "true"]).output().is_ok_and(|output| output.status.success());
    let program = rig.command(arguments);
    let mut command = Command::new("unshare");
    command.args(["-m", "sh", "-c", &format!("{script} && exec \"$@\""), "sh"]).arg(program.get_program());
    command.args(program.get_args()).env_clear().current_dir(rig.path(""));
    command.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    allowed.then(|| ran(command))
}

/// Promise 10: the lock holds through links, and if its file is deleted.
#[test]
fn the_lock_holds_when_its_file_is_deleted() {
    let (rig, _live) = busy();
    std::fs::remove_file(rig.path("a/ledger.sqlite.lock")).unwrap();
    let second = import(&rig, "orders.csv", "a/ledger.sqlite");
    second.exits(1).says("in use by another shipsheet (its lock file was deleted");
    rig.run(&["status", "--ledger", "a/ledger.sqlite"]).prints("going on just now").prints_nothing_of("resume");
    assert_eq!(rig.sandbox().book().requests(), 3);
}

#[test]
fn the_lock_holds_when_the_file_is_seen_from_another_folder() {
    let (rig, _live) = busy();
    std::fs::create_dir(rig.path("b")).unwrap();
    // A run goes on with the file that it has opened, wherever that is now.
    std::fs::rename(rig.path("a/ledger.sqlite"), rig.path("b/ledger.sqlite")).unwrap();
    let second = import(&rig, "orders.csv", "b/ledger.sqlite");
    second.exits(1).says("it sees the ledger from another folder or container");
    assert_eq!(rig.sandbox().book().requests(), 3);
}

#[test]
fn a_mounted_folder_is_locked_and_a_mounted_file_is_refused() {
    let (rig, live) = busy();
    std::fs::create_dir(rig.path("b")).unwrap();
    std::fs::write(rig.path("b/ledger.sqlite"), "").unwrap();
    let arguments = ["import", "orders.csv", "--yes", "--ledger", "b/ledger.sqlite"];
    let Some(folder) = apart(&rig, "mount --bind a b", &arguments) else { return };
    folder.exits(1).says("(import, process ");
    drop(live);
    let mount = "mount --bind a/ledger.sqlite b/ledger.sqlite";
    let looking = ["status", "--ledger", "b/ledger.sqlite"];
    let listening = ["service", "webhook", "listen", "--port", "0", "--ledger", "b/ledger.sqlite"];
    for arguments in [&arguments[..], &looking, &listening] {
        // What is allowed for a network disk is not meant.
        rig.file("shipsheet.toml", "[ledger]\nallow_network = true\n");
        let file = apart(&rig, mount, arguments).unwrap();
        file.exits(1).says("mount the folder that holds it");
    }
    assert_eq!(rig.sandbox().book().requests(), 3);
}

/// Promise 10: a copy of a ledger books nothing before a person accepts it, and then the other one books nothing.
#[test]
fn a_copy_elsewhere_books_nothing_and_the_ledger_goes_on() {
    let rig = Rig::new();
    rig.file("one.csv", &sheet([row("A-1")]));
    rig.file("both.csv", &sheet([row("A-1"), row("A-2")]));
    import(&rig, "one.csv", "ledger.sqlite").exits(0);
    rig.run(&["ledger", "backup", "backup.sqlite"]).exits(0);
    copy(&rig, "ledger.sqlite", "copy.sqlite");
    for name in ["backup.sqlite", "copy.sqlite"] {
        let refused = import(&rig, "both.csv", name);
        refused.exits(1).says(format!("{name} is a copy: the ledger itself is "));
        rig.run(&["ledger", "check", "--ledger", name]).exits(0).prints("a copy: the ledger itself is ");
    }
    import(&rig, "both.csv", "ledger.sqlite").exits(0);
    let behind = import(&rig, "both.csv", "backup.sqlite");
    behind.exits(1).says("lacks at least 1 of the attempts");
    assert_eq!(rig.bookings().len(), 2);
    // The ledger is renamed: it stays itself, and its old place says where it is and asks for no backup.
    std::fs::rename(rig.path("ledger.sqlite"), rig.path("renamed.sqlite")).unwrap();
    let gone = import(&rig, "both.csv", "ledger.sqlite");
    gone.exits(1).says("not a backup");
    import(&rig, "both.csv", "renamed.sqlite").exits(0);
    let gone = import(&rig, "both.csv", "ledger.sqlite");
    gone.exits(1).says("renamed.sqlite").says("name that one with --ledger");
}

#[test]
fn an_accepted_copy_books_and_the_ledger_it_was_copied_from_does_not() {
    let rig = Rig::new();
    rig.file("one.csv", &sheet([row("A-1")]));
    rig.file("both.csv", &sheet([row("A-1"), row("A-2")]));
    import(&rig, "one.csv", "ledger.sqlite").exits(0);
    copy(&rig, "ledger.sqlite", "copy.sqlite");
    let accept = ["ledger", "accept", "--because", "the disk broke", "--yes", "--ledger", "copy.sqlite"];
    rig.run(&accept).exits(0).says("is kept in it");
    import(&rig, "both.csv", "copy.sqlite").exits(0);
    let refused = import(&rig, "both.csv", "ledger.sqlite");
    refused.exits(1).says("copy.sqlite").says("use that one with --ledger");
    assert_eq!(rig.bookings().len(), 2);
}

/// Whether the ledger of this name books.
fn books(rig: &Rig, name: &str, number: &str) -> bool {
    rig.file("next.csv", &sheet([row("A-1"), row(number)]));
    rig.path(name).exists() && import(rig, "next.csv", name).exit == 0
}

/// An import of the same sheet by somebody with another home, who shares no marks.
fn from_elsewhere(rig: &Rig, name: &str) -> Ran {
    let mut command = rig.command(&["import", "one.csv", "--yes", "--ledger", name]);
    command.env("HOME", rig.path("elsewhere")).env("XDG_STATE_HOME", rig.path("elsewhere/state"));
    ran(command)
}

#[test]
fn an_old_place_books_nothing_for_a_user_who_shares_no_marks() {
    let rig = Rig::new();
    rig.file("one.csv", &sheet([row("A-1")]));
    import(&rig, "one.csv", "ledger.sqlite").exits(0);
    let moved = rig.run(&["ledger", "move", "new/ledger.sqlite"]);
    moved.exits(0).says("a small file stays at ");
    let refused = from_elsewhere(&rig, "ledger.sqlite");
    refused.exits(1).says("was moved to ").says("new/ledger.sqlite");
    assert_eq!(rig.bookings().len(), 1);
    rig.run(&["ledger", "move", "ledger.sqlite", "--ledger", "new/ledger.sqlite"]).exits(0);
    assert!(books(&rig, "ledger.sqlite", "A-2"));
    let refused = from_elsewhere(&rig, "new/ledger.sqlite");
    refused.exits(1).says("was moved to ");
    assert_eq!(rig.bookings().len(), 2);
}

/// Promise 10: a move that ends at any step leaves at most one ledger that books, and can be finished.
#[test]
fn a_move_that_is_interrupted_anywhere_leaves_one_ledger_and_can_be_finished() {
    // Where a rename fails, the ledger goes to another file system.
    for (other_disk, steps) in [(false, 4), (true, 6)] {
        let mut clean = false;
        for step in 1..=steps {
            let case = format!("to another disk: {other_disk}, step {step}");
            let rig = Rig::new();
            rig.file("one.csv", &sheet([row("A-1")]));
            assert_eq!(import(&rig, "one.csv", "ledger.sqlite").exit, 0, "{case}");
            let mut command = rig.command(&["ledger", "move", "new/ledger.sqlite"]);
            command.env("SHIPSHEET_CRASH_AT", format!("move:{step}"));
            if other_disk {
                command.env("SHIPSHEET_FAIL_AT", "rename:1");
            }
            clean = ran(command).exit == 0;
            assert_eq!(clean, step == steps, "{case}");
            let names = ["ledger.sqlite", "new/ledger.sqlite.part", "new/ledger.sqlite"];
            let booking = names.iter().filter(|name| books(&rig, name, "A-2")).count();
            assert!(booking <= 1, "{case}: {booking} ledgers book");
            let again = rig.run(&["ledger", "move", "new/ledger.sqlite"]);
            assert!(clean || again.exit == 0, "{case}: {again:?}");
            assert!(books(&rig, "new/ledger.sqlite", "A-3"), "{case}");
            let stranger = from_elsewhere(&rig, "ledger.sqlite");
            assert!(stranger.exit == 1 && stranger.stderr.contains("was moved to "), "{case}: {stranger:?}");
            assert!(!books(&rig, "ledger.sqlite", "A-4"), "{case}");
            let checked = rig.run(&["ledger", "check", "--ledger", "new/ledger.sqlite"]);
            assert!(checked.exit == 0 && !checked.stdout.contains("a copy"), "{case}: {checked:?}");
        }
        assert!(clean, "the last step is the end");
    }
}

#[test]
fn whatever_a_desk_takes_in_around_a_move_goes_with_the_ledger() {
    for (other_disk, steps) in [(false, 3), (true, 5)] {
        for step in 1..=steps {
            let case = format!("to another disk: {other_disk}, step {step}");
            let rig = Rig::new();
            rig.file("one.csv", &sheet([row("A-1")]));
            import(&rig, "one.csv", "ledger.sqlite").exits(0);
            let desk = Desk::open(&rig, &[]);
            let token = desk.token();
            desk.drop_from(&token, "statement", "before.csv", "Order Number,AWB\nZ-1,77889900\n");
            let mut command = rig.command(&["ledger", "move", "new/ledger.sqlite"]);
            command.env("SHIPSHEET_CRASH_AT", format!("move:{step}"));
            if other_disk {
                command.env("SHIPSHEET_FAIL_AT", "rename:1");
            }
            ran(command);
            let list = desk.drop_from(&token, "statement", "list.csv", "Order Number,AWB\nZ-2,77889901\n");
            let dropped = desk.drop_from(&token, "sheets", "open.csv", &sheet([row("B-1")]));
            rig.run(&["ledger", "move", "new/ledger.sqlite"]).exits(0);
            let ledger = rusqlite::Connection::open(rig.path("new/ledger.sqlite")).unwrap();
            let lists = || -> Vec<String> {
                let mut names = ledger.prepare("SELECT name FROM statements ORDER BY source_id").unwrap();
                names.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
            };
            let wanted: &[&str] = if list.status == 303 { &["before.csv", "list.csv"] } else { &["before.csv"] };
            assert_eq!(lists(), wanted, "{case}: {list:?}");
            let drafts: i64 = ledger.query_row("SELECT count(*) FROM drafts", [], |row| row.get(0)).unwrap();
            assert_eq!(drafts > 0, dropped.status == 303, "{case}: {dropped:?}");
            // What comes later stays nowhere.
            for (place, name) in [("statement", "late.csv"), ("sheets", "late-orders.csv")] {
                let late = desk.drop_from(&token, place, name, "Order Number,AWB\nZ-3,77889902\n");
                assert!(late.body.contains("was moved to "), "{case}: {late:?}");
            }
            assert_eq!(lists(), wanted, "{case}");
        }
    }
}

#[test]
fn an_old_file_says_where_its_ledger_went() {
    let rig = Rig::booked("", 2);
    let mut command = rig.command(&["ledger", "move", "new.sqlite"]);
    command.env("SHIPSHEET_FAIL_AT", "rename:1");
    let moved = ran(command);
    moved.exits(0).says("may be deleted");
    for arguments in [&["resume", "--yes"][..], &["status"], &["ledger", "accept", "--because", "x", "--yes"]] {
        rig.run(arguments).exits(1).says("was moved to ").says("new.sqlite");
    }
    let insert = "INSERT INTO attempts (order_id, n, request_id, run_id, intent_ms) VALUES (1, 2, 1, 1, 1)";
    let error = rig.database().execute_batch(insert).unwrap_err().to_string();
    assert!(error.contains("an attempt begins once"), "{error}");
}

#[test]
fn a_move_takes_up_what_the_spool_keeps() {
    let rig = Rig::new().patient_for("0.01");
    rig.file("orders.csv", &sheet_of(3));
    let mut command = rig.command(&["import", "orders.csv", "--yes", "--concurrency", "1"]);
    command.env("SHIPSHEET_FAIL_AT", "commit:2");
    ran(command).exits(6);
    rig.run(&["ledger", "move", "new.sqlite"]).exits(0);
    rig.run(&["resume", "--yes", "--ledger", "new.sqlite"]).exits(0);
    assert_eq!(rig.bookings().len(), 3);
    rig.run(&["ledger", "check", "--ledger", "new.sqlite"]).exits(0);
}

#[test]
fn what_is_planted_beside_a_ledger_is_neither_followed_nor_changed() {
    let planted = |name: &str, mark: bool| {
        let rig = Rig::new();
        rig.file("one.csv", &sheet([row("A-1")]));
        rig.file("two.csv", &sheet([row("A-2")]));
        import(&rig, "one.csv", "ledger.sqlite").exits(0);
        let victim = rig.file("victim", "what was here before\n");
        std::fs::set_permissions(&victim, std::fs::Permissions::from_mode(0o644)).unwrap();
        let links: Vec<_> = if mark {
            let marks = rig.path(".local/state/shipsheet/marks");
            std::fs::read_dir(marks).unwrap().map(|entry| entry.unwrap().path()).collect()
        } else {
            vec![rig.path(name)]
        };
        for link in &links {
            let _ = std::fs::remove_file(link);
            symlink(&victim, link).unwrap();
        }
        let ran = import(&rig, "two.csv", "ledger.sqlite");
        ran.says("it is a symbolic link");
        assert_eq!(ran.exit, i32::from(!mark), "{name}: {ran:?}");
        assert_eq!(rig.read("victim"), "what was here before\n", "{name}");
        assert_eq!(victim.metadata().unwrap().permissions().mode() & 0o777, 0o644, "{name}");
    };
    for suffix in [".lock", ".spool", "-wal", "-shm", "-journal"] {
        planted(&format!("ledger.sqlite{suffix}"), false);
    }
    planted("the marks", true);
}

#[test]
fn a_booking_without_a_mark_says_so() {
    let rig = Rig::new();
    for (number, home, state) in [("A-1", "no/whole/path", None), ("A-2", "", Some("file"))] {
        rig.file("file", "no folder");
        rig.file("orders.csv", &sheet([row(number)]));
        let mut command = rig.command(&["import", "orders.csv", "--yes", "--quiet"]);
        command.env("HOME", if home.is_empty() { rig.path("") } else { home.into() });
        if let Some(state) = state {
            command.env("XDG_STATE_HOME", rig.path(state));
        }
        ran(command).exits(0).says("would not be noticed; set HOME, or XDG_STATE_HOME");
    }
    let quiet = import(&rig, "orders.csv", "ledger.sqlite");
    quiet.exits(0).says_nothing_of("XDG_STATE_HOME");
    rig.file("orders.csv", &sheet([row("A-3")]));
    let mut command = rig.command(&["import", "orders.csv", "--yes"]);
    command.env("HOME", "no/whole/path").env("XDG_STATE_HOME", rig.path("state"));
    let named = ran(command);
    named.exits(0).says_nothing_of("warning: nothing outside");
    assert!(Path::new(&rig.path("state/shipsheet/marks")).is_dir(), "the folder that is named is used");
}

#[test]
fn a_ledger_named_by_an_address_is_refused_without_its_password() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet_of(1));
    let refused = import(&rig, "orders.csv", "mysql://shop:geheim@db.example/orders");
    refused.exits(1).says("an address that begins with mysql://").says_nothing_of("geheim");
    assert!(!rig.path("mysql:").exists());
}
