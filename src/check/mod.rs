//! From a cell's text to a typed value. Pure: no file, no clock, no network.
//!
//! [`value`] reads one cell by its field's kind, in the light of [`Rules`]; what it refuses is a [`Fault`], which becomes
//! a problem where the place is known.

mod contact;
mod country;
mod fault;
mod moment;
mod number;
mod rules;
mod value;

pub use country::name_of as country_name;
pub use fault::Fault;
pub use rules::{Rules, RulesError};
pub use value::{Condition, Input, Value, value};
