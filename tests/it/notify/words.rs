//! The words of alerts and of the last line of a night: what stopped it, backups that fail, nights that were killed, and what
//! is open from before.

use serde_json::Value;
use shipsheet::sandbox::Answer;

use super::{Hook, bench, heard, night};
use crate::rig::{ran, row, row_with, sheet};

/// The alerts that came, as data.
fn alerts(hook: &Hook) -> Vec<Value> {
    heard(&hook.heard).iter().map(|told| serde_json::from_str(told).unwrap()).collect()
}

#[test]
fn what_stopped_a_night_is_said_in_words_with_what_to_do() {
    let hook = Hook::new(&["200 OK"]);
    let rig = bench(&format!("[notify.owner]\nwebhook = \"{}\"\n", hook.address));
    rig.file("in/a.csv", &sheet([row("A-1"), row("A-2")]));
    rig.sandbox().script(vec![Answer::Status(402, "{}".to_owned()); 9]);
    night(&rig).exits(5);
    let [alert]: [Value; 1] = alerts(&hook).try_into().unwrap();
    let said =
        "A run stopped early: the account cannot pay. What to do: add funds to it, then send what is outstanding.";
    assert!(alert["lines"].as_array().unwrap().contains(&said.into()), "{alert:#}");
    assert_eq!(alert["stopped_by"], serde_json::json!(["funds"]));
    rig.run(&["report", "--mask"]).prints("stopped early: the account cannot pay");
}

#[test]
fn a_backup_that_fails_is_a_problem_that_is_told_once_until_it_works() {
    let hook = Hook::new(&["200 OK"]);
    let notify = format!("[notify.owner]\nwebhook = \"{}\"\nwhen = \"problems\"\n", hook.address);
    let rig = bench(&format!("{notify}[backup]\nfolder = \"copies\"\nevery = \"1m\"\n"));
    rig.run(&["doctor"]).prints("there is no ledger to back up yet");
    rig.file("in/a.csv", &sheet([row("A-1")]));
    night(&rig).exits(0);
    rig.run(&["doctor"]).prints("the first one is due").prints_nothing_of("to mend before the next night");
    // A file lies where the folder of backups is to be.
    rig.file("copies", "in the way");
    for _ in 0..2 {
        night(&rig).exits(0).says("the ledger has no backup of this night: `shipsheet doctor` says what to do");
    }
    let told = alerts(&hook);
    let [alert] = told.as_slice() else { panic!("{told:#?}") };
    assert_eq!((&alert["title"], &alert["exit"]), (&"shipsheet: no backup, nothing was sent".into(), &0.into()));
    assert!(alert["lines"].to_string().contains("The ledger was not backed up: "), "{alert:#}");
    assert!(alert["next"].to_string().contains("shipsheet doctor"), "{alert:#}");
    std::fs::remove_file(rig.path("copies")).unwrap();
    night(&rig).exits(0).says("the ledger is backed up as ");
    assert_eq!(alerts(&hook).last().unwrap()["title"], "shipsheet: it is well again");
    rig.run(&["doctor"]).prints_nothing_of("the first one is due");
}

#[test]
fn what_a_killed_night_had_booked_is_told_by_the_next_one_as_booked() {
    for (step, in_doubt) in [("after-answer", 1), ("before-answer", 1), ("watch-booked", 0)] {
        let hook = Hook::new(&["200 OK"]);
        let rig = bench(&format!("[notify.owner]\nwebhook = \"{}\"\nwhen = \"always\"\n", hook.address));
        rig.file("in/a.csv", &sheet([row("A-1"), row_with("A-2", "9812345678", "560001")]));
        let mut killed = rig.command(&["watch", "in", "--once", "--rest", "0", "--concurrency", "1"]);
        killed.env("SHIPSHEET_CRASH_AT", step);
        assert_eq!(ran(killed).exit, -1, "{step}");
        let ended = night(&rig);
        let booked = 2 - in_doubt;
        ended.prints(format!("a.csv: {booked} of 2 orders booked")).prints_nothing_of("before");
        let [alert]: [Value; 1] = alerts(&hook).try_into().unwrap();
        assert_eq!(
            (&alert["orders"]["booked"], &alert["orders"]["already_booked"]),
            (&booked.into(), &0.into()),
            "{step}"
        );
        assert!(
            alert["title"]
                .as_str()
                .unwrap()
                .ends_with(&format!("{booked} order{} booked", if booked == 1 { "" } else { "s" }))
        );
        let report = rig.json(&["report"]).1;
        assert_eq!((&report["orders"]["booked"], &report["is_balanced"]), (&booked.into(), &true.into()), "{step}");
        rig.run(&["ledger", "check"]).exits(0);
    }
}

#[test]
fn a_night_in_which_nothing_came_says_what_its_exit_code_is_of_and_tells_it_once() {
    let hook = Hook::new(&["200 OK"]);
    let rig = bench(&format!("[notify.owner]\nwebhook = \"{}\"\nwhen = \"problems\"\n", hook.address));
    rig.file("a.csv", &sheet((0..4).map(|n| row(&format!("A-{n}")))));
    rig.run(&["import", "a.csv", "--yes", "--max-orders", "1", "--concurrency", "1"]).exits(5);
    let words =
        "no sheet came; in the whole ledger 0 orders in doubt and 3 outstanding: `shipsheet status` says what to do";
    for _ in 0..3 {
        night(&rig).exits(5).says(words);
    }
    assert_eq!(alerts(&hook).len(), 1, "nothing has changed");
    rig.run(&["resume", "--yes", "--max-orders", "1", "--concurrency", "1"]).exits(5);
    night(&rig).exits(5).says("0 orders in doubt and 2 outstanding");
    assert_eq!(alerts(&hook).len(), 2, "fewer are outstanding");
    // Where a line of the night says it there are no last words.
    rig.file("in/b.csv", &sheet([row("B-1")]));
    night(&rig).exits(5).says_nothing_of("no sheet came");
    rig.run(&["resume", "--yes"]).exits(0);
    let well = night(&rig);
    well.exits(0);
    assert_eq!((well.stdout.as_str(), well.stderr.as_str()), ("", ""));
    assert_eq!(alerts(&hook).last().unwrap()["title"], "shipsheet: it is well again");
}

#[test]
fn a_sheet_that_is_held_is_told_beside_orders_in_doubt_with_what_to_type() {
    let hook = Hook::new(&["200 OK"]);
    let rig = bench(&format!("[notify.owner]\nwebhook = \"{}\"\n", hook.address));
    rig.sandbox().script_order("A-1", [Answer::CutBefore]);
    rig.file("in/a.csv", &sheet([row("A-1"), row_with("A-2", "12", "560001")]));
    rig.file("in/b.pdf", "%PDF-1.4 a label that somebody dropped here");
    night(&rig).exits(6);
    let [alert]: [Value; 1] = alerts(&hook).try_into().unwrap();
    let title = "shipsheet: 1 in doubt, 1 to fix, 1 sheet for a person to look at, 0 orders booked";
    assert_eq!(alert["title"], title, "{alert:#}");
    let next: Vec<&str> = alert["next"].as_array().unwrap().iter().map(|next| next.as_str().unwrap()).collect();
    assert!(next.contains(&"shipsheet rejects --last 24h --to to-fix.xlsx"), "{next:?}");
    assert_eq!(alert["sheets_unnamed"], 0);
}

#[test]
fn of_very_many_sheets_those_that_need_a_person_are_named_and_the_others_counted() {
    let hook = Hook::new(&["200 OK"]);
    let rig = bench(&format!("[notify.owner]\nwebhook = \"{}\"\n", hook.address));
    for number in 0..60 {
        rig.file(&format!("in/{number:02}.pdf"), &format!("%PDF-1.4 {number}"));
    }
    night(&rig).exits(3);
    let [alert]: [Value; 1] = alerts(&hook).try_into().unwrap();
    assert_eq!((alert["sheets"].as_array().unwrap().len(), &alert["sheets_unnamed"]), (50, &10.into()));
    assert!(alert["lines"].to_string().contains("And 10 more sheets."), "{alert:#}");
    assert!(alert["title"].as_str().unwrap().contains("60 sheets for a person to look at"), "{alert:#}");
}

#[test]
fn a_row_that_is_half_empty_is_one_line_and_what_failed_is_told_with_status_and_whole_command() {
    let hook = Hook::new(&["200 OK"]);
    let rig = bench(&format!("[notify.owner]\nwebhook = \"{}\"\n", hook.address));
    let half = {
        let cells: Vec<&str> = crate::rig::HEADER.split(',').map(|_| "").collect();
        format!("H-1{}", cells.join(","))
    };
    rig.file("in/a.csv", &sheet([row("A-1"), half, row_with("A-2", "12", "560001"), row_with("A-3", "13", "560001")]));
    rig.sandbox().script_order("A-1", [Answer::Status(422, r#"{"message": "no lane for 560001"}"#.to_owned())]);
    let mut command = rig.command(&["--ledger", "own.sqlite", "watch", "in", "--once", "--rest", "0"]);
    command.env_remove("SHIPSHEET_LEDGER");
    ran(command).exits(4);
    let [alert]: [Value; 1] = alerts(&hook).try_into().unwrap();
    let lines: Vec<&str> = alert["lines"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    let invalid: Vec<&&str> = lines.iter().filter(|line| line.contains("× invalid: ")).collect();
    assert_eq!(invalid.len(), 2, "one row, and two with the same wrong phone: {lines:#?}");
    assert!(invalid.iter().all(|line| !line.contains("receiver.") && !line.contains("destination.")), "{invalid:#?}");
    assert!(invalid.iter().any(|line| line.starts_with("1 × ") && line.contains(" more columns)")), "{invalid:#?}");
    assert!(invalid.iter().any(|line| line.starts_with("2 × ") && line.contains("(Receiver Phone)")), "{invalid:#?}");
    assert!(lines.iter().any(|line| line.contains("HTTP 422") && !line.contains("560001")), "{lines:#?}");
    let next: Vec<&str> = alert["next"].as_array().unwrap().iter().map(|next| next.as_str().unwrap()).collect();
    assert!(next.contains(&"shipsheet --ledger own.sqlite retry --run 1"), "{next:?}");
}

#[cfg(unix)]
#[test]
fn a_first_night_makes_the_folder_that_it_notes_things_in() {
    use std::os::unix::fs::PermissionsExt;
    let hook = Hook::new(&["200 OK"]);
    let rig = bench(&format!("[notify.owner]\nwebhook = \"{}\"\nwhen = \"always\"\n", hook.address));
    rig.file("in/a.csv", &sheet([row("A-1")]));
    let mut first = rig.command(&["watch", "in", "--once", "--rest", "0"]);
    first.env("SHIPSHEET_LEDGER", rig.path("state/own/ledger.sqlite"));
    ran(first).exits(0).says_nothing_of("warning");
    assert_eq!(alerts(&hook).len(), 1);
    for folder in ["state", "state/own"] {
        assert_eq!(rig.path(folder).metadata().unwrap().permissions().mode() & 0o777, 0o700, "{folder}");
    }
}

#[test]
fn whoever_has_to_renew_the_token_is_told_where_it_is() {
    let hook = Hook::new(&["200 OK"]);
    let rig = bench(&format!("[notify.owner]\nwebhook = \"{}\"\n", hook.address));
    rig.file("shipsheet.toml", &format!("token_file = \"token\"\n{}", rig.read("shipsheet.toml")));
    let path = rig.file("token", "sandbox-token\n");
    assert!(path.exists());
    #[cfg(unix)]
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let said = |alert: &Value| alert["lines"].to_string();
    for name in ["A", "B"] {
        rig.file(&format!("in/{name}.csv"), &sheet([row(&format!("{name}-1"))]));
        rig.sandbox().script(vec![Answer::Status(401, "{}".to_owned()); 9]);
        let mut command = rig.command(&["watch", "in", "--once", "--rest", "0"]);
        if name == "B" {
            command.env_remove("SHIPSHEET_TOKEN");
        }
        ran(command).exits(5);
    }
    let told = alerts(&hook);
    assert!(said(&told[0]).contains("What to do: set a new SHIPSHEET_TOKEN where the night runs"), "{told:#?}");
    assert!(said(&told[1]).contains("What to do: put a new token into the file that token_file names"), "{told:#?}");
    assert!(told.iter().all(|told| !said(told).contains("log in again")), "{told:#?}");
}
