//! Cells of a whole workbook in a private temporary file: what the helper process hands over, and what is read again.
//!
//! The file is a sequence of worksheets and their cells, and ends with a mark, so that a helper that died is told from
//! one that is done. All numbers are little-endian.

use std::io::{self, Read, Write};

use super::choose::Candidate;
use crate::sheet::row::CellKind;

const WORKSHEET: u8 = b'W';
const CELL: u8 = b'C';
const DONE: u8 = b'.';

const KINDS: [CellKind; 8] = [
    CellKind::Empty,
    CellKind::Text,
    CellKind::Number,
    CellKind::LossyNumber,
    CellKind::Date,
    CellKind::Flag,
    CellKind::Error,
    CellKind::FormulaWithoutValue,
];

/// One entry of the file; a cell's text is in the reader's buffer.
#[derive(Debug, Clone)]
pub(super) enum Entry {
    Worksheet(Candidate),
    Cell {
        /// Counted from 1.
        row: u32,
        /// Counted from 0.
        column: u32,
        kind: CellKind,
    },
    Done,
}

pub(super) fn write_worksheet(out: &mut impl Write, worksheet: &Candidate) -> io::Result<()> {
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes();
    out.write_all(&[WORKSHEET, u8::from(worksheet.visible)])?;
    out.write_all(&number(worksheet.rows))?;
    out.write_all(&number(worksheet.widest))?;
    out.write_all(&number(worksheet.merged))?;
    write_text(out, &worksheet.name)
}

pub(super) fn write_cell(out: &mut impl Write, row: u32, column: u32, kind: CellKind, text: &str) -> io::Result<()> {
    let kind = KINDS.iter().position(|other| *other == kind).unwrap_or(0);
    out.write_all(&[CELL, u8::try_from(kind).unwrap_or(0)])?;
    out.write_all(&row.to_le_bytes())?;
    out.write_all(&column.to_le_bytes())?;
    write_text(out, text)
}

pub(super) fn write_done(out: &mut impl Write) -> io::Result<()> {
    out.write_all(&[DONE])
}

fn write_text(out: &mut impl Write, text: &str) -> io::Result<()> {
    let length = u32::try_from(text.len()).map_err(io::Error::other)?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(text.as_bytes())
}

/// Reads one entry after the other.
pub(super) struct Entries<R> {
    inner: R,
    text: Vec<u8>,
    text_bytes_max: usize,
}

impl<R: Read> Entries<R> {
    pub(super) const fn new(inner: R, text_bytes_max: usize) -> Self {
        Self { inner, text: Vec::new(), text_bytes_max }
    }

    /// The next entry. A file that breaks off is an error.
    pub(super) fn next(&mut self) -> io::Result<Entry> {
        let [tag] = self.bytes::<1>()?;
        match tag {
            DONE => Ok(Entry::Done),
            WORKSHEET => {
                let [visible] = self.bytes()?;
                let rows = self.number()? as usize;
                let widest = self.number()? as usize;
                let merged = self.number()? as usize;
                self.read_text()?;
                let name = self.text()?.to_owned();
                Ok(Entry::Worksheet(Candidate { name, visible: visible != 0, rows, widest, merged }))
            }
            CELL => {
                let [kind] = self.bytes()?;
                let kind = KINDS.get(usize::from(kind)).copied().ok_or(io::ErrorKind::InvalidData)?;
                let (row, column) = (self.number()?, self.number()?);
                self.read_text()?;
                Ok(Entry::Cell { row, column, kind })
            }
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    /// The text of the last cell.
    pub(super) fn text(&self) -> io::Result<&str> {
        std::str::from_utf8(&self.text).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    }

    fn read_text(&mut self) -> io::Result<()> {
        let length = self.number()? as usize;
        if length > self.text_bytes_max {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("a cell of {length} bytes")));
        }
        self.text.resize(length, 0);
        self.inner.read_exact(&mut self.text)
    }

    fn number(&mut self) -> io::Result<u32> {
        self.bytes().map(u32::from_le_bytes)
    }

    fn bytes<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.inner.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_a_cut_is_noticed() {
        let mut file = Vec::new();
        let worksheet = Candidate { name: "Orders".into(), visible: true, rows: 2, widest: 3, merged: 4 };
        write_worksheet(&mut file, &worksheet).unwrap();
        write_cell(&mut file, 7, 300, CellKind::Date, "2025-10-13").unwrap();
        write_done(&mut file).unwrap();
        let mut entries = Entries::new(file.as_slice(), 100);
        assert!(
            matches!(entries.next().unwrap(), Entry::Worksheet(found) if found.name == "Orders" && found.widest == 3 && found.merged == 4)
        );
        assert!(matches!(entries.next().unwrap(), Entry::Cell { row: 7, column: 300, kind: CellKind::Date }));
        assert_eq!(entries.text().unwrap(), "2025-10-13");
        assert!(matches!(entries.next().unwrap(), Entry::Done));
        for cut in 0..file.len() {
            let mut entries = Entries::new(&file[..cut], 100);
            let error = loop {
                match entries.next() {
                    Ok(Entry::Done) => panic!("cut at {cut} goes unnoticed"),
                    Ok(_) => {}
                    Err(error) => break error,
                }
            };
            assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
        }
    }
}
