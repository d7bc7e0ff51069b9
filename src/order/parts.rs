//! Parts of an address that stand in columns of their own: joined to its lines, in the order in which they are written.

use crate::check::Value;
use crate::field::Trait;
use crate::field::{AFTER_LINES, AmountRole, Id, UNCLEAR_PART, UNIT, as_part, is_unit, is_unit_beside_quantity};
use crate::finding::Remedy;
use crate::finding::order::{held_back, order_clash, unusual_value};
use crate::text::Text;

use super::draft::Slot;
use super::read::Reader;
use super::rows::Spot;
use super::types::Address;

/// Completes the lines of the receiver's address with what its further columns hold and the lines do not say yet.
pub(crate) fn complete(reader: &mut Reader<'_>, address: &mut Address) {
    if reader.rows.draft.amounts.is_empty() {
        return;
    }
    let mut parts = parts(reader);
    parts.sort_by_key(|part| part.place);
    // The one that stands nearest to the first line is joined to it first.
    for Part { text, written, .. } in parts.iter().rev().filter(|part| part.place < AFTER_LINES) {
        // A bare number may be another one further on.
        let is_labelled = text != written;
        let is_further_on = is_labelled && (holds(&address.line1, written) || holds(&address.line2, written));
        if !is_further_on && !words_of(&address.line1).starts_with(&words_of(written)) {
            address.line1 = joined(written, &address.line1);
        }
    }
    for Part { written, .. } in parts.iter().filter(|part| part.place >= AFTER_LINES) {
        if ![&address.line1, &address.line2, &address.city].iter().any(|line| holds(line, written)) {
            address.line2 = joined(&address.line2, written);
        }
    }
}

/// The order's parts with their places, each once; two values for one are a problem.
fn parts(reader: &mut Reader<'_>) -> Vec<Part> {
    let draft = reader.rows.draft;
    let mut seen: Vec<Slot> = Vec::new();
    let mut parts = Vec::new();
    for (claim, slot) in reader.rows.claimed() {
        let AmountRole::Address(place) = claim.role else { continue };
        let text = draft.text(slot);
        let same_column = |first: &&Slot| (first.at.sheet, first.column) == (slot.at.sheet, slot.column);
        if let Some(first) = seen.iter().find(same_column).copied() {
            if draft.text(&first) != text {
                let there = reader.rows.place(Spot::of(&first));
                let clash = order_clash::two_address_parts(draft.text(&first), &there, text);
                reader.say(clash.found(text), Id::DestinationLine2, Spot::of(slot));
            }
            continue;
        }
        seen.push(*slot);
        if place == UNCLEAR_PART {
            continue;
        }
        let slot = Slot { id: Id::DestinationLine2, ..*slot };
        if !is_part(reader, &slot, place) {
            continue;
        }
        if let Some(Value::Text(text)) = reader.read_cell(Id::DestinationLine2, Some(slot), reader.rows.first, None) {
            let written = as_part(place, &text).map_or_else(|| text.clone(), Text::from);
            parts.push(Part { place, text, written });
        }
    }
    parts
}

/// Whether a cell is a part of the address; what is none by its look is left out, which is said.
fn is_part(reader: &mut Reader<'_>, slot: &Slot, place: u8) -> bool {
    let text = reader.rows.draft.text(slot);
    let header = reader.rows.column(slot).header.as_str();
    let is_alone = place == UNIT && reader.rows.column(slot).is(Trait::Unit);
    // Nobody takes the unit of the goods for that of a building.
    let counted = reader.rows.sheets.of(slot.at.sheet).column(Id::Quantity).is_some();
    if is_alone && (is_unit(text) || (counted && is_unit_beside_quantity(text))) {
        return false;
    }
    let pieces = |own: &&Slot| own.id == Id::Quantity && reader.rows.draft.text(own) == text;
    if is_alone && reader.rows.draft.line_cells.iter().any(|own| pieces(&own)) {
        let held = held_back::pieces_or_address(header, text, Remedy::ignore(header));
        let held = held.remedy(Remedy::edit(format!("Unit {text}")));
        reader.say(held.found(text), Id::DestinationLine2, Spot::of(slot));
        return false;
    }
    if as_part(place, text).is_some() {
        return true;
    }
    let notice = unusual_value::no_address_part(text, Remedy::ignore(header));
    reader.say(notice.found(text), Id::DestinationLine2, Spot::of(slot));
    false
}

/// A part of an address: as its cell has it, and as it is written.
struct Part {
    place: u8,
    text: Text,
    written: Text,
}

fn joined(first: &Text, second: &Text) -> Text {
    match (first.is_empty(), second.is_empty()) {
        (true, _) => second.clone(),
        (_, true) => first.clone(),
        _ => Text::from(format!("{}, {second}", first.trim_end_matches([',', ' ']))),
    }
}

pub(crate) fn words_of(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// Whether the words of a part stand one after the other in a line.
pub(crate) fn holds(line: &str, part: &str) -> bool {
    let (line, part) = (words_of(line), words_of(part));
    part.is_empty() || line.windows(part.len()).any(|window| window == part)
}
