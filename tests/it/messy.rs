//! Sheets as they lie on a counter: broken characters, formats of Excel, merged and hidden rows, footers, second headers.

use rust_xlsxwriter::Format;

use crate::rig::{Came, HEADER, Rig, column_of, row, row_with, sheet};

#[test]
fn one_broken_character_is_a_problem_of_its_cell() {
    let rig = Rig::new();
    let text = sheet([row("A-1"), row("A-2"), row("A-3")]);
    let broken = |find: &str, bytes: &[u8], mark: &[u8]| {
        let at = text.rfind(find).unwrap();
        [mark, &text.as_bytes()[..at], bytes, &text.as_bytes()[at + find.len()..]].concat()
    };
    let cases = [
        ("cut.csv", broken("MG Road", b"Rs\xe2\x82 Road", b"")),
        ("marked.csv", broken("MG Road", b"Caf\xe9 Road", b"\xef\xbb\xbf")),
        ("odd.csv", broken("MG Road", b"\xd5\xc5\xce", b"")),
        ("zero.csv", broken("MG Road", b"MG\0Road", b"")),
    ];
    for (name, bytes) in cases {
        rig.bytes(name, bytes);
        let came = rig.check(&[name]);
        let errors = came.places("error");
        assert!(errors.contains(&format!("{name}:4 column E bad-encoding")), "{errors:?}");
        assert_eq!(came.orders("total"), 3, "{came:?}");
        assert_eq!(came.orders("invalid"), 1, "{came:?}");
        rig.run(&["check", name]).exits(3);
    }
    rig.bytes("latin.csv", broken("MG Road", b"Caf\xe9 Road", b""));
    rig.run(&["check", "latin.csv"])
        .exits(0)
        .says("read as windows-1252, which is a guess")
        .says("latin.csv:4  found")
        .says("Café Road");
    std::fs::write(rig.path("padded.csv"), [text.as_bytes(), &[0; 700]].concat()).unwrap();
    assert_eq!(rig.check(&["padded.csv"]).places("error"), [""; 0]);
}

#[test]
fn hidden_rows_are_named_and_merged_cells_hold_for_their_rows() {
    let rig = Rig::new();
    let mut rows: Vec<String> = (1..=6).map(|number| row(&format!("A-{number}"))).collect();
    // The second row of A-2: only a product of its own.
    rows.insert(2, format!("{}Cap,C-1,99,1", ",".repeat(15)));
    rig.workbook("merged.xlsx", &rows, |worksheet| {
        for column in 0..15 {
            let text = rows[1].split(',').nth(usize::from(column)).unwrap();
            worksheet.merge_range(2, column, 3, column, text, &Format::new()).unwrap();
        }
        for hidden in [4, 5, 7] {
            worksheet.set_row_hidden(hidden).unwrap();
        }
        worksheet.set_row_hidden(900).unwrap();
    });
    let came = rig.check(&["merged.xlsx"]);
    assert_eq!(came.places("error"), [""; 0], "{came:?}");
    assert_eq!((came.orders("total"), &came.document["lines"]), (6, &7.into()));
    let warnings = came.places("warning");
    assert_eq!(warnings[..3], ["Orders!5:6 hidden-rows", "Orders row 8 hidden-rows", "Orders!A3:A4 merged-cells"]);
    assert_eq!(warnings.iter().filter(|warning| warning.ends_with("merged-cells")).count(), 15);
    rig.run(&["check", "merged.xlsx"]).says("Orders!5:6").says("Orders!A3:A4");
}

#[test]
fn a_merged_cell_that_may_mean_two_things_holds_its_order() {
    let rig = Rig::new();
    let rows: Vec<String> = (1..=3).map(|number| row(&format!("A-{number}"))).collect();
    let cases = [
        ("Weight", "Orders!N3 merged-cells", "for both orders together or for each"),
        ("Quantity", "Orders!S3 merged-cells", "for one product or for each"),
    ];
    for (header, problem, question) in cases {
        rig.workbook("merged.xlsx", &rows, |worksheet| {
            worksheet.merge_range(1, column_of(header), 2, column_of(header), "1", &Format::new()).unwrap();
        });
        let came = rig.check(&["merged.xlsx"]);
        assert_eq!(came.places("error"), [problem], "{came:?}");
        assert_eq!(came.orders("invalid"), 1);
        rig.run(&["check", "merged.xlsx"]).says(question);
    }
    rig.workbook("merged.xlsx", &rows, |worksheet| {
        worksheet.merge_range(1, column_of("City"), 3, column_of("City"), "Pune", &Format::new()).unwrap();
    });
    assert_eq!(rig.check(&["merged.xlsx"]).places("error"), [""; 0], "a city may hold for several orders");
}

#[test]
fn two_exports_in_one_sheet_send_nothing_from_columns_of_another_header() {
    let rig = Rig::new();
    let swapped = HEADER.replace("Price,Quantity", "Quantity,Price");
    rig.file("pasted.csv", &format!("{HEADER}\n{}\n{swapped}\n{}\nGrand Total (2 orders)\n", row("A-1"), row("A-2")));
    let came = rig.check(&["pasted.csv"]);
    assert_eq!(came.places("error"), ["pasted.csv:4 second-header"], "{came:?}");
    assert_eq!((came.rows("skipped"), came.orders("invalid")), (2, 1), "{came:?}");
    rig.run(&["check", "pasted.csv"]).says("below a second row of headers, row 3").says("a sheet of their own");
    // A header in other words is one as well, and nothing else is said of the rows below it.
    let own =
        "Bill No,Day,Customer,Mobile,Street,Town,Province,Land,Pin,Depot,Long,Wide,High,Kilos,Mode,Item,Code,Rate,Qty";
    rig.file("pasted.csv", &format!("{HEADER}\n{}\n{own}\n{}\n{}\n", row("A-1"), row("A-2"), row("A-3")));
    let came = rig.check(&["pasted.csv"]);
    assert_eq!(came.places("error"), ["pasted.csv:4 second-header", "pasted.csv:5 second-header"], "{came:?}");
    rig.file("again.csv", &format!("{HEADER}\n{}\n{HEADER}\n{}\nPrepared by: Ravi\n", row("A-1"), row("A-2")));
    assert_eq!(rig.check(&["again.csv"]).places("error"), [""; 0]);
}

#[test]
fn orders_below_a_title_in_the_middle_are_asked_about() {
    let rig = Rig::new();
    let cases = [
        ("Returned today", "", 3_u64),
        ("Cancelled", HEADER, 3),
        ("19-Nov-2025", "", 3),
        ("Previous day,,,,,2", "", 4),
        (",,,Orders of yesterday", HEADER, 3),
    ];
    for (title, header, invalid_rows) in cases {
        let rows = [HEADER, &row("A-1"), "", title, header, &row("A-2"), &row("A-3"), &row("A-3"), "Grand Total,2"];
        rig.file("two.csv", &rows.join("\n"));
        let came = rig.import(&["two.csv"]);
        let below: Vec<String> = came.places("error").into_iter().filter(|p| p.ends_with("below-title")).collect();
        assert_eq!(
            below,
            ["two.csv:6 below-title", "two.csv:7 below-title", "two.csv:8 below-title"],
            "{title}: {came:?}"
        );
        assert_eq!(came.exits(4).rows("invalid"), invalid_rows, "{came:?}");
    }
    assert_eq!(rig.bookings().len(), 1);
    rig.run(&["check", "two.csv"])
        .says("below a title in row 4, \"Orders of yesterday\"")
        .says("the title \"Orders of yesterday\" alone if all orders below it should be shipped");
    // What ends the sheet is no such title, nor is an order that is not complete.
    let rows = ["Orders of today", HEADER, &row("B-1"), "B-2", &row("B-3"), "", "Returned today"];
    rig.file("ends.csv", &rows.join("\n"));
    let came = rig.check(&["ends.csv"]);
    assert!(came.places("error").iter().all(|problem| problem.starts_with("ends.csv:4 ")), "{came:?}");
    assert_eq!((came.orders("total"), came.orders("invalid")), (3, 1), "{came:?}");
}

#[test]
fn a_title_or_worksheet_that_calls_all_orders_off_is_asked_about() {
    let rig = Rig::new();
    rig.file("off.csv", &["CANCELLED ORDERS NOV", "", HEADER, &row("A-1")].join("\n"));
    assert_eq!(rig.import(&["off.csv"]).exits(3).places("error"), ["off.csv:1 below-title"]);
    rig.import(&["off.csv", "--header-row", "3"]).books(0, 1);

    rig.workbook("off.xlsx", &[row("A-2")], |worksheet| {
        worksheet.set_name("Dispatched").unwrap();
    });
    rig.run(&["import", "off.xlsx", "--yes"])
        .exits(3)
        .says("name it with --worksheet \"Dispatched\" if they should be shipped");
    rig.run(&["import", "off.xlsx", "--worksheet", "Dispatched", "--yes"]).exits(0);
    assert_eq!(rig.bookings().len(), 2);
}

#[test]
fn an_order_in_one_cell_is_no_title() {
    let rig = Rig::new();
    for (part, name) in [(",", "quoted.csv"), (";", "semicolons.csv")] {
        let pasted = format!("\"{}\"", row("A-2").replace(',', part));
        rig.file(name, &[HEADER, &row("A-1"), &pasted, &row("A-3")].join("\n"));
        let came = rig.check(&[name]);
        let errors = came.places("error");
        assert!(errors.contains(&format!("{name}:3 ragged-row")), "{errors:?}");
        assert!(errors.iter().all(|problem| problem.starts_with(&format!("{name}:3"))), "{errors:?}");
        assert_eq!((came.orders("invalid"), came.rows("skipped")), (1, 0), "{came:?}");
    }
}

#[test]
fn the_day_of_today_is_a_title_that_holds_nothing_back() {
    let today = jiff::Timestamp::now().to_zoned_datetime(jiff::tz::TimeZone::get("Asia/Kolkata").unwrap()).date();
    let forms = ["%d/%m/%Y", "%a %d %b", "Date: %d-%m-%Y", "%d %b %Y"].map(|form| today.strftime(form).to_string());
    for title in forms {
        let rig = Rig::new();
        let rows = ["", HEADER, &title, &row("A-1"), "18/11/2025", &row("A-2"), &title, &row("A-3")];
        rig.file("register.csv", &rows.join("\n"));
        let came = rig.import(&["register.csv"]);
        let errors = came.places("error");
        assert!(errors.len() == 1 && errors[0].ends_with("below-title"), "{title}: {came:?}");
        assert_eq!(came.books(4, 2).rows("skipped"), 3, "{came:?}");
        // A day among those that are over is one of them.
        let rig = Rig::new();
        let rows = [HEADER, &row("A-1"), "Cancelled orders", &row("A-2"), &title, &row("A-3")];
        rig.file("register.csv", &rows.join("\n"));
        rig.import(&["register.csv"]).books(4, 1);
    }
}

#[test]
fn hints_below_the_header_are_no_order() {
    let rig = Rig::new();
    let cells = |filled: &[(&str, &str)]| {
        let cell = |header: &str| filled.iter().find(|(own, _)| *own == header).map_or("", |(_, text)| text).to_owned();
        HEADER.split(',').map(cell).collect::<Vec<_>>().join(",")
    };
    let hints = cells(&[
        ("Order Number", "your own"),
        ("Receiver First Name", "first name only"),
        ("Receiver Phone", "e.g. 10-digit mobile"),
        ("PIN Code", "6 digits"),
        ("Weight", "in kg"),
        ("Price", "e.g. 499.90"),
    ]);
    rig.file("hints.csv", &sheet([hints, row("A-1")]));
    let came = rig.check(&["hints.csv"]);
    assert_eq!(came.places("error"), [""; 0], "{came:?}");
    assert_eq!((came.rows("skipped"), came.orders("total")), (1, 1), "{came:?}");
    // What has figures of its own is an order, whatever else it says.
    let order = cells(&[("Order Number", "A-2"), ("Receiver First Name", "Example"), ("Receiver Phone", "9876543210")]);
    rig.file("order.csv", &sheet([order]));
    assert_eq!(rig.check(&["order.csv"]).orders("invalid"), 1);
}

/// A workbook as a spreadsheet makes it of a CSV: numbers where they look like some.
fn converted(rig: &Rig, name: &str, rows: &[String]) {
    let is_code = |text: &str| text.len() > 1 && text.starts_with('0') && !text.contains('.');
    rig.workbook(name, rows, |worksheet| {
        for (number, line) in (1..).zip(rows) {
            for (column, cell) in (0..).zip(line.split(',')) {
                if let Ok(value) = cell.parse::<f64>()
                    && !is_code(cell)
                {
                    worksheet.write_number(number, column, value).unwrap();
                }
            }
        }
    });
}

#[test]
fn a_profile_of_a_csv_fits_the_same_sheet_as_a_workbook_until_a_column_changes_what_it_needs() {
    let rig = Rig::new();
    let rows: Vec<String> = (1..=3).map(|number| row(&format!("A-{number}"))).collect();
    rig.file("orders.csv", &sheet(rows.clone()));
    rig.run(&["profile", "guess", "orders.csv", "--save", "counter"]).exits(0);
    converted(&rig, "orders.xlsx", &rows);
    let came = rig.check(&["orders.xlsx"]);
    assert_eq!(came.places("error"), [""; 0], "{came:?}");
    let heavy: Vec<String> = rows.iter().map(|row| row.replace(",0.5,", ",light,")).collect();
    converted(&rig, "heavy.xlsx", &heavy);
    let came = rig.check(&["heavy.xlsx"]);
    assert_eq!(came.places("error"), ["Orders!N2 layout-changed"], "{came:?}");
    // Zeros in front that are there no more.
    let zeros: Vec<String> = rows.iter().map(|row| row.replace("A-", "000")).collect();
    rig.file("zeros.csv", &sheet(zeros));
    rig.run(&["profile", "guess", "zeros.csv", "--save", "counter", "--replace"]).exits(0);
    converted(&rig, "bare.xlsx", &rows.iter().map(|row| row.replace("A-", "")).collect::<Vec<_>>());
    assert_eq!(rig.check(&["bare.xlsx"]).places("error"), ["Orders!A2 layout-changed"]);
}

#[test]
fn a_profile_that_is_replaced_is_kept_beside_the_new_one() {
    let rig = Rig::alone();
    rig.file("orders.csv", &sheet([row("A-1")]));
    let save = ["profile", "guess", "orders.csv", "--save", "counter", "--replace"];
    rig.run(&save).exits(0);
    let path = ".config/shipsheet/profiles/counter.toml";
    for number in 1..=2 {
        let own = format!("{}# an afternoon of work, {number}\n", rig.read(path));
        rig.bytes(path, &own);
        rig.run(&save).exits(0).says(format!("counter.toml.before-{number}; to have it back: mv "));
        assert_eq!(rig.read(&format!("{path}.before-{number}")), own);
    }
    let again = rig.run(&save);
    assert!(again.exit == 0 && !again.stderr.contains("before-"), "nothing was replaced: {again:?}");
    assert_eq!(rig.run(&["profile", "list"]).stdout.matches("your own").count(), 1);
}

#[test]
fn a_profile_holds_its_own_sheets_and_no_others() {
    let rig = Rig::new();
    let own = HEADER.replace("Receiver First Name", "Who").replace("Receiver Phone", "Ring");
    let guess = ["profile", "guess", "own.csv", "--save", "counter"];
    rig.file("own.csv", &sheet([row("A-1")]).replace(HEADER, &own));
    rig.run(&guess).exits(0);
    // Another layout that has most of its headers and many of its own is named, and read by its headers.
    let more = (1..=12).map(|number| format!("Extra {number}")).collect::<Vec<_>>().join(",");
    let other = sheet([row("B-1")]).replace(HEADER, &format!("{},{more}", HEADER.replace("SKU", "Item SKU")));
    let other = other.replace(",499.90,2", &format!(",499.90,2{}", ",x".repeat(12)));
    rig.file("other.csv", &other);
    let came = rig.check(&["other.csv"]);
    assert_eq!(came.places("error"), [""; 0], "{came:?}");
    rig.run(&["check", "other.csv"]).says("most headers of the saved profile counter, but not \"SKU\"");
    // The same sheet with one header renamed is held.
    rig.file("renamed.csv", &sheet([row("B-1")]).replace(HEADER, &own.replace("PIN Code", "Area")));
    assert_eq!(rig.check(&["renamed.csv"]).places("error"), ["renamed.csv:1 \"Area\" layout-changed"]);
}

#[test]
fn a_proposal_never_goes_against_what_a_column_holds() {
    let rig = Rig::alone();
    rig.file(
        "counter.csv",
        "Ordered On,Customer,Order,Name on box\n20/11/2026,Asha Rao,B-1,Asha\n21/11/2026,Ravi,B-2,Ravi\n",
    );
    let ran = rig.run(&["profile", "guess", "counter.csv"]);
    for line in [
        "Ordered On → orderCreatedAt ",
        "Customer → receiver.firstName and receiver.lastName (",
        "Order → orderNumber   B-1",
        "Name on box → not sent",
    ] {
        ran.says(line);
    }
    rig.file("dates.csv", "Order,Customer\n20/11/2026,Asha Rao\n21/11/2026,Ravi\n");
    rig.run(&["profile", "guess", "dates.csv"]).says("Order → not sent   20/11/2026");
}

#[test]
fn what_is_no_sheet_says_what_it_is_and_what_to_do() {
    let rig = Rig::alone();
    let zip = |part: &str| {
        let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        writer.start_file(part, zip::write::SimpleFileOptions::default()).unwrap();
        writer.finish().unwrap().into_inner()
    };
    let spreadsheet =
        "<?xml version=\"1.0\"?><Workbook xmlns=\"urn:schemas-microsoft-com:office:spreadsheet\"></Workbook>";
    let cases: [(&str, Vec<u8>, &str, &str); 9] = [
        (
            "shop.xls",
            b"<html><table><tr><td>Order</td></tr></table>".to_vec(),
            "a web page",
            "Save As, Excel Workbook (.xlsx), and name the file that comes of it; or export",
        ),
        (
            "old.xls",
            spreadsheet.into(),
            "an XML spreadsheet of 2003",
            "open it in Excel or LibreOffice, choose File, Save As, Excel Workbook (.xlsx)",
        ),
        ("a.numbers", zip("Index/Document.iwa"), "a sheet of Apple Numbers", "Export To, Excel"),
        ("a.zip", zip("orders.csv"), "a zip archive with sheets in it", "unpack it"),
        ("a.gsheet", b"{\"url\":\"https://docs.google.com/x\"}".to_vec(), "only a link to a Google sheet", "Download"),
        ("~$a.xlsx", b"\x04Asha".to_vec(), "the mark that a spreadsheet program leaves", "name the sheet itself"),
        ("a.json", b"[{\"orderNumber\":1}]".to_vec(), "JSON", "export the orders"),
        ("a.eml", b"From: a@b.c\n\nhi\n".to_vec(), "an e-mail", "save the sheet that is attached"),
        ("a.pdf", b"%PDF-1.7\n".to_vec(), "a PDF document", "as .xlsx or .csv"),
    ];
    for (name, bytes, what, hint) in cases {
        rig.bytes(name, bytes);
        let ran = rig.run(&["check", name]);
        ran.exits(1);
        rig.check(&[name]).problems[0].is_in(name);
        ran.says(format!("{name} is {what}"));
        let said = ran.stderr.split("hint: ").nth(1).unwrap_or_default();
        assert!(said.contains(hint), "{ran:?}");
    }
    std::fs::create_dir(rig.path("monday")).unwrap();
    rig.run(&["check", "monday"]).says("name the sheets in it");
    rig.run(&["check", "*.csv"]).says("no file here fits this pattern");
}

#[test]
fn a_sheet_that_is_open_elsewhere_says_so_and_the_sum_of_a_table_is_no_order() {
    let rig = Rig::new();
    rig.workbook("orders.xlsx", &[row("A-1"), row("A-2")], |worksheet| {
        worksheet.write(3, 0, "Total").unwrap();
        worksheet
            .write_formula(3, column_of("Quantity"), rust_xlsxwriter::Formula::new("=SUM(S2:S3)").set_result(""))
            .unwrap();
    });
    rig.file("~$orders.xlsx", "\u{4}Asha");
    let came = rig.check(&["orders.xlsx"]);
    assert_eq!(came.places("error"), [""; 0], "{came:?}");
    assert_eq!(came.rows("skipped"), 1);
    rig.run(&["check", "orders.xlsx"]).says("open in a spreadsheet program: what is not saved there is not read");
}

/// What becomes of a sheet with these columns for the receiver, each row an order of its own but those of one number.
fn received(columns: &str, rows: &[&str]) -> Came {
    let rows = rows.iter().zip(["Kurta", "Scarf"]).map(|(row, product)| format!("{row},IN,{product},1,500,Prepaid"));
    let header = format!("Order Number,{columns},Country Code,Product,Quantity,Price,Payment");
    let lines: Vec<String> = std::iter::once(header).chain(rows).collect();
    Rig::of_a_shop().import_text(&(lines.join("\n") + "\n"))
}

#[test]
fn a_second_column_of_the_receiver_stands_in_where_the_first_is_blank() {
    const PLACE: &str = "14 MG Road,Bengaluru,Karnataka,560001";
    let at = |row: &str| format!("{row},{PLACE}");
    let taken = [
        ("Name,Phone,Mobile", "Asha,,9876543210", "/receiver/phoneNumber", "9876543210"),
        ("Name,Phone,Mobile", "Asha,N/A,9876543210", "/receiver/phoneNumber", "9876543210"),
        ("Name,Phone,Mobile", "Asha,9876543211,9876543210", "/receiver/phoneNumber", "9876543211"),
        ("Name,Delivery Phone,Delivery phone mobile", "Asha,,9876543210", "/receiver/phoneNumber", "9876543210"),
        ("Phone,Customer Name,Buyer Name", "9876543210,,Asha Rao", "/receiver/lastName", "Rao"),
        ("Name,Phone,Email,Buyer Email", "Asha,9876543210,,a@example.com", "/receiver/email", "a@example.com"),
        ("Name,Phone,Delivery City", "Asha,9876543210,Bengaluru", "/destination/city", "Bengaluru"),
    ];
    for (columns, row, path, expected) in taken {
        let columns = format!("{columns},Address,City,State,Pincode");
        let sent = received(&columns, &[&at(&format!("A-1,{row}"))]).goes();
        assert_eq!(sent.pointer(path), Some(&expected.into()), "{columns} {row}");
    }
    let two_places =
        "Name,Phone,Address,City,State,Pincode,Shipping Address,Shipping City,Shipping State,Shipping Pincode";
    // A place is one of the two as a whole.
    for own in [",,,", ",Mumbai,Maharashtra,400064"] {
        let row = format!("A-1,Asha,9876543210,{own},14 MG Road,Bengaluru,Karnataka,560001");
        let place = received(two_places, &[&row]).goes()["destination"].clone();
        let place = [&place["addressLine1"], &place["state"], &place["pinCode"]];
        assert_eq!(place, ["14 MG Road", "Karnataka", "560001"], "{own}");
    }
    let asked = [
        (
            "Phone,Customer Name,Buyer Name,Address,City,State,Pincode",
            &at("A-1,9876543210,Vikram,Asha"),
            "duplicate-header",
        ),
        // A whole name is no first name.
        (
            "Phone,First Name,Last Name,Customer Name,Address,City,State,Pincode",
            &at("A-1,9876543210,,Rao,Asha Rao"),
            "missing-value",
        ),
        ("Name,Phone,Mobile,Address,City,State,Pincode", &at("A-1,Asha,,"), "missing-value"),
    ];
    for (columns, row, code) in asked {
        received(columns, &[row]).held_first(code);
    }
    // A row that leaves the receiver to the one above says nothing else of it.
    let rows = [at("A-1,Asha,9876543210,"), at("A-1,Asha,,9876543211")];
    let sent = received("Name,Phone,Mobile,Address,City,State,Pincode", &[&rows[0], &rows[1]]).goes();
    assert_eq!(sent["receiver"]["phoneNumber"], "9876543210");
}

/// A file that was cut in its last cell looks whole: its row has all its cells, and the cell a value.
#[test]
fn a_last_cell_without_a_line_end_is_held_where_it_lacks_the_form_of_those_above() {
    let rig = Rig::alone();
    let of =
        |number: usize, cells: &str| row_with(&format!("A-{number}"), &format!("987654321{number}"), "560001") + cells;
    let check = |header: &str, rows: &[&str], last: &str, end: &str| {
        let rows: Vec<String> = (1..).zip(rows).map(|(number, cells)| of(number, cells)).collect();
        rig.file("orders.csv", &format!("{HEADER},{header}\n{}\n{}{end}", rows.join("\n"), of(9, last)));
        rig.check(&["orders.csv"])
    };
    let totals = [",999.80", ",999.80"];
    check("Line Total", &[",999.80"; 3], ",", "").exits(3).only("ragged-row").holds();
    for last in [",99", ",999", ",999.8", ",9"] {
        check("Line Total", &totals, last, "").exits(3).only("ragged-row").holds().is_at(4, "Line Total");
        for end in ["\n", "\r\n", "\r"] {
            assert!(!check("Line Total", &totals, last, end).document.to_string().contains("ragged-row"), "{last}");
        }
    }
    // The same where another cell of the row is quoted; a quote that closes the cell shows that it is whole.
    let quoted = [",\"Blue, M\",999.80"; 2];
    check("Shade,Line Total", &quoted, ",\"Blue, M\",99", "").exits(3).only("ragged-row").holds();
    for last in [",\"Blue, M\",\"999\"", ",\"Blue, M\",999.80"] {
        assert!(!check("Shade,Line Total", &quoted, last, "").document.to_string().contains("ragged-row"), "{last}");
    }
    // What has a fixed length, and a row with fewer cells than all others.
    check("Batch", &[",B-101", ",B-102", ",B-103"], ",B-1", "").exits(3).only("ragged-row").is_at(5, "Batch");
    check("Batch,", &[",B-101,", ",B-102,"], ",B-1", "").exits(3).only("ragged-row").holds();
    // Nothing shows what is missing of free text, or of figures of any length; few rows show no length.
    for (header, rows, last) in [
        ("Shade", &[",Blue", ",Dark green", ",Red"][..], ",Gr"),
        ("Batch", &[",B-1", ",B-22", ",B-103"], ",B-"),
        ("Batch", &[",B-101"], ",B-1"),
        ("Batch", &[",B-101", ",B-102", ",B-103"], ",B-104"),
        ("Line Total", &[",999.80", ",1000"], ",99"),
        ("Line Total", &[",999.80", ",999.80"], ",999.80"),
        ("Line Total", &[",999.80", ",999.80"], ","),
        ("Line Total", &[",499", ",899", ",599"], ",99"),
    ] {
        assert!(!check(header, rows, last, "").document.to_string().contains("ragged-row"), "{rows:?} {last}");
    }
    // What somebody typed over the cell is whole.
    check("Line Total", &totals, ",99", "").exits(3);
    rig.check(&["orders.csv", "--rule", "ragged-row=warn"]).only("ragged-row").is_warning();
}
