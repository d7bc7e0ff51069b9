//! Commands and webhooks: what they are told, when, and when not.

use std::time::{Duration, Instant};

use serde_json::Value;
use shipsheet::app::App;
use shipsheet::config::{Config, Overrides};
use shipsheet::finding::english::plain_words;
use shipsheet::notify::{Notifier, NotifyOptions, Patience};
use shipsheet::overview::Advice;
use shipsheet::sandbox::Answer;

use super::{Hook, bench, heard, night, own_bench};
use crate::rig::{Rig, ran, row, row_with, sheet, wait_until};

fn bad(number: &str) -> String {
    row(number).replace("9876543210", "12")
}

/// What people are called and where they live in the sheets of the rig; none of it may be told.
const PERSONAL: [&str; 6] = ["Asha", "Rao", "9876543210", "MG Road", "560001", "asha@"];

#[track_caller]
fn names_nobody(told: &str) {
    for personal in PERSONAL {
        assert!(!told.contains(personal), "{personal}: {told}");
    }
}

#[test]
fn a_webhook_hears_what_a_night_came_to_and_no_name() {
    let hook = Hook::new(&["200 OK"]);
    let rig = bench(&format!("[notify.owner]\nwebhook = \"{}/secret-path\"\n", hook.address));
    rig.file("in/a.csv", &sheet([row("A-1"), bad("A-2"), row_with("A-3", "9876543210", "999001")]));
    let ended = night(&rig);
    ended.exits(4).says_nothing_of("warning");
    let told = heard(&hook.heard);
    let [told] = told.as_slice() else { panic!("{told:?}") };
    names_nobody(told);
    let alert: Value = serde_json::from_str(told).unwrap();
    assert_eq!((&alert["document"], &alert["of"], &alert["exit"]), (&"alert".into(), &"night".into(), &4.into()));
    assert_eq!(alert["title"], "shipsheet: 2 to fix, 1 order booked");
    assert_eq!((&alert["orders"]["booked"], &alert["sheets"][0]["filed"]), (&1.into(), &"attention".into()));
    let causes: Vec<&str> =
        alert["causes"].as_array().unwrap().iter().filter_map(|own| own["state"].as_str()).collect();
    assert!(causes.contains(&"invalid") && causes.contains(&"rejected"), "{alert:#}");
    assert!(alert["next"].to_string().contains("shipsheet retry"), "{alert:#}");
}

#[test]
fn the_same_is_not_told_twice_and_what_is_over_is_told_once() {
    let hook = Hook::new(&["200 OK"]);
    let rig = bench(&format!("[notify.owner]\nwebhook = \"{}\"\nwhen = \"problems\"\n", hook.address));
    let titles = || -> Vec<String> {
        let told = heard(&hook.heard);
        told.iter().map(|told| serde_json::from_str::<Value>(told).unwrap()["title"].to_string()).collect()
    };
    night(&rig).exits(0);
    assert!(titles().is_empty(), "a quiet night is no problem");
    rig.file("in/a.csv", &sheet([row("A-1"), row("A-2")]));
    rig.sandbox().script_order("A-2", [Answer::CutAfter]);
    night(&rig).exits(6);
    assert_eq!(titles(), ["\"shipsheet: 1 in doubt, 1 order booked\""]);
    night(&rig).exits(6);
    night(&rig).exits(6);
    assert_eq!(titles().len(), 1, "nothing has changed");
    rig.file("in/b.csv", "x,y\n1,2\n");
    night(&rig).exits(6);
    assert_eq!(titles().len(), 2, "another sheet needs a person");
    rig.run(&["doubt", "booked", "A-2", "--awb", "SBX9990000000000001", "--because", "seen in the portal"]).exits(0);
    night(&rig).exits(0);
    night(&rig).exits(0);
    assert_eq!(titles()[2..], ["\"shipsheet: it is well again\""]);
}

#[test]
fn it_is_not_well_again_in_a_night_that_needs_a_person() {
    let hook = Hook::new(&["200 OK"]);
    let rig = bench(&format!("[notify.owner]\nwebhook = \"{}\"\nwhen = \"in-doubt\"\n", hook.address));
    rig.file("in/a.csv", &sheet([row("A-1"), row("A-2")]));
    rig.sandbox().script_order("A-2", [Answer::CutAfter]);
    night(&rig).exits(6);
    rig.run(&["doubt", "booked", "A-2", "--awb", "SBX9990000000000001", "--because", "seen in the portal"]).exits(0);
    rig.file("in/b.csv", "x,y,z\n1,2,3\n");
    night(&rig).exits(3);
    assert_eq!(heard(&hook.heard).len(), 1, "{:?}", heard(&hook.heard));
    night(&rig).exits(0);
    assert!(heard(&hook.heard)[1].contains("it is well again"));
}

#[test]
fn a_night_that_cannot_run_is_told_as_well() {
    let hook = Hook::new(&["200 OK"]);
    let rig = bench(&format!("[notify.owner]\nwebhook = \"{}\"\n", hook.address));
    std::fs::remove_dir(rig.path("in")).unwrap();
    night(&rig).exits(1);
    night(&rig).exits(1);
    let told = heard(&hook.heard);
    let [told] = told.as_slice() else { panic!("{told:?}") };
    let alert: Value = serde_json::from_str(told).unwrap();
    assert_eq!((&alert["title"], &alert["exit"]), (&"shipsheet: the night could not run".into(), &1.into()));
    assert_eq!(alert["next"], serde_json::json!(["shipsheet doctor", "shipsheet report --last 24h --to report.html"]));
}

#[test]
fn a_watcher_that_goes_on_tells_of_each_pass_what_came_of_it() {
    let hook = Hook::new(&["200 OK"]);
    let rig = bench(&format!("[notify.owner]\nwebhook = \"{}\"\nwhen = \"always\"\n", hook.address));
    let live = rig.live("watch", &["watch", "in", "--rest", "0", "--interval", "0"]);
    let told = || -> Vec<Value> { heard(&hook.heard).iter().map(|told| serde_json::from_str(told).unwrap()).collect() };
    for (n, name) in ["A", "B"].into_iter().enumerate() {
        rig.file(&format!("in/{name}.csv"), &sheet([row(&format!("{name}-1"))]));
        wait_until("the sheet is told", || told().iter().filter(|told| told["orders"]["booked"] == 1).count() == n + 1);
    }
    drop(live);
    let sheets = |told: &Value| told["sheets"].as_array().unwrap().len();
    assert!(told().iter().all(|told| sheets(told) <= 1 && told["orders"]["total"].as_u64() <= Some(1)), "{:?}", told());
}

#[test]
fn each_target_hears_of_its_own_occasions() {
    let (always, empty, doubt) = (Hook::new(&["200 OK"]), Hook::new(&["200 OK"]), Hook::new(&["200 OK"]));
    let target = |name: &str, hook: &Hook, when: &str| {
        format!("[notify.{name}]\nwebhook = \"{}\"\nwhen = \"{when}\"\n", hook.address)
    };
    let rig = bench(
        &[target("a", &always, "always"), target("b", &empty, "nothing-came"), target("c", &doubt, "in-doubt")]
            .concat(),
    );
    let told = || [&always, &empty, &doubt].map(|hook| heard(&hook.heard).len());
    night(&rig).exits(0);
    assert_eq!(told(), [1, 1, 0]);
    rig.file("in/a.csv", &sheet([row("A-1")]));
    night(&rig).exits(0);
    assert_eq!(told(), [2, 1, 0]);
    night(&rig).exits(0);
    assert_eq!(told(), [3, 2, 0], "each night is its own");
}

#[test]
fn slack_and_teams_get_their_own_forms() {
    let (slack, teams) = (Hook::new(&["200 OK"]), Hook::new(&["202 Accepted"]));
    let rig = bench(&format!(
        "[notify.s]\nwebhook = \"{}\"\nform = \"slack\"\nwhen = \"always\"\n\
         [notify.t]\nwebhook_file = \"hook\"\nform = \"teams\"\nwhen = \"always\"\n",
        slack.address
    ));
    rig.file("hook", &format!("{}\n", teams.address));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(rig.path("hook"), std::fs::Permissions::from_mode(0o600)).unwrap();
    }
    rig.file("in/a <b>.csv", &sheet([row("A-1")]));
    night(&rig).exits(0).says_nothing_of("warning");
    let of = |hook: &Hook| -> Value { serde_json::from_str(&heard(&hook.heard)[0]).unwrap() };
    let text = of(&slack)["text"].as_str().unwrap().to_owned();
    assert!(text.starts_with("*shipsheet: 1 order booked*\n") && text.contains("a &lt;b&gt;.csv"), "{text}");
    let card = &of(&teams)["attachments"][0];
    assert_eq!(card["contentType"], "application/vnd.microsoft.card.adaptive");
    assert_eq!(card["content"]["body"][0]["text"], "shipsheet: 1 order booked");
}

#[cfg(unix)]
#[test]
fn a_command_gets_the_alert_and_the_report_and_no_secret() {
    let rig = own_bench(
        "[notify.pager]\nwhen = \"always\"\ncommand = \"cat > alert.json; env > seen; cp \\\"$(sed 's/.*report_file\\\":\\\"//; s/\\\".*//' alert.json)\\\" page.html\"\n",
    );
    rig.file("in/a.csv", &sheet([row("A-1"), bad("A-2")]));
    night(&rig).exits(4).says_nothing_of("warning");
    let alert = rig.read("alert.json");
    names_nobody(&alert);
    let page = rig.read("page.html");
    assert!(page.contains("Why orders failed") && page.contains("names, phones and addresses are left out"));
    names_nobody(page.split_once("</style>").unwrap().1);
    let seen = rig.read("seen");
    assert!(!seen.contains("SHIPSHEET_TOKEN") && seen.contains("PATH="), "{seen}");
    let report = serde_json::from_str::<Value>(&alert).unwrap()["report_file"].as_str().unwrap().to_owned();
    assert!(!std::path::Path::new(&report).exists(), "the report is gone once the command is over");
}

#[test]
fn whoever_cannot_be_told_is_said_and_changes_nothing() {
    let hook = Hook::new(&["404 Not Found"]);
    let rig = own_bench(&format!(
        "[notify.gone]\nwebhook = \"{}/a/secret\"\nwhen = \"always\"\n[notify.broken]\ncommand = \"exit 7\"\nwhen = \"always\"\n",
        hook.address
    ))
    .patient_for("0.1");
    // A command is tried again; one that is not there answers at once.
    rig.file("in/a.csv", &sheet([row("A-1")]));
    let ended = night(&rig);
    ended.exits(0).prints("1 of 1 order booked");
    ended.says("[notify.gone] was not told: 127.0.0.1 answered with status 404").says("[notify.broken] was not told");
    assert!(!ended.stderr.contains("secret"), "{ended:?}");
    assert_eq!(heard(&hook.heard).len(), 1, "what is refused for good is not tried again");
    // What was not told is told the next time.
    night(&rig).says("[notify.gone] was not told");
    assert_eq!(heard(&hook.heard).len(), 2);
}

#[test]
fn a_service_that_comes_back_hears_of_it_at_the_second_try() {
    let hook = Hook::new(&["503 Service Unavailable", "200 OK"]);
    let rig = bench(&format!("[notify.owner]\nwebhook = \"{}\"\nwhen = \"always\"\n", hook.address));
    let rig = rig.patient_for("0.1");
    night(&rig).exits(0).says_nothing_of("warning");
    assert_eq!(heard(&hook.heard).len(), 2);
}

#[test]
fn whoever_never_answers_keeps_nobody_waiting_for_longer_than_was_said() {
    let silent = Hook::new(&[]);
    let rig = Rig::alone();
    let text = format!(
        "base_url = \"http://127.0.0.1:1\"\n[night]\nping = \"{0}\"\n[notify.a]\nwebhook = \"{0}\"\nwhen = \"always\"\n\
         [notify.b]\ncommand = \"sleep 600\"\nwhen = \"always\"\n",
        silent.address
    );
    rig.file("shipsheet.toml", &text);
    let overrides = Overrides { folder: Some(rig.path("")), ..Overrides::default() };
    let app = App::open(Config::open(overrides).unwrap());
    let attempt = Duration::from_secs(1);
    let options = NotifyOptions {
        command: "shipsheet".to_owned(),
        words: plain_words(),
        advice: Advice::default(),
        patience: Patience { attempt, waits: vec![Duration::ZERO] },
    };
    let now = jiff::Timestamp::now();
    let mut notifier = Notifier::new(&app, options, now).unwrap().unwrap();
    let started = Instant::now();
    assert!(notifier.begins(now).is_empty());
    assert!(started.elapsed() < attempt, "the beginning waits for nobody");
    let failed = notifier.night(&shipsheet::watch::Night::default(), true, now);
    let said = failed.join("\n");
    assert!(said.contains("[notify.a]") && said.contains("[notify.b]") && said.contains("ping"), "{said}");
    // The ping at the beginning, the one at the end and the targets: two tries each, one after the other.
    assert!(started.elapsed() < attempt * 20, "{:?}", started.elapsed());
}

#[test]
fn a_person_who_imports_mails_nobody_unless_asked_to() {
    let hook = Hook::new(&["200 OK"]);
    let rig = bench(&format!("[notify.owner]\nwebhook = \"{}\"\nwhen = \"always\"\n", hook.address));
    rig.file("a.csv", &sheet([row("A-1")]));
    rig.run(&["import", "a.csv", "--yes"]).exits(0);
    assert!(heard(&hook.heard).is_empty());
    rig.file("b.csv", &sheet([row("B-1"), row("B-2")]));
    rig.sandbox().script_order("B-2", [Answer::TooMany(3_600)]);
    rig.run(&["import", "b.csv", "--yes", "--notify"]).exits(5);
    rig.run(&["resume", "--yes", "--notify"]).exits(0);
    let told: Vec<Value> = heard(&hook.heard).iter().map(|told| serde_json::from_str(told).unwrap()).collect();
    let what: Vec<_> = told.iter().map(|told| (told["of"].as_str().unwrap(), told["exit"].as_u64().unwrap())).collect();
    assert_eq!(what, [("import", 5), ("resume", 0)]);
    assert_eq!((&told[0]["runs"][0], &told[1]["runs"][0]), (&2.into(), &3.into()));
    // Where nobody could be told, that is said before anything is sent.
    rig.file("shipsheet.toml", "");
    rig.run(&["import", "b.csv", "--yes", "--notify"]).exits(2).says("nobody is configured");
    rig.run(&["import", "b.csv", "--sandbox", "--notify"]).exits(2).says("with --sandbox nobody is told");
}

#[test]
fn what_was_told_moves_along_with_the_ledger() {
    let hook = Hook::new(&["200 OK"]);
    let rig = bench(&format!("[notify.owner]\nwebhook = \"{}\"\nwhen = \"in-doubt\"\n", hook.address));
    rig.file("in/a.csv", &sheet([row("A-1")]));
    rig.sandbox().script_order("A-1", [Answer::CutBefore]);
    night(&rig).exits(6);
    rig.run(&["ledger", "move", "new/ledger.sqlite"]).exits(0);
    assert!(!rig.path("ledger.sqlite.notify").exists());
    let mut moved = rig.command(&["watch", "in", "--once", "--rest", "0"]);
    moved.env("SHIPSHEET_LEDGER", rig.path("new/ledger.sqlite"));
    ran(moved).exits(6);
    assert_eq!(heard(&hook.heard).len(), 1, "the same is not told twice");
}

#[test]
fn a_target_that_cannot_be_meant_is_found_before_anything_is_sent() {
    let rig = bench("[notify.owner]\nwhen = \"always\"\n");
    rig.file("in/a.csv", &sheet([row("A-1")]));
    night(&rig).exits(1).says("[notify.owner] needs one of command, webhook");
    assert!(rig.bookings().is_empty());
}
