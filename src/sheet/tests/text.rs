//! Text files: lines, quotes, encodings, headers and footers.

use std::io::Write as _;
use std::ops::ControlFlow;

use super::{Options, Row, messages, open, read, show};
use crate::finding::english::message;
use crate::sheet::{Limits, SheetError};

fn check(text: &str, expected: &[&str]) {
    assert_eq!(read("a.csv", text.as_bytes(), &Options::default()), expected, "{text:?}");
}

#[test]
fn rows_know_their_physical_lines() {
    check("a,b\n1,2\n3,4", &["1: a|b", "2: 1|2", "3: 3|4"]);
    check("a,b\r\n1,2\r\n\r\n3,4\r\n", &["1: a|b", "2: 1|2", "3: ", "4: 3|4"]);
    check("a,b\r1,2\r\r3,4\r", &["1: a|b", "2: 1|2", "3: ", "4: 3|4"]);
    check("\n\na,b\n\n\n1,2\n\n", &["3: a|b", "4: ", "5: ", "6: 1|2", "7: "]);
    check("a,b\n\"x\ny\r\nz\",2\n3,4\n", &["1: a|b", "2: x\ny\nz|2", "5: 3|4"]);
    check("a,b\n\"x \"\"y\"\"\",\" \"\n,,\n1,2\n", &["1: a|b", "2: x \"y\"|", "3: ||", "4: 1|2"]);
    check("a;b\n1,5;2,5\n", &["1: a|b", "2: 1,5|2,5"]);
    check("sep=;\r\na;b\r\n1;2\r\n", &["2: a|b", "3: 1|2"]);
    check("\u{feff}a,b\n1,2\n", &["1: a|b", "2: 1|2"]);
    check("\u{feff}sep=\t\na\tb\n1\t2\n", &["2: a|b", "3: 1|2"]);
    check("date, city\n1, \"Galway, west\"\n", &["1: date|city", "2: 1|Galway, west"]);
    check("a,b\n\"x\" ,\"5\" pipe\"\n", &["1: a|b", "2: x|5 pipe\""]);
}

#[test]
fn a_second_reading_says_what_the_first_one_did() {
    let orders = "A-1,Asha,Pune,12\n".repeat(20);
    for between in
        ["", "Total,,,240\n", "Cancelled\n", "Number,Name,City,Price\n", "Name,Number,Price,City\n", "A-2,Ravi\n"]
    {
        let text = format!("Number,Name,City,Price\n{orders}{between}{orders}");
        let options = Options { portion_bytes: Some(100), ..Options::default() };
        let opened = open("a.csv", text.as_bytes(), &options).unwrap();
        let rows = || {
            let mut lines = Vec::new();
            let each = &mut |row: &Row| {
                lines.push(show(row));
                ControlFlow::Continue(())
            };
            opened.sheet.read(each).unwrap();
            lines
        };
        let first = rows();
        assert_eq!(first, rows(), "{between:?}");
        assert_eq!(first, read("a.csv", text.as_bytes(), &Options::default())[1..], "{between:?}");
    }
}

#[test]
fn a_cell_in_which_the_file_ends_is_no_cell() {
    for text in ["a,b\n1,2\n3,\"call bef", "a,b\n1,2\n3,\"call bef\n", "a,b\n1,2\n3,\""] {
        check(text, &["1: a|b", "2: 1|2", "3: 3 error:ragged-row"]);
    }
    check("a,b\n1,2\n\"A-1", &["1: a|b", "2: 1|2", "3: A-1 error:ragged-row"]);
}

#[test]
fn a_quote_that_swallows_rows_is_an_error_with_its_line() {
    let cases = [
        ("a,b\n1,2\n3,\"open\n4,5\n", "a.csv:3: the quote that opens on this line is never closed"),
        (
            "a,b,c\n1,\"2,3\n4,\"5\",6\n7,8,9\n",
            "a.csv:2: the quote that opens on this line meets its next quote amid text on line 3",
        ),
    ];
    for (text, expected) in cases {
        let lines = read("a.csv", text.as_bytes(), &Options::default());
        assert!(lines.last().unwrap().starts_with(expected), "{lines:?}");
    }
    let long = format!("a,b\n1,\"{}", "x,y\n".repeat(3_000));
    let lines = read("a.csv", long.as_bytes(), &Options::default());
    assert!(
        lines[0].starts_with("a.csv:2: the quote that opens on this line is not closed within 1000 lines"),
        "{lines:?}"
    );
}

#[test]
fn rows_in_quotes_as_a_whole() {
    check(
        "\"id,\"\"name\"\",qty\"\n\"1,\"\"Asha, Pune\"\",2\"\n2,Ravi,3\n",
        &["1: id|name|qty", "2: 1|Asha, Pune|2", "3: 2|Ravi|3"],
    );
}

#[test]
fn ragged_rows_and_rows_that_are_no_orders() {
    check(
        "a,b,c\n1,2\n1,2,3,4\n1,2,3,\n",
        &["1: a|b|c", "2: 1|2 error:ragged-row", "3: 1|2|3|4 error:ragged-row", "4: 1|2|3|"],
    );
    check(
        "Order,Name,City,Qty\n1,Asha,Pune,2\nTotal,,,2\n\"17,record(s) downloaded\"\nSeller ID : x\nA9,Total,,\n",
        &[
            "1: Order|Name|City|Qty",
            "2: 1|Asha|Pune|2",
            "3: Total|||2 (totals)",
            "4: 17,record(s) downloaded (footer)",
            "5: Seller ID : x (footer)",
            "6: A9|Total||",
        ],
    );
    check(
        "Order ID,Status,Product,Qty\nPlatform unique order ID.,Order status,,\n1,new,Tee,2\nOrder ID,Status,Product,Qty\n",
        &[
            "1: Order ID|Status|Product|Qty",
            "2: Platform unique order ID.|Order status|| (describes the columns)",
            "3: 1|new|Tee|2",
            "4: Order ID|Status|Product|Qty (repeats the header)",
        ],
    );
}

#[test]
fn footers_and_demands_in_many_words_are_no_orders() {
    let header = "Order,Name,City,Phone,PIN,Qty,Price\n";
    let order = "A-1,Asha,Pune,9876543210,411001,2,99\n";
    let cases = [
        ("Grand Total (2 orders),,,,,4,198\n", "totals"),
        ("Grand Total,,,,,4,198\n", "totals"),
        (",,,,Gesamt,4,198\n", "totals"),
        ("Somme :,,,,,4,198\n", "totals"),
        ("Total: 12 orders,,,,,,\n", "totals"),
        ("TOTAL,,2 orders,,,4 pcs,\"Rs 1,98,000\"\n", "totals"),
        (",,,,Total COD,4,198\n", "totals"),
        (",,,,,198,Total COD\n", "totals"),
        (",,,,,4,COD 198\n", "totals"),
        (",,G. Total,,,4,198\n", "totals"),
        ("2 orders,,,,,,198\n", "totals"),
        ("12 parcels,,,,,,\n", "totals"),
        (",Pending orders,,,,,\n", "a title between the rows"),
        ("22 Nov,,,,,,\n", "a title between the rows"),
        ("Prepared by: Ravi,,,,,,\n", "footer"),
        ("Prepared by:,Ravi,,,,,\n", "footer"),
        ("*** END ***,,,,,,\n", "footer"),
        ("Showing 1 to 10 of 10 entries,,,,,,\n", "footer"),
        ("12,record(s) downloaded,,,,,\n", "footer"),
    ];
    for (footer, reason) in cases {
        let rows = read("a.csv", format!("{header}{order}{footer}").as_bytes(), &Options::default());
        assert!(rows[2].ends_with(&format!("({reason})")), "{rows:?}");
    }
    for kept in [
        "A-2,Total Solutions,Pune,9876543210,411001,2,99\n",
        "Total,Ravi,Pune,9876543210,411001,2,99\n",
        "Totaleasy-1,,,,,,\n",
        "1002,Total,,,,,2\n",
        "1002,,,,COD 198,,2\n",
        ",,,,COD,2,99\n",
        ",Ravi,,,COD 198,2,\n",
        "2 orders,Ravi,,,,,99\n",
        ",Return gift,,,,,\n",
        "ORD 12,,,,,,\n",
        "Prepared,,,,,,\n",
        "Prepared by 12,9876543210,,,,,\n",
        "A-2,Total,,,,2,99\n",
    ] {
        let rows = read("a.csv", format!("{header}{order}{kept}").as_bytes(), &Options::default());
        assert!(!rows[2].contains('('), "{rows:?}");
    }
    let demands = "Required,Required,Optional,Mandatory*,Text (max 6),Number,Required\n";
    let below = read("a.csv", format!("{header}{demands}{order}").as_bytes(), &Options::default());
    assert!(below[1].ends_with("(describes the columns)") && below[2].starts_with("3: A-1|"), "{below:?}");
    let above = read("a.csv", format!("{demands}{header}{order}").as_bytes(), &Options::default());
    assert!(above[0].starts_with("2: Order|") && above.len() == 2, "{above:?}");
    let order = "Required,Asha,Pune,9876543210,411001,2,99\n";
    assert!(!read("a.csv", format!("{header}{order}").as_bytes(), &Options::default())[1].contains('('));
}

#[test]
fn a_second_header_is_skipped_where_it_is_the_same_and_holds_what_is_below_where_not() {
    check(
        "Order,Name,City,Qty\n1,Asha,Pune,2\nORDER,name,City,Qty\n2,Ravi,Goa,1\n",
        &[
            "1: Order|Name|City|Qty",
            "2: 1|Asha|Pune|2",
            "3: ORDER|name|City|Qty (repeats the header)",
            "4: 2|Ravi|Goa|1",
        ],
    );
    check(
        "Order,Name,City,Qty\n1,Asha,Pune,2\nOrder,City,Name,Qty\n2,Goa,Ravi,1\nOrder,Name,City,Qty\n3,Asha,Pune,2\n",
        &[
            "1: Order|Name|City|Qty",
            "2: 1|Asha|Pune|2",
            "3: Order|City|Name|Qty (a second header)",
            "4: 2|Goa|Ravi|1 error:second-header",
            "5: Order|Name|City|Qty (repeats the header)",
            "6: 3|Asha|Pune|2",
        ],
    );
    check(
        "Order,Name,City,Qty\n1,Asha,Pune,2\nName,Order,City,Weight,Qty\nRavi,2,Goa,5,1\n",
        &[
            "1: Order|Name|City|Qty",
            "2: 1|Asha|Pune|2",
            "3: Name|Order|City|Weight|Qty (a second header)",
            "4: Ravi|2|Goa|5|1 error:second-header",
        ],
    );
    check(
        "Order,Name,City,Phone,Qty\n1,Asha,Pune,98,2\nBill No,Party,Town,Cell,Pieces\n2,Ravi,Goa,97,1\nWest,Asha,Pune,old,new\n",
        &[
            "1: Order|Name|City|Phone|Qty",
            "2: 1|Asha|Pune|98|2",
            "3: Bill No|Party|Town|Cell|Pieces (a second header)",
            "4: 2|Ravi|Goa|97|1 error:second-header",
            "5: West|Asha|Pune|old|new (a second header)",
        ],
    );
}

#[test]
fn headers_below_titles_and_beside_stray_cells() {
    let cases = [
        ("Orders of Monday\n\nOrder,Name,Qty\n1,Asha,2\n2,Ravi,3\n", 3),
        (",,,\nOrder,Name,City,Qty\n,,,\n1,Asha,Pune,2\n", 2),
        ("Title\nby me\nfor you\nOrder,Name,Qty\n1,Asha,2\n", 4),
        ("Title\nOrder,Name,Qty\n", 2),
        ("id,name,age\n1,Jo,2\n\n1,2,3,4,5,6\n", 1),
        ("2021,2022\n1,2\n", 1),
        ("only\n1\n2\n", 1),
    ];
    for (text, row) in cases {
        let opened = open("a.csv", text.as_bytes(), &Options::default()).unwrap();
        assert_eq!(opened.sheet.header().row, row, "{text:?}");
    }
    let text = "x,y\na,b\na,A\n1,2\n";
    let chosen = Options { header_row: Some(3), ..Options::default() };
    let opened = open("a.csv", text.as_bytes(), &chosen).unwrap();
    assert_eq!(messages(opened.sheet.notices()), ["columns A and B have the same header"]);
    let skipped = Options { skip_rows: 1, ..Options::default() };
    assert_eq!(open("a.csv", text.as_bytes(), &skipped).unwrap().sheet.header().row, 2);
    let missing = Options { header_row: Some(9), ..Options::default() };
    assert_eq!(read("a.csv", text.as_bytes(), &missing), ["a.csv has nothing in row 9, which was given as its header"]);
}

#[test]
fn a_sheet_without_headers_loses_no_order() {
    let orders = "Asha Rao,12 MG Road,Pune,411001,9876543210,Kurta,1,499\nRavi,4 Link Rd,Mumbai,400050,9876543211,Saree,2,1499\n";
    for (text, row) in [(orders.to_owned(), 0), (format!("Orders of Monday\n{orders}"), 1)] {
        let opened = open("a.csv", text.as_bytes(), &Options::default()).unwrap();
        let header = opened.sheet.header();
        assert_eq!((header.row, header.cells[0].as_str(), header.cells.len()), (row, "Column A", 8), "{text:?}");
        let rows = read("a.csv", text.as_bytes(), &Options::default());
        assert_eq!(rows.len(), 3, "the header and two orders: {rows:?}");
        let said = messages(opened.sheet.notices());
        assert!(said.iter().any(|said| said.contains("no row names the columns")), "{said:?}");
    }
    // Figures of sizes are names of columns all the same, and a person knows best.
    let sizes = "Order,Name,Address,Phone,38,40,42\nA-1,Asha,MG Road,9876543210,1,,2\n";
    assert_eq!(open("a.csv", sizes.as_bytes(), &Options::default()).unwrap().sheet.header().row, 1);
    let none = Options { header_row: Some(0), ..Options::default() };
    let opened = open("a.csv", b"Asha,Pune,Kurta\nRavi,Mumbai,Saree\n", &none).unwrap();
    assert_eq!((opened.sheet.header().row, opened.sheet.header().cells.len()), (0, 3));
}

#[test]
fn encodings() {
    let utf16 = |bytes: fn(u16) -> [u8; 2], mark: &str| -> Vec<u8> {
        format!("{mark}name,city\nZoë,Łódź\n").encode_utf16().flat_map(bytes).collect()
    };
    let latin = b"name,city\nJos\xe9,M\xfcnchen\n".to_vec();
    let mut late = b"name,city\n".to_vec();
    late.extend(b"Jo,Pune\n".repeat(40_000));
    late.extend(b"Jos\xe9,Pune\n");
    let cases = [
        ("name,city\nZoë,Łódź\n".as_bytes().to_vec(), "CSV, comma, UTF-8", "2: Zoë|Łódź"),
        (utf16(u16::to_le_bytes, "\u{feff}"), "CSV, comma, UTF-16LE", "2: Zoë|Łódź"),
        (utf16(u16::to_be_bytes, "\u{feff}"), "CSV, comma, UTF-16BE", "2: Zoë|Łódź"),
        (utf16(u16::to_le_bytes, ""), "CSV, comma, UTF-16LE", "2: Zoë|Łódź"),
        (latin.clone(), "CSV, comma, windows-1252 (a guess)", "2: José|München"),
        (late, "CSV, comma, windows-1252 (a guess)", "40002: José|Pune"),
    ];
    for (bytes, format, row) in cases {
        let opened = open("a.csv", &bytes, &Options::default()).unwrap();
        assert_eq!(opened.sheet.format().to_string(), format);
        assert_eq!(read("a.csv", &bytes, &Options::default()).last().unwrap(), row);
    }
    let forced = Options { encoding: Some("utf-8".into()), ..Options::default() };
    assert_eq!(read("a.csv", &latin, &forced)[1], "2: Jos\u{fffd}|M\u{fffd}nchen error:bad-encoding");
    let mut mostly = "name,city\n".to_owned();
    mostly.push_str(&"Zoë,Łódź\n".repeat(20));
    let mut mostly = mostly.into_bytes();
    mostly.extend(b"Jos\xe9,Pune\n");
    assert_eq!(read("a.csv", &mostly, &Options::default()).last().unwrap(), "22: Jos\u{fffd}|Pune error:bad-encoding");
    let marked = b"\xef\xbb\xbfname,city\nAda,Pune\nJos\xe9,Pune\n";
    assert_eq!(
        read("a.csv", marked, &Options::default())[1..],
        ["2: Ada|Pune", "3: Jos\u{fffd}|Pune error:bad-encoding"]
    );
    // One broken character, among sound ones or alone, turns nothing into another script.
    let cases: [(&[u8], &str, &str); 6] = [
        (b"name,city\nRs\xe2\x82 5,Pune\n", "CSV, comma, UTF-8", "2: Rs\u{fffd} 5|Pune error:bad-encoding"),
        (
            b"name,city\nZo\xc3\xab,\xc5\x81\xf3d\n",
            "CSV, comma, UTF-8",
            "2: Zo\u{eb}|\u{141}\u{fffd}d error:bad-encoding",
        ),
        (b"name,city\n\xd5\xc5\xce,Pune\n", "CSV, comma, UTF-8", "2: \u{fffd}\u{fffd}\u{fffd}|Pune error:bad-encoding"),
        (b"name,city\nJos\xe9s,Pune\n", "CSV, comma, windows-1252 (a guess)", "2: Jos\u{e9}s|Pune"),
        (b"name,city\nJo\0,Pu\0ne\n", "CSV, comma, UTF-8", "2: Jo|Pu\0ne error:bad-encoding"),
        (b"\xef\xbb\xbfname,city\nJo,Pune\n\0\0\0\0", "CSV, comma, UTF-8", "2: Jo|Pune"),
    ];
    for (bytes, format, row) in &cases {
        let opened = open("a.csv", bytes, &Options::default()).unwrap();
        assert_eq!(opened.sheet.format().to_string(), *format);
        assert_eq!(read("a.csv", bytes, &Options::default()).last().unwrap(), row);
    }
    let guessed = open("a.csv", cases[3].0, &Options::default()).unwrap();
    let notice = &guessed.sheet.notices()[0];
    assert!(message(notice).contains("read as windows-1252, which is a guess"), "{notice:?}");
    assert_eq!(
        (notice.found.as_deref(), notice.place.as_ref().map(|place| place.row)),
        (Some("Jos\u{e9}s,Pune"), Some(2))
    );
    let unknown = Options { encoding: Some("klingon".into()), ..Options::default() };
    assert_eq!(read("a.csv", b"a,b\n", &unknown), ["no encoding is called \"klingon\""]);
}

#[test]
fn what_is_no_sheet_is_said() {
    let cases: [(&[u8], &str); 7] = [
        (b"", "a.csv has no rows"),
        (b"\n\n , \n", "a.csv has no rows"),
        (b"%PDF-1.7\n", "a.csv is a PDF document, not a sheet"),
        (b"<html><table>", "a.csv is a web page, not a sheet"),
        (b"\xff\xfe\0\0a\0\0\0", "a.csv is text in UTF-32, not a sheet"),
        (b"a,b\0\x01\x02\0\0\0\0\0", "a.csv is a binary file (zero bytes from line 1 on), not a sheet"),
        (b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "a.csv is a zip archive without a workbook, not a sheet"),
    ];
    for (bytes, expected) in cases {
        assert_eq!(read("a.csv", bytes, &Options::default()), [expected]);
    }
    let folder = tempfile::tempdir().unwrap();
    let missing = crate::sheet::Sheet::open(&folder.path().join("b.csv"), &Options::default());
    assert!(matches!(missing, Err(SheetError::Io { ref file, .. }) if file == "b.csv"));
}

#[test]
fn gzip_is_unpacked_within_limits() {
    let pack = |text: &str| {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        packer.write_all(text.as_bytes()).unwrap();
        packer.finish().unwrap()
    };
    let packed = pack("a,b\n1,2\n");
    assert_eq!(read("a.csv.gz", &packed, &Options::default()), ["1: a|b", "2: 1|2"]);
    let bomb = pack(&"1,2\n".repeat(500_000));
    let limits = Limits { unpacked_bytes_max: 1 << 20, ..Limits::default() };
    let bounded = Options { limits, ..Options::default() };
    assert!(matches!(open("a.csv.gz", &bomb, &bounded), Err(SheetError::TooLarge { .. })));
}

#[test]
fn records_and_blank_lines_are_bounded() {
    let commas = format!("a,b\n{}\n", ",".repeat(20_000));
    assert!(read("a.csv", commas.as_bytes(), &Options::default())[0].contains("line 2 has too many cells"));
    let quotes = format!("a,b\n\"{}\n", "\"\"".repeat(3_000_000));
    assert!(open("a.csv", quotes.as_bytes(), &Options::default()).is_err());
    let blank = format!("a,b\n{}1,2\n", "\n".repeat(100_000));
    assert_eq!(read("a.csv", blank.as_bytes(), &Options::default()).last().unwrap(), "100002: 1|2");
}

#[test]
fn limits_hold() {
    let limits = |limits| Options { limits, ..Options::default() };
    let few_rows = limits(Limits { rows_max: 2, ..Limits::default() });
    assert_eq!(
        read("a.csv", b"a,b\n1,2\n\n3,4\n5,6\n", &few_rows).last().unwrap(),
        "a.csv is too large: more than 2 rows"
    );
    let few_columns = limits(Limits { columns_max: 2, ..Limits::default() });
    assert!(read("a.csv", b"a,b,c\n", &few_columns)[0].contains("the row that starts on line 1 has too many cells"));
    let short_cells = limits(Limits { cell_bytes_max: 5, ..Limits::default() });
    assert!(read("a.csv", b"a,b\n1234567,2\n", &short_cells)[0].contains("a cell of the row that starts on line 2"));
    let small = limits(Limits { file_bytes_max: 3, ..Limits::default() });
    assert!(read("a.csv", b"a,b\n", &small)[0].contains("4 bytes, of which 3 are accepted"));
}

#[test]
fn reading_can_stop_and_start_again() {
    let opened = open("a.csv", b"a,b\n1,2\n\n3,4\n", &Options::default()).unwrap();
    let mut numbers = Vec::new();
    for stop in [true, false] {
        let end = opened.sheet.read(&mut |row| {
            numbers.push(row.number());
            if stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(end.unwrap().stopped, stop);
    }
    assert_eq!(numbers, [2, 2, 3, 4]);
    let same = open("b.csv", b"a,b\n1,2\n\n3,4\n", &Options::default()).unwrap();
    let other = open("a.csv", b"a,b\n1,2\n\n3,5\n", &Options::default()).unwrap();
    assert!(opened.sheet.has_bytes_of(&same.sheet).unwrap() && !opened.sheet.has_bytes_of(&other.sheet).unwrap());
}

#[test]
fn a_table_of_something_else_below_the_orders_is_left_out() {
    let header = "Order,Name,City,PIN,Product,Qty";
    let read = |below: &str| {
        super::read("a.csv", format!("{header}\nA1,Asha,Pune,411038,Kurta,1\n{below}").as_bytes(), &Options::default())
    };
    let rows =
        read(",,,,,\nStock,Opening,Closing,,,\nK1,40,33,,,\nD4,120,111,,,\nA2,Ravi,Pune,411038,Kurta,2\nK2,1,2,,,\n");
    let left_out: Vec<&str> = rows.iter().filter_map(|row| Some(row.split_once(" (")?.1)).collect();
    assert_eq!(
        left_out,
        ["the header of another table)", "a row of another table)", "a row of another table)"],
        "{rows:?}"
    );
    for below in [
        "Stock,Opening,Closing,,,\nK1,40,33,,,\n",
        ",,,,,\nA2,Ravi,,,,1\n",
        ",,,,,\nA2,Ravi,,,,\n",
        ",,,,,\n,Kurta,red,,,\n",
    ] {
        let rows = read(below);
        assert!(!rows.iter().any(|row| row.contains("another table")), "{rows:?}");
    }
}
