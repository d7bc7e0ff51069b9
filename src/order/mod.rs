//! Orders and their lines, valid by construction.
//!
//! Rows with one order number become one [`Draft`], wherever they stand; a [`Builder`] turns a draft into an [`Order`], or
//! into the problems that keep it back. A [`Census`], taken in a first pass, tells the [`Grouper`] when an order has seen
//! its last row, so that it can leave memory at once.

mod address;
mod amounts;
mod basis;
mod beside;
mod build;
mod census;
mod differ;
mod draft;
mod example;
mod goes;
mod group;
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

pub use basis::settled;
pub use build::{Builder, Built};
pub use census::{Census, key};
pub use draft::{Draft, pointed_out};
pub use goes::Goes;
pub use group::{Grouper, Taken, add};
pub use row::{Cells, Row};
pub use standing::Standing;
pub use types::{Address, AsWritten, Contact, Decimal, Line, Order, Parcel, Placement, Text, Written};
pub use verdict::consents;
