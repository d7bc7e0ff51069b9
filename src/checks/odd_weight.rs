//! Weights that hardly any parcel has: most of them are in another unit than the column says.

use crate::field::{Id, in_base_units};
use crate::finding::column::{bad_unit, unusual_value};
use crate::finding::{Finding, Remedy, Value};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use super::view::{Told, View};

/// Doubts the weight of the parcel.
pub(crate) fn check(view: &View<'_>, told: &mut Told<'_>) {
    let (rows, parcel) = (view.rows, &view.order.parcel);
    let said = rows.is_weight_unit_said();
    let Some(problem) = doubt(parcel.weight, &parcel.weight_unit, said, rows.rules.heaviest_kg) else { return };
    let found = rows.cell(Id::Weight).map(|slot| rows.text(&slot).to_owned());
    let found = found.unwrap_or_else(|| parcel.weight.normalize().to_string());
    told.say(problem.found(found), Id::Weight, rows.spot_of(Id::Weight));
}

/// Kilograms below which nothing is packed at all: 2 g.
const LIGHT: Decimal = Decimal::from_parts(2, 0, 0, false, 3);

/// Figures from which on a weight may be grams, where nobody has said what it is in.
const UNSAID: Decimal = Decimal::from_parts(50, 0, 0, false, 0);

/// Why a weight cannot be meant in its unit: it may be grams where nobody has said the unit, or no parcel has it.
///
/// `heaviest` is in kilograms, and what is heavier is refused.
pub(crate) fn doubt(weight: Decimal, unit: &str, said: bool, heaviest: Decimal) -> Option<Finding> {
    if !said && weight >= UNSAID {
        return Some(bad_unit::weight_without_unit(unit, UNSAID));
    }
    let kilograms = weight.checked_mul(in_base_units(unit)?)?;
    let heavy = kilograms > heaviest;
    if weight.is_zero() || !(heavy || kilograms < LIGHT) {
        return None;
    }
    let shown = weight.normalize();
    let setting = || {
        let limit = kilograms.ceil().to_i64().map(Value::Number);
        Remedy::setting("check", "heaviest_kg", limit)
    };
    Some(match (unit, heavy) {
        ("g", false) => unusual_value::light_in_grams(shown, unit),
        ("g", true) => unusual_value::heavy_in_grams(shown, unit, setting()),
        (_, true) => unusual_value::heavy_weight(shown, unit, setting()),
        (_, false) => unusual_value::light_weight(shown, unit),
    })
}
