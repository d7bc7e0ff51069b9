//! Units of length and weight, and signs of money, as people write them.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

pub use crate::text::Decimal;
use serde::Deserialize;

use super::table::Id;

/// `templates/words/units.toml`: the spellings of each unit, and the codes that each sign of money may mean.
#[derive(Debug, Default, Deserialize)]
struct Units {
    /// Words for figures before a unit.
    figures: BTreeMap<String, String>,
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
    let end = text.rfind(is_figure)? + 1;
    let is_number = text[..end].bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','));
    // Nearly all figures stand alone.
    let unit = Some(text[end..].trim()).filter(|unit| is_number && !unit.is_empty())?;
    unit_of(id, unit).map(|unit| (end, unit))
}

/// Figures from which on a weight may be grams, where nobody has said what it is in.
pub(crate) const MAY_BE_GRAMS: Decimal = Decimal::from_parts(50, 0, 0, false, 0);

/// A weight or a side as a cell has it: its figure, above zero, and its unit where it names one.
#[must_use]
pub fn measured(text: &str) -> Option<(Decimal, Option<&'static str>)> {
    let own = [Id::WeightUnit, Id::DimensionUnit].into_iter().find_map(|id| unit_behind(text, id));
    let (end, unit) = own.map_or((text.len(), None), |(end, unit)| (end, Some(unit)));
    let figure = text[..end].trim().replace(',', ".").parse().ok()?;
    (figure > Decimal::ZERO).then_some((figure, unit))
}

/// Whether two figures with their units are one weight or one length.
#[must_use]
pub fn is_same_measure(one: (Decimal, &str), other: (Decimal, &str)) -> bool {
    let in_base = |(figure, unit): (Decimal, &str)| in_base_units(unit).map(|factor| figure * factor);
    one == other || in_base(one).is_some_and(|own| in_base(other) == Some(own))
}

/// The figure that a word before a unit stands for, and that unit: `half kg`.
#[must_use]
pub fn figure_in_words(text: &str, id: Id) -> Option<(Decimal, &'static str)> {
    let (word, unit) = text.trim().split_once(char::is_whitespace)?;
    let figure = UNITS.figures.get(&word.to_lowercase())?;
    Some((figure.parse().ok()?, unit_of(id, unit.trim())?))
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

/// Length, width and height of a cell such as `20x15x10`, `20 * 15 * 10 cm`, and what stands behind them, which is their unit;
/// nothing where it says anything else.
#[must_use]
pub fn sides(text: &str) -> Option<([&str; 3], &str)> {
    /// The longest that people write.
    const BYTES_MAX: usize = 40;
    let text = text.trim();
    if text.len() > BYTES_MAX || !text.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let (bare, unit) = text.split_at(text.rfind(|c: char| c.is_ascii_digit())? + 1);
    let unit = unit.trim();
    if !unit.trim_end_matches('.').is_empty() && unit_of(Id::DimensionUnit, unit).is_none() {
        return None;
    }
    let crossed = bare.contains(['x', 'X', '×', '*']);
    let cut = |c: char| if crossed { matches!(c, 'x' | 'X' | '×' | '*') } else { matches!(c, ' ' | '-' | '/') };
    // `10" x 8" x 4"`
    let parts = bare.split(cut).map(|part| part.trim().strip_suffix(unit).unwrap_or(part).trim());
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let is_number = |part: &&str| part.parse::<Decimal>().is_ok_and(|side| side > Decimal::ZERO);
    match parts.as_slice() {
        [length, width, height] if parts.iter().all(is_number) => Some(([length, width, height], unit)),
        _ => None,
    }
}
