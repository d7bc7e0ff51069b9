//! Stretches of a sheet's rows that can be read apart from each other, on several cores at once.
//!
//! A stretch of a text file whose quotes stand around whole cells of one line is kept as it stands: every line is a row,
//! wherever one begins. Rows that were taken apart already, those with other quotes and those of workbooks, are kept packed one
//! behind the other.

use memchr::memchr2;

use super::row::{Row, each_cell};

/// A stretch of a sheet's rows; [`super::Sheet::portions`] hands them out in the sheet's order.
#[derive(Debug, Default)]
pub struct Portion {
    bytes: Vec<u8>,
    segments: Vec<Segment>,
    /// How many bytes it is to have.
    wanted: usize,
    /// Cells of the widest row of the text file so far.
    pub(super) width: usize,
}

#[derive(Debug, Clone, Copy)]
struct Segment {
    end: usize,
    form: Form,
}

/// How rows are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Lines whose quotes stand around whole cells; the first one has this number.
    Lines(u32),
    /// One row packed behind the other.
    Packed,
}

/// Rows of one form, one behind the other.
pub(super) struct Stretch<'p> {
    pub(super) bytes: &'p [u8],
    pub(super) form: Form,
}

impl Portion {
    /// Is full as soon as it has so many bytes.
    pub(super) fn of(wanted: usize) -> Self {
        Self { bytes: Vec::with_capacity(wanted), wanted, ..Self::default() }
    }

    /// Begins anew, in the same memory unless somebody has taken it away.
    pub(super) fn restart(&mut self, wanted: usize) {
        self.bytes.clear();
        self.bytes.reserve(wanted);
        self.segments.clear();
        (self.wanted, self.width) = (wanted, 0);
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(super) const fn is_full(&self) -> bool {
        self.bytes.len() >= self.wanted
    }

    /// All that is in it, and how it is kept, to be read again from elsewhere.
    pub(super) fn packed(&self) -> Option<&[u8]> {
        self.segments.iter().all(|segment| segment.form == Form::Packed).then_some(&self.bytes)
    }

    pub(super) fn of_packed(bytes: Vec<u8>) -> Self {
        let segments = vec![Segment { end: bytes.len(), form: Form::Packed }];
        Self { bytes, segments, ..Self::default() }
    }

    /// Adds whole lines, whose quotes stand around whole cells.
    pub(super) fn push_lines(&mut self, lines: &[u8], first_line: u32) {
        self.bytes.extend_from_slice(lines);
        self.segments.push(Segment { end: self.bytes.len(), form: Form::Lines(first_line) });
    }

    /// Adds a row without notices.
    pub(super) fn push_row(&mut self, row: &Row) {
        row.pack(&mut self.bytes);
        let end = self.bytes.len();
        match self.segments.last_mut() {
            Some(segment) if segment.form == Form::Packed => segment.end = end,
            _ => self.segments.push(Segment { end, form: Form::Packed }),
        }
    }

    /// The number of its first line, where it begins with lines.
    pub(super) fn first_line(&self) -> Option<u32> {
        let Some(Segment { form: Form::Lines(first), .. }) = self.segments.first() else { return None };
        Some(*first)
    }

    /// Cells of its first line, where it begins with lines.
    pub(super) fn first_width(&self, delimiter: u8) -> usize {
        let Some(Segment { end, form: Form::Lines(_) }) = self.segments.first() else { return 0 };
        let lines = &self.bytes[..*end];
        let line = memchr2(b'\n', b'\r', lines).map_or(lines, |end| &lines[..end]);
        let mut cells = 0;
        each_cell(line, delimiter, |_, _| cells += 1);
        cells
    }

    /// Its rows.
    pub(super) fn stretches(&self) -> impl Iterator<Item = Stretch<'_>> {
        let starts = std::iter::once(0).chain(self.segments.iter().map(|segment| segment.end));
        let own = |(segment, start): (&Segment, usize)| Stretch {
            bytes: &self.bytes[start..segment.end],
            form: segment.form,
        };
        self.segments.iter().zip(starts).map(own)
    }
}

#[cfg(test)]
mod tests {
    use super::super::cell::CellKind;
    use super::super::packing::Unpacking;
    use super::*;

    #[test]
    fn packed_rows_are_the_rows_that_were_packed() {
        let long = "x".repeat(70_000);
        let rows: [&[(&str, CellKind)]; 4] = [
            &[("a", CellKind::Text), ("", CellKind::Empty), ("12", CellKind::Number)],
            &[],
            &[(long.as_str(), CellKind::Text), ("ä", CellKind::Date), ("", CellKind::FormulaWithoutValue)],
            &[("#N/A", CellKind::Error), ("1", CellKind::LossyNumber), ("TRUE", CellKind::Flag)],
        ];
        let mut portion = Portion::of(0);
        let mut row = Row::default();
        for (number, cells) in (3..).zip(rows) {
            row.restart(number * 1_000);
            for (text, kind) in cells {
                row.push(text, *kind);
            }
            portion.push_row(&row);
        }
        let stretch = portion.stretches().next().unwrap();
        let mut unpacking = Unpacking::new(stretch.bytes);
        for (number, cells) in (3..).zip(rows) {
            row.unpack(&mut unpacking);
            let found: Vec<_> = row.cells().map(|cell| (cell.text, cell.kind)).collect();
            assert_eq!((row.number(), found.as_slice()), (number * 1_000, cells));
        }
        assert!(unpacking.is_done());
    }
}
