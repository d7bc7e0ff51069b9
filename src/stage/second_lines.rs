//! Rows that name a product and no order, below a row that names one: most likely further lines of that order.

use crate::field::Id;
use crate::profile::Guess;
use crate::sheet::{Sheet, SheetError};

/// Rows that are looked at.
const ROWS: usize = 500;

/// The first such row, by its number, with the columns of the order number, of the products and of the receiver's name.
pub(super) fn first_second_line(sheet: &Sheet, columns: SecondLineColumns) -> Result<Option<u32>, SheetError> {
    let SecondLineColumns { number, product, name } = columns;
    let (mut found, mut above) = (None, false);
    sheet.first_rows(ROWS, &mut |_, row| {
        let is_filled = |column: u32| !row.cell(column as usize).text.is_empty();
        let has_number = is_filled(number);
        if found.is_none() && above && !has_number && is_filled(product) && !name.is_some_and(is_filled) {
            found = Some(row.number());
        }
        above |= has_number;
    })?;
    Ok(found)
}

/// What tells second lines.
#[derive(Debug, Clone, Copy)]
pub(super) struct SecondLineColumns {
    pub(super) number: u32,
    pub(super) product: u32,
    pub(super) name: Option<u32>,
}

/// Whether second lines of a sheet lack the order number, by what its columns are guessed to be.
///
/// # Errors
/// The sheet cannot be read.
pub fn lacks_numbers(sheet: &Sheet, guess: &Guess) -> Result<bool, SheetError> {
    let of = |id: Id| {
        let is = |guessed: &&crate::profile::GuessedColumn| guessed.field.is_some_and(|field| field.id == id);
        guess.columns.iter().find(is).map(|guessed| guessed.column.index)
    };
    let (Some(number), Some(product)) = (of(Id::OrderNumber), of(Id::ProductName)) else { return Ok(false) };
    let columns = SecondLineColumns { number, product, name: of(Id::ReceiverFirstName) };
    Ok(first_second_line(sheet, columns)?.is_some())
}
