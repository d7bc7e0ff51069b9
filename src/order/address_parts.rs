//! Parts of an address that stand in columns of their own: joined to its lines, in the order in which they are written.

use crate::field::{AFTER_LINES, ExtraRole, Id, UNCLEAR_PART, as_part, words};
use crate::finding::Remedy;
use crate::finding::order::{order_clash, unusual_value};
use crate::parse::Value;
use crate::text::Text;

use super::raw_order::RawCell;
use super::read::ValueReader;
use super::rows::CellRef;
use super::types::Address;

/// Completes the lines of the receiver's address with what its further columns hold and the lines do not say yet.
pub(crate) fn complete(reader: &mut ValueReader<'_>, address: &mut Address) {
    if reader.rows.draft.amounts.is_empty() {
        return;
    }
    let mut parts = parts(reader);
    parts.sort_by_key(|(place, ..)| *place);
    // The one that stands nearest to the first line is joined to it first.
    for (_, text, written) in parts.iter().rev().filter(|(place, ..)| *place < AFTER_LINES) {
        // A bare number may be another one further on.
        let is_labelled = text != written;
        let is_further_on = is_labelled && (holds(&address.line1, written) || holds(&address.line2, written));
        if !is_further_on && !words_of(&address.line1).starts_with(&words_of(written)) {
            address.line1 = joined(written, &address.line1);
        }
    }
    for (_, _, written) in parts.iter().filter(|(place, ..)| *place >= AFTER_LINES) {
        if ![&address.line1, &address.line2, &address.city].iter().any(|line| holds(line, written)) {
            address.line2 = joined(&address.line2, written);
        }
    }
}

/// The order's parts, each once: its place, what its cell has, and how that is written. Two values for one are a problem.
fn parts(reader: &mut ValueReader<'_>) -> Vec<(u8, Text, Text)> {
    let draft = reader.rows.draft;
    let mut seen: Vec<RawCell> = Vec::new();
    let mut parts = Vec::new();
    for (claim, slot) in reader.rows.claimed() {
        let ExtraRole::Address(place) = claim.role else { continue };
        if is_unit_of_goods(reader, slot) {
            continue;
        }
        let text = draft.text(slot);
        let same_column = |first: &&RawCell| (first.at.sheet, first.column) == (slot.at.sheet, slot.column);
        if let Some(first) = seen.iter().find(same_column).copied() {
            if draft.text(&first) != text && !draft.repeats_above(Id::DestinationLine2.field(), text, slot.at) {
                let there = reader.rows.place(CellRef::of(&first));
                let clash = order_clash::two_address_parts(draft.text(&first), &there, text);
                reader.say(clash.found(text), Id::DestinationLine2, CellRef::of(slot));
            }
            continue;
        }
        seen.push(*slot);
        if place == UNCLEAR_PART {
            continue;
        }
        let slot = RawCell { id: Id::DestinationLine2, ..*slot };
        if !is_part(reader, &slot, place) {
            continue;
        }
        if let Some(Value::Text(text)) = reader.read_cell(Id::DestinationLine2, Some(slot), reader.rows.first, None) {
            let written = as_part(place, &text).map_or_else(|| text.clone(), Text::from);
            parts.push((place, text, written));
        }
    }
    parts
}

/// Whether a cell is a part of the address; what is none by its look is left out, which is said.
fn is_part(reader: &mut ValueReader<'_>, slot: &RawCell, place: u8) -> bool {
    let text = reader.rows.draft.text(slot);
    if as_part(place, text).is_some() {
        return true;
    }
    let ignore = Remedy::ignore(reader.rows.header(slot));
    let notice = unusual_value::no_address_part(text, ignore);
    reader.say(notice.found(text), Id::DestinationLine2, CellRef::of(slot));
    false
}

/// Whether a cell is what the goods are counted in: nobody takes `Pac` or `Btl.` for the unit of a building.
fn is_unit_of_goods(reader: &ValueReader<'_>, slot: &RawCell) -> bool {
    let text = reader.rows.draft.text(slot);
    let is_unit = || text.len() > 1 && text.trim_end_matches('.').chars().all(char::is_alphabetic);
    let is_counted = || reader.rows.sheets.of(slot.at.sheet).column(Id::Quantity).is_some();
    reader.rows.column(slot).says("unit") && is_counted() && is_unit()
}

fn joined(first: &Text, second: &Text) -> Text {
    match (first.is_empty(), second.is_empty()) {
        (true, _) => second.clone(),
        (_, true) => first.clone(),
        _ => Text::from(format!("{}, {second}", first.trim_end_matches([',', ' ']))),
    }
}

pub(crate) fn words_of(text: &str) -> Vec<String> {
    words(text).collect()
}

/// Whether the words of a part stand one after the other in a line.
pub(crate) fn holds(line: &str, part: &str) -> bool {
    let (line, part) = (words_of(line), words_of(part));
    part.is_empty() || line.windows(part.len()).any(|window| window == part)
}
