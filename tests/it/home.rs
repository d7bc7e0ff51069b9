//! Problems that come home: rejects in the person's own columns, corrected and imported again; results on their sheet.

use std::ops::ControlFlow;
use std::path::Path;

use rust_xlsxwriter::Workbook;
use shipsheet::sheet::{CellKind, Options, Sheet};

use crate::rig::{HEADER, Rig, row, row_with, sheet, sheet_of};

/// A file's header and rows, as texts.
fn table(path: &Path) -> Vec<Vec<String>> {
    let sheet = Sheet::open(path, &Options::default()).unwrap();
    let mut rows = vec![sheet.header().cells.clone()];
    sheet
        .read(&mut |row| {
            rows.push((0..sheet.header().cells.len()).map(|index| row.cell(index).text.to_owned()).collect());
            ControlFlow::Continue(())
        })
        .unwrap();
    rows
}

/// A text file's records, with the columns that reading takes off.
fn records(text: &str) -> Vec<Vec<String>> {
    let text = text.trim_start_matches('\u{feff}');
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect()).collect()
}

fn workbook(rig: &Rig, name: &str, sheets: &[(&str, &str)]) {
    let mut workbook = Workbook::new();
    for (title, text) in sheets {
        let sheet = workbook.add_worksheet();
        sheet.set_name(*title).unwrap();
        for (line, record) in (0_u32..).zip(records(text)) {
            for (column, cell) in (0_u16..).zip(record) {
                sheet.write_string(line, column, cell).unwrap();
            }
        }
    }
    workbook.save(rig.path(name)).unwrap();
}

const BESIDE: [&str; 4] = ["shipsheet status", "shipsheet reason", "shipsheet cell", "shipsheet suggestion"];

#[test]
fn rejects_are_the_rows_in_their_own_columns_with_reasons() {
    let rig = Rig::new();
    let own = format!("Shelf,{HEADER},Colour");
    let line = |text: String| format!("B7,{text},red");
    let rows = [
        line(row("A-1")),
        line(row_with("A-2", "12", "560001")),
        line(row_with("A-3", "9876543210", "999001")),
        line(row("").replace("Asha", "Nobody")),
    ];
    rig.file("orders.csv", &format!("{own}\n{}\n", rows.join("\n")));
    rig.run(&["import", "orders.csv", "--yes"])
        .exits(4)
        .prints("next: `shipsheet rejects --run 1 --to fix.xlsx` writes the rows to correct");
    rig.run(&["rejects", "--run", "1", "--to", "rejects.csv"]).exits(0).says("3 rows to fix of run 1");
    let rejects = records(&rig.read("rejects.csv"));
    assert_eq!(rejects.len(), 4);
    let width = own.split(',').count();
    assert_eq!(rejects[0][..width].join(","), own);
    assert_eq!(rejects[0][width..], BESIDE);
    for (reject, original) in rejects[1..].iter().zip(&rows[1..]) {
        assert_eq!(reject[..width].join(","), *original);
    }
    let beside = |row: usize| rejects[row][width..].to_vec();
    assert_eq!(beside(1)[0], "invalid");
    assert!(beside(1)[1].starts_with("Receiver Phone: has 2 digits") && beside(1)[1].ends_with("(found \"12\")"));
    assert_eq!(beside(1)[2], "E2 (was orders.csv:3 \"Receiver Phone\")");
    assert!(!beside(1)[3].is_empty());
    assert_eq!(beside(2)[0], "rejected");
    assert_eq!(
        (beside(2)[1].as_str(), &beside(2)[2][..2]),
        ("PIN code 999001 is not serviceable by any courier", "J3")
    );
    assert!(beside(2)[3].contains("`shipsheet retry A-3`"), "{:?}", beside(2));
    assert!(beside(3)[1].contains("names no order"), "{:?}", beside(3));
}

#[test]
fn corrected_rejects_are_booked_and_unchanged_failures_are_pointed_out() {
    let rig = Rig::new();
    let rows = [
        row("A-1"),
        row_with("A-2", "12", "560001"),
        row_with("A-3", "9876543210", "999001"),
        row_with("A-4", "9876543210", "999001"),
    ];
    rig.file("orders.csv", &sheet(rows));
    rig.run(&["import", "orders.csv", "--yes"]).exits(4);
    rig.run(&["rejects", "--to", "rejects.csv"]).exits(0);
    let corrected = rig.read("rejects.csv").replace(",12,", ",9876543211,").replacen("999001,WH", "560002,WH", 1);
    rig.file("rejects.csv", &corrected);
    let requests = rig.sandbox().book().requests();
    let ran = rig.run(&["import", "rejects.csv", "--yes"]);
    ran.exits(4);
    rig.run(&["rejects", "--to", "again.csv"]).exits(0);
    assert_eq!(rig.sandbox().book().requests(), requests + 2);
    ran.says("1 failed before and unchanged").says_nothing_of("column-unused");
    let again = records(&rig.read("again.csv"));
    assert_eq!(again.len(), 2);
    assert_eq!((again[1][0].as_str(), again[1].len()), ("A-4", HEADER.split(',').count() + BESIDE.len()));
    rig.file("again.csv", &rig.read("again.csv").replacen("999001,WH", "560002,WH", 1));
    rig.run(&["import", "again.csv", "--yes"]).exits(0);
    let mut booked: Vec<String> = rig.bookings().into_iter().map(|(number, _)| number).collect();
    booked.sort();
    assert_eq!(booked, ["A-1", "A-2", "A-3", "A-4"]);
}

#[test]
fn a_whole_order_comes_home_with_all_its_rows() {
    let rig = Rig::new();
    let second = ",,,,,,,,,,,,,,,Scarf,S-1,149.00,x";
    rig.file("orders.csv", &sheet([row("A-1"), row("A-2"), format!("A-1{second}")]));
    rig.run(&["import", "orders.csv", "--yes"]).exits(4);
    rig.run(&["rejects", "--to", "rejects.csv"]).exits(0);
    let rejects = records(&rig.read("rejects.csv"));
    let orders: Vec<&str> = rejects[1..].iter().map(|row| row[0].as_str()).collect();
    assert_eq!(orders, ["A-1", "A-1"]);
    let width = HEADER.split(',').count();
    assert_eq!(rejects[1][width + 1], "nothing is wrong with this row; its order waits for orders.csv:4 \"Quantity\"");
    assert!(rejects[2][width + 2].starts_with("S3 (was orders.csv:4"), "{:?}", rejects[2]);
    rig.file("rejects.csv", &rig.read("rejects.csv").replace("149.00,x", "149.00,3"));
    rig.run(&["import", "rejects.csv", "--yes"]).exits(0);
    assert_eq!(rig.body_of("A-1")["productRequestsList"].as_array().unwrap().len(), 2);
}

#[test]
fn formulas_stay_text_and_guards_never_reach_an_order() {
    let names = ["=HYPERLINK(1)", "+Asha", "-Asha", "@Asha", "'=Asha", "'Asha"];
    for file in ["rejects.csv", "rejects.xlsx"] {
        let rig = Rig::new();
        let rows = names
            .iter()
            .enumerate()
            .map(|(number, name)| row_with(&format!("A-{number}"), "9876543210", "999001").replace("Asha", name));
        rig.file("orders.csv", &sheet(rows));
        rig.run(&["import", "orders.csv", "--yes"]).exits(4);
        rig.run(&["rejects", "--to", file]).exits(0);
        if file == "rejects.csv" {
            let column: Vec<String> = records(&rig.read(file))[1..].iter().map(|row| row[2].clone()).collect();
            assert_eq!(column, ["'=HYPERLINK(1)", "'+Asha", "'-Asha", "'@Asha", "''=Asha", "'Asha"]);
        }
        let read: Vec<String> = table(&rig.path(file))[1..].iter().map(|row| row[2].clone()).collect();
        assert_eq!(read, names);
        // What comes back unchanged is the same request, byte for byte: nothing is sent.
        let requests = rig.sandbox().book().requests();
        rig.run(&["import", file, "--yes"]).says("6 failed before and unchanged");
        assert_eq!(rig.sandbox().book().requests(), requests);
    }
}

#[test]
fn rejects_as_a_workbook_are_text_cells_that_keep_their_zeros() {
    let rig = Rig::new();
    let rows = [row_with("00123", "12", "560001"), row_with("00124", "9876543210", "")];
    workbook(&rig, "orders.xlsx", &[("Monday", &sheet(rows))]);
    rig.run(&["import", "orders.xlsx", "--yes"]).exits(3);
    rig.run(&["rejects", "--to", "rejects.xlsx"]).exits(0);
    let rejects = Sheet::open(&rig.path("rejects.xlsx"), &Options::default()).unwrap();
    assert_eq!(rejects.source().worksheet.as_deref(), Some("Monday"));
    let mut numbers = Vec::new();
    rejects
        .read(&mut |row| {
            assert!(row.cells().all(|cell| matches!(cell.kind, CellKind::Text | CellKind::Empty)));
            numbers.push(row.cell(0).text.to_owned());
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(numbers, ["00123", "00124"]);
    let parts = std::fs::read(rig.path("rejects.xlsx")).unwrap();
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(parts)).unwrap();
    let mut xml = String::new();
    std::io::Read::read_to_string(&mut archive.by_name("xl/worksheets/sheet1.xml").unwrap(), &mut xml).unwrap();
    assert!(xml.contains("state=\"frozen\"") && !xml.contains("<v>"), "no cell is a number: {xml}");
}

#[test]
fn what_a_sheet_has_lost_stays_lost_on_the_way_home() {
    let rig = Rig::new();
    let mut workbook = Workbook::new();
    let lines = records(&sheet([row("A-1"), row("A-2")]));
    let sheet = workbook.add_worksheet();
    for (line, record) in (0_u32..).zip(&lines) {
        for (column, cell) in (0_u16..).zip(record) {
            sheet.write_string(line, column, cell).unwrap();
        }
    }
    // The SKU of A-1 lost its last digits, and that of A-2 is an error value.
    sheet.write_number(1, 16, 1.234_567_890_123_456_7e18).unwrap();
    sheet.write_formula(2, 16, rust_xlsxwriter::Formula::new("=NA()").set_result("#N/A")).unwrap();
    workbook.save(rig.path("orders.xlsx")).unwrap();
    for (from, to) in [("orders.xlsx", "r1.csv"), ("r1.csv", "r2.xlsx"), ("r2.xlsx", "r3.csv")] {
        let ran = rig.run(&["import", from, "--yes"]);
        assert_eq!(ran.exit, 3, "{from}: {ran:?}");
        rig.run(&["rejects", "--to", to]).exits(0);
        assert!(ran.stderr.contains("value-damaged") && ran.stderr.contains("unreadable-cell"), "{from}: {ran:?}");
    }
    assert_eq!(rig.sandbox().book().requests(), 0);
    let corrected = rig.read("r3.csv").replace("#N/A", "K-2");
    let lost = corrected.split(',').find(|cell| cell.starts_with("#LOST!")).unwrap().to_owned();
    rig.file("r3.csv", &corrected.replace(&lost, "1234567890123456789"));
    rig.run(&["import", "r3.csv", "--yes"]).exits(0);
    assert_eq!(rig.bookings().len(), 2);
}

#[test]
fn a_coloured_row_comes_home_as_that_and_is_asked_about_until_somebody_says() {
    let rig = Rig::new();
    let mut workbook = Workbook::new();
    let sheet_of = workbook.add_worksheet();
    let rows = sheet((1..=12).map(|number| row(&format!("A-{number}"))));
    for (place, line) in (0..).zip(rows.lines()) {
        let colour = if place == 5 { 0xFF_FF00 } else { 0xFF_FFFF };
        let format = rust_xlsxwriter::Format::new().set_background_color(colour);
        for (column, text) in (0..).zip(line.split(',')) {
            sheet_of.write_with_format(place, column, text, &format).unwrap();
        }
    }
    workbook.save(rig.path("orders.xlsx")).unwrap();
    for (from, to, exit) in [("orders.xlsx", "r1.xlsx", 4), ("r1.xlsx", "r2.csv", 3), ("r2.csv", "r3.csv", 3)] {
        rig.run(&["import", from, "--yes"]).exits(exit).says("colour");
        rig.run(&["rejects", "--to", to]).exits(0);
    }
    let (text, kept) = (rig.read("r3.csv"), records(&rig.read("r3.csv"))[1].clone());
    let width = HEADER.split(',').count();
    assert_eq!((kept[0].as_str(), kept[width].as_str()), ("A-5", "marked in the sheet"), "{text}");
    assert!(!text.contains("read whole") && text.contains("had a colour"), "{text}");
    rig.file("r3.csv", &text.replace("marked in the sheet", ""));
    rig.run(&["import", "r3.csv", "--yes"]).exits(0);
    assert_eq!(rig.bookings().len(), 12);
}

#[test]
fn a_row_that_was_cut_is_not_sound_because_it_was_handed_back() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet([row("A-1").replace("14 MG Road", "14 MG Road, 2nd floor")]));
    for (from, to) in [("orders.csv", "r1.xlsx"), ("r1.xlsx", "r2.csv"), ("r2.csv", "r3.csv")] {
        let ran = rig.run(&["import", from, "--yes"]);
        assert_eq!(ran.exit, 3, "{from}: {ran:?}");
        rig.run(&["rejects", "--to", to]).exits(0);
    }
    rig.run(&["check", "r3.csv"]).says("clear its \"shipsheet status\" cell");
    let kept = records(&rig.read("r3.csv"))[1].clone();
    assert_eq!(kept[..6].join(","), "A-1,2026-11-20,Asha,9876543210,14 MG Road,2nd floor");
    let width = HEADER.split(',').count();
    assert_eq!((kept[width].as_str(), kept[width + 1].as_str()), ("2", "damaged"));
}

#[test]
fn results_are_the_sheet_with_an_awb_on_each_row() {
    for file in ["results.csv", "results.xlsx"] {
        let rig = Rig::new();
        let rows = [
            row("A-1"),
            row_with("A-2", "12", "560001"),
            String::new(),
            row("A-3"),
            row("A-1").replace("Kurta", "Scarf"),
        ];
        rig.file("orders.csv", &sheet(rows));
        rig.run(&["import", "orders.csv", "--yes", "--results", file]).exits(4);
        let text = if file == "results.csv" { records(&rig.read(file)) } else { raw_workbook(&rig.path(file)) };
        let width = HEADER.split(',').count();
        assert_eq!(
            text[0][width..],
            ["shipsheet status", "shipsheet AWB", "shipsheet carrier", "shipsheet service", "shipsheet error"]
        );
        let numbers: Vec<&str> = text[1..].iter().map(|row| row[0].as_str()).collect();
        assert_eq!(numbers, ["A-1", "A-2", "", "A-3", "A-1"], "one row for each row of the sheet");
        let bookings = rig.bookings();
        let awb = |number: &str| bookings.iter().find(|(order, _)| order == number).unwrap().1.clone();
        for (row, number) in [(1, "A-1"), (4, "A-3"), (5, "A-1")] {
            assert_eq!(text[row][width..width + 2], ["booked".to_owned(), awb(number)]);
            assert_eq!(text[row][width + 2], "Delhivery");
        }
        assert_eq!(text[2][width], "invalid");
        assert!(text[2][width + 4].contains("has 2 digits"), "{:?}", text[2]);
        let again = rig.run(&["import", "orders.csv", "--yes", "--results", "again.csv"]);
        again.exits(4);
        assert_eq!(records(&rig.read("again.csv"))[1][width..width + 2], ["already booked".to_owned(), awb("A-1")]);
    }
}

/// Every cell of a workbook's first worksheet, added columns too.
fn raw_workbook(path: &Path) -> Vec<Vec<String>> {
    use calamine::Reader;
    let mut workbook: calamine::Xlsx<_> = calamine::open_workbook(path).unwrap();
    let range = workbook.worksheet_range_at(0).unwrap().unwrap();
    range.rows().map(|row| row.iter().map(ToString::to_string).collect()).collect()
}

#[test]
fn several_sheets_stay_apart() {
    let rig = Rig::new();
    rig.file("monday.csv", &sheet([row("M-1"), row_with("M-2", "12", "560001")]));
    let tuesday = sheet([row("T-1"), row_with("T-2", "9876543210", "999001")]);
    workbook(&rig, "tuesday.xlsx", &[("Orders", &tuesday.replace("SKU", "Colour,SKU").replace("K-1", "red,K-1"))]);
    let sheets = ["import", "monday.csv", "tuesday.xlsx", "--yes"];
    rig.run(&[&sheets[..], &["--results", "results.csv"]].concat()).exits(4);
    rig.run(&["rejects", "--to", "rejects.csv"]).exits(2).says("name an .xlsx file");
    rig.run(&["rejects", "--to", "rejects.xlsx"]).exits(0);
    let results = records(&rig.read("results.csv"));
    assert_eq!(results[0][0], "shipsheet file");
    let files: Vec<(&str, &str)> = results[1..].iter().map(|row| (row[0].as_str(), row[1].as_str())).collect();
    let tuesday = "tuesday.xlsx [Orders]";
    assert_eq!(files, [("monday.csv", "M-1"), ("monday.csv", "M-2"), (tuesday, "T-1"), (tuesday, "T-2")]);
    let colour = results[0].iter().position(|header| header == "Colour").unwrap();
    assert_eq!((results[1][colour].as_str(), results[3][colour].as_str()), ("", "red"));
    for (worksheet, number) in [("monday", "M-2"), ("Orders", "T-2")] {
        let options = Options { worksheet: Some(worksheet.to_owned()), ..Options::default() };
        let rejects = Sheet::open(&rig.path("rejects.xlsx"), &options).unwrap();
        let mut numbers = Vec::new();
        rejects
            .read(&mut |row| {
                numbers.push(row.cell(0).text.to_owned());
                ControlFlow::Continue(())
            })
            .unwrap();
        assert_eq!(numbers, [number]);
    }
}

#[test]
fn no_file_is_lost_to_rejects_or_results() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet([row_with("A-1", "12", "560001")]));
    rig.run(&["import", "orders.csv", "--yes", "--results", "./orders.csv"]).exits(2).says("name another file");
    rig.run(&["import", "orders.csv", "--yes", "--results", "orders.txt"]).exits(2);
    rig.run(&["import", "orders.csv", "--yes", "--results", "no/such/folder.csv"]).exits(1).says("no/such/folder.csv");
    let couriers = ["--check-serviceability", "--pickup-pin", "560048"];
    for command in [&["import", "--yes"][..], &["check"]] {
        rig.run(&[command, &["orders.csv", "--results", "orders.txt"], &couriers].concat()).exits(2);
    }
    assert!(!rig.path("ledger.sqlite").exists(), "a ledger was made for what cannot be written");
    assert_eq!(rig.sandbox().book().requests(), 0, "couriers were asked for what cannot be written");
    rig.run(&["import", "orders.csv", "--yes"]).exits(3);
    rig.run(&["rejects", "--to", "out.jsonl"]).exits(2).says("must end in .xlsx or .csv");
    rig.run(&["rejects", "--to", "./orders.csv"]).exits(1).says("is there already");
    rig.run(&["rejects", "--to", "./orders.csv", "--force"]).exits(2).says("name another file");
    rig.file("rejects.csv", "half corrected");
    rig.run(&["rejects", "--to", "rejects.csv"]).exits(1).says("rejects.csv is there already").says("--force");
    assert_eq!(rig.read("rejects.csv"), "half corrected");
    rig.run(&["rejects", "--to", "rejects.csv", "--force"]).exits(0).says("1 row to fix");
    rig.run(&["rejects", "--to", "rejects.csv"]).exits(0).says("1 row to fix");
    assert!(!rig.path("rejects.before.csv").exists(), "what the command wrote itself is not kept");
    rig.file("good.csv", &sheet_of(1));
    rig.run(&["import", "good.csv", "--yes"]).exits(0);
    rig.run(&["rejects", "--to", "none.csv"]).exits(0).says("0 rows to fix");
    assert_eq!(records(&rig.read("none.csv")).len(), 1);
    let left: Vec<String> = std::fs::read_dir(rig.path("."))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name.contains(".part"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_sheet_that_changed_meanwhile_is_not_matched_row_by_row() {
    let rig = Rig::new();
    rig.sandbox().hold_after(0);
    rig.file("orders.csv", &sheet_of(1));
    let mut command = rig.command(&["import", "orders.csv", "--yes", "--results", "results.csv"]);
    command.stderr(std::process::Stdio::piped()).stdout(std::process::Stdio::null());
    let child = command.spawn().unwrap();
    while rig.sandbox().book().requests() == 0 {
        std::thread::yield_now();
    }
    rig.file("orders.csv", &sheet_of(2));
    rig.sandbox().go_on();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("orders.csv has changed since it was read") && said.contains("export --run 1"), "{said}");
    assert!(!rig.path("results.csv").exists());
}

#[test]
fn yesterdays_sheet_with_new_orders_says_what_will_be_sent() {
    let rig = Rig::new();
    let bad = |number: &str| row_with(number, "9876543210", "999001");
    rig.import_text(&sheet([row("A-1"), row("A-2"), row("A-3"), bad("B-1"), bad("B-2")])).exits(4);
    let changed = row("A-3").replace("Kurta", "Saree");
    let rows =
        [row("A-1"), row("A-2"), changed, bad("B-1"), row("B-2"), row("C-1"), row("C-2"), row_with("C-3", "1", "")];
    rig.file("orders.csv", &sheet(rows));
    let ran = rig.run(&["import", "orders.csv", "--dry-run"]);
    ran.says("\n3 will be sent: 2 new, 1 corrected since they failed\n");
    let left = "left out: 1 invalid, 1 changed after they were booked, 2 booked already and unchanged, \
                1 failed before and unchanged (`shipsheet retry` sends them again)\n";
    ran.says(left);
    let requests = rig.sandbox().book().requests();
    rig.run(&["import", "orders.csv", "--yes"]).exits(4);
    assert_eq!(rig.sandbox().book().requests(), requests + 3);
}

#[test]
fn places_tell_files_of_one_name_apart() {
    let rig = Rig::new();
    for folder in ["north", "south"] {
        std::fs::create_dir(rig.path(folder)).unwrap();
        rig.file(&format!("{folder}/orders.csv"), &sheet([row_with(&format!("{folder}-1"), "12", "560001")]));
        workbook(
            &rig,
            &format!("{folder}.xlsx"),
            &[("Orders", &sheet([row_with(&format!("{folder}-2"), "12", "560001")]))],
        );
    }
    let ran = rig.run(&["check", "north/orders.csv", "south/orders.csv", "north.xlsx", "south.xlsx"]);
    ran.exits(3);
    for place in ["north/orders.csv:2 \"", "south/orders.csv:2 \"", "north.xlsx Orders!D2", "south.xlsx Orders!D2"] {
        ran.says(format!("--> {place}"));
    }
    rig.run(&["check", "north.xlsx"]).says("--> Orders!D2");
}
