//! A text file with other texts in some of its cells: every other byte stays as it is.

use std::collections::BTreeMap;
use std::ops::Range;

use memchr::{memchr, memchr3};

use crate::sheet::overlay::Overlay;

/// How a text parts its cells.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dialect {
    pub(super) delimiter: u8,
    /// Whether rows stand in quotes as a whole.
    pub(super) wrapped: bool,
}

/// Puts texts into cells of a text whose first 128 characters are those of ASCII. `encode` writes a text as the file does.
pub(super) fn edited(bytes: &[u8], dialect: Dialect, overlay: &Overlay, encode: &dyn Fn(&str) -> Vec<u8>) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() + 1024);
    let (mut at, mut line) = (0, 1_u32);
    while at < bytes.len() {
        let record = Record::of(bytes, at, dialect.delimiter);
        match overlay.row(line) {
            Some(cells) => out.extend(record.with(bytes, dialect, cells, encode)),
            None => out.extend_from_slice(&bytes[at..record.end]),
        }
        let next = record.end + line_end(&bytes[record.end..]);
        out.extend_from_slice(&bytes[record.end..next]);
        (at, line) = (next, line.saturating_add(record.lines));
    }
    out
}

/// A row as it stands in a text.
struct Record {
    cells: Vec<Range<usize>>,
    end: usize,
    /// How many lines it takes.
    lines: u32,
}

impl Record {
    fn of(bytes: &[u8], from: usize, delimiter: u8) -> Self {
        let (mut cells, mut start, mut lines) = (Vec::new(), from, 1);
        loop {
            let blanks = bytes[start..].iter().take_while(|byte| matches!(byte, b' ' | b'\t') && **byte != delimiter);
            let mut at = start + blanks.count();
            if bytes.get(at) == Some(&b'"') {
                let closed = closing(bytes, at + 1);
                lines += line_ends(&bytes[at..closed]);
                at = closed;
            }
            let end = memchr3(delimiter, b'\n', b'\r', &bytes[at..]).map_or(bytes.len(), |length| at + length);
            cells.push(start..end);
            if bytes.get(end) != Some(&delimiter) {
                return Self { cells, end, lines };
            }
            start = end + 1;
        }
    }

    fn with(
        &self,
        bytes: &[u8],
        dialect: Dialect,
        typed: &BTreeMap<u32, String>,
        encode: &dyn Fn(&str) -> Vec<u8>,
    ) -> Vec<u8> {
        if let (true, [whole]) = (dialect.wrapped, &self.cells[..])
            && bytes[whole.clone()].first() == Some(&b'"')
        {
            let inner = unquoted(&bytes[whole.clone()]);
            let record = Self::of(&inner, 0, dialect.delimiter);
            return quoted(&record.with(&inner, Dialect { wrapped: false, ..dialect }, typed, encode));
        }
        let width = typed.last_key_value().map_or(0, |(column, _)| *column as usize + 1).max(self.cells.len());
        let mut out = Vec::new();
        for (column, index) in (0_u32..).zip(0..width) {
            if index > 0 {
                out.push(dialect.delimiter);
            }
            let before = self.cells.get(index).map_or(&[][..], |place| &bytes[place.clone()]);
            match typed.get(&column) {
                Some(text) => {
                    let text = encode(text);
                    let is_special = |byte: &u8| matches!(byte, b'"' | b'\n' | b'\r') || *byte == dialect.delimiter;
                    let was_quoted = before.trim_ascii_start().first() == Some(&b'"');
                    let needs = was_quoted || text.iter().any(is_special) || text.trim_ascii().len() < text.len();
                    out.extend(if needs { quoted(&text) } else { text });
                }
                None => out.extend_from_slice(before),
            }
        }
        out
    }
}

/// Where a quoted stretch ends, its closing quote included; the text's end where it has none.
fn closing(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(length) = memchr(b'"', &bytes[at..]) {
        at += length + 1;
        if bytes.get(at) != Some(&b'"') {
            return at;
        }
        at += 1;
    }
    bytes.len()
}

fn quoted(text: &[u8]) -> Vec<u8> {
    let mut out = vec![b'"'];
    for byte in text {
        out.extend(if *byte == b'"' { &b"\"\""[..] } else { std::slice::from_ref(byte) });
    }
    out.push(b'"');
    out
}

fn unquoted(cell: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut bytes = cell.strip_prefix(b"\"").unwrap_or(cell);
    bytes = bytes.strip_suffix(b"\"").unwrap_or(bytes);
    while let [byte, rest @ ..] = bytes {
        out.push(*byte);
        bytes = if bytes.starts_with(b"\"\"") { &bytes[2..] } else { rest };
    }
    out
}

fn line_end(bytes: &[u8]) -> usize {
    match bytes {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

fn line_ends(bytes: &[u8]) -> u32 {
    let mut ends = 0_u32;
    let mut at = 0;
    while at < bytes.len() {
        let end = line_end(&bytes[at..]);
        ends += u32::from(end > 0);
        at += end.max(1);
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str, cells: &[(u32, u32, &str)]) -> String {
        let mut overlay = Overlay::default();
        for (row, column, text) in cells {
            overlay.set(*row, *column, *text);
        }
        let dialect = Dialect { delimiter: b',', wrapped: false };
        String::from_utf8(edited(text.as_bytes(), dialect, &overlay, &|text| text.into())).unwrap()
    }

    #[test]
    fn only_what_is_typed_changes() {
        let text = "\u{feff}a, b ,\"c\"\r\n1,\"x,\n\"\"y\",3\r\n\r\n4,5\n6,7,8";
        assert_eq!(typed(text, &[]), text);
        let expected = "\u{feff}a, b ,\"c\"\r\n1,\"say \"\"hi\"\"\",3\r\n\r\n4,5,,new\n6,7,\"8,5\"";
        assert_eq!(typed(text, &[(2, 1, "say \"hi\""), (5, 3, "new"), (6, 2, "8,5")]), expected);
        assert_eq!(typed(text, &[(1, 2, "C")]), text.replace("\"c\"", "\"C\""));
    }

    #[test]
    fn rows_in_quotes_stay_in_quotes() {
        let mut overlay = Overlay::default();
        overlay.set(2, 1, "z");
        let dialect = Dialect { delimiter: b',', wrapped: true };
        let out = edited(b"\"a,b\"\n\"1,\"\"x y\"\"\"\n", dialect, &overlay, &|text| text.into());
        assert_eq!(String::from_utf8(out).unwrap(), "\"a,b\"\n\"1,\"\"z\"\"\"\n");
    }
}
