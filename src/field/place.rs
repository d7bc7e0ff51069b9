//! Parts of a receiver's address that stand in columns of their own, by their places in it.

use std::borrow::Cow;

use super::listed::words;
use crate::words::{Topic, Vocabulary};

/// The place of a unit of a building.
pub const UNIT: u8 = 22;

const FLOOR: u8 = 26;
const ROAD: u8 = 128;
const LOCATION: u8 = 142;
const POST: u8 = 170;
const DISTRICT: u8 = 190;

/// A part of an address as it is written there: `Floor 3`, `5th Cross`, `B-204`. None where its cell holds what is no
/// part of an address by its look, such as a telephone number, a link, or a place in a warehouse.
#[must_use]
pub fn as_part(place: u8, text: &str) -> Option<Cow<'_, str>> {
    if is_no_part(place, text) {
        return None;
    }
    let label = Vocabulary::built_in().words_of(Topic::Values, &format!("label_{place}")).next();
    let Some(label) = label.filter(|_| text.len() <= 8 && !text.contains(char::is_whitespace)) else {
        return Some(text.into());
    };
    let figures = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let ending = text.get(figures.len()..).unwrap_or_default().to_ascii_lowercase();
    let counted = !figures.is_empty() && figures.bytes().all(|byte| byte.is_ascii_digit());
    let ordinal = counted && matches!(ending.as_str(), "st" | "nd" | "rd" | "th");
    let named = place == FLOOR && is("of_floor", &text.to_lowercase());
    if ordinal || named {
        return Some(format!("{text} {label}").into());
    }
    let bare = text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let short = text.len() <= 2 || text.bytes().any(|byte| byte.is_ascii_digit());
    Some(if bare && short { format!("{label} {text}").into() } else { text.into() })
}

/// Whether a word is what goods are counted or weighed in: a column `Unit` may hold that.
#[must_use]
pub fn is_unit(text: &str) -> bool {
    is("of_goods", &text.trim_end_matches('.').to_lowercase())
}

/// Whether a cell of a column `Unit` beside one of quantities says in what goods are counted, by its look: one word without
/// a figure, such as `Pac`, `Btl` or `Pouch`. A single letter may be that of a building.
#[must_use]
pub fn is_unit_beside_quantity(text: &str) -> bool {
    let bare = text.trim().trim_end_matches('.');
    bare.chars().count() > 1 && bare.chars().all(char::is_alphabetic)
}

/// Whether a word is in a class of words of values.
fn is(class: &str, word: &str) -> bool {
    Vocabulary::built_in().lists(Topic::Values, class, word)
}

/// Whether a cell under a header of an address holds no part of one, by its look.
fn is_no_part(place: u8, text: &str) -> bool {
    let lower = text.to_lowercase();
    let lower = lower.trim();
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let is_figures = text.chars().all(|c| c.is_ascii_digit() || matches!(c, '+' | '-' | ' ' | '(' | ')' | '.' | ','));
    let coordinate =
        |part: &str| part.parse::<f64>().is_ok() && part.split_once('.').is_some_and(|(_, d)| d.len() >= 2);
    let mut pair = text.split([',', ' ']).filter(|part| !part.is_empty());
    let map = pair.clone().count() == 2 && pair.all(coordinate);
    let link = ["http", "www.", "maps.", "goo.gl"].iter().any(|start| lower.starts_with(start));
    let figure_of = |class: &str| {
        let unit = lower.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ' '));
        unit.len() < lower.len() && is(class, unit)
    };
    let words_of = || words(lower);
    let first = words_of().next().unwrap_or_default();
    let stored = || is("storage", &first) || words_of().any(|word| is("warehouse", &word)) && !lower.contains(',');
    let way = || first == "by" || is("way", lower);
    is("no_part", lower)
        || (is_figures && digits >= 8)
        || map
        || link
        || (place < AFTER_LINES && is_unit(lower))
        || figure_of("distance")
        || (place < AFTER_LINES && figure_of("counted"))
        || (place == LOCATION && stored())
        || (place == ROAD && way())
        || (matches!(place, POST | DISTRICT) && digits > 0)
}

/// From here on a part of an address stands behind its two lines.
pub const AFTER_LINES: u8 = 100;

/// The place of what is called an address, and nobody knows which part of it: it has to be in the lines already.
pub const UNCLEAR_PART: u8 = u8::MAX;
