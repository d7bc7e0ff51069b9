//! Takes lines apart into cells.

use std::io;
use std::ops::ControlFlow;

use memchr::memchr2;

use crate::sheet::Limits;
use crate::sheet::packing::Unpacking;
use crate::sheet::portion::{Form, Stretch};
use crate::sheet::row::Row;

/// How many cells of the greatest length a record may have; it is held as a whole.
const RECORD_CELLS: usize = 16;

/// Why the text cannot be taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Trouble {
    /// A quote that opens on `line`.
    Quote {
        /// Counted from 1.
        line: u32,
        /// What becomes of it.
        ends: String,
    },
    /// A cell of the record that starts on this line is too long.
    LongCell(u32),
    /// The record that starts on this line has too many cells or bytes.
    LongRecord(u32),
    /// The line holds bytes that the decoder should not have let through.
    Undecoded(u32),
}

/// How lines are cut into cells, and how large what comes out may be.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cut {
    pub(super) delimiter: u8,
    pub(super) columns_max: usize,
    pub(super) cell_bytes_max: usize,
}

impl Cut {
    pub(super) const fn new(delimiter: u8, limits: &Limits) -> Self {
        Self { delimiter, columns_max: limits.columns_max as usize, cell_bytes_max: limits.cell_bytes_max }
    }

    pub(super) const fn record_bytes_max(&self) -> usize {
        self.cell_bytes_max * RECORD_CELLS
    }

    pub(super) const fn is_space(&self, byte: u8) -> bool {
        matches!(byte, b' ' | b'\t') && byte != self.delimiter
    }

    /// Hands every row of a stretch to `each`, blank ones too, until it breaks off.
    pub(super) fn rows(
        &self,
        stretch: &Stretch<'_>,
        row: &mut Row,
        each: &mut dyn FnMut(&mut Row) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Trouble> {
        let bytes = stretch.bytes;
        let Form::Lines(first) = stretch.form else {
            return Ok(packed_rows(stretch, row, each));
        };
        let (mut next, mut line) = (0, first);
        while next < bytes.len() {
            let rest = &bytes[next..];
            let end = memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
            next += end + if rest[end..].starts_with(b"\r\n") { 2 } else { 1 };
            self.line(&rest[..end], line, row)?;
            if end == rest.len() {
                row.mark_open();
            }
            if each(row).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            line = line.saturating_add(1);
        }
        Ok(ControlFlow::Continue(()))
    }

    fn line(&self, line: &[u8], number: u32, row: &mut Row) -> Result<(), Trouble> {
        row.restart(number);
        if line.iter().all(|byte| self.is_space(*byte)) {
            return Ok(());
        }
        if line.len() > self.record_bytes_max() {
            return Err(Trouble::LongRecord(number));
        }
        let text = std::str::from_utf8(line).map_err(|_| Trouble::Undecoded(number))?;
        row.push_raw(text, self.delimiter);
        if row.longest_raw() > self.cell_bytes_max {
            return Err(Trouble::LongCell(number));
        }
        if row.len() > self.columns_max {
            return Err(Trouble::LongRecord(number));
        }
        Ok(())
    }
}

/// Hands out rows that were taken apart before.
pub(in crate::sheet) fn packed_rows(
    stretch: &Stretch<'_>,
    row: &mut Row,
    each: &mut dyn FnMut(&mut Row) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut unpacking = Unpacking::new(stretch.bytes);
    while !unpacking.is_done() {
        row.unpack(&mut unpacking);
        each(row)?;
    }
    ControlFlow::Continue(())
}

impl From<Trouble> for io::Error {
    fn from(_: Trouble) -> Self {
        Self::other("the text cannot be taken apart")
    }
}
