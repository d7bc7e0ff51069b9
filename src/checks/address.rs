//! Addresses that say that the customer fetches the parcel, or more than is sent.

use crate::field::{AmountRole, Id, UNCLEAR_PART};
use crate::finding::Remedy;
use crate::finding::order::held_back;
use crate::order::{Address, Slot, Spot, holds, words_of};
use crate::words::says_fetched;

use super::view::{Told, View};

/// Looks at the lines of the address, and at columns that are called an address and that nothing takes.
pub(crate) fn check(view: &View<'_>, told: &mut Told<'_>) {
    let rows = view.rows;
    let fetched = |id: &Id| rows.cell(*id).is_some_and(|slot| says_fetched(rows.text(&slot)));
    if let Some(id) = [Id::DestinationLine1, Id::DestinationCity].into_iter().find(fetched)
        && let Some(slot) = rows.cell(id)
    {
        let text = rows.text(&slot);
        told.say(held_back::fetched(text).found(text), id, Spot::of(&slot));
    }
    let mut seen: Vec<(u16, u32)> = Vec::new();
    for slot in rows.claimed_as(AmountRole::Address(UNCLEAR_PART)) {
        if !seen.contains(&(slot.at.sheet, slot.column)) {
            seen.push((slot.at.sheet, slot.column));
            check_more(view, told, slot);
        }
    }
}

/// Holds back an order of which a column that is called an address says more than the lines that are sent.
fn check_more(view: &View<'_>, told: &mut Told<'_>, slot: &Slot) {
    let text = view.rows.text(slot);
    if words_of(text).iter().all(|word| is_said(word, &view.order.destination)) {
        return;
    }
    let columns = view.rows.sheets.of(slot.at.sheet);
    let header = columns.header(slot.column);
    let first = columns.column(Id::DestinationLine1).map(|column| Remedy::ignore(columns.header(column)));
    let held = held_back::more_address(header, Remedy::ignore(header)).remedies(first);
    told.say(held.found(text), Id::DestinationLine2, Spot::of(slot));
}

/// Whether some part of an address that is sent has this word.
fn is_said(word: &str, address: &Address) -> bool {
    let Address { line1, line2, city, state, country, pin_code, .. } = address;
    [line1, line2, city, state, country, pin_code].iter().any(|text| holds(text, word))
}
