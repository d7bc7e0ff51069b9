//! Whether two cells of one field say the same, in whatever spelling: rows of one order are written by different hands.

use crate::field::{Field, Id, Kind, Payment, in_base_units, indian_state, payment_word, unit_behind};
use crate::parse::{Decimals, country_code};
use crate::text::Decimal;

/// Digits of a phone number without its country's code.
const PHONE_DIGITS_MIN: usize = 8;
const PHONE_DIGITS_MAX: usize = 10;

/// Whether two filled cells of a field say the same: as values, and not letter by letter.
///
/// Where the column may write decimals with a comma, a number is only what it was written as.
pub(super) fn agree(field: &Field, decimals: Decimals, one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let is_sure = !matches!(decimals, Decimals::Comma | Decimals::Mixed);
    let same = |value: fn(&str) -> Option<&'static str>| value(one).is_some_and(|known| value(other) == Some(known));
    match field.kind {
        Kind::Money | Kind::MoneyText | Kind::Measure | Kind::Quantity | Kind::Rate => {
            is_sure && number(field, one).is_some_and(|own| number(field, other) == Some(own))
        }
        Kind::Phone => phone(one).zip(phone(other)).is_some_and(|(one, other)| {
            let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
            short == long || (short.len() <= PHONE_DIGITS_MAX && long.ends_with(&short))
        }),
        Kind::Instant => date(one).is_some_and(|own| date(other) == Some(own)),
        Kind::PinCode => solid(one) == solid(other),
        // By which means it is paid is another thing than whether it is.
        Kind::Payment => {
            let of = |text| payment_word(text).filter(|own| *own != Payment::Means);
            of(one).is_some_and(|own| of(other) == Some(own)) || alike(one, other)
        }
        _ if is_country(field.id) => same(country_code) || alike(one, other),
        _ if is_state(field.id) => same(indian_state) || alike(one, other),
        _ => alike(one, other),
    }
}

const fn is_country(id: Id) -> bool {
    matches!(
        id,
        Id::DestinationCountry
            | Id::DestinationCountryCode
            | Id::OriginCountry
            | Id::OriginCountryCode
            | Id::ReturnCountry
            | Id::ReturnCountryCode
    )
}

const fn is_state(id: Id) -> bool {
    matches!(id, Id::DestinationState | Id::OriginState | Id::ReturnState)
}

/// Whether two texts have the same words, whatever their case and what ends them.
fn alike(one: &str, other: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let bare = text.split_whitespace().map(|word| word.trim_matches([',', '.', ';']).to_lowercase());
        bare.filter(|word| !word.is_empty()).collect()
    };
    words(one) == words(other)
}

/// A text without blanks, in small letters.
fn solid(text: &str) -> String {
    text.split_whitespace().collect::<String>().to_lowercase()
}

/// The digits of a phone number.
fn phone(text: &str) -> Option<String> {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let digits = digits.trim_start_matches('0').to_owned();
    (digits.len() >= PHONE_DIGITS_MIN && !text.contains(char::is_alphabetic)).then_some(digits)
}

/// The figures of a date, whatever parts them.
fn date(text: &str) -> Option<Vec<&str>> {
    let is_plain = text.chars().all(|c| c.is_ascii_digit() || matches!(c, '/' | '-' | '.' | ' '));
    let figures = text.split(|c: char| !c.is_ascii_digit()).filter(|figure| !figure.is_empty());
    is_plain.then(|| figures.map(|figure| figure.trim_start_matches('0')).collect())
}

/// The number that a cell has, of weights and sides in one unit.
fn number(field: &Field, text: &str) -> Option<Decimal> {
    let unit = field.unit_field().filter(|_| field.kind == Kind::Measure);
    let behind = unit.and_then(|id| unit_behind(text, id));
    let (bare, factor) = match behind {
        Some((end, unit)) => (&text[..end], in_base_units(unit)?),
        None => (text, Decimal::ONE),
    };
    let bare = bare.trim().trim_end_matches("/-");
    let number = match bare.contains(',') {
        false => Decimal::from_str_exact(bare).ok()?,
        true if is_grouped(bare) => Decimal::from_str_exact(&bare.replace(',', "")).ok()?,
        true => return None,
    };
    Some((number * factor).normalize())
}

/// Whether commas can only part thousands or lakhs: `1,500`, `1,20,000.50`, and neither `12,50` nor `0,500`.
fn is_grouped(text: &str) -> bool {
    let whole = text.split('.').next().unwrap_or_default();
    let groups: Vec<&str> = whole.split(',').collect();
    let [first, middle @ .., last] = groups.as_slice() else { return false };
    let are_parts = last.len() == 3 && middle.iter().all(|group| matches!(group.len(), 2 | 3));
    !first.starts_with('0') && (1..=3).contains(&first.len()) && are_parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_compared_and_not_their_spellings() {
        for (id, one, other) in [
            (Id::ReceiverPhone, "98765 01234", "+919876501234"),
            (Id::ReceiverPhone, "09876501234", "9876501234"),
            (Id::DestinationCity, "Pune", "pune "),
            (Id::DestinationState, "KA", "Karnataka"),
            (Id::DestinationCountryCode, "India", "IN"),
            (Id::DestinationPinCode, "560 001", "560001"),
            (Id::DestinationLine1, "14 MG Road,", "14 mg  road"),
            (Id::Weight, "0.5", "0.50"),
            (Id::Weight, "500 g", "0.5 kg"),
            (Id::ShippingCharges, "1,500", "1500.00"),
            (Id::OrderCreatedAt, "20/11/2026", "20-11-2026"),
            (Id::OrderCreatedAt, "5.1.2026", "05/01/2026"),
            (Id::OrderType, "COD", "Cash on Delivery"),
        ] {
            assert!(agree(id.field(), Decimals::Unknown, one, other), "{id:?} {one} {other}");
            assert!(agree(id.field(), Decimals::Unknown, other, one), "{id:?} {other} {one}");
        }
        for (id, one, other) in [
            (Id::ReceiverPhone, "+1 9876501234", "+91 9876501234"),
            (Id::ReceiverPhone, "9876501234", "9876501235"),
            (Id::DestinationCity, "Pune", "Puna"),
            (Id::DestinationState, "KA", "Kerala"),
            (Id::DestinationLine1, "12/3 MG Road", "123 MG Road"),
            (Id::Weight, "1.5", "15"),
            (Id::Weight, "500 g", "500 kg"),
            (Id::Weight, "500", "500 g"),
            (Id::ShippingCharges, "fifty", "Fifty"),
            (Id::OrderCreatedAt, "20/11/2026", "20/12/2026"),
            (Id::OrderType, "COD", "Prepaid"),
            (Id::OrderType, "UPI", "Bank transfer"),
            (Id::ShippingCharges, "12,50", "1250"),
            (Id::Weight, "0,500", "500"),
            (Id::Weight, "1,5", "15"),
        ] {
            assert!(!agree(id.field(), Decimals::Unknown, one, other), "{id:?} {one} {other}");
        }
    }

    #[test]
    fn where_a_comma_may_part_decimals_numbers_agree_letter_by_letter() {
        let agree = |decimals| agree(Id::Weight.field(), decimals, "1.500", "1.5");
        assert!(agree(Decimals::Point) && !agree(Decimals::Comma) && !agree(Decimals::Mixed));
    }
}
