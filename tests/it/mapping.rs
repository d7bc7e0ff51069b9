//! Own profiles through the program: every transform, what is held when a sheet changes, how a sheet is read on request.

use rust_xlsxwriter::Worksheet;
use serde_json::{Value, json};

use crate::rig::{HEADER, Problem, Rig, has, row, sheet, workbook};

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

#[test]
fn every_transform_of_a_profile_reaches_the_request() {
    let rig = Rig::new();
    rig.file("counter.toml", PROFILE);
    rig.file("shipsheet.toml", "[warehouses]\n\"Main depot\" = \"wh-77\"\n");
    rig.file("orders.csv", COUNTER);
    let came = rig.import(&["orders.csv", "--profile", "counter.toml"]);
    assert_eq!(came.exits(0).booked(), ["B-1", "B-3"]);
    let (first, second) = (came.request_of("B-1"), came.request_of("B-3"));
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
    has(first, &expected);
    let lines = first["productRequestsList"].as_array().unwrap().iter();
    let lines: Vec<_> = lines.map(|line| (&line["productName"], &line["quantity"], &line["price"])).collect();
    let (kurta, scarf, belt) = (json!("Kurta"), json!("Scarf"), json!("Belt"));
    assert_eq!(
        lines,
        [(&kurta, &json!(2), &json!(499.9)), (&scarf, &json!(1), &json!(1124.0)), (&belt, &json!(3), &json!(99.99))]
    );
    // The cancelled order is left out with its second row, which says nothing of that itself; both are listed.
    assert_eq!(came.document["rows"]["skipped"], 2, "{came:?}");
    let left_out = came.all("row-left-out");
    assert_eq!(left_out.len(), 2, "{came:?}");
    assert_eq!(left_out[0].is_at(6, "Status").found, "Cancelled");
    assert!(left_out[0].message.starts_with("the order is cancelled"), "as the profile says: {came:?}");
    // Three pieces for 100 have no whole price; what is paid is 100 all the same.
    let (line, amounts) = (&second["productRequestsList"][0], &second["shippingProperties"]);
    assert_eq!((&line["price"], &line["quantity"], &amounts["subTotal"]), (&json!(33.33), &json!(3), &json!(100.0)));
}

#[test]
fn a_warehouse_that_nobody_named_and_a_value_without_an_entry_are_told() {
    let rig = Rig::new();
    rig.file("counter.toml", &PROFILE.replace(", otherwise = \"PREPAID\"", ""));
    rig.file("shipsheet.toml", "[warehouses]\n\"North\" = \"wh-1\"\n");
    rig.file("orders.csv", &COUNTER.replace("Cash", "Cheque"));
    let came = rig.check(&["orders.csv", "--profile", "counter.toml"]);
    came.exits(3).first("unknown-warehouse").is_at(2, "Depot");
    came.first("bad-payment").is_at(2, "Paid by");
}

/// Writes two orders as a workbook, below this header; `change` may put other cells over them.
fn orders_below(rig: &Rig, header: &str, change: impl FnOnce(&mut Worksheet)) {
    workbook(&rig.path("orders.xlsx"), &[header, &row("A-1"), &row("A-2")], change);
}

/// What holds the sheet; nothing was sent.
fn held(rig: &Rig) -> Problem {
    let came = rig.import(&["orders.xlsx"]);
    assert_eq!(rig.sandbox().book().requests(), 0, "{came:?}");
    came.stays().first("layout-changed")
}

#[test]
fn a_column_that_goes_is_renamed_or_changes_its_kind_holds_the_run() {
    let rig = Rig::new();
    orders_below(&rig, HEADER, |_| {});
    rig.run(&["profile", "guess", "orders.xlsx", "--save", "counter"]).exits(0);
    let again = "shipsheet profile guess orders.xlsx --save counter --replace";

    orders_below(&rig, &HEADER.replace(",SKU,", ",,"), |_| {});
    let gone = held(&rig);
    gone.is_in("Orders row 1")
        .says_last("the saved profile counter expects, but its column \"SKU\" is gone")
        .advises(again);

    orders_below(&rig, &HEADER.replace("Receiver Phone", "Call here"), |_| {});
    let renamed = held(&rig);
    renamed.is_in("Orders!D1").says_last("its column \"Receiver Phone\" (now \"Call here\"?) is gone");
    renamed.advises("rename the header back");

    orders_below(&rig, HEADER, |sheet| {
        sheet.write_number(2, 8, 560_001).unwrap();
        sheet.write_number(1, 8, 560_001).unwrap();
    });
    let changed = held(&rig);
    changed.is_in("Orders!I2").says("the column \"PIN Code\" held text when the profile counter was saved");
    changed.says_last("and now holds number").advises("format the column as text again").advises(again);

    // The way out is the one that was named.
    let words: Vec<&str> = again.split(' ').skip(1).collect();
    rig.run(&words).exits(0);
    rig.run(&["import", "orders.xlsx", "--yes"]).exits(0);
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
        assert!(ran.exit == 0 && ran.stderr.contains("header in row 3"), "{flags:?}: {ran:?}");
    }
    // Commas in every cell make the comma look likelier than the pipe.
    let piped = good.replace(',', "|").replace("14 MG Road", "14, MG Road, 2nd, floor, left").replace("A-1", "P-1");
    rig.file("piped.csv", &piped);
    rig.run(&["import", "piped.csv", "--yes", "--delimiter", "pipe"]).exits(0);
    let latin: Vec<u8> = good.replace("A-1", "L-1").chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    std::fs::write(rig.path("latin.csv"), latin).unwrap();
    rig.run(&["check", "latin.csv", "--encoding", "utf-8"]).exits(3).says("latin.csv:2");
    rig.run(&["import", "latin.csv", "--yes", "--encoding", "windows-1252"]).exits(0);
    let names: Vec<Value> = rig.bodies().iter().map(|(_, body)| body["receiver"]["firstName"].clone()).collect();
    assert_eq!(names, ["José"; 4]);
    let unknown = rig.run(&["check", "latin.csv", "--encoding", "martian"]);
    unknown.says("martian");
    assert!(unknown.exit != 0, "{unknown:?}");
}

#[test]
fn profiles_are_listed_shown_and_checked() {
    let rig = Rig::alone();
    rig.file("orders.csv", &sheet([row("A-1")]));
    rig.run(&["profile", "guess", "orders.csv", "--save", "counter"]).exits(0);
    rig.run(&["profile", "guess", "orders.csv", "--save", "counter"]).exits(1).says("--replace overwrites");
    rig.run(&["profile", "guess", "orders.csv", "--save", "shopify"]).exits(2).says("comes with the program");
    let list = rig.run(&["profile", "list"]).stdout;
    for line in ["counter              your own", "shopify              Shopify order export"] {
        assert!(list.contains(line), "{list}");
    }
    let kept = rig.read(".config/shipsheet/profiles/counter.toml");
    assert_eq!(rig.run(&["profile", "show", "counter"]).stdout, kept);
    rig.run(&["profile", "show", "shopify"]).prints("name = \"shopify\"");
    rig.run(&["profile", "show", "shopfy"]).exits(1).says("did you mean shopify?");

    let sound = rig.run(&["profile", "check", "counter"]);
    sound.exits(0).says("counter is sound: 19 fields");
    let fits = rig.run(&["profile", "check", "counter", "orders.csv"]);
    fits.exits(0).says("counter fits orders.csv: 19 fields fed");
    rig.file("other.csv", &sheet([row("A-1")]).replace("Receiver Phone", "Reciever Phone"));
    let other = rig.run(&["profile", "check", "counter", "other.csv"]);
    other.exits(3).says("counter does not fit other.csv").prints("did you mean the column \"Reciever Phone\"?");
    rig.file("broken.toml", "[columns]\n\"receiver.frstName\" = \"Who\"\n");
    rig.run(&["profile", "check", "broken.toml"]).exits(1).says("did you mean `receiver.firstName`?");
}

#[test]
fn a_rule_that_lost_its_column_holds_the_run() {
    let rig = Rig::new();
    rig.file("counter.toml", PROFILE);
    rig.file("shipsheet.toml", "[warehouses]\n\"Main depot\" = \"wh-77\"\n");
    let arguments = ["import", "counter.csv", "--profile", "counter.toml", "--yes"];
    rig.file("counter.csv", &COUNTER.replacen("Status", "State of play", 1));
    assert_eq!(rig.came(&arguments).exits(3).first("layout-changed").holds().found, "Status");
    assert_eq!(rig.sandbox().book().requests(), 0, "the cancelled order would have been booked");
}
