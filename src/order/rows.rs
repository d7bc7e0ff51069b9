//! The rows of one order, with what their columns mean.

use crate::column::{Column, Extra, RowRef, Sheets};
use crate::field::{ExtraRole, Id, StateRole, unit_behind};
use crate::finding::{Finding, RuleId};
use crate::memo::Memo;
use crate::origin::Place;
use crate::parse::{
    ColumnFormat, Condition, Decimals, Input, Payments, ReadingSettings, Value, is_no_value, unmarked, value,
};
use crate::text::Decimal;
use crate::text::Text;

use super::raw_order::{RawCell, RawLine, RawOrder};

/// A row, or a cell of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CellRef {
    pub(crate) at: RowRef,
    column: Option<u32>,
}

impl CellRef {
    pub(crate) const fn row(at: RowRef) -> Self {
        Self { at, column: None }
    }

    pub(crate) const fn cell(at: RowRef, column: u32) -> Self {
        Self { at, column: Some(column) }
    }

    pub(crate) const fn of(slot: &RawCell) -> Self {
        Self { at: slot.at, column: Some(slot.column) }
    }
}

/// All that the value of a text hangs on: its field, its sheet, its cell, and the codes of its order's country and currency.
type About = (Id, u16, Option<(u32, Condition)>, (u32, u32));

/// A code of up to three bytes as a number, as those of countries and currencies are.
pub(super) fn code(text: &str) -> Option<u32> {
    (text.len() < 4).then(|| text.bytes().fold(1, |code, byte| code << 8 | u32::from(byte)))
}

/// What was found out of texts that recur from order to order, for one lane.
#[derive(Debug, Default)]
pub struct Recurring {
    /// Values of which there is nothing to say.
    pub(super) values: Memo<About, Value>,
    pub(super) is_amount_name: Memo<(), bool>,
    /// States of India by the names that they have in addresses.
    pub(super) states: Memo<(), Option<&'static str>>,
    pub(super) countries: Memo<(), Option<&'static str>>,
    pub(crate) fetched: Memo<(), bool>,
    pub(crate) marked: Memo<bool, bool>,
    /// Remarks that change nothing, whatever the order is.
    pub(crate) silent: Memo<(u16, u32, StateRole), ()>,
}

/// The rows of one order, with what their columns mean.
#[derive(Clone)]
pub(crate) struct Rows<'a> {
    pub(crate) draft: &'a RawOrder,
    pub(crate) sheets: &'a Sheets,
    pub(crate) rules: &'a ReadingSettings,
    pub(crate) recurring: &'a Recurring,
    /// The order's first row.
    pub(crate) first: CellRef,
    /// The currency of the order's first line.
    pub(crate) currency: Text,
    /// What the lines come to more than their rounded prices, where the sheet gives the amount of all pieces.
    pub(crate) left_over: Decimal,
    /// The total that a person chose, where the sheet says several amounts.
    pub(crate) total: Option<Decimal>,
    /// Rules that a person lets go, of those whose findings end the building otherwise.
    pub(crate) let_go: Vec<RuleId>,
}

impl<'a> Rows<'a> {
    pub(crate) fn new(
        draft: &'a RawOrder,
        (sheets, rules): (&'a Sheets, &'a ReadingSettings),
        recurring: &'a Recurring,
    ) -> Self {
        let first = draft.rows.first().copied().unwrap_or(RowRef { sheet: 0, row: 0 });
        let (first, currency, left_over) = (CellRef::row(first), Text::default(), Decimal::ZERO);
        let (total, let_go) = (None, Vec::new());
        Self { draft, sheets, rules, recurring, first, currency, left_over, total, let_go }
    }

    /// A cell's text.
    pub(crate) fn text(&self, slot: &RawCell) -> &'a str {
        self.draft.text(slot)
    }

    /// The header of a cell's column.
    pub(crate) fn header(&self, slot: &RawCell) -> &'a str {
        &self.column(slot).header
    }

    /// What is said of a value, with its place.
    pub(crate) fn placed(&self, problem: Finding, id: Id, spot: CellRef) -> Finding {
        let place = spot.column.map_or_else(|| self.sheets.place(spot.at, Some(id)), |_| self.place(spot));
        problem.at(place).on_field(id.field().path).of_order(self.draft.number.clone())
    }

    /// The amount of a line that the sheet says beside the fields.
    pub(super) fn amount_of_line(&self, role: ExtraRole, line: &RawLine) -> Option<(RawCell, Decimal)> {
        let slot = self.claimed_as(role).find(|slot| slot.at == line.at)?;
        Some((*slot, self.readings(slot).first().copied()?))
    }

    /// What a cell may mean as an amount: as its column writes numbers, or either way where that cannot be told.
    pub(crate) fn readings(&self, slot: &RawCell) -> Vec<Decimal> {
        self.readings_of(slot, self.draft.text(slot))
    }

    /// What a text of a cell may mean as an amount.
    pub(super) fn readings_of(&self, slot: &RawCell, text: &str) -> Vec<Decimal> {
        let columns = self.sheets.of(slot.at.sheet);
        let text = unmarked(Id::SubTotal.field(), text);
        let currency = Some(self.currency.as_str()).filter(|currency| !currency.is_empty());
        let read = |decimals: Decimals| {
            let input = Input {
                native: slot.condition == Condition::Native,
                currency,
                habit: ColumnFormat { decimals, ..ColumnFormat::default() },
                ..Input::new(Id::SubTotal.field(), text)
            };
            value(input, self.rules).sure().and_then(Value::number)
        };
        if slot.condition.is_fault() {
            return Vec::new();
        }
        if let Some(sure) = read(columns.habit(Id::Price).decimals) {
            return vec![sure];
        }
        let mut either: Vec<Decimal> = [Decimals::Point, Decimals::Comma].into_iter().filter_map(read).collect();
        either.dedup();
        either
    }

    /// The first cell of a field among the order's products.
    pub(crate) fn line_slot(&self, id: Id) -> Option<RawCell> {
        self.draft.lines.iter().flat_map(|line| self.draft.cells_of(line)).find(|slot| slot.id == id).copied()
    }

    /// The unit behind the figure of a cell, and where that figure ends.
    pub(super) fn unit_in(&self, slot: &RawCell) -> Option<(u32, &'static str)> {
        let (end, unit) = unit_behind(self.draft.text(slot), slot.id.field().unit_field()?)?;
        Some((u32::try_from(end).ok()?, unit))
    }

    /// Whether a text only says that there is nothing. Where both names of a person are asked, a short one may be real:
    /// `NA LI` has a last name.
    pub(super) fn is_absent(&self, id: Id, text: &str) -> bool {
        let other = match id {
            Id::ReceiverFirstName => Id::ReceiverLastName,
            Id::ReceiverLastName => Id::ReceiverFirstName,
            _ => return is_no_value(id.field(), text),
        };
        let letters = || text.bytes().all(|byte| byte.is_ascii_uppercase());
        let real = |slot: RawCell| !is_no_value(other.field(), self.draft.text(&slot));
        is_no_value(id.field(), text) && !(letters() && self.cell(other).is_some_and(real))
    }

    /// Whether the order's own cell of a field holds a value.
    pub(crate) fn is_given(&self, id: Id) -> bool {
        self.cell(id).is_some_and(|slot| !self.is_absent(id, self.draft.text(&slot)))
    }

    /// The text that stands in for a blank cell: from a header's unit, the sheet's constant or the configuration.
    pub(super) fn stand_in(&self, id: Id, spot: CellRef) -> Option<&'a str> {
        let columns = self.sheets.of(spot.at.sheet);
        let in_header = columns.unit(id).filter(|unit| unit.words.len() == 1).map(|unit| unit.words[0]);
        // Where the cells that are filled say cash on delivery, and none of them says anything else, the others are paid.
        let collects = || id == Id::OrderType && columns.collecting().is_some();
        let uncollected = || (collects() && columns.habit(id).payments == Payments::Cod).then_some("PREPAID");
        let text = in_header.or_else(|| columns.default(id)).or_else(|| self.rules.default(id)).or_else(uncollected);
        text.filter(|text| !text.is_empty())
    }

    /// The column of a cell.
    pub(crate) fn column(&self, slot: &RawCell) -> &'a Column {
        self.sheets.of(slot.at.sheet).get(slot.column)
    }

    /// The cells beside the fields, each with what it says.
    pub(crate) fn claimed(&self) -> impl Iterator<Item = (Extra, &'a RawCell)> + use<'a> {
        let sheets = self.sheets;
        let claim = move |index: usize, slot: &RawCell| sheets.of(slot.at.sheet).claims.get(index).copied();
        self.draft.amounts.iter().filter_map(move |(index, slot)| Some((claim(*index, slot)?, slot)))
    }

    /// The cells of a role.
    pub(crate) fn claimed_as(&self, role: ExtraRole) -> impl Iterator<Item = &'a RawCell> + use<'a> {
        // Hardly any sheet has a column of each role. The rows are in the order of their sheets.
        let (first, last) = (self.first.at.sheet, self.draft.rows.last().map(|row| row.sheet));
        let has = || self.sheets.of(first).claims.iter().any(|claim| claim.role == role);
        let may_have = last != Some(first) || has();
        let claimed = self.claimed().take(if may_have { usize::MAX } else { 0 });
        claimed.filter(move |(claim, _)| claim.role == role).map(|(_, slot)| slot)
    }

    /// Where the order's own value of a field stands; its first row where it has none.
    pub(crate) fn spot_of(&self, id: Id) -> CellRef {
        self.cell(id).map_or(self.first, |slot| CellRef::of(&slot))
    }

    /// The order's own cell of a field.
    pub(crate) fn cell(&self, id: Id) -> Option<RawCell> {
        self.draft.cell(id)
    }

    pub(crate) fn place(&self, spot: CellRef) -> Place {
        let columns = self.sheets.of(spot.at.sheet);
        spot.column.map_or_else(|| columns.place(spot.at.row, None), |column| columns.cell(spot.at.row, column))
    }

    /// Whether anybody has said what weights are in: a header, a cell, a profile or the configuration.
    pub(crate) fn is_weight_unit_said(&self) -> bool {
        let columns = self.sheets.of(self.first.at.sheet);
        let by_sheet = columns.says_weight_unit() || self.rules.configured(Id::WeightUnit).is_some();
        // What the configuration says of the weight itself is in its own unit.
        let by_cell = || self.cell(Id::Weight).is_some_and(|slot| self.unit_in(&slot).is_some());
        by_sheet || self.is_given(Id::WeightUnit) || !self.is_given(Id::Weight) || by_cell()
    }

    /// Whether the sheet itself, or its profile, says of every line whether taxes are in its price.
    pub(crate) fn says_taxed(&self) -> bool {
        let draft = self.draft;
        let cell = |line: &RawLine| draft.cells_of(line).iter().any(|slot| slot.id == Id::TaxesIncluded);
        let default = |line: &RawLine| self.sheets.of(line.at.sheet).default(Id::TaxesIncluded).is_some();
        draft.lines.iter().all(|line| cell(line) || default(line))
    }
}
