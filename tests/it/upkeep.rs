//! What keeps a ledger in order for years: statements of the courier, backups on a schedule, and what is personal taken away.

use std::path::PathBuf;

use serde_json::{Value, json};
use shipsheet::ledger::{Ledger, NewDelivery, NewPurge};
use shipsheet::sandbox::Answer;

use crate::rig::{Rig, row, row_with, sheet};

/// A ledger in which these orders are in doubt, of which the last one was booked, and the others are booked; all of them
/// were sent a day ago.
fn doubtful(booked: &[&str], lost: &str, cut: &str) -> Rig {
    let rig = Rig::new();
    rig.sandbox().script_order(lost, [Answer::CutBefore]);
    rig.sandbox().script_order(cut, [Answer::CutAfter]);
    rig.file("orders.csv", &sheet(booked.iter().chain([&lost, &cut]).map(|number| row(number))));
    rig.run(&["import", "orders.csv", "--yes", "--concurrency", "1"]).exits(6);
    let database = rig.database();
    database
        .execute_batch("DROP TRIGGER attempts_answered_once; UPDATE attempts SET intent_ms = intent_ms - 86400000")
        .unwrap();
    rig
}

/// The time so many hours from now, as a statement has it.
fn hours(from_now: i64) -> String {
    let moment = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(from_now);
    moment.strftime("%Y-%m-%d %H:%M").to_string()
}

/// A statement of what the sandbox booked, each with this time of booking and its charge.
fn statement(rig: &Rig, booked_on: impl Fn(usize) -> String) -> String {
    let bookings = rig.bookings();
    let rows = bookings
        .iter()
        .enumerate()
        .map(|(n, (number, awb))| format!("{number},{awb},{},\"1,{:03}.50\"", booked_on(n), n + 45));
    format!("Client Order ID,Waybill No,Booked On,Freight Charges\n{}\n", rows.collect::<Vec<_>>().join("\n"))
}

fn today(days: i64) -> jiff::civil::Date {
    jiff::ZonedDateTime::now()
        .with_time_zone(jiff::tz::TimeZone::UTC)
        .date()
        .saturating_add(jiff::Span::new().days(days))
}

#[test]
fn an_order_is_absent_only_within_the_dates_of_a_statement() {
    let rig = doubtful(&["A-1", "A-2"], "D-1", "D-2");
    let matching = |more: &[&str]| rig.json(&[&["doubt", "match", "portal.csv"], more].concat());
    // It ends before the attempt.
    rig.file("portal.csv", &statement(&rig, |n| hours(if n == 0 { -72 } else { -48 })));
    let (code, report) = matching(&[]);
    assert_eq!((code, &report["absent"], &report["outside"]), (6, &json!([]), &0.into()), "{report:#}");
    rig.run(&["doubt", "match", "portal.csv", "--not-booked"]).says("no order in doubt is surely missing");
    // It has the attempt's time and is filtered, or has dates of the future: neither shows that an order is missing.
    let whole = statement(&rig, |n| hours(if n == 0 { -48 } else { 0 }));
    let filtered = whole.lines().filter(|line| !line.starts_with("A-2")).collect::<Vec<_>>().join("\n");
    rig.file("portal.csv", &filtered);
    let (_, report) = matching(&["--not-booked"]);
    assert_eq!((&report["absent"], &report["not_booked"]), (&json!([]), &json!([])), "{report:#}");
    rig.run(&["doubt", "match", "portal.csv"]).prints("it lacks A-2 of that time as well");
    rig.file("portal.csv", &statement(&rig, |n| hours(if n == 0 { -48 } else { 48 })));
    rig.run(&["doubt", "match", "portal.csv"]).says("\"Booked On\" has dates of the future");
    assert_eq!(matching(&[]).1["absent"], json!([]));
    // A booking of that time that nobody knows may be it.
    let in_india = jiff::Timestamp::now() + jiff::SignedDuration::from_mins(330 - 24 * 60);
    rig.file("portal.csv", &format!("{whole}Z-9,77889901,{},\n", in_india.strftime("%Y-%m-%d %H:%M")));
    let ran = rig.run(&["doubt", "match", "portal.csv", "--not-booked"]);
    ran.prints("row 5 (number Z-9, AWB 77889901, booked 20").prints("may be this order").says("surely missing");
    assert_eq!(rig.json(&["show", "D-1"]).1["orders"][0]["state"], "in_doubt");
    rig.file("portal.csv", &whole);
    let (_, report) = matching(&[]);
    assert_eq!((&report["absent"], &report["not_booked"]), (&json!(["D-1"]), &json!([])), "{report:#}");
    let (_, report) = matching(&["--not-booked"]);
    assert_eq!(report["not_booked"], json!([]), "nothing without a yes");
    let (code, report) = matching(&["--not-booked", "--yes", "--to", "found.csv"]);
    assert_eq!((code, &report["settled"], &report["not_booked"]), (0, &json!(["D-2"]), &json!(["D-1"])), "{report:#}");
    let found = rig.read("found.csv");
    assert!(found.contains("missing there,D-1,in doubt,") && found.contains("proven,D-2,"), "{found}");
    let proven = found.lines().find(|line| line.starts_with("proven,D-2,")).unwrap();
    assert!(proven.contains(",1047.50,"), "what it charges for a shipment that it proves: {proven}");
    assert_eq!(report["freights_kept"], 3, "{report:#}");
    assert_eq!(rig.json(&["report"]).1["money"][0]["shipments"]["charged"], 3);
    let (_, shown) = rig.json(&["show", "D-1"]);
    let because = shown["orders"][0]["decisions"][0]["because"].as_str().unwrap();
    assert!(
        because.starts_with("portal.csv, SHA-256 ") && because.contains("has no such booking between"),
        "{because}"
    );
    rig.run(&["resume", "--yes"]).exits(0);
}

#[test]
fn the_last_day_of_a_statement_counts_once_a_person_says_that_it_is_whole() {
    let rig = doubtful(&["A-1", "A-2"], "D-1", "D-2");
    rig.file("portal.csv", &statement(&rig, |n| today(-1 - i64::from(n == 0)).to_string()));
    let absent = |more: &[&str]| rig.json(&[&["doubt", "match", "portal.csv"], more].concat()).1["absent"].clone();
    assert_eq!(absent(&[]), json!([]), "it may have been written at noon");
    let (until, since) = (today(0).to_string(), today(-2).to_string());
    assert_eq!(absent(&["--until", &until]), json!(["D-1"]));
    rig.run(&["doubt", "match", "portal.csv", "--until", &today(2).to_string()]).exits(2).says("is yet to come");
    rig.file("portal.csv", &rig.read("portal.csv").replace("Booked On", "Order Date"));
    assert_eq!(absent(&[]), json!([]), "when an order was made says nothing of its booking");
    assert_eq!(absent(&["--since", &since, "--until", &until]), json!(["D-1"]));
    assert_eq!(absent(&["--until", &today(-2).to_string()]), json!([]));
}

#[test]
fn what_the_courier_charges_is_kept_and_told() {
    let rig = Rig::booked("", 2);
    let now = |_| format!("{} 10:00", today(0));
    rig.file("portal.csv", &statement(&rig, now));
    rig.run(&["doubt", "match", "portal.csv"]).exits(0).says("the charges of 2 shipments were not kept; add --yes");
    let (code, report) = rig.json(&["doubt", "match", "portal.csv", "--yes"]);
    assert_eq!((code, &report["freights_kept"]), (0, &2.into()), "{report:#}");
    assert_eq!(rig.json(&["doubt", "match", "portal.csv", "--yes"]).1["freights_kept"], 0, "once for each statement");
    let charges =
        |rig: &Rig| -> Vec<Value> { rig.results(&[]).iter().map(|result| result["freight"].clone()).collect() };
    assert_eq!(charges(&rig), ["1045.50", "1046.50"]);
    let shipments = |rig: &Rig| rig.json(&["report"]).1["money"][0]["shipments"].clone();
    assert_eq!((&shipments(&rig)["freight"], &shipments(&rig)["charged"]), (&"2092.00".into(), &2.into()));
    rig.run(&["report"]).exits(0).prints("Courier's charge").prints_nothing_of("What the courier charges is not");
    // A later one counts, with all its rows of a shipment.
    let awb = &rig.bookings()[0].1;
    rig.file("later.csv", &format!("Order Number,AWB,Freight\n,{awb},60\n,{awb},₹ 15.25\n"));
    rig.run(&["doubt", "match", "later.csv", "--yes"]);
    assert_eq!(charges(&rig), ["75.25", "1046.50"]);
    rig.run(&["ledger", "check"]).exits(0);
}

/// Promise 4: a backup counts once it is proven sound, and no earlier one is pruned for one that is not.
#[test]
fn backups_are_made_when_due_proven_and_pruned() {
    let rig = Rig::booked("", 2);
    rig.run(&["ledger", "backup", "--scheduled"]).exits(2).says("folder");
    rig.file("shipsheet.toml", "[backup]\nfolder = \"copies\"\nevery = \"1d\"\nkeep = 2\n");
    let scheduled = || rig.json(&["ledger", "backup", "--scheduled"]).1;
    let first = scheduled();
    assert_eq!((&first["is_new"], &first["pruned"]), (&true.into(), &json!([])), "{first}");
    let file = first["file"].as_str().unwrap().to_owned();
    rig.run(&["ledger", "check", "--ledger", &file]).exits(0).prints("sound");
    let second = scheduled();
    assert_eq!((&second["is_new"], &second["file"]), (&false.into(), &first["file"]), "not due");
    // Two that are older, by their names.
    let (folder, name) = (rig.path("copies"), PathBuf::from(&file).file_name().unwrap().to_str().unwrap().to_owned());
    let prefix = name.rsplit_once('-').unwrap().0.to_owned();
    std::fs::rename(folder.join(&name), folder.join(format!("{prefix}-20260101T000000Z.sqlite"))).unwrap();
    std::fs::write(folder.join(format!("{prefix}-20251231T000000Z.sqlite")), "").unwrap();
    let third = scheduled();
    let gone = third["pruned"][0].as_str().unwrap();
    assert!(third["is_new"] == true && gone.ends_with("-20251231T000000Z.sqlite"), "{third}");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
    // One that cannot be proven is none, and costs no earlier one.
    std::fs::remove_file(rig.path(third["file"].as_str().unwrap())).unwrap();
    rig.database()
        .execute_batch("DROP TRIGGER attempts_answered_once; UPDATE attempts SET awb = 'X' WHERE id = 1")
        .unwrap();
    rig.run(&["ledger", "backup", "--scheduled"]).exits(1).says("the copy of the ledger is not sound");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
    rig.file("shipsheet.toml", "[backup]\nfolder = \"copies\"\nevery = \"soon\"\n");
    rig.run(&["ledger", "backup", "--scheduled"]).exits(1).says("write 1d, 12h or 90m");
}

#[test]
fn a_watcher_makes_the_backup_that_is_due_before_it_books() {
    let rig = Rig::booked("", 1);
    std::fs::create_dir(rig.path("in")).unwrap();
    rig.file("in/orders.csv", &sheet([row("W-1")]));
    rig.file("shipsheet.toml", "[backup]\nfolder = \"copies\"\n");
    let watch = ["watch", "in", "--once", "--rest", "0"];
    let (code, night) = rig.json(&watch);
    let file = night["backup"]["file"].as_str().unwrap();
    assert_eq!((code, &night["backup"]["error"]), (0, &Value::Null), "{night:#}");
    rig.run(&["show", "W-1", "--ledger", file]).exits(1);
    assert_eq!(rig.json(&watch).1["backup"], Value::Null, "the next one is not due");
    // Where it cannot be made, that is told, and books all the same.
    rig.file("shipsheet.toml", "[backup]\nfolder = \"orders.csv\"\n");
    rig.file("in/more.csv", &sheet([row("W-2")]));
    let (code, night) = rig.json(&watch);
    assert!(code == 0 && night["backup"]["error"].as_str().is_some_and(|why| why.contains("orders.csv")), "{night:#}");
    assert_eq!(night["sheets"][0]["filed"], "done");
}

/// Every file of the ledger but its lock, as one.
fn bytes(rig: &Rig) -> Vec<u8> {
    let mut all = Vec::new();
    for name in ["ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite.spool"] {
        all.extend(std::fs::read(rig.path(name)).unwrap_or_default());
    }
    all
}

fn holds(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// Promise 4: a purge removes personal data, and neither evidence nor an open order.
#[test]
fn a_removal_leaves_no_byte_of_a_person_and_all_of_the_evidence() {
    const PERSON: [&str; 3] = ["Zubeida", "Quince Lane", "9123456780"];
    let rig = Rig::new();
    let of = |number: &str| {
        row_with(number, "9123456780", "560001").replace("Asha", "Zubeida").replace("14 MG Road", "7 Quince Lane")
    };
    assert!(of("A-1").contains("Zubeida") && of("A-1").contains("Quince Lane"), "{}", of("A-1"));
    let said = r#"{"message": "Zubeida of 7 Quince Lane has no phone 9123456780"}"#.to_owned();
    rig.sandbox().script_order("A-2", [Answer::Status(422, said.clone())]);
    rig.sandbox().script_order("A-3", [Answer::Status(422, r#"{"message": "Openina is not known"}"#.to_owned())]);
    rig.sandbox().script_order("A-4", [Answer::CutAfter]);
    let bad = of("I-1").replace("9123456780", "Zubeida 12");
    let rows = [of("A-1"), of("A-2"), of("A-3").replace("Zubeida", "Openina"), of("A-4"), bad];
    rig.file("orders.csv", &sheet(rows));
    rig.run(&["import", "orders.csv", "--yes", "--concurrency", "1"]).exits(6);
    rig.run(&["retry", "A-2", "--yes"]).exits(0);
    rig.run(&["cancel", "A-2", "--yes"]).exits(0);
    rig.run(&["dismiss", "I-1", "--because", "nobody answers"]).exits(0);
    let path = rig.path("ledger.sqlite");
    let mut ledger = Ledger::open(&path).unwrap();
    let awb = rig.bookings()[0].1.clone();
    let event = format!("{{\"awb\": \"{awb}\", \"name\": \"Zubeida\"}}");
    let service = format!("http://{}", rig.sandbox().address());
    let names = [awb.clone()];
    let delivery =
        NewDelivery { sha256: [7; 32], received_ms: 1, content_type: None, body: event.as_bytes(), names: &names };
    ledger.deliver(&service, &delivery).unwrap();
    let packed: Vec<(String, Vec<u8>)> = {
        let database = rig.database();
        let mut statement =
            database.prepare("SELECT o.number, q.body FROM orders o JOIN requests q ON q.id = o.request_id").unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        rows.collect::<Result<_, _>>().unwrap()
    };
    let before = bytes(&rig);
    assert!(PERSON.iter().all(|person| holds(&before, person.as_bytes())), "the ledger holds people");
    assert!(packed.iter().all(|(_, body)| holds(&before, &body[body.len() / 2..])));
    let new = NewPurge { before_ms: i64::MAX, user: "asha".into(), host: "desk".into(), at_ms: 1_800_000_000_000 };
    let planned = ledger.would_purge(i64::MAX).unwrap();
    assert_eq!((planned.orders, planned.open, planned.named.clone()), (2, 2, vec!["A-3".to_owned(), "A-4".to_owned()]));
    let done = ledger.purge(&new).unwrap();
    assert_eq!((done.orders, done.requests, done.is_log_left), (2, 2, false));
    assert_eq!(ledger.would_purge(i64::MAX).unwrap().orders, 0);
    drop(ledger);
    let after = bytes(&rig);
    for person in PERSON {
        assert!(!holds(&after, person.as_bytes()), "{person}");
    }
    for (number, body) in &packed {
        let stays = ["A-3", "A-4"].contains(&number.as_str());
        assert_eq!(holds(&after, &body[body.len() / 2..]), stays, "{number}");
    }
    assert!(holds(&after, b"Openina"), "what failed is still open, with what was said of it");
    rig.run(&["ledger", "check"]).exits(0).prints("sound");
    rig.run(&["show", "A-2", "--evidence"]).exits(0).prints("\"refused\"");
    rig.run(&["show", "A-1"]).exits(0).prints(&awb);
    let report = rig.json(&["report"]).1;
    assert_eq!(report["is_balanced"], true, "{:#}", report["balances"]);
    // Whoever is asked for again is known, and what was open goes on.
    rig.run(&["import", "orders.csv", "--yes"]).exits(6).prints("already booked");
    rig.run(&["retry", "A-3", "--yes"]).exits(0);
    rig.run(&["ledger", "check"]).exits(0).prints("sound");
    rig.database()
        .execute_batch(
            "DROP TRIGGER attempts_answered_once; UPDATE attempts SET status = 500 WHERE n = 1 AND purge_id IS NOT NULL",
        )
        .unwrap();
    rig.run(&["ledger", "check"]).exits(1).prints("evidence was altered");
}

#[test]
fn a_removal_shows_first_and_touches_nothing_young() {
    let rig = Rig::booked("", 1);
    rig.run(&["ledger", "purge", "--older-than", "29d"]).exits(2).says("orders of the last 30 days stay as they are");
    rig.run(&["ledger", "purge", "--older-than", "soon"]).exits(2);
    let (code, shown) = rig.json(&["ledger", "purge", "--older-than", "30d", "--yes"]);
    assert_eq!((code, &shown["removed"], &shown["orders"]), (0, &false.into(), &0.into()), "{shown:#}");
    rig.run(&["ledger", "purge", "--older-than", "30d"]).exits(0).says("there is nothing to remove");
}
