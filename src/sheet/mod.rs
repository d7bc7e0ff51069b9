//! Any file becomes a header and rows of cells, each with its place.
//!
//! [`Sheet::open`] recognises the file by its content, never by its name, chooses the worksheet and the header row, and
//! says in its notices what it chose. [`Sheet::read`] then streams the rows below the header; it can be called again, so
//! that a first pass may count and a second one group. Memory does not grow with the number of rows.
//!
//! A bad cell or row is a [`Finding`](crate::finding::Finding) on its row, and reading goes on. A [`SheetError`] means
//! that the sheet as a whole cannot be trusted: a quote that swallows rows, a damaged or protected workbook, a file
//! beyond the limits.
//!
//! - `foreign`: what is no sheet, and what to do instead
//! - `input`: the bytes: file, standard input, gzip; what kind of file it is
//! - `text`: encodings, delimiters, quotes, line numbers
//! - `workbook`: `.xlsx` as a stream; `.xls`, `.xlsb` and `.ods` through a spool
//! - `added`: what this program wrote into a sheet that it handed back
//! - `header`: which row is the header
//! - `judge`: which rows below it are no orders
//! - `title`: titles between the rows
//! - `ends`: whether the last row was cut off
//! - `overlay`: what was typed over the cells of a sheet
//! - `portion`: stretches of rows that several cores read at once
//! - `spool`: rows of a workbook, kept for the second reading

mod added;
mod cell;
mod content;
mod ends;
mod error;
mod foreign;
mod format;
mod header;
mod input;
mod judge;
mod names;
mod open;
mod options;
mod overlay;
mod packing;
mod portion;
mod private;
mod row;
mod spool;
mod text;
mod title;
mod workbook;

pub use cell::{Cell, CellKind};
pub(crate) use content::known_by;
pub use ends::RowEnds;
pub use error::SheetError;
pub use format::Format;
pub use input::{file_sha256, refuse_no_sheet};
pub use judge::{HEADER_OF_TABLE, Landmarks, ROW_OF_TABLE};
pub use names::Header;
pub use open::{ReadEnd, Sheet};
pub use options::{Limits, Options};
pub use overlay::{Edited, Overlay};
pub use portion::Portion;
pub use row::Row;
pub use workbook::{HELPER_ARGUMENT, helper_main};

#[cfg(test)]
mod tests;
