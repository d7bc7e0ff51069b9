//! One cell's value, by its field's kind.

use rust_decimal::Decimal;

use super::fault::Fault;
use super::rules::Rules;
use super::{contact, country, moment, number};
use crate::field::{Field, Kind};
use crate::problem::Code;

/// Text longer than this is no cell of an order sheet.
const CHARACTERS_MAX: usize = 5_000;

/// Order numbers are printed on labels and typed by hand.
const ORDER_NUMBER_CHARACTERS_MAX: usize = 200;

/// A typed value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// Text, code, phone, unit: whatever the request carries as it stands.
    Text(String),
    /// An exact decimal.
    Number(Decimal),
    /// Epoch milliseconds.
    Instant(i64),
    /// Yes or no.
    Flag(bool),
}

/// How a cell's text came out of its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Condition {
    /// As it was written.
    #[default]
    Sound,
    /// A number that has lost digits.
    DigitsLost,
    /// A spreadsheet's error value, such as `#N/A`.
    ErrorValue,
    /// A formula that was saved without its value.
    NoValue,
}

impl Condition {
    /// The fault of a cell whose text cannot be trusted.
    #[must_use]
    pub fn fault(self) -> Option<Fault> {
        let (code, message, hint) = match self {
            Self::Sound => return None,
            Self::DigitsLost => (
                Code::DigitsLost,
                "a number with more digits than a spreadsheet keeps: its last digits are lost",
                "format the column as text and type the value again",
            ),
            Self::ErrorValue => {
                (Code::ErrorCell, "the formula in this cell failed", "correct the formula or type the value")
            }
            Self::NoValue => (
                Code::FormulaWithoutValue,
                "a formula that was saved without its value",
                "open the file in a spreadsheet program and save it again",
            ),
        };
        Some(Fault::new(code, message, hint))
    }
}

/// What a value is read from.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// The field it is for.
    pub field: &'static Field,
    /// The trimmed text, not empty.
    pub text: &'a str,
    /// The country that the value belongs to, by alpha-2 code, where one is known.
    pub country: Option<&'a str>,
}

/// Reads a value, or says why not.
pub fn value(input: Input<'_>, rules: &Rules) -> Result<Value, Fault> {
    let Input { field, text, country } = input;
    let accepted = field.kind.accepted();
    match field.kind {
        Kind::Text | Kind::NullableText => plain(text, CHARACTERS_MAX).map(Value::Text),
        Kind::OrderNumber => plain(text, ORDER_NUMBER_CHARACTERS_MAX).map(Value::Text),
        Kind::Instant => moment::moment(text, rules, accepted).map(Value::Instant),
        Kind::Phone => contact::phone(text, country).map(Value::Text),
        Kind::Email => contact::email(text).map(Value::Text),
        Kind::CountryCode => country::code(text).map(Value::Text),
        Kind::PinCode => contact::pin_code(text, country).map(Value::Text),
        Kind::Money | Kind::MoneyText => number::money(text, accepted).map(Value::Number),
        Kind::Measure => number::positive(text, accepted).map(|n| Value::Number(n.normalize())),
        Kind::Quantity => number::whole(text, accepted).map(Value::Number),
        Kind::Rate => number::rate(text, accepted).map(|n| Value::Number(n.normalize())),
        Kind::LengthUnit => unit(text, LENGTH_UNITS, accepted).map(Value::Text),
        Kind::WeightUnit => unit(text, WEIGHT_UNITS, accepted).map(Value::Text),
        Kind::Flag => flag(text, accepted).map(Value::Flag),
        Kind::Payment => Ok(Value::Text(payment(text))),
        Kind::Currency => currency(text).map(Value::Text),
    }
}

fn plain(text: &str, characters_max: usize) -> Result<String, Fault> {
    let length = text.chars().count();
    if length > characters_max {
        return Err(Fault::new(
            Code::TooLong,
            format!("{length} characters; at most {characters_max} are accepted"),
            "shorten it",
        ));
    }
    if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        return Err(Fault::new(
            Code::BadText,
            "holds control characters that cannot be printed",
            "type the text again",
        ));
    }
    Ok(text.to_owned())
}

/// The spellings of each unit; the first is the one that is sent.
type Units = &'static [&'static [&'static str]];

const LENGTH_UNITS: Units = &[
    &["cm", "cms", "centimeter", "centimeters", "centimetre", "centimetres"],
    &["mm", "mms", "millimeter", "millimeters", "millimetre", "millimetres"],
    &["m", "meter", "meters", "metre", "metres"],
    &["in", "inch", "inches"],
    &["ft", "foot", "feet"],
];

const WEIGHT_UNITS: Units = &[
    &["kg", "kgs", "kilogram", "kilograms"],
    &["g", "gm", "gms", "gram", "grams"],
    &["lb", "lbs", "pound", "pounds"],
    &["oz", "ounce", "ounces"],
];

fn unit(text: &str, units: Units, accepted: &str) -> Result<String, Fault> {
    let lower = text.trim_end_matches('.').to_ascii_lowercase();
    let known = units.iter().find(|spellings| spellings.contains(&lower.as_str()));
    known.map(|spellings| spellings[0].to_owned()).ok_or_else(|| {
        Fault::new(Code::BadUnit, format!("not a unit that is known; accepted is {accepted}"), "write the unit alone")
    })
}

fn flag(text: &str, accepted: &str) -> Result<bool, Fault> {
    match text.to_ascii_lowercase().as_str() {
        "yes" | "y" | "true" | "1" | "included" | "inclusive" => Ok(true),
        "no" | "n" | "false" | "0" | "excluded" | "exclusive" => Ok(false),
        _ => Err(Fault::new(Code::BadFlag, format!("neither yes nor no; accepted is {accepted}"), "write yes or no")),
    }
}

/// The spelling that the service knows; others pass as they are, for the set is not closed.
fn payment(text: &str) -> String {
    let bare: String = text.chars().filter(char::is_ascii_alphanumeric).flat_map(char::to_lowercase).collect();
    match bare.as_str() {
        "prepaid" | "paid" | "prepay" => "PREPAID".to_owned(),
        "cod" | "cashondelivery" => "COD".to_owned(),
        _ => text.to_owned(),
    }
}

fn currency(text: &str) -> Result<String, Fault> {
    if text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return Ok(text.to_ascii_uppercase());
    }
    Err(Fault::new(
        Code::BadCurrency,
        "not a currency code; accepted is a three-letter ISO 4217 code such as INR",
        "write the three letters, for instance INR",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::FIELDS;
    use jiff::Timestamp;

    #[test]
    fn every_example_in_the_table_is_accepted() {
        let now: Timestamp = "2026-11-21T00:00:00Z".parse().unwrap();
        for field in FIELDS {
            let input = Input { field, text: field.example, country: Some("IN") };
            assert!(value(input, &Rules::new(now)).is_ok(), "{} does not take {}", field.path, field.example);
        }
    }

    #[test]
    fn spellings_become_one() {
        assert_eq!(payment("Cash on Delivery"), "COD");
        assert_eq!(payment("prepaid"), "PREPAID");
        assert_eq!(payment("UPI"), "UPI");
        assert_eq!(unit("KGS", WEIGHT_UNITS, "").unwrap(), "kg");
        assert_eq!(unit("stone", WEIGHT_UNITS, "").unwrap_err().code, Code::BadUnit);
        assert_eq!(currency("inr").unwrap(), "INR");
        assert!(currency("Rs").is_err());
        assert!(flag("Yes", "").unwrap());
        assert_eq!(flag("maybe", "").unwrap_err().code, Code::BadFlag);
    }

    #[test]
    fn text_has_limits() {
        assert_eq!(plain(&"x".repeat(201), 200).unwrap_err().code, Code::TooLong);
        assert_eq!(plain("a\u{0}b", 200).unwrap_err().code, Code::BadText);
        assert!(plain("two\nlines", 200).is_ok());
    }
}
