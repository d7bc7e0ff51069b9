//! Limits of the system on the program: open files, threads, and the size of files. None of them ends it in a panic or by a
//! signal, and nothing is sent that could not be recorded.

use std::process::{Command, Stdio};

use crate::rig::{Ran, Rig, ran, row, sheet, sheet_of};

/// Runs a command below limits that the shell sets first.
fn below(rig: &Rig, limits: &str, arguments: &[&str]) -> Ran {
    let program = rig.command(&[]);
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{limits}; exec \"$@\""), "sh"]).arg(program.get_program()).args(arguments);
    command.env_clear().current_dir(rig.path(".")).stdin(Stdio::null());
    command.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    ran(command)
}

/// What the shell and the loader say where not even the program itself can be opened.
const NEVER_STARTED: [i32; 2] = [126, 127];

#[test]
fn few_open_files_are_an_error_in_words_and_nothing_is_sent() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet_of(40));
    for files in 3..=40 {
        let limit = format!("ulimit -n {files}");
        let import = ["import", "orders.csv", "--yes", "--concurrency", "32"];
        for arguments in [import.as_slice(), &["check", "orders.csv"], &["status"]] {
            let refused = below(&rig, &limit, arguments);
            assert!(refused.exit == 1 || NEVER_STARTED.contains(&refused.exit), "{files}: {refused:?}");
            let told = refused.stderr.contains("open the 64 files that it may need");
            assert!(told || NEVER_STARTED.contains(&refused.exit), "{files}: {refused:?}");
        }
        assert!(rig.bookings().is_empty(), "{files}: something was sent");
    }
    // Between what a check and what a booking needs.
    let refused = below(&rig, "ulimit -n 100", &["import", "orders.csv", "--yes", "--concurrency", "32"]);
    refused.exits(1).says("the 128 files");
    assert!(rig.bookings().is_empty());
    let checked = below(&rig, "ulimit -n 100", &["check", "orders.csv"]);
    checked.exits(0);
    // What a process may raise itself is raised.
    let booked = below(&rig, "ulimit -S -n 12", &["import", "orders.csv", "--yes", "--concurrency", "32"]);
    assert_eq!((booked.exit, rig.bookings().len()), (0, 40), "{booked:?}");
}

#[test]
fn the_sandbox_in_the_same_process_needs_no_more_files_than_are_tried_out() {
    let rig = Rig::alone();
    rig.file("orders.csv", &sheet_of(200));
    let import = ["--sandbox", "import", "orders.csv", "--concurrency", "32"];
    let booked = below(&rig, "ulimit -n 170", &import);
    booked.exits(0);
}

#[test]
fn little_memory_for_threads_is_no_panic() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet_of(5));
    // A thread's stack takes its room when the thread is started.
    let mut refused = 0;
    for mebibytes in (8..400).step_by(4) {
        let limit = format!("ulimit -v {}", mebibytes * 1024);
        let tried = below(&rig, &limit, &["import", "orders.csv", "--yes"]);
        assert_ne!(tried.exit, 101, "{mebibytes} MiB: {tried:?}");
        refused += u32::from(tried.stderr.contains("let this program start its threads"));
        if tried.exit == 0 {
            break;
        }
        // Where memory runs out once something was sent, its answer is kept.
        let posts = rig.sandbox().book().posts("ORD-0001");
        let is_kept = tried.exit == 6 && tried.stderr.contains("nothing is lost");
        assert!(posts == 0 || is_kept, "{mebibytes} MiB: {tried:?}");
        if is_kept {
            rig.run(&["import", "orders.csv", "--yes"]).exits(0);
            break;
        }
    }
    assert!(refused > 0, "threads were never refused");
    let each = (1..=5).map(|number| rig.sandbox().book().posts(&format!("ORD-{number:04}")));
    assert!(each.max() <= Some(1) && rig.bookings().len() == 5, "nothing twice, nothing lost");
}

#[test]
fn a_limit_on_the_size_of_files_fails_writes_and_kills_nothing() {
    let mut refused = 0;
    for kibibytes in (1_050..2_050).step_by(250) {
        let rig = Rig::new().patient_for("0.01");
        rig.file("orders.csv", &sheet((1..=120).map(|number| row(&format!("ORD-{number:04}")))));
        let limit = format!("ulimit -f {}", kibibytes * 2);
        let stopped = below(&rig, &limit, &["import", "orders.csv", "--yes", "--concurrency", "8"]);
        assert_ne!(stopped.exit, -1, "{kibibytes} KiB: killed by a signal: {stopped:?}");
        refused += u32::from(stopped.exit != 0);
        let goes_on = rig.run(&["import", "orders.csv", "--yes"]);
        assert_eq!(goes_on.exit, 0, "{kibibytes} KiB: {stopped:?} {goes_on:?}");
        assert!(rig.results(&["--all", "--state", "in_doubt"]).is_empty(), "{kibibytes} KiB: {stopped:?}");
        assert_eq!(rig.bookings().len(), 120, "{kibibytes} KiB");
    }
    assert!(refused > 0, "no limit was ever met");
}

#[test]
fn a_helper_that_may_write_no_more_says_so() {
    let rig = Rig::alone();
    let cell = format!(
        "<table:table-cell office:value-type=\"string\"><text:p>{}</text:p></table:table-cell>",
        "x".repeat(500)
    );
    let rows = format!("<table:table-row>{cell}</table:table-row>").repeat(400);
    std::fs::write(rig.path("orders.ods"), crate::files::ods(&rows)).unwrap();
    let refused = below(&rig, "ulimit -f 100", &["check", "orders.ods"]);
    refused.exits(1).says("File too large");
}
