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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Level;

    #[test]
    fn only_weights_that_no_parcel_has_are_doubted() {
        let doubted = |weight: &str, unit: &str| {
            doubt(weight.parse().unwrap(), unit, true, 100.into())
                .map(|problem| crate::finding::english::message(&problem))
        };
        for (weight, unit) in [
            ("0.5", "kg"),
            ("100", "kg"),
            ("0.002", "kg"),
            ("500", "g"),
            ("5", "g"),
            ("12.5", "g"),
            ("0.1", "oz"),
            ("0", "kg"),
        ] {
            assert_eq!(doubted(weight, unit), None, "{weight} {unit}");
        }
        for (weight, unit, asked) in [
            ("5000", "kg", "is this grams?"),
            ("0.0005", "kg", "is this grams, or the number wrong?"),
            ("0.5", "g", "is this kilograms?"),
            ("500000", "g", "is the number right?"),
            ("500", "lb", "is this grams?"),
        ] {
            let message = doubted(weight, unit).unwrap_or_default();
            assert!(message.starts_with(&format!("{weight} {unit} is")) && message.ends_with(asked), "{message}");
        }
        let unsaid =
            |weight: &str| doubt(weight.parse().unwrap(), "kg", false, 100.into()).map(|problem| problem.level);
        let heavier = doubt("500".parse().unwrap(), "kg", true, 500.into());
        assert!(heavier.is_none(), "{heavier:?}");
        assert_eq!((unsaid("49.9"), unsaid("50"), unsaid("500")), (None, Some(Level::Hold), Some(Level::Hold)));
    }
}
