//! The one table of all fields. Header matching, profiles, templates, checks and the field reference read it.

mod kind;
mod matching;
mod table;

pub use kind::{Kind, Level, Need, Version};
pub use matching::{Match, Rank, match_header, normalised};
pub use table::{FIELDS, Field, Id};
