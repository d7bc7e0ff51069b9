//! `doctor`, and the schedules that start a night.

use serde_json::Value;

use super::{Hook, bench, heard, night};
use crate::rig::{Rig, ran, row, sheet};

/// What `doctor` found: the level of each check.
#[track_caller]
fn levels(rig: &Rig, arguments: &[&str]) -> (i32, Vec<(String, String)>) {
    let (exit, document) = rig.json(&[&["doctor"], arguments].concat());
    let checks = document["checks"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (exit, checks.map(|check| (text(&check["id"]), text(&check["level"]))).collect())
}

fn level(levels: &[(String, String)], id: &str) -> String {
    levels.iter().find(|(own, _)| own == id).map(|(_, level)| level.clone()).unwrap_or_default()
}

#[test]
fn a_machine_that_is_ready_has_nothing_to_mend_and_nothing_is_booked() {
    let hook = Hook::new(&["200 OK"]);
    let rig = bench(&format!(
        "[night]\nmissed_after_hours = 26\n[log]\nfile = \"log\"\n[backup]\nfolder = \"backups\"\n[notify.owner]\nwebhook = \"{}\"\n",
        hook.address
    ));
    rig.file("in/a.csv", &sheet([row("A-1")]));
    night(&rig).exits(0);
    rig.run(&["ledger", "backup", "--scheduled"]).exits(0);
    let booked = rig.bookings();
    let (exit, found) = levels(&rig, &["--folder", "in", "--send-test"]);
    assert_eq!(exit, 0, "{found:?}");
    let all: Vec<&str> = found.iter().map(|(id, _)| id.as_str()).collect();
    let wanted = [
        "configuration",
        "service",
        "clock",
        "token",
        "ledger",
        "open",
        "backup",
        "disk",
        "rights",
        "log",
        "folder",
        "schedule",
        "notify",
    ];
    assert_eq!(all, wanted);
    assert!(found.iter().all(|(_, level)| level == "good"), "{found:?}");
    let told: Value = serde_json::from_str(&heard(&hook.heard)[0]).unwrap();
    assert_eq!((&told["of"], &told["title"]), (&"test".into(), &"shipsheet: this is a test".into()));
    assert_eq!(rig.bookings(), booked, "nothing is booked");
    assert_eq!(std::fs::read_dir(rig.path("in")).unwrap().count(), 4, "nothing is left in the folder but its trays");
}

#[test]
fn what_keeps_a_night_from_its_work_is_found() {
    let rig = bench("[notify.owner]\ncommand = \"exit 3\"\n");
    let (exit, found) = levels(&rig, &["--folder", "nowhere"]);
    assert_eq!((exit, level(&found, "folder").as_str(), level(&found, "ledger").as_str()), (1, "bad", "warning"));
    let mut command = rig.command(&["doctor"]);
    command.env_remove("SHIPSHEET_TOKEN");
    ran(command).exits(1).prints("bad      token").prints("no token: set SHIPSHEET_TOKEN");
    let mut command = rig.command(&["doctor"]);
    command.env("SHIPSHEET_TOKEN", "a-wrong-token");
    let wrong = ran(command);
    wrong.exits(1).prints("the service does not take the token").prints_nothing_of("a-wrong-token");
    let mut command = rig.command(&["doctor"]);
    command.env("SHIPSHEET_BASE_URL", "http://127.0.0.1:1");
    ran(command).exits(1).prints("bad      service");
    rig.file("shipsheet.toml", "[nihgt]\n");
    rig.run(&["doctor"]).exits(1).prints("bad      configuration").prints("nihgt");
}

#[cfg(unix)]
#[test]
fn files_that_others_can_read_are_named_with_what_to_do() {
    use std::os::unix::fs::PermissionsExt;
    let rig = bench("");
    rig.file("in/a.csv", &sheet([row("A-1")]));
    night(&rig).exits(0);
    std::fs::set_permissions(rig.path("ledger.sqlite"), std::fs::Permissions::from_mode(0o644)).unwrap();
    rig.run(&["doctor"]).exits(1).prints("bad      rights").prints("chmod 600").prints("ledger.sqlite");
}

#[test]
fn a_test_that_does_not_arrive_is_something_to_mend() {
    let hook = Hook::new(&["410 Gone"]);
    let rig = bench(&format!("[notify.owner]\nwebhook = \"{}\"\n", hook.address));
    rig.run(&["doctor"]).prints("ok       notify").prints("owner by a webhook; not tried");
    rig.run(&["doctor", "--send-test"])
        .exits(1)
        .prints("no test could be sent to owner by a webhook")
        .prints("status 410");
}

#[test]
fn a_night_is_installed_for_this_machine_and_holds() {
    let rig = Rig::alone();
    std::fs::create_dir(rig.path("in box")).unwrap();
    rig.file("shipsheet.toml", "[backup]\nfolder = \"copies\"\n");
    rig.run(&["night", "install"]).exits(2).says("<FOLDER>");
    let install = |more: &[&str]| {
        let folder = ["night", "install", "in box/../in box", "--at", "03:05", "--user", "root", "--to", "units"];
        rig.run(&[&folder[..], more].concat())
    };
    install(&[]).exits(0).says("shipsheet-night.service and units/shipsheet-night.timer");
    install(&[]).exits(0);
    rig.run(&["night", "install", "in box", "--at", "25:00"]).exits(2);
    let unit = rig.read("units/shipsheet-night.service");
    let program = env!("CARGO_BIN_EXE_shipsheet");
    assert!(unit.contains(&format!("ExecStart={program} watch ")) && unit.contains("/in box\" --once"), "{unit}");
    assert!(unit.contains(&format!("{program} service login\n")), "{unit}");
    let writable = unit.lines().find(|line| line.starts_with("ReadWritePaths=")).unwrap();
    assert!(!unit.contains("/.."), "systemd ignores such a path: {unit}");
    assert!(writable.contains("/in box\"") && writable.contains("/copies "), "{writable}");
    assert!(rig.read("units/shipsheet-night.timer").contains("OnCalendar=*-*-* 03:05"));
    // What this machine can check.
    let verified = std::process::Command::new("systemd-analyze")
        .args(["verify", "--man=no"])
        .args(["units/shipsheet-night.service", "units/shipsheet-night.timer"].map(|name| rig.path(name)))
        .output();
    if let Ok(verified) = verified {
        let said = String::from_utf8_lossy(&verified.stderr).into_owned();
        let ours: Vec<&str> = said.lines().filter(|line| line.contains("shipsheet-night")).collect();
        assert!(ours.is_empty(), "{said}");
    }
    // A person adapted one of them.
    rig.file("units/shipsheet-night.timer", "[Timer]\n");
    install(&[]).exits(1).says("shipsheet-night.timer is there already").says("--force");
    install(&["--force"]).exits(0);
}

#[cfg(unix)]
#[test]
fn a_night_knows_whose_it_is_and_whose_clock_its_time_is_of() {
    let rig = Rig::alone();
    std::fs::create_dir(rig.path("in")).unwrap();
    let install = |zone: &str| {
        let mut command = rig.command(&["night", "install", "in", "--at", "02:15", "--time-zone", zone]);
        command.env_remove("USER").env_remove("LOGNAME").env("TZ", "Asia/Kolkata");
        ran(command)
    };
    install("Nowhere/Nothing").exits(2).says("such as Asia/Kolkata");
    install("Europe/Berlin").exits(0);
    let account = std::process::Command::new("id").arg("-un").output().unwrap();
    let account = String::from_utf8(account.stdout).unwrap();
    let unit = rig.read("shipsheet-night.service");
    assert!(unit.contains(&format!("User={}\n", account.trim())), "{unit}");
    assert!(rig.read("shipsheet-night.timer").contains("OnCalendar=*-*-* 02:15 Europe/Berlin\n"));
}

#[test]
fn what_variables_say_here_is_said_to_the_night_and_no_secret_is() {
    let rig = bench("");
    let mut command = rig.command(&["night", "install", "in"]);
    command.env("SHIPSHEET_CONFIG", rig.path("shipsheet.toml")).env("SHIPSHEET_PASSWORD", "mist4ken");
    command.env("SHIPSHEET_BASE_URL", "https://api.example.com");
    let installed = ran(command);
    installed.exits(0).says("set SHIPSHEET_TOKEN and SHIPSHEET_PASSWORD where the night runs as well");
    let unit = rig.read("shipsheet-night.service");
    let (config, ledger) = (rig.path("shipsheet.toml"), rig.path("ledger.sqlite"));
    let flags =
        format!("--config {} --ledger {} --base-url https://api.example.com ", config.display(), ledger.display());
    assert!(unit.contains(&format!(" {flags}watch ")) && unit.contains(&format!(" {flags}service login\n")), "{unit}");
    assert!(!unit.contains("mist4ken") && !unit.contains("sandbox-token"), "{unit}");
    // What is said by a flag goes before, and the stand-in takes no address.
    rig.run(&["night", "install", "in", "--ledger", "other.sqlite", "--force"]).exits(0);
    assert!(rig.read("shipsheet-night.service").contains("/other.sqlite --base-url http://127.0.0.1:"));
    rig.run(&["night", "install", "in", "--sandbox", "--force"]).exits(0).says_nothing_of("SHIPSHEET_TOKEN");
    assert!(rig.read("shipsheet-night.service").contains(" --sandbox watch "));
}

#[test]
fn a_folder_that_is_not_there_is_no_folder_for_a_night() {
    let rig = Rig::alone();
    rig.run(&["night", "install", "inbox"]).exits(1).says("the folder inbox cannot be found").says("make it first");
    rig.file("inbox", "");
    rig.run(&["night", "install", "inbox"]).exits(1).says("inbox is a file");
    assert!(!rig.path("shipsheet-night.service").exists() && !rig.path("shipsheet-night.xml").exists());
}

#[cfg(unix)]
#[test]
fn a_night_of_another_user_is_at_home_there() {
    let rig = Rig::alone();
    std::fs::create_dir(rig.path("in")).unwrap();
    let unknown = rig.run(&["night", "install", "in", "--user", "nobody-of-this-name"]);
    unknown.exits(2).says("this machine has no user nobody-of-this-name");
    assert!(!rig.path("shipsheet-night.service").exists());
    let root = std::fs::read_to_string("/etc/passwd").unwrap();
    let root = root.lines().find(|line| line.starts_with("root:")).unwrap().split(':').nth(5).unwrap().to_owned();
    let mut command = rig.command(&["night", "install", "in", "--user", "root"]);
    command.env_remove("XDG_DATA_HOME");
    let installed = ran(command);
    installed
        .exits(0)
        .says(format!("the night runs as root in {root}, with the configuration"))
        .says("of root, not with yours");
    // The folder was named, and stays where it is: only root knows whether that will do.
    installed.says("root may not be let into your home folder").says(rig.path("in").display().to_string());
    let unit = rig.read("shipsheet-night.service");
    assert!(unit.contains(&format!("User=root\nWorkingDirectory={root}\n")), "{unit}");
    let writable = unit.lines().find(|line| line.starts_with("ReadWritePaths=")).unwrap();
    assert!(writable.contains(&format!("-{root}/.local/share/shipsheet")), "{writable}");
    assert_eq!(writable.matches(&rig.path("").display().to_string()).count(), 1, "the folder alone: {writable}");
    // Where the night is one's own, nothing is said of others.
    rig.run(&["night", "install", "in", "--force"]).exits(0).says_nothing_of("not with yours");
}
