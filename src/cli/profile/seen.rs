//! The first rows of a sheet: what its columns hold.

use anyhow::Result;

use super::candidates::share_that_fits;
use crate::profile::{Guess, Held, guess_by};
use crate::sheet::{Cell, Sheet};

/// Rows that are looked at.
const ROWS: usize = 200;
/// Different values that are kept of a column.
const VALUES: usize = 20;

/// What was seen of a sheet.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    pub(super) columns: Vec<SeenColumn>,
}

/// What was seen of a column.
#[derive(Debug, Clone, Default)]
pub(super) struct SeenColumn {
    /// The cell of the first order's first row.
    pub(super) first: String,
    /// Its first different values.
    pub(super) values: Vec<String>,
    /// How many of its cells were filled, and how many of these repeated one of `values`.
    pub(super) filled: usize,
    pub(super) repeated: usize,
    /// What its cells are.
    pub(super) held: Held,
}

impl Seen {
    pub(super) fn of(sheet: &Sheet) -> Result<Self> {
        let mut columns = vec![SeenColumn::default(); sheet.header().cells.len()];
        let in_text_file = sheet.delimiter().is_some();
        sheet.first_rows(ROWS, &mut |number, row| {
            for (cell, column) in row.cells().zip(&mut columns) {
                if number == 0 {
                    cell.text.clone_into(&mut column.first);
                }
                column.add(cell, in_text_file);
            }
        })?;
        Ok(Self { columns })
    }

    /// A proposal from the headers and from what the columns hold.
    pub(super) fn guess(&self, header: &[String]) -> Guess {
        let sample = |index: usize| match self.columns.get(index) {
            Some(column) => (column.values.first().cloned().unwrap_or_default(), column.held.word()),
            None => (String::new(), ""),
        };
        guess_by(header, sample, |field, index| share_that_fits(field, self.columns.get(index)?))
    }
}

impl SeenColumn {
    pub(super) fn add(&mut self, cell: Cell<'_>, in_text_file: bool) {
        self.held.take(cell, in_text_file);
        let text = cell.text;
        if text.is_empty() {
            return;
        }
        self.filled += 1;
        if self.values.iter().any(|value| value == text) {
            self.repeated += 1;
        } else if self.values.len() < VALUES {
            self.values.push(text.to_owned());
        }
    }
}
