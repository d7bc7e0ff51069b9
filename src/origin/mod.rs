//! Where a value came from: file, worksheet, row, column; and what this program itself has added to a sheet.

mod added;
mod place;

pub use added::{Added, LOST, guarded, is_added, unguarded};
pub use place::{Column, Place, Source, letters};
