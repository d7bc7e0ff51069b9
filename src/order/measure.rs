//! Sizes and weights in the unit that their order is sent in.

use rust_decimal::Decimal;

use crate::field::{Id, in_base_units, length_unit, weight_unit};

use super::build::Reader;

impl Reader<'_> {
    /// A size or weight in the order's unit. What stands in for a blank cell is in the unit of its own source: a column in
    /// inches does not make inches of a default in centimetres.
    pub(super) fn measure(&mut self, id: Id, unit_id: Id, unit: &str) -> Decimal {
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
}
