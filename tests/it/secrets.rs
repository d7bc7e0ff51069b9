//! Canaries: the token is nowhere but where it was put, and names, phones and addresses are in no output and no log.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use shipsheet::sandbox::{Answer, Options};

use crate::rig::{Ran, Rig, ran, row_with, sheet};

const TOKEN: &str = "canary-token-5d1f0a7c93";
const PASSWORD: &str = "canary-password-88b1e2";
const PERSONAL: [&str; 3] = ["Canarina", "9876501234", "77 Canary Crescent"];

/// What belongs to a person and may stand in the sheet and the ledger, and nowhere else.
fn is_home(path: &Path) -> bool {
    let name = path.file_name().unwrap().to_str().unwrap();
    // Results are the sheet again.
    ["orders.csv", "results.csv"].contains(&name) || name.starts_with("ledger.sqlite")
}

/// Fourteen orders, of which the service books some, rejects some, refuses some and loses some.
fn rig() -> Rig {
    let rig = Rig::serving(Options { token: TOKEN.to_owned(), ..Options::default() }).patient_for("0.01");
    let rows = (1..=14).map(|number| {
        let pin = if number % 5 == 0 { "999002" } else { "560001" };
        row_with(&format!("ORD-{number:04}"), PERSONAL[1], pin)
            .replace("Asha", PERSONAL[0])
            .replace("14 MG Road", PERSONAL[2])
    });
    let invalid = row_with("ORD-0099", PERSONAL[1], "12").replace("Asha", PERSONAL[0]);
    rig.file("orders.csv", &sheet(rows.chain([invalid])));
    let sandbox = rig.sandbox();
    sandbox.script_order("ORD-0002", [Answer::Status(400, r#"{"message":["carrier is unknown"]}"#.to_owned())]);
    sandbox.script_order("ORD-0003", [Answer::CutAfter]);
    sandbox.script_order("ORD-0004", [Answer::TooMany(0)]);
    sandbox.script_order("ORD-0006", [Answer::BookedThen(502, "<html>Bad Gateway</html>".to_owned())]);
    rig
}

/// Every file under a folder; those of workbooks unpacked.
fn contents(folder: &Path, found: &mut Vec<(PathBuf, Vec<u8>)>) {
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            contents(&path, found);
        } else if path.extension().is_some_and(|end| end == "xlsx") {
            let mut parts = zip::ZipArchive::new(File::open(&path).unwrap()).unwrap();
            for part in 0..parts.len() {
                let mut text = Vec::new();
                parts.by_index(part).unwrap().read_to_end(&mut text).unwrap();
                found.push((path.clone(), text));
            }
        } else {
            found.push((path.clone(), std::fs::read(&path).unwrap()));
        }
    }
}

fn holds(bytes: &[u8], canary: &str) -> bool {
    bytes.windows(canary.len()).any(|window| window == canary.as_bytes())
}

/// Runs a command with everything switched on that could make it talk.
fn talk(rig: &Rig, arguments: &[&str]) -> Ran {
    let mut command = rig.command(arguments);
    command.env("RUST_LOG", "trace").env("RUST_BACKTRACE", "full").env("TMPDIR", rig.path("tmp"));
    command.env("SHIPSHEET_PASSWORD", PASSWORD);
    ran(command)
}

fn silent_on(ran: &Ran, canaries: &[&str], what: &str) {
    for canary in canaries {
        assert!(!ran.stdout.contains(canary), "{what} shows {canary}: {}", ran.stdout);
        assert!(!ran.stderr.contains(canary), "{what} says {canary}: {}", ran.stderr);
    }
}

#[test]
fn no_command_shows_or_keeps_what_it_must_not() {
    let rig = rig();
    std::fs::create_dir(rig.path("tmp")).unwrap();
    let commands: [&[&str]; 28] = [
        &["check", "orders.csv"],
        &["check", "orders.csv", "--format", "json"],
        &["import", "orders.csv", "--dry-run"],
        &["import", "orders.csv", "--yes", "-v", "--results", "results.csv", "--max-orders", "9"],
        &["resume", "--yes", "-v"],
        &["import", "orders.csv", "--yes", "--format", "json"],
        &["retry", "--yes", "-v"],
        &["status"],
        &["status", "--format", "json"],
        &["runs"],
        &["show", "ORD-0001"],
        &["show", "ORD-0002"],
        &["show", "ORD-0003", "--format", "json"],
        &["doubt", "list"],
        &["doubt", "list", "--format", "json"],
        &["doubt", "show", "ORD-0003"],
        &["doubt", "show", "ORD-0006"],
        &["show", "ORD-0006", "--evidence"],
        &["ledger", "check"],
        &["ledger", "backup", "ledger.sqlite.monday"],
        &["ledger", "accept", "--because", "a test", "--yes"],
        &["doubt", "booked", "ORD-0003", "--awb", "SBX9990000000000001", "--because", "seen in the portal"],
        &["doubt", "not-booked", "ORD-0006", "--because", "not in the portal"],
        &["export", "--all", "--to", "all.csv"],
        &["export", "--all", "--to", "all.xlsx"],
        &["export", "--all", "--to", "all.jsonl"],
        &["show", "NOPE"],
        &["import", "nowhere.csv", "--yes"],
    ];
    for arguments in commands {
        let ran = talk(&rig, arguments);
        silent_on(&ran, &[TOKEN, PASSWORD], &arguments.join(" "));
        silent_on(&ran, &PERSONAL, &arguments.join(" "));
    }
    // A disk that fails: what came back is said, and kept beside the ledger.
    rig.file("orders.csv", &rig.read("orders.csv").replace("ORD-", "MORE-").replace("Kurta", "Saree"));
    let mut command = rig.command(&["import", "orders.csv", "--yes", "-v"]);
    command.env("RUST_LOG", "trace").env("TMPDIR", rig.path("tmp")).env("SHIPSHEET_FAIL_AT", "commit:3");
    let failed = ran(command);
    failed.says("ledger.sqlite.spool keeps it");
    silent_on(&failed, &[TOKEN, PASSWORD], "a failing disk");
    silent_on(&failed, &PERSONAL, "a failing disk");
    let mut files = Vec::new();
    contents(&rig.path(""), &mut files);
    assert!(files.len() >= 6, "{} files", files.len());
    for (path, bytes) in &files {
        for canary in [TOKEN, PASSWORD] {
            assert!(!holds(bytes, canary), "{} keeps {canary}", path.display());
        }
        for canary in PERSONAL.iter().filter(|_| !is_home(path)) {
            assert!(!holds(bytes, canary), "{} keeps {canary}", path.display());
        }
    }
    // The canaries were really there to be let out.
    let ledger = files
        .iter()
        .filter(|(path, _)| is_home(path))
        .any(|(path, bytes)| !path.ends_with("orders.csv") && PERSONAL.iter().all(|canary| holds(bytes, canary)));
    assert!(ledger && rig.bookings().len() > 8, "the ledger holds what was sent, and the service took the token");
}

#[test]
fn errors_do_not_repeat_secrets() {
    let rig = rig();
    std::fs::create_dir(rig.path("tmp")).unwrap();
    let url = format!("http://user:{PASSWORD}@{}", rig.sandbox().address());
    let configurations = [
        format!("token = \"{TOKEN}\"\n"),
        format!("password = \"{PASSWORD}\"\n"),
        format!("[auth]\npassword = \"{PASSWORD}\"\n"),
        format!("token_file = [\"{TOKEN}\"]\n"),
        format!("base_url = \"{url}\"\n"),
        format!("token_command = \"echo {TOKEN}; exit 3\"\n"),
        format!("token_command = \"echo {TOKEN} >&2; exit 3\"\n"),
    ];
    for configuration in configurations {
        rig.file("shipsheet.toml", &configuration);
        let mut command = rig.command(&["import", "orders.csv", "--yes", "--config", "shipsheet.toml"]);
        command.env_remove("SHIPSHEET_TOKEN").env("RUST_LOG", "trace");
        if configuration.contains("base_url") {
            command.env_remove("SHIPSHEET_BASE_URL");
        }
        let ran = ran(command);
        assert_eq!(ran.exit, 1, "{configuration} {ran:?}");
        silent_on(&ran, &[TOKEN, PASSWORD], &configuration);
    }
    std::fs::remove_file(rig.path("shipsheet.toml")).unwrap();
    for (name, value) in [
        ("SHIPSHEET_TOKEN", format!("{TOKEN}\u{7f}")),
        ("SHIPSHEET_TOKEN", format!("{TOKEN} two")),
        ("SHIPSHEET_BASE_URL", url),
    ] {
        let mut command = rig.command(&["import", "orders.csv", "--yes"]);
        command.env(name, value);
        let ran = ran(command);
        ran.exits(1);
        silent_on(&ran, &[TOKEN, PASSWORD], name);
    }
    assert_eq!(rig.sandbox().book().requests(), 0);
}

#[test]
fn a_service_that_repeats_the_token_is_not_repeated() {
    let rig = Rig::serving(Options { token: TOKEN.to_owned(), ..Options::default() });
    rig.file("orders.csv", &sheet([row_with("A-1", "9876543210", "560001"), row_with("A-2", "9876543210", "560001")]));
    let echo = format!(r#"{{"message":["who is {TOKEN}, {TOKEN}?"]}}"#);
    rig.sandbox().script_order("A-1", [Answer::Status(400, echo.clone())]);
    rig.sandbox().script_order("A-2", [Answer::BookedThen(502, echo)]);
    let ran = talk(&rig, &["import", "orders.csv", "--yes", "-v"]);
    ran.exits(6).prints("who is (concealed), (concealed)?");
    silent_on(&ran, &[TOKEN], "import");
    let mut files = Vec::new();
    contents(&rig.path(""), &mut files);
    for (path, bytes) in files {
        assert!(!holds(&bytes, TOKEN), "{} holds the token", path.display());
    }
}
