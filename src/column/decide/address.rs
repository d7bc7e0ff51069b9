//! City, state and PIN code of an address that have no column of their own, and stand in the address itself.

use crate::field::{Id, ends_with_pin};
use crate::finding::Finding;
use crate::finding::column::sheet_notice;
use crate::parse::country_code;
use crate::profile::Part;

use super::cells::take_part;
use super::deciding::Deciding;
use super::sample::Seen;

/// Takes city, state and PIN code from an address in India that ends with them, where nothing else says them.
pub(super) fn find_parts(own: &mut Deciding<'_>) -> Option<Finding> {
    let is_open = |id: Id| own.columns.column(id).is_none();
    let line = own.columns.plain(Id::DestinationLine1).filter(|_| is_open(Id::DestinationPinCode))?;
    let seen = own.seen(line);
    if !goes_to_india(own) || !is_nearly_all(seen, |text| ends_with_pin(text).is_some()) {
        return None;
    }
    let has_city = is_open(Id::DestinationCity) && is_nearly_all(seen, |text| ends_with_pin(text) == Some(true));
    let parts = [
        (Id::DestinationLine1, Part::Street, has_city),
        (Id::DestinationCity, Part::City, has_city),
        (Id::DestinationState, Part::State, is_open(Id::DestinationState)),
        (Id::DestinationPinCode, Part::Pin, true),
    ];
    let mut fields = Vec::new();
    for (id, part, _) in parts.into_iter().filter(|(.., is_taken)| *is_taken) {
        take_part(&mut own.columns, id, line, part);
        fields.push(id.field().header);
    }
    Some(sheet_notice::address_parted(own.columns.header(line), &fields).at(own.columns.header_place(line)))
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

/// Whether so many of the filled cells are so that the others are read in the same way: four in five.
fn is_nearly_all(seen: &Seen, is: impl Fn(&str) -> bool) -> bool {
    seen.filled > 0 && seen.count(is) * 5 >= seen.filled * 4
}
