//! The filled rows of a sheet, counted by other means than the program's own.

use std::fs::File;
use std::io::{BufReader, Cursor, Read, Write};
use std::path::Path;

use calamine::{Data, Ods, Range, Reader, Xls, Xlsb, Xlsx};
use shipsheet::sheet::Sheet;

/// How many rows below the header have something in them.
pub(crate) fn filled_rows(path: &Path, sheet: &Sheet) -> u32 {
    let Some(name) = &sheet.source().worksheet else { return in_text(path, sheet) };
    let bytes = Cursor::new(std::fs::read(path).unwrap());
    let range = match sheet.format().to_string().as_str() {
        "XLSX" => Xlsx::new(bytes).unwrap().worksheet_range(name).unwrap(),
        "XLS" => Xls::new(bytes).unwrap().worksheet_range(name).unwrap(),
        "XLSB" => Xlsb::new(bytes).unwrap().worksheet_range(name).unwrap(),
        "ODS" => match Ods::new(bytes) {
            Ok(mut book) => book.worksheet_range(name).unwrap(),
            Err(_) => Ods::new(Cursor::new(without_indentation(path))).unwrap().worksheet_range(name).unwrap(),
        },
        other => panic!("a worksheet in {other}"),
    };
    in_range(&range, sheet.header().row)
}

/// An ODS file as the library takes it: with nothing between its tags but text.
fn without_indentation(path: &Path) -> Vec<u8> {
    let mut archive = zip::ZipArchive::new(File::open(path).unwrap()).unwrap();
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for name in ["mimetype", "META-INF/manifest.xml", "content.xml"] {
        let mut text = String::new();
        archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
        let pieces =
            text.split('>').map(|piece| if piece.trim_start().starts_with('<') { piece.trim_start() } else { piece });
        let text = pieces.collect::<Vec<_>>().join(">");
        writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn in_range(range: &Range<Data>, header: u32) -> u32 {
    let first = range.start().map_or(0, |(row, _)| row) + 1;
    let rows = (first..).zip(range.rows()).filter(|(number, _)| *number > header);
    let filled = rows.filter(|(_, row)| row.iter().any(|cell| !cell.to_string().trim().is_empty()));
    filled.count().try_into().unwrap()
}

fn in_text(path: &Path, sheet: &Sheet) -> u32 {
    let text = text(path);
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(sheet.delimiter().unwrap())
        .from_reader(text.as_bytes());
    let mut filled = 0;
    for record in reader.records() {
        let record = record.unwrap();
        let start = usize::try_from(record.position().unwrap().byte()).unwrap();
        // The reader stands before the blank lines that it leaves out.
        let blank = text[start..].bytes().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let is_below = line_of(&text.as_bytes()[..start + blank]) > sheet.header().row;
        filled += u32::from(is_below && record.iter().any(|cell| !cell.trim().is_empty()));
    }
    filled
}

/// The number of the line that begins behind these bytes.
fn line_of(before: &[u8]) -> u32 {
    let ends = before.iter().enumerate().filter(|(at, byte)| match byte {
        b'\n' => true,
        b'\r' => before.get(at + 1) != Some(&b'\n'),
        _ => false,
    });
    u32::try_from(ends.count()).unwrap() + 1
}

/// A file's text; letters beyond ASCII may be wrong, for they end no row.
fn text(path: &Path) -> String {
    let mut bytes = Vec::new();
    BufReader::new(File::open(path).unwrap()).read_to_end(&mut bytes).unwrap();
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut unpacked = Vec::new();
        flate2::read::MultiGzDecoder::new(bytes.as_slice()).read_to_end(&mut unpacked).unwrap();
        bytes = unpacked;
    }
    let wide = |order: fn([u8; 2]) -> u16, bytes: &[u8]| {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| order([pair[0], pair[1]])).collect();
        String::from_utf16_lossy(&units)
    };
    match bytes.as_slice() {
        [0xff, 0xfe, rest @ ..] => wide(u16::from_le_bytes, rest),
        [0xfe, 0xff, rest @ ..] => wide(u16::from_be_bytes, rest),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        [_, 0, ..] => wide(u16::from_le_bytes, &bytes),
        [0, ..] => wide(u16::from_be_bytes, &bytes),
        _ => String::from_utf8_lossy(&bytes).into_owned(),
    }
}

#[test]
fn lines_are_counted_by_every_line_end() {
    for (text, line) in [("", 1), ("a", 1), ("a\n", 2), ("a\r\nb\r\n", 3), ("a\rb\r", 3), ("\n\n\r\n", 4)] {
        assert_eq!(line_of(text.as_bytes()), line, "{text:?}");
    }
}
