//! The second pass, on several cores: orders whose rows all stand one below the other are judged where they are read.
//!
//! What cannot be told from one portion alone is handed on as rows, in the sheet's order: the order that a portion begins
//! or ends amid, orders whose rows are scattered, rows without an order number and the order above them.

use std::ops::ControlFlow;

use crate::check::{Condition, unmarked};
use crate::column::{Columns, Feed, RowRef};
use crate::field::Id;
use crate::order::{Cells, Census, Draft, Row, add, key};
use crate::profile::Mapped;
use crate::sheet::{self, CellKind, Mark, Portion, ReadEnd, SheetError};

use super::judge::{Judge, JudgedOrder, Tools};
use super::opened::Opened;
use super::survey::Numbered;

/// What comes out of a portion, in the sheet's order.
pub(super) enum Piece {
    /// An order, whole and judged.
    Order(JudgedOrder),
    /// Rows; `fresh` where those above them do not matter.
    Rows { rows: Vec<sheet::Row>, fresh: bool },
}

/// A portion, taken apart.
pub(super) struct Portioned {
    pub(super) sheet: u16,
    pub(super) pieces: Vec<Piece>,
    pub(super) read: ReadEnd,
}

/// A sheet's row and what its profile made of it, as grouping reads them.
pub(super) struct SheetCells<'a> {
    pub(super) row: &'a sheet::Row,
    pub(super) mapped: &'a Mapped,
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

    fn bytes(&self, column: u32) -> usize {
        self.row.bytes(column as usize)
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

/// What a lane keeps from portion to portion.
pub(super) struct Kept {
    tools: Tools,
    draft: Draft,
}

impl Default for Kept {
    fn default() -> Self {
        Self { tools: Tools::default(), draft: Draft::new("", 0, 0) }
    }
}

/// Takes portions apart.
pub(super) struct Runs<'a> {
    pub(super) opened: &'a Opened,
    pub(super) census: &'a Census,
    pub(super) judge: &'a Judge<'a>,
}

impl Runs<'_> {
    pub(super) fn portion(&self, (sheet, portion): Numbered, kept: &mut Kept) -> Result<Portioned, SheetError> {
        let planned = &self.opened.sheets[usize::from(sheet)];
        let columns = self.judge.builder.sheets.of(sheet);
        let mut cutting = Cutting {
            runs: self,
            tools: &mut kept.tools,
            draft: &mut kept.draft,
            columns,
            first: None,
            settled: false,
            run: None,
            loose: Some(Mark::default()),
            cut: Vec::new(),
        };
        let mut mapped = Mapped::default();
        let read = planned.sheet.rows(&portion, Mark::default(), &mut |mark, row| {
            let left_out =
                row.skip().is_some() || (!row.is_blank() && planned.plan.mapper().map(row, &mut mapped).is_some());
            // Of a row that a rule speaks of, the reader has more to say.
            let left_out = left_out || mapped.is_ruled();
            if row.is_blank() {
                return ControlFlow::Continue(());
            }
            let cells = SheetCells { row, mapped: &mapped };
            let number = if left_out { None } else { number_of(columns, &cells) };
            match number {
                Some(number) => {
                    let at = RowRef { sheet, row: row.number() };
                    cutting.row(mark, number, &Row { at, cells: &cells, problems: row.notices() });
                }
                None => cutting.other(mark),
            }
            ControlFlow::Continue(())
        })?;
        let pieces = cutting.end().into_iter().map(|cut| match cut {
            Cut::Order(order) => Ok(Piece::Order(order)),
            Cut::Rows(from, until) => {
                let rows = self.rows(sheet, &portion, from, until)?;
                Ok(Piece::Rows { rows, fresh: from != Mark::default() })
            }
        });
        Ok(Portioned { sheet, pieces: pieces.collect::<Result<_, SheetError>>()?, read })
    }

    /// Copies of filled rows.
    fn rows(
        &self,
        sheet: u16,
        portion: &Portion,
        from: Mark,
        until: Option<Mark>,
    ) -> Result<Vec<sheet::Row>, SheetError> {
        let mut rows = Vec::new();
        self.opened.sheets[usize::from(sheet)].sheet.rows(portion, from, &mut |mark, row| {
            if until == Some(mark) {
                return ControlFlow::Break(());
            }
            if !row.is_blank() {
                rows.push(row.clone());
            }
            ControlFlow::Continue(())
        })?;
        Ok(rows)
    }
}

/// The order number of a row, where it has one that can be trusted.
fn number_of<'r>(columns: &Columns, cells: &'r SheetCells<'_>) -> Option<&'r str> {
    let (number, condition) = cells.cell(columns.order_number()?);
    (!condition.is_fault() && !number.is_empty()).then_some(number)
}

/// Rows of one order in succession; their cells are in the draft.
#[derive(Debug, Clone, Copy)]
struct Run {
    mark: Mark,
    rows: u32,
    /// How many rows the order has, where it may be whole here.
    whole: Option<u32>,
}

/// A part of a portion.
enum Cut {
    Order(JudgedOrder),
    Rows(Mark, Option<Mark>),
}

/// Tells orders that are whole from what has to be looked at together with other portions.
struct Cutting<'a> {
    runs: &'a Runs<'a>,
    tools: &'a mut Tools,
    draft: &'a mut Draft,
    columns: &'a Columns,
    /// The portion's first order number, until another one comes.
    first: Option<String>,
    /// Whether the order number has changed: what comes next does not hang on rows before the portion.
    settled: bool,
    run: Option<Run>,
    /// Where rows begin that are handed on as such.
    loose: Option<Mark>,
    cut: Vec<Cut>,
}

impl Cutting<'_> {
    fn row(&mut self, mark: Mark, number: &str, row: &Row<'_, SheetCells<'_>>) {
        if self.run.is_none() || self.draft.number != number {
            self.close();
            self.settled = self.settled || *self.first.get_or_insert_with(|| number.to_owned()) != number;
            let whole = if self.settled { self.runs.census.rows(key(number)) } else { None };
            self.draft.restart(number);
            self.run = Some(Run { mark, rows: 0, whole });
        }
        if let Some(run) = &mut self.run {
            run.rows += 1;
            if run.whole.is_some() {
                add(self.draft, row, self.columns, self.runs.judge.builder.sheets);
            }
        }
    }

    /// A row that is none of an order, or of which nobody knows: the order above it is not known to be whole either.
    fn other(&mut self, mark: Mark) {
        let from = self.run.take().map_or(mark, |run| run.mark);
        self.loose.get_or_insert(from);
    }

    /// Ends a run because the row of another order follows.
    fn close(&mut self) {
        let Some(run) = self.run.take() else { return };
        if run.whole != Some(run.rows) {
            self.loose.get_or_insert(run.mark);
            return;
        }
        if let Some(from) = self.loose.take() {
            self.cut.push(Cut::Rows(from, Some(run.mark)));
        }
        self.cut.push(Cut::Order(self.runs.judge.order(self.draft, self.tools)));
    }

    fn end(mut self) -> Vec<Cut> {
        if let Some(run) = self.run.take() {
            self.loose.get_or_insert(run.mark);
        }
        if let Some(from) = self.loose {
            self.cut.push(Cut::Rows(from, None));
        }
        self.cut
    }
}
