//! Addresses that say that the customer fetches the parcel, more than is sent, or another PIN code.

use crate::field::{ExtraRole, Id, PIN_DIGITS, UNCLEAR_PART};
use crate::finding::Remedy;
use crate::finding::order::{bad_pin_code, held_back, no_value};
use crate::order::{Address, CellRef, RawCell, holds, words_of};
use crate::words::Topic;

use super::view::{Findings, View};

/// Looks at the lines of the address, and at columns that are called an address and that nothing takes.
pub(crate) fn check(view: &View<'_>, told: &mut Findings<'_>) {
    let rows = view.rows;
    let says = |text: &str| Topic::Fetched.says(text, "fetched");
    let asked = |id: Id, slot: RawCell| rows.recurring.fetched.ask(id as u32, (), rows.text(&slot), says);
    let fetched = |id: &Id| rows.cell(*id).is_some_and(|slot| asked(*id, slot));
    if let Some(id) = [Id::DestinationLine1, Id::DestinationCity].into_iter().find(fetched)
        && let Some(slot) = rows.cell(id)
    {
        let text = rows.text(&slot);
        told.say(held_back::fetched(text).found(text), id, CellRef::of(&slot));
    }
    check_meant(view, told);
    let mut seen: Vec<(u16, u32)> = Vec::new();
    for slot in rows.claimed_as(ExtraRole::Address(UNCLEAR_PART)) {
        if !seen.contains(&(slot.at.sheet, slot.column)) {
            seen.push((slot.at.sheet, slot.column));
            check_more(view, told, slot);
        }
    }
}

/// Holds back an order whose address is one letter, whose city has none, or whose PIN code is one digit over and over.
fn check_meant(view: &View<'_>, told: &mut Findings<'_>) {
    let to = &view.order.destination;
    let letters = to.line1.bytes().filter(u8::is_ascii_alphanumeric).count();
    let is_short = to.line1.is_ascii() && letters == 1;
    let first = to.pin_code.as_bytes().first();
    let is_one_digit = to.country_code == "IN"
        && to.pin_code.len() == PIN_DIGITS
        && to.pin_code.bytes().all(|own| Some(&own) == first);
    // `North 24 Parganas` is a city, and a PIN code in its place is none.
    let is_figure = !to.city.contains(char::is_alphabetic) && to.city.contains(char::is_numeric);
    let doubted = [
        (Id::DestinationLine1, &to.line1, is_short),
        (Id::DestinationCity, &to.city, is_figure),
        (Id::DestinationPinCode, &to.pin_code, is_one_digit),
    ];
    for (id, text, _) in doubted.into_iter().filter(|(_, text, is_doubted)| *is_doubted && !text.is_empty()) {
        if let Some(slot) = view.rows.cell(id) {
            let held = no_value::hardly_meant(text, id.field().header);
            told.say(held.found(view.rows.text(&slot)), id, CellRef::of(&slot));
        }
    }
}

/// Holds back an order of which a column that is called an address says more than the lines that are sent.
fn check_more(view: &View<'_>, told: &mut Findings<'_>, slot: &RawCell) {
    let text = view.rows.text(slot);
    let Address { line1, line2, city, state, country, pin_code, .. } = &view.order.destination;
    let sent = [line1, line2, city, state, country, pin_code];
    if words_of(text).iter().all(|word| sent.iter().any(|part| holds(part, word))) {
        return;
    }
    let columns = view.rows.sheets.of(slot.at.sheet);
    let header = columns.header(slot.column);
    let first = columns.column(Id::DestinationLine1).map(|column| Remedy::ignore(columns.header(column)));
    let held = held_back::more_address(header, Remedy::ignore(header)).remedies(first);
    told.say(held.found(text), Id::DestinationLine2, CellRef::of(slot));
}

/// Holds back an order whose address names another PIN code than the one by which the parcel goes.
pub(crate) fn check_pin(view: &View<'_>, told: &mut Findings<'_>) {
    let to = &view.order.destination;
    if to.country_code != "IN" || to.pin_code.len() != PIN_DIGITS {
        return;
    }
    let lines = [(Id::DestinationLine2, to.line2.as_str()), (Id::DestinationLine1, to.line1.as_str())];
    let named = |(id, text)| Some((id, other_pin(text, &to.pin_code)?));
    let Some((id, other)) = lines.into_iter().find_map(named) else { return };
    let columns = view.rows.sheets.of(view.rows.first.at.sheet);
    let held =
        bad_pin_code::another_in_address(other, columns.header_of(Id::DestinationPinCode), &to.pin_code).found(other);
    told.say(held, id, view.rows.spot_of(id));
}

/// A PIN code that an address ends with, or names as one, and that is another than its own.
fn other_pin<'t>(text: &'t str, own: &str) -> Option<&'t str> {
    let mut start = 0;
    while let Some(at) = text[start..].find(|c: char| c.is_ascii_digit()).map(|at| start + at) {
        let length = text[at..].find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len() - at);
        let end = at + length;
        start = end;
        let (before, after) = (&text[..at], &text[end..]);
        let joined = before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '/' | '#'))
            || after.starts_with(|c: char| c.is_alphanumeric() || c == '/');
        if length != PIN_DIGITS || joined || text[at..].starts_with('0') || text.contains(own) {
            continue;
        }
        let mut words = before.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let last = words.next_back().unwrap_or_default();
        let is_last = !after.contains(char::is_alphanumeric);
        if Topic::Values.lists("pin", last) || (is_last && !Topic::Values.lists("no_pin", last)) {
            return Some(&text[at..end]);
        }
    }
    None
}
