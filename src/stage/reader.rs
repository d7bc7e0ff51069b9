//! Puts together what the portions of the sheets gave, and lets each order go as soon as its last row is in.

use crate::column::{RowRef, Sheets};
use crate::finding::Finding;
use crate::finding::order::{row_left_out, row_skipped};
use crate::finding::sheet::second_table;
use crate::order::{Census, Draft, Grouper, Row, Taken, pointed_out};
use crate::profile::{HeldBack, Mapped};
use crate::sheet;

use super::error::StageError;
use super::judge::{Judge, JudgedOrder, Tools};
use super::opened::Opened;
use super::runs::{Piece, Portioned, SheetCells};
use super::sums::is_of_sums;

/// What comes out of the sheets.
pub(super) enum Judged {
    /// An order.
    Order(JudgedOrder),
    /// A filled row that names no order, and why.
    Stray(RowRef, Vec<Finding>),
    /// Something to be said that leaves nothing behind.
    Said(Box<Finding>),
}

/// Rows that become part of nothing, and all of them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Read {
    pub(super) rows: u64,
    pub(super) blank: u64,
    pub(super) skipped: u64,
}

/// Reads on from portion to portion.
pub(super) struct Reader<'a> {
    opened: &'a Opened,
    sheets: &'a Sheets,
    judge: &'a Judge<'a>,
    grouper: Grouper<'a>,
    sheet: u16,
    mapped: Mapped,
    tools: Tools,
    read: Read,
    /// How many rows were looked into for sums.
    looks: u32,
    out: Vec<Judged>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(opened: &'a Opened, census: &'a Census, judge: &'a Judge<'a>) -> Self {
        Self {
            opened,
            sheets: judge.reviewer.sheets,
            judge,
            grouper: Grouper::new(census),
            sheet: 0,
            mapped: Mapped::default(),
            tools: Tools::default(),
            read: Read::default(),
            looks: 0,
            out: Vec::new(),
        }
    }

    /// Takes the next portion and gives what is complete with it.
    pub(super) fn portion(&mut self, portion: Portioned) -> Vec<Judged> {
        if portion.sheet != self.sheet {
            self.sheet = portion.sheet;
            self.mapped = Mapped::default();
        }
        self.read.rows += u64::from(portion.read.rows);
        self.read.blank += u64::from(portion.read.blank);
        for piece in portion.pieces {
            match piece {
                Piece::Order(mut order) => {
                    let (position, complete) = self.grouper.pass(order.at.len());
                    order.position = position;
                    self.orders(complete);
                    self.out.push(Judged::Order(order));
                }
                Piece::Rows { rows, fresh } => {
                    if fresh {
                        self.mapped.forget();
                    }
                    for row in &rows {
                        self.row(row);
                    }
                }
            }
        }
        std::mem::take(&mut self.out)
    }

    /// Rows read so far.
    pub(super) const fn rows(&self) -> u64 {
        self.read.rows
    }

    /// The orders whose last row was not recognised as such, what became of no order, and whether every row has come that
    /// was counted.
    pub(super) fn end(mut self) -> Result<(Vec<Judged>, Read, bool), StageError> {
        let whole = self.grouper.has_all_rows();
        let last = self.grouper.finish(self.sheets);
        self.orders(last.map_err(StageError::Spool)?);
        Ok((self.out, self.read, whole))
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
            let notice = self.left_out(row, left_out.column, notice);
            self.out.push(Judged::Said(Box::new(notice)));
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
                let told = self.sheets.of(self.sheet).reasons().map_or("", |column| row.cell(column as usize).text);
                let problems = problems.into_iter().map(|problem| pointed_out(problem, told)).collect();
                self.out.push(Judged::Stray(at, problems));
            }
        }
    }

    /// What is to be said of a row, or of its product, that a rule leaves out.
    fn left_out(&self, row: &sheet::Row, column: u32, notice: Finding) -> Finding {
        let columns = self.sheets.of(self.sheet);
        let notice = notice.at(columns.cell(row.number(), column)).found(row.cell(column as usize).text);
        let number = columns.order_number().map_or("", |fed| self.mapped.cell(row, fed.id(), fed.column, fed.step).0);
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
        let number = self.sheets.of(self.sheet).order_number();
        let number = number.map_or("", |fed| self.mapped.cell(row, fed.id(), fed.column, fed.step).0);
        if !number.is_empty() {
            return false;
        }
        let sheet = &self.opened.sheets[usize::from(self.sheet)].sheet;
        is_of_sums(sheet, row, &mut self.looks).unwrap_or(false)
    }

    fn skip(&mut self, problem: Finding) {
        let complete = self.grouper.interrupt();
        self.skipped(problem, complete);
    }

    /// Says why a row is left out, behind the orders that are complete above it.
    fn skipped(&mut self, problem: Finding, complete: Vec<Draft>) {
        self.read.skipped += 1;
        self.orders(complete);
        self.out.push(Judged::Said(Box::new(problem)));
    }

    fn orders(&mut self, complete: Vec<Draft>) {
        for mut draft in complete {
            // Rows of an order of which nothing is left to send are left out with their products.
            if draft.is_left_out() {
                self.read.skipped += draft.rows.len() as u64;
            } else {
                self.out.push(Judged::Order(self.judge.order(&mut draft, &mut self.tools)));
            }
        }
    }
}
