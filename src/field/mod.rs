//! The one table of all fields. Header matching, profiles, templates, checks and the field reference read it.

mod amount;
mod beyond;
mod courier;
mod day;
mod header;
mod header_words;
mod kind;
mod listed;
mod matching;
mod measure;
mod money;
mod no_product;
mod normalised;
mod once_more;
mod payment;
mod pin;
mod place;
mod role;
mod sign;
mod state;
mod status;
mod table;
mod units;

pub use amount::{
    counts_pieces, is_bare_amount, is_bare_tax, is_cod_flag, is_list_price, is_no_money, is_of_others, is_payment,
    is_price_beside_list, is_taken_off, is_weak_total, known_amount, says_line_total, says_list_price, says_per_piece,
    says_without_tax, total_of,
};
pub use courier::{has_shipment_number, speaks_of_courier};
pub use day::{NamedDay, day_at_end, month_of};
pub use header::{is_billing_phone, match_header, names_receiver};
pub use kind::{Kind, Level, Need, Version};
pub use listed::{among, has_word, words};
pub use matching::{Match, Rank, Unit, header_unit, says_whole_name, stands_in};
pub use measure::{MeasuredOf, measured_by, names_size, sides};
pub use no_product::{NoProduct, no_product};
pub use normalised::{is_named, normalised, push_normalised};
pub use once_more::charge_kinds;
pub use payment::{
    Owed, Payment, names_payment, names_payment_state, owed, payment_and_figure, payment_type, payment_word,
    speaks_of_cash,
};
pub use pin::{PIN_DIGITS, Parted, parted};
pub use place::{AFTER_LINES, UNCLEAR_PART, UNIT, as_part, is_unit, is_unit_beside_quantity};
pub use role::{AmountRole, Ready, Sign, TotalOf};
pub use sign::{known_sign, names_kind};
pub use state::indian_state;
pub use status::{Says, is_said, says};
pub use table::{EXAMPLE_LINES, FIELDS, Field, Id};
pub use units::{Decimal, in_base_units, length_unit, money_sign, says_percent, says_rate, unit_behind, weight_unit};
