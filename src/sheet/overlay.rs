//! Texts that stand in place of cells: what a person typed over a sheet that itself stays as it is.

use std::collections::BTreeMap;

/// How a sheet was written with what was typed over it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Edited {
    /// Formulas that were part of one that was typed over, and are values now.
    pub formulas_to_values: u64,
    /// Whether a text file is in UTF-8 now, because its own encoding has no letters for what was typed.
    pub in_utf_8: bool,
}

/// Cells by their rows and columns, with what stands there instead.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overlay(BTreeMap<u32, BTreeMap<u32, String>>);

impl Overlay {
    /// Puts a text in place of a cell: its row as people count, its column counted from 0.
    pub fn set(&mut self, row: u32, column: u32, text: impl Into<String>) {
        self.0.entry(row).or_default().insert(column, text.into());
    }

    /// What stands in place of a cell.
    #[must_use]
    pub fn get(&self, row: u32, column: u32) -> Option<&str> {
        self.0.get(&row)?.get(&column).map(String::as_str)
    }

    /// The cells of a row, by their columns.
    #[must_use]
    pub fn row(&self, row: u32) -> Option<&BTreeMap<u32, String>> {
        self.0.get(&row)
    }

    /// Every row with its cells, in the sheet's order.
    pub fn rows(&self) -> impl Iterator<Item = (u32, &BTreeMap<u32, String>)> {
        self.0.iter().map(|(row, cells)| (*row, cells))
    }

    /// Whether nothing was typed over the sheet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
