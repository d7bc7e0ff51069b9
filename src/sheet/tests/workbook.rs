//! Workbooks: ordinary ones from a writer, odd ones from hand-written XML.

use std::io::{Cursor, Write as _};
use std::ops::ControlFlow;

use rust_xlsxwriter::{ExcelDateTime, Format, Formula, Workbook};
use zip::write::SimpleFileOptions;

use super::{Options, messages, open, read};
use crate::sheet::{Limits, Sheet, SheetError};

/// A workbook of one worksheet with these rows as XML, and further parts.
fn package(rows: &str, parts: &[(&str, &str)]) -> Vec<u8> {
    const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    const REL: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let workbook = format!(
        "<workbook xmlns=\"{MAIN}\" xmlns:r=\"{REL}\"><sheets><sheet name=\"Orders\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>"
    );
    let relations = format!(
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"rId1\" Type=\"{REL}/worksheet\" Target=\"worksheets/sheet1.xml\"/></Relationships>"
    );
    let worksheet = format!("<worksheet xmlns=\"{MAIN}\"><sheetData>{rows}</sheetData></worksheet>");
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let root = relations.replace("/worksheet\"", "/officeDocument\"").replace("worksheets/sheet1", "xl/workbook");
    let own = [
        ("_rels/.rels", root.as_str()),
        ("xl/workbook.xml", workbook.as_str()),
        ("xl/_rels/workbook.xml.rels", relations.as_str()),
        ("xl/worksheets/sheet1.xml", worksheet.as_str()),
    ];
    for (name, text) in own.iter().chain(parts) {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn check(rows: &str, expected: &[&str]) {
    assert_eq!(read("a.xlsx", &package(rows, &[]), &Options::default()), expected, "{rows}");
}

/// A cell with text in place.
fn text(place: &str, text: &str) -> String {
    format!("<c r=\"{place}\" t=\"inlineStr\"><is><t>{text}</t></is></c>")
}

fn header() -> String {
    format!("<row r=\"1\">{}{}{}</row>", text("A1", "Order"), text("B1", "City"), text("C1", "Qty"))
}

#[test]
fn cells_as_the_person_saw_them() {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    for (column, name) in ["Order", "PIN", "Price", "Tax", "When", "Date", "Paid", "Sum"].into_iter().enumerate() {
        sheet.write(0, u16::try_from(column).unwrap(), name).unwrap();
    }
    let format = |code: &str| Format::new().set_num_format(code);
    let when = ExcelDateTime::from_ymd(2025, 10, 13).unwrap().and_hms(10, 5, 0).unwrap();
    sheet.write(1, 0, 1_001).unwrap();
    sheet.write_with_format(1, 1, 1_234, &format("000000")).unwrap();
    sheet.write_with_format(1, 2, 499.5, &format("₹ #,##0.00")).unwrap();
    sheet.write_with_format(1, 3, 0.18, &format("0%")).unwrap();
    sheet.write_with_format(1, 4, &when, &format("dd-mmm-yyyy hh:mm")).unwrap();
    sheet.write_with_format(1, 5, ExcelDateTime::from_ymd(2025, 10, 13).unwrap(), &format("dd/mm/yy")).unwrap();
    sheet.write(1, 6, true).unwrap();
    sheet.write(1, 7, Formula::new("=1+1").set_result("2")).unwrap();
    sheet.write(2, 0, 123_456_789_012_345_678_f64).unwrap();
    sheet.write_with_format(2, 4, 0.4375, &format("h:mm")).unwrap();
    sheet.write(2, 2, 0.1 + 0.2).unwrap();
    sheet.write_blank(900_000, 3, &format("0%")).unwrap();
    let bytes = workbook.save_to_buffer().unwrap();
    assert_eq!(
        read("a.bin", &bytes, &Options::default()),
        [
            "1: Order|PIN|Price|Tax|When|Date|Paid|Sum",
            "2: 1001<Number>|001234<Number>|499.50<Number>|18%<Number>|2025-10-13T10:05:00<Date>|2025-10-13<Date>|TRUE<Flag>|2<Number>",
            "3: 123456789012345680<LossyNumber>||0.3<Number>||10:30:00",
        ]
    );
}

#[test]
fn cells_in_any_order_or_without_reference() {
    let header = header();
    check(
        &format!("{header}<row r=\"3\">{}{}{}</row>", text("C3", "2"), text("A3", "y"), text("B3", "Pune")),
        &["1: Order|City|Qty", "2: ", "3: y|Pune|2"],
    );
    check(
        &format!("{header}<row r=\"3\">{}{}</row>", text("A3", "x"), text("A3", "y")),
        &["a.xlsx is damaged: it holds row 3 twice, with different values in one cell"],
    );
    check(
        "<row><c t=\"inlineStr\"><is><t>Order</t></is></c><c t=\"inlineStr\"><is><t>Qty</t></is></c></row><row/><row><c><v>7</v></c><c><v>2</v></c></row>",
        &["1: Order|Qty", "2: ", "3: 7<Number>|2<Number>"],
    );
    check(
        &format!("{header}<row r=\"5\">{}</row><row r=\"2\">{}</row>", text("A5", "late"), text("A2", "early")),
        &["1: Order|City|Qty", "2: ", "3: ", "4: ", "5: late", "2: early warning:sheet-notice"],
    );
}

#[test]
fn one_unreadable_cell_costs_its_rows_only() {
    let header = header();
    let good = |row: u32| {
        format!(
            "<row r=\"{row}\">{}{}{}</row>",
            text(&format!("A{row}"), "x"),
            text(&format!("B{row}"), "y"),
            text(&format!("C{row}"), "z")
        )
    };
    let within =
        format!("<row r=\"3\">{}<c r=\"B3\" t=\"e\"><v>#SPILL!</v></c>{}</row>", text("A3", "x"), text("C3", "z"));
    check(
        &format!("{header}{}{within}{}", good(2), good(4)),
        &["1: Order|City|Qty", "2: x|y|z", "3: x||z error:unreadable-cell", "4: x|y|z"],
    );
    let last = format!("<row r=\"3\">{}<c r=\"C3\" t=\"s\"><v>99</v></c></row>", text("A3", "x"));
    check(
        &format!("{header}{}{last}{}{}", good(2), good(4), good(5)),
        &["1: Order|City|Qty", "2: x|y|z", "3: x error:unreadable-cell", "4: x|y|z error:unreadable-cell", "5: x|y|z"],
    );
    let alone = "<row r=\"3\"><c r=\"A3\" t=\"e\"><v>#CALC!</v></c></row>";
    check(
        &format!("{header}{}{alone}{}", good(2), good(4)),
        &[
            "1: Order|City|Qty",
            "2: x|y|z error:unreadable-cell",
            "3:  error:unreadable-cell",
            "4: x|y|z error:unreadable-cell",
        ],
    );
}

#[test]
fn errors_and_formulas_without_values() {
    let header = header();
    check(
        &format!(
            "{header}<row r=\"2\"><c r=\"A2\" t=\"e\"><v>#N/A</v></c><c r=\"B2\"><f>A1</f></c><c r=\"C2\" t=\"str\"><f>A1</f><v></v></c></row>"
        ),
        &["1: Order|City|Qty", "2: #N/A<Error>|<FormulaWithoutValue>"],
    );
    // As openpyxl and others write them.
    for empty in ["<v></v>", "<v/>", "<v />", ""] {
        let cells = format!("<c r=\"A2\"><f>1+1</f>{empty}</c><c r=\"B2\"><v>2</v></c>");
        let rows = format!("{header}<row r=\"2\">{cells}</row>");
        check(&rows, &["1: Order|City|Qty", "2: <FormulaWithoutValue>|2<Number>"]);
    }
    check(
        &format!(
            "{header}<row r=\"2\"><c r=\"A2\"><f t=\"shared\" si=\"0\"/></c><c r=\"B2\"><f>1+1</f><v>2</v></c></row>"
        ),
        &["1: Order|City|Qty", "2: <FormulaWithoutValue>|2<Number>"],
    );
}

#[test]
fn hidden_rows_are_read_and_announced() {
    let rows = format!(
        "{}<row r=\"2\" hidden=\"1\">{}</row><row r=\"3\">{}</row>",
        header(),
        text("A2", "x"),
        text("A3", "y")
    );
    check(&rows, &["1: Order|City|Qty", "2: x", "3: y"]);
    let opened = open("a.xlsx", &package(&rows, &[]), &Options::default()).unwrap();
    assert_eq!(messages(opened.sheet.notices()), ["hidden, but read like the other rows"]);
}

#[test]
fn few_rows_that_are_hidden_or_coloured_are_asked_about() {
    let read = |look: &dyn Fn(u32) -> (bool, Option<u32>)| {
        let mut workbook = Workbook::new();
        let sheet = workbook.add_worksheet();
        for (column, name) in ["Order", "City", "Qty"].into_iter().enumerate() {
            let format = Format::new().set_background_color(0x00_00FF);
            sheet.write_with_format(0, u16::try_from(column).unwrap(), name, &format).unwrap();
        }
        for row in 1..=12 {
            let (hidden, colour) = look(row);
            let format = colour.map_or_else(Format::new, |colour| Format::new().set_background_color(colour));
            for (column, text) in ["A", "Pune", "x"].into_iter().enumerate() {
                sheet.write_with_format(row, u16::try_from(column).unwrap(), text, &format).unwrap();
            }
            if hidden {
                sheet.set_row_hidden(row).unwrap();
            }
        }
        let rows = super::read("a.xlsx", &workbook.save_to_buffer().unwrap(), &Options::default());
        let said = |row: &String| row.replace(": A|Pune|x error:", " ");
        rows.iter().filter(|row| row.contains("error:")).map(said).collect::<Vec<_>>()
    };
    let (yellow, pink, white) = (Some(0xFF_FF00), Some(0xFF_0000), Some(0xFF_FFFF));
    assert_eq!(read(&|row| (row == 3, None)), ["4 hidden-rows"]);
    assert_eq!(read(&|row| (row < 4, None)), [""; 0], "many are hidden");
    assert_eq!(read(&|row| (false, if row == 3 { yellow } else { None })), ["4 coloured-row"]);
    let two = read(&|row| {
        (false, [(3, yellow), (6, pink)].iter().find(|(of, _)| *of == row).and_then(|(_, colour)| *colour))
    });
    assert_eq!(two, ["4 coloured-row", "7 coloured-row"]);
    assert_eq!(
        read(&|row| (false, if row == 3 { pink } else { yellow })),
        ["4 coloured-row"],
        "another colour than the rest"
    );
    for (colour, every) in [(yellow, 2), (yellow, 1), (white, 5)] {
        assert_eq!(read(&|row| (false, colour.filter(|_| row % every == 0))), [""; 0], "{colour:?} {every}");
    }
}

#[test]
fn merged_cells_hold_for_each_of_their_rows() {
    let rows = format!(
        "{}<row r=\"2\">{}{}</row><row r=\"3\">{}</row><row r=\"4\">{}</row>",
        header(),
        text("A2", "x"),
        text("B2", "y"),
        text("C3", "1"),
        text("C4", "2")
    );
    let merged = |areas: &[&str]| {
        let areas = areas.iter().map(|area| format!("<mergeCell ref=\"{area}\"/>")).collect::<Vec<_>>().concat();
        // They stand behind the rows.
        let rows = format!("{rows}</sheetData><mergeCells>{areas}</mergeCells><sheetData>");
        let file = package(&rows, &[]);
        let opened = open("a.xlsx", &file, &Options::default()).unwrap();
        let places = opened.sheet.notices().iter().map(|notice| notice.place.as_ref().unwrap().to_string());
        (places.collect::<Vec<_>>(), read("a.xlsx", &file, &Options::default())[1..].to_vec())
    };
    let plain = ["2: x|y", "3: ||1", "4: ||2"].map(str::to_owned).to_vec();
    assert_eq!(merged(&["A1:C1", "B12:B12"]), (vec![], plain));
    let filled = ["2: x|y", "3: x||1", "4: x||2"].map(str::to_owned).to_vec();
    assert_eq!(merged(&["A2:A5", "A1:C1"]), (vec!["Orders!A2:A5".to_owned()], filled));
    let both = ["2: x|y", "3: x|y|1", "4: ||2"].map(str::to_owned).to_vec();
    let places = ["Orders!A2:A3", "Orders!B2:C3"].map(str::to_owned).to_vec();
    assert_eq!(merged(&["A2:A3", "B2:C3"]), (places, both));
    let areas: Vec<String> = (0..17).map(|column| format!("{0}2:{0}1048576", ["A", "B", "C"][column % 3])).collect();
    let areas = areas.iter().map(|area| format!("<mergeCell ref=\"{area}\"/>")).collect::<Vec<_>>().concat();
    let many = format!("{rows}</sheetData><mergeCells>{areas}</mergeCells><sheetData>");
    assert!(matches!(open("a.xlsx", &package(&many, &[]), &Options::default()), Err(SheetError::Refused { .. })));
}

#[test]
fn columns_without_a_name_are_announced() {
    let stray = format!("<row r=\"2\">{}{}{}</row>", text("A2", "x"), text("E2", "y"), text("H2", "z"));
    let opened = open("a.xlsx", &package(&format!("{}{stray}", header()), &[]), &Options::default()).unwrap();
    let expected = ["columns E and H hold values without a header, and are not sent"];
    assert_eq!(messages(opened.sheet.notices()), expected);
    let csv = b"id,,age,\n1,Ada,30,\n2,,31,,late\n";
    let opened = open("a.csv", csv, &Options::default()).unwrap();
    assert_eq!(messages(opened.sheet.notices()), ["column B holds values without a header, and is not sent"]);
}

#[test]
fn a_cell_in_the_last_place_costs_nothing() {
    let rows = format!(
        "{}<row r=\"2\">{}</row><row r=\"1048576\"><c r=\"XFD1048576\" s=\"0\"/></row>",
        header(),
        text("A2", "x")
    );
    check(&rows, &["1: Order|City|Qty", "2: x"]);
    let far = format!("{}<row r=\"2\">{}</row>", header(), text("XFD2", "x"));
    let lines = read("a.xlsx", &package(&far, &[]), &Options::default());
    assert!(lines[1].starts_with("2: |||") && lines[1].ends_with("|x"), "{}", lines[1].len());
}

#[test]
fn packages_that_do_harm_are_refused() {
    let limits = Limits { unpack_ratio_max: 50, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let entities = "<!DOCTYPE sst [<!ENTITY a \"b\">]><sst/>";
    let texts = "<sst uniqueCount=\"100000000000\"></sst>";
    let long = format!("<sst>{}</sst>", "x".repeat(300_000));
    let wide = format!("<sst>{}</sst>", "<si/>".repeat(5_000_000));
    let cases = [
        (entities, "declares a document type"),
        (texts, "claims to hold 100000000000 texts"),
        (&long, "holds a text of more than 262144 bytes"),
        (&wide, "takes more than 128 MiB of memory"),
    ];
    for (part, expected) in cases {
        match open("a.xlsx", &package(&header(), &[("xl/sharedStrings.xml", part)]), &options) {
            Err(SheetError::Refused { reason, .. }) => assert!(reason.contains(expected), "{reason}"),
            other => panic!("{expected}: {:?}", other.err()),
        }
    }
}

#[test]
fn worksheets_are_chosen_or_named() {
    let mut workbook = Workbook::new();
    for (name, rows, hidden) in [("Read me", 0_u32, false), ("Old", 2, true), ("Orders", 3, false)] {
        let sheet = workbook.add_worksheet().set_name(name).unwrap();
        sheet.set_hidden(hidden);
        for row in 0..rows {
            for column in 0..4 {
                sheet.write(row, column, format!("{name} {}", ["a", "b", "c", "d"][usize::from(column)])).unwrap();
            }
        }
    }
    let bytes = workbook.save_to_buffer().unwrap();
    let opened = open("a.xlsx", &bytes, &Options::default()).unwrap();
    assert_eq!(opened.sheet.source().to_string(), "a.xlsx [Orders]");
    assert_eq!(messages(opened.sheet.notices()), ["hidden worksheets are not read: \"Old\""]);
    assert_eq!(opened.sheet.format().other_worksheets, 2);
    let named = Options { worksheet: Some("old".into()), ..Options::default() };
    assert_eq!(read("a.xlsx", &bytes, &named)[0], "1: Old a|Old b|Old c|Old d");
    let missing = Options { worksheet: Some("Mai".into()), ..Options::default() };
    assert!(read("a.xlsx", &bytes, &missing)[0].contains("it has \"Read me\", \"Old\", \"Orders\""));
}

#[test]
fn damaged_and_protected_workbooks_say_so() {
    let mut ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec();
    ole.resize(4096, 0);
    ole.extend("EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes));
    assert!(matches!(open("a.xlsx", &ole, &Options::default()), Err(SheetError::PasswordProtected { .. })));
    let whole = package(&header(), &[]);
    assert!(matches!(open("a.xlsx", &whole[..whole.len() / 2], &Options::default()), Err(SheetError::Damaged { .. })));
    let broken = package("<row r=\"1\"><c r=\"A1\"><v>1</v>", &[]);
    assert!(matches!(open("a.xlsx", &broken, &Options::default()), Err(SheetError::Damaged { .. })));
}

/// An ODS file of one worksheet.
fn ods(rows: &str) -> Vec<u8> {
    let content = format!(
        "<office:document-content xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\" xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\"><office:body><office:spreadsheet><table:table table:name=\"Orders\">{rows}</table:table></office:spreadsheet></office:body></office:document-content>"
    );
    let manifest = "<manifest:manifest xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\"/>";
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let parts = [
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        ("META-INF/manifest.xml", manifest),
        ("content.xml", &content),
    ];
    for (name, text) in parts {
        writer.start_file(name, SimpleFileOptions::default()).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn whole_workbooks_are_spooled() {
    let cell = |text: &str| {
        format!("<table:table-cell office:value-type=\"string\"><text:p>{text}</text:p></table:table-cell>")
    };
    let number =
        "<table:table-cell office:value-type=\"float\" office:value=\"2\"><text:p>2</text:p></table:table-cell>";
    let date = "<table:table-cell office:value-type=\"date\" office:date-value=\"2025-10-13\"><text:p>x</text:p></table:table-cell>";
    let row = |cells: &str| format!("<table:table-row>{cells}</table:table-row>");
    let blank = row("<table:table-cell/>");
    let header = row(&(cell("Order") + &cell("Qty") + &cell("When")));
    let rows = header + &blank + &row(&(cell("A1") + number + date));
    let expected = ["1: Order|Qty|When", "2: ", "3: A1|2<Number>|2025-10-13<Date>"];
    assert_eq!(read("a.xls", &ods(&rows), &Options::default()), expected);
    let small = Options { limits: Limits { whole_file_bytes_max: 10, ..Limits::default() }, ..Options::default() };
    assert!(matches!(open("a.ods", &ods(&rows), &small), Err(SheetError::TooLarge { .. })));
}

#[test]
fn a_worksheet_with_nothing_below_its_header_is_passed_over() {
    let cell = |text: &&str| {
        format!("<table:table-cell office:value-type=\"string\"><text:p>{text}</text:p></table:table-cell>")
    };
    let row =
        |cells: [&str; 3]| format!("<table:table-row>{}</table:table-row>", cells.iter().map(cell).collect::<String>());
    let (header, order) = (row(["Order", "Name", "Phone"]), row(["A1", "Asha", "9876543210"]));
    let next = "</table:table><table:table table:name=\"June\">";
    for (rows, chosen) in [
        (format!("{header}{order}{next}{header}"), "a.ods [Orders]"),
        (format!("{header}{next}{header}{order}"), "a.ods [June]"),
        (format!("{header}{next}{header}"), "a.ods [Orders]"),
    ] {
        let opened = open("a.ods", &ods(&rows), &Options::default()).unwrap();
        let notices = messages(opened.sheet.notices());
        assert_eq!((opened.sheet.source().to_string().as_str(), notices), (chosen, vec![]));
    }
}

#[cfg(unix)]
#[test]
fn a_helper_that_dies_is_no_sheet() {
    let helped = |helper: &str| Options { helper: Some(helper.into()), ..Options::default() };
    let file = ods("<table:table-row/>");
    for helper in ["/bin/false", "/bin/true", "/no/such/helper"] {
        let lines = read("a.ods", &file, &helped(helper));
        assert!(lines[0].starts_with("a.ods is damaged"), "{helper}: {lines:?}");
    }
}

#[test]
fn a_small_workbook_is_taken_apart_once_whoever_looks_first() {
    let row = |row: i32| format!("<row r=\"{row}\">{}</row>", text(&format!("A{row}"), "A1"));
    let rows = (2..4_000).map(row).collect::<Vec<_>>().concat();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.xlsx");
    std::fs::write(&path, package(&(header() + &rows), &[])).unwrap();
    let sheet = Sheet::open(&path, &Options::default()).unwrap();
    let mut looked = 0;
    sheet.first_rows(3, &mut |_, _| looked += 1).unwrap();
    std::fs::remove_file(&path).unwrap();
    let mut rows = 0;
    sheet
        .read(&mut |_| {
            rows += 1;
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!((looked, rows), (3, 3_998));
}
