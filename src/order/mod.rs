//! Orders and their lines, valid by construction.
//!
//! Rows with one order number become one [`Draft`], wherever they stand; `build` turns a draft into an [`Order`] and notes
//! what there is to doubt of its values. A [`Census`], taken in a first pass, tells the [`Grouper`] when an order has seen
//! its last row, so that it can leave memory at once.

mod build;
mod census;
mod claims;
mod discounts;
mod draft;
mod example;
mod group;
mod line;
mod parcel;
mod parts;
mod place;
mod read;
mod rows;
mod settle;
mod types;

pub use census::{Census, key};
pub use draft::{Draft, Row};
pub use group::{Grouper, Taken};
pub use rows::Recurring;
pub use types::{Address, Contact, Decimal, Line, Order, Parcel, Placement, Text, Written};

pub(crate) use build::{Built, ENDING, build};
pub(crate) use claims::{Equals, Given, ROUNDING, rounding_of, same, shown};
pub(crate) use draft::{LineDraft, Slot};
pub(crate) use parts::{holds, words_of};
pub(crate) use read::Doubt;
pub(crate) use rows::{Rows, Spot};
pub(crate) use settle::{Settled, tax_of, tax_on_top};
