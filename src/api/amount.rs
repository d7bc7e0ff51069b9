//! Exact decimals in JSON.

use std::str::FromStr;

pub use crate::text::Decimal;
use serde::ser::{Error, Serialize, Serializer};
use serde_json::value::RawValue;

/// A number that goes into JSON digit for digit: `499.90` stays `499.90`.
///
/// Bodies that hold one are serialised straight to text. By way of `serde_json::Value` the digits would pass through a
/// float.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Amount(Decimal);

impl From<Decimal> for Amount {
    fn from(number: Decimal) -> Self {
        Self(number)
    }
}

impl From<u32> for Amount {
    fn from(number: u32) -> Self {
        Self(number.into())
    }
}

/// A text that is no plain number, or has more digits than are exact.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no amount: write digits with a point, such as 499.90")]
pub struct AmountError(String);

impl FromStr for Amount {
    type Err = AmountError;

    fn from_str(digits: &str) -> Result<Self, Self::Err> {
        Decimal::from_str_exact(digits).map(Self).map_err(|_| AmountError(digits.to_owned()))
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut digits = Digits::default();
        let text = if let Some(text) = digits.of(self.0) { text } else { &self.0.to_string() };
        serde_json::from_str::<&RawValue>(text).map_err(S::Error::custom)?.serialize(serializer)
    }
}

/// Room for the digits of an amount: a request has a dozen of them, and a million requests are frozen.
#[derive(Default)]
struct Digits([u8; Self::MAX]);

impl Digits {
    /// Those of the largest `u64`, and a point.
    const MAX: usize = 21;

    /// An amount as [`Decimal`] writes it, for amounts of everyday size that are not negative.
    fn of(&mut self, number: Decimal) -> Option<&str> {
        let mut rest = u64::try_from(number.mantissa()).ok().filter(|_| number.is_sign_positive())?;
        let scale = number.scale() as usize;
        let mut written = 0;
        // All decimals, and one digit before them.
        while written < scale + usize::from(scale > 0) + 1 || rest > 0 {
            let place = Self::MAX.checked_sub(written + 1)?;
            self.0[place] = if scale > 0 && written == scale {
                b'.'
            } else {
                let digit = rest % 10;
                rest /= 10;
                b'0' + u8::try_from(digit).ok()?
            };
            written += 1;
        }
        str::from_utf8(&self.0[Self::MAX - written..]).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Promise 11: an amount is sent digit for digit.
    #[test]
    fn digits_stay_as_they_are() {
        for digits in ["499.90", "0.1", "10.10", "123456789012.345678", "0", "1000"] {
            let amount: Amount = digits.parse().unwrap();
            assert_eq!(serde_json::to_string(&amount).unwrap(), digits);
        }
        assert_eq!(Amount::from(2), "2".parse().unwrap());
        for wrong in ["", "1,000", "Rs. 5", "1e3", "0.12345678901234567890123456789012"] {
            let error = wrong.parse::<Amount>().unwrap_err().to_string();
            assert!(error.contains(&format!("`{wrong}` is no amount")), "{error}");
        }
    }

    #[test]
    fn amounts_are_written_as_decimals_are() {
        let mantissas =
            [0, 1, 5, 10, 99, 100, 49_990, 1_000_000, u128::from(u64::MAX), u128::from(u64::MAX) + 1, 1 << 95];
        for mantissa in mantissas {
            for scale in 0..=28 {
                for sign in [1, -1] {
                    let number = Decimal::from_i128_with_scale(i128::try_from(mantissa).unwrap() * sign, scale);
                    assert_eq!(serde_json::to_string(&Amount(number)).unwrap(), number.to_string());
                }
            }
        }
    }
}
