//! The digits of a number as spreadsheets show them.

use crate::text::{Decimal, RoundingStrategy};

/// The decimal of 15 significant digits, as spreadsheets show it, times ten to the power of `shift`.
pub(super) fn fifteen_digits(number: f64, shift: i32) -> Option<Decimal> {
    if number == 0.0 {
        return Some(Decimal::ZERO);
    }
    let short = if shift == 0 { short_digits(number) } else { None };
    short.or_else(|| of_scientific(number, shift))
}

/// The same of a number that has no more digits than these, as nearly all have: they are those that tell it from all others.
fn short_digits(number: f64) -> Option<Decimal> {
    const DIGITS_MAX: usize = 15;
    let shown = format!("{number}");
    let digits = shown.trim_start_matches(['-', '0', '.']).bytes().filter(u8::is_ascii_digit).count();
    // Smaller ones are left to what knows how small a number may be.
    if digits > DIGITS_MAX || number.abs() < 1e-9 { None } else { Decimal::from_str_exact(&shown).ok() }
}

fn of_scientific(number: f64, shift: i32) -> Option<Decimal> {
    let scientific = format!("{number:.14e}");
    let (mantissa, exponent) = scientific.split_once('e')?;
    let exponent = exponent.parse::<i32>().ok()? + shift;
    (exponent > -14).then(|| Decimal::from_scientific(&format!("{mantissa}e{exponent}")).ok())?.map(Decimal::normalize)
}

/// As spreadsheets round what they show: halves away from zero.
pub(super) fn rounded(exact: Decimal, decimals: u32) -> Decimal {
    exact.round_dp_with_strategy(decimals, RoundingStrategy::MidpointAwayFromZero)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_digits_are_those_of_fifteen() {
        let mut seed = 7_u64;
        let mut random = |most: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % most
        };
        let mut short = 0;
        for _ in 0..20_000 {
            let power = 10_f64.powi(i32::try_from(random(16)).unwrap() - 6);
            #[expect(clippy::cast_precision_loss, reason = "any number will do")]
            let (number, noise) = (random(1 << 31) as f64 / power, random(3) as f64 * f64::EPSILON);
            for number in [number, -number, number * (1.0 + noise), number + noise] {
                if number != 0.0
                    && let Some(digits) = short_digits(number)
                {
                    assert_eq!(Some(digits), of_scientific(number, 0), "{number}");
                    assert_eq!(digits.scale(), of_scientific(number, 0).unwrap().scale(), "{number}");
                    short += 1;
                }
            }
        }
        assert!(short > 40_000, "{short}");
    }
}
