//! What is decided of a sheet, as a proposal that a person can answer and keep.

use std::collections::BTreeMap;

use super::candidate::{Candidate, LIKELY};
use super::fits::shares;
use super::plan::Plan;
use super::sample::Sample;
use crate::column::stands_in;
use crate::field::{AmountRole, Id, Kind};
use crate::origin::Column;
use crate::profile::{Guess, GuessedColumn, Meant, Part, Recipe};

/// Every column with a header, with what it is taken for.
#[must_use]
pub fn proposal(
    header: &[String],
    (plan, taken, likely): (&Plan, &[Candidate], &[Candidate]),
    sample: &Sample,
) -> Guess {
    let named = (0_u32..).zip(header).filter(|(_, cell)| !cell.is_empty());
    let columns = named.map(|(index, header)| {
        let seen = sample.column(index);
        // What is read cell by cell, and refused so, is not to be kept.
        let goes_against = |id: Id| shares(id.field(), seen).is_some_and(|shares| shares.is + shares.may == 0.0);
        let fed = fed(plan, index).filter(|(id, recipe)| recipe.is_some() || !is_told(*id) || !goes_against(*id));
        let (field, recipe) = (fed.map(|(id, _)| id), fed.and_then(|(_, recipe)| recipe));
        let by_cells = taken.iter().find(|own| own.column.index == index);
        let asked = likely.iter().find(|own| own.column.index == index && own.points >= LIKELY);
        let asked = asked.filter(|_| field.is_none());
        let sure = by_cells.or(asked).map(Candidate::confidence);
        GuessedColumn {
            column: Column { index, header: header.clone() },
            field: field.map(Id::field),
            confidence: sure.unwrap_or(if field.is_some() { 100 } else { 0 }),
            perhaps: asked.map(|own| own.field),
            sample: seen.texts().next().unwrap_or_default().to_owned(),
            kind: seen.held.word(),
            unit: None,
            meant: if recipe.is_some_and(|own| own.collects) { Meant::Collected } else { Meant::AsItStands },
            stand_ins: field.map(|id| stand_ins(plan, id, index)).unwrap_or_default(),
            map: recipe.map(|own| own.map.clone()).unwrap_or_default(),
        }
    });
    Guess {
        columns: columns.collect(),
        constants: BTreeMap::new(),
        missing: Vec::new(),
        speaks_of_payment: plan.speaks_of_payment(),
        fill_down: false,
    }
}

/// Whether the cells of a field can be told from those of others.
fn is_told(id: Id) -> bool {
    !matches!(id.field().kind, Kind::NullableText | Kind::Warehouse | Kind::Payment)
}

/// The headers of columns that stand in where a column of the receiver is blank. A name is taken from one column.
fn stand_ins(plan: &Plan, id: Id, column: u32) -> Vec<String> {
    let of_field = plan.amounts().iter().filter(|own| own.role == AmountRole::Same(id) && id != Id::ReceiverFirstName);
    let standing = of_field.filter(|own| stands_in(id.field(), plan.reading(column), plan.reading(own.column)));
    standing.filter_map(|own| plan.headers().get(own.column as usize).cloned()).collect()
}

/// The field that a column feeds, with what makes its value where that is not simply the cell. The sides of a parcel in
/// one cell are found by themselves.
fn fed(plan: &Plan, column: u32) -> Option<(Id, Option<&Recipe>)> {
    let feed = plan.fed().find(|feed| feed.column == column && feed.product == 0)?;
    let recipe = feed.step.and_then(|step| plan.mapper().recipe(step));
    let is_side = recipe.is_some_and(|recipe| matches!(recipe.part, Some(Part::Side(_))));
    // Nor is a price a figure that it is reckoned from: that is found anew in each sheet.
    let is_total = feed.field.id == Id::Price && plan.has_line_total();
    (!is_side && !is_total).then_some((feed.field.id, recipe))
}
