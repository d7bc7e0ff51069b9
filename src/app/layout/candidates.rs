//! Which columns may be a field: by the likeness of their headers and by what they hold.

use jiff::Timestamp;

use super::seen::{Seen, SeenColumn};
use crate::check::{Input, Rules, country_code, value};
use crate::field::{Field, Id, Kind, normalised, unit_behind};
use crate::profile::{GuessedColumn, is_of_others, likeness, looks_like_date};

/// A column that may be meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    /// Counted from 0.
    pub column: u32,
    /// In percent; 0 where nothing speaks for it.
    pub confidence: u8,
}

/// From this confidence on, in percent, a column is proposed.
pub const LIKELY: u8 = 60;

/// Every free column for a field, the likeliest first.
#[must_use]
pub fn candidates(field: &'static Field, columns: &[GuessedColumn], seen: &Seen) -> Vec<Candidate> {
    let free = columns.iter().filter(|guessed| guessed.field.is_none_or(|own| own.id == field.id));
    let mut found: Vec<Candidate> = free
        .map(|guessed| {
            let held = seen.columns.get(guessed.column.index as usize);
            let confidence = confidence(field, &guessed.column.header, held.unwrap_or(&SeenColumn::default()));
            Candidate { column: guessed.column.index, confidence }
        })
        .collect();
    found.sort_by_key(|candidate| (std::cmp::Reverse(candidate.confidence), candidate.column));
    found
}

/// What speaks for a column, in percent.
fn confidence(field: &'static Field, header: &str, held: &SeenColumn) -> u8 {
    if is_of_others(field, header) {
        return 0;
    }
    let spelling = alike(field, header);
    let strength = match field.kind {
        Kind::Phone | Kind::PinCode | Kind::CountryCode | Kind::Payment | Kind::Email => 0.65,
        Kind::OrderNumber | Kind::Quantity => 0.35,
        Kind::Money | Kind::MoneyText | Kind::Measure | Kind::Rate => 0.2,
        _ => 0.1,
    };
    let fits = held.values.iter().filter(|text| fits(field, text)).count();
    let share = if held.values.is_empty() { 0.0 } else { ratio(fits, held.values.len()) };
    let mut sure = 1.0 - (1.0 - 0.85 * spelling) * (1.0 - strength * share);
    if field.kind == Kind::OrderNumber && held.filled > 0 {
        sure *= 1.0 - ratio(held.repeated, held.filled);
    }
    if !held.values.is_empty() && share < 0.5 {
        sure *= 0.2;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 99")]
    let percent = (sure * 100.0).clamp(0.0, 99.0) as u8;
    percent
}

#[expect(clippy::cast_precision_loss, reason = "counts of a few hundred rows")]
fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

/// How alike a header is to a field's names: from 0.5, or nothing.
fn alike(field: &'static Field, header: &str) -> f64 {
    let by_words = f64::from(likeness(field, header)) / 100.0;
    let bare = normalised(header);
    let is_short = |name: &&str| {
        let name_bare = normalised(name);
        !name.contains(' ') && bare.len() >= 2 && name_bare.len() > bare.len() && is_short_for(&bare, &name_bare)
    };
    // `Wght` is short for `Weight`; in names of several words that says little.
    let mut names = [field.header].into_iter().chain(field.aliases.iter().copied());
    if names.any(|name| is_short(&name)) { by_words.max(0.8) } else { by_words }
}

/// Whether the letters of one stand in the other in that order, from its first to its last.
fn is_short_for(short: &str, long: &str) -> bool {
    let mut letters = long.chars();
    short.chars().all(|wanted| letters.any(|letter| letter == wanted))
        && short.chars().next() == long.chars().next()
        && short.chars().last() == long.chars().last()
}

/// The share of a column's values that a field could take; nothing where they cannot tell.
pub(super) fn share_that_fits(field: &'static Field, held: &SeenColumn) -> Option<f64> {
    let telling = !matches!(field.kind, Kind::NullableText | Kind::Warehouse)
        && !matches!(field.id, Id::Sku | Id::Tags | Id::SellerNote | Id::Service | Id::Carrier);
    if held.values.is_empty() || !telling {
        return None;
    }
    Some(ratio(held.values.iter().filter(|text| fits(field, text)).count(), held.values.len()))
}

/// Whether a value looks like one of the field's kind.
fn fits(field: &'static Field, text: &str) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Id;

    fn seen(columns: &[&[&str]]) -> Seen {
        let column = |values: &&[&str]| {
            let values: Vec<String> = values.iter().map(|value| (*value).to_owned()).collect();
            SeenColumn { filled: values.len(), values, ..SeenColumn::default() }
        };
        Seen { columns: columns.iter().map(column).collect() }
    }

    #[test]
    fn a_column_is_likely_by_its_header_and_by_what_it_holds() {
        let header: Vec<String> = ["Bill", "Mob", "Wt", "Ring", "Zahlung"].map(str::to_owned).to_vec();
        let seen = seen(&[&["B-1", "B-2"], &["9876543210"], &["0.5"], &["+91 98123 45678"], &["cod", "Prepaid"]]);
        let columns = seen.guess(&header).columns;
        let best = |id: Id| candidates(id.field(), &columns, &seen)[0];
        assert_eq!(best(Id::ReceiverPhone).column, 1);
        assert_eq!(best(Id::Weight).column, 2);
        assert_eq!(best(Id::OrderType).column, 4);
        assert_eq!(best(Id::OrderNumber).column, 0);
        let phones = candidates(Id::ReceiverPhone.field(), &columns, &seen);
        assert_eq!(phones[1].column, 3, "by its values alone: {phones:?}");
        assert!(phones[0].confidence > phones[1].confidence && phones[1].confidence > 50 && phones[2].confidence < 20);
    }

    #[test]
    fn short_words_stand_for_long_ones() {
        assert!(is_short_for("wt", "weight") && is_short_for("qty", "quantity") && !is_short_for("nos", "quantity"));
    }
}
