//! Reads the sheets and lets each order go as soon as its last row is in.

use std::ops::ControlFlow;

use crate::check::{Condition, Habit};
use crate::order::{Cells, Census, Draft, Fed, Grouper, Layouts, Row, RowRef, Taken};
use crate::problem::{Code, Problem, Severity};
use crate::profile::{Feed, Mapped, Mapper};
use crate::sheet::{self, CellKind, SheetError};

use super::lanes::Outlet;
use super::open::Opened;

/// What comes out of the sheets.
pub(super) enum Piece {
    /// An order, whole.
    Order(Draft),
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

/// A sheet's row and what its profile made of it, as grouping reads them.
struct SheetCells<'a> {
    row: &'a sheet::Row,
    mapped: &'a Mapped,
}

impl Cells for SheetCells<'_> {
    fn cell(&self, fed: Fed) -> (&str, Condition) {
        let (text, kind) = self.mapped.cell(self.row, fed.id, fed.column, fed.step);
        let condition = match kind {
            CellKind::LossyNumber => Condition::DigitsLost,
            CellKind::Error => Condition::ErrorValue,
            CellKind::FormulaWithoutValue => Condition::NoValue,
            CellKind::Number | CellKind::Date => Condition::Native,
            CellKind::Empty | CellKind::Text | CellKind::Flag => Condition::Sound,
        };
        (text, condition)
    }
}

/// The first pass: how many rows each order has, and how the columns write numbers and dates.
pub(super) fn survey(opened: &Opened) -> Result<(Census, Layouts), SheetError> {
    let mut census = Census::default();
    let mut layouts = opened.layouts.clone();
    for (number, planned) in (0_u16..).zip(&opened.sheets) {
        let layout = layouts.of_mut(number);
        let Some(number) = layout.order_number() else { continue };
        let judged: Vec<Feed> = planned.plan.fed().filter(|feed| Habit::matters(feed.field.kind)).collect();
        let mapper = planned.plan.mapper();
        let mut made = Mapped::default();
        planned.sheet.read(&mut |row| {
            if row.is_blank() || row.skip().is_some() || mapper.map(row, &mut made).is_some() {
                return ControlFlow::Continue(());
            }
            census.count(made.cell(row, number.id, number.column, number.step).0);
            for feed in &judged {
                let (text, kind) = made.cell(row, feed.field.id, feed.column, feed.step);
                if kind == CellKind::Text {
                    layout.learn(feed.field.id, text);
                }
            }
            ControlFlow::Continue(())
        })?;
    }
    Ok((census, layouts))
}

/// How the columns of the sheets write numbers and dates.
pub fn judged(opened: &Opened) -> Result<Layouts, SheetError> {
    survey(opened).map(|(_, layouts)| layouts)
}

/// The second pass: every order and every stray row, in the order in which they are complete.
pub(super) fn read(
    opened: &Opened,
    layouts: &Layouts,
    census: Census,
    outlet: &mut Outlet<Piece>,
) -> Result<Read, SheetError> {
    let mut reader = Reader { layouts, grouper: Grouper::new(census), read: Read::default(), outlet };
    for (number, planned) in (0_u16..).zip(&opened.sheets) {
        let mut pass = Pass { sheet: number, mapper: planned.plan.mapper(), mapped: Mapped::default() };
        let end = planned.sheet.read(&mut |row| reader.take(&mut pass, row))?;
        if end.stopped {
            return Ok(reader.read);
        }
    }
    let Reader { grouper, read, outlet, .. } = reader;
    // Where nobody takes anything any more, there is nothing left to do.
    let _ = grouper.finish(layouts).into_iter().try_for_each(|draft| outlet.put(Piece::Order(draft)));
    Ok(read)
}

/// One reading of a sheet.
struct Pass<'a> {
    sheet: u16,
    mapper: &'a Mapper,
    mapped: Mapped,
}

struct Reader<'a> {
    layouts: &'a Layouts,
    grouper: Grouper,
    read: Read,
    outlet: &'a mut Outlet<Piece>,
}

impl Reader<'_> {
    fn take(&mut self, pass: &mut Pass<'_>, row: &sheet::Row) -> ControlFlow<()> {
        self.read.rows += 1;
        let unreadable = row.notices().iter().any(|problem| problem.severity == Severity::Error);
        if row.is_blank() && !unreadable {
            self.read.blank += 1;
            return ControlFlow::Continue(());
        }
        let at = RowRef { sheet: pass.sheet, row: row.number() };
        if let Some(reason) = row.skip() {
            let problem = Problem::warning(Code::RowSkipped, format!("no order row ({reason}); it is left out"));
            return self.skip(problem.at(self.layouts.place(at, None)).found(row.cell(0).text));
        }
        if let Some(left_out) = pass.mapper.map(row, &mut pass.mapped) {
            let problem = Problem::warning(Code::RowLeftOut, format!("{}; the row is left out", left_out.because));
            let place = self.layouts.of(pass.sheet).cell(row.number(), left_out.column);
            return self.skip(problem.at(place).found(row.cell(left_out.column as usize).text));
        }
        let cells = SheetCells { row, mapped: &pass.mapped };
        match self.grouper.take(&Row { at, cells: &cells, problems: row.notices() }, self.layouts) {
            Taken::InOrder(complete) => self.orders(complete),
            Taken::Invalid(problems, complete) => {
                self.orders(complete)?;
                self.outlet.put(Piece::Stray(at, problems))
            }
        }
    }

    fn skip(&mut self, problem: Problem) -> ControlFlow<()> {
        self.read.skipped += 1;
        let complete = self.grouper.interrupt();
        self.orders(complete)?;
        self.outlet.put(Piece::Said(Box::new(problem)))
    }

    fn orders(&mut self, complete: Vec<Draft>) -> ControlFlow<()> {
        complete.into_iter().try_for_each(|draft| self.outlet.put(Piece::Order(draft)))
    }
}
