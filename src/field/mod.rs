//! The one table of all fields. Header matching, profiles, templates, checks and the field reference read it.

mod shipment_number;
mod day;
mod kind;
mod amount_name;
mod normalised;
mod payment;
mod pin;
mod priced;
mod address_part;
mod header_reading;
mod role;
mod status;
mod table;
#[cfg(test)]
mod tests;
mod units;

pub use address_part::{AFTER_LINES, UNCLEAR_PART, as_part};
pub use amount_name::is_amount_name;
pub use day::{NamedDay, day_at_end, moment_figures, month_of};
pub use header_reading::{ALIKE, HeaderReading, Match, Rank, Unit};
pub use kind::{Kind, Level, Need, Version};
pub use normalised::{further_line, is_digits, is_further_line, is_named, normalised, push_normalised, words};
pub use payment::{
    HowFar, Owed, Payment, how_far, may_speak_of_payment, owed, payment_and_figure, payment_type, payment_word,
    speaks_of_cash,
};
pub use pin::{PIN_DIGITS, Parted, ends_abroad, ends_with_city, ends_with_pin, indian_state, parted};
pub use priced::Priced;
pub use role::{ExtraRole, StateRole, TotalOf};
pub use shipment_number::has_shipment_number;
pub use status::{Status, is_said, says};
pub use table::{EXAMPLE_LINES, FIELDS, Field, Id};
pub(crate) use units::MAY_BE_GRAMS;
pub use units::{
    Decimal, figure_in_words, in_base_units, is_same_measure, measured, money_sign, sides, unit_behind, unit_of,
};
