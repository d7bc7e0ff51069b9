//! The request of an order in each layout that comes with the program, as it is sent, kept as a whole.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use shipsheet::profile::built_in;

use crate::rig::Rig;

/// What shop exports lack, and a warehouse by its name.
pub(crate) const CONFIGURATION: &str = "[defaults]
warehouseId = \"Main\"
\"parcelAttributes.dimension.length\" = 20
\"parcelAttributes.dimension.width\" = 15
\"parcelAttributes.dimension.height\" = 10
\"parcelAttributes.weight.weight\" = 0.5
[warehouses]
\"Main\" = \"wh-77\"
\"Bangalore WH\" = \"wh-78\"
";

/// A sheet of columns, each with its cells.
pub(crate) fn sheet(columns: &[(&str, &[&str])], delimiter: char) -> String {
    let quoted = |text: &str| {
        let special = text.contains([delimiter, '\n', '"']);
        if special { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
    };
    let line = |texts: Vec<&str>| texts.into_iter().map(quoted).collect::<Vec<_>>().join(&delimiter.to_string());
    let mut lines = vec![line(columns.iter().map(|(header, _)| *header).collect())];
    let rows = columns.iter().map(|(_, cells)| cells.len()).max().unwrap_or(0);
    for row in 0..rows {
        lines.push(line(columns.iter().map(|(_, cells)| cells.get(row).copied().unwrap_or_default()).collect()));
    }
    lines.join("\n") + "\n"
}

/// Books a sheet that a profile is recognised for; gives the requests by order, and the summary for people.
///
/// The requests as a whole are kept in `snapshots`.
pub(crate) fn booked(profile: &str, text: &str) -> (Vec<(String, Value)>, String) {
    let (bodies, said) = sent(text);
    assert!(said.contains(&format!("profile {profile}, ")), "{said}");
    keep(profile, &bodies);
    (bodies, said)
}

/// Books a sheet.
fn sent(text: &str) -> (Vec<(String, Value)>, String) {
    let rig = Rig::new();
    rig.file("shipsheet.toml", CONFIGURATION);
    rig.file("sheet.csv", text);
    let ran = rig.run(&["import", "sheet.csv", "--yes"]);
    assert!(ran.code == 0, "{ran:?}");
    let bodies = rig.bodies();
    (bodies, ran.stderr)
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
    assert_eq!(rig.run(&["template", "starter.csv"]).code, 0);
    let (bodies, said) = sent(&rig.read("starter.csv").replace("WH-1", "Main").replace("ORD-1001", "ORD-2001"));
    assert!(said.contains("44 of 44 columns used"), "{said}");
    keep("shipsheet", &bodies);
}

#[test]
fn meesho_with_the_receiver_added() {
    let columns: [(&str, &[&str]); 13] = [
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
    ];
    let pins: (&str, &[&str]) = ("PIN Code", &["800001", "800001"]);
    let (bodies, _) = booked("meesho", &sheet(&[&columns[..], &[pins]].concat(), ','));
    assert_eq!(bodies.len(), 1, "the other one is cancelled");
}

#[test]
fn the_request_of_every_layout_is_kept() {
    for profile in built_in() {
        let kept = format!("{}/tests/it/snapshots/it__bodies__body_{}.snap", env!("CARGO_MANIFEST_DIR"), profile.name);
        assert!(std::path::Path::new(&kept).exists(), "book a sheet in the layout of {}", profile.name);
    }
}
