//! Every hint leads on: followed to the letter, the order is booked, and with the right content.

use serde_json::Value;

use crate::rig::{Ran, Rig};

/// What sheets of shops by hand mostly have.
const HEAD: &str = "Order No,Customer Name,Phone,Address,City,State,Pincode,Product,Qty,Price,Payment";
const ROW: &str = "A1,Asha Rao,9876543210,14 MG Road,Bengaluru,Karnataka,560001,Kurta,2,499.00,COD";

/// What holds for all orders of the shop.
const SHOP: &str = "[defaults]\nwarehouseId = \"WH-1\"\n\"parcelAttributes.dimension.length\" = \"20\"\n\
    \"parcelAttributes.dimension.width\" = \"15\"\n\"parcelAttributes.dimension.height\" = \"10\"\n\
    \"parcelAttributes.weight.weight\" = \"0.5\"\n\"destination.countryCode\" = \"IN\"\n";

/// The problem with this code, first as JSON; the sheet must be held by it, or warned about it.
fn problem(rig: &Rig, name: &str, code: &str) -> Value {
    let (_, checked) = rig.json(&["check", name]);
    let found = checked["problems"].as_array().unwrap().iter().find(|problem| problem["code"] == code).cloned();
    found.unwrap_or_else(|| panic!("no {code} in {checked}"))
}

/// What a hint says to write into the configuration: `in shipsheet.toml: [check] ignore = ["MRP"]`.
fn configured(hint: &str) -> String {
    let line = hint.split("in shipsheet.toml: [").nth(1).unwrap_or_else(|| panic!("no line in {hint}"));
    let end = line.rfind(']').unwrap();
    format!("[{}\n", &line[..=end])
}

fn book(rig: &Rig, name: &str) -> Ran {
    rig.run(&["import", name, "--yes"])
}

/// The one body that was booked.
fn body(rig: &Rig) -> Value {
    let mut bodies = rig.bodies();
    assert_eq!(bodies.len(), 1, "{bodies:?}");
    bodies.remove(0).1
}

fn pointed(body: &Value, path: &str) -> String {
    match body.pointer(path) {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => panic!("no {path} in {body}"),
    }
}

#[test]
fn a_line_for_the_configuration_books_the_order() {
    // More columns, more cells, the problem, and what is booked once the line stands in the configuration.
    let cases = [
        ("Total", "1200", "total-differs", "/productRequestsList/0/price", "499.0"),
        ("Order Status", "Exchange", "held-back", "/orderNumber", "A1"),
        ("Tracking No", "998877", "held-back", "/orderNumber", "A1"),
        ("Fwd Address", "5th floor", "held-back", "/destination/addressLine1", "14 MG Road"),
        ("MRP", "999", "duplicate-header", "/productRequestsList/0/price", "999.0"),
    ];
    for (header, cells, code, path, expected) in cases {
        let rig = Rig::new();
        rig.file("shipsheet.toml", SHOP);
        rig.file("orders.csv", &format!("{HEAD},{header}\n{ROW},{cells}\n"));
        let hint = problem(&rig, "orders.csv", code)["hint"].as_str().unwrap().to_owned();
        rig.file("shipsheet.toml", &format!("{SHOP}{}", configured(&hint)));
        let ran = book(&rig, "orders.csv");
        assert_eq!(ran.code, 0, "{header}: {hint}\n{ran:?}");
        assert_eq!(pointed(&body(&rig), path), expected, "{header}: {hint}");
    }
}

#[test]
fn a_profile_that_is_passed_over_is_named_and_its_line_makes_it_fit() {
    let rig = Rig::new();
    rig.file("shipsheet.toml", SHOP);
    rig.file("orders.csv", &format!("{HEAD},GST Amount,Total\n{ROW},47.52,1200\n"));
    let folder = rig.path(".config/shipsheet/profiles");
    std::fs::create_dir_all(&folder).unwrap();
    let profile = "ignore = [\"GST Amount\", \"Total\"]\n";
    std::fs::write(folder.join("mine.toml"), profile).unwrap();
    let told = problem(&rig, "orders.csv", "sheet-notice");
    assert!(told["message"].as_str().unwrap().contains("mine is not used"), "{told}");
    let hint = told["hint"].as_str().unwrap();
    let line = &hint[hint.find("recognised_by").unwrap()..=hint.find(']').unwrap()];
    assert!(hint.contains(&folder.join("mine.toml").display().to_string()), "{hint}");
    std::fs::write(folder.join("mine.toml"), format!("{line}\n{profile}")).unwrap();
    assert_eq!(book(&rig, "orders.csv").code, 0);
    assert_eq!(pointed(&body(&rig), "/receiver/lastName"), "Rao");
}

#[test]
fn a_profile_of_the_plain_layout_changes_nothing_in_the_body() {
    let bodies: Vec<Value> = ["", "ignore = [\"Colour\"]\n", "[columns]\n\"receiver.firstName\" = \"Customer Name\"\n"]
        .into_iter()
        .map(|profile| {
            let rig = Rig::new();
            rig.file("shipsheet.toml", SHOP);
            rig.file("orders.csv", &format!("{HEAD},Colour,Order Date\n{ROW},red,2026-11-20\n"));
            rig.file("mine.toml", profile);
            let named: &[&str] = if profile.is_empty() { &[] } else { &["--profile", "mine.toml"] };
            let ran = rig.run(&[&["import", "orders.csv", "--yes"], named].concat());
            assert_eq!(ran.code, 0, "{ran:?}");
            body(&rig)
        })
        .collect();
    assert_eq!(bodies[0]["receiver"]["lastName"], "Rao");
    assert!(bodies.iter().all(|body| *body == bodies[0]), "{bodies:#?}");
    let rig = Rig::new();
    rig.file("shipsheet.toml", SHOP);
    rig.file("orders.csv", &format!("{HEAD},Colour,Order Date\n{ROW},red,2026-11-20\n"));
    let saved = rig.run(&["profile", "guess", "orders.csv", "--save", "mine"]);
    assert_eq!(saved.code, 0, "{saved:?}");
    let ran = book(&rig, "orders.csv");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(body(&rig), bodies[0], "by the profile that was guessed");
}
