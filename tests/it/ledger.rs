//! The ledger through the program: a disk that fails, a ledger that is not the one that was, copies and evidence.

use std::process::Stdio;
use std::time::Duration;

use shipsheet::sandbox::Answer;

use crate::rig::{Ran, Rig, ran, row, sheet, sheet_of, wait_until};

/// Imports with one thing going wrong, then goes on without it until nothing is left.
fn fail_then_resume(rig: &Rig, mut command: std::process::Command, case: &str) -> Ran {
    command.args(["import", "orders.csv", "--yes", "--concurrency", "3"]);
    let failed = ran(command);
    let resumed = rig.run(&["import", "orders.csv", "--yes"]);
    if !case.starts_with("committed") {
        assert_eq!(resumed.exit, 0, "{case}: {failed:?} {resumed:?}");
    }
    failed
}

/// Orders whose intent was written by a commit that was reported as failed: in doubt, and never sent.
fn settle_doubts(rig: &Rig, case: &str) {
    let doubts: Vec<String> = rig
        .results(&["--all", "--state", "in_doubt"])
        .iter()
        .map(|row| row["order_number"].as_str().unwrap().to_owned())
        .collect();
    assert!(doubts.len() <= 3, "{case}: {doubts:?}");
    for order in &doubts {
        assert!(rig.bookings().iter().all(|(booked, _)| booked != order), "{case}: the answer of {order} was lost");
        rig.run(&["doubt", "not-booked", order, "--because", "not in the portal"]).exits(0);
    }
    assert_eq!(rig.run(&["resume", "--yes"]).exit, 0, "{case}");
}

/// Every order is booked once, and the ledger has the service's own AWBs.
fn assert_settled(rig: &Rig, orders: usize, case: &str) {
    let mut theirs = rig.bookings();
    let mut ours: Vec<(String, String)> = rig
        .results(&["--all"])
        .iter()
        .map(|row| (row["order_number"].as_str().unwrap().to_owned(), row["awb"].as_str().unwrap_or("none").to_owned()))
        .collect();
    theirs.sort();
    ours.sort();
    assert_eq!((theirs.len(), &ours), (orders, &theirs), "{case}");
    let checked = rig.run(&["ledger", "check"]);
    assert_eq!(checked.exit, 0, "{case}: {checked:?}");
}

#[test]
fn a_write_that_fails_at_any_step_costs_no_answer() {
    // `committed` is the worst: the write is reported as failed, and yet it may be on the disk.
    for point in ["stage", "commit", "committed", "finish"] {
        let mut clean = false;
        for pass in 1..40 {
            let case = format!("{point}:{pass}");
            let rig = Rig::new().patient_for("0.01");
            rig.file("orders.csv", &sheet_of(5));
            let mut command = rig.command(&[]);
            command.env("SHIPSHEET_FAIL_AT", &case);
            let failed = fail_then_resume(&rig, command, &case);
            settle_doubts(&rig, &case);
            assert_settled(&rig, 5, &case);
            clean = failed.exit == 0 && !failed.stderr.contains("could not be recorded");
            if clean {
                break;
            }
            assert!(
                failed.stderr.contains("disk is full") || failed.stdout.contains("disk is full"),
                "{case} {failed:?}"
            );
        }
        assert!(clean, "{point}: the sweep never came to its end");
    }
}

/// Answers lie beside the ledger, and a start that does not see them marks their orders as in doubt.
#[test]
fn answers_that_are_found_again_settle_what_was_marked_as_in_doubt_meanwhile() {
    let rig = Rig::new().patient_for("0.01");
    rig.file("orders.csv", &sheet_of(6));
    let mut command = rig.command(&["import", "orders.csv", "--yes", "--concurrency", "3"]);
    command.env("SHIPSHEET_FAIL_AT", "commit:5");
    ran(command).exits(6).says("disk is full");
    let (spool, aside) = (rig.path("ledger.sqlite.spool"), rig.path("aside"));
    std::fs::rename(&spool, &aside).unwrap();
    let blind = rig.run(&["resume", "--yes"]);
    let doubts = rig.results(&["--all", "--state", "in_doubt"]).len();
    assert!(doubts > 0, "{blind:?}");
    std::fs::rename(&aside, &spool).unwrap();
    let found = rig.run(&["resume", "--yes"]);
    found.says("that the ledger could not take when they came are in it now");
    assert_settled(&rig, 6, "the spool was found again");
    rig.run(&["ledger", "check"]).exits(0);
}

/// The system itself refuses every write beyond a size: the database's log cannot grow, whatever it is doing.
#[cfg(unix)]
#[test]
fn a_file_system_that_refuses_to_grow_costs_no_answer() {
    let mut refused = 0;
    for kibibytes in (1_050..2_050).step_by(125) {
        let case = format!("{kibibytes} KiB");
        let rig = Rig::new().patient_for("0.01");
        rig.file("orders.csv", &sheet_of(120));
        let program = rig.command(&[]);
        let mut command = std::process::Command::new("sh");
        // The limit counts blocks of 512 bytes; its signal would end the program.
        let script = format!("trap '' XFSZ; ulimit -f {}; exec \"$@\"", kibibytes * 2);
        command.args(["-c", &script, "sh"]).arg(program.get_program()).env_clear().current_dir(rig.path("."));
        command.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let failed = fail_then_resume(&rig, command, &case);
        refused += u32::from(failed.exit != 0);
        assert_settled(&rig, 120, &case);
    }
    assert!(refused > 0, "no limit was ever met");
}

/// Promise 10: a restored backup books nothing before a person accepts it.
#[test]
fn a_restored_backup_books_nothing_until_a_person_accepts_it() {
    let rig = Rig::new();
    rig.file("one.csv", &sheet([row("A-1")]));
    rig.file("both.csv", &sheet([row("A-1"), row("A-2")]));
    rig.run(&["import", "one.csv", "--yes"]).exits(0);
    rig.run(&["ledger", "backup", "monday.sqlite"]).exits(0);
    let again = rig.run(&["ledger", "backup", "monday.sqlite"]);
    again.exits(1).says("monday.sqlite is there already: name another one");
    rig.run(&["import", "both.csv", "--yes"]).exits(0);
    for companion in ["ledger.sqlite-wal", "ledger.sqlite-shm"] {
        let _ = std::fs::remove_file(rig.path(companion));
    }
    std::fs::copy(rig.path("monday.sqlite"), rig.path("ledger.sqlite")).unwrap();
    for arguments in [["import", "both.csv", "--yes"].as_slice(), &["resume", "--yes"], &["retry", "--yes"]] {
        rig.run(arguments).exits(1).says("older than it was: it lacks at least 1 of the attempts");
    }
    assert_eq!(rig.bookings().len(), 2, "nothing was booked again");
    assert_eq!(rig.run(&["status"]).exit, 0, "reading goes on");
    assert_eq!(rig.run(&["ledger", "accept", "--yes"]).exit, 2, "a reason is asked for");
    rig.run(&["ledger", "accept", "--because", " ", "--yes"]).exits(1).says("write it behind --because");
    rig.run(&["ledger", "accept", "--because", "Monday's backup; the portal was looked through"]).exits(2);
    assert_eq!(rig.run(&["import", "one.csv", "--yes"]).exit, 1, "nobody has said yes");
    let accept = ["ledger", "accept", "--because", "Monday's backup; the portal was looked through", "--yes"];
    rig.run(&accept).exits(0).says("is kept in it");
    rig.run(&accept).says("nothing was held against");
    let checked = rig.run(&["ledger", "check"]);
    checked.exits(0);
    for part in
        ["by tester on ", "1 of the 2 attempts that were noted", "Monday's backup; the portal was looked through"]
    {
        checked.prints(part);
    }
    let (_, document) = rig.json(&["ledger", "check"]);
    assert_eq!(document["acceptances"].as_array().unwrap().len(), 1, "{document}");
    rig.run(&["import", "one.csv", "--yes"]).exits(0);
}

/// Promise 10: a ledger that is gone is replaced only once a person accepts it.
#[test]
fn a_ledger_that_is_gone_or_lies_in_a_cloud_folder_stops_a_run() {
    let rig = Rig::new();
    rig.import_text(&sheet_of(2)).exits(0);
    std::fs::rename(rig.path("ledger.sqlite"), rig.path("elsewhere.sqlite")).unwrap();
    let gone = rig.run(&["import", "orders.csv", "--yes"]);
    gone.exits(1).says("is gone: it knew 2 attempts");
    let synced = ["import", "orders.csv", "--yes", "--ledger", "Dropbox/ledger.sqlite"];
    rig.run(&synced).exits(1).says("allow_network = true");
    assert_eq!(rig.bookings().len(), 2);
    rig.file("shipsheet.toml", "[ledger]\nfile = \"Dropbox/ledger.sqlite\"\nallow_network = true\n");
    rig.file("other.csv", &sheet([row("B-1")]));
    let mut command = rig.command(&["import", "other.csv", "--yes"]);
    command.env_remove("SHIPSHEET_LEDGER");
    ran(command).exits(0);
    assert!(rig.path("Dropbox/ledger.sqlite").exists());
}

#[test]
fn evidence_can_be_shown_and_computed_again() {
    let rig = Rig::new();
    rig.import_text(&sheet_of(2)).exits(0);
    let shown = rig.run(&["show", "ORD-0002", "--evidence"]);
    shown.exits(0);
    let line = |name: &str| {
        // Its source is bound before its attempt.
        let line = shown.stdout.lines().rfind(|line| line.trim_start().starts_with(name)).unwrap();
        line.trim_start().trim_start_matches(name).trim().to_owned()
    };
    let awb = &rig.bookings().into_iter().find(|(order, _)| order == "ORD-0002").unwrap().1;
    assert!(line("text").contains(awb.as_str()) && line("answer").contains(awb.as_str()), "{shown:?}");
    #[cfg(unix)]
    {
        let computed = std::process::Command::new("sh").args(["-c", &line("check")]).output().unwrap();
        assert!(String::from_utf8(computed.stdout).unwrap().starts_with(&line("hash")));
    }
    rig.run(&["show", "NOBODY", "--evidence"]).exits(1);
}

#[test]
fn answers_that_come_while_a_commit_fails_are_kept_at_once() {
    let rig = Rig::faulty("latency=3ms,jitter=6ms");
    rig.file("orders.csv", &sheet_of(1_000));
    // The run cannot end, and no later answer comes to take the others along.
    rig.sandbox().script_order("ORD-0040", [Answer::Silent(Duration::from_hours(1))]);
    let mut command = rig.command(&["import", "orders.csv", "--yes", "--concurrency", "64"]);
    command.env("SHIPSHEET_FAIL_AT", "commit:40").stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let kept = || {
        let spool = std::fs::read(rig.path("ledger.sqlite.spool")).unwrap_or_default();
        let spool = String::from_utf8_lossy(&spool).into_owned();
        let database = rig.database();
        let booked = |awb: &str| database.query_row("SELECT 1 FROM orders WHERE awb = ?1", [awb], |_| Ok(())).is_ok();
        let bookings = rig.bookings();
        let answered = rig.sandbox().book().requests() <= bookings.len() as u64 + 1;
        (answered && !spool.trim_matches('\0').is_empty())
            && bookings.iter().all(|(number, awb)| number == "ORD-0040" || spool.contains(awb) || booked(awb))
    };
    wait_until("every AWB is in the ledger or beside it", kept);
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Runs a line of the shell with the rig's folder on a read-only file system; nothing where this machine allows none.
#[cfg(target_os = "linux")]
fn sealed(rig: &Rig, line: &str) -> Option<Ran> {
    let allowed = std::process::Command::new("unshare").args(["-rm", "true"]).output();
    if !allowed.is_ok_and(|output| output.status.success()) {
        return None;
    }
    let mut command = std::process::Command::new("unshare");
    let script = format!("mount --bind . . && mount -o remount,ro,bind . && cd \"$PWD\" && {line}");
    let program = rig.command(&[]);
    command.args(["-rm", "sh", "-c", &script]).env_clear().current_dir(rig.path("."));
    command.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.env("SHIPSHEET", program.get_program());
    Some(ran(command))
}

#[cfg(target_os = "linux")]
#[test]
fn a_ledger_on_a_read_only_file_system_is_read_where_it_lies() {
    let rig = Rig::booked("", 2);
    for (line, says) in [
        ("$SHIPSHEET status", "2 of 2 orders booked"),
        ("$SHIPSHEET show ORD-0001", "booked"),
        ("D=$(mktemp -d) && $SHIPSHEET export --to $D/r.csv && cat $D/r.csv && rm -r $D", "ORD-0002,booked"),
        ("$SHIPSHEET ledger check", "sound"),
    ] {
        let Some(read) = sealed(&rig, line) else { return };
        read.exits(0).prints(says);
    }
    let refused = sealed(&rig, "$SHIPSHEET import orders.csv --yes").unwrap();
    refused.exits(1).says("Read-only file system");
    // A log that was left behind is a part of the ledger.
    let held = rig.database();
    held.execute_batch("PRAGMA wal_autocheckpoint = 0; CREATE TABLE more (x); DROP TABLE more").unwrap();
    let copies = [("", "copy.sqlite"), ("-wal", "copy.sqlite-wal")];
    for (suffix, to) in copies {
        std::fs::copy(rig.path(&format!("ledger.sqlite{suffix}")), rig.path(to)).unwrap();
    }
    let refused = sealed(&rig, "$SHIPSHEET --ledger copy.sqlite status").unwrap();
    refused.exits(1).says("copy both files to a folder of your own");
    assert_eq!(rig.run(&["--ledger", "copy.sqlite", "status"]).exit, 0, "elsewhere the copies are read");
}
