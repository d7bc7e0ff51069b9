//! Cells that hold something else than they seem to: words for nothing, marks, dates for codes, units of defaults.

use rust_xlsxwriter::{ExcelDateTime, Format, Workbook};
use serde_json::Value;

use crate::rig::{HEADER, Rig, row, sheet};

/// Imports a sheet: the exit code, the problems as (severity, code, place, message), and the requests.
fn imported(rig: &Rig, name: &str, more: &[&str]) -> (i32, Vec<[String; 4]>, Vec<Value>) {
    let (code, document) = rig.json(&[&["import", name, "--yes"], more].concat());
    let word = |problem: &Value, key: &str| problem[key].as_str().unwrap_or_default().to_owned();
    let problems = document["problems"].as_array().unwrap().iter();
    let told = problems.map(|problem| ["severity", "code", "place", "message"].map(|key| word(problem, key)));
    let bookings = rig.sandbox().book().bookings().into_iter();
    let bodies = bookings.map(|booking| serde_json::from_slice(&booking.body).unwrap()).collect();
    (code, told.collect(), bodies)
}

/// Imports a CSV with a rig of its own.
fn csv(text: &str) -> (i32, Vec<[String; 4]>, Vec<Value>) {
    let rig = Rig::new();
    rig.file("orders.csv", text);
    imported(&rig, "orders.csv", &[])
}

#[test]
fn a_default_is_in_its_own_unit() {
    let blank = |header: &str, cells: &str| {
        let text = sheet([row("A-1").replace(",30,20,5,0.5,", cells)]);
        text.replacen(",Length,Width,Height,Weight,", header, 1)
    };
    let defaults =
        "[defaults]\n\"parcelAttributes.dimension.length\" = 25.4\n\"parcelAttributes.weight.weight\" = 0.5\n";
    let parcel = |text: &str, profile: Option<&str>| {
        let rig = Rig::new();
        rig.file("shipsheet.toml", defaults);
        rig.file("orders.csv", text);
        let more = profile.map(|text| rig.file("own.toml", text));
        let more: Vec<&str> = more.iter().flat_map(|path| ["--profile", path.to_str().unwrap()]).collect();
        let (code, problems, bodies) = imported(&rig, "orders.csv", &more);
        assert_eq!(code, 0, "{problems:?}");
        bodies[0]["parcelAttributes"].clone()
    };
    let found = parcel(&blank(",Length (in),Width (in),Height (in),Weight (g),", ",,8,2,,"), None);
    assert_eq!((&found["dimension"]["length"], &found["dimension"]["unit"]), (&10.into(), &"in".into()), "{found}");
    assert_eq!((&found["weight"]["weight"], &found["weight"]["unit"]), (&500.into(), &"g".into()), "{found}");

    let own = "[columns]\n\"parcelAttributes.dimension.length\" = { column = \"L\", unit = \"in\" }\n\
               \"parcelAttributes.weight.weight\" = { column = \"Grams\", unit = \"g\" }\n";
    let text = blank(",L,Width,Height,Grams,", ",,20,5,,");
    let found = parcel(&text, Some(own));
    assert_eq!((&found["dimension"]["length"], &found["dimension"]["unit"]), (&25.4.into(), &"cm".into()), "{found}");
    assert_eq!((&found["weight"]["weight"], &found["weight"]["unit"]), (&0.5.into(), &"kg".into()), "{found}");

    let in_grams = format!(
        "{own}[defaults]\n\"parcelAttributes.weight.weight\" = \"750\"\n\"parcelAttributes.weight.unit\" = \"g\"\n"
    );
    let found = parcel(&text, Some(&in_grams));
    assert_eq!((&found["weight"]["weight"], &found["weight"]["unit"]), (&0.75.into(), &"kg".into()), "{found}");
}

#[test]
fn words_for_nothing_are_no_values() {
    let cases = [
        ("Asha", "N/A", "Receiver First Name"),
        ("14 MG Road", "NULL", "Address Line 1"),
        ("Bengaluru", "nan", "City"),
        ("9876543210", "--", "Receiver Phone"),
        ("560001", "#REF!", "PIN Code"),
        ("A-1", "NaN", "Order Number"),
        ("Kurta", "None", "Product Name"),
    ];
    for (cell, nothing, header) in cases {
        let (code, problems, bodies) = csv(&sheet([row("A-1").replacen(cell, nothing, 1)]));
        assert!(code == 3 && bodies.is_empty(), "{nothing}: {problems:?}");
        assert_eq!(problems[0][2], format!("orders.csv:2 \"{header}\""), "{problems:?}");
    }
    for name in ["Null", "Nan", "Na"] {
        let (code, problems, bodies) = csv(&sheet([row("A-1").replacen("Asha", name, 1)]));
        assert_eq!((code, problems.len()), (0, 0), "{problems:?}");
        assert_eq!(bodies[0]["receiver"]["firstName"], name);
    }
    let optional = format!("{HEADER},Receiver Email,Address Line 2\n{},n/a,-\n", row("A-1").replace("K-1", "NA"));
    let (code, problems, bodies) = csv(&optional);
    assert_eq!((code, problems.len()), (0, 3), "{problems:?}");
    assert!(problems.iter().all(|[severity, code, ..]| severity == "warning" && code == "no-value"), "{problems:?}");
    let body = &bodies[0];
    let sent =
        [&body["receiver"]["email"], &body["destination"]["addressLine2"], &body["productRequestsList"][0]["sku"]];
    assert_eq!(sent, [""; 3]);
}

#[test]
fn what_points_to_another_cell_is_no_value() {
    let cells = ["Asha", "14 MG Road", "Bengaluru", "Karnataka", "9876543210", "560001", "Kurta"];
    for cell in cells {
        for mark in ["do", "-do-", "ditto", "\"\"\"\"", "''", "〃", "same", "same as above"] {
            let (code, problems, bodies) = csv(&sheet([row("A-1").replacen(cell, mark, 1), row("A-2")]));
            assert!(code == 4 && bodies.len() == 1, "{cell} as {mark}: {problems:?}");
            assert_eq!((problems.len(), problems[0][1].as_str()), (1, "no-value"), "{problems:?}");
        }
        // As the hint says.
        assert_eq!(csv(&sheet([row("A-1"), row("A-2")])).0, 0);
    }
    for own in ["Dora", "Sameer", "D'Souza", "Do It Yourself"] {
        assert_eq!(csv(&sheet([row("A-1").replacen("Asha", own, 1)])).0, 0, "{own}");
    }
}

#[test]
fn marks_of_spreadsheets_are_taken_off_and_said() {
    let text = sheet([row("\"=\"\"00123\"\"\"")
        .replace("9876543210", "9876543210.0")
        .replace("560001", "560001.0")
        .replace("K-1", "'0045")]);
    let (code, problems, bodies) = csv(&text);
    assert_eq!(code, 0, "{problems:?}");
    let body = &bodies[0];
    assert_eq!(body["orderNumber"], "00123");
    assert_eq!(
        (&body["receiver"]["phoneNumber"], &body["destination"]["pinCode"]),
        (&"9876543210".into(), &"560001".into())
    );
    assert_eq!(body["productRequestsList"][0]["sku"], "0045");
    assert_eq!(problems.iter().filter(|[_, code, ..]| code == "text-mark").count(), 4, "{problems:?}");

    // One number written in two ways is one order.
    let (code, problems, bodies) = csv(&sheet([row("1001.0"), row("1001").replace("K-1", "K-2")]));
    assert_eq!((code, bodies.len()), (0, 1), "{problems:?}");
    assert_eq!(bodies[0]["orderNumber"], "1001");
}

#[test]
fn codes_that_a_spreadsheet_took_for_dates_or_powers_are_held() {
    let lost = ["3-Apr", "Mar-05", "05-Mar", "2026-03-05 00:00:00", "00:00:00"];
    for text in lost {
        for (header, line) in [("Order Number", row(text)), ("SKU", row("A-1").replace("K-1", text))] {
            let (code, problems, bodies) = csv(&sheet([line]));
            assert!(code == 3 && bodies.is_empty(), "{text}: {problems:?}");
            assert_eq!(problems[0][1..3], ["turned-into-date".to_owned(), format!("orders.csv:2 \"{header}\"")]);
        }
    }
    for (text, code, held) in [("1.00E+05", "digits-lost", true), ("1E5", "digits-lost", false)] {
        for line in [row(text), row("A-1").replace("K-1", text)] {
            let (exit, problems, bodies) = csv(&sheet([line]));
            assert_eq!(
                (exit, bodies.is_empty(), problems[0][1].as_str()),
                (if held { 3 } else { 0 }, held, code),
                "{text}"
            );
        }
    }
    // A date that people type as well, and text that the sheet marks as such.
    let (code, problems, _) = csv(&sheet([row("A-1").replace("K-1", "05-03-2026")]));
    assert_eq!((code, problems[0][..2].join(" ")), (0, "warning turned-into-date".to_owned()), "{problems:?}");
    let marked = row("\"=\"\"3-Apr\"\"\"").replace("K-1", "\"=\"\"Mar-05\"\"\"");
    let (code, problems, bodies) = csv(&sheet([marked]));
    assert_eq!(code, 0, "{problems:?}");
    let body = &bodies[0];
    assert_eq!((&body["orderNumber"], &body["productRequestsList"][0]["sku"]), (&"3-Apr".into(), &"Mar-05".into()));
}

#[test]
fn quotes_and_lines_are_made_plain_and_said() {
    let line = row("A-1").replace("Asha", "Siobhán\u{a0}O’Brien").replace("Kurta", "“Kurta”");
    let line = line.replace("14 MG Road", "\"14 MG Road,\nNear City Mall\"").replace("9876543210", "\"98765\n43210\"");
    let (code, problems, bodies) = csv(&sheet([line]));
    assert_eq!(code, 0, "{problems:?}");
    let body = &bodies[0];
    let sent = [
        &body["receiver"]["firstName"],
        &body["receiver"]["phoneNumber"],
        &body["destination"]["addressLine1"],
        &body["productRequestsList"][0]["productName"],
    ];
    assert_eq!(sent, ["Siobhán O'Brien", "9876543210", "14 MG Road, Near City Mall", "Kurta"]);
    let mut codes: Vec<&str> = problems.iter().map(|[_, code, ..]| code.as_str()).collect();
    codes.sort_unstable();
    assert_eq!(codes, ["invisible-characters", "line-breaks", "line-breaks", "smart-quotes"], "{problems:?}");
    assert!(problems.iter().any(|problem| problem[3].contains("sent with plain ones as \"Siobhán O'Brien\"")));
    for (code, line) in [("smart-quotes", row("“A-1”")), ("line-breaks", row("A-1").replace("K-1", "\"K-1\nK-2\""))]
    {
        let (exit, problems, _) = csv(&sheet([line]));
        assert_eq!((exit, problems[0][1].as_str()), (3, code), "{problems:?}");
    }
}

#[test]
fn thousands_stand_apart_by_space_or_apostrophe() {
    let with = |price: &str| csv(&sheet([row("A-1").replace("499.90", price)]));
    for (price, sent) in [
        ("1 500", 1500.0),
        ("1'250.00", 1250.0),
        ("1\u{202f}500.50", 1500.5),
        ("\"1 500,00\"", 1500.0),
        ("1\u{a0}234\u{a0}567", 1_234_567.0),
    ] {
        let (code, problems, bodies) = with(price);
        assert_eq!(code, 0, "{price}: {problems:?}");
        assert_eq!(bodies[0]["productRequestsList"][0]["price"], sent, "{price}");
    }
    for wrong in ["1 50", "15 00", "1 500 0"] {
        let (code, problems, _) = with(wrong);
        assert_eq!((code, problems[0][1].as_str()), (3, "bad-number"), "{wrong}");
    }
}

#[test]
fn a_rate_is_in_percent() {
    let with = |rate: &str| csv(&format!("{HEADER},Tax Rate\n{},{rate}\n", row("A-1")));
    let (code, problems, _) = with("0.18");
    assert_eq!((code, problems[0][1].as_str()), (3, "ambiguous-number"), "{problems:?}");
    for (rate, sent) in [("18", "18"), ("18%", "18"), ("0.25%", "0.25"), ("0", "0")] {
        let (code, problems, bodies) = with(rate);
        assert_eq!(code, 0, "{problems:?}");
        assert_eq!(bodies[0]["productRequestsList"][0]["taxRate"], sent);
    }
}

/// Columns by header, each with a number and its format; `date` stands for one of a date.
type Special<'a> = &'a [(&'a str, f64, &'a str)];

/// A workbook of one good order, with cells of other kinds in some columns.
fn workbook(rig: &Rig, special: Special<'_>) {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    let cells = row("A-1");
    let mut columns: Vec<(String, String)> =
        HEADER.split(',').map(str::to_owned).zip(cells.split(',').map(str::to_owned)).collect();
    for (header, ..) in special {
        if !columns.iter().any(|(known, _)| known == header) {
            columns.push(((*header).to_owned(), String::new()));
        }
    }
    for (column, (header, cell)) in (0..).zip(&columns) {
        sheet.write_string(0, column, header).unwrap();
        match special.iter().find(|(special, ..)| special == header) {
            Some((_, number, "date")) => {
                let date = ExcelDateTime::from_serial_datetime(*number).unwrap();
                let format = Format::new().set_num_format("dd-mmm");
                sheet.write_datetime_with_format(1, column, &date, &format).unwrap();
            }
            Some((_, number, format)) => {
                sheet.write_number_with_format(1, column, *number, &Format::new().set_num_format(*format)).unwrap();
            }
            None => {
                sheet.write_string(1, column, cell).unwrap();
            }
        }
    }
    book.save(rig.path("orders.xlsx")).unwrap();
}

#[test]
fn what_excel_takes_for_something_else_is_said() {
    let tried = |special: Special<'_>| {
        let rig = Rig::new();
        workbook(&rig, special);
        imported(&rig, "orders.xlsx", &[])
    };
    let refused: [(Special<'_>, &str); 7] = [
        (&[("Order Number", 46_086.0, "date")], "turned-into-date"),
        (&[("SKU", 46_086.0, "date")], "turned-into-date"),
        (&[("Price", 499.9, "$#,##0.00")], "currency-clash"),
        (&[("Price", 499.9, "[$€-407] #,##0.00")], "currency-clash"),
        (&[("Price", 499.9, "\"£\"#,##0.00")], "currency-clash"),
        (&[("HS Code", 6204.1, "General")], "digits-lost"),
        (&[("Tax Rate", 0.18, "General")], "ambiguous-number"),
    ];
    for (special, expected) in refused {
        let (code, problems, bodies) = tried(special);
        assert!(code == 3 && bodies.is_empty(), "{special:?}: {problems:?}");
        assert_eq!(problems[0][1], expected, "{special:?}: {problems:?}");
        assert!(problems[0][2].contains("Sheet1!"), "{problems:?}");
    }
    let (code, problems, bodies) = tried(&[
        ("Price", 499.9, "[$₹-4009] #,##0.00"),
        ("HS Code", 6204.1, "0.00"),
        ("Tax Rate", 0.18, "0%"),
        ("Shipping Charges", 40.567, "0"),
        ("Other Charges", 423.728_813_559, "#,##0.00"),
        ("Order Date", 46_086.0, "date"),
    ]);
    assert_eq!((code, problems.len()), (0, 0), "{problems:?}");
    let line = &bodies[0]["productRequestsList"][0];
    assert_eq!((&line["price"], &line["hs_code"], &line["taxRate"]), (&499.9.into(), &"6204.10".into(), &"18".into()));
    let charges = &bodies[0]["shippingProperties"];
    assert_eq!(
        (&charges["shippingCharges"], &charges["otherCharges"]),
        (&41.0.into(), &423.73.into()),
        "as it was seen"
    );
}

#[test]
fn a_row_of_totals_is_no_line_of_the_order_above() {
    let own = "fill_down = true\n[columns]\norderNumber = \"Order Number\"\n";
    let tried = |more: &str| {
        let rig = Rig::new();
        rig.file("own.toml", own);
        rig.file("orders.csv", &sheet([row("A-1"), more.to_owned()]));
        imported(&rig, "orders.csv", &["--profile", "own.toml"])
    };
    let (code, problems, bodies) = tried(",,,,,,,,,,,,,,,Scarf,S-1,149,1");
    assert_eq!(code, 0, "{problems:?}");
    assert_eq!(bodies[0]["productRequestsList"].as_array().unwrap().len(), 2, "what reads on is one more line");
    for totals in
        [",,,,,,,,,,,,,,,Total,,648.90,3", ",,,,,,,,,,,,,,TOTAL:,,,648.90,3", ",,Grand Total,,,,,,,,,,,,,,,648.90,3"]
    {
        let (code, problems, bodies) = tried(totals);
        assert_eq!(code, 0, "{totals}: {problems:?}");
        assert_eq!(bodies[0]["productRequestsList"].as_array().unwrap().len(), 1, "{totals}");
        assert!(problems.iter().any(|[_, code, ..]| code.starts_with("row-")), "{totals}: {problems:?}");
    }
    // Sums without a word beside them may be half an order: nothing is sent.
    let (code, problems, bodies) = tried(",,,,,,,,,,,,,,,,,648.90,3");
    assert!(code == 3 && bodies.is_empty(), "{problems:?}");
}

#[test]
fn a_date_against_the_named_format_is_said() {
    let dated = |dates: [&str; 2]| {
        let rig = Rig::new();
        rig.file("shipsheet.toml", "[dates]\nformats = [\"%d/%m/%Y\"]\n");
        let rows = dates.iter().enumerate().map(|(number, date)| {
            row(&format!("A-{number}")).replace("2026-11-20", date).replace("K-1", &format!("K-{number}"))
        });
        rig.file("orders.csv", &sheet(rows));
        imported(&rig, "orders.csv", &[])
    };
    let (code, problems, bodies) = dated(["03/04/2026", "04/25/2026"]);
    assert_eq!((code, bodies.len(), problems.len()), (4, 1, 1), "{problems:?}");
    let [severity, code, place, message] = &problems[0];
    assert_eq!(
        (severity.as_str(), code.as_str(), place.as_str()),
        ("error", "bad-date", "orders.csv:3 \"Order Date\"")
    );
    assert!(message.contains("%d/%m/%Y"), "{message}");
    let (code, problems, _) = dated(["03/04/2026", "2026-04-25"]);
    assert_eq!((code, problems.len()), (0, 0), "another form beside it is no contradiction: {problems:?}");
}

#[test]
fn a_number_of_nobody_in_north_america_is_doubted_and_sent() {
    let american = sheet([row("A-1").replace("9876543210", "555-123-4567").replace(",IN,560001", ",US,85003")]);
    let (code, problems, bodies) = csv(&american);
    assert_eq!(code, 0, "{problems:?}");
    assert_eq!((problems[0][0].as_str(), problems[0][1].as_str()), ("warning", "bad-phone"));
    assert_eq!(bodies[0]["receiver"]["phoneNumber"], "5551234567");
    let (code, problems, _) = csv(&sheet([row("A-1").replace("9876543210", "555-123-4567")]));
    assert_eq!((code, problems[0][0].as_str()), (3, "error"), "India stays strict");
}

#[test]
fn what_is_said_of_one_cell_is_said_of_each_like_it() {
    let cases = [
        ("560001", "=\"560001\""),
        ("560001", "56001"),
        ("9876543210", "+919876543210.0"),
        ("IN", "Indai"),
        ("Karnataka", "Karnaxyz"),
        ("2026-11-20", "20.11.2026 10:00 XYZ"),
        ("0.5", "0.5 stone"),
        ("30", "3-Apr"),
        ("PREPAID", "perhaps"),
        ("Kurta", "K\u{f6}rta\u{fffd}"),
    ];
    for (cell, other) in cases {
        let quoted = format!("\"{}\"", other.replace('"', "\"\""));
        let line = |number: &str| row(number).replacen(cell, &quoted, 1);
        let told = |numbers: &[&str]| {
            let (_, problems, _) = csv(&sheet(numbers.iter().map(|number| line(number)).collect::<Vec<_>>()));
            let own = problems.into_iter().filter(|problem| problem[1] != "same-shipment");
            own.map(|[severity, code, _, message]| [severity, code, message]).collect::<Vec<_>>()
        };
        let (alone, together) = (told(&["A-1"]), told(&["A-1", "A-2", "A-3"]));
        let thrice: Vec<_> = alone.iter().chain(&alone).chain(&alone).cloned().collect();
        assert!(!alone.is_empty(), "{other} is taken without a word");
        assert_eq!(together, thrice, "{other}");
    }
}
