//! Which column feeds which field, and how.
//!
//! A [`Profile`] is what a person wrote down (TOML), or one that comes with the program; [`choose`] recognises the one
//! for a sheet by its headers. A [`Plan`] is what it comes to on one sheet's header, and a [`Mapper`] makes the values
//! that are not simply a cell. Without a profile the headers themselves say it, by the table of fields.

mod amounts;
mod choose;
pub mod decide;
mod file;
mod filldown;
mod filter;
mod formats;
mod guess;
mod held;
mod made;
mod mapper;
mod measured;
mod numbered;
mod plan;
mod planning;
mod recipe;
mod signs;
mod told;
mod totals;
mod whose;

pub use choose::{Choice, also_fitting, choose, missing_headers, never_taken};
pub use file::{Profile, ProfileError, built_in, built_in_text, common_rules};
pub use filter::{Filter, Section, Shows};
pub use formats::wrong_date_format;
pub use guess::{Guess, GuessedColumn, Meant, Missing};
pub use held::{Held, has_drifted, looks_like_date, word};
pub use mapper::{HeldBack, LeftOut, Mapped, Mapper};
pub use numbered::is_of_next_product;
pub use plan::{Meanings, Plan};
pub use recipe::{Decimal, Part, Recipe, When};
pub use totals::Amount;
