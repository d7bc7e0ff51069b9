//! The way of a sheet from the drop to its booking: Columns, Check and Book, each a page over one draft.
//!
//! - `dropped`: sheets that come in, and what Home says of those that are open
//! - `frame`: what the pages of a sheet share
//! - `menu`: what columns are taken for, and all that one may be
//! - `columns`, `check`, `whole`, `book`: the screens
//! - `groups`: what is wrong with orders, by what it is
//! - `lacks`: what no column holds, asked once
//! - `said`: what is said of a finding, with its buttons
//! - `choices`: which amount is sent, and which of an order's rows is right
//! - `one_cell`: orders whose whole address is in one cell
//! - `refused`: what the courier said no to, by cause
//! - `strays`: rows that name no order
//! - `mend`: what the buttons and cells of these screens do
//! - `saved`: the sheet as a file again

mod asked;
pub(super) mod book;
pub(super) mod check;
mod choices;
pub(super) mod columns;
pub(super) mod dropped;
mod frame;
mod groups;
mod lacks;
pub(super) mod mend;
mod menu;
mod one_cell;
mod refused;
mod said;
pub(super) mod saved;
mod strays;
mod values;
pub(super) mod whole;

pub(super) use frame::{part, place, stands};
pub(super) use said::in_a_file;
