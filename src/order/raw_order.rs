//! The cells of one order, as they were found.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::column::{Columns, Feed, RowRef};
use crate::field::{FIELDS, Field, Id};
use crate::finding::Finding;
use crate::finding::order::text_mark;
use crate::parse::{Condition, is_ditto, unmarked};
use crate::profile::{LeftOut, Mapped};
use crate::sheet::{self, CellKind};

/// A row on its way into its order.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    /// Its place.
    pub at: RowRef,
    /// Its cells.
    pub row: &'a sheet::Row,
    /// What its profile made of them.
    pub mapped: &'a Mapped,
    /// Why its product is left out.
    pub line: Option<LeftOut<'a>>,
    /// What the reader has to say of it.
    pub problems: &'a [Finding],
    /// What tells it from all other rows, where its own cell of the order number is filled and somebody wants to know.
    pub contents: [Option<i64>; 2],
    /// The order number that it came with, where it has another one by what somebody typed.
    pub came_as: Option<&'a str>,
    /// What tells the numbers in cells that feed no field, or free text, from others.
    pub beside: &'a [i64],
}

impl<'a> Row<'a> {
    /// The trimmed text for a field, empty where there is none, and how it came out of its file.
    pub(super) fn cell(&self, fed: Feed) -> (&'a str, Condition) {
        let (text, kind) = self.mapped.cell(self.row, fed.id(), fed.column, fed.step);
        let condition = match kind {
            CellKind::LossyNumber => Condition::DigitsLost,
            CellKind::Error => Condition::ErrorValue,
            CellKind::FormulaWithoutValue => Condition::NoValue,
            CellKind::Date if !fed.id().field().may_be_date() => Condition::Dated,
            CellKind::Number | CellKind::Rounded | CellKind::Date => Condition::Native,
            CellKind::Empty | CellKind::Text | CellKind::Flag => Condition::Sound,
        };
        // The number is what rows are put together by.
        let text = if fed.id() == Id::OrderNumber { unmarked(fed.id().field(), text) } else { text };
        (text, condition)
    }
}

/// One filled cell; its text lies in the draft's one buffer.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct RawCell {
    pub(crate) id: Id,
    pub(crate) condition: Condition,
    pub(crate) at: RowRef,
    pub(crate) column: u32,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// One line's cells.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct RawLine {
    pub(crate) at: RowRef,
    /// Which of the products that stand side by side.
    pub(crate) product: u16,
    /// Where its cells begin and end among those of all lines.
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// The rows of one order, gathered and not yet judged.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct RawOrder {
    /// The order number.
    pub number: String,
    /// Where the order stands among all orders of the run, by its first row; counted from 0.
    pub position: u64,
    /// Its rows, in sheet order.
    pub rows: Vec<RowRef>,
    /// What tells those of them that have a number of their own from all other rows.
    pub contents: Vec<i64>,
    /// The order numbers that they came with, where they have another one by what somebody typed.
    pub came_as: Vec<String>,
    /// What tells the numbers in cells that feed no field, or free text, from others: one of them may be that under which it was sent before.
    pub beside: Vec<i64>,
    /// Those of its rows that say nothing of the order but its number.
    pub(crate) bare: Vec<RowRef>,
    /// The fields of the order that further rows repeat.
    pub(crate) again: Vec<Id>,
    pub(crate) cells: Vec<RawCell>,
    /// Where the first cell of each field is among them.
    first: Vec<u16>,
    pub(crate) lines: Vec<RawLine>,
    pub(crate) line_cells: Vec<RawCell>,
    /// Amounts beside the fields, by their place among those of the sheet.
    pub(crate) amounts: Vec<(usize, RawCell)>,
    /// Lines that a rule leaves out.
    pub(crate) lines_left_out: u32,
    pub(crate) problems: Vec<Finding>,
    /// Texts of the columns behind those that its fields were taken from.
    pub(crate) fallbacks: Vec<(Id, String)>,
    pub(crate) texts: String,
}

impl RawOrder {
    /// An order without rows, with room for so many.
    #[must_use]
    pub fn new(number: &str, position: u64, columns: &Columns, rows: u32) -> Self {
        /// What most orders need, so that their texts are not moved while they grow.
        const TEXT_BYTES: usize = 768;
        let products: usize = columns.products.iter().map(Vec::len).sum();
        let rows = rows.min(4) as usize;
        Self {
            number: number.to_owned(),
            position,
            rows: Vec::with_capacity(rows),
            lines: Vec::with_capacity(rows),
            cells: Vec::with_capacity(columns.order_fields.len()),
            first: vec![u16::MAX; FIELDS.len()],
            line_cells: Vec::with_capacity(products * rows),
            amounts: Vec::with_capacity(columns.claims.len()),
            texts: String::with_capacity(TEXT_BYTES),
            ..Self::default()
        }
    }

    /// The hash of all its cells: the same wherever its rows stand, another one where one of them was changed.
    pub(crate) fn fingerprint(&self) -> [u8; 32] {
        let mut hash = Sha256::new();
        let mut cell = |kind: &str, slot: &RawCell| {
            hash.update(format!("{kind} {:?} {}\n{}\n", slot.id, slot.end - slot.start, self.text(slot)));
        };
        self.cells.iter().for_each(|slot| cell("order", slot));
        self.line_cells.iter().for_each(|slot| cell("line", slot));
        self.amounts.iter().for_each(|(_, slot)| cell("amount", slot));
        hash.update(format!("{} {}", self.number, self.rows.len()));
        hash.finalize().into()
    }

    /// Whether a row repeats all that the first one says of the order, where that order began last: most sheets write it on
    /// every row. The row is among the order's already.
    pub(super) fn begins_alike(&self, row: &Row<'_>, columns: &Columns, (of, lead): &mut (u64, String)) -> bool {
        let [first, _, ..] = self.rows.as_slice() else {
            columns.lead(row.row, lead);
            *of = self.position;
            return false;
        };
        // What is bare says nothing of the order.
        let is_of_same = *of == self.position && first.sheet == row.at.sheet && !self.bare.contains(first);
        is_of_same && columns.has_lead(row.row, lead)
    }

    /// Ends the line that is being gathered: it is one of the order, or its cells are dropped.
    pub(super) fn end_line(&mut self, at: RowRef, product: u16, is_line: bool) {
        let start = self.lines.last().map_or(0, |line| line.end);
        if is_line {
            self.lines.push(RawLine { at, product, start, end: offset(self.line_cells.len()) });
        } else {
            self.line_cells.truncate(start as usize);
        }
    }

    /// A line's cells.
    pub(crate) fn cells_of(&self, line: &RawLine) -> &[RawCell] {
        self.line_cells.get(line.start as usize..line.end as usize).unwrap_or_default()
    }

    /// A line's cell of a field.
    pub(crate) fn cell_of(&self, line: &RawLine, id: Id) -> Option<RawCell> {
        self.cells_of(line).iter().find(|slot| slot.id == id).copied()
    }

    /// Whether rules leave out all that there would be to send.
    #[must_use]
    pub fn is_left_out(&self) -> bool {
        self.lines.is_empty() && self.lines_left_out > 0
    }

    /// Says of the order number what its first cell has around it.
    pub(super) fn note_mark(&mut self, row: &Row<'_>, columns: &Columns) {
        let Some(fed) = columns.order_number.filter(|_| self.rows.len() == 1) else { return };
        let (raw, _) = row.mapped.cell(row.row, fed.id(), fed.column, fed.step);
        if raw.is_empty() || raw == self.number {
            return;
        }
        let id = Id::OrderNumber;
        let notice =
            text_mark::taken_off(&self.number).at(columns.place(row.at.row, Some(id))).on_field(id.field().path);
        self.problems.push(notice.of_order(self.number.clone()).found(raw));
    }

    /// Adds a cell of the order itself.
    pub(super) fn push(&mut self, slot: RawCell) {
        let (place, first) = (u16::try_from(self.cells.len()).unwrap_or(u16::MAX), &mut self.first[slot.id as usize]);
        *first = place.min(*first);
        self.cells.push(slot);
    }

    /// Takes a cell of the order in place of the one that it has of the field.
    pub(super) fn replace(&mut self, slot: RawCell) {
        if let Some(own) = self.cells.iter_mut().find(|own| own.id == slot.id) {
            *own = slot;
        }
    }

    /// Whether a cell of one of its rows only repeats the row right above it, which is the order's own. A row of another order
    /// between the two would be what the cell repeats.
    pub(super) fn repeats_above(&self, field: &Field, text: &str, at: RowRef) -> bool {
        let is_above = |row: &RowRef| row.sheet == at.sheet && row.row + 1 == at.row;
        self.rows.iter().rev().any(is_above) && is_ditto(field, text)
    }

    /// Keeps a cell's text and gives its slot.
    pub(crate) fn keep(&mut self, fed: Feed, text: &str, condition: Condition, at: RowRef) -> RawCell {
        let start = offset(self.texts.len());
        self.texts.push_str(text);
        RawCell { id: fed.id(), condition, at, column: fed.column, start, end: offset(self.texts.len()) }
    }

    /// A slot's text.
    pub(crate) fn text(&self, slot: &RawCell) -> &str {
        self.texts.get(slot.start as usize..slot.end as usize).unwrap_or_default()
    }

    /// The order's own cell of a field.
    pub(crate) fn cell(&self, id: Id) -> Option<RawCell> {
        self.cells.get(usize::from(*self.first.get(id as usize)?)).filter(|slot| slot.id == id).copied()
    }
}

fn offset(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
