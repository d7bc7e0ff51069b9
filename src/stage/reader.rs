//! Puts together what the portions of the sheets gave, and lets each order go as soon as its last row is in.

use crate::check::Memo;
use crate::order::{Census, Draft, Grouper, Layouts, Row, RowRef, Taken};
use crate::problem::{Code, Problem};
use crate::profile::Mapped;
use crate::sheet;

use super::judge::{Judge, JudgedOrder};
use super::open::Opened;
use super::runs::{Piece, Portioned, SheetCells};

/// What comes out of the sheets.
pub(super) enum Judged {
    /// An order.
    Order(JudgedOrder),
    /// A filled row that names no order, and why.
    Stray(RowRef, Vec<Problem>),
    /// Something to be said that leaves nothing behind.
    Said(Box<Problem>),
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
    layouts: &'a Layouts,
    judge: &'a Judge<'a>,
    grouper: Grouper<'a>,
    sheet: u16,
    mapped: Mapped,
    memo: Memo,
    pub(super) read: Read,
    out: Vec<Judged>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(opened: &'a Opened, census: &'a Census, judge: &'a Judge<'a>) -> Self {
        Self {
            opened,
            layouts: judge.layouts,
            judge,
            grouper: Grouper::new(census),
            sheet: 0,
            mapped: Mapped::default(),
            memo: Memo::default(),
            read: Read::default(),
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

    /// The orders whose last row was not recognised as such, and whether every row has come that was counted.
    pub(super) fn end(mut self) -> (Vec<Judged>, bool) {
        let whole = self.grouper.has_all_rows();
        let last = self.grouper.finish(self.layouts).into_iter();
        (last.map(|mut draft| Judged::Order(self.judge.order(&mut draft, &mut self.memo))).collect(), whole)
    }

    fn row(&mut self, row: &sheet::Row) {
        let at = RowRef { sheet: self.sheet, row: row.number() };
        if let Some(reason) = row.skip() {
            let problem = Problem::warning(Code::RowSkipped, format!("no order row ({reason}); it is left out"));
            return self.skip(problem.at(self.layouts.place(at, None)).found(row.cell(0).text));
        }
        let mapper = self.opened.sheets[usize::from(self.sheet)].plan.mapper();
        if let Some(left_out) = mapper.map(row, &mut self.mapped) {
            let problem = Problem::warning(Code::RowLeftOut, format!("{}; the row is left out", left_out.because));
            let place = self.layouts.of(self.sheet).cell(row.number(), left_out.column);
            return self.skip(problem.at(place).found(row.cell(left_out.column as usize).text));
        }
        let cells = SheetCells { row, mapped: &self.mapped };
        match self.grouper.take(&Row { at, cells: &cells, problems: row.notices() }, self.layouts) {
            Taken::InOrder(complete) => self.orders(complete),
            Taken::Invalid(problems, complete) => {
                self.orders(complete);
                self.out.push(Judged::Stray(at, problems));
            }
        }
    }

    fn skip(&mut self, problem: Problem) {
        self.read.skipped += 1;
        let complete = self.grouper.interrupt();
        self.orders(complete);
        self.out.push(Judged::Said(Box::new(problem)));
    }

    fn orders(&mut self, complete: Vec<Draft>) {
        for mut draft in complete {
            self.out.push(Judged::Order(self.judge.order(&mut draft, &mut self.memo)));
        }
    }
}
