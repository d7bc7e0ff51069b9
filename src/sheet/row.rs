//! A row as it was read: its cells in one buffer that is used again for the next row.

use std::collections::BTreeMap;

use memchr::memchr;

use super::cell::{Cell, CellKind};
use super::packing::{Unpacking, pack_cell, pack_number};
use crate::finding::Finding;

/// Where a cell's text lies, with surrounding white space.
#[derive(Debug, Clone, Copy)]
struct Span {
    start: u32,
    end: u32,
    kind: CellKind,
}

/// One row of a sheet.
///
/// Reading hands out the same row again and again; clone it to keep it.
#[derive(Debug, Clone, Default)]
pub struct Row {
    number: u32,
    /// The cells' texts, and whatever stands between them.
    text: String,
    cells: Vec<Span>,
    notices: Vec<Finding>,
    skip: Option<&'static str>,
    /// The highest row before it, where that is a later one.
    out_of_order: Option<u32>,
    /// Whether a cell of it may have been unreadable.
    suspect: bool,
    /// Whether a cell of it is struck through.
    struck: bool,
    /// Whether its text is that of a line, delimiters included.
    is_line: bool,
    ending: Ending,
    /// Columns whose value stands in a row above, in a cell that is merged down to this one.
    merged: Vec<usize>,
    /// What it was before somebody typed in it.
    came: Option<Came>,
}

/// How it ends in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Ending {
    #[default]
    Closed,
    /// The file ends in its last cell, with no line end and no quote behind it.
    Open,
}

/// A row before somebody typed in it.
#[derive(Debug, Clone)]
pub(super) struct Came {
    /// What told it from all other rows.
    pub(super) content: i64,
    /// The cells over which something was typed.
    cells: Vec<(usize, String)>,
}

impl Row {
    /// Its number as the person sees it: the worksheet's row, or the line of a text file on which it starts.
    #[must_use]
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// How many cells it has, empty ones at its end included where the file has them.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether it has no cells at all; see [`Row::is_blank`] for cells without content.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The cell of a column counted from 0; empty beyond the row's end.
    #[must_use]
    pub fn cell(&self, index: usize) -> Cell<'_> {
        self.cells.get(index).map_or_else(Cell::default, |span| self.cell_at(*span))
    }

    /// All its cells.
    pub fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
        self.cells.iter().map(|span| self.cell_at(*span))
    }

    fn cell_at(&self, span: Span) -> Cell<'_> {
        let text = trimmed(self.kept(span));
        let kind = if text.is_empty() && span.kind == CellKind::Text { CellKind::Empty } else { span.kind };
        Cell::kept(text, kind)
    }

    fn kept(&self, span: Span) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }

    /// Its own text from one cell to another, where it is a line of a text file and has both: then what stands between
    /// the cells tells them apart.
    #[must_use]
    pub fn stretch(&self, first: usize, last: usize) -> Option<&str> {
        let (first, last) = (self.cells.get(first)?, self.cells.get(last)?);
        if self.is_line { self.text.get(first.start as usize..last.end as usize) } else { None }
    }

    /// Whether nothing stands in it.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.notices.is_empty() && !self.has_filled(1)
    }

    /// What is wrong with the row as such. An error means that the row must not become part of an order.
    #[must_use]
    pub fn notices(&self) -> &[Finding] {
        &self.notices
    }

    /// Why the row is no order row (a footer, a description of the columns), where that is certain.
    #[must_use]
    pub const fn skip(&self) -> Option<&str> {
        self.skip
    }

    /// Whether the cell of a column counted from 0 is merged with one above, whose value it has.
    #[must_use]
    pub fn is_merged(&self, index: usize) -> bool {
        self.merged.contains(&index)
    }

    /// What it was before somebody typed in it.
    pub(super) const fn came(&self) -> Option<&Came> {
        self.came.as_ref()
    }

    /// The row before somebody typed in it.
    #[must_use]
    pub fn as_it_came(&self) -> Option<Self> {
        let came = self.came.as_ref()?;
        let mut row = Self { number: self.number, ..Self::default() };
        for (index, span) in self.cells.iter().enumerate() {
            match came.cells.iter().find(|(column, _)| *column == index) {
                Some((_, text)) => row.push(text, CellKind::Text),
                None => row.push(self.kept(*span), span.kind),
            }
        }
        Some(row)
    }

    /// Whether any cell is merged with one above.
    #[must_use]
    pub const fn has_merged(&self) -> bool {
        !self.merged.is_empty()
    }

    /// Begins a new row in the same buffer.
    pub(super) fn restart(&mut self, number: u32) {
        self.number = number;
        self.text.clear();
        self.cells.clear();
        self.notices.clear();
        self.skip = None;
        self.out_of_order = None;
        self.suspect = false;
        self.struck = false;
        self.is_line = false;
        self.ending = Ending::Closed;
        self.merged.clear();
        self.came = None;
    }

    /// Its file ends in its last cell, with no line end and no quote behind it.
    pub(super) const fn mark_open(&mut self) {
        self.ending = Ending::Open;
    }

    /// Whether its file ends in its last cell, so that more may have stood there.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        matches!(self.ending, Ending::Open)
    }

    /// A worksheet may hold its rows in any order.
    pub(super) const fn mark_out_of_order(&mut self, highest: u32) {
        self.out_of_order = Some(highest);
    }

    /// The highest row before it, where that is a later one.
    pub(super) const fn out_of_order(&self) -> Option<u32> {
        self.out_of_order
    }

    /// A cell could not be read, and nobody knows in which row it stands.
    pub(super) const fn mark_suspect(&mut self) {
        self.suspect = true;
    }

    /// Something in it is struck through.
    pub(super) const fn mark_struck(&mut self) {
        self.struck = true;
    }

    /// Whether something in it is struck through.
    pub(super) const fn is_struck(&self) -> bool {
        self.struck
    }

    /// Whether a cell of it may have been unreadable.
    pub(super) const fn is_suspect(&self) -> bool {
        self.suspect
    }

    /// Writes the row without its notices.
    pub(super) fn pack(&self, out: &mut Vec<u8>) {
        pack_number(self.number as usize, out);
        let marks = usize::from(self.is_open()) << 2 | usize::from(self.struck) << 1 | usize::from(self.suspect);
        pack_number(self.merged.len() << 3 | marks, out);
        self.merged.iter().for_each(|column| pack_number(*column, out));
        pack_number(self.out_of_order.unwrap_or_default() as usize, out);
        pack_number(self.cells.len(), out);
        let texts = || self.cells.iter().map(|span| &self.text[span.start as usize..span.end as usize]);
        pack_number(texts().map(str::len).sum(), out);
        texts().zip(&self.cells).for_each(|(text, span)| pack_cell(text.len(), span.kind, out));
        texts().for_each(|text| out.extend_from_slice(text.as_bytes()));
    }

    /// Becomes the row that was packed next.
    pub(super) fn unpack(&mut self, from: &mut Unpacking<'_>) {
        self.restart(offset(from.number()));
        let marks = from.number();
        self.suspect = marks & 1 > 0;
        self.struck = marks & 2 > 0;
        self.ending = if marks & 4 > 0 { Ending::Open } else { Ending::Closed };
        self.merged.extend((0..marks >> 3).map(|_| from.number()));
        self.out_of_order = Some(offset(from.number())).filter(|highest| *highest > 0);
        let (cells, bytes) = (from.number(), from.number());
        let mut start = 0;
        for _ in 0..cells {
            let (length, kind) = from.cell();
            let end = start + offset(length);
            self.cells.push(Span { start, end, kind });
            start = end;
        }
        self.text.push_str(from.text(bytes));
    }

    /// Adds the next cell.
    pub(super) fn push(&mut self, text: &str, kind: CellKind) {
        let text = text.trim();
        let kind = if text.is_empty() && kind != CellKind::FormulaWithoutValue { CellKind::Empty } else { kind };
        self.add(text, kind);
    }

    /// Adds the next cell of a text file as it stands there.
    pub(super) fn push_text(&mut self, text: &str) {
        self.add(text, CellKind::Text);
    }

    fn add(&mut self, text: &str, kind: CellKind) {
        let start = offset(self.text.len());
        self.text.push_str(text);
        self.cells.push(Span { start, end: offset(self.text.len()), kind });
    }

    /// Takes a whole line of a text file into an empty row. What stands behind the last delimiter is a cell too, and quotes
    /// stand only around whole cells.
    pub(super) fn push_raw(&mut self, line: &str, delimiter: u8) {
        self.text.push_str(line);
        self.is_line = true;
        each_cell(line.as_bytes(), delimiter, |start, end| {
            self.cells.push(Span { start: offset(start), end: offset(end), kind: CellKind::Text });
        });
    }

    /// Bytes of the longest cell, white space included.
    pub(super) fn longest_raw(&self) -> usize {
        // No cell is longer than the whole.
        if self.text.len() <= 1 << 15 {
            return self.text.len();
        }
        self.cells.iter().map(|span| (span.end - span.start) as usize).max().unwrap_or(0)
    }

    /// Adds empty cells up to a column.
    pub(super) fn pad_to(&mut self, index: usize) {
        while self.cells.len() < index {
            self.add("", CellKind::Empty);
        }
    }

    /// Gives an empty cell the value of the one above that it is merged with.
    pub(super) fn merge(&mut self, index: usize, text: &str, kind: CellKind) {
        if self.cell(index).kind != CellKind::Empty {
            return;
        }
        self.pad_to(index);
        let start = offset(self.text.len());
        self.text.push_str(text);
        let span = Span { start, end: offset(self.text.len()), kind };
        match self.cells.get_mut(index) {
            Some(cell) => *cell = span,
            None => self.cells.push(span),
        }
        self.merged.push(index);
    }

    /// Gives each cell the text and kind that `new` says.
    pub(super) fn rewrite(&mut self, new: &mut dyn for<'t> FnMut(usize, &'t str, CellKind) -> (&'t str, CellKind)) {
        let (text, cells) = (std::mem::take(&mut self.text), std::mem::take(&mut self.cells));
        self.is_line = false;
        let before = Self { text, cells, ..Self::default() };
        for (index, cell) in before.cells().enumerate() {
            let (text, kind) = new(index, cell.text, cell.kind);
            self.push(text, kind);
        }
    }

    /// Puts texts in place of cells, as if they were typed there.
    pub(super) fn lay_over(&mut self, cells: &BTreeMap<u32, String>, header: &[String]) {
        let before = cells.keys().map(|column| *column as usize);
        let before = before.map(|index| (index, self.cell(index).text.to_owned())).collect();
        self.came = Some(Came { content: self.content(header), cells: before });
        let typed = |index: usize| u32::try_from(index).ok().and_then(|column| cells.get(&column));
        if let Some((last, _)) = cells.last_key_value() {
            self.pad_to(*last as usize + 1);
        }
        let (before, spans) = (std::mem::take(&mut self.text), std::mem::take(&mut self.cells));
        self.is_line = false;
        if typed(spans.len().saturating_sub(1)).is_some() {
            self.ending = Ending::Closed;
        }
        for (index, span) in spans.into_iter().enumerate() {
            match typed(index) {
                Some(text) => self.push(text, CellKind::Text),
                None => self.add(&before[span.start as usize..span.end as usize], span.kind),
            }
        }
        self.merged.retain(|column| typed(*column).is_none());
    }

    pub(super) fn notice(&mut self, finding: Finding) {
        self.notices.push(finding);
    }

    pub(super) const fn mark_skipped(&mut self, reason: &'static str) {
        self.skip = Some(reason);
    }

    /// The number of cells with content.
    pub(super) fn filled(&self) -> usize {
        self.cells.iter().filter(|span| self.is_filled(span)).count()
    }

    /// Whether at least so many cells have content, which is known sooner than how many.
    pub(super) fn has_filled(&self, at_least: usize) -> bool {
        self.cells.iter().filter(|span| self.is_filled(span)).take(at_least).count() == at_least
    }

    /// Whether a cell has content: nearly always its first byte says so.
    fn is_filled(&self, span: &Span) -> bool {
        let text = &self.text.as_bytes()[span.start as usize..span.end as usize];
        match (span.kind, text.first()) {
            (CellKind::Text, None) => false,
            (CellKind::Text, Some(first)) => first.is_ascii_graphic() || self.cell_at(*span).kind != CellKind::Empty,
            (kind, _) => kind != CellKind::Empty,
        }
    }

    /// All its text, cell after cell, and in a text file what stands between them.
    pub(super) fn whole_text(&self) -> &str {
        &self.text
    }
}

/// Where each cell of a line begins and ends, without its quotes. A quote stands only around a whole cell.
pub(super) fn each_cell(line: &[u8], delimiter: u8, mut each: impl FnMut(usize, usize)) {
    // Where the quotes around a cell end; 0 where it has none.
    let closing = |start: usize| match line.get(start) {
        Some(b'"') => memchr(b'"', &line[start + 1..]).map_or(0, |length| start + 1 + length),
        _ => 0,
    };
    let (mut start, mut closed) = (0, closing(0));
    let mut end_cell = |start: usize, end: usize, closed: usize| {
        if closed == 0 { each(start, end) } else { each(start + 1, closed) }
    };
    each_place(line, delimiter, |end| {
        // Within quotes a delimiter is text.
        if end < closed {
            return;
        }
        end_cell(start, end, closed);
        start = end + 1;
        closed = closing(start);
    });
    end_cell(start, line.len(), closed);
}

/// Every place of a byte, eight bytes at a time: delimiters stand too close together for a search from each to the next.
fn each_place(bytes: &[u8], wanted: u8, mut each: impl FnMut(usize)) {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let pattern = u64::from_le_bytes([wanted; 8]);
    let (words, rest) = bytes.as_chunks::<8>();
    for (word, start) in words.iter().zip((0..).step_by(8)) {
        let differs = u64::from_le_bytes(*word) ^ pattern;
        // The high bit of every byte that does not differ, and of no other.
        let mut found = !(((differs & LOW) + LOW) | differs | LOW);
        while found != 0 {
            each(start + found.trailing_zeros() as usize / 8);
            found &= found - 1;
        }
    }
    let start = words.len() * 8;
    rest.iter().zip(start..).filter(|(byte, _)| **byte == wanted).for_each(|(_, at)| each(at));
}

fn offset(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// `str::trim`, which most cells do not need.
fn trimmed(text: &str) -> &str {
    let is_sign = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_graphic);
    if is_sign(text.as_bytes().first()) && is_sign(text.as_bytes().last()) { text } else { text.trim() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_of_a_byte_is_found() {
        let text: Vec<u8> = (0..4_000_u32).map(|n| [b',', b'-', 0xac, b'a', 0][(n * n / 7 % 5) as usize]).collect();
        for length in 0..40 {
            for start in 0..100 {
                let bytes = &text[start * 37..start * 37 + length];
                let mut found = Vec::new();
                each_place(bytes, b',', |at| found.push(at));
                let wanted: Vec<usize> = (0..length).filter(|at| bytes[*at] == b',').collect();
                assert_eq!(found, wanted, "{bytes:?}");
            }
        }
    }

    #[test]
    fn a_line_that_is_written_anew_is_no_line() {
        let mut row = Row::default();
        row.restart(2);
        row.push_raw("a,bc,d", b',');
        assert_eq!((row.stretch(0, 1), row.stretch(1, 3)), (Some("a,bc"), None));
        row.rewrite(&mut |_, text, kind| (text, kind));
        assert_eq!(row.stretch(0, 1), None);
    }

    #[test]
    fn cells_are_trimmed_and_empty_beyond_the_end() {
        let mut row = Row::default();
        row.restart(7);
        for text in [" a ", "", "\u{a0}", "b c\n"] {
            row.push(text, CellKind::Text);
        }
        let texts: Vec<_> = (0..6).map(|index| (row.cell(index).text.to_owned(), row.cell(index).kind)).collect();
        let expected = [
            ("a", CellKind::Text),
            ("", CellKind::Empty),
            ("", CellKind::Empty),
            ("b c", CellKind::Text),
            ("", CellKind::Empty),
            ("", CellKind::Empty),
        ];
        assert_eq!(texts, expected.map(|(text, kind)| (text.to_owned(), kind)));
        assert!(!row.is_blank());
        row.restart(8);
        row.push("  ", CellKind::Text);
        assert!(row.is_blank() && row.len() == 1);
    }
}
