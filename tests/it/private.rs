//! What the program makes is for its owner alone, whatever the umask, and is written through nobody's link.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use crate::rig::{Ran, Rig, ran, sheet_of};

/// Runs a command with a umask that takes nothing from anybody.
fn open_to_all(rig: &Rig, arguments: &[&str]) -> Ran {
    let program = rig.command(&[]);
    let mut command = Command::new("sh");
    command.args(["-c", "umask 000; exec \"$@\"", "sh"]).arg(program.get_program()).args(arguments);
    command.env_clear().current_dir(rig.path("."));
    command.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let ran = ran(command);
    ran.exits(0);
    ran
}

/// Everything below a folder with its rights.
fn rights(folder: &Path, found: &mut Vec<(String, u32)>) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let mode = entry.path().symlink_metadata().unwrap().permissions().mode();
        found.push((entry.path().display().to_string(), mode & 0o777));
        if entry.path().is_dir() {
            rights(&entry.path(), found);
        }
    }
}

#[test]
fn folders_and_files_are_for_their_owner_alone_whatever_the_umask() {
    let rig = Rig::booked("", 2);
    let mut before = Vec::new();
    rights(&rig.path("."), &mut before);
    for arguments in [
        &["label", "--run", "1", "--to", "labels.pdf"][..],
        &["label", "ORD-0001", "--to", "one.pdf", "--folder", "deep/er/labels"],
        &["service", "invoice", "--run", "1", "--to", "deep/invoices"],
        &["profile", "guess", "orders.csv", "--save", "mine"],
        &["profile", "guess", "orders.csv", "--save", "mine", "--replace"],
        &["import", "orders.csv", "--yes", "--results", "results.xlsx"],
        &["rejects", "--to", "rejects.csv"],
        &["export", "--run", "1", "--to", "all.jsonl"],
        &["template", "new.xlsx"],
        &["template", "new.toml"],
    ] {
        open_to_all(&rig, arguments);
        // So that the profile of before is kept aside.
        if let Ok(profile) = std::fs::read_to_string(rig.path(".config/shipsheet/profiles/mine.toml")) {
            std::fs::write(rig.path(".config/shipsheet/profiles/mine.toml"), format!("# mine\n{profile}")).unwrap();
        }
    }
    let mut after = Vec::new();
    rights(&rig.path("."), &mut after);
    let made: Vec<_> = after.iter().filter(|(name, _)| !before.iter().any(|(other, _)| other == name)).collect();
    for name in ["labels.pdf", "er/labels", "invoices", "mine.toml.before-1", "rejects.csv", "results.xlsx", "new.toml"]
    {
        assert!(made.iter().any(|(path, _)| path.contains(name)), "{name}: {made:#?}");
    }
    let open: Vec<_> = made.iter().filter(|(_, mode)| mode & 0o077 != 0).collect();
    assert!(open.is_empty(), "{open:#?}");
}

#[test]
fn nothing_is_written_through_a_planted_link() {
    let rig = Rig::booked("", 1);
    let awb = rig.bookings().remove(0).1;
    let victim = rig.file("victim", "precious");
    std::fs::create_dir(rig.path("labels-labels")).unwrap();
    for name in
        [&format!("labels-labels/{awb}.pdf"), "labels.pdf", "r.csv", "r.csv.part", "rejects.csv", "rejects.csv.part"]
    {
        symlink(&victim, rig.path(name)).unwrap();
    }
    rig.file("bad.csv", &sheet_of(1).replace("9876543210", "12").replace("ORD-", "BAD-"));
    for (arguments, code) in [
        (&["label", "--run", "1", "--to", "labels.pdf"][..], 1),
        (&["label", "--run", "1", "--to", "labels.pdf", "--force"], 0),
        (&["export", "--run", "1", "--to", "r.csv"], 1),
        (&["export", "--run", "1", "--to", "r.csv", "--force"], 0),
        (&["import", "bad.csv", "--yes"], 3),
        (&["rejects", "--to", "rejects.csv"], 1),
        (&["rejects", "--to", "rejects.csv", "--force"], 0),
    ] {
        rig.run(arguments).exits(code);
        assert_eq!(rig.read("victim"), "precious", "{arguments:?}");
    }
    symlink(&victim, rig.path("new.toml")).unwrap();
    rig.run(&["template", "new.toml"]).exits(1);
    rig.run(&["profile", "guess", "orders.csv", "--save", "mine"]).exits(0);
    let profile = rig.read(".config/shipsheet/profiles/mine.toml");
    rig.file(".config/shipsheet/profiles/mine.toml", &format!("# mine\n{profile}"));
    symlink(&victim, rig.path(".config/shipsheet/profiles/mine.toml.before-1")).unwrap();
    rig.run(&["profile", "guess", "orders.csv", "--save", "mine", "--replace"]).exits(0).says("mine.toml.before-2");
    assert_eq!(rig.read("victim"), "precious");
    // What a link in the folder leads to is not taken for a label.
    let kept = rig.path(&format!("labels-labels/{awb}.pdf"));
    assert!(kept.symlink_metadata().unwrap().is_file(), "the label itself is there now");
    std::fs::rename(&kept, rig.path("other.pdf")).unwrap();
    symlink(rig.path("other.pdf"), &kept).unwrap();
    rig.run(&["label", "--run", "1", "--to", "labels.pdf"]).exits(0).prints("1 fetched");
}

#[test]
fn a_folder_that_is_a_link_of_somebody_else_is_refused() {
    let rig = Rig::booked("", 1);
    std::fs::create_dir(rig.path("elsewhere")).unwrap();
    symlink(rig.path("elsewhere"), rig.path("labels-labels")).unwrap();
    // Only root can make a file somebody else's.
    let given = std::os::unix::fs::lchown(rig.path("labels-labels"), Some(65_534), None).is_ok();
    let ran = rig.run(&["label", "--run", "1", "--to", "labels.pdf"]);
    if given {
        ran.exits(1).says("a link that another user made");
        assert_eq!(std::fs::read_dir(rig.path("elsewhere")).unwrap().count(), 0);
    } else {
        assert_eq!(ran.exit, 0, "a link of one's own is followed: {ran:?}");
    }
}
