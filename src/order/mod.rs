//! Orders and their lines, valid by construction.
//!
//! Rows with one order number become one [`Draft`], wherever they stand; a [`Builder`] turns a draft into an [`Order`], or
//! into the problems that keep it back. A [`Census`], taken in a first pass, tells the [`Grouper`] when an order has seen
//! its last row, so that it can leave memory at once.

mod address;
mod amounts;
mod beside;
mod build;
mod census;
mod days;
mod differ;
mod draft;
mod example;
mod facts;
mod goes;
mod group;
mod layout;
mod measure;
mod no_goods;
mod pack;
mod paid;
mod parked;
mod pin;
mod place;
mod read;
mod reader;
mod reduced;
mod rivals;
mod row;
mod sides;
mod standing;
mod sums;
mod suspect;
mod totals;
mod types;
mod verdict;
mod weight;
mod written;

pub use build::{Builder, Built};
pub use census::{Census, key};
pub use days::Days;
pub use draft::{Draft, pointed_out};
pub use facts::{Amount, Facts, Fed, HeaderUnit, PaidWhere, SaidOfPayment};
pub use goes::Goes;
pub use group::{Grouper, Taken, add};
pub use layout::{Layout, Layouts};
pub use row::{Cells, Row, RowRef};
pub use standing::Standing;
pub use types::{Address, AsWritten, Contact, Decimal, Line, Order, Parcel, Placement, Text, Written};
pub use verdict::consents;
