//! `examples/night.sh` through every kind of night: where each sheet lies in the morning, what was mailed, and that each order
//! is booked once.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use shipsheet::sandbox::Answer;

use crate::rig::{Ran, Rig, ran, row, sheet};

/// Keeps what it is given, in the order in which it comes.
const MAIL: &str = "#!/bin/sh\n{ echo \"mail $*\"; cat; } >>\"$HOME/mail.txt\"\n";

/// A folder with an inbox, a service and a `mail` command.
fn bench() -> Rig {
    let rig = Rig::new();
    for folder in ["bin", "inbox"] {
        std::fs::create_dir(rig.path(folder)).unwrap();
    }
    let mail = rig.file("bin/mail", MAIL);
    std::fs::set_permissions(mail, std::fs::Permissions::from_mode(0o755)).unwrap();
    // Whoever waits for the service waits a moment only.
    rig.file("shipsheet.toml", "[booking]\nmax_wait_seconds = 1\n");
    rig
}

/// One night; gives how it ended and what was mailed, with nothing where nothing was.
fn night(rig: &Rig) -> (Ran, String) {
    let _ = std::fs::remove_file(rig.path("mail.txt"));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/night.sh");
    let program = Path::new(env!("CARGO_BIN_EXE_shipsheet")).parent().unwrap();
    let mut command = rig.command_by(&["sh", script.to_str().unwrap()], &[]);
    let path = std::env::var("PATH").unwrap();
    command.env("PATH", format!("{}:{}:{path}", rig.path("bin").display(), program.display()));
    let ended = ran(command);
    assert_eq!((ended.stdout.as_str(), ended.stderr.as_str()), ("", ""), "cron would mail that as well");
    (ended, std::fs::read_to_string(rig.path("mail.txt")).unwrap_or_default())
}

/// What lies in each folder, without the time in front of names.
fn folders(rig: &Rig) -> BTreeMap<&'static str, Vec<String>> {
    let names = |folder: &str| {
        let entries = std::fs::read_dir(rig.path(folder)).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        for name in names.iter_mut().filter(|name| name.starts_with("20")) {
            *name = name.splitn(6, '-').last().unwrap().to_owned();
        }
        names.sort();
        names
    };
    ["inbox", "done", "look"].into_iter().map(|folder| (folder, names(folder))).collect()
}

#[track_caller]
fn lies(rig: &Rig, inbox: &[&str], done: &[&str], look: &[&str]) {
    let found = folders(rig);
    assert_eq!((&found["inbox"][..], &found["done"][..]), (&to_owned(inbox)[..], &to_owned(done)[..]));
    assert_eq!(found["look"], to_owned(look));
}

fn to_owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// The numbers that the service has, each as often as it has it.
fn numbers(rig: &Rig) -> Vec<String> {
    let mut numbers: Vec<String> = rig.bookings().into_iter().map(|(number, _)| number).collect();
    numbers.sort();
    numbers
}

fn bad(number: &str) -> String {
    row(number).replace("9876543210", "12")
}

#[test]
fn all_is_booked_and_nothing_came() {
    let rig = bench();
    rig.file("inbox/a sheet.csv", &sheet([row("A-1")]));
    rig.file("inbox/b.csv", &sheet([row("B-1"), row("B-2")]));
    let (ended, mail) = night(&rig);
    assert_eq!((ended.exit, mail.as_str()), (0, ""));
    lies(&rig, &[], &["a sheet.csv", "b.csv"], &[]);
    assert_eq!(numbers(&rig), ["A-1", "B-1", "B-2"]);
    // The next night nothing came, and the one after that yesterday's sheet came again.
    let (ended, mail) = night(&rig);
    assert_eq!((ended.exit, mail.as_str()), (0, ""));
    rig.file("inbox/b.csv", &sheet([row("B-1"), row("B-2")]));
    night(&rig).0.exits(0);
    lies(&rig, &[], &["a sheet.csv", "b.csv", "b.csv"], &[]);
    assert_eq!(numbers(&rig).len(), 3);
}

#[test]
fn a_sheet_with_problems_only_is_filed_apart_and_stops_no_other() {
    let rig = bench();
    rig.file("inbox/a.csv", &sheet([bad("A-1")]));
    rig.file("inbox/b.csv", &sheet([row("B-1")]));
    let (ended, mail) = night(&rig);
    assert_eq!(ended.exit, 3, "{mail}");
    lies(&rig, &[], &["b.csv"], &["a.csv", "a.csv-rejects.xlsx"]);
    assert!(mail.starts_with("mail -s shipsheet: a sheet has problems and nothing of it was sent"), "{mail}");
    assert!(mail.contains("bad-phone") && mail.matches("mail -s").count() == 1, "{mail}");
    assert_eq!(numbers(&rig), ["B-1"]);
}

#[test]
fn some_rejected_rows_are_handed_back_beside_their_sheet() {
    let rig = bench();
    rig.file("inbox/a.csv", &sheet([row("A-1"), bad("A-2"), row("A-3")]));
    rig.sandbox().script_order("A-3", [Answer::Status(422, r#"{"message": "no such street"}"#.to_owned())]);
    let (ended, mail) = night(&rig);
    assert_eq!(ended.exit, 4, "{mail}");
    lies(&rig, &[], &[], &["a.csv", "a.csv-rejects.xlsx"]);
    assert!(mail.contains("mail -s shipsheet: some orders failed") && mail.contains("no such street"), "{mail}");
    assert_eq!(numbers(&rig), ["A-1"]);
}

#[test]
fn what_the_service_was_away_for_stays_in_the_inbox_and_is_sent_the_next_night() {
    let rig = bench();
    rig.file("inbox/a.csv", &sheet([row("A-1"), row("A-2")]));
    rig.sandbox().script([Answer::TooMany(3_600)]);
    let (ended, mail) = night(&rig);
    assert_eq!(ended.exit, 5, "{mail}");
    lies(&rig, &["a.csv"], &[], &[]);
    assert!(mail.starts_with("mail -s shipsheet: orders are outstanding, the sheet is still in the inbox"), "{mail}");
    let (ended, mail) = night(&rig);
    assert_eq!((ended.exit, mail.as_str()), (0, ""));
    lies(&rig, &[], &["a.csv"], &[]);
    assert_eq!(numbers(&rig), ["A-1", "A-2"]);
}

#[test]
fn an_order_in_doubt_is_mailed_every_night_until_it_is_settled() {
    let rig = bench();
    rig.file("inbox/a.csv", &sheet([row("A-1"), row("A-2")]));
    rig.sandbox().script_order("A-2", [Answer::CutAfter]);
    let (ended, mail) = night(&rig);
    assert_eq!(ended.exit, 6, "{mail}");
    lies(&rig, &[], &[], &["a.csv", "a.csv-rejects.xlsx"]);
    assert!(mail.starts_with("mail -s shipsheet: orders are in doubt") && mail.contains("doubt list"), "{mail}");
    rig.file("inbox/b.csv", &sheet([row("B-1")]));
    let (ended, mail) = night(&rig);
    assert!(ended.exit == 6 && mail.contains("orders are in doubt"), "{mail}");
    lies(&rig, &[], &["b.csv"], &["a.csv", "a.csv-rejects.xlsx"]);
    assert_eq!(numbers(&rig), ["A-1", "A-2", "B-1"]);
}

#[test]
fn a_damaged_file_costs_only_itself() {
    let rig = bench();
    rig.file("inbox/a.xlsx", "PK\u{3}\u{4} this is no workbook");
    rig.file("inbox/b.csv", &sheet([row("B-1")]));
    rig.file("inbox/c.pdf", "%PDF-1.4 a label that somebody dropped here");
    rig.file("inbox/~$d.xlsx", "Excel is open");
    let (ended, mail) = night(&rig);
    assert_eq!(ended.exit, 3, "{mail}");
    lies(&rig, &["~$d.xlsx"], &["b.csv"], &["a.xlsx", "c.pdf"]);
    assert!(mail.contains("== inbox/a.xlsx") && mail.contains("== inbox/c.pdf"), "{mail}");
    assert_eq!(numbers(&rig), ["B-1"]);
}

#[test]
fn where_nothing_can_run_every_sheet_stays_in_the_inbox() {
    let rig = bench();
    rig.file("inbox/a.csv", &sheet([row("A-1")]));
    let config = rig.read("shipsheet.toml");
    rig.file("shipsheet.toml", "[booking]\nmax_wait_seconds = \"soon\"\n");
    let (ended, mail) = night(&rig);
    assert_eq!(ended.exit, 1, "{mail}");
    lies(&rig, &["a.csv"], &[], &[]);
    assert!(mail.starts_with("mail -s shipsheet: shipsheet cannot run, all sheets are still in the inbox"), "{mail}");
    assert!(mail.contains("max_wait_seconds"), "{mail}");
    // The ledger is in use: a run goes on at this moment.
    rig.file("shipsheet.toml", &config);
    rig.file("slow.csv", &sheet([row("S-1")]));
    rig.sandbox().script_order("S-1", [Answer::Silent(std::time::Duration::from_hours(1))]);
    let live = rig.live("slow", &["import", "slow.csv", "--yes"]);
    crate::rig::wait_until("the run holds the ledger", || rig.sandbox().book().posts("S-1") == 1);
    let (ended, mail) = night(&rig);
    assert_eq!(ended.exit, 1, "{mail}");
    lies(&rig, &["a.csv"], &[], &[]);
    drop(live);
    // What can be tried again is: the killed run left a doubt, and the sheet is booked.
    let (ended, mail) = night(&rig);
    assert_eq!(ended.exit, 6, "{mail}");
    lies(&rig, &[], &["a.csv"], &[]);
    assert_eq!(numbers(&rig), ["A-1"]);
}

#[test]
fn a_sheet_that_may_not_go_unattended_stays_in_the_inbox_and_stops_no_other() {
    let rig = bench();
    for name in ["A", "B", "C"] {
        rig.file(&format!("{name}.csv"), &sheet([row(&format!("{name}-1"))]));
        rig.run(&["import", &format!("{name}.csv"), "--yes"]).exits(0);
    }
    // One bad row among good ones that are not sent yet is no reason to file the sheet.
    rig.file("inbox/giant.csv", &sheet((0..60).map(|n| row(&format!("G-{n:02}"))).chain([bad("G-60")])));
    rig.file("inbox/small.csv", &sheet([row("S-1")]));
    let (ended, mail) = night(&rig);
    assert_eq!(ended.exit, 1, "{mail}");
    lies(&rig, &["giant.csv"], &["small.csv"], &[]);
    assert!(mail.starts_with("mail -s shipsheet: a sheet could not be booked") && mail.contains("far more than usual"));
    assert_eq!(numbers(&rig), ["A-1", "B-1", "C-1", "S-1"]);
}
