//! Which column feeds which field.
//!
//! A [`Profile`] is what a person wrote down (TOML); a [`Plan`] is what it comes to on one sheet's header. Without a
//! profile the headers themselves say it, by the table of fields.

mod file;
mod plan;

pub use file::{Profile, ProfileError};
pub use plan::{InHeader, Plan};
