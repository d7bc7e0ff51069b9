//! A row of a sheet on its way into its order.

use crate::check::Condition;
use crate::column::{Feed, RowRef};
use crate::finding::Finding;

/// The cells of a row, by field.
pub trait Cells {
    /// The trimmed text for a field, empty where there is none, and how it came out of its file.
    fn cell(&self, fed: Feed) -> (&str, Condition);

    /// The order number as it stands in its cell, with the marks of spreadsheets around it.
    fn raw_order_number(&self, fed: Feed) -> &str {
        self.cell(fed).0
    }

    /// The row's own text from one column to another, delimiters included, where it has any: rows that are alike there
    /// are alike in all cells between.
    fn stretch(&self, _first: u32, _last: u32) -> Option<&str> {
        None
    }

    /// Whether the row's product is part of its order.
    fn has_line(&self) -> bool {
        true
    }

    /// Whether the row has no product because those of its order stand on rows of their own.
    fn is_summary(&self) -> bool {
        false
    }
}

/// A row on its way into its order.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a, C> {
    /// Its place.
    pub at: RowRef,
    /// Its cells.
    pub cells: &'a C,
    /// What the reader has to say of it.
    pub problems: &'a [Finding],
}
