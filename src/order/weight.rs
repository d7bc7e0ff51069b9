//! Weights that hardly any parcel has: most of them are in another unit than the column says.

use rust_decimal::Decimal;

use crate::field::in_base_units;
use crate::problem::{Code, Problem};

/// Kilograms above which a single parcel is rare.
const HEAVY: Decimal = Decimal::from_parts(100, 0, 0, false, 0);
/// Kilograms below which nothing is packed at all: 2 g.
const LIGHT: Decimal = Decimal::from_parts(2, 0, 0, false, 3);

/// A word of doubt about a weight in its unit.
pub(super) fn doubt(weight: Decimal, unit: &str) -> Option<Problem> {
    let kilograms = weight.checked_mul(in_base_units(unit)?)?;
    let heavy = kilograms > HEAVY;
    if weight.is_zero() || !(heavy || kilograms < LIGHT) {
        return None;
    }
    let perhaps = match (unit, heavy) {
        ("g", false) => "is this kilograms?",
        ("g", true) => "is the number right?",
        (_, true) => "is this grams?",
        (_, false) => "is this grams, or the number wrong?",
    };
    let message = format!("{} {unit} is hardly the weight of one parcel; {perhaps}", weight.normalize());
    let hint = format!(
        "correct the cell; where the whole column is in grams, give it the header \"Weight (g)\"; if {} {unit} is right, \
         leave it: it is sent",
        weight.normalize()
    );
    Some(Problem::warning(Code::UnusualValue, message).found(weight.normalize().to_string()).hint(hint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_weights_that_no_parcel_has_are_doubted() {
        let doubted = |weight: &str, unit: &str| doubt(weight.parse().unwrap(), unit).map(|problem| problem.message);
        for (weight, unit) in [("0.5", "kg"), ("100", "kg"), ("0.002", "kg"), ("500", "g"), ("0.1", "oz"), ("0", "kg")]
        {
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
    }
}
