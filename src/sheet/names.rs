//! The row that names the columns, and which cells could name one.

use super::cell::{Cell, CellKind};

/// The row that names the columns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Header {
    /// Its number as the person sees it, counted from 1. Where the sheet has no header, that of the row above the first order: 0
    /// where this is the first one.
    pub row: u32,
    /// Whether a row of the sheet names the columns; else they are called by their letters.
    pub is_given: bool,
    /// The texts of its cells, up to the last one that is not empty.
    pub cells: Vec<String>,
    /// How many cells the row has, empty ones at its end included.
    pub(super) width: usize,
}

/// Whether a cell could name a column: text, and not a number or a date in disguise.
pub(super) fn is_name(cell: Cell<'_>) -> bool {
    cell.kind == CellKind::Text && !is_mostly_digits(cell.text)
}

/// Numbers, dates, phones and amounts, as opposed to words.
pub(super) fn is_mostly_digits(text: &str) -> bool {
    if text.is_ascii() {
        let weight = |byte: u8| i32::from(byte.is_ascii_digit()) - i32::from(byte.is_ascii_alphabetic());
        return text.bytes().map(weight).sum::<i32>() > 0;
    }
    let digits = text.chars().filter(|character| character.is_numeric()).count();
    let letters = text.chars().filter(|character| character.is_alphabetic()).count();
    digits > letters
}
