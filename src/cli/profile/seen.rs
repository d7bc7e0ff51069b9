//! The first rows of a sheet: what its columns hold.

use std::ops::ControlFlow;

use anyhow::Result;

use crate::profile::{Guess, guess, kind_word};
use crate::sheet::Sheet;

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
    /// `text`, `number`, `date` or nothing.
    pub(super) kind: &'static str,
}

impl Seen {
    pub(super) fn of(sheet: &Sheet) -> Result<Self> {
        let mut columns = vec![SeenColumn::default(); sheet.header().cells.len()];
        let mut rows = 0;
        sheet.read(&mut |row| {
            if row.is_blank() || row.skip().is_some() {
                return ControlFlow::Continue(());
            }
            for (cell, column) in row.cells().zip(&mut columns) {
                if rows == 0 {
                    cell.text.clone_into(&mut column.first);
                }
                column.add(cell.text, kind_word(cell.kind));
            }
            rows += 1;
            if rows < ROWS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        Ok(Self { columns })
    }

    /// A proposal from the headers.
    pub(super) fn guess(&self, header: &[String]) -> Guess {
        guess(header, |index| match self.columns.get(index) {
            Some(column) => (column.values.first().cloned().unwrap_or_default(), column.kind),
            None => (String::new(), ""),
        })
    }
}

impl SeenColumn {
    fn add(&mut self, text: &str, kind: &'static str) {
        if !kind.is_empty() && (self.kind.is_empty() || kind == "text") {
            self.kind = kind;
        }
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
