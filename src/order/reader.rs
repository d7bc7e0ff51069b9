//! What reads a draft: its values one by one, and what there is to say of them.

use rust_decimal::Decimal;

use crate::check::{Memo, Rules};
use crate::column::{Claim, Column, RowRef, Sheets};
use crate::field::{FIELDS, Id};
use crate::finding::{self, Finding};
use crate::origin::Place;
use crate::text::Text;

use super::basis::settled;
use super::draft::{Draft, Slot};
use super::standing::Standing;

/// Reads a draft's values one by one and gathers what is wrong with them.
pub(super) struct Reader<'a> {
    pub(super) draft: &'a Draft,
    cells: Index,
    pub(super) sheets: &'a Sheets,
    pub(super) rules: &'a Rules,
    pub(super) standing: &'a Standing,
    pub(super) memo: &'a mut Memo,
    /// The order's first row.
    pub(super) first: Spot,
    /// The currency of the order's first line.
    pub(super) currency: Text,
    /// What the lines come to more than their rounded prices, where the sheet gives the amount of all pieces.
    pub(super) left_over: Decimal,
    /// Whether the sheet says beside its fields that just this is to be collected.
    pub(super) due_agrees: bool,
    pub(super) problems: Vec<Finding>,
}

/// Where the first cell of each field is among an order's own.
struct Index([u16; FIELDS.len()]);

impl Index {
    fn of(cells: &[Slot]) -> Self {
        let mut places = [u16::MAX; FIELDS.len()];
        for (place, slot) in (0..u16::MAX).zip(cells) {
            let first = &mut places[slot.id as usize];
            *first = place.min(*first);
        }
        Self(places)
    }
}

/// A row, or a cell of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    at: RowRef,
    column: Option<u32>,
}

impl Spot {
    pub(super) const fn row(at: RowRef) -> Self {
        Self { at, column: None }
    }

    pub(super) const fn cell(at: RowRef, column: u32) -> Self {
        Self { at, column: Some(column) }
    }

    /// A cell of the row.
    pub(super) const fn in_column(self, column: u32) -> Self {
        Self { at: self.at, column: Some(column) }
    }

    pub(super) const fn sheet(self) -> u16 {
        self.at.sheet
    }

    pub(super) const fn row_number(self) -> u32 {
        self.at.row
    }

    pub(super) const fn of(slot: &Slot) -> Self {
        Self { at: slot.at, column: Some(slot.column) }
    }
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        draft: &'a Draft,
        (sheets, rules): (&'a Sheets, &'a Rules),
        standing: &'a Standing,
        memo: &'a mut Memo,
    ) -> Self {
        let first = draft.rows.first().copied().unwrap_or(RowRef { sheet: 0, row: 0 });
        Self {
            draft,
            cells: Index::of(&draft.cells),
            sheets,
            rules,
            standing,
            memo,
            first: Spot::row(first),
            currency: Text::default(),
            left_over: Decimal::ZERO,
            due_agrees: false,
            problems: Vec::new(),
        }
    }

    /// The column of a cell.
    pub(super) fn column(&self, slot: &Slot) -> &'a Column {
        self.sheets.of(slot.at.sheet).get(slot.column)
    }

    /// What a cell beside the fields says.
    pub(super) fn claim(&self, index: usize, slot: &Slot) -> Option<Claim> {
        self.sheets.of(slot.at.sheet).claims().get(index).copied()
    }

    /// Where the order's own value of a field stands; its first row where it has none.
    pub(super) fn spot_of(&self, id: Id) -> Spot {
        self.cell(id).map_or(self.first, |slot| Spot::of(&slot))
    }

    /// The order's own cell of a field.
    pub(super) fn cell(&self, id: Id) -> Option<Slot> {
        self.draft.cells.get(usize::from(self.cells.0[id as usize])).copied()
    }

    pub(super) fn place(&self, spot: Spot) -> Place {
        let columns = self.sheets.of(spot.at.sheet);
        spot.column.map_or_else(|| columns.place(spot.at.row, None), |column| columns.cell(spot.at.row, column))
    }

    /// Says something of a value, with the weight that its rule has. Gives whether that holds the order.
    pub(super) fn say(&mut self, problem: Finding, id: Id, spot: Spot) -> bool {
        let settled = |problem| settled(self.draft, problem, self.sheets);
        let Some(problem) = self.placed(problem, id, spot).and_then(settled) else { return false };
        let holds = problem.holds();
        self.problems.push(problem);
        holds
    }

    /// Says why there is no value, whatever level the rule has: without it no request can be formed.
    pub(super) fn say_no_value(&mut self, problem: Finding, id: Id, spot: Spot) {
        self.problems.extend(self.placed(problem, id, spot).map(Finding::hold));
    }

    /// Whether something holds the order, so that no more need be said of what it comes to.
    pub(super) fn has_failed(&self) -> bool {
        self.problems.iter().any(Finding::holds)
    }

    /// What is said of a value, with its place; nothing where something else says it already.
    fn placed(&self, problem: Finding, id: Id, spot: Spot) -> Option<Finding> {
        let place = match spot.column {
            Some(_) => self.place(spot),
            None => self.sheets.place(spot.at, Some(id)),
        };
        // What the reader could not decode is no letter that was lost before.
        let in_row = |other: &Place| other.row == place.row && other.source == place.source;
        let undecoded = |other: &Finding| {
            let failed = other.id == finding::Id::BadEncoding && other.holds();
            failed && other.place.as_ref().is_some_and(in_row)
        };
        if problem.id == finding::Id::Mojibake && self.problems.iter().any(undecoded) {
            return None;
        }
        Some(problem.at(place).on_field(id.field().path).of_order(self.draft.number.clone()))
    }
}
