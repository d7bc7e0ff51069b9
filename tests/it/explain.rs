//! Why an order goes or stays, told without recording anything.

use serde_json::{Value, json};

use crate::rig::{Rig, row, sheet, two_at};

fn explained(rig: &Rig, more: &[&str]) -> Value {
    let (exit, document) = rig.json(&[&["explain", "orders.csv"][..], more].concat());
    assert_eq!(exit, 0, "{document:#}");
    document
}

/// Rule, effect, level and where that comes from, of each finding.
fn said(document: &Value) -> Vec<String> {
    let of = |own: &Value| {
        let level = own["rule_level"].as_str().unwrap_or("none");
        format!("{} {} {level} {}", own["rule"], own["effect"], own["from"]).replace('"', "")
    };
    document["findings"].as_array().unwrap().iter().map(of).collect()
}

#[test]
fn each_column_and_each_rule_that_spoke_is_told() {
    let rig = Rig::new();
    rig.file("orders.csv", &two_at("499", "COD", "Order Total,Remarks,Shelf", "1200,Cancelled by customer,S1"));
    let document = explained(&rig, &["A-1"]);
    let column = |header: &str| {
        let columns = document["columns"].as_array().unwrap();
        let own = columns.iter().find(|own| own["header"] == header).unwrap();
        (own["is"].clone(), own["because"].clone())
    };
    assert_eq!(column("Receiver Phone"), (json!(["receiver.phoneNumber"]), json!("header")));
    assert_eq!(column("Order Total"), (json!(["the order's total, to compare"]), json!("header")));
    assert_eq!(document["outcome"], "stays");
    let total = "total-differs holds hold default";
    assert_eq!(said(&document), ["column-unused warns warn default", total, "cancelled-note holds hold default"]);
    assert!(document["silent"].as_array().unwrap().contains(&json!("phone-form")));
    let ran = rig.run(&["explain", "orders.csv", "A-1"]);
    ran.exits(0).prints("order A-1 (orders.csv:2)").prints("order A-1 stays, held by total-differs and cancelled-note");
    assert!(!rig.path("ledger.sqlite").exists(), "nothing is recorded");
}

#[test]
fn levels_and_what_was_accepted_are_told_with_what_came_of_them() {
    let rig = Rig::new();
    rig.file("shipsheet.toml", "[rules]\ncancelled-note = \"off\"\n");
    rig.file("orders.csv", &two_at("499", "COD", "Order Total,Remarks", "1200,Cancelled by customer"));
    rig.import(&["orders.csv"]).held("total-differs");
    rig.run(&["accept", "total-differs", "--order", "A-1", "--because", "so agreed"]).exits(0);
    let document = explained(&rig, &["A-1"]);
    let off = "cancelled-note off off shipsheet.toml";
    assert_eq!(
        (said(&document), &document["outcome"]),
        (vec!["total-differs accepted hold default".into(), off.into()], &json!("goes"))
    );
    rig.run(&["explain", "orders.csv", "A-1"]).prints(": so agreed\n").prints("order A-1 goes\n");
    rig.import(&["orders.csv"]).books(0, 1);
    assert_eq!(explained(&rig, &["A-1"])["outcome"], "booked");
}

#[test]
fn what_is_no_order_is_told_as_well() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet([row("A-1"), row("A-2")]));
    let ran = rig.run(&["explain", "orders.csv", "A-22"]);
    ran.exits(1).says("no order A-22 in this sheet; did you mean A-2?");
    rig.file(
        "own.toml",
        "[columns]\norderNumber = \"Order Number\"\n[[skip]]\ncolumn = \"SKU\"\nis = [\"K-1\"]\nbecause = \"so\"\n",
    );
    let document = explained(&rig, &["A-1", "--profile", "own.toml"]);
    assert_eq!(
        (&document["outcome"], said(&document)),
        (&json!("left-out"), vec!["left-out warns warn default".into()])
    );
    rig.file("orders.csv", "Order Number,City\nA-1,Pune\n");
    let document = explained(&rig, &["A-1"]);
    assert_eq!((&document["outcome"], &document["rows"]), (&json!("stays"), &json!("")));
    assert!(said(&document).iter().all(|own| own.starts_with("missing-column holds none")), "{document:#}");
}

#[test]
fn what_a_person_said_of_a_column_is_told() {
    let rig = Rig::new();
    let header = crate::rig::HEADER.replace("City", "Kiez").replace("Receiver Phone", "receiver.phoneNumber");
    rig.file("orders.csv", &format!("{header}\n{}\n", row("A-1")));
    rig.file("own.toml", "[columns]\n\"destination.city\" = \"Kiez\"\n");
    let document = explained(&rig, &["A-1", "--profile", "own.toml"]);
    let columns = document["columns"].as_array().unwrap();
    let because = |header: &str| columns.iter().find(|own| own["header"] == header).unwrap()["because"].clone();
    assert_eq!(because("Kiez"), "you said so (profile own)");
    assert_eq!(because("receiver.phoneNumber"), "header");
    assert_eq!(because("Order Number"), "header");
}

#[test]
fn how_remarks_were_read_and_what_would_be_sent_is_told() {
    let rig = Rig::new();
    let rows = ["A-1,CXL by customer", "A-2,gift wrap please", "A-3,stitch the blue one", "A-4,"].map(|own| {
        let (number, remark) = own.split_once(',').unwrap();
        format!("{},{remark}", row(number))
    });
    rig.file("orders.csv", &format!("{},Remarks\n{}\n", crate::rig::HEADER, rows.join("\n")));
    let remark = |number: &str| explained(&rig, &[number])["remarks"].clone();
    let cancelled = remark("A-1");
    assert_eq!(
        (&cancelled[0]["words"][0]["found"], &cancelled[0]["words"][0]["sense"]),
        (&json!("CXL"), &json!("cancelled"))
    );
    assert_eq!((&cancelled[0]["rule"], &cancelled[0]["is_read"]), (&json!("cancelled-note"), &json!(true)));
    let harmless = remark("A-2");
    assert_eq!((&harmless[0]["rule"], &harmless[0]["means"]), (&json!(null), &json!("it changes nothing")));
    let unread = remark("A-3");
    let means = "no word of it is known (unread-remarks): its order goes, and the remark is listed before you book";
    assert_eq!((&unread[0]["is_read"], &unread[0]["means"]), (&json!(false), &json!(means)));
    assert_eq!(remark("A-4"), json!([]));
    let document = explained(&rig, &["A-3"]);
    assert_eq!(document["request"]["orderNumber"], "A-3");
    assert_eq!(explained(&rig, &["A-1"])["request"], json!(null));
    let ran = rig.run(&["explain", "orders.csv", "A-1"]);
    ran.prints("remark at orders.csv:2 \"Remarks\": \"CXL by customer\"").prints("\"CXL\" means: cancelled");
    rig.run(&["explain", "orders.csv", "A-3"]).prints(means);
}
