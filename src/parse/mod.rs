//! From a cell's text to a typed value. Pure: no file, no clock, no network.
//!
//! [`value`] reads one cell by its field's kind, in the light of [`ReadingSettings`] and of its column's [`ColumnFormat`]. Each kind has one
//! parser: from a text to a value, with a word about what was repaired or is doubted, or to the reason why there is none.

mod absent;
mod country;
mod damage;
mod fault;
mod column_format;
mod marks;
mod moment;
mod number;
mod numbering;
mod phone;
mod pin;
mod settings;
mod spelling;
mod value;

pub use absent::{is_ditto, is_elsewhere, is_no_value};
pub use column_format::{ColumnFormat, NoRates, Payments};
pub use country::{
    addresses_have, code_in_column as country_in_column, code_of as country_code, is_near_letters,
    name_of as country_name, postal_code_form, tells_postal_codes,
};
pub use fault::Fault;
pub use marks::{tariff_fault, unmarked};
pub use moment::{Dates, DayOrder, date_format, looks_like_date, wrong_date_format};
pub use number::looks_scientific;
pub use phone::{name_with_phone, unlikely_phone};
pub use pin::{PinFits, PinPlace, pin_place, written_pin_place};
pub use settings::{Decimal, Decimals, ReadingSettings, ReadingSettingsError, TimeZone, Timestamp};
pub use spelling::alone;
pub use value::{Condition, Input, ParsedValue, Value, value};
