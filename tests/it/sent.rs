//! What is sent as it is written, what is left out of a request, and what profiles make of columns.

use serde_json::json;

use crate::rig::{Rig, SHOP};

/// A sheet with the API's own paths as headers.
const PATHS: &str = "orderNumber,orderCreatedAt,receiver.firstName,receiver.phoneNumber,receiver.email,\
    destination.addressLine1,destination.city,destination.state,destination.countryCode,destination.pinCode,\
    productRequestsList.productName,productRequestsList.price,productRequestsList.quantity,shippingProperties.orderType";

fn shop(more: &str) -> Rig {
    let rig = Rig::new();
    rig.file("shipsheet.toml", &format!("{SHOP}{more}"));
    rig
}

#[test]
fn values_under_an_api_path_hold_as_everywhere_unless_a_level_is_set() {
    let row = "A-1,2026-11-20,Asha,12345,asha at home,14 MG Road,Pune,Maharashtra,IN,4110,Kurta,499.90,1.5,VOUCHER";
    let sheet = format!("{PATHS}\n{row}\n");
    let came = shop("").import_text(&sheet);
    for code in ["bad-phone", "bad-email", "bad-pin-code", "not-whole", "bad-payment"] {
        came.books(3, 0).first(code).holds();
    }
    // Programs that write sheets say so once.
    let rules = ["phone-form", "email-form", "pin-form", "implausible-value"];
    let levels = rules.map(|rule| format!("{rule} = \"warn\"\n")).concat();
    let came = shop(&format!("[check]\npayment_types = [\"VOUCHER\"]\n[rules]\n{levels}")).import_text(&sheet);
    let body = came.books(0, 1).request_of("A-1").clone();
    let said = [&body["receiver"]["phoneNumber"], &body["receiver"]["email"], &body["destination"]["pinCode"]];
    assert_eq!(said, [&json!("12345"), &json!("asha at home"), &json!("4110")]);
    assert_eq!(body["productRequestsList"][0]["quantity"].to_string(), "1.5");
    assert_eq!(body["shippingProperties"]["orderType"], "VOUCHER");
}

/// Whatever a cell of our starter sheet is doubted for, it holds its order as below any other header.
#[test]
fn mistakes_in_our_starter_sheet_hold() {
    let starter = "Order Number,Order Date,Receiver First Name,Receiver Last Name,Receiver Phone,Address Line 1,City,State,\
        Country Code,PIN Code,Payment Type,Product Name,SKU,Weight,Price,Quantity\n\
        A-1,2026-11-20,Asha,Rao,9876543210,14 MG Road,Pune,Maharashtra,IN,411038,PREPAID,Kurta,K-1,0.5,499.90,1\n";
    let doubted = [
        ("9876543210", "98", "bad-phone"),
        ("9876543210", "9.19877E+11", "digits-lost"),
        ("9876543210", "9999999999", "digits-lost"),
        ("411038", "12", "bad-pin-code"),
        ("411038", "560001", "bad-pin-code"),
        ("Asha", "N/A", "no-value"),
        ("K-1", "3-Apr", "turned-into-date"),
        ("PREPAID", "cashh", "bad-payment"),
        (",0.5,", ",0,", "not-positive"),
        ("499.90", "-5", "bad-number"),
        ("499.90", "1.250", "ambiguous-number"),
        ("499.90,1\n", "499.90,1.5\n", "not-whole"),
    ];
    for (was, is, code) in doubted {
        let came = shop("").import_text(&starter.replacen(was, is, 1));
        came.books(3, 0).first(code).holds();
    }
}

/// A workbook that holds another value than what was typed is no word of anybody.
#[test]
fn what_a_workbook_has_lost_is_asked_about_below_any_header() {
    let rig = shop("");
    let headers: Vec<&str> = PATHS.split(',').map(str::trim).chain(["productRequestsList.sku"]).collect();
    let cells =
        "A-1,2026-11-20,Asha,9876543210,a@example.com,14 MG Road,Pune,Maharashtra,IN,411038,Kurta,499.90,1,PREPAID,";
    let mut workbook = rust_xlsxwriter::Workbook::new();
    let worksheet = workbook.add_worksheet();
    for (column, (header, cell)) in (0_u16..).zip(headers.iter().zip(cells.split(','))) {
        worksheet.write_string(0, column, *header).unwrap().write_string(1, column, cell).unwrap();
    }
    let date = rust_xlsxwriter::Format::new().set_num_format("dd-mmm");
    worksheet.write_number_with_format(1, 14, 46_086.0, &date).unwrap();
    workbook.save(rig.path("orders.xlsx")).unwrap();
    rig.import(&["orders.xlsx"]).books(3, 0).first("turned-into-date").holds();
}

const SHEET: &str = "Order No,Name,Phone,Address,City,State,Pincode,Product,Qty,Price,Payment,Weight,Weight Unit
A1,Asha Rao,+91 98765-43217,14 MG Road,Pune,Maharashtra,411038,Kurta,2,499,Cash on Delivery,500,Gms
";

const INDIA: &str = "[defaults]
warehouseId = \"WH-1\"
\"destination.countryCode\" = \"IN\"
\"parcelAttributes.dimension.length\" = 20
\"parcelAttributes.dimension.width\" = 15
\"parcelAttributes.dimension.height\" = 10
\"parcelAttributes.weight.weight\" = 0.5
";

fn india(more: &str) -> Rig {
    let rig = Rig::new();
    rig.file("shipsheet.toml", &format!("{INDIA}{more}"));
    rig
}

#[test]
fn spellings_are_ours_unless_they_are_wanted_as_written() {
    let spelled = |more: &str| {
        let body = india(more).import_text(SHEET).books(0, 1).request_of("A1").clone();
        [
            &body["receiver"]["phoneNumber"],
            &body["parcelAttributes"]["weight"]["unit"],
            &body["shippingProperties"]["orderType"],
        ]
        .map(|value| value.as_str().unwrap().to_owned())
    };
    assert_eq!(spelled(""), ["9876543217", "g", "COD"]);
    let all = "[send]\nphone = \"as-written\"\nunits = \"as-written\"\npayment = \"as-written\"\n";
    assert_eq!(spelled(all), ["+91 98765-43217", "Gms", "Cash on Delivery"]);
    assert_eq!(spelled("[send]\nphone = \"as-written\"\nunits = \"usual\"\n"), ["+91 98765-43217", "g", "COD"]);
}

#[test]
fn what_is_empty_may_be_left_out_and_makes_no_other_order_of_it() {
    let keys = |body: &serde_json::Value| {
        [("", "returnAddressId"), ("", "tags"), ("receiver", "email")].map(|(part, key)| {
            let object = if part.is_empty() { body } else { &body[part] };
            object.get(key).is_some()
        })
    };
    let rig = india("");
    assert_eq!(keys(rig.import_text(SHEET).books(0, 1).request_of("A1")), [false, true, true]);
    rig.file("shipsheet.toml", &format!("{INDIA}[send]\nomit_empty = [\"tags\", \"receiver.email\"]\n"));
    let again = rig.import_text(
        &SHEET.replace("\nA1", "\nA2,Ravi,9876543218,1 MG Road,Pune,Maharashtra,411038,Lamp,1,99,COD,500,g\nA1"),
    );
    assert_eq!(keys(again.request_of("A2")), [true, false, false]);
    assert_eq!((again.exit, again.orders("already_booked")), (0, 1), "{again:?}");
    let wrong = india("[send]\nomit_empty = [\"orderNumber\"]\n");
    wrong.file("orders.csv", SHEET);
    wrong.run(&["check", "orders.csv"]).exits(1).says("`orderNumber` in [send] omit_empty is part of every request");
}

#[test]
fn columns_of_the_other_version_are_named_and_not_counted_as_used() {
    let rig = india("");
    rig.file(
        "orders.csv",
        &SHEET.replacen("Weight Unit\n", "Weight Unit,Sender First Name\n", 1).replace("Gms\n", "Gms,Asha\n"),
    );
    let ran = rig.run(&["check", "orders.csv"]);
    ran.exits(0).says("13 of 14 columns used").says("only version 1 of the request has this field");
}

#[test]
fn a_profile_says_contains_begins_and_ends() {
    let rig = india("");
    let row = |number: &str, tag: &str| {
        format!("{number},Asha Rao,9876543217,{number} MG Road,Pune,Maharashtra,411038,Kurta,2,499,COD,{tag}\n")
    };
    let rows = [
        ("A1", "gift"),
        ("A2", "B2B-north"),
        ("A3", "from stall"),
        ("A4", "old test"),
        ("A5", "Wholesale"),
        ("A6", ""),
    ];
    let rows: String = rows.map(|(number, tag)| row(number, tag)).concat();
    rig.file(
        "orders.csv",
        &format!("Order No,Name,Phone,Address,City,State,Pincode,Product,Qty,Price,Payment,Tag\n{rows}"),
    );
    let skip = |how: &str| format!("[[skip]]\ncolumn = \"Tag\"\n{how}\nbecause = \"not ours\"\n");
    let columns = "[columns]\norderNumber = \"Order No\"\n\"receiver.companyName\" = \"Tag\"\n";
    for (how, left) in [
        ("contains = [\"STALL\", \"nobody\"]", vec!["A1", "A2", "A4", "A5", "A6"]),
        ("begins = [\"b2b\"]", vec!["A1", "A3", "A4", "A5", "A6"]),
        ("ends = [\"Test\"]", vec!["A1", "A2", "A3", "A5", "A6"]),
        ("one_of = [\"gift\", \"wholesale\"]", vec!["A2", "A3", "A4", "A6"]),
        ("is = [\"gift\"]\nends = [\"north\"]", vec!["A3", "A4", "A5", "A6"]),
    ] {
        rig.file("own.toml", &format!("{columns}{}", skip(how)));
        let ran = rig.run(&[
            "--sandbox",
            "--ledger",
            "own.sqlite",
            "import",
            "orders.csv",
            "--profile",
            "own.toml",
            "--yes",
            "--format",
            "json",
        ]);
        let document: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(document["orders"]["total"], left.len(), "{how}: {ran:?}");
        std::fs::remove_file(rig.path("own.sqlite")).unwrap();
    }
    let both = "is_not = [\"gift\"]\ncontains = [\"x\"]";
    rig.file("own.toml", &format!("{columns}{}", skip(both)));
    rig.run(&["check", "orders.csv", "--profile", "own.toml"]).says("needs exactly one of");
}

#[test]
fn one_column_feeds_two_fields_and_several_are_joined_into_one() {
    let rig = india("");
    rig.file("own.toml", "[columns]\norderNumber = \"Order No\"\nsellerNote = \"Order No\"\ntags = { join = [\"City\", \"State\"], with = \"; \" }\n\"destination.city\" = \"City\"\n\"destination.state\" = \"State\"\n");
    rig.file("orders.csv", SHEET);
    let came = rig.import(&["orders.csv", "--profile", "own.toml"]);
    let body = came.books(0, 1).request_of("A1");
    assert_eq!((&body["sellerNote"], &body["tags"]), (&json!("A1"), &json!("Pune; Maharashtra")));
    assert_eq!(body["destination"]["city"], "Pune");
}

#[test]
fn a_list_of_addresses_gets_one_product_for_all() {
    let rig = Rig::new();
    let product = "\"productRequestsList.productName\" = \"Sample kit\"\n\"productRequestsList.price\" = 100\n\
        \"productRequestsList.quantity\" = 2\n\"shippingProperties.orderType\" = \"PREPAID\"\n";
    rig.file("shipsheet.toml", &format!("{INDIA}{product}"));
    let came = rig.import_text(
        "Order No,Name,Phone,Address,City,State,Pincode\nS1,Asha Rao,9876543217,14 MG Road,Pune,Maharashtra,411038\n",
    );
    let line = came.books(0, 1).request_of("S1")["productRequestsList"][0].clone();
    assert_eq!((&line["productName"], line["quantity"].to_string().as_str()), (&json!("Sample kit"), "2"));
}

#[test]
fn where_second_lines_lack_the_number_a_profile_is_proposed_that_fills_it_down() {
    let rig = india("");
    rig.file("orders.csv", &format!("{SHEET},,,,,,,Scarf,1,99,,,\n"));
    let ran = rig.run(&["check", "orders.csv"]);
    ran.exits(3).says("a profile says so for good").says("profile guess orders.csv --save");
    rig.run(&["profile", "guess", "orders.csv", "--save", "own"]).exits(0).says_nothing_of("error");
    rig.run(&["profile", "show", "own"]).prints("fill_down = true");
    let came = rig.import(&["orders.csv"]);
    assert_eq!(came.books(0, 1).request_of("A1")["productRequestsList"].as_array().unwrap().len(), 2);
    // What the configuration says is not asked for.
    let guessed = rig.run(&["profile", "guess", "orders.csv"]);
    assert!(!guessed.stdout.contains("warehouseId") && !guessed.stderr.contains("Warehouse"), "{guessed:?}");
}
