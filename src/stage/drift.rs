//! Columns that hold something else than when their profile was saved.

use crate::finding::column::layout_changed;
use crate::finding::{Finding, Remedy};
use crate::origin::Place;
use crate::profile::{Held, Plan, Profile, has_drifted, word};
use crate::sheet::Sheet;

use super::error::StageError;

/// What a column holds now.
#[derive(Debug, Clone, Default)]
struct Seen {
    held: Held,
    /// By the look of its texts.
    looks: Held,
    /// The first cell of each kind.
    examples: Vec<(&'static str, u32, String)>,
}

/// How many filled rows show what a column holds.
const ROWS_LOOKED_AT: usize = 200;

/// Columns that hold something else than when their profile was saved, where that matters to their fields.
pub(super) fn changed_kinds(
    profile: &Profile,
    sheet: &Sheet,
    plan: &Plan,
    again: &Remedy,
) -> Result<Vec<Finding>, StageError> {
    if profile.kinds.is_empty() {
        return Ok(Vec::new());
    }
    let header = sheet.header();
    let in_text_file = sheet.delimiter().is_some();
    let mut seen = vec![Seen::default(); header.cells.len()];
    sheet.first_rows(ROWS_LOOKED_AT, &mut |_, row| {
        for (cell, seen) in row.cells().zip(&mut seen) {
            seen.held.take(cell, in_text_file);
            seen.looks.take(cell, true);
            let word = word(cell, in_text_file);
            if !seen.examples.iter().any(|(known, ..)| *known == word) {
                seen.examples.push((word, row.number(), cell.text.to_owned()));
            }
        }
    })?;
    let columns = (0_u32..).zip(&header.cells).zip(seen);
    let changed = columns.filter_map(|((index, name), Seen { held, looks, examples })| {
        let (before, now) = (profile.kinds.get(name).map(String::as_str)?, held.word());
        let fields = plan.fed().filter(|feed| feed.column == index).map(|feed| feed.field);
        if !fields.into_iter().any(|field| has_drifted(field, before, now, looks.word())) {
            return None;
        }
        let (_, row, found) = examples.into_iter().find(|(word, ..)| *word == now)?;
        let changed = layout_changed::kind_changed(name, before, &profile.name, now, again.clone());
        Some(changed.found(found).at(Place::cell(sheet.source(), row, index, name.clone())))
    });
    Ok(changed.collect())
}
