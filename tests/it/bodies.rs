//! The request of an order in each layout that comes with the program, as it is sent, kept as a whole.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use shipsheet::profile::built_in;

use crate::rig::{Columns, Rig, Table};

/// Books a sheet that a profile is recognised for; gives the requests by order, and the summary for people.
///
/// The requests as a whole are kept in `snapshots`.
pub(crate) fn kept(profile: &str, columns: Columns<'_>) -> (Vec<(String, Value)>, String) {
    kept_of(profile, &Table::of(columns).text())
}

/// The same with a sheet as it stands.
pub(crate) fn kept_of(profile: &str, text: &str) -> (Vec<(String, Value)>, String) {
    let (bodies, said) = sent(text);
    assert!(said.contains(&format!("profile {profile}, ")), "{said}");
    keep(profile, &bodies);
    (bodies, said)
}

/// Books a sheet.
fn sent(text: &str) -> (Vec<(String, Value)>, String) {
    let rig = Rig::of_a_shop();
    rig.file("orders.csv", text);
    let ran = rig.run(&["import", "orders.csv", "--yes"]);
    ran.exits(0);
    (rig.bodies(), ran.stderr)
}

/// Compares requests with those that were kept.
fn keep(profile: &str, bodies: &[(String, Value)]) {
    let mut texts = Vec::new();
    for (_, body) in bodies {
        let mut body = body.clone();
        let created: i64 = body["orderCreatedAt"].as_str().unwrap().parse().unwrap();
        let age = Timestamp::now().duration_since(Timestamp::from_millisecond(created).unwrap());
        // An order without a date has the time at which it was staged.
        if age.abs() < SignedDuration::from_hours(1) {
            body["orderCreatedAt"] = json!("(now)");
        }
        texts.push(format!("{body:#}"));
    }
    insta::assert_snapshot!(format!("body_{profile}"), texts.join("\n"));
}

#[test]
fn shipsheet() {
    let rig = Rig::alone();
    rig.run(&["template", "starter.csv"]).exits(0);
    let (bodies, said) = sent(&rig.read("starter.csv").replace("WH-1", "Main").replace("ORD-1001", "ORD-2001"));
    assert!(said.contains("44 of 44 columns used"), "{said}");
    keep("shipsheet", &bodies);
}

#[test]
fn meesho_with_the_receiver_added() {
    let sheet: Columns<'_> = &[
        ("Sub Order No", &["M-1", "M-2"]),
        ("Order Date", &["15/08/2026", "16/08/2026"]),
        ("SKU", &["B-1", "B-2"]),
        ("Product Title", &["Headset", "Kettle"]),
        ("Quantity", &["1", "2"]),
        ("Supplier Discounted Price", &["1299.00", "699.50"]),
        ("Status", &["Ready to ship", "Cancelled"]),
        ("Payment Mode", &["COD", "Online"]),
        ("Customer State", &["Bihar", "Bihar"]),
        ("Receiver First Name", &["Asha", "Ravi"]),
        ("Receiver Phone", &["9876543210", "9876543211"]),
        ("Address Line 1", &["14 Boring Road", "x"]),
        ("City", &["Patna", "Patna"]),
        ("PIN Code", &["800001", "800001"]),
    ];
    let (bodies, _) = kept("meesho", sheet);
    assert_eq!(bodies.len(), 1, "the other one is cancelled");
}

#[test]
fn the_request_of_every_layout_is_kept() {
    for profile in built_in() {
        let kept = format!("{}/tests/it/snapshots/it__bodies__body_{}.snap", env!("CARGO_MANIFEST_DIR"), profile.name);
        assert!(std::path::Path::new(&kept).exists(), "book a sheet in the layout of {}", profile.name);
    }
}
