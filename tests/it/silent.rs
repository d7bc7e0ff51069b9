//! Values that would be sent wrong without a word: marks of inches, lost letters, cells of other columns.

use rust_xlsxwriter::Format;

use crate::rig::{Came, HEADER, Problem, Rig, Table, imported, row, sheet, workbook, workbook_of_numbers};

#[test]
fn a_mark_of_inches_is_no_centimetre() {
    let (inches, feet) = (25.4, 304.8);
    for (mark, length) in [("\"", inches), ("''", inches), ("\u{2033}", inches), ("'", feet), ("\u{201d}", inches)] {
        let cell = format!("\"10{}\"", mark.replace('"', "\"\""));
        let came = imported(&sheet([row("A-1").replace(",30,20,", &format!(",{cell},20,"))]));
        came.exits(0);
        let dimension = &came.request()["parcelAttributes"]["dimension"];
        assert_eq!((dimension["length"].as_f64(), dimension["unit"].as_str()), (Some(length), Some("cm")), "{mark}");
        let said = came.problems.iter().find(|problem| problem.code == "text-mark");
        said.unwrap_or_else(|| panic!("{mark}: {came:?}")).says(format!("sent as {length} cm"));
        imported(&sheet([row("A-1").replace(",0.5,", &format!(",{cell},"))])).held_at("bad-number", "Weight");
    }
    let by_header = sheet([row("A-1").replace(",30,20,", ",\"10\"\"\",20,")]).replace("Length,", "Length (in),");
    let came = imported(&by_header);
    came.exits(0);
    assert!(!came.problems.iter().any(|problem| problem.code == "text-mark"), "the header says inches: {came:?}");
    let came = imported(&sheet([row("A-1").replace(",30,20,", ",'30,\"\"\"20\"\"\",")]));
    came.exits(0);
    let dimension = &came.request()["parcelAttributes"]["dimension"];
    assert_eq!((dimension["length"].as_f64(), dimension["width"].as_f64()), (Some(30.0), Some(20.0)));
}

#[test]
fn letters_that_are_lost_hold_their_order() {
    for lost in ["???? ??", "Asha ï¿½ Rao", "As?a"] {
        imported(&sheet([row("A-1").replace("Asha", lost)])).held_at("mojibake", "Receiver First Name");
        imported(&sheet([row("A-1").replace("14 MG Road", lost)])).held_at("mojibake", "Address Line 1");
    }
    imported(&sheet([row("A-1").replace("Kurta", "??? ????")])).held_at("mojibake", "Product Name");
    let came = imported(&sheet([row("A-1").replace("Kurta", "Where is it? (game)")]));
    came.exits(0);
    assert_eq!(came.problems.len(), 0, "{came:?}");
}

#[test]
fn what_points_elsewhere_is_no_address_and_a_size_in_one_cell_is_named() {
    imported(&sheet([row("A-1").replace("14 MG Road", "Same as above")])).held_at("no-value", "Address Line 1");
    let rig = Rig::new();
    let path = "parcelAttributes.dimension";
    let sizes = format!("\"{path}.length\" = 20\n\"{path}.width\" = 15\n\"{path}.height\" = 10\n");
    rig.file("shipsheet.toml", &format!("[defaults]\n{sizes}"));
    let text = sheet([row("A-1").replace(",30,20,5,", ",large,")]);
    rig.file("orders.csv", &text.replace("Length,Width,Height", "LxBxH (cm)"));
    rig.import(&["orders.csv"]).exits(0).problems[0].says("size of the parcel");
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
        rig.import(&["orders.csv", "--profile", "own.toml"]).held_at("missing-value", column);
    }
}

#[test]
fn whole_numbers_are_their_digits_whatever_decimals_show() {
    for format in ["0.00", "#,##0.00", "0.000"] {
        let rig = Rig::new();
        let numbers = [("Receiver Phone", 9_876_543_210.0, format), ("PIN Code", 560_001.0, format)];
        workbook_of_numbers(&rig.path("orders.xlsx"), &numbers);
        let came = rig.import(&["orders.xlsx"]);
        assert_eq!(came.goes()["receiver"]["phoneNumber"], "9876543210");
        assert_eq!(came.request()["destination"]["pinCode"], "560001");
    }
}

#[test]
fn an_order_is_booked_once_whatever_format_its_number_has() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet([row("1001")]));
    rig.import(&["orders.csv"]).exits(0);
    let accounting = "_(* #,##0.00_);_(* \\(#,##0.00\\);_(* \"-\"??_);_(@_)";
    for format in ["0.00", "#,##0.00", accounting, "$#,##0.00", "#,##0", "General"] {
        workbook_of_numbers(&rig.path("again.xlsx"), &[("Order Number", 1001.0, format)]);
        rig.import(&["again.xlsx"]).books(0, 1);
    }
    for cell in ["1001.00", "1001.000"] {
        rig.file("again.csv", &sheet([row(cell)]));
        let came = rig.import(&["again.csv"]);
        came.books(0, 1);
        assert!(came.has("text-mark"), "{came:?}");
    }
    for cell in ["\"1,001\"", "\"1,001.00\""] {
        rig.file("again.csv", &sheet([row(cell)]));
        rig.import(&["again.csv"]).books(3, 1).tells_first("ambiguous-number");
    }
    workbook_of_numbers(&rig.path("other.xlsx"), &[("Order Number", 1001.0, "000000")]);
    let came = rig.import(&["other.xlsx"]);
    came.books(3, 1);
    let same = (came.problems[0].code.as_str(), came.problems[0].found.as_str());
    assert_eq!(same, ("same-shipment", "001001"), "the zeros of a format are of the number");
}

/// Books one good order with other columns in the place of some.
fn with(changes: &[(&str, &str)], more: &[(&str, &str)]) -> Came {
    imported(&Table::good().renamed(changes).with_cells(more).text())
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
    let came = with(&[("Address Line 1", "Street")], &parts);
    let to = came.goes()["destination"].clone();
    assert_eq!(to["addressLine1"], "Flat 2B, 14/2, 14 MG Road");
    assert_eq!(to["addressLine2"], "Near City Mall, Sector 5, Indiranagar");
    assert_eq!(came.codes(), ["sheet-notice"], "{came:?}");

    let parts =
        [("Address Line 2", "2nd cross"), ("Street", "MG Road"), ("Landmark", "Mall"), ("District", "Bengaluru")];
    let to = with(&[], &parts).goes()["destination"].clone();
    assert_eq!(
        (to["addressLine1"].as_str(), to["addressLine2"].as_str()),
        (Some("14 MG Road"), Some("2nd cross, Mall"))
    );

    with(&[], &[("House No", "???? ??")]).held_at("mojibake", "House No");
    with(&[], &[("Address (contd.)", "Flat 2B")]).held_at("held-back", "Address (contd.)");
    let said = [("Complete Addresses", "14 MG Road, Bengaluru, Karnataka 560001"), ("Billing Address", "Elsewhere")];
    with(&[], &said).exits(0);
    let rows = [format!("{},12", row("A-1")), format!("{},13", row("A-1").replace("K-1", "K-2"))];
    imported(&format!("{HEADER},House No\n{}\n", rows.join("\n"))).held_at("order-clash", "House No");
}

#[test]
fn a_proposal_takes_no_column_of_the_sender() {
    let rig = Rig::new();
    let header = HEADER.replace("PIN Code", "Dest Pin");
    let header = format!("{header},Consignor,Consignor Mobile,Consignor Pin,Consignor City,House No,AWB");
    let row = format!("{},Rao Traders,9876500000,110001,Delhi,Flat 2B,", row("A-1"));
    rig.file("orders.csv", &format!("{header}\n{row}\n"));
    rig.run(&["profile", "guess", "orders.csv", "--save", "own"]).exits(0);
    let to = rig.import(&["orders.csv"]).goes()["destination"].clone();
    assert_eq!((&to["pinCode"], &to["addressLine1"]), (&"560001".into(), &"Flat 2B, 14 MG Road".into()));
    let sent = row.replace("A-1", "A-2") + "1234567890";
    rig.file("orders.csv", &format!("{header}\n{sent}\n"));
    let came = rig.import(&["orders.csv"]);
    came.exits(3);
    assert!(came.has("held-back"), "{came:?}");
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
        rig.import(&["orders.csv", "--profile", "own.toml"])
    };
    tried("line-3", "Flat 2B\n14 MG Road\nIndiranagar\nBengaluru").held_at("held-back", "To");
    assert_eq!(tried("line-3", "Flat 2B\n14 MG Road\n\nBengaluru").goes()["destination"]["city"], "Bengaluru");
}

#[test]
fn dates_that_a_spreadsheet_may_have_swapped_hold_their_orders() {
    let book = |rig: &Rig, days: &[(u16, u8, u8)], text: &str| {
        let orders = (1..=days.len() + 1).map(|number| row(&format!("A-{number}")).replace("2026-11-20", text));
        rig.workbook("orders.xlsx", &orders.collect::<Vec<_>>(), |sheet| {
            let format = Format::new().set_num_format("dd/mm/yyyy");
            for (number, (year, month, day)) in (1_u32..).zip(days) {
                let date = rust_xlsxwriter::ExcelDateTime::from_ymd(*year, *month, *day).unwrap();
                sheet.write_datetime_with_format(number, 1, &date, &format).unwrap();
            }
        });
    };
    let tried = |days: &[(u16, u8, u8)], text: &str| {
        let rig = Rig::new();
        book(&rig, days, text);
        rig.import(&["orders.xlsx"])
    };
    let came = tried(&[(2026, 5, 6), (2026, 11, 3)], "25/06/2026");
    came.books(4, 1);
    assert_eq!(came.all("ambiguous-date").len(), 2, "{came:?}");
    for (days, text) in [(&[(2026, 5, 6), (2026, 6, 30)], "25/06/2026"), (&[(2026, 5, 6), (2026, 5, 7)], "2026-06-25")]
    {
        tried(days, text).books(0, 3);
    }
}

#[test]
fn the_example_of_the_starter_sheet_is_no_order() {
    for name in ["starter.csv", "starter.xlsx"] {
        let rig = Rig::new();
        rig.run(&["template", name]).exits(0);
        let came = rig.import(&[name, "--results", "results.csv"]);
        assert!(came.requests.is_empty(), "{came:?}");
        assert_eq!(came.document["rows"]["skipped"], 2, "{came:?}");
        came.tells_first("row-left-out");
        assert!(rig.read("results.csv").matches("left out").count() == 2, "{came:?}");
    }
    let rig = Rig::new();
    rig.run(&["template", "starter.csv"]).exits(0);
    let text = rig.read("starter.csv");
    let own: String = text.lines().skip(1).take(1).map(|line| line.replace("Asha", "Ravi") + "\n").collect();
    let more = own.replace("ORD-1001", "ORD-1002");
    rig.file("starter.csv", &(text.clone() + &more));
    rig.import(&["starter.csv"]).books(0, 1);
    // Whoever keeps the number and writes an order of their own has an order.
    rig.file("starter.csv", &(text.lines().next().unwrap().to_owned() + "\n" + &own));
    rig.import(&["starter.csv"]).books(0, 2);
    // Its second line, left below an order that was typed over the first, is no product of that.
    let rig = Rig::new();
    let own = text.replacen("Asha", "Meera", 1);
    rig.file("starter.csv", &own);
    let came = rig.import(&["starter.csv"]);
    // It is told from other rows by its words alone.
    let example = |problem: &Problem| problem.message.starts_with("this row is the example");
    assert!(came.stays().problems.iter().any(example), "{came:?}");
}

#[test]
fn what_is_struck_through_holds_its_order() {
    let rig = Rig::new();
    let struck = Format::new().set_font_strikethrough();
    let lines = [HEADER, &row("A-1"), &row("A-2"), &row("A-3"), &row("A-4"), &row("A-5")];
    workbook(&rig.path("orders.xlsx"), &lines, |sheet| {
        for (column, cell) in (0_u16..).zip(lines[2].split(',')) {
            sheet.write_string_with_format(2, column, cell, &struck).unwrap();
        }
        sheet.write_string_with_format(3, 0, "A-3", &struck).unwrap();
        // A part of a cell: an old price before the new one.
        let plain = Format::new();
        sheet.write_rich_string(4, 0, &[(&struck, "A-"), (&plain, "4")]).unwrap();
        sheet.write_rich_string(5, 0, &[(&Format::new().set_bold(), "A-"), (&plain, "5")]).unwrap();
        // A line through nothing says nothing.
        sheet.write_blank(1, 40, &struck).unwrap();
    });
    let came = rig.import(&["orders.xlsx"]);
    assert_eq!(came.books(4, 2).booked(), ["A-1", "A-5"]);
    let held: Vec<&str> = came.all("held-back").into_iter().map(|problem| problem.place.as_str()).collect();
    assert_eq!(held, ["Orders row 3", "Orders row 4", "Orders row 5"], "{came:?}");
}

#[test]
fn what_is_written_beside_a_row_or_into_a_name_holds_its_order() {
    let rig = Rig::new();
    let width = u16::try_from(HEADER.split(',').count()).unwrap();
    workbook(&rig.path("orders.xlsx"), &[HEADER, &row("A-1"), &row("A-2"), &row("A-3")], |sheet| {
        sheet.write_string(1, width + 1, "cancel").unwrap();
        sheet.write_string(2, width, "packed by Ravi").unwrap();
    });
    let came = rig.import(&["orders.xlsx"]);
    came.books(4, 2);
    assert!(came.found("held-back").contains(&"cancel"), "{came:?}");

    let kurta = |name: &str| row("B-1").replace("Kurta", name);
    let rows = [
        kurta("Kurta (CANCELLED)"),
        row("B-2").replace("Asha", "Asha - HOLD"),
        row("B-3 (cancelled)"),
        kurta("Mug (L)"),
    ];
    for (number, line) in rows.iter().enumerate() {
        rig.file("marked.csv", &format!("{HEADER}\n{line}\n"));
        rig.import(&["marked.csv"]).exits(if number < 3 { 3 } else { 0 });
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
    let came = rig.import(&["results.csv"]);
    came.books(4, 2);
    assert!(came.found("held-back").contains(&"14908123456789"), "{came:?}");
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
    rig.bytes("orders.csv", named(&mac));
    let came = rig.import(&["orders.csv"]);
    let sent = came.exits(0).sent(|body| body["receiver"]["firstName"].as_str().unwrap());
    assert_eq!(sent, ["José Müller", "Asha", "Zoë", "Søren"]);
    came.problems[0].says("macintosh, which is a guess");

    let rig = Rig::new();
    let dos: [&[u8]; 4] = [b"Jos\x82 M\x81ller", b"Asha", b"Zo\x89", b"S\x9bren"];
    rig.bytes("orders.csv", named(&dos));
    let came = rig.import(&["orders.csv"]);
    came.books(4, 1);
    assert_eq!(came.codes(), ["bad-encoding"; 3], "{came:?}");
    came.problems[0].advises("UTF-8").advises("--encoding cp850");
    rig.run(&["check", "orders.csv", "--encoding", "cp9999"]).exits(1).says("CSV UTF-8").says("macintosh");
    let came = rig.import(&["orders.csv", "--encoding", "cp850"]);
    let sent = came.exits(0).sent(|body| body["receiver"]["firstName"].as_str().unwrap());
    assert_eq!(sent, ["José Müller", "Asha", "Zoë", "Søren"]);
}

#[test]
fn worksheets_of_rejects_that_are_all_read_are_not_said_to_be_left_out() {
    let rig = Rig::new();
    rig.file("one.csv", &sheet([row("A-1").replace("560001", "5600")]));
    let other = sheet([row("B-1").replace("560001", "5600").replace("K-1", "K-2")]);
    rig.file("two.csv", &other.replace("Order Number", "Order No"));
    rig.run(&["import", "one.csv", "two.csv", "--yes"]).exits(3);
    rig.run(&["rejects", "--to", "rejects.xlsx"]).exits(0);
    let came = rig.check(&["rejects.xlsx"]);
    assert_eq!(came.document["sheets"].as_array().unwrap().len(), 2, "{came:?}");
    assert!(!came.has("sheet-notice"), "{came:?}");
}
