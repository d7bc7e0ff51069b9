//! Units of length and weight, and signs of money, as people write them.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

pub use rust_decimal::Decimal;
use serde::Deserialize;

use super::table::Id;

/// `templates/words/units.toml`: the spellings of each unit, and the codes that each sign of money may mean.
#[derive(Debug, Default, Deserialize)]
struct Units {
    length: BTreeMap<String, String>,
    weight: BTreeMap<String, String>,
    money: BTreeMap<String, String>,
    codes: BTreeMap<String, String>,
}

static UNITS: LazyLock<Units> =
    LazyLock::new(|| toml::from_str(include_str!("../../templates/words/units.toml")).unwrap_or_default());

/// The codes of money by the signs and words for them; each code is a word for itself.
static MONEY: LazyLock<HashMap<String, Vec<&str>>> = LazyLock::new(|| {
    let signs = UNITS.money.iter().map(|(sign, codes)| (sign.to_lowercase(), codes.split(' ').collect()));
    let codes = UNITS.codes.values().flat_map(|codes| codes.split_whitespace());
    codes.map(|code| (code.to_lowercase(), vec![code])).chain(signs).collect()
});

/// The unit that a word means for the field of a unit, of lengths or of weights.
#[must_use]
pub fn unit_of(id: Id, word: &str) -> Option<&'static str> {
    let word = word.trim_end_matches('.');
    let is_spelled = |spellings: &String| spellings.split(' ').any(|spelling| spelling.eq_ignore_ascii_case(word));
    let units = match id {
        Id::WeightUnit => &UNITS.weight,
        Id::DimensionUnit => &UNITS.length,
        _ => return None,
    };
    units.iter().find(|(_, spellings)| is_spelled(spellings)).map(|(unit, _)| unit.as_str())
}

/// Where the figure of a size or weight with a unit of its own ends, and that unit: `1.5 kg`. The field is that of the unit.
#[must_use]
pub fn unit_behind(text: &str, id: Id) -> Option<(usize, &'static str)> {
    let is_figure = |c: char| c.is_ascii_digit();
    if text.ends_with(is_figure) {
        return None;
    }
    let end = text.rfind(is_figure)? + 1;
    let is_number = text[..end].bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','));
    unit_of(id, text[end..].trim()).filter(|_| is_number).map(|unit| (end, unit))
}

/// The codes that a sign or a code of money may mean; none where it is not one.
#[must_use]
pub fn money_sign(word: &str) -> Option<&'static [&'static str]> {
    MONEY.get(&word.trim_end_matches('.').to_lowercase()).map(Vec::as_slice)
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

/// Length, width and height of a cell such as `20x15x10`, `20 * 15 * 10 cm`; nothing where it says anything else.
#[must_use]
pub fn sides(text: &str) -> Option<[&str; 3]> {
    /// The longest that people write.
    const BYTES_MAX: usize = 40;
    let text = text.trim();
    if text.len() > BYTES_MAX || !text.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let bare = text.trim_end_matches(['.', ' ']);
    let lower = bare.to_ascii_lowercase();
    let unit = ["cms", "cm", "centimetres", "centimeters"].iter().find(|unit| lower.ends_with(*unit));
    let bare = unit.map_or(bare, |unit| &bare[..bare.len() - unit.len()]);
    let crossed = bare.contains(['x', 'X', '×', '*']);
    let cut = |c: char| if crossed { matches!(c, 'x' | 'X' | '×' | '*') } else { matches!(c, ' ' | '-' | '/') };
    let parts: Vec<&str> = bare.split(cut).map(str::trim).filter(|part| !part.is_empty()).collect();
    let is_number = |part: &&str| part.parse::<Decimal>().is_ok_and(|side| side > Decimal::ZERO);
    match parts.as_slice() {
        [length, width, height] if parts.iter().all(is_number) => Some([length, width, height]),
        _ => None,
    }
}
