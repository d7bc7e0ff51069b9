//! The first rows of a sheet: what its columns hold.

use super::fits::share_that_fits;
use crate::profile::{Guess, Held, guess_by};
use crate::sheet::{Cell, Sheet, SheetError};

/// Rows that are looked at.
const ROWS: usize = 200;
/// Different values that are kept of a column.
const VALUES: usize = 20;

/// What was seen of a sheet.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// By their places.
    pub columns: Vec<SeenColumn>,
}

/// What was seen of a column.
#[derive(Debug, Clone, Default)]
pub struct SeenColumn {
    /// The cell of the first order's first row.
    pub first: String,
    /// Its first different values.
    pub values: Vec<String>,
    /// How many of its cells are filled.
    pub filled: usize,
    /// How many of the filled cells repeat one of `values`.
    pub repeated: usize,
    /// What its cells are.
    pub held: Held,
}

impl Seen {
    /// Looks at a sheet.
    ///
    /// # Errors
    /// The sheet cannot be read.
    pub fn of(sheet: &Sheet) -> Result<Self, SheetError> {
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
    #[must_use]
    pub fn guess(&self, header: &[String]) -> Guess {
        let sample = |index: usize| match self.columns.get(index) {
            Some(column) => (column.values.first().cloned().unwrap_or_default(), column.held.word()),
            None => (String::new(), ""),
        };
        guess_by(header, sample, |field, index| share_that_fits(field, &self.columns.get(index)?.values))
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
