//! Orders in doubt: shown, settled by a person, settled by the portal's own export, and never by themselves.

use serde_json::{Value, json};
use shipsheet::sandbox::Answer;

use crate::rig::{Rig, row, row_of_own, sheet};

/// A ledger with these orders, of which the first ones are cut off after they were booked.
fn rig_with_doubts(numbers: &[&str], cut: &[&str]) -> Rig {
    let rig = Rig::new();
    for number in cut {
        rig.sandbox().script_order(number, [Answer::CutAfter]);
    }
    rig.file("orders.csv", &sheet(numbers.iter().map(|number| row(number))));
    let ran = rig.run(&["import", "orders.csv", "--yes"]);
    assert_eq!(ran.exit, if cut.is_empty() { 0 } else { 6 }, "{ran:?}");
    rig
}

/// The portal's export of everything that the sandbox booked.
fn portal(rig: &Rig) -> String {
    let rows: Vec<String> = rig.bookings().iter().map(|(number, awb)| format!("{number},{awb},Booked")).collect();
    format!("Client Order ID,Waybill No,Status\n{}\n", rows.join("\n"))
}

fn state(rig: &Rig, number: &str) -> String {
    let (_, shown) = rig.json(&["show", number]);
    shown["orders"][0]["state"].as_str().unwrap().to_owned()
}

#[test]
fn a_doubt_is_shown_with_all_that_helps_to_settle_it() {
    let rig = rig_with_doubts(&["A-1"], &["A-1"]);
    let ran = rig.run(&["doubt", "show", "A-1"]);
    ran.exits(6);
    for part in [
        "order A-1 at http://127.0.0.1:",
        "is in doubt\n  why: ",
        "attempt 1 in run 1: sent 20",
        "received: nothing",
        "request: 1 line from orders.csv:2 (SHA-256 ",
        "- order number A-1",
        "- a shipment made between 20",
        "shipsheet doubt booked A-1 --attempt 1 --awb AWB --because",
        "shipsheet doubt not-booked A-1 --attempt 1 --because",
        "shipsheet doubt abandon A-1 --attempt 1 --because",
    ] {
        ran.prints(part);
    }
    let (code, advice) = rig.json(&["doubt", "show", "A-1"]);
    assert_eq!((code, &advice["orders"][0]["in_doubt"]), (6, &json!(true)));
    assert!(advice["orders"][0]["commands"]["not_booked"].as_str().unwrap().contains("not-booked A-1"));
    rig.run(&["doubt", "show", "A-9"]).exits(1);
}

#[test]
fn what_an_answer_said_is_shown() {
    let rig = Rig::new();
    rig.sandbox().script_order("A-1", [Answer::BookedThen(502, "<h1>Bad Gateway</h1>".to_owned())]);
    rig.import_text(&sheet([row("A-1")])).exits(6);
    rig.run(&["doubt", "show", "A-1"]).prints("received: HTTP 502, <h1>Bad Gateway</h1>");
}

/// Promise 1: a decision opens one attempt, and is stored with who made it, when and why.
#[test]
fn a_decision_is_kept_with_who_when_why_and_opens_one_attempt() {
    let rig = Rig::new();
    rig.sandbox().script_order("A-1", [Answer::CutBefore, Answer::CutBefore]);
    rig.import_text(&sheet([row("A-1")])).exits(6);
    let not_booked = ["doubt", "not-booked", "A-1", "--because", "portal shows nothing"];
    rig.run(&not_booked).exits(0);
    assert_eq!(rig.run(&["resume", "--yes"]).exit, 6, "the second attempt ends in doubt as well");
    assert_eq!(rig.sandbox().book().posts("A-1"), 2);
    for command in [["resume", "--yes"], ["retry", "--yes"], ["import", "orders.csv"]] {
        rig.run(&[command.as_slice(), &["--yes"]].concat());
    }
    assert_eq!(rig.sandbox().book().posts("A-1"), 2, "one decision opens one attempt");
    // The command that was printed for the first attempt says nothing of the second.
    let stale = [not_booked.as_slice(), &["--attempt", "1"]].concat();
    rig.run(&stale).exits(1).says("was sent again or settled since you looked at it: it is in doubt now");
    rig.run(&[not_booked.as_slice(), &["--attempt", "2"]].concat()).exits(0);
    rig.run(&["resume", "--yes"]).exits(0);
    assert_eq!(rig.sandbox().book().posts("A-1"), 3);
    let (_, shown) = rig.json(&["show", "A-1"]);
    let decisions = shown["orders"][0]["decisions"].as_array().unwrap();
    assert_eq!(decisions.len(), 2);
    assert_eq!((&decisions[0]["user"], &decisions[0]["because"]), (&json!("tester"), &json!("portal shows nothing")));
    assert_eq!(decisions[0]["verb"], "not-booked");
    assert!(decisions[0]["at_ms"].as_i64().unwrap() > 0 && !decisions[0]["host"].as_str().unwrap().is_empty());
    assert_eq!((&decisions[0]["attempt"], &decisions[1]["attempt"]), (&json!(1), &json!(2)));
}

/// Promise 1: no import, resume or retry takes up an order in doubt: only a decision of a person does.
#[test]
fn nothing_but_a_person_takes_up_what_is_in_doubt() {
    let rig = rig_with_doubts(&["A-1", "A-2"], &["A-1"]);
    for arguments in [["retry", "A-1", "--yes"].as_slice(), &["resume", "--yes"], &["import", "orders.csv", "--yes"]] {
        assert_eq!(rig.run(arguments).exit, 6, "{arguments:?}");
    }
    assert_eq!(rig.run(&["retry", "--yes"]).exit, 0, "nothing has failed");
    assert_eq!(rig.sandbox().book().posts("A-1"), 1);
    for empty in ["", "  "] {
        let hint = "hint: write it behind --because";
        rig.run(&["doubt", "not-booked", "A-1", "--because", empty]).exits(1).says(hint);
        rig.run(&["doubt", "abandon", "A-1", "--because", empty]).exits(1).says(hint);
        rig.run(&["doubt", "booked", "A-1", "--awb", "AWB-1", "--because", empty]).exits(1).says(hint);
    }
    rig.run(&["doubt", "booked", "A-1", "--awb", "1.2E+12", "--because", "x"]).exits(1);
    assert_eq!(rig.run(&["doubt", "not-booked", "A-2", "--because", "x"]).exit, 1, "it is booked");
    rig.run(&["doubt", "abandon", "A-2", "--because", "x"]).exits(1);
    assert_eq!((state(&rig, "A-1"), state(&rig, "A-2")), ("in_doubt".to_owned(), "booked".to_owned()));
}

#[test]
fn retry_of_a_run_takes_what_failed_and_leaves_its_doubts() {
    let rig = Rig::new();
    rig.sandbox().script_order("A-1", [Answer::CutAfter]);
    rig.sandbox().script_order("A-2", [Answer::Status(422, r#"{"message":["try again"]}"#.to_owned())]);
    rig.import_text(&sheet(["A-1", "A-2"].map(row))).exits(6);
    for arguments in [["retry", "--yes"].as_slice(), &["retry", "--run", "1", "--yes"]] {
        let (code, document) = rig.json(arguments);
        let booked = u64::from(arguments.len() == 2);
        assert_eq!((code, &document["orders"]["booked"]), (0, &json!(booked)), "{arguments:?} {document}");
        assert_eq!(document["orders"]["total"], booked, "{arguments:?}: nothing in doubt is among them");
    }
    assert_eq!((rig.sandbox().book().posts("A-1"), state(&rig, "A-1")), (1, "in_doubt".to_owned()));
    assert_eq!((rig.sandbox().book().posts("A-2"), state(&rig, "A-2")), (2, "booked".to_owned()));
}

#[test]
fn what_a_no_speaks_of_is_retried_in_no_way() {
    let rig = Rig::new();
    let put_off = [("retry-after".to_owned(), "0".to_owned())].to_vec();
    let exists = r#"{"orderId": "7", "awb": null, "shipmentPurchaseError": "Order number already exists"}"#;
    let made = r#"{"message": "Shipment SR123456 already created with AWB 1234"}"#;
    let (wait, echo) = (r#"{"message": "Too many requests"}"#, r#"{"message": "no", "orderNumber": "A-3"}"#);
    rig.sandbox().script_order("A-1", [Answer::Full(429, put_off.clone(), made.to_owned())]);
    rig.sandbox().script_order("A-2", [Answer::Status(200, exists.to_owned())]);
    rig.sandbox().script_order("A-3", [Answer::Status(422, echo.to_owned())]);
    rig.sandbox().script_order("A-4", [Answer::Full(429, put_off, wait.to_owned())]);
    rig.import_text(&sheet(["A-1", "A-2", "A-3", "A-4"].map(row))).exits(6);
    for arguments in [["retry", "--yes"].as_slice(), &["retry", "--run", "1", "--yes"], &["resume", "--yes"]] {
        rig.run(arguments);
    }
    let posts = |number| rig.sandbox().book().posts(number);
    assert_eq!((posts("A-1"), posts("A-2"), posts("A-3"), posts("A-4")), (1, 1, 2, 2));
    assert_eq!((state(&rig, "A-1"), state(&rig, "A-2")), ("in_doubt".to_owned(), "in_doubt".to_owned()));
    assert_eq!((state(&rig, "A-3"), state(&rig, "A-4")), ("booked".to_owned(), "booked".to_owned()));
}

#[test]
fn what_is_abandoned_stays_so_until_a_person_says_otherwise() {
    let rig = Rig::new();
    rig.sandbox().script_order("A-1", [Answer::CutBefore]);
    rig.file("orders.csv", &sheet([row("A-1")]));
    rig.run(&["import", "orders.csv", "--yes"]);
    rig.run(&["doubt", "abandon", "A-1", "--because", "the customer has cancelled"]).exits(0);
    rig.run(&["resume", "--yes"]);
    rig.run(&["retry", "--yes"]);
    // A corrected row is no proof that the first request was not booked.
    rig.file("orders.csv", &sheet([row("A-1").replace("Kurta", "Saree")]));
    rig.run(&["import", "orders.csv", "--yes"]).says("left out: 1 abandoned");
    assert_eq!(rig.sandbox().book().posts("A-1"), 1);
    rig.run(&["doubt", "list"]).exits(0);
    rig.run(&["doubt", "not-booked", "A-1", "--because", "wanted after all; not in the portal"]).exits(0);
    rig.run(&["resume", "--yes"]).exits(0);
    assert_eq!(rig.bookings().len(), 1);
}

/// Promise 6: a courier's statement settles only the doubts that it proves, and only with a yes.
#[test]
fn a_statement_settles_what_it_proves_and_only_with_a_yes() {
    let rig = rig_with_doubts(&["A-1", "A-2", "A-3"], &["A-1", "A-3"]);
    rig.file("portal.csv", &portal(&rig));
    rig.run(&["doubt", "match", "portal.csv"])
        .exits(6)
        .prints("in doubt, and proven by the statement: 2")
        .says("--yes");
    assert_eq!(state(&rig, "A-1"), "in_doubt");
    let (code, report) = rig.json(&["doubt", "match", "portal.csv", "--yes"]);
    assert_eq!(code, 0, "{report}");
    assert_eq!(report["settled"], json!(["A-1", "A-3"]));
    assert_eq!(report["agree"].as_array().unwrap().len(), 3);
    for (number, awb) in rig.bookings() {
        let (_, shown) = rig.json(&["show", &number]);
        assert_eq!((&shown["orders"][0]["state"], &shown["orders"][0]["awb"]), (&json!("booked"), &json!(awb)));
    }
    let (_, shown) = rig.json(&["show", "A-1"]);
    let because = shown["orders"][0]["decisions"][0]["because"].as_str().unwrap();
    let row = portal(&rig).lines().position(|line| line.starts_with("A-1,")).unwrap() + 1;
    assert!(because.starts_with("portal.csv, SHA-256 ") && because.ends_with(&format!(", row {row}")), "{because}");
    assert_eq!(rig.run(&["doubt", "match", "portal.csv"]).exit, 0, "the daily reconciliation is clean");
}

#[test]
fn the_four_lists_and_the_exit_code() {
    let rig = rig_with_doubts(&["A-1", "A-2", "A-3", "A-4", "A-5"], &["A-5"]);
    let awb = |number: &str| rig.bookings().into_iter().find(|(known, _)| known == number).unwrap().1;
    let rows = [
        format!("A-1,{}", awb("A-1")),
        format!("A-3,{}", awb("A-3")),
        "A-3,77777777".to_owned(),
        format!("A-4,{}", awb("A-4")),
        "X-9,88888888".to_owned(),
    ];
    rig.file("portal.csv", &format!("Reference,Tracking Number\n{}\n", rows.join("\n")));
    let (code, report) = rig.json(&["doubt", "match", "portal.csv", "--yes"]);
    assert_eq!((code, &report["exit"], &report["in_doubt"]), (6, &json!(6), &json!(1)));
    let orders = |list: &str| -> Vec<Value> {
        report[list].as_array().unwrap().iter().map(|item| item["order"].clone()).collect()
    };
    assert_eq!(orders("agree"), ["A-1", "A-4"]);
    assert_eq!(orders("only_ours"), ["A-2", "A-5"]);
    assert_eq!(orders("only_theirs"), ["X-9"]);
    assert_eq!(orders("twice"), ["A-3"]);
    assert_eq!(state(&rig, "A-5"), "in_doubt", "a missing row proves nothing");
    rig.run(&["doubt", "abandon", "A-5", "--because", "test"]).exits(0);
    let ran = rig.run(&["doubt", "match", "portal.csv"]);
    ran.exits(4);
    for part in ["agree: 2", "only ours: 1", "only theirs: 1", "the same order twice: 1", "A-3", "X-9"] {
        ran.prints(part);
    }
}

#[test]
fn a_statement_can_be_held_against_one_run_or_one_day() {
    let rig = rig_with_doubts(&["A-1"], &[]);
    rig.import_text(&sheet([row("B-1")])).exits(0);
    let awb = rig.bookings().into_iter().find(|(number, _)| number == "B-1").unwrap().1;
    rig.file("portal.csv", &format!("Order No;Nr.\nB-1;{awb}\n"));
    let matching = ["doubt", "match", "portal.csv", "--awb-column", "B"];
    assert_eq!(rig.run(&matching).exit, 4, "A-1 is only ours");
    rig.run(&[matching.as_slice(), &["--run", "2"]].concat()).exits(0);
    rig.run(&[matching.as_slice(), &["--run", "9"]].concat()).exits(1);
    rig.run(&[matching.as_slice(), &["--since", "2020-01-01"]].concat()).exits(4);
    rig.run(&[matching.as_slice(), &["--since", "2999-01-01"]].concat()).exits(0);
    rig.run(&["doubt", "match", "portal.csv"]).exits(1).says("no column of the AWB").says("--awb-column");
}

const FIND_ORDER: &str = "[operations.find_order]\npath = \"/sandbox/orders/{order_number}\"\n";

/// What `doubt look-up` found, as order and finding.
fn looked_up(rig: &Rig, more: &[&str]) -> (i32, Vec<(String, String)>) {
    let (code, report) = rig.json(&[&["doubt", "look-up"], more].concat());
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let orders = report["orders"].as_array().unwrap();
    (code, orders.iter().map(|entry| (text(&entry["order"]), text(&entry["finding"]))).collect())
}

/// Promise 6: a look-up that does not show an order proves nothing.
#[test]
fn a_look_up_never_denies() {
    // The number in the path, or in the query; either way it holds what an address must not.
    confirms_and_never_denies(FIND_ORDER, ["A-1", "A-2"]);
    confirms_and_never_denies(&FIND_ORDER.replace("/{order_number}", ""), ["A/1 ü", "A&2=#"]);
}

fn confirms_and_never_denies(find_order: &str, [first, second]: [&str; 2]) {
    let rig = Rig::new();
    rig.sandbox().script_order(first, [Answer::CutAfter]);
    rig.sandbox().script_order(second, [Answer::CutBefore]);
    rig.import_text(&sheet([first, second, "B-1", "B-2", "B-3"].map(row))).exits(6);
    assert_eq!(rig.run(&["doubt", "look-up"]).exit, 1, "no configuration says how");
    rig.file("shipsheet.toml", find_order);
    let expected = [(first.to_owned(), "booked".to_owned()), (second.to_owned(), "unclear".to_owned())];
    assert_eq!(looked_up(&rig, &[]), (6, expected.to_vec()));
    assert_eq!(state(&rig, first), "in_doubt", "nothing is recorded without a yes");
    assert_eq!(rig.run(&["doubt", "look-up", "B-1", "--yes"]).exit, 1, "it is not in doubt");
    assert_eq!(looked_up(&rig, &["--yes"]), (6, expected.to_vec()));
    assert_eq!((state(&rig, first), state(&rig, second)), ("booked".to_owned(), "in_doubt".to_owned()));
    rig.run(&["doubt", "look-up", "--yes"])
        .exits(6)
        .prints("stays in doubt: the service does not show it, which proves nothing (HTTP 404")
        .says("doubt list");
    rig.run(&["doubt", "not-booked", second, "--attempt", "1", "--because", "not in the portal"]).exits(0);
    rig.run(&["resume", "--yes"]).exits(0);
    assert_eq!(rig.bookings().len(), 5);
}

#[test]
fn a_look_up_that_cannot_be_right_settles_nothing() {
    let rig = Rig::new();
    rig.sandbox().script_order("A-1", [Answer::CutAfter]);
    rig.import_text(&sheet(["B-1", "B-2", "A-1"].map(row))).exits(6);
    let unclear = (6, vec![("A-1".to_owned(), "unclear".to_owned())]);
    rig.file("shipsheet.toml", &FIND_ORDER.replace("orders/", "elsewhere/"));
    assert_eq!(looked_up(&rig, &["--yes"]), unclear, "a wrong path finds nothing, not even what is booked");
    rig.file("shipsheet.toml", &format!("{FIND_ORDER}fields = {{ awb = \"/orderId\" }}\n"));
    rig.run(&["doubt", "look-up", "--yes"]).exits(1).says("[operations.find_order.fields] awb");
    rig.file("shipsheet.toml", &format!("{FIND_ORDER}method = \"POST\"\n"));
    rig.run(&["doubt", "look-up", "--yes"]).exits(1);
    assert_eq!(state(&rig, "A-1"), "in_doubt");
}

fn awb(rig: &Rig, number: &str) -> String {
    rig.bookings().into_iter().find(|(own, _)| own == number).unwrap().1
}

#[test]
fn an_awb_that_cannot_be_the_orders_is_recorded_only_where_a_person_confirms_it() {
    let rig = rig_with_doubts(&["A-1", "A-2"], &["A-1"]);
    let say = |awb: &str, more: &[&str]| {
        rig.run(&[&["doubt", "booked", "A-1", "--awb", awb, "--because", "seen"], more].concat())
    };
    let (own, like) = (awb(&rig, "A-1"), format!("such as {}", awb(&rig, "A-2")));
    for odd in ["1", "77889901", &format!("{own}0"), &own[1..]] {
        let ran = say(odd, &[]);
        ran.exits(1).says(format!("{odd} does not look like this courier's AWBs, {like}")).says("add --yes");
    }
    for (own, what) in [("A-1", "number"), ("a1", "number"), ("9876543210", "phone number"), ("560001", "PIN code")] {
        say(own, &[]).exits(1).says(format!("{own} is the {what} of the order, not its AWB"));
    }
    assert_eq!(state(&rig, "A-1"), "in_doubt");
    say("77889901", &["--yes"]).exits(0);
    assert_eq!(state(&rig, "A-1"), "booked");
}

/// Promise 6: a recorded AWB is replaced only by a person who names its attempt and says yes.
#[test]
fn a_recorded_awb_is_replaced_only_by_somebody_who_names_the_attempt_and_means_it() {
    let rig = rig_with_doubts(&["A-1", "A-2"], &["A-1"]);
    let say = |awb: &str, more: &[&str]| {
        rig.run(&[&["doubt", "booked", "A-1", "--awb", awb, "--because", "seen"], more].concat())
    };
    let recorded = || rig.json(&["show", "A-1"]).1["orders"][0]["awb"].as_str().unwrap().to_owned();
    let (right, wrong) = (awb(&rig, "A-1"), awb(&rig, "A-2").replace("SBX", "SBY"));
    say(&wrong, &["--attempt", "1"]).exits(0);
    for yes in [&[][..], &["--yes"]] {
        say(&right, yes).exits(1).says(format!("is booked with AWB {wrong}")).says("--attempt 1");
    }
    // The command of the list, once more.
    say(&right, &["--attempt", "1"]).exits(1).says("add --yes");
    say(&right, &["--attempt", "2", "--yes"]).exits(1);
    assert_eq!(recorded(), wrong);
    say(&right, &["--attempt", "1", "--yes"]).exits(0);
    assert_eq!(recorded(), right);
}

#[test]
fn far_more_than_usual_needs_a_limit_where_nobody_can_be_asked() {
    let rig = Rig::new();
    let import = |name: &str, orders: usize, more: &[&str]| {
        rig.file("orders.csv", &sheet((0..orders).map(|order| row_of_own(&format!("{name}-{order}")))));
        rig.run(&[&["import", "orders.csv", "--yes"], more].concat())
    };
    assert_eq!(import("A", 60, &[]).exit, 0, "a first import has no usual");
    for name in ["B", "C"] {
        import(name, 10, &[]).exits(0);
    }
    let ran = import("D", 181, &[]);
    ran.exits(1);
    for part in ["181 orders, and none of the last 3 imports had more than 60 orders", "--max-orders", "usual_factor"] {
        ran.says(part);
    }
    assert_eq!(rig.bookings().len(), 80);
    assert_eq!(import("D", 181, &["--max-orders", "1"]).exit, 5, "a limit was given, and holds");
    rig.file("shipsheet.toml", "[booking]\nusual_factor = 4.0\n");
    let ran = import("E", 181, &[]);
    ran.exits(0).says_nothing_of("far more");
}
