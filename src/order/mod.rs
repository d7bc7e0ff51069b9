//! Orders and their lines, valid by construction.
//!
//! Rows with one order number become one [`RawOrder`], wherever they stand; `build` turns a draft into an [`Order`] and notes
//! what there is to doubt of its values. A [`Census`], taken in a first pass, tells the [`Grouper`] when an order has seen
//! its last row, so that it can leave memory at once.

mod agree;
mod build;
mod sheet_amounts;
mod discounts;
mod raw_order;
mod example;
mod group;
mod line;
mod paid;
mod parcel;
mod address_parts;
mod addresses;
mod read;
mod rows;
mod amounts;
mod types;

pub use group::{Census, Grouper, Taken, key};
pub use raw_order::{RawOrder, Row};
pub use rows::Recurring;
pub use types::{Address, Contact, Decimal, Line, Order, Parcel, ShipFrom, ShipFromAddresses, Text};

pub(crate) use address_parts::{holds, words_of};
pub(crate) use amounts::{ComputedAmounts, chosen_amount, tax_of, tax_on_top};
pub(crate) use build::{Built, ENDING, build};
pub(crate) use example::{is_example, row_of_example};
pub(crate) use raw_order::{RawCell, RawLine};
pub(crate) use read::Doubt;
pub(crate) use rows::{CellRef, Rows};
pub(crate) use sheet_amounts::{Equals, ROUNDING, SheetAmount, choice, rounding_of, same, shown};
