//! Exact decimals in JSON.

use rust_decimal::Decimal;
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

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.0.to_string()).map_err(S::Error::custom)?.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stay_as_they_are() {
        for digits in ["499.90", "0.1", "10.10", "123456789012.345678", "0", "1000"] {
            let amount = Amount(digits.parse().unwrap());
            assert_eq!(serde_json::to_string(&amount).unwrap(), digits);
        }
    }
}
