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
mod differ;
mod draft;
mod example;
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
mod reduced;
mod rivals;
mod shown;
mod sides;
mod standing;
mod suspect;
mod totals;
mod types;
mod verdict;
mod weight;

pub use build::{Builder, Built};
pub use census::{Census, key};
pub use draft::{Draft, RowRef, pointed_out};
pub use goes::Goes;
pub use group::{Cells, Grouper, Row, Taken, add};
pub use layout::{Amount, Facts, Fed, HeaderUnit, Layout, Layouts, PaidWhere};
pub use paid::SaidOfPayment;
pub use shown::Days;
pub use standing::Standing;
pub use types::{Address, Contact, Decimal, Line, Order, Parcel, Placement, Text, Written};
pub use verdict::consents;
