//! Own profiles through the program: every transform, what is held when a sheet changes, how a sheet is read on request.

use rust_xlsxwriter::Workbook;
use serde_json::{Value, json};

use crate::rig::{HEADER, Rig, row, sheet};

const PROFILE: &str = r##"
name = "counter"
recognised_by = ["Bill", "Who", "Where", "Product 1"]
ignore = ["Colour"]
fill_down = true

[columns]
orderNumber = { column = "Bill", strip = ["#"] }
orderCreatedAt = "When"
"receiver.firstName" = { column = "Who", part = "first-name" }
"receiver.lastName" = { column = "Who", part = "last-name" }
"receiver.phoneNumber" = { first = ["Mobile", "Phone"], strip = ["'"] }
"destination.addressLine1" = { column = "Where", part = "line-1" }
"destination.addressLine2" = { column = "Where", part = "lines-from-2" }
"destination.city" = "Town"
"destination.state" = "Prov"
"destination.pinCode" = "Pin"
warehouseId = "Depot"
sellerNote = { join = ["Note", "Gift"], with = "; " }
"parcelAttributes.dimension.length" = { column = "Long", unit = "in" }
"parcelAttributes.dimension.width" = { column = "Wide", unit = "in" }
"parcelAttributes.dimension.height" = { column = "High", unit = "in" }
"parcelAttributes.weight.weight" = { column = "Grams", unit = "g" }
"shippingProperties.orderType" = { column = "Paid by", map = { cash = "COD" }, otherwise = "PREPAID" }
"productRequestsList.productName" = "Product {n}"
"productRequestsList.quantity" = "Qty {n}"
"productRequestsList.price" = { column = "Amount {n}", line_total = true }

[defaults]
"destination.countryCode" = "IN"

[dates]
formats = ["%d/%m/%Y %H:%M"]
time_zone = "Asia/Dubai"

[[skip]]
column = "Status"
is = ["cancelled"]
because = "the order is cancelled"
"##;

const COUNTER: &str = "Bill,Status,When,Who,Mobile,Phone,Where,Town,Prov,Pin,Depot,Note,Gift,Long,Wide,High,Grams,\
Paid by,Product 1,Qty 1,Amount 1,Product 2,Qty 2,Amount 2,Colour
#B-1,open,20/11/2026 09:30,Asha Devi Rao,,'9876543210,\"14 MG Road,
Near City Mall
Indiranagar\",Bengaluru,Karnataka,560001,main depot,ring twice,wrap it,10,20,5,500,Cash,Kurta,2,₹999.80,Scarf,1,\"₹1,124.00\",red
,,,,,,,,,,,,,,,,,,Belt,3,299.97,,,,
#B-2,Cancelled,20/11/2026 10:00,Ravi,9812345678,,5 Park St,Kolkata,West Bengal,700016,Main depot,,,10,20,5,500,Card,Saree,1,1299,,,,
,,,,,,,,,,,,,,,,,,Blouse,1,299,,,,
#B-3,open,20/11/2026 11:00,Mina,9812345678,,6 Park St,Kolkata,West Bengal,700016,Main depot,,,10,20,5,500,Card,Saree,3,100,,,,
";

fn bodies(rig: &Rig) -> Vec<Value> {
    let bookings = rig.sandbox().book().bookings();
    bookings.into_iter().map(|booking| serde_json::from_slice(&booking.body).unwrap()).collect()
}

#[test]
fn every_transform_of_a_profile_reaches_the_request() {
    let rig = Rig::new();
    rig.file("counter.toml", PROFILE);
    rig.file("shipsheet.toml", "[warehouses]\n\"Main depot\" = \"wh-77\"\n");
    rig.file("orders.csv", COUNTER);
    let (code, document) = rig.json(&["import", "orders.csv", "--profile", "counter.toml", "--yes"]);
    assert_eq!(code, 0, "{document}");
    let mut bodies = bodies(&rig);
    bodies.sort_by_key(|body| body["orderNumber"].to_string());
    assert_eq!(bodies.len(), 2);
    let placed: jiff::Timestamp = "2026-11-20T05:30:00Z".parse().unwrap();
    let expected = [
        ("/orderNumber", json!("B-1")),
        ("/orderCreatedAt", json!(placed.as_millisecond().to_string())),
        ("/receiver/firstName", json!("Asha Devi")),
        ("/receiver/lastName", json!("Rao")),
        ("/receiver/phoneNumber", json!("9876543210")),
        ("/destination/addressLine1", json!("14 MG Road")),
        ("/destination/addressLine2", json!("Near City Mall, Indiranagar")),
        ("/warehouseId", json!("wh-77")),
        ("/sellerNote", json!("ring twice; wrap it")),
        ("/parcelAttributes/dimension/length", json!(25.4)),
        ("/parcelAttributes/dimension/height", json!(12.7)),
        ("/parcelAttributes/dimension/unit", json!("cm")),
        ("/parcelAttributes/weight/weight", json!(0.5)),
        ("/parcelAttributes/weight/unit", json!("kg")),
        ("/shippingProperties/orderType", json!("COD")),
    ];
    for (path, value) in expected {
        assert_eq!(bodies[0].pointer(path), Some(&value), "{path} in {:#}", bodies[0]);
    }
    let lines = bodies[0]["productRequestsList"].as_array().unwrap().iter();
    let lines: Vec<_> = lines.map(|line| (&line["productName"], &line["quantity"], &line["price"])).collect();
    let (kurta, scarf, belt) = (json!("Kurta"), json!("Scarf"), json!("Belt"));
    assert_eq!(
        lines,
        [(&kurta, &json!(2), &json!(499.9)), (&scarf, &json!(1), &json!(1124.0)), (&belt, &json!(3), &json!(99.99))]
    );
    // The cancelled order is left out with its second row, which says nothing of that itself; both are listed.
    assert_eq!(document["rows"]["skipped"], 2, "{document}");
    let problems = document["problems"].as_array().unwrap();
    let of = |code: &str| problems.iter().filter(|problem| problem["code"] == code).collect::<Vec<_>>();
    let left_out = of("row-left-out");
    assert_eq!(left_out.len(), 2, "{document}");
    assert_eq!(
        (&left_out[0]["place"], &left_out[0]["found"]),
        (&json!("orders.csv:6 \"Status\""), &json!("Cancelled"))
    );
    assert!(left_out[0]["message"].as_str().unwrap().starts_with("the order is cancelled"));
    // Three pieces for 100 have no whole price; what is paid is 100 all the same.
    let (line, amounts) = (&bodies[1]["productRequestsList"][0], &bodies[1]["shippingProperties"]);
    assert_eq!((&line["price"], &line["quantity"], &amounts["subTotal"]), (&json!(33.33), &json!(3), &json!(100.0)));
}

#[test]
fn a_warehouse_that_nobody_named_and_a_value_without_an_entry_are_told() {
    let rig = Rig::new();
    rig.file("counter.toml", &PROFILE.replace(", otherwise = \"PREPAID\"", ""));
    rig.file("shipsheet.toml", "[warehouses]\n\"North\" = \"wh-1\"\n");
    rig.file("orders.csv", &COUNTER.replace("Cash", "Cheque"));
    let (code, document) = rig.json(&["check", "orders.csv", "--profile", "counter.toml"]);
    assert_eq!(code, 3, "{document}");
    let problems = document["problems"].as_array().unwrap();
    let place = |code: &str| problems.iter().find(|problem| problem["code"] == code).map(|problem| &problem["place"]);
    assert_eq!(place("unknown-warehouse"), Some(&json!("orders.csv:2 \"Depot\"")), "{document}");
    assert_eq!(place("bad-payment"), Some(&json!("orders.csv:2 \"Paid by\"")), "{document}");
}

/// Writes an order as a workbook; `change` may put other cells over it.
fn workbook(rig: &Rig, header: &str, change: impl Fn(&mut rust_xlsxwriter::Worksheet)) {
    let mut workbook = Workbook::new();
    let worksheet = workbook.add_worksheet();
    worksheet.set_name("Orders").unwrap();
    for (line, text) in (0_u32..).zip([header, &row("A-1"), &row("A-2")]) {
        for (column, cell) in (0_u16..).zip(text.split(',')) {
            worksheet.write_string(line, column, cell).unwrap();
        }
    }
    change(worksheet);
    workbook.save(rig.path("orders.xlsx")).unwrap();
}

/// The place and message of what holds the sheet; nothing was sent.
fn held(rig: &Rig) -> (String, String, String) {
    let (code, document) = rig.json(&["import", "orders.xlsx", "--yes"]);
    assert_eq!((code, rig.sandbox().book().requests()), (3, 0), "{document}");
    let problems = document["problems"].as_array().unwrap();
    let changed = problems.iter().find(|problem| problem["code"] == "layout-changed").unwrap();
    let text = |key: &str| changed[key].as_str().unwrap_or_default().to_owned();
    (text("place"), text("message"), text("hint"))
}

#[test]
fn a_column_that_goes_is_renamed_or_changes_its_kind_holds_the_run() {
    let rig = Rig::new();
    workbook(&rig, HEADER, |_| {});
    assert_eq!(rig.run(&["profile", "guess", "orders.xlsx", "--save", "counter"]).code, 0);
    let again = "shipsheet profile guess orders.xlsx --save counter --replace";

    workbook(&rig, &HEADER.replace(",SKU,", ",,"), |_| {});
    let (place, message, hint) = held(&rig);
    assert!(message.ends_with("the saved profile counter expects, but its column \"SKU\" is gone"), "{message}");
    assert!(place == "Orders row 1" && hint.contains(again), "{place}: {hint}");

    workbook(&rig, &HEADER.replace("Receiver Phone", "Call here"), |_| {});
    let (place, message, hint) = held(&rig);
    assert!(message.ends_with("its column \"Receiver Phone\" (now \"Call here\"?) is gone"), "{message}");
    assert!(place == "Orders!D1" && hint.contains("rename the header back"), "{place}: {hint}");

    workbook(&rig, HEADER, |sheet| {
        sheet.write_number(2, 8, 560_001).unwrap();
        sheet.write_number(1, 8, 560_001).unwrap();
    });
    let (place, message, hint) = held(&rig);
    assert!(message.starts_with("the column \"PIN Code\" held text when the profile counter was saved"), "{message}");
    assert!(message.ends_with("and now holds number") && place == "Orders!I2", "{place}: {message}");
    assert!(hint.contains("format the column as text again") && hint.contains(again), "{hint}");

    // The way out is the one that was named.
    let words: Vec<&str> = again.split(' ').skip(1).collect();
    assert_eq!(rig.run(&words).code, 0);
    assert_eq!(rig.run(&["import", "orders.xlsx", "--yes"]).code, 0);
    assert_eq!(rig.bookings().len(), 2);
}

#[test]
fn how_a_sheet_is_read_can_be_said() {
    let rig = Rig::new();
    let good = sheet([row("A-1").replace("Asha", "José")]);
    // A row above the header that looks more like one than the header itself.
    let titled =
        format!("Order Number,Name,City,Price,Weight,Quantity,Warehouse\nprinted,by,hand,at,the,counter,\n{good}");
    for (name, flags) in [("header.csv", ["--header-row", "3"]), ("skip.csv", ["--skip-rows", "2"])] {
        rig.file(name, &titled.replace("A-1", name));
        let ran = rig.run(&[&["import", name, "--yes"], &flags[..]].concat());
        assert!(ran.code == 0 && ran.stderr.contains("header in row 3"), "{flags:?}: {ran:?}");
    }
    // Commas in every cell make the comma look likelier than the pipe.
    let piped = good.replace(',', "|").replace("14 MG Road", "14, MG Road, 2nd, floor, left").replace("A-1", "P-1");
    rig.file("piped.csv", &piped);
    assert_eq!(rig.run(&["import", "piped.csv", "--yes", "--delimiter", "pipe"]).code, 0);
    let latin: Vec<u8> = good.replace("A-1", "L-1").chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    std::fs::write(rig.path("latin.csv"), latin).unwrap();
    let wrong = rig.run(&["check", "latin.csv", "--encoding", "utf-8"]);
    assert!(wrong.code == 3 && wrong.stderr.contains("latin.csv:2"), "{wrong:?}");
    assert_eq!(rig.run(&["import", "latin.csv", "--yes", "--encoding", "windows-1252"]).code, 0);
    let names: Vec<Value> = bodies(&rig).iter().map(|body| body["receiver"]["firstName"].clone()).collect();
    assert_eq!(names, ["José"; 4]);
    let unknown = rig.run(&["check", "latin.csv", "--encoding", "martian"]);
    assert!(unknown.code != 0 && unknown.stderr.contains("martian"), "{unknown:?}");
}

#[test]
fn profiles_are_listed_shown_and_checked() {
    let rig = Rig::alone();
    rig.file("orders.csv", &sheet([row("A-1")]));
    assert_eq!(rig.run(&["profile", "guess", "orders.csv", "--save", "counter"]).code, 0);
    let taken = rig.run(&["profile", "guess", "orders.csv", "--save", "counter"]);
    assert!(taken.code == 1 && taken.stderr.contains("--replace overwrites"), "{taken:?}");
    let reserved = rig.run(&["profile", "guess", "orders.csv", "--save", "shopify"]);
    assert!(reserved.code == 2 && reserved.stderr.contains("comes with the program"), "{reserved:?}");
    let list = rig.run(&["profile", "list"]).stdout;
    for line in ["counter              your own", "shopify              Shopify order export"] {
        assert!(list.contains(line), "{list}");
    }
    let kept = rig.read(".config/shipsheet/profiles/counter.toml");
    assert_eq!(rig.run(&["profile", "show", "counter"]).stdout, kept);
    assert!(rig.run(&["profile", "show", "shopify"]).stdout.contains("name = \"shopify\""));
    let near = rig.run(&["profile", "show", "shopfy"]);
    assert!(near.code == 1 && near.stderr.contains("did you mean shopify?"), "{near:?}");

    let sound = rig.run(&["profile", "check", "counter"]);
    assert!(sound.code == 0 && sound.stderr.contains("counter is sound: 19 fields"), "{sound:?}");
    let fits = rig.run(&["profile", "check", "counter", "orders.csv"]);
    assert!(fits.code == 0 && fits.stderr.contains("counter fits orders.csv: 19 fields fed"), "{fits:?}");
    rig.file("other.csv", &sheet([row("A-1")]).replace("Receiver Phone", "Reciever Phone"));
    let other = rig.run(&["profile", "check", "counter", "other.csv"]);
    assert!(other.code == 3 && other.stderr.contains("counter does not fit other.csv"), "{other:?}");
    assert!(other.stdout.contains("did you mean the column \"Reciever Phone\"?"), "{}", other.stdout);
    rig.file("broken.toml", "[columns]\n\"receiver.frstName\" = \"Who\"\n");
    let broken = rig.run(&["profile", "check", "broken.toml"]);
    assert!(broken.code == 1 && broken.stderr.contains("did you mean `receiver.firstName`?"), "{broken:?}");
}

#[test]
fn a_rule_that_lost_its_column_holds_the_run() {
    let rig = Rig::new();
    rig.file("counter.toml", PROFILE);
    rig.file("shipsheet.toml", "[warehouses]\n\"Main depot\" = \"wh-77\"\n");
    let arguments = ["import", "counter.csv", "--profile", "counter.toml", "--yes"];
    rig.file("counter.csv", &COUNTER.replacen("Status", "State of play", 1));
    let (code, document) = rig.json(&arguments);
    let problem = document["problems"].as_array().unwrap().iter().find(|p| p["code"] == "layout-changed").unwrap();
    assert_eq!((code, &problem["severity"], &problem["found"]), (3, &"error".into(), &"Status".into()), "{document}");
    assert_eq!(rig.sandbox().book().requests(), 0, "the cancelled order would have been booked");
}
