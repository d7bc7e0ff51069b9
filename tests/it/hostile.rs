//! Files that were made to do harm: each is an error in words, within 5 seconds of processor time and 512 MiB.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::corpus::{DEFAULTS, tried};
use crate::files::{ods, xls_listed, xlsb_of_one_part, xlsx, xlsx_of};
use crate::rig::Rig;

/// An OLE container whose directory is a chain of sectors that comes back to itself.
fn endless_chain() -> Vec<u8> {
    let mut file = vec![0_u8; 512 * 3];
    let mut put = |at: usize, bytes: &[u8]| file[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1");
    put(24, &[0x3e, 0, 3, 0, 0xfe, 0xff, 9, 0, 6, 0]);
    // One sector of the table of chains, the directory in sector 1, no small streams, no more tables.
    put(44, &1_u32.to_le_bytes());
    put(48, &1_u32.to_le_bytes());
    put(56, &4096_u32.to_le_bytes());
    put(60, &0xffff_fffe_u32.to_le_bytes());
    put(68, &0xffff_fffe_u32.to_le_bytes());
    put(76, &[0; 4]);
    put(80, &[0xff; 512 - 80]);
    put(512, &0xffff_fffd_u32.to_le_bytes());
    // What follows sector 1 is sector 1.
    put(516, &1_u32.to_le_bytes());
    put(520, &[0xff; 512 - 8]);
    file
}

/// Lines in a gzip file, ten thousand in each of its members.
fn gzipped(line: &str, thousands: usize) -> Vec<u8> {
    let member = |text: &str| {
        let mut packed = GzEncoder::new(Vec::new(), Compression::best());
        packed.write_all(text.as_bytes()).unwrap();
        packed.finish().unwrap()
    };
    let mut packed = member("Order Number,City,Quantity\n");
    packed.extend(member(&line.repeat(10_000)).repeat(thousands / 10));
    packed
}

/// What the program says about a file, which it must say within the limits.
fn said(name: &str, bytes: &[u8]) -> String {
    let rig = Rig::alone();
    std::fs::write(rig.path(name), bytes).unwrap();
    rig.file("shipsheet.toml", DEFAULTS);
    let ran = tried(&rig, &["check", name]).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
    ran.exits(1).says("hint: ");
    assert!(!rig.path(".local").exists(), "{name}: something was written");
    ran.stderr
}

#[test]
fn memory_and_time_are_bounded_for_the_formats_that_are_read_whole() {
    let repeated = |rows: u32, columns: u32, text: &str| {
        let cell = format!(
            "<table:table-cell table:number-columns-repeated=\"{columns}\" office:value-type=\"string\"><text:p>{text}</text:p></table:table-cell>"
        );
        ods(&format!("<table:table-row table:number-rows-repeated=\"{rows}\">{cell}</table:table-row>"))
    };
    let cases = [
        ("loop.xls", endless_chain(), "takes more memory or time than is allowed"),
        ("cells.ods", repeated(1_000_000, 20, "x"), "repeated cells become more than 64 MiB"),
        ("texts.ods", repeated(90_000, 1_000, &"x".repeat(200)), "repeated cells become more than 64 MiB"),
        ("dimension.ods", repeated(1 << 20, 1 << 14, ""), "no visible worksheet with rows"),
    ];
    for (name, bytes, expected) in cases {
        let said = said(name, &bytes);
        assert!(said.contains(expected), "{name}: {said}");
    }
}

#[test]
fn what_is_unpacked_and_kept_is_bounded() {
    let many = |tag: &str, bytes: usize| tag.repeat(bytes / tag.len());
    let cases = [
        ("empty-texts.xlsx", xlsx("", &many("<si/>", 24_000_000)), "takes more than 128 MiB of memory"),
        ("rows.xlsx", xlsx(&many("<row><c><v>1</v></c></row>", 68_000_000), ""), "unpacks"),
        (
            "beyond.xlsx",
            xlsx("<row r=\"1048577\"><c r=\"A1048577\"><v>1</v></c></row>", ""),
            "a row beyond the 1048576",
        ),
        ("lines.csv.gz", gzipped("A-1,Pune,1\n", 8_000), "packed bytes become more than"),
        ("line.csv.gz", gzipped("A-1 Pune 1 ", 3_000), "has too many cells"),
    ];
    for (name, bytes, expected) in cases {
        let said = said(name, &bytes);
        assert!(said.contains(expected), "{name}: {said}");
    }
}

/// A worksheet's row of texts.
fn text_row(number: u32, texts: &[&str]) -> String {
    let cell = |(column, text)| format!("<c r=\"{column}{number}\" t=\"inlineStr\"><is><t>{text}</t></is></c>");
    format!("<row r=\"{number}\">{}</row>", ('A'..).zip(texts).map(cell).collect::<String>())
}

#[test]
fn what_few_bytes_become_as_cells_is_bounded() {
    let header = text_row(1, &["Order Number", "Receiver First Name"]);
    let far = |row: u32| format!("<row r=\"{row}\"><c r=\"A{row}\"><v>7</v></c><c r=\"XFD{row}\"><v>1</v></c></row>");
    let far: String = (2..40_000).map(far).collect();
    let long = format!("<si><t>{}</t></si>", "x".repeat(30_000));
    let shared = |row: u32| format!("<row r=\"{row}\"><c r=\"A{row}\"><v>7</v></c><c t=\"s\"><v>0</v></c></row>");
    let shared: String = (2..30_000).map(shared).collect();
    for (name, rows, texts) in [("far.xlsx", far, String::new()), ("one-text.xlsx", shared, long)] {
        let said = said(name, &xlsx(&format!("{header}{rows}"), &texts));
        assert!(said.contains("the cells of its"), "{name}: {said}");
    }
}

#[test]
fn a_row_that_is_there_twice_is_not_read_in_part() {
    let header = text_row(1, &["Order Number", "Receiver First Name"]);
    let [one, other] = ["A-1", "A-2"].map(|order| text_row(2, &[order, "Asha"]));
    let said = said("twice.xlsx", &xlsx(&format!("{header}{one}{other}"), ""));
    assert!(said.contains("it holds row 2 twice"), "{said}");
}

/// Blank rows: a reader that looks for filled ones goes through all of them.
fn blank_rows(bytes: usize) -> String {
    let row = "<row><c/></row>";
    row.repeat(bytes / row.len())
}

#[test]
fn many_worksheets_are_as_much_work_as_their_parts_and_bytes() {
    let names: Vec<String> = (1..=1_000).map(|number| format!("S{number}")).collect();
    let parts: Vec<String> = names.iter().map(|name| format!("{name}.xml")).collect();
    let of_one = |many: usize| names[..many].iter().map(|name| (name.as_str(), "p.xml")).collect::<Vec<_>>();
    let each_its_own = |rows: &str| {
        let listed: Vec<_> =
            names.iter().zip(&parts).take(200).map(|(name, part)| (name.as_str(), part.as_str())).collect();
        let filled: Vec<_> = parts[..200].iter().map(|part| (part.as_str(), rows)).collect();
        xlsx_of(&listed, &filled, "")
    };
    let blank = blank_rows(6 << 20);
    let rows = [text_row(1, &["Order Number", "City", "Phone"]), text_row(2, &["A-1", "Pune", "9"])].concat();
    let twice = [("Orders", "p.xml"), ("ORDERS", "q.xml")];
    let table = |number: usize| {
        let cell = "<table:table-cell office:value-type=\"string\"><text:p>x</text:p></table:table-cell>";
        format!("</table:table><table:table table:name=\"T{number}\"><table:table-row>{cell}</table:table-row>")
    };
    let tables: String = (0..300).map(table).collect::<Vec<_>>().concat();
    let cases = [
        (
            "thousand.xlsx",
            xlsx_of(&of_one(1_000), &[("p.xml", &blank)], ""),
            "1000 worksheets, of which 256 are accepted",
        ),
        ("one-part.xlsx", xlsx_of(&of_one(250), &[("p.xml", &blank)], ""), "are one and the same part"),
        (
            "one-name.xlsx",
            xlsx_of(&twice, &[("p.xml", &rows), ("q.xml", &rows)], ""),
            "two worksheets called \"ORDERS\"",
        ),
        ("filled.xlsx", each_its_own(&rows), "has several worksheets with rows"),
        ("blank.xlsx", each_its_own(&blank_rows(1 << 20)), "and the parts before it unpack"),
        ("one-part.xlsb", xlsb_of_one_part(250), "are one and the same part"),
        ("one-place.xls", xls_listed(&[&["Order Number", "City"], &["A-1", "Pune"]], 250), "are one and the same part"),
        ("thousand.xls", xls_listed(&[&["Order Number", "City"]], 1_000), "1000 worksheets, of which 256 are accepted"),
        ("many.ods", ods(&tables), "257 worksheets, of which 256 are accepted"),
    ];
    for (name, bytes, expected) in cases {
        let said = said(name, &bytes);
        assert!(said.contains(expected), "{name} of {} bytes: {said}", bytes.len());
    }
}
