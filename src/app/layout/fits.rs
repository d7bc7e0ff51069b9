//! Whether what a column holds looks like a field's values.

use jiff::Timestamp;

use crate::check::{Input, Rules, country_code, value};
use crate::field::{Field, Id, Kind, unit_behind};
use crate::profile::looks_like_date;

/// The share of a column's values that a field could take; nothing where they cannot tell.
pub(super) fn share_that_fits(field: &'static Field, values: &[String]) -> Option<f64> {
    let telling = !matches!(field.kind, Kind::NullableText | Kind::Warehouse)
        && !matches!(field.id, Id::Sku | Id::Tags | Id::SellerNote | Id::Service | Id::Carrier);
    if values.is_empty() || !telling {
        return None;
    }
    Some(ratio(values.iter().filter(|text| fits(field, text)).count(), values.len()))
}

/// Whether a value looks like one of the field's kind.
pub(super) fn fits(field: &'static Field, text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let bare = match field.kind {
        Kind::Measure => unit_behind(text, field.id == Id::Weight).map_or(text, |(end, _)| &text[..end]),
        _ => text,
    };
    let reads = || value(Input::new(field, bare), &Rules::new(Timestamp::UNIX_EPOCH)).is_ok();
    match field.kind {
        // Shortened by a spreadsheet, or two in one cell, they are phones all the same.
        Kind::Phone => is_shortened(text) || ((10..=30).contains(&digits) && letters == 0),
        Kind::PinCode => (4..=9).contains(&digits) && letters == 0 || (letters > 0 && digits > 0 && text.len() <= 8),
        Kind::CountryCode => country_code(text).is_some(),
        Kind::OrderNumber => is_shortened(text) || (digits > 0 && !text.contains([' ', ',']) && !looks_like_date(text)),
        Kind::NullableText => true,
        Kind::Text => match field.id {
            // Streets have numbers, names and towns have none to speak of.
            Id::DestinationLine1 | Id::DestinationLine2 | Id::ProductName => letters > 0 && !text.contains('@'),
            Id::Sku => true,
            _ => letters > digits && !text.contains('@') && !looks_like_date(text),
        },
        Kind::Instant => looks_like_date(text) || reads(),
        Kind::Money | Kind::MoneyText => digits > letters && !looks_like_date(text),
        Kind::Quantity => digits <= 3 && reads(),
        Kind::Warehouse => digits + letters > 0,
        _ => reads(),
    }
}

/// A long number as a spreadsheet shortens it: `9.19877E+11`.
fn is_shortened(text: &str) -> bool {
    text.split_once("E+").is_some_and(|(number, power)| number.parse::<f64>().is_ok() && power.parse::<u8>().is_ok())
}

#[expect(clippy::cast_precision_loss, reason = "counts of a few hundred rows")]
pub(super) fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}
