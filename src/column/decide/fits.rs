//! Whether what a column holds looks like a field's values.

use std::sync::LazyLock;

use jiff::Timestamp;

use super::sample::Seen;
use crate::field::{Field, Id, Kind, PIN_DIGITS, ends_with_city, indian_state, is_digits, unit_behind};
use crate::parse::{
    Decimals, Input, ReadingSettings, country_code, looks_like_date, looks_scientific, name_with_phone, value,
};

/// The rules that hold where nothing is configured.
pub(super) static RULES: LazyLock<ReadingSettings> = LazyLock::new(|| {
    let mut rules = ReadingSettings::new(Timestamp::UNIX_EPOCH);
    rules.decimals = Decimals::Point;
    rules
});

/// So much of a column that no header names has to look like a field's values.
pub(super) const SHARE: f64 = 0.8;

/// A shorter word is no name of a product.
const NAME_MIN: usize = 3;

/// How a value goes with a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    /// It cannot be one of its values.
    No,
    /// It may be one, as it may be many other things.
    May,
    /// It looks like one.
    Is,
}

/// How the cells of a column go with a field, in shares of those that are filled.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Shares {
    pub(super) is: f64,
    pub(super) may: f64,
}

/// How the cells of a column go with a field; nothing where they are blank.
pub(super) fn shares(field: &'static Field, seen: &Seen) -> Option<Shares> {
    /// Of many different values the first ones tell.
    const VALUES: usize = 200;
    let looked = seen.values.iter().take(VALUES).map(|(text, count)| (fit(field, text), f64::from(*count)));
    let [no, may, is] = looked.fold([0.0; 3], |mut sums, (fit, count)| {
        sums[fit as usize] += count;
        sums
    });
    let all = no + may + is;
    (all > 0.0).then(|| Shares { is: is / all, may: may / all })
}

/// Whether a column has cells, and none of them can be a field's value. How a shop says a warehouse or a payment, which an amount
/// to collect says as well, cannot be told from other things but days.
pub(super) fn is_none_of(field: &'static Field, seen: &Seen) -> bool {
    if field.kind == Kind::Payment {
        return seen.filled > 0 && seen.texts().all(looks_like_date);
    }
    let is_told = !matches!(field.kind, Kind::NullableText | Kind::Warehouse);
    is_told && shares(field, seen).is_some_and(|shares| shares.is + shares.may == 0.0)
}

/// How a value goes with a field.
pub(super) fn fit(field: &'static Field, text: &str) -> Fit {
    // The phone number behind a name is taken from it.
    let is_name = field.id == Id::ReceiverFirstName;
    let text = name_with_phone(text).filter(|_| is_name).map_or(text, |(name, _)| name);
    if !fits(field, text) {
        return Fit::No;
    }
    let words = || text.split([' ', ',']).filter(|word| !word.is_empty());
    let has_digit = text.contains(|c: char| c.is_ascii_digit());
    let tells = match field.id {
        Id::ReceiverFirstName | Id::ReceiverLastName => !has_digit && !text.contains(',') && words().count() <= 4,
        Id::DestinationLine1 => words().count() > 1 && (has_digit || text.contains(',')),
        // `North 24 Parganas` is a known one.
        Id::DestinationCity => (!has_digit || ends_with_city(text)) && words().count() <= 3,
        Id::DestinationState => {
            indian_state(text).is_some() || (text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_uppercase()))
        }
        // `SW1A 1AA` and `1234AB` are codes, and `KB90411` is sooner a number of the shop. `2,850` is sooner an amount, and so is `1250/-`.
        Id::DestinationPinCode if text.contains([',', '/', '.']) => digits(text) == PIN_DIGITS,
        Id::DestinationPinCode => {
            !text.contains(char::is_alphabetic) || text.contains(' ') || text.ends_with(char::is_alphabetic)
        }
        // A hundred pieces are seldom sent to one person, and a price may be as small a figure.
        Id::Quantity => digits(text) < 3,
        // A code is one word with figures in it, and `XL` is a size.
        Id::ProductName => words().count() > 1 || (!has_digit && text.chars().count() >= NAME_MIN),
        _ => true,
    };
    if tells { Fit::Is } else { Fit::May }
}

/// Whether a value is of another kind than the field's: words where figures should be, and the reverse. One that is only
/// written badly is none.
pub(super) fn is_of_other_kind(field: &'static Field, text: &str) -> bool {
    match field.kind {
        Kind::Phone | Kind::PinCode | Kind::Money | Kind::MoneyText | Kind::Measure | Kind::Quantity | Kind::Rate => {
            !text.contains(|c: char| c.is_numeric())
        }
        _ => fit(field, text) == Fit::No,
    }
}

/// Whether a text is an amount of money by its cents; `1001.0` may be a number that a program wrote.
pub(super) fn is_amount(text: &str) -> bool {
    let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
    let is_whole = |whole: &str| whole.bytes().all(|byte| byte.is_ascii_digit() || byte == b',');
    bare.rsplit_once('.').is_some_and(|(whole, cents)| {
        is_whole(whole) && is_digits(cents) && matches!(cents.len(), 1 | 2) && cents != "0"
    })
}

/// Whether a text is a day without its year: `03/11`.
fn is_day_of_month(text: &str) -> bool {
    text.split_once('/').is_some_and(|(day, month)| [day, month].iter().all(|part| is_digits(part) && part.len() <= 2))
}

/// How many digits a text has, of any script.
fn digits(text: &str) -> usize {
    text.chars().filter(|c| c.is_numeric()).count()
}

/// Whether a value may be one of the field's.
fn fits(field: &'static Field, text: &str) -> bool {
    let digits = digits(text);
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let bare = match field.kind {
        Kind::Measure => field.unit_field().and_then(|id| unit_behind(text, id)).map_or(text, |(end, _)| &text[..end]),
        _ => text,
    };
    // Whatever separates the decimals of the column, it is a figure.
    let with_point = bare.replacen(',', ".", usize::from(!bare.contains('.')));
    let reads = || [bare, &with_point].iter().any(|text| value(Input::new(field, text), &RULES).sure().is_some());
    match field.kind {
        // Shortened by a spreadsheet, or two in one cell, they are phones all the same.
        Kind::Phone => looks_scientific(text) || ((8..=30).contains(&digits) && letters == 0 && !looks_like_date(text)),
        Kind::PinCode if looks_like_date(text) || is_amount(text) => false,
        Kind::PinCode => (4..=9).contains(&digits) && letters == 0 || (letters > 0 && digits > 0 && text.len() <= 8),
        Kind::CountryCode => country_code(text).is_some(),
        Kind::OrderNumber => {
            looks_scientific(text) || (digits > 0 && !text.contains([' ', ',', '@']) && !looks_like_date(text))
        }
        Kind::NullableText => true,
        Kind::Text => match field.id {
            // Streets have numbers, names and towns have none to speak of.
            // A price stands behind such a sign as well: `Saree 2 @1450`.
            Id::ProductName => {
                letters > 0 && !text.split('@').skip(1).any(|host| host.starts_with(char::is_alphabetic))
            }
            Id::DestinationLine1 | Id::DestinationLine2 => letters > 0 && !text.contains('@'),
            Id::Sku => true,
            _ => letters > digits && !text.contains('@') && !looks_like_date(text),
        },
        Kind::Instant => looks_like_date(text) || reads(),
        Kind::Money | Kind::MoneyText => digits > letters && !looks_like_date(text) && !is_day_of_month(text),
        Kind::Quantity => digits <= 3 && reads(),
        // Only a code is one, and looking for one that is spelled wrongly takes long.
        Kind::Currency => letters == 3 && text.len() == 3 && reads(),
        Kind::Warehouse => digits + letters > 0,
        _ => reads(),
    }
}
