//! Columns that hold something else than when their profile was saved.

use crate::column::Columns;
use crate::column::decide::{LazySample, has_drifted};
use crate::finding::column::layout_changed;
use crate::finding::{Finding, Remedy};
use crate::origin::Place;
use crate::profile::Profile;
use crate::sheet::Sheet;

use super::error::StageError;

/// Columns that hold something else than when their profile was saved, where that matters to their fields.
pub(super) fn changed_kinds(
    profile: &Profile,
    sheet: &Sheet,
    columns: &Columns,
    sample: &LazySample,
    again: &Remedy,
) -> Result<Vec<Finding>, StageError> {
    if profile.kinds.is_empty() {
        return Ok(Vec::new());
    }
    let header = sheet.header();
    let all = (0_u32..).zip(&header.cells).zip(&sample.of(sheet)?.columns);
    let changed = all.filter_map(|((index, name), seen)| {
        let (before, now) = (profile.kinds.get(name).map(String::as_str)?, seen.held.word());
        let fields = columns.fed().filter(|feed| feed.column == index).map(|feed| feed.field);
        if !fields.into_iter().any(|field| has_drifted(field, before, now, seen.looks.word())) {
            return None;
        }
        let (_, row, found) = seen.examples.iter().find(|(word, ..)| *word == now)?;
        let changed = layout_changed::kind_changed(name, before, &profile.name, now, again.clone());
        Some(changed.found(found.clone()).at(Place::cell(sheet.source(), *row, index, name.clone())))
    });
    Ok(changed.collect())
}
