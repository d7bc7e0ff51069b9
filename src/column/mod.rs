//! What each column of a sheet is: decided once, before orders are built.
//!
//! - `feed`: [`Feed`]s, [`Extra`]s and [`HeaderUnit`]s: what columns give to fields, and what they say beside them
//! - `columns`: one sheet's [`Columns`], each [`Column`] with what its header says; `sheets`: those of a run
//! - `decide`: how a sheet's columns are decided
//! - `remark`: what a cell of a column of remarks says
//! - `look`: what all cells of a sheet show of its columns

mod columns;
pub mod decide;
mod feed;
mod look;
mod remark;
mod sheets;

pub use columns::Columns;
pub use feed::{Candidate, Extra, Feed, HeaderUnit};
pub use look::{Days, Look};
pub use sheets::{RowRef, Sheets};

pub use crate::field::HeaderReading as Column;
