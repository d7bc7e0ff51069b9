//! From rows to orders: rows with one order number are one order, wherever they stand.

use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::hash::{BuildHasher as _, BuildHasherDefault};
use std::io;

use crate::column::{Columns, Feed, RowRef, Sheets};
use crate::field::{Id, Kind};
use crate::finding::Finding;
use crate::finding::order::{missing_order_number, missing_product, order_clash};
use crate::memo::QuickHash;
use crate::parse::{Condition, is_no_value};
use crate::spool::{Spool, Spooled};

use super::agree::agree;
use super::raw_order::{RawOrder, Row};
use super::sheet_amounts::keep_amounts;

/// So many orders wait in memory; further ones wait in a temporary file, where it has room.
const WAITING_MAX: usize = 10_000;

/// What became of a row.
#[derive(Debug)]
pub enum Taken {
    /// It is in its order; here is one above it that is complete.
    InOrder(Option<RawOrder>),
    /// It names no order; this is why, and an order above it that is complete.
    Invalid(Vec<Finding>, Option<RawOrder>),
}

/// An order that waits for its further rows.
#[derive(Debug, Serialize, Deserialize)]
struct Waiting {
    draft: RawOrder,
    /// Rows to come.
    left: u32,
}

/// Something of each order, by its number.
type ByNumber<T> = HashMap<String, T, BuildHasherDefault<QuickHash>>;

/// Gathers rows into orders.
#[derive(Debug)]
pub struct Grouper<'c> {
    census: &'c Census,
    /// The order of the last row, unless it is complete.
    current: Option<Waiting>,
    /// The order that began last, by its position, and what its first row says of it.
    lead: (u64, String),
    /// Orders that others came in between, by their numbers.
    waiting: ByNumber<Waiting>,
    /// Those of them that are in the file.
    parked: ByNumber<Spooled>,
    spool: Spool,
    /// Why one of those could not be fetched.
    failure: Option<io::Error>,
    /// Rows that were taken.
    rows: u64,
    orders: u64,
    /// A complete order, kept until the next row shows that it does not read on.
    ready: Option<RawOrder>,
    /// Whether the last row that was taken stands right above the next one.
    above: bool,
}

impl<'c> Grouper<'c> {
    /// A grouper that lets each order go with its last row.
    #[must_use]
    pub fn new(census: &'c Census) -> Self {
        let (current, lead, waiting, parked, spool, failure, rows, orders, ready, above) = Default::default();
        Self { census, current, lead, waiting, parked, spool, failure, rows, orders, ready, above }
    }

    /// Takes a filled row.
    pub fn take(&mut self, row: &Row<'_>, sheets: &Sheets) -> Taken {
        let columns = sheets.of(row.at.sheet);
        self.rows += 1;
        let number = match order_number(row, columns) {
            Ok(number) => number,
            Err(problem) => {
                if let Some(draft) = self.order_above(row, columns) {
                    // Half an order is not sent: what may be its next line is held back together with it.
                    add(draft, row, columns, (sheets, &mut (0, String::new())));
                    let said = missing_order_number::reads_on(&draft.number).about(&problem);
                    draft.problems.push(said.of_order(draft.number.clone()));
                    return Taken::InOrder(None);
                }
                let mut problems = row.problems.to_vec();
                problems.push(*problem);
                return Taken::Invalid(problems, self.interrupt());
            }
        };
        let ready = self.ready.take();
        let mut own = match self.current.take() {
            Some(own) if own.draft.number == number => own,
            other => {
                self.put_aside(other);
                self.taken_up(number).unwrap_or_else(|| self.begun(number, columns))
            }
        };
        add(&mut own.draft, row, columns, (sheets, &mut self.lead));
        own.left = own.left.saturating_sub(1);
        if own.left == 0 {
            self.ready = Some(own.draft);
        } else {
            self.current = Some(own);
        }
        self.above = true;
        Taken::InOrder(ready)
    }

    /// Whether every row that was counted has come.
    pub(crate) const fn has_all_rows(&self) -> bool {
        self.rows == self.census.all
    }

    /// A row that was counted is part of no order after all.
    pub const fn pass_over(&mut self) {
        self.rows += 1;
    }

    /// A row that is left out stands between what is above it and what comes next: what is complete can go.
    pub fn interrupt(&mut self) -> Option<RawOrder> {
        self.above = false;
        self.ready.take()
    }

    /// The order of the row above, where a row without an order number reads on like one more line of it.
    fn order_above(&mut self, row: &Row<'_>, columns: &Columns) -> Option<&mut RawOrder> {
        let own = |product: &Vec<Feed>| {
            let filled = |fed: &&Feed| {
                let (text, condition) = row.cell(**fed);
                !fed.shared && is_filled(text, condition)
            };
            product.iter().filter(filled).count()
        };
        // One word alone may be a remark below the table.
        if !self.above || columns.products.iter().map(own).sum::<usize>() < 2 {
            return None;
        }
        let current = self.current.as_mut().map(|own| &mut own.draft);
        let above = self.ready.as_mut().or(current);
        let draft = above.filter(|draft| draft.rows.last().is_some_and(|at| at.sheet == row.at.sheet))?;
        let repeats = columns.order_fields.iter().all(|fed| {
            let (text, condition) = row.cell(*fed);
            !is_filled(text, condition) || draft.cell(fed.id()).is_some_and(|slot| draft.text(&slot) == text)
        });
        repeats.then_some(draft)
    }

    fn put_aside(&mut self, own: Option<Waiting>) {
        let Some(own) = own else { return };
        let number = own.draft.number.clone();
        match (self.waiting.len() >= WAITING_MAX).then(|| self.spool.put(&own).ok()).flatten() {
            Some(at) => drop(self.parked.insert(number, at)),
            None => drop(self.waiting.insert(number, own)),
        }
    }

    fn taken_up(&mut self, number: &str) -> Option<Waiting> {
        let fetched = |at: Spooled| self.spool.get(at).map_err(|error| self.failure = Some(error)).ok();
        self.waiting.remove(number).or_else(|| self.parked.remove(number).and_then(fetched))
    }

    /// An order that begins. What was not counted waits for the end.
    fn begun(&mut self, number: &str, columns: &Columns) -> Waiting {
        let left = self.census.rows(key(number)).unwrap_or(u32::MAX);
        let draft = RawOrder::new(number, self.orders, columns, left);
        self.orders += 1;
        Waiting { draft, left }
    }

    /// The orders whose last row was not recognised as such, in sheet order.
    ///
    /// # Errors
    /// An order that waited in the file is lost: nothing of the sheets should be used.
    pub fn finish(&mut self) -> io::Result<Vec<RawOrder>> {
        let parked: Vec<String> = self.parked.keys().cloned().collect();
        let mut waiting: Vec<Waiting> = parked.iter().filter_map(|number| self.taken_up(number)).collect();
        waiting.extend(self.waiting.drain().map(|(_, own)| own).chain(self.current.take()));
        let mut drafts: Vec<RawOrder> = waiting.into_iter().map(|own| own.draft).chain(self.ready.take()).collect();
        drafts.sort_by_key(|draft| draft.position);
        self.failure.take().map_or(Ok(drafts), Err)
    }
}

fn order_number<'a>(row: &Row<'a>, columns: &Columns) -> Result<&'a str, Box<Finding>> {
    let (text, condition) = columns.order_number.map_or(("", Condition::Sound), |fed| row.cell(fed));
    let place = columns.place(row.at.row, Some(Id::OrderNumber));
    let problem = match condition.fault() {
        Some(fault) => fault.hold().found(text),
        None if text.is_empty() => missing_order_number::unnamed_row(),
        None => return Ok(text),
    };
    Err(Box::new(problem.at(place).on_field(Id::OrderNumber.field().path)))
}

/// Adds a row of the order.
fn add(draft: &mut RawOrder, row: &Row<'_>, columns: &Columns, (sheets, lead): (&Sheets, &mut (u64, String))) {
    draft.rows.push(row.at);
    draft.contents.extend(row.contents.into_iter().flatten());
    let is_new = |former: &&str| *former != draft.number && !draft.came_as.iter().any(|own| own == former);
    draft.came_as.extend(row.came_as.filter(is_new).map(str::to_owned));
    draft.beside.extend(row.beside);
    for problem in row.problems {
        draft.problems.push(problem.clone().of_order(draft.number.clone()));
    }
    if !draft.begins_alike(row, columns, lead) {
        add_order_cells(draft, row, columns, sheets);
    } else if draft.again.len() < draft.cells.len() {
        draft.again = draft.cells.iter().map(|slot| slot.id).collect();
    }
    keep_amounts(draft, row, columns);
    draft.note_mark(row, columns);
    if let Some(left_out) = row.line {
        draft.lines_left_out += u32::from(!left_out.is_summary);
        return;
    }
    let mut lines = 0;
    for (place, product) in (0..).zip(&columns.products) {
        let mut own = false;
        for fed in product {
            let (text, condition) = row.cell(*fed);
            if is_filled(text, condition) {
                own |= !fed.shared;
                let slot = draft.keep(*fed, text, condition, row.at);
                draft.line_cells.push(slot);
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

fn add_order_cells(draft: &mut RawOrder, row: &Row<'_>, columns: &Columns, sheets: &Sheets) {
    let mut is_bare = true;
    for fed in &columns.order_fields {
        let own = row.cell(*fed);
        let other = stand_in(draft, (*fed, own), row, columns);
        let (fed, cell) = other.map_or((*fed, own), |other| (other, row.cell(other)));
        let (id, fallback) = (fed.id(), fed.step.and_then(|step| columns.mapper.fallback(step, row.row)));
        // Where its own column is blank a row says nothing new by what stands in for it, if the first row has that as well.
        let repeats = fallback.as_ref().is_some_and(|(own, is_taken)| {
            *is_taken && draft.fallbacks.iter().any(|(of, text)| *of == id && text == own)
        });
        if let Some((own, false)) = &fallback
            && draft.cell(id).is_none()
        {
            draft.fallbacks.push((id, (*own).to_owned()));
        }
        if is_filled(cell.0, cell.1) && !repeats {
            is_bare = false;
            add_order_cell(draft, fed, cell, row.at, sheets);
        }
    }
    if is_bare {
        draft.bare.push(row.at);
    }
}

/// Where the cell for a field of the receiver is blank, and no row above has said it, the filled one of a second column.
fn stand_in(draft: &RawOrder, (fed, own): (Feed, (&str, Condition)), row: &Row<'_>, columns: &Columns) -> Option<Feed> {
    let is_blank = |(text, condition): (&str, Condition)| {
        !is_filled(text, condition) || condition == Condition::NoValue || is_no_value(fed.field, text)
    };
    if !fed.field.is_receivers() || fed.step.is_some() || !is_blank(own) || draft.cell(fed.id()).is_some() {
        return None;
    }
    let mut others = columns.seconds_of(fed).map(|column| Feed { column, ..fed });
    others.find(|other| !is_blank(row.cell(*other)))
}

fn is_filled(text: &str, condition: Condition) -> bool {
    !text.is_empty() || condition == Condition::NoValue
}

/// An order's value may be repeated or stand once; it may not say two things.
fn add_order_cell(draft: &mut RawOrder, fed: Feed, (text, condition): (&str, Condition), at: RowRef, sheets: &Sheets) {
    let id = fed.id();
    let Some(first) = draft.cell(id).filter(|_| !sheets.of(at.sheet).in_parts(id)) else {
        let slot = draft.keep(fed, text, condition, at);
        draft.push(slot);
        return;
    };
    let field = id.field();
    let are_sound = first.condition == condition || !(first.condition.is_fault() || condition.is_fault());
    let is_blank = |text: &str, condition: Condition| !condition.is_fault() && is_no_value(field, text);
    let columns = sheets.of(at.sheet);
    let meanings =
        [(first.column, draft.text(&first)), (fed.column, text)].map(|(column, own)| columns.meaning(column, own));
    let mean_the_same = id != Id::OrderType || meanings[0] == meanings[1];
    let is_same = || agree(field, columns.habit(id).decimals, draft.text(&first), text);
    // A figure may be that of each row, and is not repeated by a mark.
    let is_figure = matches!(field.kind, Kind::Money | Kind::MoneyText | Kind::Measure | Kind::Quantity | Kind::Rate);
    let is_repeated = || are_sound && !is_figure && draft.repeats_above(field, text, at);
    if is_blank(text, condition) || (are_sound && mean_the_same && is_same()) || is_repeated() {
        draft.again.push(id);
        return;
    }
    if is_blank(draft.text(&first), first.condition) {
        let slot = draft.keep(fed, text, condition, at);
        draft.replace(slot);
        return;
    }
    let clash = match id {
        Id::Discount => order_clash::two_discounts,
        Id::ShippingCharges | Id::OtherCharges => order_clash::two_charges,
        _ => order_clash::two_values,
    };
    let (there, here) = (sheets.place(first.at, Some(id)), sheets.place(at, Some(id)));
    let clash = clash(field.header, draft.text(&first), &there, text, &here);
    draft.problems.push(clash.at(here).on_field(field.path).of_order(draft.number.clone()).found(text));
}

/// The tables grow one after the other and not all at once, which keeps the peak of memory low.
const TABLES: usize = 64;

/// Rows of each order, by the hash of its number; some 20 bytes an order.
///
/// Two numbers with one hash share a count: both then wait for the end of the sheets, and none is cut short.
#[derive(Debug, PartialEq, Eq)]
pub struct Census {
    tables: Vec<HashMap<u32, u32, BuildHasherDefault<QuickHash>>>,
    /// All that were counted.
    pub(super) all: u64,
}

impl Default for Census {
    fn default() -> Self {
        Self { tables: vec![HashMap::default(); TABLES], all: 0 }
    }
}

impl Census {
    /// Notes rows of an order, by the key of its number.
    pub fn add(&mut self, key: u64, rows: u32) {
        let (table, low) = address(key);
        let counted = self.tables[table].entry(low).or_default();
        *counted = counted.saturating_add(rows);
        self.all += u64::from(rows);
    }

    /// How many rows the orders of a key have; nothing where it was not counted.
    #[must_use]
    pub fn rows(&self, key: u64) -> Option<u32> {
        let (table, low) = address(key);
        self.tables[table].get(&low).copied()
    }
}

/// A table and the place in it.
fn address(key: u64) -> (usize, u32) {
    (usize::try_from(key >> 58).unwrap_or(0), u32::try_from(key & u64::from(u32::MAX)).unwrap_or(0))
}

/// The hash of an order number. Numbers that were chosen to meet do no harm but waiting.
#[must_use]
pub fn key(number: &str) -> u64 {
    BuildHasherDefault::<QuickHash>::default().hash_one(number)
}
