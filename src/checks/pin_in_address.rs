//! A PIN code inside an address that is not the one of its column.

use crate::field::{Id, PIN_DIGITS};
use crate::finding::order::bad_pin_code;
use crate::order::Spot;
use crate::words::{Topic, Vocabulary};

use super::view::{Told, View};

/// Holds back an order whose address names another PIN code than the one by which the parcel goes.
pub(crate) fn check(view: &View<'_>, told: &mut Told<'_>) {
    let order = view.order;
    let to = &order.destination;
    if to.country_code != "IN" || to.pin_code.len() != PIN_DIGITS {
        return;
    }
    let lines = [(Id::DestinationLine2, to.line2.as_str()), (Id::DestinationLine1, to.line1.as_str())];
    let named = |(id, text)| Some((id, other_pin(text, &to.pin_code)?));
    let Some((id, other)) = lines.into_iter().find_map(named) else { return };
    let columns = view.rows.sheets.of(view.rows.first.at.sheet);
    let held =
        bad_pin_code::another_in_address(other, columns.header_of(Id::DestinationPinCode), &to.pin_code).found(other);
    let spot = view.rows.cell(id).map_or(view.rows.first, |slot| Spot::of(&slot));
    told.say(held, id, spot);
}

/// A PIN code that an address ends with, or names as one, and that is another than its own.
fn other_pin<'t>(text: &'t str, own: &str) -> Option<&'t str> {
    let lists = |class: &str, word: &str| Vocabulary::built_in().lists(Topic::Values, class, word);
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
        if lists("pin", last) || (is_last && !lists("no_pin", last)) {
            return Some(&text[at..end]);
        }
    }
    None
}
