//! Line breaks and tabs within a value, which have no place on a label.

use std::borrow::Cow;

use super::fault::Fault;
use crate::field::{Field, Id, Kind};
use crate::finding::cell;

const BREAKS: [char; 5] = ['\n', '\r', '\t', '\u{2028}', '\u{2029}'];

/// The value on one line: the lines of an address are joined by commas, all else by spaces. Prose keeps its lines, and a
/// code that has several is no one code.
pub(super) fn on_one_line<'t>(
    field: &Field,
    text: Cow<'t, str>,
    note: &mut Option<Fault>,
) -> Result<Cow<'t, str>, Fault> {
    if is_prose(field) || !text.contains(BREAKS) {
        return Ok(text);
    }
    if matches!(field.kind, Kind::OrderNumber | Kind::Warehouse) || field.id == Id::Sku {
        return Err(cell::line_breaks::within_code().into());
    }
    // The lines of an address are parted by commas.
    let is_place = ["destination.", "origin."].iter().any(|part| field.path.starts_with(part));
    let between = if is_place || field.path.contains("ddress") { ", " } else { " " };
    let parts = text.split(BREAKS).map(|part| part.trim().trim_end_matches(',')).filter(|part| !part.is_empty());
    let joined = parts.collect::<Vec<&str>>().join(between);
    cell::line_breaks::joined(&joined).add_to(note);
    Ok(joined.into())
}

/// Whether the value is read as prose, where lines have a meaning; numbers and words of a list are read by their own rules.
const fn is_prose(field: &Field) -> bool {
    match field.kind {
        Kind::OrderNumber | Kind::Warehouse | Kind::Phone => false,
        Kind::Text | Kind::NullableText => matches!(field.id, Id::SellerNote | Id::Description),
        _ => true,
    }
}
