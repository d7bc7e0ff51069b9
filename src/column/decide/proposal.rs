//! What is decided of a sheet, as a proposal that a person can answer and keep.

use std::collections::BTreeMap;

use super::amounts::unclear_amounts;
use super::candidate::LIKELY;
use super::cells::is_most;
use super::fits::{SHARE, is_none_of, shares};
use super::sample::{Sample, Seen};
use crate::column::{Candidate, Columns, Feed};
use crate::field::{Field, HeaderReading, Id, Kind};
use crate::parse::{ColumnFormat, date_format};
use crate::profile::{Guess, GuessedColumn, Part, Recipe};

/// Every column with a header, with what it is taken for.
#[must_use]
pub fn proposal(columns: &Columns, sample: &Sample) -> Guess {
    let of_column = |all: &[Candidate], index: u32| all.iter().find(|own| own.column.index == index).cloned();
    let named = (0_u32..).zip(&*columns.headers).filter(|(_, own)| !own.header.is_empty());
    let unclear = unclear_amounts(columns);
    let guessed = named.map(|(index, _)| {
        let seen = sample.column(index);
        // What is read cell by cell, and refused so, is not to be kept.
        let fed = fed(columns, index).filter(|(id, recipe)| recipe.is_some() || !is_none_of(id.field(), seen));
        let (field, recipe) = (fed.map(|(id, _)| id), fed.and_then(|(_, recipe)| recipe));
        let asked = of_column(&columns.likely, index).filter(|own| field.is_none() && own.points >= LIKELY);
        let by_cells = of_column(&columns.taken, index);
        let sure = by_cells.as_ref().or(asked.as_ref()).map(|own| own.points.min(99));
        GuessedColumn {
            column: columns.named(index),
            field: field.map(Id::field),
            confidence: sure.unwrap_or(if field.is_some() { 100 } else { 0 }),
            perhaps: asked.map(|own| own.field),
            sample: seen.texts().next().unwrap_or_default().to_owned(),
            kind: seen.held.word(),
            unit: None,
            amount: None,
            may_be_money: unclear.iter().any(|own| own.index == index),
            recipe: Recipe {
                collects: recipe.is_some_and(|own| own.collects),
                map: recipe.map(|own| own.map.clone()).unwrap_or_default(),
                ..Recipe::default()
            },
        }
    });
    let is_date = |feed: &Feed| feed.field.kind == Kind::Instant && feed.step.is_none();
    let date = columns.fed().find(is_date).map(|feed| sample.column(feed.column));
    let parted = columns.fed().filter_map(|feed| {
        let part = columns.mapper.recipe(feed.step?)?.part.clone()?;
        part.of_address().map(|_| (feed.id(), part))
    });
    Guess {
        columns: guessed.collect(),
        constants: BTreeMap::new(),
        missing: Vec::new(),
        speaks_of_payment: columns.speaks_of_payment(),
        fill_down: false,
        numbered_by: None,
        parted: parted.collect(),
        phone_in_name: columns.phone_in_name(),
        date_format: date.and_then(format_of_dates),
    }
}

/// The format of a column's dates, where they show whether the day or the month comes first.
fn format_of_dates(seen: &Seen) -> Option<String> {
    let (texts, mut habit): (Vec<&str>, _) = (seen.texts().collect(), ColumnFormat::default());
    for text in &texts {
        habit.learn(Kind::Instant, text);
    }
    date_format(&texts, habit.order_of_days())
}

/// The field that a column feeds, with what makes its value where that is not simply the cell. The sides of a parcel in
/// one cell are found by themselves.
fn fed(columns: &Columns, column: u32) -> Option<(Id, Option<&Recipe>)> {
    // A product with its name in the header is found anew in each sheet.
    if columns.as_products.contains(&column) {
        return None;
    }
    let is_of = |feed: &Feed| {
        let recipe = feed.step.and_then(|step| columns.mapper.recipe(step));
        // A part of several columns that are joined is no value of its own.
        let is_part = || recipe.is_some_and(Recipe::is_joined) && columns.sources(*feed).contains(&column);
        feed.product == 0 && (feed.column == column || is_part())
    };
    let feed = columns.fed().find(is_of)?;
    let recipe = feed.step.and_then(|step| columns.mapper.recipe(step));
    let is_side = recipe.is_some_and(|recipe| matches!(recipe.part, Some(Part::Side(_))));
    // Nor is a price a figure that it is reckoned from: that is found anew in each sheet.
    let is_total = feed.id() == Id::Price && columns.line_total;
    (!is_side && !is_total).then_some((feed.id(), recipe))
}

/// Columns that nothing takes and that may be more of a name or an address: texts beside what is known of it.
#[must_use]
pub fn further_columns(guess: &Guess, field: &'static Field, sample: &Sample) -> Vec<u32> {
    const ADDRESS: [Id; 4] = [Id::DestinationLine1, Id::DestinationCity, Id::DestinationState, Id::DestinationPinCode];
    let (more, beside) = match field.id {
        Id::ReceiverFirstName => (Id::ReceiverLastName, &ADDRESS[..0]),
        Id::DestinationLine1 => (Id::DestinationLine2, &ADDRESS[..]),
        _ => return Vec::new(),
    };
    let Some(first) = guess.column_of(field.id).filter(|_| !guess.feeds(more)) else { return Vec::new() };
    let is_word = |column: u32| is_most(sample.column(column), |text| !text.contains(char::is_whitespace));
    let is_name = field.id == Id::ReceiverFirstName;
    // A whole name needs no other column.
    if is_name && !is_word(first.column.index) {
        return Vec::new();
    }
    // The number of a house may stand in the column behind its street.
    let lacks_house = !is_name && is_most(sample.column(first.column.index), |text| !text.contains(char::is_numeric));
    let is_text = |own: &&GuessedColumn| {
        let seen = sample.column(own.column.index);
        let is_house = lacks_house && own.column.index == first.column.index + 1 && is_most(seen, is_house_number);
        let is_like = is_house || shares(more.field(), seen).is_some_and(|own| own.is >= SHARE);
        let is_open = own.field.is_none()
            && own.perhaps.is_none_or(|other| other.id == field.id)
            && HeaderReading::of(&own.column.header).says_nothing();
        is_open && is_like && (!is_name || is_word(own.column.index))
    };
    let texts: Vec<u32> = guess.columns.iter().filter(is_text).map(|own| own.column.index).collect();
    let known = beside.iter().flat_map(|id| guess.columns_of(*id)).map(|own| own.column.index);
    let mut block: Vec<u32> = known.chain([first.column.index]).collect();
    let mut further = Vec::new();
    while let Some(next) =
        texts.iter().find(|text| !further.contains(*text) && block.iter().any(|own| own.abs_diff(**text) == 1))
    {
        further.push(*next);
        block.push(*next);
    }
    further.sort_unstable();
    further
}

/// Whether a text may be the number of a house: `12`, `12/4`, `201 B`.
fn is_house_number(text: &str) -> bool {
    const CHARACTERS_MAX: usize = 6;
    text.chars().count() <= CHARACTERS_MAX && text.starts_with(char::is_numeric)
}
