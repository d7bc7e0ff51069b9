//! One cell's value, by its field's kind.

use rust_decimal::Decimal;

use super::fault::Fault;
use super::habit::{Decimals, Habit};
use super::moment::{self, Dates};
use super::number::{self, Numeral};
use super::rules::Rules;
use super::{absent, contact, country, currency, damage, lines, mistaken, phone};
use crate::field::{
    Field, Id, Kind, Payment, length_unit, normalised, payment_and_figure, payment_type, payment_word, weight_unit,
};
use crate::finding::{Remedy, cell};
use crate::text::{self, Text as Short};
use crate::words::{Topic, Vocabulary};

/// Text longer than this is no cell of an order sheet.
const CHARACTERS_MAX: usize = 5_000;

/// Order numbers are printed on labels and typed by hand.
const ORDER_NUMBER_CHARACTERS_MAX: usize = 200;

/// A typed value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// Text, code, phone, unit: whatever the request carries as it stands.
    Text(Short),
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
    /// Text, as it was written.
    #[default]
    Sound,
    /// A number or a date of the sheet itself, written the one way this program writes them.
    Native,
    /// A date of the sheet itself where no date belongs.
    Dated,
    /// A number that has lost digits.
    DigitsLost,
    /// A spreadsheet's error value, such as `#N/A`.
    ErrorValue,
    /// A formula that was saved without its value.
    NoValue,
}

impl Condition {
    /// Whether the text cannot be trusted.
    #[must_use]
    pub const fn is_fault(self) -> bool {
        !matches!(self, Self::Sound | Self::Native)
    }

    /// The fault of a cell whose text cannot be trusted.
    #[must_use]
    pub fn fault(self) -> Option<Fault> {
        let fault = match self {
            Self::Sound | Self::Native => return None,
            Self::Dated => cell::turned_into_date::by_spreadsheet(),
            Self::DigitsLost => cell::digits_lost::too_many(),
            Self::ErrorValue => cell::error_cell::formula_failed(),
            Self::NoValue => cell::formula_without_value::saved_without_value(),
        };
        Some(fault.into())
    }
}

/// What a value is read from.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// The field it is for.
    pub field: &'static Field,
    /// The trimmed text, not empty.
    pub text: &'a str,
    /// Whether the text is a number or date of the sheet itself.
    pub native: bool,
    /// Whether the sheet itself marks it as text: `="3-Apr"`.
    pub marked: bool,
    /// The country that the value belongs to, by alpha-2 code, where one is known.
    pub country: Option<&'a str>,
    /// The currency that an amount must be in, where it is known.
    pub currency: Option<&'a str>,
    /// How the column writes numbers and dates.
    pub habit: Habit,
    /// What the sheet's profile says of dates.
    pub dates: Option<&'a Dates>,
    /// Whether a means of payment is one that was used: where a profile says when its orders are paid, it is no more than
    /// a means.
    pub means_paid: bool,
}

impl<'a> Input<'a> {
    /// A text for a field, with nothing known around it.
    #[must_use]
    pub fn new(field: &'static Field, text: &'a str) -> Self {
        Self {
            field,
            text,
            native: false,
            marked: false,
            country: None,
            currency: None,
            habit: Habit::default(),
            dates: None,
            means_paid: true,
        }
    }
}

/// A value, and what was repaired to read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The value.
    pub value: Value,
    /// What a person should know of it.
    pub note: Option<Fault>,
}

/// Reads a value, or says why not.
pub fn value(input: Input<'_>, rules: &Rules) -> Result<Reading, Fault> {
    let Input { field, country, currency, habit, .. } = input;
    let accepted = field.kind.accepted();
    let damage::Cleaned { text, mut note } = damage::clean(field.kind, input.text)?;
    if let Some((fault, held)) = mistaken::mistaken(field, &text).filter(|_| !input.marked) {
        if held {
            return Err(fault);
        }
        fault.add_to(&mut note);
    }
    let text = lines::on_one_line(field, text, &mut note)?;
    let text = text.as_ref();
    if text.is_empty() {
        // Nobody sees that such a cell is filled; what it should hold, nobody can say.
        return Err(cell::bad_text::invisible(accepted).into());
    }
    if absent::is_elsewhere(field, text) {
        return Err(cell::no_value::elsewhere(text).into());
    }
    if let Some(fault) = damage::lost(field, text) {
        return Err(fault);
    }
    let decimals = match habit.decimals {
        _ if input.native => Decimals::Point,
        Decimals::Unknown => rules.decimals,
        shown => shown,
    };
    let text = amount_of_word(field.id, text);
    // Of a sheet whose decimals a person knows, no point is doubted.
    let is_known = rules.decimals == Decimals::Point && decimals == Decimals::Point;
    let numeral = Numeral { accepted, decimals, currency, native: input.native || is_known };
    let value = match field.kind {
        Kind::Text | Kind::NullableText => plain(text, CHARACTERS_MAX).map(text_value),
        Kind::OrderNumber => order_number(text).map(text_value),
        Kind::Instant if input.native && habit.swaps_dates() => Err(cell::ambiguous_date::among_texts().into()),
        Kind::Instant => moment::moment(text, habit.day_order, input.dates, rules).map(Value::Instant),
        Kind::Phone => phone::noted(text, country).map(|(digits, doubt)| {
            if let Some(doubt) = doubt {
                doubt.add_to(&mut note);
            }
            text_value(digits)
        }),
        Kind::Email => contact::email(text).map(text_value),
        Kind::CountryCode => country::code(text).map(text_value),
        Kind::PinCode => contact::pin_code(text, country).map(|(code, restored)| {
            if let Some(restored) = restored {
                restored.add_to(&mut note);
            }
            text_value(code)
        }),
        Kind::Money | Kind::MoneyText => number::money(text, numeral).map(Value::Number),
        Kind::Measure => number::positive(text, numeral).map(|n| Value::Number(n.normalize())),
        Kind::Quantity => number::whole(text, numeral).map(Value::Number),
        Kind::Rate => tax_rate(text, numeral).map(Value::Number),
        Kind::LengthUnit => unit(length_unit(text), accepted).map(text_value),
        Kind::WeightUnit => unit(weight_unit(text), accepted).map(text_value),
        Kind::Flag => flag(text, accepted).map(Value::Flag),
        Kind::Payment => payment(text, input.means_paid, rules).map(text_value),
        Kind::Currency => currency::currency(text).map(text_value),
        Kind::Warehouse => warehouse(text, rules).map(text_value),
    }?;
    Ok(Reading { value, note })
}

/// A value that is sent as it is written, though it is hardly meant: where a person has said so. None where a request can
/// take no such text.
#[must_use]
pub fn as_written(input: Input<'_>, rules: &Rules) -> Option<Value> {
    let Input { field, text, habit, dates, .. } = input;
    match field.kind {
        Kind::Text
        | Kind::NullableText
        | Kind::OrderNumber
        | Kind::Phone
        | Kind::Email
        | Kind::CountryCode
        | Kind::PinCode
        | Kind::LengthUnit
        | Kind::WeightUnit
        | Kind::Payment
        | Kind::Currency
        | Kind::Warehouse => Some(text_value(text)),
        Kind::Money | Kind::MoneyText | Kind::Measure | Kind::Quantity | Kind::Rate => {
            Decimal::from_str_exact(text).ok().or_else(|| figure_alone(field.kind, text)).map(Value::Number)
        }
        Kind::Instant => moment::whatever_day(text, habit.day_order, dates, rules).map(Value::Instant),
        Kind::Flag => None,
    }
}

/// The figure beside the sign of another currency, or beside a word that tax comes on top of the price.
fn figure_alone(kind: Kind, text: &str) -> Option<Decimal> {
    let numeral = Numeral { decimals: Decimals::Point, native: true, ..Numeral::default() };
    match kind {
        Kind::Money | Kind::MoneyText => number::money(text, numeral).ok(),
        Kind::Rate if says_on_top(text) => {
            let figure = text.trim_matches(|c: char| !c.is_ascii_digit());
            Some(number::rate(figure, numeral).unwrap_or_default())
        }
        _ => None,
    }
}

/// The rate of a tax in percent, beside which it may be said that the price has it in it.
fn tax_rate(text: &str, numeral: Numeral<'_>) -> Result<Decimal, Fault> {
    if says_on_top(text) {
        return Err(cell::bad_number::tax_on_top().into());
    }
    number::rate(rate_alone(text), numeral).map(|rate| rate.normalize())
}

/// Whether a word in the place of a rate says that the tax is not in the price.
fn says_on_top(text: &str) -> bool {
    let is_figure = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b',' | b'%' | b' '));
    let says = || Vocabulary::built_in().text(text).has(Topic::Values, "on_top");
    (!is_figure && says()) || text.starts_with('+')
}

/// A rate without the word that it is in the price: `18% incl`, `GST 18%`.
fn rate_alone(text: &str) -> &str {
    let (Some(first), Some(sign)) = (text.find(|c: char| c.is_ascii_digit()), text.rfind('%')) else { return text };
    let said = |part: &str| {
        let words = Vocabulary::built_in().text(part);
        words.is_empty() || words.is_all(Topic::Values, &["beside_rate"])
    };
    if first < sign && said(&text[..first]) && said(&text[sign + 1..]) { &text[first..=sign] } else { text }
}

/// What a word means as an amount on top or off: `Free` shipping is none, and what is taken off may have its minus.
fn amount_of_word(id: Id, text: &str) -> &str {
    let off = matches!(id, Id::Discount | Id::LineDiscount);
    let on = matches!(id, Id::ShippingCharges | Id::OtherCharges);
    let sense = match id {
        Id::TaxRate => Some("no-tax"),
        _ => (on || off).then_some("no-amount"),
    };
    let is_word = !text.starts_with(|c: char| c.is_ascii_digit());
    if sense.is_some_and(|sense| is_word && (text == "-" && (on || off) || says(text, sense))) {
        return "0";
    }
    let inner = || text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let bare = if off { text.strip_prefix(['-', '−']).or_else(inner) } else { None };
    bare.map(str::trim).filter(|bare| bare.starts_with(|c: char| c.is_ascii_digit() || c == '₹')).unwrap_or(text)
}

fn text_value(text: impl Into<Short>) -> Value {
    Value::Text(text.into())
}

fn plain(text: &str, characters_max: usize) -> Result<Short, Fault> {
    let length = if text.len() > characters_max { text.chars().count() } else { 0 };
    if length > characters_max {
        return Err(cell::too_long::text(length, characters_max).into());
    }
    let is_control = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    // Text of letters alone is the rule, and is seen at once.
    if !text.bytes().all(|byte| matches!(byte, b' '..=b'~')) && text.contains(is_control) {
        return Err(cell::bad_text::control_characters().into());
    }
    Ok(text.into())
}

/// `1,001` may be 1001 as a spreadsheet shows it, and would be booked once more under this name.
fn order_number(text: &str) -> Result<Short, Fault> {
    let whole = || match text.split_once('.') {
        Some((whole, decimals)) if decimals.bytes().all(|byte| byte == b'0') => whole,
        _ => text,
    };
    if text.contains(',') && number::grouped(whole(), ',') {
        let whole = whole();
        let digits = whole.replace(',', "");
        let (without, with_hyphen) = (Remedy::edit(&digits), Remedy::edit(whole.replace(',', "-")));
        return Err(cell::ambiguous_number::order_number(&digits, without, with_hyphen).into());
    }
    plain(text, ORDER_NUMBER_CHARACTERS_MAX)
}

fn unit(known: Option<&'static str>, accepted: &str) -> Result<String, Fault> {
    known.map(str::to_owned).ok_or_else(|| cell::bad_unit::unknown(accepted).into())
}

fn flag(text: &str, accepted: &str) -> Result<bool, Fault> {
    match () {
        () if says(text, "yes") => Ok(true),
        () if says(text, "no") => Ok(false),
        () => Err(cell::bad_flag::neither(accepted).into()),
    }
}

/// Whether a cell says no more than a word for a value.
fn says(text: &str, sense: &str) -> bool {
    Vocabulary::built_in().text(text).says(Topic::Values, sense)
}

/// The spelling that the service knows, or one that the configuration accepts.
fn payment(text: &str, means_paid: bool, rules: &Rules) -> Result<String, Fault> {
    let bare = normalised(text);
    let accepted = rules.payment_types();
    let configured = accepted.iter().map(String::as_str).find(|accepted| normalised(accepted) == bare);
    let said = || payment_word(text).or_else(|| payment_and_figure(text).map(|(said, _)| said));
    let known = || match said()? {
        // A profile that says when orders are paid has its own words for the others.
        Payment::Cod => (means_paid || payment_type(text).is_some()).then_some("COD"),
        Payment::Prepaid => Some("PREPAID"),
        Payment::Means => means_paid.then_some("PREPAID"),
    };
    let found = configured.or_else(known);
    found.map(str::to_owned).ok_or_else(|| {
        let fault = if Vocabulary::built_in().text(text).says(Topic::Payment, "how-far") {
            cell::bad_payment::how_far(accepted)
        } else if text.contains(|c: char| c.is_ascii_digit()) {
            cell::bad_payment::figure(accepted)
        } else if says(text, "no") {
            cell::bad_payment::no(text, accepted)
        } else {
            cell::bad_payment::unknown(text, accepted)
        };
        fault.into()
    })
}

/// A warehouse's id, which may stand in the sheet under the name that the configuration gives it.
fn warehouse(text: &str, rules: &Rules) -> Result<Short, Fault> {
    let known = rules.warehouses();
    if known.is_empty() {
        return plain(text, CHARACTERS_MAX);
    }
    let bare = normalised(text);
    let by_name = known.iter().find(|(name, _)| normalised(name) == bare).map(|(_, id)| id);
    let found = by_name.or_else(|| known.values().find(|id| *id == text));
    found.map(Short::from).ok_or_else(|| {
        let names: Vec<&str> = known.keys().map(String::as_str).collect();
        let ids = known.values().map(String::as_str);
        let near = text::nearest(text, names.iter().copied().chain(ids));
        // One id is as good as another to whoever reads it: what it is called tells them apart.
        let called = near.and_then(|near| known.iter().find(|(name, id)| near == *id && near != *name));
        let called = called.map(|(name, _)| name.as_str());
        let name_it = Remedy::NameWarehouse { name: text.to_owned() };
        cell::unknown_warehouse::unnamed(text, &names, near, called, name_it).into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::FIELDS;
    use crate::finding;
    use crate::finding::english::{message, plain_advice};

    fn rules() -> Rules {
        Rules::new("2026-11-21T00:00:00Z".parse().unwrap())
    }

    #[test]
    fn every_example_in_the_table_is_accepted() {
        for field in FIELDS {
            let input = Input { country: Some("IN"), currency: Some("INR"), ..Input::new(field, field.example) };
            let found = value(input, &rules());
            assert!(found.as_ref().is_ok_and(|reading| reading.note.is_none()), "{}: {found:?}", field.path);
        }
    }

    #[test]
    fn what_nobody_can_see_is_no_value() {
        for id in [Id::ReceiverFirstName, Id::ReceiverPhone, Id::Quantity] {
            let fault = value(Input::new(id.field(), "\u{200b}\u{202e}"), &rules()).unwrap_err();
            assert_eq!(fault.id, finding::Id::BadText, "{}", message(&fault));
        }
    }

    #[test]
    fn payment_types_are_known_or_accepted_by_configuration() {
        let mut rules = rules();
        let payment = |text: &str, rules: &Rules| payment(text, true, rules);
        assert_eq!(payment("Cash on Delivery", &rules).unwrap(), "COD");
        assert_eq!(payment("prepaid", &rules).unwrap(), "PREPAID");
        assert_eq!(payment("UPI", &rules).unwrap(), "PREPAID");
        assert!(super::payment("UPI", false, &rules).is_err(), "its profile says when it is paid");
        let fault = payment("Khata", &rules).unwrap_err();
        assert_eq!(fault.id, finding::Id::BadPayment);
        assert!(message(&fault).contains("PREPAID or COD") && plain_advice(&fault).contains("\"Khata\""), "{fault:?}");
        for state in ["authorized", "On-hold", "Partially Refunded"] {
            let fault = payment(state, &rules).unwrap_err();
            assert!(
                message(&fault).contains("how far the payment is") && !plain_advice(&fault).contains("payment_types"),
                "{fault:?}"
            );
        }
        assert!(
            !plain_advice(&payment("499.50", &rules).unwrap_err()).contains("payment_types"),
            "an amount is no type of payment"
        );
        rules.accept_payment("UPI");
        assert_eq!(payment("upi", &rules).unwrap(), "UPI");
    }

    #[test]
    fn warehouses_go_by_name_where_names_are_configured() {
        let mut rules = rules();
        assert_eq!(warehouse("WH-1", &rules).unwrap(), "WH-1");
        rules.name_warehouse("Bangalore WH", "9f2");
        assert_eq!(warehouse("bangalore wh", &rules).unwrap(), "9f2");
        assert_eq!(warehouse("9f2", &rules).unwrap(), "9f2");
        let fault = warehouse("Mysore", &rules).unwrap_err();
        assert!(fault.id == finding::Id::UnknownWarehouse && message(&fault).contains("Bangalore WH"), "{fault:?}");
    }

    #[test]
    fn spellings_become_one() {
        let read = |id: Id, text: &str| value(Input::new(id.field(), text), &rules()).map(|reading| reading.value);
        assert_eq!(read(Id::WeightUnit, "KGS").unwrap(), Value::Text("kg".into()));
        assert_eq!(read(Id::WeightUnit, "stone").unwrap_err().id, finding::Id::BadUnit);
        assert_eq!(read(Id::CurrencyCode, "inr").unwrap(), Value::Text("INR".into()));
        assert!(flag("Yes", "").unwrap());
        assert_eq!(flag("maybe", "").unwrap_err().id, finding::Id::BadFlag);
    }

    #[test]
    fn text_has_limits() {
        assert_eq!(plain(&"x".repeat(201), 200).unwrap_err().id, finding::Id::TooLong);
        assert_eq!(plain("a\u{0}b", 200).unwrap_err().id, finding::Id::BadText);
        assert!(plain("two\nlines", 200).is_ok());
    }
}
