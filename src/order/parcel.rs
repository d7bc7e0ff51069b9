//! Sizes and weights in the unit that their order is sent in.

use crate::field::{Id, figure_in_words, in_base_units, unit_of};
use crate::finding::order::text_mark;
use crate::parse::Value;
use crate::text::Decimal;

use super::raw_order::RawCell;
use super::read::ValueReader;
use super::rows::CellRef;
use super::types::Parcel;

pub(crate) fn parcel(reader: &mut ValueReader<'_>) -> Parcel {
    let (dimension_unit, weight_unit) = (reader.text(Id::DimensionUnit), reader.text(Id::WeightUnit));
    Parcel {
        length: measure(reader, Id::Length, Id::DimensionUnit, &dimension_unit),
        width: measure(reader, Id::Width, Id::DimensionUnit, &dimension_unit),
        height: measure(reader, Id::Height, Id::DimensionUnit, &dimension_unit),
        dimension_unit,
        weight: measure(reader, Id::Weight, Id::WeightUnit, &weight_unit),
        weight_unit,
    }
}

/// A size or weight in the order's unit. What stands in for a blank cell is in the unit of its own source: a column in
/// inches does not make inches of a default in centimetres.
pub(crate) fn measure(reader: &mut ValueReader<'_>, id: Id, unit_id: Id, unit: &str) -> Decimal {
    if let Some(measured) = with_own_unit(reader, id, unit) {
        return measured;
    }
    let number = reader.number(id, None);
    if number.is_zero() || reader.rows.is_given(id) {
        return number;
    }
    let columns = reader.rows.sheets.of(reader.rows.first.at.sheet);
    let by_sheet = columns.default(id).and_then(|_| columns.default(unit_id));
    let own = by_sheet.or_else(|| reader.rows.rules.default(unit_id)).and_then(|own| unit_of(unit_id, own));
    let (Some(from), Some(to)) = (own.and_then(in_base_units), in_base_units(unit)) else { return number };
    if from == to { number } else { (number * from / to).round_dp(4).normalize() }
}

/// A size or weight whose cell has its unit behind its figure, in the order's unit.
fn with_own_unit(reader: &mut ValueReader<'_>, id: Id, unit: &str) -> Option<Decimal> {
    let slot = reader.rows.cell(id)?;
    let columns = reader.rows.sheets.of(slot.at.sheet);
    let (scale, in_parts) = (columns.scale(id), columns.in_parts(id));
    let worded = figure_in_words(reader.rows.text(&slot), id.field().unit_field()?).filter(|_| !in_parts);
    if let Some((number, own)) = worded {
        return Some((number * in_base_units(own)? / in_base_units(unit)?).round_dp(4).normalize());
    }
    let (figure, own) = reader.rows.unit_in(&slot).filter(|_| !in_parts)?;
    let (from, to) = (in_base_units(own)?, in_base_units(unit)?);
    let bare = RawCell { end: slot.start + figure, ..slot };
    let read = reader.read_cell(id, Some(bare), reader.rows.first, None);
    let number = read.and_then(Value::number).unwrap_or_default();
    // The unit of a profile is for figures that have none.
    let number = scale.filter(|scale| !scale.is_zero()).map_or(number, |scale| number / scale);
    let measured = (number * from / to).round_dp(4).normalize();
    let is_mark = !reader.rows.text(&slot).contains(char::is_alphabetic);
    if is_mark && own != unit && !number.is_zero() {
        let said = text_mark::of_unit(number.normalize(), own, measured, unit);
        reader.say(said.found(reader.rows.text(&slot)), id, CellRef::of(&slot));
    }
    Some(measured)
}
