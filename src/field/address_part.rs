//! Parts of a receiver's address that stand in columns of their own, by their places in it.

use std::borrow::Cow;

use crate::words::{Topic, Vocabulary};

/// A part of an address as it is written there: `Floor 3`, `B-204`. None where its cell holds what is no part of an
/// address by its look, such as a telephone number or a link.
#[must_use]
pub fn as_part(place: u8, text: &str) -> Option<Cow<'_, str>> {
    let lower = text.trim().to_lowercase();
    let is_figures = !text.contains(char::is_alphabetic) && text.bytes().filter(u8::is_ascii_digit).count() >= 8;
    let is_link = ["http", "www.", "maps.", "goo.gl"].iter().any(|start| lower.starts_with(start));
    if is_figures || is_link || Topic::Values.lists("no_part", &lower) {
        return None;
    }
    let bare = text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let short = text.len() <= 2 || text.bytes().any(|byte| byte.is_ascii_digit());
    let label = Vocabulary::built_in().words_of(Topic::Values, &format!("label_{place}")).next();
    Some(label.filter(|_| bare && short).map_or(text.into(), |label| format!("{label} {text}").into()))
}

/// From here on a part of an address stands behind its two lines.
pub const AFTER_LINES: u8 = 100;

/// The place of what is called an address, and nobody knows which part of it: it has to be in the lines already.
pub const UNCLEAR_PART: u8 = u8::MAX;
