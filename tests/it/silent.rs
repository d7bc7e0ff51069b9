//! Values that would be sent wrong without a word: marks of inches, lost letters, cells of other columns.

use rust_xlsxwriter::{Format, Workbook};
use serde_json::Value;

use crate::rig::{HEADER, Rig, row, sheet};

/// What an import came to: the exit code, the problems, the requests.
type Came = (i32, Vec<Value>, Vec<Value>);

/// Imports a file of the rig.
fn imported(rig: &Rig, arguments: &[&str]) -> Came {
    let (code, document) = rig.json(&[&["import"], arguments, &["--yes"]].concat());
    let bookings = rig.sandbox().book().bookings().into_iter();
    let mut bodies: Vec<Value> = bookings.map(|booking| serde_json::from_slice(&booking.body).unwrap()).collect();
    // Several are sent at a time.
    bodies.sort_by_key(|body| body["orderNumber"].to_string());
    (code, document["problems"].as_array().unwrap().clone(), bodies)
}

fn csv(text: &str) -> Came {
    let rig = Rig::new();
    rig.file("orders.csv", text);
    imported(&rig, &["orders.csv"])
}

/// That nothing was sent, because of this code at this column.
#[track_caller]
fn held(came: &Came, code: &str, column: &str) {
    let (exit, problems, bodies) = came;
    assert!(*exit == 3 && bodies.is_empty(), "{column}: {problems:#?}");
    let errors: Vec<&Value> = problems.iter().filter(|problem| problem["severity"] == "error").collect();
    let told = |problem: &&Value| problem["place"].as_str().unwrap().ends_with(&format!("\"{column}\""));
    assert!(errors.len() == 1 && errors.iter().all(told), "{column}: {problems:#?}");
    assert_eq!(errors[0]["code"], code, "{column}: {problems:#?}");
}

#[test]
fn a_mark_of_inches_is_no_centimetre() {
    for mark in ["\"", "''", "\u{2033}", "'", "\u{201d}"] {
        let cell = format!("\"10{}\"", mark.replace('"', "\"\""));
        held(&csv(&sheet([row("A-1").replace(",30,20,", &format!(",{cell},20,"))])), "bad-number", "Length");
        held(&csv(&sheet([row("A-1").replace(",0.5,", &format!(",{cell},"))])), "bad-number", "Weight");
    }
    let (code, problems, bodies) = csv(&sheet([row("A-1").replace(",30,20,", ",'30,\"\"\"20\"\"\",")]));
    assert_eq!(code, 0, "{problems:#?}");
    let dimension = &bodies[0]["parcelAttributes"]["dimension"];
    assert_eq!((dimension["length"].as_f64(), dimension["width"].as_f64()), (Some(30.0), Some(20.0)));
}

#[test]
fn letters_that_are_lost_hold_their_order() {
    for lost in ["???? ??", "Asha ï¿½ Rao", "As?a"] {
        held(&csv(&sheet([row("A-1").replace("Asha", lost)])), "mojibake", "Receiver First Name");
        held(&csv(&sheet([row("A-1").replace("14 MG Road", lost)])), "mojibake", "Address Line 1");
    }
    held(&csv(&sheet([row("A-1").replace("Kurta", "??? ????")])), "mojibake", "Product Name");
    let (code, problems, _) = csv(&sheet([row("A-1").replace("Kurta", "Where is it? (game)")]));
    assert_eq!((code, problems.len()), (0, 0), "{problems:#?}");
}

#[test]
fn what_points_elsewhere_is_no_address_and_a_size_in_one_cell_is_named() {
    held(&csv(&sheet([row("A-1").replace("14 MG Road", "Same as above")])), "no-value", "Address Line 1");
    let rig = Rig::new();
    let path = "parcelAttributes.dimension";
    let sizes = format!("\"{path}.length\" = 20\n\"{path}.width\" = 15\n\"{path}.height\" = 10\n");
    rig.file("shipsheet.toml", &format!("[defaults]\n{sizes}"));
    let text = sheet([row("A-1").replace(",30,20,5,", ",large,")]);
    rig.file("orders.csv", &text.replace("Length,Width,Height", "LxBxH (cm)"));
    let (code, problems, _) = imported(&rig, &["orders.csv"]);
    assert!(code == 0 && problems[0]["message"].as_str().unwrap().contains("size of the parcel"), "{problems:#?}");
}

#[test]
fn a_blank_cell_of_the_second_product_is_named() {
    let rig = Rig::new();
    rig.file(
        "own.toml",
        "[columns]\n\"productRequestsList.productName\" = \"Item {n}\"\n\"productRequestsList.price\" = \"Price \
         {n}\"\n\"productRequestsList.quantity\" = \"Qty {n}\"\n",
    );
    let header = HEADER.replace("Product Name,SKU,Price,Quantity", "Item 1,Price 1,Qty 1,Item 2,Price 2,Qty 2");
    for (cells, column) in [("Kurta,499,1,Scarf,300,", "Qty 2"), ("Kurta,499,1,,300,2", "Item 2")] {
        let text = format!("{header}\n{}\n", row("A-1").replace("Kurta,K-1,499.90,2", cells));
        rig.file("orders.csv", &text);
        held(&imported(&rig, &["orders.csv", "--profile", "own.toml"]), "missing-value", column);
    }
}

/// A workbook of one good order, with numbers under some headers, each in its format.
fn workbook(rig: &Rig, name: &str, numbers: &[(&str, f64, &str)]) {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    let row = row("A-1");
    for ((column, header), cell) in (0..).zip(HEADER.split(',')).zip(row.split(',')) {
        sheet.write_string(0, column, header).unwrap();
        match numbers.iter().find(|(wanted, ..)| *wanted == header) {
            Some((_, number, format)) => {
                let format = Format::new().set_num_format(*format);
                sheet.write_number_with_format(1, column, *number, &format).unwrap();
            }
            None => drop(sheet.write_string(1, column, cell).unwrap()),
        }
    }
    book.save(rig.path(name)).unwrap();
}

#[test]
fn whole_numbers_are_their_digits_whatever_decimals_show() {
    for format in ["0.00", "#,##0.00", "0.000"] {
        let rig = Rig::new();
        workbook(&rig, "orders.xlsx", &[("Receiver Phone", 9_876_543_210.0, format), ("PIN Code", 560_001.0, format)]);
        let (code, problems, bodies) = imported(&rig, &["orders.xlsx"]);
        assert_eq!(code, 0, "{problems:#?}");
        assert_eq!(bodies[0]["receiver"]["phoneNumber"], "9876543210");
        assert_eq!(bodies[0]["destination"]["pinCode"], "560001");
    }
}

#[test]
fn an_order_is_booked_once_whatever_format_its_number_has() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet([row("1001")]));
    assert_eq!(imported(&rig, &["orders.csv"]).0, 0);
    let accounting = "_(* #,##0.00_);_(* \\(#,##0.00\\);_(* \"-\"??_);_(@_)";
    for format in ["0.00", "#,##0.00", accounting, "$#,##0.00", "#,##0", "General"] {
        workbook(&rig, "again.xlsx", &[("Order Number", 1001.0, format)]);
        let (code, problems, bodies) = imported(&rig, &["again.xlsx"]);
        assert_eq!((code, bodies.len()), (0, 1), "{format}: {problems:#?}");
    }
    for cell in ["1001.00", "1001.000"] {
        rig.file("again.csv", &sheet([row(cell)]));
        let (code, problems, bodies) = imported(&rig, &["again.csv"]);
        assert_eq!((code, bodies.len()), (0, 1), "{problems:#?}");
        assert!(problems.iter().any(|problem| problem["code"] == "text-mark"), "{problems:#?}");
    }
    for cell in ["\"1,001\"", "\"1,001.00\""] {
        rig.file("again.csv", &sheet([row(cell)]));
        let (code, problems, bodies) = imported(&rig, &["again.csv"]);
        assert_eq!((code, bodies.len(), &problems[0]["code"]), (3, 1, &"ambiguous-number".into()), "{problems:#?}");
    }
    workbook(&rig, "other.xlsx", &[("Order Number", 1001.0, "000000")]);
    let (code, problems, bodies) = imported(&rig, &["other.xlsx"]);
    assert_eq!((code, bodies.len(), &problems[0]["code"]), (3, 1, &"same-shipment".into()), "{problems:#?}");
    assert_eq!(problems[0]["found"], "001001", "the zeros of a format are of the number");
}

/// Books one good order with other columns in the place of some.
fn with(changes: &[(&str, &str)], more: &[(&str, &str)]) -> Came {
    let mut columns: Vec<(String, String)> =
        HEADER.split(',').map(str::to_owned).zip(row("A-1").split(',').map(str::to_owned)).collect();
    for (from, to) in changes {
        columns.iter_mut().filter(|(header, _)| header == from).for_each(|(header, _)| (*to).clone_into(header));
    }
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    columns.extend(more.iter().map(|(header, cell)| ((*header).to_owned(), quoted(cell))));
    let (header, cells): (Vec<String>, Vec<String>) = columns.into_iter().unzip();
    csv(&format!("{}\n{}\n", header.join(","), cells.join(",")))
}

#[test]
fn all_parts_of_an_address_are_sent() {
    let parts = [
        ("Landmark", "Near City Mall"),
        ("Area", "Indiranagar"),
        ("House No", "14/2"),
        ("Flat No", "Flat 2B"),
        ("Address Line 3", "Sector 5"),
    ];
    let (code, problems, bodies) = with(&[("Address Line 1", "Street")], &parts);
    assert_eq!(code, 0, "{problems:#?}");
    let to = &bodies[0]["destination"];
    assert_eq!(to["addressLine1"], "Flat 2B, 14/2, 14 MG Road");
    assert_eq!(to["addressLine2"], "Near City Mall, Sector 5, Indiranagar");
    let told: Vec<&str> = problems.iter().map(|problem| problem["code"].as_str().unwrap()).collect();
    assert_eq!(told, ["sheet-notice"], "{problems:#?}");

    let parts =
        [("Address Line 2", "2nd cross"), ("Street", "MG Road"), ("Landmark", "Mall"), ("District", "Bengaluru")];
    let (code, problems, bodies) = with(&[], &parts);
    assert_eq!(code, 0, "{problems:#?}");
    let to = &bodies[0]["destination"];
    assert_eq!(
        (to["addressLine1"].as_str(), to["addressLine2"].as_str()),
        (Some("14 MG Road"), Some("2nd cross, Mall"))
    );

    held(&with(&[], &[("House No", "???? ??")]), "mojibake", "House No");
    held(&with(&[], &[("Address (contd.)", "Flat 2B")]), "held-back", "Address (contd.)");
    let said = [("Complete Addresses", "14 MG Road, Bengaluru, Karnataka 560001"), ("Billing Address", "Elsewhere")];
    let (code, problems, _) = with(&[], &said);
    assert_eq!(code, 0, "{problems:#?}");
    let rows = [format!("{},12", row("A-1")), format!("{},13", row("A-1").replace("K-1", "K-2"))];
    held(&csv(&format!("{HEADER},House No\n{}\n", rows.join("\n"))), "order-clash", "House No");
}

#[test]
fn a_proposal_takes_no_column_of_the_sender() {
    let rig = Rig::new();
    let header = HEADER.replace("PIN Code", "Dest Pin");
    let header = format!("{header},Consignor,Consignor Mobile,Consignor Pin,Consignor City,House No,AWB");
    let row = format!("{},Rao Traders,9876500000,110001,Delhi,Flat 2B,", row("A-1"));
    rig.file("orders.csv", &format!("{header}\n{row}\n"));
    let ran = rig.run(&["profile", "guess", "orders.csv", "--save", "own"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let (code, problems, bodies) = imported(&rig, &["orders.csv"]);
    assert_eq!(code, 0, "{problems:#?}");
    let to = &bodies[0]["destination"];
    assert_eq!((&to["pinCode"], &to["addressLine1"]), (&"560001".into(), &"Flat 2B, 14 MG Road".into()));
    let sent = row.replace("A-1", "A-2") + "1234567890";
    rig.file("orders.csv", &format!("{header}\n{sent}\n"));
    let (code, problems, _) = imported(&rig, &["orders.csv"]);
    assert!(code == 3 && problems.iter().any(|problem| problem["code"] == "held-back"), "{problems:#?}");
}

#[test]
fn lines_of_a_cell_that_nothing_takes_hold_the_order() {
    let rig = Rig::new();
    let line = |path: &str, part: &str| format!("\"{path}\" = {{ column = \"To\", part = \"{part}\" }}\n");
    let own = |last: &str| {
        let lines = [line("destination.addressLine1", "line-1"), line("destination.addressLine2", "line-2")];
        format!("[columns]\n{}{}", lines.concat(), line("destination.city", last))
    };
    let header = HEADER.replace("Address Line 1,City,", "To,");
    let cells = |to: &str| row("A-1").replace("14 MG Road,Bengaluru,", &format!("\"{to}\","));
    let tried = |last: &str, to: &str| {
        rig.file("own.toml", &own(last));
        rig.file("orders.csv", &format!("{header}\n{}\n", cells(to)));
        imported(&rig, &["orders.csv", "--profile", "own.toml"])
    };
    held(&tried("line-3", "Flat 2B\n14 MG Road\nIndiranagar\nBengaluru"), "held-back", "To");
    let (code, problems, bodies) = tried("line-3", "Flat 2B\n14 MG Road\n\nBengaluru");
    assert_eq!((code, &bodies[0]["destination"]["city"]), (0, &"Bengaluru".into()), "{problems:#?}");
}

#[test]
fn dates_that_a_spreadsheet_may_have_swapped_hold_their_orders() {
    let workbook = |rig: &Rig, days: &[(u16, u8, u8)], text: &str| {
        let mut book = Workbook::new();
        let sheet = book.add_worksheet();
        let format = Format::new().set_num_format("dd/mm/yyyy");
        let dates = days.iter().map(Some).chain([None]);
        for (column, header) in (0..).zip(HEADER.split(',')) {
            sheet.write_string(0, column, header).unwrap();
        }
        for (number, date) in (1_u32..).zip(dates) {
            let row = row(&format!("A-{number}"));
            for (column, cell) in (0..).zip(row.split(',')) {
                match date {
                    Some((year, month, day)) if column == 1 => {
                        let date = rust_xlsxwriter::ExcelDateTime::from_ymd(*year, *month, *day).unwrap();
                        sheet.write_datetime_with_format(number, column, &date, &format).unwrap();
                    }
                    _ => drop(sheet.write_string(number, column, if column == 1 { text } else { cell }).unwrap()),
                }
            }
        }
        book.save(rig.path("orders.xlsx")).unwrap();
    };
    let tried = |days: &[(u16, u8, u8)], text: &str| {
        let rig = Rig::new();
        workbook(&rig, days, text);
        imported(&rig, &["orders.xlsx"])
    };
    let (code, problems, bodies) = tried(&[(2026, 5, 6), (2026, 11, 3)], "25/06/2026");
    assert_eq!((code, bodies.len()), (4, 1), "{problems:#?}");
    let codes: Vec<&str> = problems.iter().map(|problem| problem["code"].as_str().unwrap()).collect();
    assert_eq!(codes.iter().filter(|code| **code == "ambiguous-date").count(), 2, "{problems:#?}");
    for (days, text) in [(&[(2026, 5, 6), (2026, 6, 30)], "25/06/2026"), (&[(2026, 5, 6), (2026, 5, 7)], "2026-06-25")]
    {
        let (code, problems, bodies) = tried(days, text);
        assert_eq!((code, bodies.len()), (0, 3), "{problems:#?}");
    }
}

#[test]
fn the_example_of_the_starter_sheet_is_no_order() {
    for name in ["starter.csv", "starter.xlsx"] {
        let rig = Rig::new();
        assert_eq!(rig.run(&["template", name]).code, 0);
        let (_, document) = rig.json(&["import", name, "--yes", "--results", "results.csv"]);
        assert!(rig.bookings().is_empty(), "{document}");
        assert_eq!(document["rows"]["skipped"], 2, "{document}");
        assert_eq!(document["problems"][0]["code"], "row-left-out", "{document}");
        assert!(rig.read("results.csv").matches("left out").count() == 2, "{document}");
    }
    let rig = Rig::new();
    assert_eq!(rig.run(&["template", "starter.csv"]).code, 0);
    let text = rig.read("starter.csv");
    let own: String = text.lines().skip(1).take(1).map(|line| line.replace("Asha", "Ravi") + "\n").collect();
    let more = own.replace("ORD-1001", "ORD-1002");
    rig.file("starter.csv", &(text.clone() + &more));
    let (code, document) = rig.json(&["import", "starter.csv", "--yes"]);
    assert_eq!((code, rig.bookings().len()), (0, 1), "{document}");
    // Whoever keeps the number and writes an order of their own has an order.
    rig.file("starter.csv", &(text.lines().next().unwrap().to_owned() + "\n" + &own));
    let (code, document) = rig.json(&["import", "starter.csv", "--yes"]);
    assert_eq!((code, rig.bookings().len()), (0, 2), "{document}");
    // Its second line, left below an order that was typed over the first, is no product of that.
    let rig = Rig::new();
    let own = text.replacen("Asha", "Meera", 1);
    rig.file("starter.csv", &own);
    let (code, document) = rig.json(&["import", "starter.csv", "--yes"]);
    let held = |problem: &Value| problem["message"].as_str().unwrap().starts_with("this row is the example");
    assert!(code == 3 && rig.bookings().is_empty(), "{document}");
    assert!(document["problems"].as_array().unwrap().iter().any(held), "{document}");
}

#[test]
fn what_is_struck_through_holds_its_order() {
    let rig = Rig::new();
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    let struck = Format::new().set_font_strikethrough();
    for (number, line) in (0_u32..).zip([HEADER.to_owned(), row("A-1"), row("A-2"), row("A-3"), row("A-4"), row("A-5")])
    {
        for (column, cell) in (0_u16..).zip(line.split(',')) {
            let is_struck = number == 2 || (number == 3 && column == 0);
            let format = if is_struck { &struck } else { &Format::new() };
            sheet.write_string_with_format(number, column, cell, format).unwrap();
        }
    }
    // A part of a cell: an old price before the new one.
    let plain = Format::new();
    sheet.write_rich_string(4, 0, &[(&struck, "A-"), (&plain, "4")]).unwrap();
    sheet.write_rich_string(5, 0, &[(&Format::new().set_bold(), "A-"), (&plain, "5")]).unwrap();
    // A line through nothing says nothing.
    sheet.write_blank(1, 40, &struck).unwrap();
    book.save(rig.path("orders.xlsx")).unwrap();
    let (code, problems, bodies) = imported(&rig, &["orders.xlsx"]);
    assert_eq!((code, bodies.len()), (4, 2), "{problems:#?}");
    assert_eq!((&bodies[0]["orderNumber"], &bodies[1]["orderNumber"]), (&"A-1".into(), &"A-5".into()));
    let held: Vec<&str> = problems
        .iter()
        .filter(|problem| problem["code"] == "held-back")
        .map(|problem| problem["place"].as_str().unwrap())
        .collect();
    assert_eq!(held, ["Sheet1 row 3", "Sheet1 row 4", "Sheet1 row 5"], "{problems:#?}");
}

#[test]
fn what_is_written_beside_a_row_or_into_a_name_holds_its_order() {
    let rig = Rig::new();
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    let width = u16::try_from(HEADER.split(',').count()).unwrap();
    for (number, line) in (0_u32..).zip([HEADER.to_owned(), row("A-1"), row("A-2"), row("A-3")]) {
        for (column, cell) in (0_u16..).zip(line.split(',')) {
            sheet.write_string(number, column, cell).unwrap();
        }
    }
    sheet.write_string(1, width + 1, "cancel").unwrap();
    sheet.write_string(2, width, "packed by Ravi").unwrap();
    book.save(rig.path("orders.xlsx")).unwrap();
    let (code, problems, bodies) = imported(&rig, &["orders.xlsx"]);
    assert_eq!((code, bodies.len()), (4, 2), "{problems:#?}");
    assert!(problems.iter().any(|problem| problem["code"] == "held-back" && problem["found"] == "cancel"));

    let kurta = |name: &str| row("B-1").replace("Kurta", name);
    let rows = [
        kurta("Kurta (CANCELLED)"),
        row("B-2").replace("Asha", "Asha - HOLD"),
        row("B-3 (cancelled)"),
        kurta("Mug (L)"),
    ];
    for (number, line) in rows.iter().enumerate() {
        rig.file("marked.csv", &format!("{HEADER}\n{line}\n"));
        let (code, problems, _) = imported(&rig, &["marked.csv"]);
        assert_eq!(code, if number < 3 { 3 } else { 0 }, "{line}: {problems:#?}");
    }
}

#[test]
fn results_of_another_ledger_are_not_booked_again() {
    let rig = Rig::new();
    let header = format!("{HEADER},shipsheet status,shipsheet AWB");
    let line = |number: &str, awb: &str| format!("{},booked,{awb}", row(number));
    // What was only tried goes.
    let rows = [header, line("A-1", "14908123456789"), line("A-2", "SBXHODXAS5TCK000001"), line("A-3", "")];
    rig.file("results.csv", &rows.join("\n"));
    let (code, problems, bodies) = imported(&rig, &["results.csv"]);
    assert_eq!((code, bodies.len()), (4, 2), "{problems:#?}");
    assert!(problems.iter().any(|own| own["code"] == "held-back" && own["found"] == "14908123456789"), "{problems:#?}");
}

/// A sheet of one order for each of these names, in bytes.
fn named(names: &[&[u8]]) -> Vec<u8> {
    let mut bytes = format!("{HEADER}\r\n").into_bytes();
    for (number, name) in names.iter().enumerate() {
        let line = row(&format!("A-{number}"));
        let (before, after) = line.split_once("Asha").unwrap();
        bytes.extend([before.as_bytes(), *name, after.as_bytes(), b"\r\n"].concat());
    }
    bytes
}

#[test]
fn letters_of_old_macs_and_of_dos_are_no_others() {
    let rig = Rig::new();
    let mac: [&[u8]; 4] = [b"Jos\x8e M\x9fller", b"Asha", b"Zo\x91", b"S\xbfren"];
    std::fs::write(rig.path("orders.csv"), named(&mac)).unwrap();
    let (code, problems, bodies) = imported(&rig, &["orders.csv"]);
    assert_eq!(code, 0, "{problems:#?}");
    let sent: Vec<&str> = bodies.iter().map(|body| body["receiver"]["firstName"].as_str().unwrap()).collect();
    assert_eq!(sent, ["José Müller", "Asha", "Zoë", "Søren"]);
    assert!(problems[0]["message"].as_str().unwrap().contains("macintosh, which is a guess"), "{problems:#?}");

    let rig = Rig::new();
    let dos: [&[u8]; 4] = [b"Jos\x82 M\x81ller", b"Asha", b"Zo\x89", b"S\x9bren"];
    std::fs::write(rig.path("orders.csv"), named(&dos)).unwrap();
    let (code, problems, bodies) = imported(&rig, &["orders.csv"]);
    assert_eq!((code, bodies.len()), (4, 1), "{problems:#?}");
    let codes: Vec<&str> = problems.iter().map(|problem| problem["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["bad-encoding"; 3], "{problems:#?}");
    assert!(problems[0]["hint"].as_str().unwrap().contains("UTF-8"), "{problems:#?}");
    let hint = problems[0]["hint"].as_str().unwrap();
    assert!(hint.contains("--encoding cp850"), "{problems:#?}");
    let ran = rig.run(&["check", "orders.csv", "--encoding", "cp9999"]);
    assert!(ran.code == 1 && ran.stderr.contains("CSV UTF-8") && ran.stderr.contains("macintosh"), "{ran:?}");
    let ran = rig.run(&["import", "orders.csv", "--encoding", "cp850", "--yes"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let bookings = rig.sandbox().book().bookings().clone();
    let sent: Vec<String> =
        bookings.iter().map(|booking| String::from_utf8_lossy(&booking.body).into_owned()).collect();
    for name in ["José", "Müller", "Zoë", "Søren"] {
        assert!(sent.iter().any(|body| body.contains(name)), "{name}: {sent:#?}");
    }
}

#[test]
fn worksheets_of_rejects_that_are_all_read_are_not_said_to_be_left_out() {
    let rig = Rig::new();
    rig.file("one.csv", &sheet([row("A-1").replace("560001", "5600")]));
    let other = sheet([row("B-1").replace("560001", "5600").replace("K-1", "K-2")]);
    rig.file("two.csv", &other.replace("Order Number", "Order No"));
    let ran = rig.run(&["import", "one.csv", "two.csv", "--yes", "--rejects", "rejects.xlsx"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    let (_, document) = rig.json(&["check", "rejects.xlsx"]);
    assert_eq!(document["sheets"].as_array().unwrap().len(), 2, "{document}");
    let problems = document["problems"].as_array().unwrap();
    assert!(problems.iter().all(|problem| problem["code"] != "sheet-notice"), "{problems:#?}");
}
