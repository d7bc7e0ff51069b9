//! Cells become rows, in whatever order they come.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::shape::{Fill, Shape};
use crate::finding::sheet::{held_back, notice, unreadable_cell};
use crate::origin::{Place, Source};
use crate::sheet::cell::CellKind;
use crate::sheet::input::Input;
use crate::sheet::row::Row;
use crate::sheet::{Limits, SheetError};

/// What a cell costs beside its text, a blank one before a filled one included.
const CELL_BYTES: u64 = 8;

/// Collects the cells of one row at a time and fills the gaps between rows with blank ones.
pub(super) struct Assembly<'e> {
    pub(super) input: &'e Input,
    pub(super) limits: &'e Limits,
    /// Bytes of all cells so far: a text of the file may stand in thousands of them.
    bytes: u64,
    /// Why the worksheet cannot be read any further.
    refused: Option<SheetError>,
    each: &'e mut dyn FnMut(&mut Row) -> ControlFlow<()>,
    shape: &'e Shape,
    fill: Fill<'e>,
    row: Row,
    /// The row that is being collected; 0 before the first cell.
    number: u32,
    /// The highest row that was handed out.
    highest: u32,
    cells: Vec<(u32, usize, usize, CellKind)>,
    text: String,
    scratch: String,
    /// Cells of this row that are struck through.
    struck: u32,
    /// Whether a cell of this row could not be read.
    suspect: bool,
    /// Whether the rows left out before this one may have held such a cell.
    suspect_gap: bool,
    /// Whether the unreadable cell may as well stand in what comes next.
    suspect_next: bool,
}

impl<'e> Assembly<'e> {
    pub(super) fn new(
        input: &'e Input,
        limits: &'e Limits,
        shape: &'e Shape,
        each: &'e mut dyn FnMut(&mut Row) -> ControlFlow<()>,
    ) -> Self {
        Self {
            input,
            limits,
            bytes: 0,
            refused: None,
            each,
            shape,
            fill: Fill::new(shape),
            row: Row::default(),
            number: 0,
            highest: 0,
            cells: Vec::new(),
            text: String::new(),
            scratch: String::new(),
            struck: 0,
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
            // A cell with a format only, which may stand a million rows below the last order.
            return ControlFlow::Continue(());
        }
        if number != self.number {
            self.hand_out()?;
            self.number = number;
            self.suspect_gap = self.suspect_next;
            self.suspect = self.suspect_next;
        }
        self.suspect_next = false;
        self.count(self.scratch.len() as u64)?;
        let start = self.text.len();
        self.text.push_str(&self.scratch);
        self.cells.push((column, start, self.text.len(), kind));
        ControlFlow::Continue(())
    }

    /// Notes that the cell at this place is struck through, where it holds something.
    pub(super) fn struck(&mut self, number: u32, column: u32) {
        let is_filled = self.number == number && self.cells.last().is_some_and(|(last, ..)| *last == column);
        self.struck += u32::from(is_filled);
    }

    /// Notes that a cell could not be read. Nobody knows its place: it may end this row or begin the next one.
    pub(super) const fn unreadable(&mut self) {
        self.suspect = true;
        self.suspect_next = true;
    }

    /// Hands out the last row.
    pub(super) fn finish(&mut self) -> Result<(), SheetError> {
        // Whoever breaks off after the last row has had all of it.
        let _ = self.hand_out();
        self.stopped()
    }

    /// Why it broke off: an error, or nothing where whoever took the rows had enough.
    pub(super) fn stopped(&mut self) -> Result<(), SheetError> {
        self.refused.take().map_or(Ok(()), Err)
    }

    /// Counts what is handed out against what the file may become.
    fn count(&mut self, bytes: u64) -> ControlFlow<()> {
        self.bytes += bytes;
        if self.limits.allow_unpacking(self.input.bytes, self.bytes) {
            return ControlFlow::Continue(());
        }
        let (file, packed) = (self.input.name.clone(), self.input.bytes);
        let reason = format!("the cells of its {packed} bytes come to more than {} bytes", self.bytes);
        self.refused = Some(SheetError::Refused { file, reason });
        ControlFlow::Break(())
    }

    fn hand_out(&mut self) -> ControlFlow<()> {
        if self.number > 0 {
            for gap in self.highest + 1..self.number {
                self.count(CELL_BYTES)?;
                self.row.restart(gap);
                if self.suspect_gap {
                    self.row.mark_suspect();
                }
                (self.each)(&mut self.row)?;
            }
            self.row.restart(self.number);
            self.cells.sort_by_key(|(column, ..)| *column);
            if self.cells.windows(2).any(|pair| pair[0].0 == pair[1].0) {
                let reason = format!("it holds row {} twice, with different values in one cell", self.number);
                self.refused = Some(SheetError::Damaged { file: self.input.name.clone(), reason });
                return ControlFlow::Break(());
            }
            let widest = self.cells.last().map_or(0, |(column, ..)| u64::from(*column) + 1);
            self.count(widest * CELL_BYTES)?;
            for (column, start, end, kind) in &self.cells {
                self.row.pad_to(*column as usize);
                self.row.push(&self.text[*start..*end], *kind);
            }
            if self.suspect {
                self.row.mark_suspect();
            }
            if self.struck > 0 || self.shape.is_struck(self.number) {
                self.row.mark_struck();
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
        self.struck = 0;
        self.suspect = false;
        self.suspect_gap = false;
        ControlFlow::Continue(())
    }
}

/// Says of a row what reading its worksheet has shown.
pub(in crate::sheet) fn annotate(row: &mut Row, source: &Arc<Source>) {
    let place = |row: &Row| Place::row(source, row.number());
    if row.is_struck() {
        row.notice(held_back::struck_through().at(place(row)));
    }
    if row.is_suspect() {
        row.notice(unreadable_cell::in_or_beside().at(place(row)));
    }
    if let Some(highest) = row.out_of_order() {
        row.notice(notice::row_out_of_order(highest).at(place(row)));
    }
}
