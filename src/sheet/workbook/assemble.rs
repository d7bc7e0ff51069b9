//! Cells become rows, in whatever order they come.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::shape::{Fill, Shape};
use crate::origin::{Place, Source};
use crate::problem::{Code, Problem};
use crate::sheet::row::{CellKind, Row};

/// Collects the cells of one row at a time and fills the gaps between rows with blank ones.
pub(super) struct Assembly<'e> {
    each: &'e mut dyn FnMut(&mut Row) -> ControlFlow<()>,
    fill: Fill<'e>,
    row: Row,
    /// The row that is being collected; 0 before the first cell.
    number: u32,
    /// The highest row that was handed out.
    highest: u32,
    cells: Vec<(u32, usize, usize, CellKind)>,
    text: String,
    scratch: String,
    /// Whether a cell of this row could not be read.
    suspect: bool,
    /// Whether the rows left out before this one may have held such a cell.
    suspect_gap: bool,
    /// Whether the unreadable cell may as well stand in what comes next.
    suspect_next: bool,
}

impl<'e> Assembly<'e> {
    pub(super) fn new(shape: &'e Shape, each: &'e mut dyn FnMut(&mut Row) -> ControlFlow<()>) -> Self {
        Self {
            each,
            fill: Fill::new(shape),
            row: Row::default(),
            number: 0,
            highest: 0,
            cells: Vec::new(),
            text: String::new(),
            scratch: String::new(),
            suspect: false,
            suspect_gap: false,
            suspect_next: false,
        }
    }

    /// Adds a cell by its row, counted from 1, and its column, counted from 0; `write` writes its text.
    pub(super) fn cell(
        &mut self,
        number: u32,
        column: u32,
        write: impl FnOnce(&mut String) -> CellKind,
    ) -> ControlFlow<()> {
        self.scratch.clear();
        let kind = write(&mut self.scratch);
        if self.scratch.trim().is_empty() && kind != CellKind::FormulaWithoutValue {
            // A cell with a format only, which may stand a million rows below the last order; or a repeated cell.
            if number == self.number {
                self.cells.retain(|(other, ..)| *other != column);
            }
            return ControlFlow::Continue(());
        }
        if number != self.number {
            self.hand_out()?;
            self.number = number;
            self.suspect_gap = self.suspect_next;
            self.suspect = self.suspect_next;
        }
        self.suspect_next = false;
        let start = self.text.len();
        self.text.push_str(&self.scratch);
        self.cells.push((column, start, self.text.len(), kind));
        ControlFlow::Continue(())
    }

    /// Notes that a cell could not be read. Nobody knows its place: it may end this row or begin the next one.
    pub(super) const fn unreadable(&mut self) {
        self.suspect = true;
        self.suspect_next = true;
    }

    /// Hands out the last row.
    pub(super) fn finish(&mut self) -> ControlFlow<()> {
        self.hand_out()
    }

    fn hand_out(&mut self) -> ControlFlow<()> {
        if self.number > 0 {
            for gap in self.highest + 1..self.number {
                self.row.restart(gap);
                if self.suspect_gap {
                    self.row.mark_suspect();
                }
                (self.each)(&mut self.row)?;
            }
            self.row.restart(self.number);
            // Stable: of two cells in one place the later one stays.
            self.cells.sort_by_key(|(column, ..)| *column);
            for (index, (column, start, end, kind)) in self.cells.iter().enumerate() {
                if self.cells.get(index + 1).is_none_or(|(next, ..)| next != column) {
                    self.row.pad_to(*column as usize);
                    self.row.push(&self.text[*start..*end], *kind);
                }
            }
            if self.suspect {
                self.row.mark_suspect();
            }
            if self.number <= self.highest {
                self.row.mark_out_of_order(self.highest);
            } else if !self.fill.is_idle() {
                self.fill.fill(&mut self.row);
            }
            self.highest = self.highest.max(self.number);
            (self.each)(&mut self.row)?;
        }
        self.cells.clear();
        self.text.clear();
        self.suspect = false;
        self.suspect_gap = false;
        ControlFlow::Continue(())
    }
}

/// Says of a row what reading its worksheet has shown.
pub(in crate::sheet) fn annotate(row: &mut Row, source: &Arc<Source>) {
    let place = |row: &Row| Place::row(source, row.number());
    if row.is_suspect() {
        let problem = Problem::error(Code::UnreadableCell, "a cell in or next to this row cannot be read")
            .at(place(row))
            .hint("look for an error value or a formula in it, and type the value instead");
        row.notice(problem);
    }
    if let Some(highest) = row.out_of_order() {
        let text = format!("the file holds this row after row {highest}");
        row.notice(Problem::warning(Code::SheetNotice, text).at(place(row)));
    }
}
