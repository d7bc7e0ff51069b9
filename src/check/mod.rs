//! From a cell's text to a typed value. Pure: no file, no clock, no network.
//!
//! [`value`] reads one cell by its field's kind, in the light of [`Rules`] and of its column's [`Habit`]; what it refuses
//! is a [`Fault`], which becomes a problem where the place is known. What it could repair comes with a note.

mod absent;
mod civil;
mod contact;
mod country;
mod currency;
mod damage;
mod fault;
mod habit;
mod lines;
mod memo;
mod marks;
mod mistaken;
mod moment;
mod number;
mod phone;
mod pin;
mod places;
mod rules;
mod spelling;
mod tariff;
mod value;

pub use absent::is_no_value;
pub use civil::DayOrder;
pub use contact::postal_code_form;
pub use country::{code_of as country_code, name_of as country_name};
pub use fault::Fault;
pub use habit::{Decimals, Habit, NoRates, Payments};
pub use marks::unmarked;
pub use memo::{Asked, Memo};
pub use moment::Dates;
pub use phone::unlikely_phone;
pub use pin::{PinFits, PinPlace, pin_place};
pub use rules::{Decimal, NumbersAlike, Rules, RulesError, TimeZone, Timestamp};
pub use spelling::alone;
pub use tariff::tariff_fault;
pub use value::{Condition, Input, Reading, Value, as_written, value};
