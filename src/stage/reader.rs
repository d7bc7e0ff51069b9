//! The second pass: reads the sheets, gathers rows into orders, and lets each order go as soon as its last row is in.

use std::ops::ControlFlow;

use crate::check::{Condition, unmarked};
use crate::column::{Feed, RowRef, Sheets};
use crate::field::Id;
use crate::finding::Finding;
use crate::finding::order::{row_left_out, row_skipped};
use crate::finding::sheet::second_table;
use crate::order::{Cells, Census, Draft, Grouper, Row, Taken};
use crate::profile::{HeldBack, Mapped};
use crate::sheet::{self, CellKind};

use super::error::StageError;
use super::lanes::Outlet;
use super::opened::Opened;
use super::sums::is_of_sums;

/// So many things are judged together: few enough that they wait in little memory, and many enough to be worth a lane's turn.
const BATCH: usize = 64;

/// Something that was read; `O` is an order, as it was read or judged.
pub(super) enum Piece<O> {
    Order(O),
    /// A filled row that names no order, and why.
    Stray(RowRef, Vec<Finding>),
    /// Something to be said that leaves nothing behind.
    Said(Box<Finding>),
}

/// What was read one after the other, with the rows that were read so far.
pub(super) struct Batch<O> {
    pub(super) pieces: Vec<Piece<O>>,
    pub(super) rows: u64,
}

/// Rows that become part of nothing, and all of them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Read {
    pub(super) rows: u64,
    pub(super) blank: u64,
    pub(super) skipped: u64,
    /// Whether every row has come that was counted.
    pub(super) whole: bool,
}

/// A sheet's row and what its profile made of it, as grouping reads them.
struct SheetCells<'a> {
    row: &'a sheet::Row,
    mapped: &'a Mapped,
}

impl Cells for SheetCells<'_> {
    fn cell(&self, fed: Feed) -> (&str, Condition) {
        let (text, kind) = self.mapped.cell(self.row, fed.id(), fed.column, fed.step);
        let condition = match kind {
            CellKind::LossyNumber => Condition::DigitsLost,
            CellKind::Error => Condition::ErrorValue,
            CellKind::FormulaWithoutValue => Condition::NoValue,
            CellKind::Date if !fed.id().field().may_be_date() => Condition::Dated,
            CellKind::Number | CellKind::Date => Condition::Native,
            CellKind::Empty | CellKind::Text | CellKind::Flag => Condition::Sound,
        };
        // The number is what rows are put together by.
        let text = if fed.id() == Id::OrderNumber { unmarked(fed.id().field(), text) } else { text };
        (text, condition)
    }

    fn raw_order_number(&self, fed: Feed) -> &str {
        self.mapped.cell(self.row, fed.id(), fed.column, fed.step).0
    }

    fn stretch(&self, first: u32, last: u32) -> Option<&str> {
        self.row.stretch(first as usize, last as usize)
    }

    fn has_line(&self) -> bool {
        self.mapped.has_line()
    }

    fn is_summary(&self) -> bool {
        self.mapped.is_summary()
    }
}

/// Reads on from row to row.
pub(super) struct Reader<'a> {
    opened: &'a Opened,
    sheets: &'a Sheets,
    grouper: Grouper<'a>,
    sheet: u16,
    mapped: Mapped,
    read: Read,
    /// How many rows were looked into for sums.
    looks: u32,
    out: Vec<Piece<Draft>>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(opened: &'a Opened, census: &'a Census, sheets: &'a Sheets) -> Self {
        let (grouper, mapped, read) = (Grouper::new(census), Mapped::default(), Read::default());
        Self { opened, sheets, grouper, sheet: 0, mapped, read, looks: 0, out: Vec::with_capacity(BATCH) }
    }

    /// Reads all sheets, and puts what comes out of them into the outlet until nobody takes it any more.
    pub(super) fn run(mut self, outlet: &mut Outlet<Batch<Draft>>) -> Result<Read, StageError> {
        for (number, planned) in (0_u16..).zip(&self.opened.sheets) {
            (self.sheet, self.mapped) = (number, Mapped::default());
            let read = planned.sheet.read(&mut |row| {
                self.read.rows += 1;
                if row.is_blank() {
                    self.read.blank += 1;
                    return ControlFlow::Continue(());
                }
                self.row(row);
                if self.out.len() < BATCH { ControlFlow::Continue(()) } else { self.put(outlet) }
            })?;
            if read.stopped {
                return Ok(self.read);
            }
        }
        self.read.whole = self.grouper.has_all_rows();
        // Orders whose last row was not recognised as such.
        let last = self.grouper.finish(self.sheets).map_err(StageError::Spool)?;
        self.orders(last);
        let _ = self.put(outlet);
        Ok(self.read)
    }

    fn put(&mut self, outlet: &mut Outlet<Batch<Draft>>) -> ControlFlow<()> {
        let pieces = std::mem::replace(&mut self.out, Vec::with_capacity(BATCH));
        outlet.put(Batch { pieces, rows: self.read.rows })
    }

    fn row(&mut self, row: &sheet::Row) {
        let at = RowRef { sheet: self.sheet, row: row.number() };
        if let Some(reason) = row.skip() {
            if reason == sheet::ROW_OF_TABLE {
                let complete = self.grouper.interrupt();
                self.read.skipped += 1;
                return self.orders(complete);
            }
            let is_table = reason == sheet::HEADER_OF_TABLE;
            let notice = if is_table { second_table::of_something_else() } else { row_skipped::no_order_row(reason) };
            let first = row.cells().find(|cell| !cell.text.is_empty());
            let found = first.map_or("", |cell| cell.text);
            return self.skip(notice.at(self.sheets.place(at, None)).found(found));
        }
        let mapper = self.opened.sheets[usize::from(self.sheet)].plan.mapper();
        if let Some(left_out) = mapper.map(row, &mut self.mapped) {
            let notice = match left_out.because {
                Some(because) => row_left_out::by_rule(because),
                None => row_left_out::totals(),
            };
            return self.skip(self.left_out(row, left_out.column, notice));
        }
        if let Some(left_out) = mapper.line_left_out(&self.mapped) {
            let notice = row_left_out::product_by_rule(left_out.because.unwrap_or_default());
            self.out.push(Piece::Said(Box::new(self.left_out(row, left_out.column, notice))));
        }
        if self.is_of_sums(row) {
            let found = row.cells().find(|cell| !cell.text.is_empty()).map_or("", |cell| cell.text);
            let notice = row_skipped::sums().at(self.sheets.place(at, None)).found(found);
            let complete = self.grouper.leave();
            return self.skipped(notice, complete);
        }
        let held = mapper.held(row, &self.mapped);
        let held = (!held.is_empty()).then(|| self.held(row, held));
        let cells = SheetCells { row, mapped: &self.mapped };
        let problems = held.as_deref().unwrap_or_else(|| row.notices());
        match self.grouper.take(&Row { at, cells: &cells, problems }, self.sheets) {
            Taken::InOrder(complete) => self.orders(complete),
            Taken::Invalid(problems, complete) => {
                self.orders(complete);
                self.out.push(Piece::Stray(at, problems));
            }
        }
    }

    /// The order number of a row.
    fn number<'r>(&'r self, row: &'r sheet::Row) -> &'r str {
        let number = self.sheets.of(self.sheet).order_number();
        number.map_or("", |fed| self.mapped.cell(row, fed.id(), fed.column, fed.step).0)
    }

    /// What is to be said of a row, or of its product, that a rule leaves out.
    fn left_out(&self, row: &sheet::Row, column: u32, notice: Finding) -> Finding {
        let columns = self.sheets.of(self.sheet);
        let notice = notice.at(columns.cell(row.number(), column)).found(row.cell(column as usize).text);
        let number = self.number(row);
        if number.is_empty() { notice } else { notice.of_order(number) }
    }

    /// What is to be said of a row that rules of its profile hold back, after all else.
    fn held(&self, row: &sheet::Row, held: Vec<HeldBack>) -> Vec<Finding> {
        let problem = |held: HeldBack| {
            let place = self.sheets.of(self.sheet).cell(row.number(), held.column);
            held.finding.at(place).found(row.cell(held.column as usize).text)
        };
        row.notices().iter().cloned().chain(held.into_iter().map(problem)).collect()
    }

    /// Whether a row without an order number holds the sums of the sheet. A sheet that cannot be read once more has none.
    fn is_of_sums(&mut self, row: &sheet::Row) -> bool {
        let sheet = &self.opened.sheets[usize::from(self.sheet)].sheet;
        self.number(row).is_empty() && is_of_sums(sheet, row, &mut self.looks).unwrap_or(false)
    }

    fn skip(&mut self, problem: Finding) {
        let complete = self.grouper.interrupt();
        self.skipped(problem, complete);
    }

    /// Says why a row is left out, behind the orders that are complete above it.
    fn skipped(&mut self, problem: Finding, complete: Vec<Draft>) {
        self.read.skipped += 1;
        self.orders(complete);
        self.out.push(Piece::Said(Box::new(problem)));
    }

    fn orders(&mut self, complete: Vec<Draft>) {
        for draft in complete {
            // Rows of an order of which nothing is left to send are left out with their products.
            if draft.is_left_out() {
                self.read.skipped += draft.rows.len() as u64;
            } else {
                self.out.push(Piece::Order(draft));
            }
        }
    }
}
