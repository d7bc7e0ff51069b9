//! The columns of all sheets of a run, and rows of them.

use serde::{Deserialize, Serialize};

use crate::field::Id;
use crate::finding::{Basis, Finding};
use crate::origin::Place;
use crate::rule::Levels;

use super::columns::Columns;
use super::look::Look;

/// A row by its sheet's number in this run and its number in the sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RowRef {
    /// The sheet's number.
    pub sheet: u16,
    /// The row, counted from 1.
    pub row: u32,
}

/// The columns of one run's sheets, by the sheets' number.
#[derive(Debug, Clone, Default)]
pub struct Sheets(Vec<Columns>);

impl Sheets {
    /// Adds a sheet and gives its number.
    pub fn add(&mut self, columns: Columns) -> u16 {
        self.0.push(columns);
        u16::try_from(self.0.len() - 1).unwrap_or(u16::MAX)
    }

    /// A sheet's columns.
    #[must_use]
    pub fn of(&self, sheet: u16) -> &Columns {
        &self.0[usize::from(sheet)]
    }

    /// The same, once all cells of them are seen.
    #[must_use]
    pub fn seen(self, looks: Vec<Look>) -> Self {
        Self(self.0.into_iter().zip(looks).map(|(columns, look)| columns.seen(look)).collect())
    }

    /// All sheets' columns.
    pub fn iter(&self) -> impl Iterator<Item = &Columns> + Clone {
        self.0.iter()
    }

    /// A finding with the weight that its rule has in its sheet, see [`Levels::settle`]; by the first sheet where it has no
    /// place.
    #[must_use]
    pub fn apply(&self, finding: Finding) -> Option<Finding> {
        self.apply_on(finding, |_| None)
    }

    /// The same of a finding that rests on these cells.
    pub(crate) fn apply_on(&self, finding: Finding, basis: impl FnOnce(&Finding) -> Option<Basis>) -> Option<Finding> {
        self.apply_shown(finding, basis, |_| true)
    }

    /// The same, where a command accepts no more than what was shown before.
    pub(crate) fn apply_shown(
        &self,
        finding: Finding,
        basis: impl FnOnce(&Finding) -> Option<Basis>,
        is_shown: impl FnOnce(&Basis) -> bool,
    ) -> Option<Finding> {
        let is_of = |columns: &&Columns| finding.place.as_ref().is_some_and(|place| place.source == columns.source);
        match self.0.iter().find(is_of).or_else(|| self.0.first()) {
            Some(columns) => columns.levels.apply_shown(finding, basis, is_shown),
            None => Some(finding),
        }
    }

    /// Whether a person accepts something with this command.
    pub(crate) fn has_given(&self) -> bool {
        self.0.iter().any(|columns| columns.levels.has_given())
    }

    /// Changes the levels of each sheet.
    pub fn set_levels(&mut self, change: impl Fn(Levels) -> Levels) {
        self.0.iter_mut().for_each(|columns| columns.levels = change(std::mem::take(&mut columns.levels)));
    }

    /// The place of a row, or of one field's cell in it.
    #[must_use]
    pub fn place(&self, at: RowRef, id: Option<Id>) -> Place {
        self.of(at.sheet).place(at.row, id)
    }

    /// Rows as people write them: `orders.csv:2-4, 9`, `Orders rows 2-4, 9`.
    #[must_use]
    pub fn rows(&self, rows: &[RowRef]) -> String {
        let mut parts: Vec<String> = Vec::new();
        let mut sheet_before = None;
        for span in rows.chunk_by(|one, next| next.sheet == one.sheet && next.row == one.row + 1) {
            let (first, last) = (span[0], span[span.len() - 1]);
            let to = if first.row == last.row { String::new() } else { format!("-{}", last.row) };
            if sheet_before.replace(first.sheet) == Some(first.sheet) {
                parts.push(format!("{}{to}", first.row));
            } else {
                let several = rows.iter().filter(|row| row.sheet == first.sheet).count() > 1;
                parts.push(format!("{}{to}", self.place(first, None).first_of(several)));
            }
        }
        parts.join(", ")
    }
}
