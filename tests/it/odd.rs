//! What newcomers really bring: folders, letters and pictures as sheets, semicolons, old encodings, numbers as phones.

use std::fs;

use rust_xlsxwriter::{ExcelDateTime, Format, Workbook};

use crate::rig::{HEADER, Rig, row, sheet};

#[test]
fn what_is_no_sheet_is_told_with_a_way_out() {
    let rig = Rig::new();
    fs::create_dir(rig.path("folder")).unwrap();
    fs::write(rig.path("noise.xlsx"), (0_u8..=250).map(|n| n.wrapping_mul(31)).collect::<Vec<u8>>()).unwrap();
    rig.file("report.pdf", "%PDF-1.7\n1 0 obj\n");
    rig.file("empty.csv", "");
    rig.file("quote.csv", "Order Number,City\nA-1,\"Pune\nA-2,Delhi\n");
    let mut two = Workbook::new();
    for name in ["Mon", "Tue"] {
        let worksheet = two.add_worksheet();
        worksheet.set_name(name).unwrap();
        worksheet.write_row(0, 0, ["Order Number", "City"]).unwrap();
        worksheet.write_row(1, 0, ["A-1", "Pune"]).unwrap();
    }
    two.save(rig.path("two.xlsx")).unwrap();
    let cases = [
        ("folder", "is a folder"),
        ("nowhere.xlsx", "cannot read nowhere.xlsx"),
        ("noise.xlsx", "not a sheet"),
        ("report.pdf", "is a PDF document"),
        ("empty.csv", "has no rows"),
        ("quote.csv", "quote.csv:2: the quote that opens on this line is never closed"),
        ("two.xlsx", "has several worksheets with rows: \"Mon\", \"Tue\""),
    ];
    for (name, what) in cases {
        let ran = rig.run(&["import", name, "--yes"]);
        ran.exits(1).says(what);
        assert!(ran.stderr.contains("\n  hint: "), "no way out: {}", ran.stderr);
    }
    assert_eq!(rig.run(&["check", "two.xlsx", "--worksheet", "tue"]).exit, 3, "one is chosen, whatever its case");
    let letter = rig.file("letter.txt", "Dear Sir,\nplease find the orders attached.\n");
    rig.run(&["import", letter.to_str().unwrap(), "--yes"]).exits(3).says("no column holds the order number");
    assert_eq!(rig.sandbox().book().requests(), 0);
}

#[test]
fn worksheets_with_nothing_below_their_header_are_no_sheets() {
    let rig = Rig::alone();
    let checked = |name: &str, orders: [&[String]; 2]| {
        let mut workbook = Workbook::new();
        for (name, orders) in ["May", "June"].into_iter().zip(orders) {
            let worksheet = workbook.add_worksheet().set_name(name).unwrap();
            for (place, line) in (0..).zip(sheet(orders.iter().cloned()).lines()) {
                worksheet.write_row(place, 0, line.split(',')).unwrap();
            }
        }
        workbook.save(rig.path(name)).unwrap();
        rig.check(&[name])
    };
    let orders = [row("A-1"), row("A-2").replace("Kurta", "Mug")];
    assert!(checked("may.xlsx", [&orders, &[]]).exits(0).problems.is_empty());
    assert!(checked("june.xlsx", [&[], &orders]).exits(0).problems.is_empty());
    checked("neither.xlsx", [&[], &[]]).only("sheet-notice").is_warning().says("no order rows below the header");
    let ran = rig.run(&["check", "may.xlsx", "--worksheet", "June"]);
    assert!(ran.stderr.contains("no order rows below the header"), "{}", ran.stderr);
}

#[test]
fn wrong_flags_are_the_command_lines_fault() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet([row("A-1")]));
    let cases: [&[&str]; 6] = [
        &["imprt", "orders.csv"],
        &["import", "orders.csv", "--yes", "--concurrency", "0"],
        &["import", "orders.csv", "--yes", "--rate", "fast"],
        &["import", "orders.csv", "--yes", "--deadline", "tomorrow"],
        &["import", "orders.csv", "--verbose", "--quiet"],
        &["template", "orders.pdf"],
    ];
    for arguments in cases {
        let ran = rig.run(arguments);
        ran.exits(2);
        assert!(ran.stderr.starts_with("error: "), "{}", ran.stderr);
    }
    assert_eq!(rig.sandbox().book().requests(), 0);
}

#[test]
fn semicolons_and_an_old_encoding_reach_the_request_intact() {
    let rig = Rig::new();
    let text = sheet([row("A-1").replace("Asha", "Jürgen Groß").replace("Bengaluru", "Köln-Straße")]);
    let bytes: Vec<u8> =
        text.replace(',', ";").replace('\n', "\r\n").chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    fs::write(rig.path("orders.csv"), bytes).unwrap();
    rig.run(&["import", "orders.csv", "--yes"]).exits(0).says("CSV, semicolon, windows-1252");
    let body = rig.body();
    assert_eq!(
        (&body["receiver"]["firstName"], &body["destination"]["city"]),
        (&"Jürgen Groß".into(), &"Köln-Straße".into())
    );
}

#[test]
fn a_comma_is_judged_by_its_column_and_asked_about_where_that_does_not_say() {
    let rig = Rig::new();
    let priced = |price: &str, currency: &str| {
        format!("{HEADER},Currency\n{},{currency}\n", row("A-1").replace("499.90", &format!("\"{price}\"")))
    };
    rig.file("orders.csv", &priced("1,124", "EUR"));
    rig.run(&["import", "orders.csv", "--yes"]).exits(3).says("ambiguous-number").says("found \"1,124\"");
    // Rupees have a decimal point.
    for (price, currency, expected) in
        [("1.124,50", "EUR", "1124.5"), ("1,124", "INR", "1124.0"), ("1.124,50", "INR", "1124.5")]
    {
        let rig = Rig::new();
        rig.import_text(&priced(price, currency)).exits(0);
        assert_eq!(rig.body()["productRequestsList"][0]["price"].to_string(), expected, "{price} {currency}");
    }
}

#[test]
fn a_failed_formula_is_no_text_in_a_csv_either() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet([row("A-1").replace("Bengaluru", "#N/A"), row("#REF!"), row("#1003")]));
    let ran = rig.run(&["import", "orders.csv", "--yes"]);
    ran.exits(4);
    assert_eq!(ran.stderr.matches("error[unreadable-cell]").count(), 2, "{}", ran.stderr);
    assert_eq!(rig.body()["orderNumber"], "#1003");
}

#[test]
fn numbers_and_dates_of_a_workbook_become_what_the_person_saw() {
    let rig = Rig::new();
    let mut workbook = Workbook::new();
    let worksheet = workbook.add_worksheet();
    let date = Format::new().set_num_format("dd/mm/yyyy hh:mm");
    for (column, header) in (0..).zip(HEADER.split(',')) {
        worksheet.write_string(0, column, header).unwrap();
        match header {
            "Order Number" => worksheet.write_number(1, column, 1_001),
            "Order Date" => {
                let moment = ExcelDateTime::from_ymd(2026, 11, 20).unwrap().and_hms(10, 30, 0).unwrap();
                worksheet.write_datetime_with_format(1, column, &moment, &date)
            }
            "Receiver Phone" => worksheet.write_number(1, column, 919_876_543_210_f64),
            "PIN Code" => worksheet.write_number(1, column, 560_001),
            "Weight" => worksheet.write_number(1, column, 0.1 + 0.2),
            "Price" => worksheet.write_number(1, column, 499.9),
            "SKU" => worksheet.write_number(1, column, 4_006_381_333_931_f64),
            _ => {
                let cell = row("").split(',').nth(usize::from(column)).unwrap().to_owned();
                worksheet.write_string(1, column, cell)
            }
        }
        .unwrap();
    }
    workbook.save(rig.path("orders.xlsx")).unwrap();
    rig.run(&["import", "orders.xlsx", "--yes"]).exits(0);
    let body = rig.body();
    // Half past ten in India.
    let expected = [
        (&body["orderNumber"], "\"1001\""),
        (&body["orderCreatedAt"], "\"1795150800000\""),
        (&body["receiver"]["phoneNumber"], "\"9876543210\""),
        (&body["destination"]["pinCode"], "\"560001\""),
        (&body["parcelAttributes"]["weight"]["weight"], "0.3"),
        (&body["productRequestsList"][0]["price"], "499.9"),
        (&body["productRequestsList"][0]["sku"], "\"4006381333931\""),
    ];
    for (value, text) in expected {
        assert_eq!(value.to_string(), text);
    }
}

#[test]
fn a_quote_that_swallows_rows_is_found() {
    let rig = Rig::alone();
    let address = |text: &str, number: &str| row(number).replacen("14 MG Road", text, 1);
    rig.file(
        "swallowed.csv",
        &sheet([address("\"Rose Villa", "A-1"), row("A-2"), address("Plot 9\"", "A-3"), row("A-4")]),
    );
    let came = rig.check(&["swallowed.csv"]);
    let problem = came.exits(3).tells_first("unclosed-quote");
    assert!(problem.place.starts_with("swallowed.csv:2"), "{problem:?}");
    let prose = "\"14 MG Road, 2nd floor, Block C\nopposite the bank, left, then right, ring twice, wait\"";
    rig.file("prose.csv", &sheet([address(prose, "A-1"), row("A-2")]));
    assert_eq!(rig.check(&["prose.csv"]).exits(0).document["orders"]["total"], 2);
}

#[test]
fn half_an_order_is_never_sent() {
    let rig = Rig::new();
    let more = ",,,,,,,,,,,,,,,Dupatta,D-1,250,1".to_owned();
    rig.file("orders.csv", &sheet([row("A-1"), more, row("A-2")]));
    let came = rig.import(&["orders.csv"]);
    rig.run(&["rejects", "--to", "again.csv"]).exits(0);
    let orders = &came.document["orders"];
    came.exits(4);
    assert_eq!((&orders["booked"], &orders["invalid"]), (&1.into(), &1.into()), "{came:?}");
    assert_eq!(came.errors()[0].order, "A-1");
    assert!(came.has("missing-order-number"), "{came:?}");
    let again = rig.read("again.csv");
    assert_eq!(again.lines().filter(|line| line.contains("A-1") || line.contains("Dupatta")).count(), 2, "{again}");
    let mended: Vec<String> = again
        .lines()
        .map(|line| if line.contains("Dupatta") { format!("A-1{line}") } else { line.to_owned() })
        .collect();
    rig.file("again.csv", &mended.join("\n"));
    let came = rig.import(&["again.csv"]);
    came.exits(0);
    assert_eq!((&came.document["orders"]["booked"], &came.document["lines"]), (&1.into(), &2.into()), "{came:?}");
}
