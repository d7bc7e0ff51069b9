//! A row as it was read: its cells in one buffer that is used again for the next row.

use crate::problem::Problem;

/// What a cell was in the sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CellKind {
    /// Nothing, or only spaces.
    #[default]
    Empty,
    /// Text; every cell of a text file is.
    Text,
    /// A number, written as the person saw it.
    Number,
    /// A number of more than 15 digits, or beyond all numbers: the sheet itself has lost digits.
    LossyNumber,
    /// A date, written `2025-10-13` or `2025-10-13T10:00:00`.
    Date,
    /// `TRUE` or `FALSE`.
    Flag,
    /// An error value such as `#N/A`.
    Error,
    /// A formula that was saved without its value.
    FormulaWithoutValue,
}

/// One cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cell<'r> {
    /// Its text without surrounding white space.
    pub text: &'r str,
    /// What it was.
    pub kind: CellKind,
}

/// One row of a sheet.
///
/// Reading hands out the same row again and again; clone it to keep it.
#[derive(Debug, Clone, Default)]
pub struct Row {
    number: u32,
    text: String,
    cells: Vec<(usize, CellKind)>,
    notices: Vec<Problem>,
    skip: Option<&'static str>,
    out_of_order: bool,
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
        let Some(&(end, kind)) = self.cells.get(index) else { return Cell::default() };
        let start = index.checked_sub(1).map_or(0, |before| self.cells[before].0);
        Cell { text: &self.text[start..end], kind }
    }

    /// All its cells.
    pub fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
        (0..self.len()).map(|index| self.cell(index))
    }

    /// Whether nothing stands in it.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.notices.is_empty() && self.cells.iter().all(|(_, kind)| *kind == CellKind::Empty)
    }

    /// What is wrong with the row as such. An error means that the row must not become part of an order.
    #[must_use]
    pub fn notices(&self) -> &[Problem] {
        &self.notices
    }

    /// Why the row is no order row (a footer, a description of the columns), where that is certain.
    #[must_use]
    pub const fn skip(&self) -> Option<&str> {
        self.skip
    }

    /// Begins a new row in the same buffer.
    pub(super) fn restart(&mut self, number: u32) {
        self.number = number;
        self.text.clear();
        self.cells.clear();
        self.notices.clear();
        self.skip = None;
        self.out_of_order = false;
    }

    /// A worksheet may hold its rows in any order.
    pub(super) const fn mark_out_of_order(&mut self) {
        self.out_of_order = true;
    }

    /// Whether rows of higher numbers came before it.
    pub(super) const fn is_out_of_order(&self) -> bool {
        self.out_of_order
    }

    /// Adds the next cell.
    pub(super) fn push(&mut self, text: &str, kind: CellKind) {
        let text = text.trim();
        let kind = if text.is_empty() && kind != CellKind::FormulaWithoutValue { CellKind::Empty } else { kind };
        self.text.push_str(text);
        self.cells.push((self.text.len(), kind));
    }

    /// Adds empty cells up to a column.
    pub(super) fn pad_to(&mut self, index: usize) {
        while self.cells.len() < index {
            self.cells.push((self.text.len(), CellKind::Empty));
        }
    }

    pub(super) fn notice(&mut self, problem: Problem) {
        self.notices.push(problem);
    }

    pub(super) const fn mark_skipped(&mut self, reason: &'static str) {
        self.skip = Some(reason);
    }

    /// The number of cells with content.
    pub(super) fn filled(&self) -> usize {
        self.cells.iter().filter(|(_, kind)| *kind != CellKind::Empty).count()
    }

    /// All its text, cell after cell.
    pub(super) fn whole_text(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
