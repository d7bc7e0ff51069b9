//! Sizes and weights in the unit that their order is sent in.

use rust_decimal::Decimal;

use crate::check::Value;
use crate::field::{Id, in_base_units, length_unit, unit_behind, weight_unit};

use super::build::Reader;
use super::draft::Slot;

impl Reader<'_> {
    /// A size or weight in the order's unit. What stands in for a blank cell is in the unit of its own source: a column in
    /// inches does not make inches of a default in centimetres.
    pub(super) fn measure(&mut self, id: Id, unit_id: Id, unit: &str) -> Decimal {
        if let Some(measured) = self.with_own_unit(id, unit) {
            return measured;
        }
        let number = self.number(id, None);
        if number.is_zero() || self.is_given(id) {
            return number;
        }
        let layout = self.layouts.of(self.first.sheet());
        let by_sheet = layout.default(id).and_then(|_| layout.default(unit_id));
        let own = by_sheet.or_else(|| self.rules.default(unit_id)).and_then(|own| match unit_id {
            Id::WeightUnit => weight_unit(own),
            _ => length_unit(own),
        });
        let (Some(from), Some(to)) = (own.and_then(in_base_units), in_base_units(unit)) else { return number };
        if from == to { number } else { (number * from / to).round_dp(4).normalize() }
    }

    /// A size or weight whose cell has its unit behind its figure, in the order's unit.
    fn with_own_unit(&mut self, id: Id, unit: &str) -> Option<Decimal> {
        let slot = self.cell(id)?;
        let (figure, own) = self.unit_in(&slot)?;
        let layout = self.layouts.of(slot.at.sheet);
        let (scale, in_parts) = (layout.scale(id), layout.in_parts(id));
        let (from, to) = (in_base_units(own)?, in_base_units(unit)?);
        if in_parts {
            return None;
        }
        let bare = Slot { end: slot.start + figure, ..slot };
        let Some(Value::Number(number)) = self.read_cell(id, Some(bare), self.first, None) else {
            return Some(Decimal::ZERO);
        };
        // The unit of a profile is for figures that have none.
        let number = scale.filter(|scale| !scale.is_zero()).map_or(number, |scale| number / scale);
        Some((number * from / to).round_dp(4).normalize())
    }

    /// The unit behind the figure of a cell, and where that figure ends.
    fn unit_in(&self, slot: &Slot) -> Option<(u32, &'static str)> {
        let (end, unit) = unit_behind(self.draft.text(slot), slot.id == Id::Weight)?;
        Some((u32::try_from(end).ok()?, unit))
    }

    /// Whether the cell of the weight says its unit itself.
    pub(super) fn is_unit_in_weight(&self) -> bool {
        self.cell(Id::Weight).is_some_and(|slot| self.unit_in(&slot).is_some())
    }
}
