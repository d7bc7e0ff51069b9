//! What is decided of a sheet, as a proposal that a person can answer and keep.

use std::collections::BTreeMap;

use super::candidate::LIKELY;
use super::fits::is_none_of;
use super::sample::Sample;
use crate::column::{Candidate, Columns};
use crate::field::Id;
use crate::profile::{Guess, GuessedColumn, Part, Recipe};

/// Every column with a header, with what it is taken for.
#[must_use]
pub fn proposal(columns: &Columns, sample: &Sample) -> Guess {
    let of_column = |all: &[Candidate], index: u32| all.iter().find(|own| own.column.index == index).cloned();
    let named = (0_u32..).zip(&*columns.headers).filter(|(_, own)| !own.header.is_empty());
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
            recipe: Recipe {
                collects: recipe.is_some_and(|own| own.collects),
                map: recipe.map(|own| own.map.clone()).unwrap_or_default(),
                ..Recipe::default()
            },
        }
    });
    Guess {
        columns: guessed.collect(),
        constants: BTreeMap::new(),
        missing: Vec::new(),
        speaks_of_payment: columns.speaks_of_payment(),
        fill_down: false,
    }
}

/// The field that a column feeds, with what makes its value where that is not simply the cell. The sides of a parcel in
/// one cell are found by themselves.
fn fed(columns: &Columns, column: u32) -> Option<(Id, Option<&Recipe>)> {
    let feed = columns.fed().find(|feed| feed.column == column && feed.product == 0)?;
    let recipe = feed.step.and_then(|step| columns.mapper.recipe(step));
    let is_side = recipe.is_some_and(|recipe| matches!(recipe.part, Some(Part::Side(_))));
    // Nor is a price a figure that it is reckoned from: that is found anew in each sheet.
    let is_total = feed.id() == Id::Price && columns.line_total;
    (!is_side && !is_total).then_some((feed.id(), recipe))
}
