//! From rows to orders: rows with one order number are one order, wherever they stand.

use std::collections::HashMap;

use crate::check::{Condition, Fault};
use crate::field::Id;
use crate::problem::{Code, Problem};

use super::census::Census;
use super::draft::{Draft, LineDraft, RowRef, Slot};
use super::layout::{Layout, Layouts};

/// The cells of a row, by column.
pub trait Cells {
    /// The trimmed text of a column, empty where there is none, and how it came out of its file.
    fn cell(&self, column: u32) -> (&str, Condition);
}

/// A row on its way into its order.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a, C> {
    /// Its place.
    pub at: RowRef,
    /// Its cells.
    pub cells: &'a C,
    /// What the reader has to say of it.
    pub problems: &'a [Problem],
}

/// What became of a row.
#[derive(Debug)]
pub enum Taken {
    /// It is in its order; the order is here where this was its last row.
    InOrder(Option<Draft>),
    /// It names no order; this is why.
    Invalid(Vec<Problem>),
}

/// Gathers rows into orders.
#[derive(Debug, Default)]
pub struct Grouper {
    census: Census,
    open: HashMap<String, Draft>,
    orders: u64,
}

impl Grouper {
    /// A grouper that lets each order go with its last row.
    #[must_use]
    pub fn new(census: Census) -> Self {
        Self { census, open: HashMap::new(), orders: 0 }
    }

    /// Takes a filled row.
    pub fn take<C: Cells>(&mut self, row: &Row<'_, C>, layouts: &Layouts) -> Taken {
        let layout = layouts.of(row.at.sheet);
        let number = match order_number(row, layout) {
            Ok(number) => number,
            Err(problem) => {
                let mut problems = row.problems.to_vec();
                problems.push(*problem);
                return Taken::Invalid(problems);
            }
        };
        if !self.open.contains_key(number) {
            self.open.insert(number.to_owned(), Draft::new(number, self.orders));
            self.orders += 1;
        }
        if let Some(draft) = self.open.get_mut(number) {
            add(draft, row, layout, layouts);
        }
        let complete = if self.census.last(number) { self.open.remove(number) } else { None };
        Taken::InOrder(complete)
    }

    /// The orders whose last row was not recognised as such, in sheet order.
    #[must_use]
    pub fn finish(self) -> Vec<Draft> {
        let mut drafts: Vec<Draft> = self.open.into_values().collect();
        drafts.sort_by_key(|draft| draft.position);
        drafts
    }
}

fn order_number<'a, C: Cells>(row: &Row<'a, C>, layout: &Layout) -> Result<&'a str, Box<Problem>> {
    let (text, condition) =
        layout.column(Id::OrderNumber).map_or(("", Condition::Sound), |column| row.cells.cell(column));
    let place = layout.place(row.at.row, Some(Id::OrderNumber));
    let problem = match condition.fault() {
        Some(Fault { code, message, hint }) => Problem::error(code, message).hint(hint).found(text),
        None if text.is_empty() => Problem::error(Code::MissingOrderNumber, "this row is filled but names no order")
            .hint("write the order number, repeating it on every row of the order"),
        None => return Ok(text),
    };
    Err(Box::new(problem.at(place).on_field(Id::OrderNumber.field().path)))
}

fn add<C: Cells>(draft: &mut Draft, row: &Row<'_, C>, layout: &Layout, layouts: &Layouts) {
    draft.rows.push(row.at);
    for problem in row.problems {
        draft.problems.push(problem.clone().of_order(draft.number.clone()));
    }
    for (id, column) in layout.order_fields() {
        let (text, condition) = row.cells.cell(*column);
        if is_filled(text, condition) {
            add_order_cell(draft, *id, text, condition, row.at, layouts);
        }
    }
    let mut cells: Vec<Slot> = Vec::with_capacity(layout.line_fields().len());
    for (id, column) in layout.line_fields() {
        let (text, condition) = row.cells.cell(*column);
        if is_filled(text, condition) {
            cells.push(draft.keep(*id, text, condition, row.at));
        }
    }
    if cells.is_empty() {
        let problem = Problem::error(Code::MissingProduct, "this row of the order names no product")
            .at(layout.place(row.at.row, Some(Id::ProductName)))
            .on_field(Id::ProductName.field().path)
            .of_order(draft.number.clone())
            .hint("fill in product, price and quantity, or delete the row");
        draft.problems.push(problem);
    } else {
        draft.lines.push(LineDraft { at: row.at, cells });
    }
}

fn is_filled(text: &str, condition: Condition) -> bool {
    !text.is_empty() || condition == Condition::NoValue
}

/// An order's value may be repeated or stand once; it may not say two things.
fn add_order_cell(draft: &mut Draft, id: Id, text: &str, condition: Condition, at: RowRef, layouts: &Layouts) {
    let Some(first) = draft.cell(id) else {
        let slot = draft.keep(id, text, condition, at);
        draft.cells.push(slot);
        return;
    };
    if draft.text(&first) == text && first.condition == condition {
        return;
    }
    let field = id.field();
    let problem = Problem::error(
        Code::OrderClash,
        format!(
            "this order has two values for {}: \"{}\" in {} and \"{text}\" in {}",
            field.header,
            draft.text(&first),
            layouts.place(first.at, Some(id)),
            layouts.place(at, Some(id)),
        ),
    )
    .at(layouts.place(at, Some(id)))
    .on_field(field.path)
    .of_order(draft.number.clone())
    .found(text)
    .hint("write the same value on every row of the order, or only on its first; two orders need two numbers");
    draft.problems.push(problem);
}
