//! What each column of a sheet is: decided once, before orders are built.
//!
//! - `feed`: [`Feed`]s, [`Claim`]s and [`HeaderUnit`]s: what columns give to fields, and what they say beside them
//! - `traits`: a [`Column`] with its header's [`Trait`]s
//! - `header`: the one place that reads traits from headers
//! - `columns`: one sheet's [`Columns`]; `sheets`: those of a run
//! - `look`: what all cells of a sheet show of its columns

mod columns;
#[cfg(test)]
mod compare;
mod days;
mod facts;
mod feed;
mod header;
mod look;
mod reading;
mod sheets;
#[cfg(test)]
mod tests;
mod traits;

pub use columns::Columns;
pub use days::Days;
pub use facts::{Facts, PaidWhere, SaidOfPayment};
pub use feed::{Claim, Feed, HeaderUnit};
pub use header::{named, stand_ins, stands_in, usual_charges};
pub use look::Look;
pub use reading::{ALIKE, Match, Rank, Reading, Unit};
pub use sheets::{RowRef, Sheets};
pub use traits::{Column, Trait, Traits};
