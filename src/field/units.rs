//! Units of length and weight, and signs of money, as people write them.

pub use rust_decimal::Decimal;

/// The spellings of each unit; the first is the one that is sent.
type Units = &'static [&'static [&'static str]];

const LENGTH: Units = &[
    &["cm", "cms", "centimeter", "centimeters", "centimetre", "centimetres"],
    &["mm", "mms", "millimeter", "millimeters", "millimetre", "millimetres"],
    &["m", "meter", "meters", "metre", "metres"],
    &["in", "inch", "inches"],
    &["ft", "foot", "feet"],
];

const WEIGHT: Units = &[
    &["kg", "kgs", "kilo", "kilos", "kilogram", "kilograms", "kilogramme", "kilogrammes"],
    &["g", "gm", "gms", "gr", "gram", "grams", "gramme", "grammes"],
    &["lb", "lbs", "pound", "pounds"],
    &["oz", "ounce", "ounces"],
];

/// Signs and words of money with the codes that they may mean; a dollar may be any country's.
const MONEY: &[(&str, &[&str])] = &[
    ("₹", &["INR"]),
    ("rs", &["INR", "NPR", "PKR", "LKR", "MUR", "SCR"]),
    ("re", &["INR", "NPR", "PKR", "LKR", "MUR", "SCR"]),
    ("us$", &["USD"]),
    ("a$", &["AUD"]),
    ("c$", &["CAD"]),
    ("s$", &["SGD"]),
    ("$", &["USD", "AUD", "CAD", "SGD", "HKD", "NZD", "MXN", "TWD", "BRL"]),
    ("€", &["EUR"]),
    ("£", &["GBP"]),
    ("¥", &["JPY", "CNY"]),
    ("₩", &["KRW"]),
    ("₽", &["RUB"]),
    ("₺", &["TRY"]),
    ("₫", &["VND"]),
    ("฿", &["THB"]),
    ("₱", &["PHP"]),
    ("₪", &["ILS"]),
    ("kr", &["SEK", "NOK", "DKK", "ISK"]),
    ("zł", &["PLN"]),
];

/// ISO 4217 codes that order sheets carry. Three other letters beside an amount are not taken for money.
const CODES: &[&str] = &[
    "AED", "AUD", "BDT", "BHD", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EGP", "EUR", "GBP", "HKD", "HUF", "IDR",
    "ILS", "INR", "JPY", "KES", "KRW", "KWD", "LKR", "MXN", "MYR", "NGN", "NOK", "NPR", "NZD", "OMR", "PHP", "PKR",
    "PLN", "QAR", "RON", "RUB", "SAR", "SEK", "SGD", "THB", "TRY", "TWD", "USD", "VND", "ZAR",
];

/// The unit of length that a word means.
#[must_use]
pub fn length_unit(word: &str) -> Option<&'static str> {
    unit(word, LENGTH)
}

/// The unit of weight that a word means.
#[must_use]
pub fn weight_unit(word: &str) -> Option<&'static str> {
    unit(word, WEIGHT)
}

/// Where the figure of a size or weight with a unit of its own ends, and that unit: `1.5 kg`.
#[must_use]
pub fn unit_behind(text: &str, of_weight: bool) -> Option<(usize, &'static str)> {
    let is_figure = |c: char| c.is_ascii_digit();
    if text.ends_with(is_figure) {
        return None;
    }
    let end = text.rfind(is_figure)? + 1;
    let word = text[end..].trim();
    let unit = if of_weight { weight_unit(word) } else { length_unit(word) };
    unit.filter(|_| text[..end].bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b',')))
        .map(|unit| (end, unit))
}

fn unit(word: &str, units: Units) -> Option<&'static str> {
    let word = word.trim_end_matches('.');
    let spelled = |spellings: &&&[&str]| spellings.iter().any(|spelling| spelling.eq_ignore_ascii_case(word));
    units.iter().find(spelled).map(|spellings| spellings[0])
}

/// The codes that a sign or a code of money may mean; none where it is not one.
#[must_use]
pub fn money_sign(word: &str) -> Option<&'static [&'static str]> {
    let word = word.trim_end_matches('.');
    let sign = MONEY.iter().find(|(sign, _)| sign.eq_ignore_ascii_case(word)).map(|(_, codes)| *codes);
    let place = || CODES.iter().position(|code| code.eq_ignore_ascii_case(word));
    sign.or_else(|| place().map(|index| &CODES[index..=index]))
}

/// How many centimetres, or kilograms, one unit is; exact.
#[must_use]
pub fn in_base_units(unit: &str) -> Option<Decimal> {
    let (digits, scale) = match unit {
        "cm" | "kg" => (1, 0),
        "mm" => (1, 1),
        "m" => (100, 0),
        "in" => (254, 2),
        "ft" => (3048, 2),
        "g" => (1, 3),
        "lb" => (45_359_237, 8),
        "oz" => (28_349_523_125, 12),
        _ => return None,
    };
    Some(Decimal::new(digits, scale))
}
