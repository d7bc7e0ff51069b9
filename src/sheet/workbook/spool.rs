//! Cells of a whole workbook in a private temporary file: what the helper process hands over, and what is read again.
//!
//! The file is a sequence of worksheets, each with its cells and its shape, and ends with a mark, so that a helper that
//! died is told from one that is done. All numbers are little-endian.

use std::io::{self, Read, Write};

use super::shape::{Area, Shape};
use crate::sheet::cell::CellKind;

const WORKSHEET: u8 = b'W';
const CELL: u8 = b'C';
const HIDDEN: u8 = b'H';
const MERGED: u8 = b'M';
const COLOURED: u8 = b'K';
const FORMATS_UNKNOWN: u8 = b'F';
const DONE: u8 = b'.';

/// One entry of the file; a cell's text is in the reader's buffer.
#[derive(Debug, Clone)]
pub(super) enum Entry {
    Worksheet {
        name: String,
        visible: bool,
    },
    Cell {
        /// Counted from 1.
        row: u32,
        /// Counted from 0.
        column: u32,
        kind: CellKind,
    },
    /// Hidden rows of the worksheet before it.
    Hidden(u32, u32),
    /// Merged cells of the worksheet before it.
    Merged(Area),
    /// Rows of one colour of the worksheet before it.
    Coloured(u32, u32, u16),
    /// The number formats of the worksheet before it are not known.
    FormatsUnknown,
    Done,
}

pub(super) fn write_worksheet(out: &mut impl Write, name: &str, visible: bool) -> io::Result<()> {
    out.write_all(&[WORKSHEET, u8::from(visible)])?;
    write_text(out, name)
}

/// Writes the shape of the worksheet that was begun last.
pub(super) fn write_shape(out: &mut impl Write, shape: &Shape) -> io::Result<()> {
    for (first, last) in shape.hidden() {
        out.write_all(&[HIDDEN])?;
        out.write_all(&first.to_le_bytes())?;
        out.write_all(&last.to_le_bytes())?;
    }
    for area in shape.merged() {
        out.write_all(&[MERGED])?;
        for number in [area.rows.0, area.rows.1, area.columns.0, area.columns.1] {
            out.write_all(&number.to_le_bytes())?;
        }
    }
    for (first, last, colour) in shape.coloured() {
        out.write_all(&[COLOURED])?;
        for number in [*first, *last, u32::from(*colour)] {
            out.write_all(&number.to_le_bytes())?;
        }
    }
    if shape.formats_unknown { out.write_all(&[FORMATS_UNKNOWN]) } else { Ok(()) }
}

pub(super) fn write_cell(out: &mut impl Write, row: u32, column: u32, kind: CellKind, text: &str) -> io::Result<()> {
    out.write_all(&[CELL, kind.code()])?;
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
                let length = self.number()?;
                self.read_text(length)?;
                Ok(Entry::Worksheet { name: self.text()?.to_owned(), visible: visible != 0 })
            }
            CELL => {
                let [kind, r0, r1, r2, r3, c0, c1, c2, c3, l0, l1, l2, l3] = self.bytes()?;
                let kind = CellKind::of_code(kind).ok_or(io::ErrorKind::InvalidData)?;
                let number = u32::from_le_bytes;
                self.read_text(number([l0, l1, l2, l3]))?;
                Ok(Entry::Cell { row: number([r0, r1, r2, r3]), column: number([c0, c1, c2, c3]), kind })
            }
            HIDDEN => Ok(Entry::Hidden(self.number()?, self.number()?)),
            MERGED => {
                let rows = (self.number()?, self.number()?);
                Ok(Entry::Merged(Area { rows, columns: (self.number()?, self.number()?) }))
            }
            COLOURED => {
                let (first, last, colour) = (self.number()?, self.number()?, self.number()?);
                Ok(Entry::Coloured(first, last, u16::try_from(colour).unwrap_or(u16::MAX)))
            }
            FORMATS_UNKNOWN => Ok(Entry::FormatsUnknown),
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    /// The text of the last cell.
    pub(super) fn text(&self) -> io::Result<&str> {
        std::str::from_utf8(&self.text).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    }

    fn read_text(&mut self, length: u32) -> io::Result<()> {
        let length = length as usize;
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
        write_worksheet(&mut file, "Orders", true).unwrap();
        write_cell(&mut file, 7, 300, CellKind::Date, "2025-10-13").unwrap();
        let area = Area { rows: (2, 4), columns: (1, 2) };
        let mut shape = Shape::default();
        shape.formats_unknown = true;
        shape.hide(8, 9);
        shape.merge(area);
        shape.colour(3, 2);
        write_shape(&mut file, &shape).unwrap();
        write_done(&mut file).unwrap();
        let mut entries = Entries::new(file.as_slice(), 100);
        assert!(matches!(entries.next().unwrap(), Entry::Worksheet { name, visible: true } if name == "Orders"));
        assert!(matches!(entries.next().unwrap(), Entry::Cell { row: 7, column: 300, kind: CellKind::Date }));
        assert_eq!(entries.text().unwrap(), "2025-10-13");
        assert!(matches!(entries.next().unwrap(), Entry::Hidden(8, 9)));
        assert!(matches!(entries.next().unwrap(), Entry::Merged(found) if found == area));
        assert!(matches!(entries.next().unwrap(), Entry::Coloured(3, 3, 2)));
        assert!(matches!(entries.next().unwrap(), Entry::FormatsUnknown));
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
