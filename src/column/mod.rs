//! What each column of a sheet is: decided once, before orders are built.
//!
//! - `feed`: [`Feed`]s, [`Claim`]s and [`HeaderUnit`]s: what columns give to fields, and what they say beside them
//! - `traits`: a [`Column`] with its header's [`Trait`]s
//! - `header`: the one place that reads traits from headers
//! - `columns`: one sheet's [`Columns`]; `sheets`: those of a run
//! - `look`: what all cells of a sheet show of its columns

mod columns;
mod days;
pub mod decide;
mod facts;
mod feed;
mod header;
mod look;
mod sheets;

pub use columns::Columns;
pub use days::Days;
pub use facts::{Facts, PaidWhere, SaidOfPayment};
pub use feed::{Claim, Column, Feed, HeaderUnit};
pub use header::{named, stand_ins, stands_in, usual_charges};
pub use look::Look;
pub use sheets::{RowRef, Sheets};
