//! Reads the sheets and lets each order go as soon as its last row is in.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::check::{Condition, Habit, Rules};
use crate::field::Id;
use crate::order::{Cells, Census, Draft, Fed, Grouper, Layouts, Order, Row, RowRef, Taken, build};
use crate::problem::{Code, Problem, Severity};
use crate::profile::{Feed, Mapped, Mapper};
use crate::sheet::{self, CellKind};

use super::StageError;
use super::open::Opened;
use super::sink::{Frozen, LeftBehind, Sink};
use super::tally::{Rows, Totals};

/// What the sheets came to.
#[derive(Debug, Default)]
pub struct Gathered {
    /// Every row's fate.
    pub rows: Rows,
    /// Orders found, good or not.
    pub orders: u64,
    /// Orders that are not good.
    pub orders_invalid: u64,
    /// Filled rows that name no order.
    pub rows_without_order: u64,
    /// What the good orders come to.
    pub good: Totals,
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

/// Reads every sheet into the sink and reports each problem to `say` on the way.
pub fn gather(
    opened: &Opened,
    rules: &Rules,
    sink: &mut dyn Sink,
    say: &mut dyn FnMut(&Problem),
) -> Result<Gathered, StageError> {
    let (census, layouts) = survey(opened)?;
    let layouts = &layouts;
    let mut gathering = Gathering { layouts, rules, sink, say, gathered: Gathered::default(), failure: None };
    for problem in &opened.problems {
        gathering.problem(problem)?;
    }
    let mut grouper = Grouper::new(census);
    for (number, planned) in (0_u16..).zip(&opened.sheets) {
        let mut pass = Pass { sheet: number, mapper: planned.plan.mapper(), mapped: Mapped::default() };
        planned.sheet.read(&mut |row| gathering.row(&mut grouper, &mut pass, row))?;
        if let Some(error) = gathering.failure.take() {
            return Err(error);
        }
    }
    for draft in grouper.finish(layouts) {
        gathering.draft(&draft)?;
    }
    let gathered = gathering.gathered;
    if !gathered.rows.balanced() {
        return Err(StageError::Unbalanced(format!("the rows do not add up ({:?})", gathered.rows)));
    }
    Ok(gathered)
}

/// The first pass: how many rows each order has, and how the columns write numbers and dates.
fn survey(opened: &Opened) -> Result<(Census, Layouts), StageError> {
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

/// One reading of a sheet.
struct Pass<'a> {
    sheet: u16,
    mapper: &'a Mapper,
    mapped: Mapped,
}

struct Gathering<'a> {
    layouts: &'a Layouts,
    rules: &'a Rules,
    sink: &'a mut dyn Sink,
    say: &'a mut dyn FnMut(&Problem),
    gathered: Gathered,
    failure: Option<StageError>,
}

impl Gathering<'_> {
    fn row(&mut self, grouper: &mut Grouper, pass: &mut Pass<'_>, row: &sheet::Row) -> ControlFlow<()> {
        match self.take(grouper, pass, row) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failure = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    fn take(&mut self, grouper: &mut Grouper, pass: &mut Pass<'_>, row: &sheet::Row) -> Result<(), StageError> {
        self.gathered.rows.read += 1;
        let unreadable = row.notices().iter().any(|problem| problem.severity == Severity::Error);
        if row.is_blank() && !unreadable {
            self.gathered.rows.blank += 1;
            return Ok(());
        }
        let at = RowRef { sheet: pass.sheet, row: row.number() };
        if let Some(reason) = row.skip() {
            self.gathered.rows.skipped += 1;
            let problem = Problem::warning(Code::RowSkipped, format!("no order row ({reason}); it is left out"));
            return self.problem(&problem.at(self.layouts.place(at, None)).found(row.cell(0).text));
        }
        if let Some(left_out) = pass.mapper.map(row, &mut pass.mapped) {
            self.gathered.rows.skipped += 1;
            let layout = self.layouts.of(pass.sheet);
            let problem = Problem::warning(Code::RowLeftOut, format!("{}; the row is left out", left_out.because));
            let place = layout.cell(row.number(), left_out.column);
            return self.problem(&problem.at(place).found(row.cell(left_out.column as usize).text));
        }
        let cells = SheetCells { row, mapped: &pass.mapped };
        let taken = grouper.take(&Row { at, cells: &cells, problems: row.notices() }, self.layouts);
        match taken {
            Taken::InOrder(drafts) => drafts.iter().try_for_each(|draft| self.draft(draft)),
            Taken::Invalid(problems) => {
                self.gathered.rows.invalid += 1;
                self.gathered.rows_without_order += 1;
                let place = self.layouts.place(at, None).to_string();
                problems.iter().for_each(&mut *self.say);
                let left = LeftBehind { number: None, rows: &place, at: &[at], position: 0 };
                Ok(self.sink.invalid(&left, &problems)?)
            }
        }
    }

    fn draft(&mut self, draft: &Draft) -> Result<(), StageError> {
        let rows_of_order = draft.rows.len() as u64;
        let rows = self.layouts.rows(&draft.rows);
        let (order, mut problems) = build(draft, self.layouts, self.rules);
        let mut good = false;
        let doubled = order.as_ref().and_then(|order| self.doubled(draft, order));
        let order = if doubled.is_some() { None } else { order };
        problems.extend(doubled);
        if let Some(order) = &order {
            let frozen = Frozen { order, rows: &rows, at: &draft.rows, position: draft.position };
            match self.sink.order(&frozen)? {
                None => {
                    good = true;
                    self.gathered.good.add(order);
                }
                Some(problem) => {
                    let place = draft.rows.first().map(|first| self.layouts.place(*first, Some(Id::OrderNumber)));
                    problems.push(Problem { place, ..problem });
                }
            }
        }
        self.gathered.orders += 1;
        if good {
            self.gathered.rows.in_orders += rows_of_order;
        } else {
            self.gathered.rows.invalid += rows_of_order;
            self.gathered.orders_invalid += 1;
            problems.iter().for_each(&mut *self.say);
            let (number, at) = (Some(draft.number.as_str()), &draft.rows);
            let left = LeftBehind { number, rows: &rows, at, position: draft.position };
            return Ok(self.sink.invalid(&left, &problems)?);
        }
        problems.iter().try_for_each(|problem| self.problem(problem))
    }

    /// An order whose lines stand in two sheets alike: most likely one sheet was given in two forms.
    fn doubled(&self, draft: &Draft, order: &Order) -> Option<Problem> {
        let (first, last) = (draft.rows.first()?, draft.rows.last()?);
        if first.sheet == last.sheet || draft.rows.len() != order.lines.len() {
            return None;
        }
        let mut by_sheet: BTreeMap<u16, Vec<String>> = BTreeMap::new();
        for (row, line) in draft.rows.iter().zip(&order.lines) {
            by_sheet.entry(row.sheet).or_default().push(format!("{line:?}"));
        }
        let mut seen: Vec<(u16, Vec<String>)> = Vec::new();
        for (sheet, mut lines) in by_sheet {
            lines.sort();
            if let Some((other, _)) = seen.iter().find(|(_, before)| *before == lines) {
                let place = |sheet: u16| {
                    let row = draft.rows.iter().find(|row| row.sheet == sheet).unwrap_or(first);
                    self.layouts.place(*row, Some(Id::OrderNumber))
                };
                let message = format!(
                    "this order stands in two sheets with the same lines, here and at {}: they would be sent doubled",
                    place(*other)
                );
                return Some(
                    Problem::error(Code::RowsTwice, message)
                        .at(place(sheet))
                        .of_order(draft.number.clone())
                        .hint("give only one of the two sheets, or remove the order from one of them"),
                );
            }
            seen.push((sheet, lines));
        }
        None
    }

    fn problem(&mut self, problem: &Problem) -> Result<(), StageError> {
        (self.say)(problem);
        Ok(self.sink.problem(problem)?)
    }
}
