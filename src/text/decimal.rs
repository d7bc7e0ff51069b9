//! Exact decimals whose arithmetic cannot fail: sheets and services may name any number.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Rem, Sub, SubAssign};
use std::str::FromStr;

use rust_decimal::Decimal as Exact;
use rust_decimal::prelude::ToPrimitive;
pub use rust_decimal::{Error as DecimalError, RoundingStrategy};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An exact decimal of up to 28 digits. What would be larger becomes the largest one: a cell or an amount of an order that is
/// above [`Decimal::LARGEST`] is refused long before, so no request has it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Decimal(Exact);

impl Decimal {
    /// 0
    pub const ZERO: Self = Self(Exact::ZERO);
    /// 1
    pub const ONE: Self = Self(Exact::ONE);
    /// 2
    pub const TWO: Self = Self(Exact::TWO);
    /// 10
    pub const TEN: Self = Self(Exact::TEN);
    /// 100
    pub const ONE_HUNDRED: Self = Self(Exact::ONE_HUNDRED);
    /// 1000
    pub const ONE_THOUSAND: Self = Self(Exact::ONE_THOUSAND);
    /// What arithmetic gives at most.
    pub const MAX: Self = Self(Exact::MAX);
    /// The largest number that an order may have: 999,999,999,999.
    pub const LARGEST: Self = Self::from_parts(0xD4A5_0FFF, 0xE8, 0, false, 0);

    /// `number` with so many of its digits behind the point; zero where there are more decimals than a number has.
    #[must_use]
    pub fn new(number: i64, scale: u32) -> Self {
        Self(Exact::try_new(number, scale).unwrap_or_default())
    }

    /// The same of up to 96 bits.
    #[must_use]
    pub fn from_i128_with_scale(number: i128, scale: u32) -> Self {
        Self(Exact::try_from_i128_with_scale(number, scale).unwrap_or_default())
    }

    /// A constant by the parts of its digits.
    #[must_use]
    pub const fn from_parts(low: u32, middle: u32, high: u32, negative: bool, scale: u32) -> Self {
        Self(Exact::from_parts(low, middle, high, negative, scale))
    }

    /// Digits with a point; refused where not all of them can be held.
    pub fn from_str_exact(text: &str) -> Result<Self, DecimalError> {
        Exact::from_str_exact(text).map(Self)
    }

    /// `1.5e3`
    pub fn from_scientific(text: &str) -> Result<Self, DecimalError> {
        Exact::from_scientific(text).map(Self)
    }

    /// Without zeros at the end of its decimals.
    #[must_use]
    pub fn normalize(self) -> Self {
        Self(self.0.normalize())
    }

    /// Rounded to so many decimals, a half to the even digit.
    #[must_use]
    pub fn round_dp(self, decimals: u32) -> Self {
        Self(self.0.round_dp(decimals))
    }

    /// Rounded to so many decimals.
    #[must_use]
    pub fn round_dp_with_strategy(self, decimals: u32, strategy: RoundingStrategy) -> Self {
        Self(self.0.round_dp_with_strategy(decimals, strategy))
    }

    /// The same number with so many decimals, rounded or with zeros.
    pub fn rescale(&mut self, decimals: u32) {
        self.0.rescale(decimals);
    }

    /// Without its sign.
    #[must_use]
    pub fn abs(self) -> Self {
        Self(self.0.abs())
    }

    /// Without its decimals.
    #[must_use]
    pub fn trunc(self) -> Self {
        Self(self.0.trunc())
    }

    /// The next whole number that is not below it.
    #[must_use]
    pub fn ceil(self) -> Self {
        Self(self.0.ceil())
    }

    /// Its decimals alone.
    #[must_use]
    pub fn fract(self) -> Self {
        Self(self.0.fract())
    }

    /// Whether it is 0.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0.is_zero()
    }

    /// Whether it has a minus.
    #[must_use]
    pub const fn is_sign_negative(self) -> bool {
        self.0.is_sign_negative()
    }

    /// Whether it has no minus.
    #[must_use]
    pub const fn is_sign_positive(self) -> bool {
        self.0.is_sign_positive()
    }

    /// How many decimals it is written with.
    #[must_use]
    pub const fn scale(self) -> u32 {
        self.0.scale()
    }

    /// All its digits as a whole number.
    #[must_use]
    pub const fn mantissa(self) -> i128 {
        self.0.mantissa()
    }

    /// Its bytes, as they are hashed.
    #[must_use]
    pub const fn serialize(self) -> [u8; 16] {
        self.0.serialize()
    }

    /// The nearest float.
    #[must_use]
    pub fn to_f64(self) -> Option<f64> {
        self.0.to_f64()
    }

    /// Its whole part, where that is one.
    #[must_use]
    pub fn to_u64(self) -> Option<u64> {
        self.0.to_u64()
    }

    /// The same with its sign.
    #[must_use]
    pub fn to_i64(self) -> Option<i64> {
        self.0.to_i64()
    }
}

/// Its digits, as a text: no reader loses any.
impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl FromStr for Decimal {
    type Err = DecimalError;

    fn from_str(text: &str) -> Result<Self, DecimalError> {
        text.parse().map(Self)
    }
}

impl TryFrom<f64> for Decimal {
    type Error = DecimalError;

    fn try_from(number: f64) -> Result<Self, DecimalError> {
        Exact::try_from(number).map(Self)
    }
}

/// Makes decimals of whole numbers.
macro_rules! of_whole {
    ($($whole:ty)*) => {
        $(impl From<$whole> for Decimal {
            fn from(number: $whole) -> Self {
                Self(number.into())
            }
        })*
    };
}
of_whole!(u8 u16 u32 u64 usize i32 i64);

impl Neg for Decimal {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add for Decimal {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Decimal {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Mul for Decimal {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self(self.0.saturating_mul(other.0))
    }
}

impl Div for Decimal {
    type Output = Self;

    /// Through zero as well: the largest number is no amount of anything.
    fn div(self, by: Self) -> Self {
        let is_below = self.0.is_sign_negative() != by.0.is_sign_negative();
        Self(self.0.checked_div(by.0).unwrap_or(if is_below { Exact::MIN } else { Exact::MAX }))
    }
}

impl Rem for Decimal {
    type Output = Self;

    /// What is left of a division; through zero, all of it.
    fn rem(self, by: Self) -> Self {
        Self(self.0.checked_rem(by.0).unwrap_or(self.0))
    }
}

impl AddAssign for Decimal {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Decimal {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Sum for Decimal {
    fn sum<I: Iterator<Item = Self>>(numbers: I) -> Self {
        numbers.fold(Self::ZERO, Add::add)
    }
}

impl<'d> Sum<&'d Self> for Decimal {
    fn sum<I: Iterator<Item = &'d Self>>(numbers: I) -> Self {
        numbers.copied().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_on_any_two_numbers_gives_a_number() {
        let numbers = ["0", "1", "-1", "3", "0.1", "-0.0000000000000000000000000001", "999999999999"];
        let mut numbers: Vec<Decimal> = numbers.iter().map(|text| text.parse().unwrap()).collect();
        numbers.extend([Decimal::MAX, -Decimal::MAX, Decimal::LARGEST]);
        for one in &numbers {
            for other in &numbers {
                let all = [*one + *other, *one - *other, *one * *other, *one / *other, *one % *other];
                let mut sum: Decimal = all.iter().sum();
                sum -= *one;
                sum.rescale(28);
                assert!(sum.round_dp(2).normalize().abs() <= Decimal::MAX);
            }
        }
        let number = |text: &str| text.parse::<Decimal>().unwrap();
        assert_eq!((Decimal::MAX + Decimal::ONE, -Decimal::MAX - Decimal::ONE), (Decimal::MAX, -Decimal::MAX));
        assert_eq!((Decimal::MAX * number("-2"), number("-2") / number("0")), (-Decimal::MAX, -Decimal::MAX));
        assert_eq!(Decimal::LARGEST, number("999999999999"));
        assert_eq!((number("499.90") * number("2")).to_string(), "999.80");
    }
}
