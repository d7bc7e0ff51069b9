//! From rows to orders: rows with one order number are one order, wherever they stand.

use std::io;

use crate::check::{Condition, is_no_value};
use crate::column::{Columns, Feed, RowRef, Sheets};
use crate::field::Id;
use crate::finding::Finding;
use crate::finding::order::{missing_order_number, missing_product, numbers_alike, order_clash};

use super::census::{self, Census};
use super::draft::{Cells, Draft, Row};
use super::parked::{Group, Parked};

/// What became of a row.
#[derive(Debug)]
pub enum Taken {
    /// It is in its order; the order is here where this was its last row, with those whose numbers look alike.
    InOrder(Vec<Draft>),
    /// It names no order; this is why, and orders above it that are complete.
    Invalid(Vec<Finding>, Vec<Draft>),
}

/// Gathers rows into orders.
#[derive(Debug)]
pub struct Grouper<'c> {
    census: &'c Census,
    /// The orders of the last row's key, unless they are complete.
    current: Group,
    /// Orders that others came in between.
    parked: Parked,
    /// Why one of them could not be fetched.
    failure: Option<io::Error>,
    /// Rows that were taken.
    rows: u64,
    orders: u64,
    /// Complete orders, kept until the next row shows that it does not read on.
    ready: Vec<Draft>,
    /// Which of them has the last row.
    ready_last: usize,
    /// Whether the last row that was taken stands right above the next one.
    above: bool,
}

impl<'c> Grouper<'c> {
    /// A grouper that lets each order go with its last row.
    #[must_use]
    pub fn new(census: &'c Census) -> Self {
        Self {
            census,
            current: Group::default(),
            parked: Parked::default(),
            failure: None,
            rows: 0,
            orders: 0,
            ready: Vec::new(),
            ready_last: 0,
            above: false,
        }
    }

    /// Takes a filled row.
    pub fn take<C: Cells>(&mut self, row: &Row<'_, C>, sheets: &Sheets) -> Taken {
        let columns = sheets.of(row.at.sheet);
        self.rows += 1;
        let number = match order_number(row, columns) {
            Ok(number) => number,
            Err(problem) => {
                if let Some(draft) = self.order_above(row, columns) {
                    read_on(draft, &problem, row, columns, sheets);
                    return Taken::InOrder(Vec::new());
                }
                let mut problems = row.problems.to_vec();
                problems.push(*problem);
                return Taken::Invalid(problems, self.interrupt());
            }
        };
        let ready = std::mem::take(&mut self.ready);
        if self.current.drafts.get(self.current.last).is_none_or(|draft| draft.number != number) {
            self.turn_to(number, columns);
        }
        let group = &mut self.current;
        add(&mut group.drafts[group.last], row, columns, sheets);
        group.left = group.left.saturating_sub(1);
        if group.left == 0 {
            self.ready = pointed_out(std::mem::take(&mut group.drafts), sheets);
            self.ready_last = group.last;
        }
        self.above = true;
        Taken::InOrder(ready)
    }

    /// Whether every row that was counted has come.
    #[must_use]
    pub const fn has_all_rows(&self) -> bool {
        self.rows == self.census.all_rows()
    }

    /// A row that was counted is part of no order after all.
    pub const fn pass_over(&mut self) {
        self.rows += 1;
    }

    /// A row that is left out stands between what is above it and what comes next: what is complete can go.
    pub fn interrupt(&mut self) -> Vec<Draft> {
        self.above = false;
        std::mem::take(&mut self.ready)
    }

    /// The order of the row above, where a row without an order number reads on like one more line of it.
    fn order_above<C: Cells>(&mut self, row: &Row<'_, C>, columns: &Columns) -> Option<&mut Draft> {
        let own = |product: &Vec<Feed>| {
            let filled = |fed: &&Feed| {
                let (text, condition) = row.cells.cell(**fed);
                !fed.shared && is_filled(text, condition)
            };
            product.iter().filter(filled).count()
        };
        // One word alone may be a remark below the table.
        if !self.above || columns.products.iter().map(own).sum::<usize>() < 2 {
            return None;
        }
        let (group, last) = if self.ready.is_empty() {
            (&mut self.current.drafts, self.current.last)
        } else {
            (&mut self.ready, self.ready_last)
        };
        let draft = group.get_mut(last).filter(|draft| draft.rows.last().is_some_and(|at| at.sheet == row.at.sheet))?;
        let repeats = columns.order_fields.iter().all(|fed| {
            let (text, condition) = row.cells.cell(*fed);
            !is_filled(text, condition) || draft.cell(fed.id()).is_some_and(|slot| draft.text(&slot) == text)
        });
        repeats.then_some(draft)
    }

    /// Makes another order the current one.
    fn turn_to(&mut self, number: &str, columns: &Columns) {
        let key = census::key(number);
        if self.current.drafts.is_empty() || self.current.key != key {
            let before = std::mem::take(&mut self.current);
            if !before.drafts.is_empty() {
                self.parked.put(before);
            }
            let parked = self.parked.take(key).unwrap_or_else(|error| {
                self.failure.get_or_insert(error);
                None
            });
            // What was not counted waits for the end.
            let left = || self.census.rows(key).unwrap_or(u32::MAX);
            self.current = parked.unwrap_or_else(|| Group { key, drafts: Vec::new(), last: 0, left: left() });
        }
        let drafts = &mut self.current.drafts;
        self.current.last = drafts.iter().position(|draft| draft.number == number).unwrap_or_else(|| {
            drafts.push(Draft::new(number, self.orders, columns.order_fields.len()));
            self.orders += 1;
            drafts.len() - 1
        });
    }

    /// The orders whose last row was not recognised as such, in sheet order.
    ///
    /// An error means that an order that waited on disk is lost: nothing of the sheets should be used.
    pub fn finish(&mut self, sheets: &Sheets) -> io::Result<Vec<Draft>> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let groups = self.parked.take_all()?.into_iter().chain([std::mem::take(&mut self.current)]);
        let mut drafts: Vec<Draft> = groups.flat_map(|group| pointed_out(group.drafts, sheets)).collect();
        drafts.append(&mut self.ready);
        drafts.sort_by_key(|draft| draft.position);
        Ok(drafts)
    }
}

/// Says of each order that its number looks like that of an earlier one.
fn pointed_out(mut drafts: Vec<Draft>, sheets: &Sheets) -> Vec<Draft> {
    for index in 1..drafts.len() {
        let (before, rest) = drafts.split_at_mut(index);
        let draft = &mut rest[0];
        let Some(other) = before.iter().find(|other| census::alike(&other.number, &draft.number)) else { continue };
        let place = |draft: &Draft| draft.rows.first().map(|at| sheets.place(*at, Some(Id::OrderNumber)));
        let (Some(here), Some(there)) = (place(draft), place(other)) else { continue };
        let notice = numbers_alike::in_sheets(&draft.number, &other.number, &there)
            .at(here)
            .on_field(Id::OrderNumber.field().path)
            .of_order(draft.number.clone())
            .found(draft.number.clone());
        draft.problems.push(notice);
    }
    drafts
}

fn order_number<'a, C: Cells>(row: &Row<'a, C>, columns: &Columns) -> Result<&'a str, Box<Finding>> {
    let (text, condition) = columns.order_number.map_or(("", Condition::Sound), |fed| row.cells.cell(fed));
    let place = columns.place(row.at.row, Some(Id::OrderNumber));
    let problem = match condition.fault() {
        Some(fault) => fault.hold().found(text),
        None if text.is_empty() => missing_order_number::unnamed_row(),
        None => return Ok(text),
    };
    Err(Box::new(problem.at(place).on_field(Id::OrderNumber.field().path)))
}

/// Adds a row of the order.
fn add<C: Cells>(draft: &mut Draft, row: &Row<'_, C>, columns: &Columns, sheets: &Sheets) {
    draft.rows.push(row.at);
    for problem in row.problems {
        draft.problems.push(problem.clone().of_order(draft.number.clone()));
    }
    if !draft.begins_alike(row, columns) {
        add_order_cells(draft, row, columns, sheets);
    } else if draft.again.len() < draft.cells.len() {
        draft.again = draft.cells.iter().map(|slot| slot.id).collect();
    }
    draft.keep_amounts(row, columns);
    draft.note_mark(row, columns);
    if !row.cells.has_line() {
        draft.lines_left_out += u32::from(!row.cells.is_summary());
        return;
    }
    let mut lines = 0;
    for (place, product) in (0..).zip(&columns.products) {
        let mut own = false;
        for fed in product {
            let (text, condition) = row.cells.cell(*fed);
            if is_filled(text, condition) {
                own |= !fed.shared;
                draft.keep_in_line(*fed, text, condition, row.at);
            }
        }
        draft.end_line(row.at, place, own);
        lines += usize::from(own);
    }
    if lines == 0 && columns.has_constant_product {
        draft.end_line(row.at, 0, true);
    } else if lines == 0 {
        let missing = missing_product::unnamed()
            .at(columns.place(row.at.row, Some(Id::ProductName)))
            .on_field(Id::ProductName.field().path);
        draft.problems.push(missing.of_order(draft.number.clone()));
    }
}

fn add_order_cells<C: Cells>(draft: &mut Draft, row: &Row<'_, C>, columns: &Columns, sheets: &Sheets) {
    let mut is_bare = true;
    for fed in &columns.order_fields {
        let fed = standing_in(draft, *fed, row, columns);
        let cell = row.cells.cell(fed);
        if is_filled(cell.0, cell.1) {
            is_bare = false;
            add_order_cell(draft, fed, cell, row.at, sheets);
        }
    }
    if is_bare {
        draft.bare.push(row.at);
    }
}

/// Where the cell for a field of the receiver is blank, and no row above has said it, the filled one of a second column.
fn standing_in<C: Cells>(draft: &Draft, fed: Feed, row: &Row<'_, C>, columns: &Columns) -> Feed {
    let is_blank = |fed: &Feed| {
        let (text, condition) = row.cells.cell(*fed);
        !is_filled(text, condition) || condition == Condition::NoValue || is_no_value(fed.field, text)
    };
    if !fed.field.is_receivers() || fed.step.is_some() || !is_blank(&fed) || draft.cell(fed.id()).is_some() {
        return fed;
    }
    let others = columns.seconds_of(fed).map(|column| Feed { column, ..fed });
    others.into_iter().find(|other| !is_blank(other)).unwrap_or(fed)
}

/// Half an order is not sent: a row that may be its next line is held back together with it.
fn read_on<C: Cells>(draft: &mut Draft, problem: &Finding, row: &Row<'_, C>, columns: &Columns, sheets: &Sheets) {
    let number = draft.number.clone();
    add(draft, row, columns, sheets);
    draft.problems.push(missing_order_number::reads_on(&number).about(problem).of_order(number));
}

fn is_filled(text: &str, condition: Condition) -> bool {
    !text.is_empty() || condition == Condition::NoValue
}

/// An order's value may be repeated or stand once; it may not say two things.
fn add_order_cell(draft: &mut Draft, fed: Feed, (text, condition): (&str, Condition), at: RowRef, sheets: &Sheets) {
    let id = fed.id();
    let Some(first) = draft.cell(id).filter(|_| !sheets.of(at.sheet).in_parts(id)) else {
        let slot = draft.keep(fed, text, condition, at);
        draft.cells.push(slot);
        return;
    };
    if draft.text(&first) == text
        && (first.condition == condition || !(first.condition.is_fault() || condition.is_fault()))
    {
        draft.again.push(id);
        return;
    }
    let field = id.field();
    let clash = match id {
        Id::Discount => order_clash::two_discounts,
        Id::ShippingCharges | Id::OtherCharges => order_clash::two_charges,
        _ => order_clash::two_values,
    };
    let (there, here) = (sheets.place(first.at, Some(id)), sheets.place(at, Some(id)));
    let clash = clash(field.header, draft.text(&first), &there, text, &here);
    draft.problems.push(clash.at(here).on_field(field.path).of_order(draft.number.clone()).found(text));
}
