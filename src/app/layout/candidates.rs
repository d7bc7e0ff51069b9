//! Which columns may be a field: by the likeness of their headers and by what they hold.

use super::fits::{fits, ratio};
use super::seen::{Seen, SeenColumn};
use crate::field::{Field, Kind, normalised};
use crate::profile::{GuessedColumn, is_of_others, likeness};

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
