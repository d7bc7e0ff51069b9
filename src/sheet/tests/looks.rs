//! Number formats, hidden rows and merged cells of the formats that are read as a whole, built record by record.

use std::io::{Cursor, Write as _};

use zip::write::SimpleFileOptions;

use super::{Options, open, read};

/// The rows of a sheet in every format: formatted numbers, a hidden row, a cell that is merged over two rows.
const EXPECTED: [&str; 5] = [
    "1: Order|SKU|Qty|City",
    "2: 000123<Number>|ORD-0007|2<Number>|Pune",
    "3: 000124<Number>|ORD-0008|3<Number>|Pune",
    "4: 1001<Number>|12.50<Number>|4<Number>|Goa",
    "5: $499.90<Number>|499.90<Number>|1235<Number>|Goa",
];

fn check(name: &str, bytes: &[u8]) {
    let rows = read(name, bytes, &Options::default());
    assert_eq!(rows, EXPECTED, "{name}");
    let opened = open(name, bytes, &Options::default()).unwrap();
    let notices = opened.sheet.notices().iter();
    let said = notices.map(|notice| format!("{} {}", notice.place.as_ref().unwrap(), notice.id));
    assert_eq!(said.collect::<Vec<_>>(), ["Orders row 3 hidden-rows", "Orders!D2:D3 merged-cells"], "{name}");
    let mut merged = Vec::new();
    let taken = opened.sheet.read(&mut |row| {
        merged.extend((0..row.len()).filter(|index| row.is_merged(*index)).map(|index| (row.number(), index)));
        std::ops::ControlFlow::Continue(())
    });
    assert_eq!((taken.unwrap().rows, merged), (4, vec![(3, 3)]));
}

/// A record of an `.xls`.
fn record(kind: u16, bytes: &[u8]) -> Vec<u8> {
    [&kind.to_le_bytes(), &u16::try_from(bytes.len()).unwrap().to_le_bytes(), bytes].concat()
}

fn words(words: &[u16]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A text of an `.xls` in one byte for each character.
fn short_text(text: &str) -> Vec<u8> {
    [&u16::try_from(text.len()).unwrap().to_le_bytes()[..], &[0], text.as_bytes()].concat()
}

fn label(row: u16, column: u16, text: &str) -> Vec<u8> {
    record(0x0204, &[words(&[row, column, 0]), short_text(text)].concat())
}

fn number(row: u16, column: u16, style: u16, number: f64) -> Vec<u8> {
    record(0x0203, &[words(&[row, column, style]), number.to_le_bytes().to_vec()].concat())
}

/// A short number, which stands in the upper 30 bits.
fn short(number: u32) -> [u8; 4] {
    (number << 2 | 2).to_le_bytes()
}

fn worksheet_records() -> Vec<u8> {
    let hidden = [words(&[2, 0, 5, 300]), vec![0; 4], vec![0x20, 0, 0, 0]].concat();
    let several = [
        words(&[2, 0, 1]),
        short(124).to_vec(),
        words(&[2]),
        short(8).to_vec(),
        words(&[0]),
        short(3).to_vec(),
        words(&[2]),
    ];
    let mut records = vec![record(0x0809, &words(&[0x0600, 0x0010, 0, 0, 0, 0, 0, 0])), record(0x0208, &hidden)];
    records.extend((0..).zip(["Order", "SKU", "Qty", "City"]).map(|(column, text)| label(0, column, text)));
    records.extend([
        number(1, 0, 1, 123.0),
        record(0x027e, &[words(&[1, 1, 2]), short(7).to_vec()].concat()),
        number(1, 2, 0, 2.0),
        label(1, 3, "Pune"),
        record(0x00bd, &several.concat()),
        number(3, 0, 0, 1_001.0),
        number(3, 1, 3, 12.5),
        number(3, 2, 0, 4.0),
        label(3, 3, "Goa"),
        number(4, 0, 4, 499.9),
        number(4, 1, 5, 499.9),
        number(4, 2, 6, 1_234.567),
        label(4, 3, "Goa"),
        record(0x00e5, &words(&[1, 1, 2, 3, 3])),
        record(0x000a, &[]),
    ]);
    records.concat()
}

fn workbook_stream() -> Vec<u8> {
    let format = |number: u16, code: &str| record(0x041e, &[words(&[number]), short_text(code)].concat());
    let in_two_bytes = |number: u16, code: &str| {
        let units: Vec<u8> = code.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let length = u16::try_from(units.len() / 2).unwrap();
        record(0x041e, &[words(&[number, length]), vec![1], units].concat())
    };
    let style = |format: u16| record(0x00e0, &[words(&[0, format]), vec![0; 16]].concat());
    let globals = [
        record(0x0809, &words(&[0x0600, 0x0005, 0, 0, 0, 0, 0, 0])),
        record(0x0042, &words(&[1200])),
        format(164, "000000"),
        format(165, "\"ORD-\"0000"),
        format(166, "$#,##0.00"),
        in_two_bytes(167, "[$₹-4009] #,##0.00"),
        style(0),
        style(164),
        style(165),
        style(2),
        style(166),
        style(167),
        style(1),
    ]
    .concat();
    let name = [&[0, 0, 6, 0][..], b"Orders"].concat();
    let start = u32::try_from(globals.len() + 4 + 4 + name.len() + 4).unwrap();
    let sheet = record(0x0085, &[&start.to_le_bytes()[..], &name].concat());
    [globals, sheet, record(0x000a, &[]), worksheet_records()].concat()
}

/// An OLE container with one stream.
fn container(name: &str, stream: &[u8]) -> Vec<u8> {
    const FREE: u32 = 0xffff_ffff;
    const LAST: u32 = 0xffff_fffe;
    let mut stream = stream.to_vec();
    stream.resize(stream.len().max(4096).next_multiple_of(512), 0);
    let sectors = u32::try_from(stream.len() / 512).unwrap();
    let mut header = vec![0_u8; 512];
    header[..8].copy_from_slice(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1");
    for (at, value) in [(24, 0x3e_u16), (26, 3), (28, 0xfffe), (30, 9), (32, 6)] {
        header[at..at + 2].copy_from_slice(&value.to_le_bytes());
    }
    // One table, the directory behind it, no small stream and no further tables.
    for (at, value) in [(44, 1), (48, 1), (56, 4096), (60, LAST), (64, 0), (68, LAST), (72, 0), (76, 0)] {
        header[at..at + 4].copy_from_slice(&u32::to_le_bytes(value));
    }
    header[80..].fill(0xff);
    let mut table = vec![0xffff_fffd, LAST];
    table.extend((0..sectors).map(|index| if index + 1 == sectors { LAST } else { 3 + index }));
    table.resize(128, FREE);
    let entry = |name: &str, kind: u8, start: u32, size: u32, child: u32| {
        let mut entry: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        entry.resize(128, 0);
        entry[64..66].copy_from_slice(&u16::try_from(2 * name.len() + 2).unwrap().to_le_bytes());
        entry[66] = kind;
        for (at, value) in [(68, FREE), (72, FREE), (76, child), (116, start), (120, size)] {
            entry[at..at + 4].copy_from_slice(&value.to_le_bytes());
        }
        entry
    };
    let size = u32::try_from(stream.len()).unwrap();
    let directory = [entry("Root Entry", 5, LAST, 0, 1), entry(name, 2, 2, size, FREE), vec![0; 256]].concat();
    let table: Vec<u8> = table.into_iter().flat_map(u32::to_le_bytes).collect();
    [header, table, directory, stream].concat()
}

#[test]
fn an_xls_shows_its_numbers_as_they_were_seen() {
    check("orders.xls", &container("Workbook", &workbook_stream()));
}

/// A record of an `.xlsb`.
fn part_record(kind: u16, bytes: &[u8]) -> Vec<u8> {
    let low = |number: usize| u8::try_from(number & 0x7f).unwrap();
    let kind = usize::from(kind);
    let kind = if kind < 0x80 { vec![low(kind)] } else { vec![low(kind) | 0x80, low(kind >> 7)] };
    let length = vec![low(bytes.len()) | 0x80, low(bytes.len() >> 7)];
    [kind, length, bytes.to_vec()].concat()
}

fn long_text(text: &str) -> Vec<u8> {
    let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    [&u32::try_from(units.len() / 2).unwrap().to_le_bytes()[..], &units].concat()
}

fn numbers(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn package(parts: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn an_xlsb_shows_its_numbers_as_they_were_seen() {
    let row = |number: u32, hidden: u8| {
        part_record(0, &[numbers(&[number, 0]), vec![44, 1, 0, hidden, 0, 0, 0, 0, 0]].concat())
    };
    let text = |column: u32, text: &str| part_record(6, &[numbers(&[column, 0]), long_text(text)].concat());
    let real = |column: u32, style: u32, value: f64| {
        part_record(5, &[numbers(&[column, style]), value.to_le_bytes().to_vec()].concat())
    };
    let short = |column: u32, style: u32, value: u32| {
        part_record(2, &[numbers(&[column, style]), short(value).to_vec()].concat())
    };
    let mut sheet =
        vec![part_record(129, &[]), part_record(148, &numbers(&[0, 4, 0, 3])), part_record(145, &[]), row(0, 0)];
    sheet.extend((0..).zip(["Order", "SKU", "Qty", "City"]).map(|(column, name)| text(column, name)));
    sheet.extend([row(1, 0), real(0, 1, 123.0), short(1, 2, 7), real(2, 0, 2.0), text(3, "Pune")]);
    sheet.extend([row(2, 0x10), real(0, 1, 124.0), real(1, 2, 8.0), real(2, 0, 3.0)]);
    sheet.extend([row(3, 0), real(0, 0, 1_001.0), real(1, 3, 12.5), real(2, 0, 4.0), text(3, "Goa")]);
    sheet.extend([row(4, 0), real(0, 4, 499.9), real(1, 5, 499.9), real(2, 6, 1_234.567), text(3, "Goa")]);
    sheet.extend([part_record(146, &[]), part_record(176, &numbers(&[1, 2, 3, 3])), part_record(130, &[])]);
    let format = |number: u16, code: &str| part_record(44, &[words(&[number]), long_text(code)].concat());
    let style = |format: u16| part_record(47, &[words(&[0, format]), vec![0; 12]].concat());
    let styles = [
        part_record(615, &numbers(&[4])),
        format(164, "000000"),
        format(165, "\"ORD-\"0000"),
        format(166, "$#,##0.00"),
        format(167, "[$₹-4009] #,##0.00"),
        part_record(616, &[]),
        part_record(617, &numbers(&[7])),
        style(0),
        style(164),
        style(165),
        style(2),
        style(166),
        style(167),
        style(1),
        part_record(618, &[]),
    ];
    let bundle = [numbers(&[0, 1]), long_text("rId1"), long_text("Orders")].concat();
    let book =
        [part_record(143, &[]), part_record(156, &bundle), part_record(144, &[]), part_record(157, &[0; 26])].concat();
    let relations = "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet\" Target=\"worksheets/sheet1.bin\"/></Relationships>";
    check(
        "orders.xlsb",
        &package(&[
            ("xl/workbook.bin", book),
            ("xl/_rels/workbook.bin.rels", relations.into()),
            ("xl/worksheets/sheet1.bin", sheet.concat()),
            ("xl/styles.bin", styles.concat()),
        ]),
    );
}

#[test]
fn an_ods_shows_its_numbers_as_they_were_seen_in_any_indentation() {
    let text = |text: &str| {
        format!("<table:table-cell office:value-type=\"string\"><text:p>{text}</text:p></table:table-cell>")
    };
    let number = |value: &str, shown: &str| {
        format!(
            "<table:table-cell office:value-type=\"float\" office:value=\"{value}\"><text:p>{shown}</text:p></table:table-cell>"
        )
    };
    let money = |currency: &str, shown: &str| {
        number("499.9", shown).replace("\"float\"", &format!("\"currency\" office:currency=\"{currency}\""))
    };
    let header: String = ["Order", "SKU", "Qty", "City"].map(text).concat();
    let merged = text("Pune").replace("office:", "table:number-rows-spanned=\"2\" office:");
    let rows = [
        format!("<table:table-row>{header}</table:table-row>"),
        format!(
            "<table:table-row>{}{}{}{merged}</table:table-row>",
            number("123", "000123"),
            number("7", "ORD-0007"),
            number("2", "2")
        ),
        format!(
            "<table:table-row table:visibility=\"filter\">{}{}{}<table:covered-table-cell/></table:table-row>",
            number("124", "000124"),
            number("8", "ORD-0008"),
            number("3", "3")
        ),
        format!(
            "<table:table-row>{}{}{}{}</table:table-row>",
            number("1001", "1,001"),
            number("12.5", "12.50"),
            number("4", "4"),
            text("Goa")
        ),
        format!(
            "<table:table-row>{}{}{}{}</table:table-row>",
            money("USD", "$499.90"),
            money("INR", "₹ 499,90"),
            number("1234.567", "1,235"),
            text("Goa")
        ),
    ];
    let document = |rows: &str| {
        let content = format!(
            "<office:document-content><office:body><office:spreadsheet><table:table table:name=\"Orders\"><table:table-column/>{rows}</table:table></office:spreadsheet></office:body></office:document-content>"
        );
        let kind = b"application/vnd.oasis.opendocument.spreadsheet".to_vec();
        package(&[("mimetype", kind), ("content.xml", content.into())])
    };
    check("orders.ods", &document(&rows.concat()));
    let indented =
        rows.concat().replace("><", ">\n      <").replace("<text:p>Pune</text:p>", "<text:p>\n  Pune\n  </text:p>");
    check("indented.ods", &document(&indented));
}
