//! Files that were made to do harm: each is an error in words, within 5 seconds of processor time and 512 MiB.

use std::io::{Cursor, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::corpus::tried;
use crate::rig::Rig;

/// Parts in a zip.
pub(crate) fn zipped(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// An ODS file of one worksheet.
pub(crate) fn ods(rows: &str) -> Vec<u8> {
    let names = ["office", "table", "text"]
        .map(|name| format!("xmlns:{name}=\"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0\""))
        .join(" ");
    let content = format!(
        "<office:document-content {names}><office:body><office:spreadsheet><table:table table:name=\"Orders\">{rows}</table:table></office:spreadsheet></office:body></office:document-content>"
    );
    let manifest = "<manifest:manifest xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\"/>";
    zipped(&[
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        ("META-INF/manifest.xml", manifest),
        ("content.xml", &content),
    ])
}

/// An XLSX file of one worksheet and its shared texts.
pub(crate) fn xlsx(rows: &str, texts: &str) -> Vec<u8> {
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let packages = "http://schemas.openxmlformats.org/package/2006/relationships";
    let workbook = format!(
        "<workbook xmlns=\"{main}\" xmlns:r=\"{office}\"><sheets><sheet name=\"Orders\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>"
    );
    let relations = format!(
        "<Relationships xmlns=\"{packages}\"><Relationship Id=\"rId1\" Type=\"{office}/worksheet\" Target=\"worksheets/sheet1.xml\"/><Relationship Id=\"rId2\" Type=\"{office}/sharedStrings\" Target=\"sharedStrings.xml\"/></Relationships>"
    );
    let root = format!(
        "<Relationships xmlns=\"{packages}\"><Relationship Id=\"rId1\" Type=\"{office}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
    );
    zipped(&[
        ("_rels/.rels", &root),
        ("[Content_Types].xml", "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"/>"),
        ("xl/workbook.xml", &workbook),
        ("xl/_rels/workbook.xml.rels", &relations),
        ("xl/sharedStrings.xml", &format!("<sst>{texts}</sst>")),
        ("xl/worksheets/sheet1.xml", &format!("<worksheet><sheetData>{rows}</sheetData></worksheet>")),
    ])
}

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
    let ran = tried(&rig, &["check", name]).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
    assert!(ran.code == 1 && ran.stderr.contains("hint: "), "{name}: {ran:?}");
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
        ("cells.ods", repeated(1_000_000, 20, "x"), "takes more memory or time than is allowed"),
        ("texts.ods", repeated(90_000, 1_000, &"x".repeat(200)), "takes more memory or time than is allowed"),
        ("dimension.ods", repeated(1 << 20, 1 << 14, ""), "Cell limit exceeded"),
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
