//! Parts that have no column of their own: city, state and PIN code in the address, and the phone number behind the name.

use crate::column::{Candidate, Extra, Feed};
use crate::field::{AFTER_LINES, ExtraRole, Id, UNCLEAR_PART, ends_abroad, ends_with_pin, is_further_line, parted};
use crate::finding::Finding;
use crate::finding::column::sheet_notice;
use crate::parse::{country_code, is_elsewhere, name_with_phone};
use crate::profile::{Part, Recipe, Step};

use super::cells::take_part;
use super::deciding::Deciding;
use super::sample::Seen;

/// Takes city, state and PIN code from an address that ends with them, where nothing else says them.
pub(super) fn find_parts(own: &mut Deciding<'_>) -> Option<Finding> {
    let line = own.columns.plain(Id::DestinationLine1)?;
    let parts = address_parts(own.seen(line), goes_to_india(own), |id| own.columns.column(id).is_none());
    if parts.is_empty() {
        return None;
    }
    let mut fields = Vec::new();
    for (id, part) in parts {
        take_part(&mut own.columns, id, line, part);
        fields.push(id.field().header);
    }
    Some(sheet_notice::address_parted(own.columns.header(line), &fields).at(own.columns.header_place(line)))
}

/// The fields that addresses give where nothing else says them. In India nearly all end with their PIN code, or with their city and
/// state where the PIN code stands by itself; elsewhere with their postal code and city.
#[must_use]
pub fn address_parts(seen: &Seen, is_india: bool, is_open: impl Fn(Id) -> bool) -> Vec<(Id, Part)> {
    let has_pin = is_open(Id::DestinationPinCode);
    let ends_with_city = |text: &str| match (is_india, has_pin) {
        (false, _) => ends_abroad(text).is_some(),
        (true, true) => ends_with_pin(text) == Some(true),
        (true, false) => parted(text).city.is_some() && parted(text).state.is_some(),
    };
    let has_city = is_open(Id::DestinationCity) && is_nearly_all(seen, ends_with_city);
    let is_told = has_city || is_india && has_pin && is_nearly_all(seen, |text| ends_with_pin(text).is_some());
    let parts = [
        (Id::DestinationLine1, Part::Street, has_city),
        (Id::DestinationCity, Part::City, has_city),
        (Id::DestinationState, Part::State, is_india && is_open(Id::DestinationState)),
        (Id::DestinationPinCode, Part::Pin, has_pin),
    ];
    parts.into_iter().filter(|(.., is_taken)| is_told && *is_taken).map(|(id, part, _)| (id, part)).collect()
}

/// Takes columns whose headers are that of the address's first line but for their numbers for more of it: `Ship To Line 2` beside
/// `Ship To Line 1`.
pub(super) fn take_further_lines(own: &mut Deciding<'_>) {
    let Deciding { columns, known, .. } = own;
    let Some(first) = columns.plain(Id::DestinationLine1) else { return };
    let is_further = |column: &u32| {
        let header = columns.header(*column);
        is_further_line(columns.header(first), header) && !known.leaves_out(header) && !known.ignores(header)
    };
    let further: Vec<u32> = columns.unknown.iter().copied().filter(is_further).collect();
    for (place, column) in (AFTER_LINES + 1..UNCLEAR_PART).zip(further) {
        columns.claims.retain(|claim| claim.column != column);
        if columns.column(Id::DestinationLine2).is_none() && !known.names(Id::DestinationLine2) {
            columns.take(Id::DestinationLine2, column, None);
            columns.taken.push(Candidate::sure(columns.named(column), Id::DestinationLine2.field()));
        } else {
            columns.unknown.retain(|own| *own != column);
            columns.claims.push(Extra::of(ExtraRole::Address(place), column));
        }
    }
}

/// Takes name and phone number from a column of cells that hold both, where no other column has the one that its header does not name.
pub(super) fn take_name_and_phone(own: &mut Deciding<'_>) -> Option<Finding> {
    let [name, phone] = [Id::ReceiverFirstName, Id::ReceiverPhone];
    let column = match [name, phone].map(|id| own.columns.feed(id)) {
        [Some(only), None] | [None, Some(only)] if only.step.is_none() => only.column,
        _ => return None,
    };
    let is_open = own.columns.feed(Id::ReceiverLastName).is_none() && !own.known.has_default(phone);
    if !is_open || !hold_names_and_phones(own.seen(column)) {
        return None;
    }
    take_part(&mut own.columns, name, column, Part::Name);
    take_part(&mut own.columns, phone, column, Part::Phone);
    Some(sheet_notice::name_with_phone(own.columns.header(column)).at(own.columns.header_place(column)))
}

/// Whether nearly all cells of a column end with a phone number behind a name.
#[must_use]
pub fn hold_names_and_phones(seen: &Seen) -> bool {
    is_nearly_all(seen, |text| name_with_phone(text).is_some())
}

/// Joins the column of area codes with that of the numbers behind them, where no number is whole without.
pub(super) fn join_area_code(own: &mut Deciding<'_>) {
    const DIGITS_MAX: usize = 9;
    let Some(phone) = own.columns.plain(Id::ReceiverPhone).filter(|_| !own.known.names(Id::ReceiverPhone)) else {
        return;
    };
    let code = own.columns.unknown.iter().copied().find(|column| own.columns.get(*column).says("area-code"));
    let is_short = |text: &str| text.chars().filter(|c| c.is_numeric()).count() <= DIGITS_MAX;
    let Some(code) = code.filter(|code| own.seen(*code).filled > 0 && own.seen(phone).texts().all(is_short)) else {
        return;
    };
    let columns = &mut own.columns;
    let headers = [columns.header(code), columns.header(phone)];
    let recipe = Recipe::joined(&headers, Id::ReceiverPhone.field().between());
    columns.feeds.retain(|feed| feed.id() != Id::ReceiverPhone);
    columns.claims.retain(|claim| claim.column != code);
    columns.unknown.retain(|own| *own != code);
    let step = Step { sources: vec![code, phone], recipe, ..Step::default() };
    let step = columns.mapper.add(step);
    columns.feeds.push(Feed::of(Id::ReceiverPhone, code, Some(step)));
    columns.sort();
}

/// Whether all orders go to India, as they do where nobody has said the country yet: these are its PIN codes.
fn goes_to_india(own: &Deciding<'_>) -> bool {
    let said = [Id::DestinationCountryCode, Id::DestinationCountry].map(|id| own.columns.column(id));
    let mut said = said.into_iter().flatten().flat_map(|column| own.seen(column).texts()).peekable();
    if said.peek().is_some() {
        return said.all(|text| country_code(text) == Some("IN"));
    }
    let all = own.known.constant(Id::DestinationCountryCode);
    all.is_none_or(|country| country_code(country) == Some("IN"))
}

/// Whether so many of the filled cells are so that the others are read in the same way: four in five of those that do not point
/// to another one.
#[must_use]
pub fn is_nearly_all(seen: &Seen, is: impl Fn(&str) -> bool) -> bool {
    let points = seen.count(|text| is_elsewhere(Id::DestinationLine1.field(), text));
    let own = seen.filled - points;
    own > 0 && seen.count(is) * 5 >= own * 4
}
