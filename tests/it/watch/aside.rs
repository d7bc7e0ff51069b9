//! What goes wrong with one file, or lies among the sheets and is none: it is told, and the others go on.

use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use super::{another, bench, command, holds, is_sound, lies, night, numbers, report, sheets};
use crate::rig::{library, ran, row_of_own as row, row_with, sheet};

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn names_of_every_length_are_filed_and_the_ledger_has_them_whole() {
    let rig = bench();
    let devanagari = |letters: usize, ending: &str| format!("{}{ending}", "\u{905}".repeat(letters));
    let names = [
        devanagari(75, ""),
        devanagari(83, ".csv"),
        "a".repeat(255),
        format!("{}.xlsx", "b".repeat(250)),
        format!("no.{}", "c".repeat(252)),
        "line\nend.csv".to_owned(),
        "z.csv".to_owned(),
    ];
    for (n, name) in names.iter().enumerate() {
        rig.file(&format!("in/{name}"), &sheet([row_with(&format!("A-{n}"), &format!("98123456{n:02}"), "560001")]));
    }
    let ran = ran(command(&rig, &["--format", "json"]));
    ran.exits(0);
    let told: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let mut whole: Vec<&str> =
        told["sheets"].as_array().unwrap().iter().map(|sheet| sheet["name"].as_str().unwrap()).collect();
    whole.sort_unstable();
    let mut wanted: Vec<&str> = names.iter().map(String::as_str).collect();
    wanted.sort_unstable();
    assert_eq!(whole, wanted);
    assert_eq!((sheets(&rig).len(), sheets(&rig)["done"].len(), numbers(&rig).len()), (1, 7, 7), "{:?}", sheets(&rig));
    let filed = std::fs::read_dir(rig.path("in/done")).unwrap().map(|entry| entry.unwrap().file_name());
    for name in filed {
        assert!(!name.as_bytes().contains(&b'\n') && name.len() <= 255, "{name:?}");
    }
    let nothing = night(&rig);
    assert_eq!((nothing.exit, nothing.stdout.as_str(), nothing.stderr.as_str()), (0, "", ""));
    rig.file("in/line\nend.csv", "x,y\n1,2\n");
    night(&rig).exits(3).prints("line end.csv: nothing was sent");
    is_sound(&rig);
}

#[test]
fn what_is_no_sheet_is_named_and_keeps_no_sheet_from_being_sent() {
    let rig = bench();
    rig.file("secret.csv", &sheet([row("S-1")]));
    rig.file("in/done", &sheet([another("D-1")]));
    symlink(rig.path("secret.csv"), rig.path("in/link.csv")).unwrap();
    symlink(rig.path(""), rig.path("in/failed")).unwrap();
    pipe(&rig.path("in/pipe.csv"));
    std::fs::create_dir_all(rig.path("in/older")).unwrap();
    std::fs::create_dir_all(rig.path("in/working/.results.csv/x")).unwrap();
    symlink("/dev/zero", rig.path("in/working/.claimed-device.csv")).unwrap();
    pipe(&rig.path("in/working/.claimed-pipe.csv"));
    pipe(&rig.path("in/working/pipe.csv"));
    symlink(rig.path("secret.csv"), rig.path("in/working/link.csv")).unwrap();
    rig.file("in/a.csv", &sheet([row("A-1")]));
    rig.file("in/strange.csv", "x,y\n1,2\n");
    let ended = night(&rig);
    ended.exits(3).prints("a.csv: 1 of 1 order booked -> done/").prints("done.2: 1 of 1 order booked -> done/");
    for (name, what) in [
        ("link.csv", "a link"),
        ("failed.2", "a link"),
        ("pipe.csv", "a pipe or a device"),
        ("older", "a folder"),
        ("working/.claimed-device.csv", "a link"),
        ("working/.claimed-pipe.csv", "a pipe or a device"),
        ("working/pipe.csv", "a pipe or a device"),
        ("working/link.csv", "a link"),
    ] {
        ended.says(format!("{name}: not sent, stays where it is: it is {what}, "));
    }
    assert_eq!(sheets(&rig)["failed"], ["strange.csv"], "a link to elsewhere is no tray");
    assert_eq!(numbers(&rig), ["A-1", "D-1"]);
    rig.run(&["doctor", "--folder", "in"]).prints("link.csv is a link").prints("no night takes it");
    for gone in ["link.csv", "failed.2", "pipe.csv", "working/pipe.csv", "working/link.csv"] {
        std::fs::remove_file(rig.path("in").join(gone)).unwrap();
    }
    for gone in [".claimed-pipe.csv", ".claimed-device.csv"] {
        std::fs::remove_file(rig.path("in/working").join(gone)).unwrap();
    }
    night(&rig).exits(0).says("older: not sent").says_nothing_of("link");
}

#[test]
fn a_sheet_that_cannot_be_filed_is_told_and_the_others_go_on() {
    let rig = bench();
    rig.file("in/a.csv", &sheet([row("A-1")]));
    rig.file("in/b.csv", "x,y\n1,2\n");
    rig.file("in/c.csv", &sheet([another("C-1")]));
    for _ in 0..2 {
        let mut failing = command(&rig, &[]);
        failing.env("LD_PRELOAD", library()).env("DISK_FILES", "/in/done/");
        failing.env("DISK_FAULT", "write").env("DISK_FROM", "1");
        let ended = ran(failing);
        ended.exits(1).says("working/a.csv: not finished, stays where it is: ").says("working/c.csv: not finished");
    }
    holds(&rig, &[("failed", &["b.csv"]), ("working", &["a.csv", "c.csv"])]);
    assert!(lies(&rig, "done").is_empty(), "{:?}", lies(&rig, "done"));
    night(&rig).exits(0).prints("a.csv: 1 of 1 order booked");
    holds(&rig, &[("done", &["a.csv", "c.csv"]), ("failed", &["b.csv"])]);
    assert_eq!(numbers(&rig), ["A-1", "C-1"]);
    is_sound(&rig);
}

#[test]
fn a_fault_at_one_sheet_sets_it_aside_and_loses_nothing() {
    for (step, booked) in [("staged", 0), ("watch-booked", 1), ("watch-handed", 1)] {
        let rig = bench();
        rig.file("in/a.csv", &sheet([row("A-1")]));
        rig.file("in/b.csv", &sheet([another("B-1")]));
        let mut faulty = command(&rig, &[]);
        faulty.env("SHIPSHEET_PANIC_AT", step);
        let ended = ran(faulty);
        ended
            .exits(1)
            .says("error: shipsheet hit a fault of its own (src/")
            .says("Nothing that was booked is lost: `shipsheet status` says how it stands")
            .says_nothing_of("quotes a cell")
            .prints("a.csv: the program hit a fault of its own at it; what was booked of it is recorded -> attention/")
            .prints("b.csv: 1 of 1 order booked -> done/");
        assert!(report(&rig, "attention", "a").contains("shipsheet status --run 1"), "{step}");
        assert_eq!(numbers(&rig).len(), 1 + booked, "{step}");
        night(&rig).exits(0);
        assert_eq!(numbers(&rig), ["A-1", "B-1"], "{step}: what was staged goes in the next night");
        // One with outstanding orders is filed anew once they are sent; any other waits for a person.
        match booked {
            0 => holds(&rig, &[("done", &["a.csv", "b.csv"])]),
            _ => holds(&rig, &[("attention", &["a.csv"]), ("done", &["b.csv"])]),
        }
        rig.file("a.csv", &sheet([row("A-1")]));
        rig.run(&["import", "a.csv", "--yes"]).exits(0);
        assert_eq!(numbers(&rig).len(), 2, "{step}");
        is_sound(&rig);
    }
}

#[test]
fn a_fault_anywhere_ends_with_a_sentence_and_the_documented_code() {
    let rig = bench();
    rig.file("a.csv", &sheet([row("A-1")]));
    for json in [&[][..], &["--format", "json"]] {
        let mut faulty = rig.command(&[&["import", "a.csv", "--yes"], json].concat());
        faulty.env("SHIPSHEET_PANIC_AT", "staged");
        let ended = ran(faulty);
        ended.exits(1).says("error: shipsheet hit a fault of its own (src/").says_nothing_of("quotes a cell");
        assert_eq!(ended.stdout.contains("\"could-not-run\""), !json.is_empty(), "{ended:?}");
    }
    rig.run(&["import", "a.csv", "--yes"]).exits(0);
    assert_eq!(numbers(&rig), ["A-1"]);
}

#[test]
fn a_lock_that_is_a_link_is_not_followed() {
    let rig = bench();
    rig.file("mine.txt", "keep this");
    std::fs::create_dir(rig.path("in/working")).unwrap();
    symlink(rig.path("mine.txt"), rig.path("in/working/.lock")).unwrap();
    rig.file("in/a.csv", &sheet([row("A-1")]));
    night(&rig).exits(1).says("it is a symbolic link and not a file of this program");
    assert_eq!(rig.read("mine.txt"), "keep this");
    rig.run(&["doctor", "--folder", "in"]).exits(1).prints("bad      folder").prints("symbolic link");
    std::fs::remove_file(rig.path("in/working/.lock")).unwrap();
    night(&rig).exits(0);
    let mode = |path: &str| rig.path(path).metadata().unwrap().permissions().mode() & 0o7777;
    assert_eq!(mode("in/working/.lock"), 0o600);
}

#[test]
fn what_lies_beside_a_sheet_is_readable_with_it_and_no_more() {
    let rig = bench();
    let path = rig.file("in/a.csv", &sheet([row("A-1"), super::bad("A-2")]));
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o4755)).unwrap();
    night(&rig).exits(4);
    let beside = std::fs::read_dir(rig.path("in/attention")).unwrap().map(|entry| entry.unwrap());
    let beside: Vec<_> = beside.filter(|entry| !entry.file_name().to_string_lossy().ends_with("a.csv")).collect();
    assert_eq!(beside.len(), 3);
    for entry in beside {
        assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o7777, 0o644, "{:?}", entry.path());
    }
}

#[test]
fn few_orders_are_never_far_more_than_usual_and_a_night_may_be_told_yes() {
    let rig = bench();
    for name in ["A", "B", "C"] {
        rig.file(&format!("in/{name}.csv"), &sheet([1, 2].map(|n| row(&format!("{name}-{n}")))));
        ran(command(&rig, &["--yes"])).exits(0);
    }
    rig.file("in/many.csv", &sheet((0..15).map(|n| row(&format!("M-{n:02}")))));
    night(&rig).exits(0).prints("many.csv: 15 of 15 orders booked");
}
