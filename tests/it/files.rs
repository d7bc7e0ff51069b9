//! Workbooks made by hand, byte by byte where need be.

use std::io::{Cursor, Read, Write};

use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

/// Parts in a zip.
pub(crate) fn zipped<'p>(parts: impl IntoIterator<Item = (&'p str, &'p [u8])>) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        writer.start_file(name, SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn zipped_texts(parts: &[(&str, &str)]) -> Vec<u8> {
    zipped(parts.iter().map(|(name, text)| (*name, text.as_bytes())))
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
    zipped_texts(&[
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        ("META-INF/manifest.xml", manifest),
        ("content.xml", &content),
    ])
}

/// An XLSX file of one worksheet and its shared texts.
pub(crate) fn xlsx(rows: &str, texts: &str) -> Vec<u8> {
    xlsx_of(&[("Orders", "sheet1.xml")], &[("sheet1.xml", rows)], texts)
}

/// An XLSX file whose worksheets, by name and part, are listed apart from its parts with their rows.
pub(crate) fn xlsx_of(worksheets: &[(&str, &str)], rows: &[(&str, &str)], texts: &str) -> Vec<u8> {
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let packages = "http://schemas.openxmlformats.org/package/2006/relationships";
    let numbered = || (1..).zip(worksheets);
    let list = |(number, (name, _)): (usize, &(&str, &str))| {
        format!("<sheet name=\"{name}\" sheetId=\"{number}\" r:id=\"rId{number}\"/>")
    };
    let lead = |(number, (_, part)): (usize, &(&str, &str))| {
        format!("<Relationship Id=\"rId{number}\" Type=\"{office}/worksheet\" Target=\"worksheets/{part}\"/>")
    };
    let workbook = format!(
        "<workbook xmlns=\"{main}\" xmlns:r=\"{office}\"><sheets>{}</sheets></workbook>",
        numbered().map(list).collect::<Vec<_>>().concat()
    );
    let relations = format!(
        "<Relationships xmlns=\"{packages}\">{}<Relationship Id=\"texts\" Type=\"{office}/sharedStrings\" Target=\"sharedStrings.xml\"/></Relationships>",
        numbered().map(lead).collect::<Vec<_>>().concat()
    );
    let root = format!(
        "<Relationships xmlns=\"{packages}\"><Relationship Id=\"rId1\" Type=\"{office}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
    );
    let texts = format!("<sst>{texts}</sst>");
    let types = "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"/>";
    let mut parts: Vec<(String, String)> = [
        ("_rels/.rels", root.as_str()),
        ("[Content_Types].xml", types),
        ("xl/workbook.xml", &workbook),
        ("xl/_rels/workbook.xml.rels", &relations),
        ("xl/sharedStrings.xml", &texts),
    ]
    .map(|(name, text)| (name.to_owned(), text.to_owned()))
    .to_vec();
    let part = |(name, rows): &(&str, &str)| {
        (format!("xl/worksheets/{name}"), format!("<worksheet><sheetData>{rows}</sheetData></worksheet>"))
    };
    parts.extend(rows.iter().map(part));
    zipped(parts.iter().map(|(name, text)| (name.as_str(), text.as_bytes())))
}

/// An XLSB file whose list of worksheets names one part again and again; of the rest it has nothing.
pub(crate) fn xlsb_of_one_part(worksheets: u32) -> Vec<u8> {
    let text = |text: &str| {
        let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        [&u32::try_from(units.len() / 2).unwrap().to_le_bytes()[..], &units].concat()
    };
    let bundle = |number: u32| {
        let record = [&[0; 4][..], &number.to_le_bytes(), &text("rId1"), &text(&format!("S{number}"))].concat();
        [&[0x9c, 0x01, u8::try_from(record.len()).unwrap()][..], &record].concat()
    };
    let workbook: Vec<u8> = (1..=worksheets).flat_map(bundle).collect();
    let relations = "<Relationships><Relationship Id=\"rId1\" Target=\"worksheets/sheet1.bin\"/></Relationships>";
    zipped([("xl/workbook.bin", workbook.as_slice()), ("xl/_rels/workbook.bin.rels", relations.as_bytes())])
}

/// The parts of a zip, unpacked.
pub(crate) fn unzipped(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut parts = Vec::new();
    for index in 0..archive.len() {
        let mut part = archive.by_index(index).unwrap();
        let name = part.name().unwrap().into_owned();
        let mut bytes = Vec::new();
        part.read_to_end(&mut bytes).unwrap();
        parts.push((name, bytes));
    }
    parts
}

/// An XLS file (BIFF8 in an OLE container) of one worksheet; what reads as a number is one.
pub(crate) fn xls(rows: &[&[&str]]) -> Vec<u8> {
    xls_listed(rows, 1)
}

/// The same with its one worksheet listed so many times.
pub(crate) fn xls_listed(rows: &[&[&str]], times: u32) -> Vec<u8> {
    let mut stream = biff(rows, times);
    // Shorter streams stand in another place.
    stream.resize(stream.len().next_multiple_of(512).max(4096), 0);
    let sectors = u32::try_from(stream.len() / 512).unwrap();
    let mut header = vec![0_u8; 512];
    let mut put = |at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1");
    put(24, &[0x3e, 0, 3, 0, 0xfe, 0xff, 9, 0, 6, 0]);
    // One sector of the table of chains, the directory in sector 1, no small streams, no more tables.
    for (at, number) in [(44, 1), (48, 1), (56, 4096), (60, END), (68, END), (76, 0)] {
        put(at, &number.to_le_bytes());
    }
    put(80, &[0xff; 512 - 80]);
    let mut chains = vec![0xffff_fffd, END];
    chains.extend((3..sectors + 2).chain([END]));
    chains.resize(128, u32::MAX);
    let chains: Vec<u8> = chains.into_iter().flat_map(u32::to_le_bytes).collect();
    let mut directory = entry("Root Entry", 5, 1, END, 0);
    directory.extend(entry("Workbook", 2, u32::MAX, 2, u32::try_from(stream.len()).unwrap()));
    directory.resize(512, 0);
    [header, chains, directory, stream].concat()
}

/// Ends a chain of sectors.
const END: u32 = 0xffff_fffe;

fn entry(name: &str, kind: u8, child: u32, start: u32, bytes: u32) -> Vec<u8> {
    let mut entry: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let name_bytes = u16::try_from(entry.len() + 2).unwrap();
    entry.resize(64, 0);
    entry.extend(name_bytes.to_le_bytes());
    entry.extend([kind, 1]);
    entry.extend([u32::MAX, u32::MAX, child].into_iter().flat_map(u32::to_le_bytes));
    entry.resize(116, 0);
    entry.extend([start, bytes, 0].into_iter().flat_map(u32::to_le_bytes));
    entry
}

fn biff(rows: &[&[&str]], times: u32) -> Vec<u8> {
    fn record(into: &mut Vec<u8>, id: u16, data: &[u8]) {
        into.extend(id.to_le_bytes());
        into.extend(u16::try_from(data.len()).unwrap().to_le_bytes());
        into.extend(data);
    }
    let begin = |kind: u8| [&[0, 6, kind, 0, 0xbb, 0x0d, 0xcc, 7][..], &[0; 8]].concat();
    let mut globals = Vec::new();
    record(&mut globals, 0x809, &begin(5));
    record(&mut globals, 0x42, &1200_u16.to_le_bytes());
    let name = b"Orders";
    let bound = |offset: u32| [&offset.to_le_bytes()[..], &[0, 0, 6, 0], name].concat();
    // The worksheet begins behind these records, each of 14 and 4 bytes, and the end of the globals.
    let offset = u32::try_from(globals.len()).unwrap() + times * 18 + 4;
    (0..times).for_each(|_| record(&mut globals, 0x85, &bound(offset)));
    record(&mut globals, 0x0a, &[]);
    let mut sheet = Vec::new();
    record(&mut sheet, 0x809, &begin(0x10));
    let columns = rows.iter().map(|row| row.len()).max().unwrap_or(0);
    let (height, width) = (u32::try_from(rows.len()).unwrap(), u16::try_from(columns).unwrap());
    record(&mut sheet, 0x200, &[&[0; 4][..], &height.to_le_bytes(), &[0, 0], &width.to_le_bytes(), &[0, 0]].concat());
    for (row, cells) in (0_u16..).zip(rows) {
        for (column, text) in (0_u16..).zip(*cells) {
            let place = [row.to_le_bytes(), column.to_le_bytes(), [0, 0]].concat();
            if let Ok(number) = text.parse::<f64>() {
                record(&mut sheet, 0x203, &[&place[..], &number.to_le_bytes()].concat());
                continue;
            }
            let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let length = u16::try_from(units.len() / 2).unwrap().to_le_bytes();
            record(&mut sheet, 0x204, &[&place[..], &length, &[1], &units].concat());
        }
    }
    record(&mut sheet, 0x0a, &[]);
    [globals, sheet].concat()
}
