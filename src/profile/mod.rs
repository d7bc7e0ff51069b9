//! Which column feeds which field, and how, as a person wrote it down.
//!
//! A [`Profile`] is a TOML file of a person, or one that comes with the program; [`choose`] recognises the one for a sheet by
//! its headers. A `ProfileText` takes in a person's answers. A [`Mapper`] makes the values that are not simply a cell.

mod back;
mod choose;
mod edit;
mod file;
mod filter;
mod guess;
mod mapper;
mod recipe;
mod step;
mod totals;
mod values;

#[cfg(test)]
mod tests;

pub use back::{Back, ShippedOrder};
pub use choose::{Choice, choose, missing_headers, never_taken};
pub(crate) use edit::ProfileText;
pub use edit::{AmountUse, Feeding};
pub use file::{Profile, ProfileError, built_in, built_in_text, by_headers, common_filters};
pub use filter::{Filter, LeftOut, Section, Shows};
pub use guess::{Guess, GuessedColumn, Missing};
pub use mapper::{Mapped, Mapper};
pub use recipe::{Decimal, LineTotal, NUMBER, PRODUCTS_MAX, Part, Recipe, When};
pub(crate) use step::Step;
pub use totals::Amount;
pub(crate) use values::ANY_OTHER;
pub use values::{ColumnValues, Meaning};
