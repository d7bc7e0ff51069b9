//! Where a ledger is, who holds it, and which copy of it is the real one.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use shipsheet::sandbox::Answer;

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

#[test]
fn the_lock_holds_when_its_file_is_deleted() {
    let (rig, _live) = busy();
    std::fs::remove_file(rig.path("a/ledger.sqlite.lock")).unwrap();
    let second = import(&rig, "orders.csv", "a/ledger.sqlite");
    assert_eq!(second.code, 1, "{second:?}");
    assert!(second.stderr.contains("in use by another shipsheet (its lock file was deleted"), "{second:?}");
    let status = rig.run(&["status", "--ledger", "a/ledger.sqlite"]);
    assert!(status.stdout.contains("going on just now") && !status.stdout.contains("resume"), "{status:?}");
    assert_eq!(rig.sandbox().book().requests(), 3);
}

#[test]
fn the_lock_holds_when_the_file_is_seen_from_another_folder() {
    let (rig, _live) = busy();
    std::fs::create_dir(rig.path("b")).unwrap();
    // A run goes on with the file that it has opened, wherever that is now.
    std::fs::rename(rig.path("a/ledger.sqlite"), rig.path("b/ledger.sqlite")).unwrap();
    let second = import(&rig, "orders.csv", "b/ledger.sqlite");
    assert_eq!(second.code, 1, "{second:?}");
    assert!(second.stderr.contains("it sees the ledger from another folder or container"), "{second:?}");
    assert_eq!(rig.sandbox().book().requests(), 3);
}

#[test]
fn a_mounted_folder_is_locked_and_a_mounted_file_is_refused() {
    let (rig, live) = busy();
    std::fs::create_dir(rig.path("b")).unwrap();
    std::fs::write(rig.path("b/ledger.sqlite"), "").unwrap();
    let arguments = ["import", "orders.csv", "--yes", "--ledger", "b/ledger.sqlite"];
    let Some(folder) = apart(&rig, "mount --bind a b", &arguments) else { return };
    assert!(folder.code == 1 && folder.stderr.contains("(import, process "), "{folder:?}");
    drop(live);
    let mount = "mount --bind a/ledger.sqlite b/ledger.sqlite";
    let looking = ["status", "--ledger", "b/ledger.sqlite"];
    let listening = ["webhook", "listen", "--port", "0", "--ledger", "b/ledger.sqlite"];
    for arguments in [&arguments[..], &looking, &listening] {
        // What is allowed for a network disk is not meant.
        rig.file("shipsheet.toml", "[ledger]\nallow_network = true\n");
        let file = apart(&rig, mount, arguments).unwrap();
        assert!(file.code == 1 && file.stderr.contains("mount the folder that holds it"), "{file:?}");
    }
    assert_eq!(rig.sandbox().book().requests(), 3);
}

#[test]
fn a_copy_elsewhere_books_nothing_and_the_ledger_goes_on() {
    let rig = Rig::new();
    rig.file("one.csv", &sheet([row("A-1")]));
    rig.file("both.csv", &sheet([row("A-1"), row("A-2")]));
    assert_eq!(import(&rig, "one.csv", "ledger.sqlite").code, 0);
    assert_eq!(rig.run(&["ledger", "backup", "backup.sqlite"]).code, 0);
    copy(&rig, "ledger.sqlite", "copy.sqlite");
    for name in ["backup.sqlite", "copy.sqlite"] {
        let refused = import(&rig, "both.csv", name);
        assert_eq!(refused.code, 1, "{refused:?}");
        assert!(refused.stderr.contains(&format!("{name} is a copy: the ledger itself is ")), "{refused:?}");
        let checked = rig.run(&["ledger", "check", "--ledger", name]);
        assert!(checked.code == 0 && checked.stdout.contains("a copy: the ledger itself is "), "{checked:?}");
    }
    assert_eq!(import(&rig, "both.csv", "ledger.sqlite").code, 0);
    let behind = import(&rig, "both.csv", "backup.sqlite");
    assert!(behind.code == 1 && behind.stderr.contains("lacks at least 1 of the attempts"), "{behind:?}");
    assert_eq!(rig.bookings().len(), 2);
    // The ledger is renamed: it stays itself, and its old place says where it is and asks for no backup.
    std::fs::rename(rig.path("ledger.sqlite"), rig.path("renamed.sqlite")).unwrap();
    let gone = import(&rig, "both.csv", "ledger.sqlite");
    assert!(gone.code == 1 && gone.stderr.contains("not a backup"), "{gone:?}");
    assert_eq!(import(&rig, "both.csv", "renamed.sqlite").code, 0);
    let gone = import(&rig, "both.csv", "ledger.sqlite");
    assert!(gone.code == 1 && gone.stderr.contains("renamed.sqlite: name that one with --ledger"), "{gone:?}");
}

#[test]
fn an_accepted_copy_books_and_the_ledger_it_was_copied_from_does_not() {
    let rig = Rig::new();
    rig.file("one.csv", &sheet([row("A-1")]));
    rig.file("both.csv", &sheet([row("A-1"), row("A-2")]));
    assert_eq!(import(&rig, "one.csv", "ledger.sqlite").code, 0);
    copy(&rig, "ledger.sqlite", "copy.sqlite");
    let accept = ["ledger", "accept", "--because", "the disk broke", "--yes", "--ledger", "copy.sqlite"];
    let accepted = rig.run(&accept);
    assert!(accepted.code == 0 && accepted.stderr.contains("is kept in it"), "{accepted:?}");
    assert_eq!(import(&rig, "both.csv", "copy.sqlite").code, 0);
    let refused = import(&rig, "both.csv", "ledger.sqlite");
    assert!(refused.code == 1 && refused.stderr.contains("copy.sqlite: use that one with --ledger"), "{refused:?}");
    assert_eq!(rig.bookings().len(), 2);
}

/// Whether the ledger of this name books.
fn books(rig: &Rig, name: &str, number: &str) -> bool {
    rig.file("next.csv", &sheet([row("A-1"), row(number)]));
    rig.path(name).exists() && import(rig, "next.csv", name).code == 0
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
    assert_eq!(import(&rig, "one.csv", "ledger.sqlite").code, 0);
    let moved = rig.run(&["ledger", "move", "new/ledger.sqlite"]);
    assert!(moved.code == 0 && moved.stderr.contains("a small file stays at "), "{moved:?}");
    let refused = from_elsewhere(&rig, "ledger.sqlite");
    assert_eq!(refused.code, 1, "{refused:?}");
    assert!(refused.stderr.contains("was moved to ") && refused.stderr.contains("new/ledger.sqlite"), "{refused:?}");
    assert_eq!(rig.bookings().len(), 1);
    let back = rig.run(&["ledger", "move", "ledger.sqlite", "--ledger", "new/ledger.sqlite"]);
    assert_eq!(back.code, 0, "{back:?}");
    assert!(books(&rig, "ledger.sqlite", "A-2"));
    let refused = from_elsewhere(&rig, "new/ledger.sqlite");
    assert!(refused.code == 1 && refused.stderr.contains("was moved to "), "{refused:?}");
    assert_eq!(rig.bookings().len(), 2);
}

#[test]
fn a_move_that_is_interrupted_anywhere_leaves_one_ledger_and_can_be_finished() {
    // Where a rename fails, the ledger goes to another file system.
    for (other_disk, steps) in [(false, 4), (true, 6)] {
        let mut clean = false;
        for step in 1..=steps {
            let case = format!("to another disk: {other_disk}, step {step}");
            let rig = Rig::new();
            rig.file("one.csv", &sheet([row("A-1")]));
            assert_eq!(import(&rig, "one.csv", "ledger.sqlite").code, 0, "{case}");
            let mut command = rig.command(&["ledger", "move", "new/ledger.sqlite"]);
            command.env("SHIPSHEET_CRASH_AT", format!("move:{step}"));
            if other_disk {
                command.env("SHIPSHEET_FAIL_AT", "rename:1");
            }
            clean = ran(command).code == 0;
            assert_eq!(clean, step == steps, "{case}");
            let names = ["ledger.sqlite", "new/ledger.sqlite.part", "new/ledger.sqlite"];
            let booking = names.iter().filter(|name| books(&rig, name, "A-2")).count();
            assert!(booking <= 1, "{case}: {booking} ledgers book");
            let again = rig.run(&["ledger", "move", "new/ledger.sqlite"]);
            assert!(clean || again.code == 0, "{case}: {again:?}");
            assert!(books(&rig, "new/ledger.sqlite", "A-3"), "{case}");
            let stranger = from_elsewhere(&rig, "ledger.sqlite");
            assert!(stranger.code == 1 && stranger.stderr.contains("was moved to "), "{case}: {stranger:?}");
            assert!(!books(&rig, "ledger.sqlite", "A-4"), "{case}");
            let checked = rig.run(&["ledger", "check", "--ledger", "new/ledger.sqlite"]);
            assert!(checked.code == 0 && !checked.stdout.contains("a copy"), "{case}: {checked:?}");
        }
        assert!(clean, "the last step is the end");
    }
}

#[test]
fn an_old_file_says_where_its_ledger_went() {
    let rig = Rig::booked("", 2);
    let mut command = rig.command(&["ledger", "move", "new.sqlite"]);
    command.env("SHIPSHEET_FAIL_AT", "rename:1");
    let moved = ran(command);
    assert!(moved.code == 0 && moved.stderr.contains("may be deleted"), "{moved:?}");
    for arguments in [&["resume", "--yes"][..], &["status"], &["ledger", "accept", "--because", "x", "--yes"]] {
        let refused = rig.run(arguments);
        assert_eq!(refused.code, 1, "{refused:?}");
        assert!(refused.stderr.contains("was moved to ") && refused.stderr.contains("new.sqlite"), "{refused:?}");
    }
    let insert = "INSERT INTO attempts (order_id, n, request_id, run_id, intent_ms) VALUES (1, 2, 1, 1, 1)";
    let error = rig.database().execute_batch(insert).unwrap_err().to_string();
    assert!(error.contains("an attempt begins once"), "{error}");
}

#[test]
fn a_move_takes_up_what_the_spool_keeps() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet_of(3));
    let mut command = rig.command(&["import", "orders.csv", "--yes", "--concurrency", "1"]);
    command.env("SHIPSHEET_FAIL_AT", "commit:2");
    assert_eq!(ran(command).code, 6);
    assert_eq!(rig.run(&["ledger", "move", "new.sqlite"]).code, 0);
    let finished = rig.run(&["resume", "--yes", "--ledger", "new.sqlite"]);
    assert_eq!(finished.code, 0, "{finished:?}");
    assert_eq!(rig.bookings().len(), 3);
    assert_eq!(rig.run(&["ledger", "check", "--ledger", "new.sqlite"]).code, 0);
}

#[test]
fn what_is_planted_beside_a_ledger_is_neither_followed_nor_changed() {
    let planted = |name: &str, mark: bool| {
        let rig = Rig::new();
        rig.file("one.csv", &sheet([row("A-1")]));
        rig.file("two.csv", &sheet([row("A-2")]));
        assert_eq!(import(&rig, "one.csv", "ledger.sqlite").code, 0);
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
        assert!(ran.stderr.contains("it is a symbolic link"), "{name}: {ran:?}");
        assert_eq!(ran.code, i32::from(!mark), "{name}: {ran:?}");
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
        let booked = ran(command);
        assert_eq!(booked.code, 0, "{booked:?}");
        assert!(booked.stderr.contains("would not be noticed; set HOME, or XDG_STATE_HOME"), "{booked:?}");
    }
    let quiet = import(&rig, "orders.csv", "ledger.sqlite");
    assert!(quiet.code == 0 && !quiet.stderr.contains("XDG_STATE_HOME"), "{quiet:?}");
    rig.file("orders.csv", &sheet([row("A-3")]));
    let mut command = rig.command(&["import", "orders.csv", "--yes"]);
    command.env("HOME", "no/whole/path").env("XDG_STATE_HOME", rig.path("state"));
    let named = ran(command);
    assert!(named.code == 0 && !named.stderr.contains("warning: nothing outside"), "{named:?}");
    assert!(Path::new(&rig.path("state/shipsheet/marks")).is_dir(), "the folder that is named is used");
}
