//! Files that a person names: what a command wrote and nobody changed is replaced, and nothing else.

use crate::rig::{Rig, row, row_with, sheet, sheet_of};

/// Each command that writes a file, with the file's name.
const WRITERS: [(&[&str], &str); 10] = [
    (&["export", "--to"], "out.csv"),
    (&["export", "--to"], "out.xlsx"),
    (&["export", "--to"], "out.jsonl"),
    (&["export", "--for", "shopify", "--to"], "shop.csv"),
    (&["report", "--to"], "out.html"),
    (&["report", "--to"], "out.json"),
    (&["report", "--to"], "book.xlsx"),
    (&["rejects", "--to"], "fix.csv"),
    (&["label", "--run", "1", "--to"], "out.pdf"),
    (&["doubt", "match", "statement.csv", "--to"], "found.xlsx"),
];

fn rig() -> Rig {
    let rig = Rig::booked("", 2);
    let lines: Vec<String> = rig.bookings().iter().map(|(number, awb)| format!("{number},{awb}\n")).collect();
    rig.file("statement.csv", &format!("Order,AWB\n{}", lines.concat()));
    rig
}

#[test]
fn a_file_that_the_same_command_wrote_is_replaced_until_somebody_changes_it() {
    let rig = rig();
    for (command, name) in WRITERS {
        let write = |more: &[&str]| rig.run(&[command, &[name], more].concat());
        let _ = std::fs::remove_file(rig.path(name));
        write(&[]).exits(0);
        write(&[]).exits(0);
        // A person has typed into it.
        let typed = [std::fs::read(rig.path(name)).unwrap(), b"typed".to_vec()].concat();
        rig.bytes(name, &typed);
        write(&[]).exits(1).says(name).says("is there already").says("--force");
        assert_eq!(std::fs::read(rig.path(name)).unwrap(), typed, "{command:?}");
        write(&["--force"]).exits(0);
        assert_ne!(std::fs::read(rig.path(name)).unwrap(), typed, "{command:?}");
        write(&[]).exits(0);
    }
    let parts = std::fs::read_dir(rig.path("")).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = parts.filter(|name| name.to_string_lossy().contains(".part")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn what_another_command_or_a_person_wrote_stays() {
    let rig = rig();
    let own = std::fs::read(rig.path("orders.csv")).unwrap();
    rig.run(&["export", "--to", "orders.csv"]).exits(1).says("orders.csv is there already");
    assert_eq!(std::fs::read(rig.path("orders.csv")).unwrap(), own, "the clerk's own sheet");
    rig.run(&["export", "--to", "to-fix.xlsx"]).exits(0);
    rig.run(&["report", "--to", "to-fix.xlsx"]).exits(1);
    // Another spelling of a name is the same file, another folder's is not.
    rig.run(&["export", "--to", "./to-fix.xlsx"]).exits(0);
    std::fs::create_dir(rig.path("other")).unwrap();
    std::fs::copy(rig.path("to-fix.xlsx"), rig.path("other/to-fix.xlsx")).unwrap();
    rig.run(&["export", "--to", "other/to-fix.xlsx"]).exits(1);
}

#[cfg(unix)]
#[test]
fn a_link_and_a_pipe_are_not_what_was_written() {
    let rig = rig();
    rig.run(&["export", "--to", "real.csv"]).exits(0);
    std::os::unix::fs::symlink(rig.path("real.csv"), rig.path("link.csv")).unwrap();
    rig.run(&["export", "--to", "link.csv"]).exits(1);
    std::os::unix::fs::symlink(rig.path("nowhere.csv"), rig.path("dead.csv")).unwrap();
    rig.run(&["export", "--to", "dead.csv"]).exits(1);
    assert!(std::process::Command::new("mkfifo").arg(rig.path("pipe.csv")).status().unwrap().success());
    rig.run(&["export", "--to", "pipe.csv"]).exits(1);
}

#[test]
fn results_of_an_import_replace_only_results_and_refuse_no_run() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet_of(2));
    rig.file("results.csv", "somebody's own\n");
    let import = || rig.run(&["import", "orders.csv", "--yes", "--results", "results.csv"]);
    import().exits(0).says("results.before.csv now");
    assert_eq!(rig.read("results.before.csv"), "somebody's own\n");
    assert!(rig.read("results.csv").contains("ORD-0002"));
    import().exits(0).says_nothing_of("before");
}

#[cfg(unix)]
#[test]
fn commands_that_end_at_once_are_all_remembered() {
    let rig = rig();
    let names: Vec<String> = (0..6).map(|number| format!("at-once-{number}.csv")).collect();
    for _ in 0..2 {
        let begun: Vec<_> = names.iter().map(|name| rig.command(&["export", "--to", name]).spawn().unwrap()).collect();
        for mut one in begun {
            assert!(one.wait().unwrap().success());
        }
    }
}

#[test]
fn results_go_to_standard_output_as_they_would_into_a_file() {
    let rig = rig();
    let same = |arguments: &[&str], format: &[&str], file: &str| {
        rig.run(&[arguments, &["--to", file]].concat()).exits(0);
        let ran = rig.run(&[arguments, &["--to", "-"], format].concat());
        ran.exits(0).says("2 orders of run 1 written to standard output");
        assert_eq!(ran.stdout, rig.read(file), "{arguments:?}");
    };
    same(&["export"], &[], "out.csv");
    same(&["export"], &["--format", "json"], "out.jsonl");
    same(&["export", "--for", "shopify"], &[], "shop.csv");
    rig.run(&["export", "--for", "shopify", "--to", "-", "--format", "json"]).exits(2).says("omit --format json");
    assert!(!rig.path("-").exists());
}

#[test]
fn rows_come_back_in_their_own_columns_where_flags_read_the_sheet() {
    let rig = Rig::new();
    rig.file("odd.csv", &sheet([row("A-1"), row_with("A-2", "12", "560001")]).replace(',', "^"));
    let imported = rig.run(&["import", "odd.csv", "--delimiter", "^", "--yes"]);
    imported.exits(4).prints("next: `shipsheet rejects --run 1 --delimiter ");
    rig.run(&["rejects", "--delimiter", "^", "--to", "fix.csv"])
        .exits(0)
        .says("1 row to fix")
        .says("in your own columns");
    assert!(rig.read("fix.csv").trim_start_matches('\u{feff}').starts_with("Order Number^"), "{}", rig.read("fix.csv"));
}
