//! What the countries of a sheet need of an address, before a missing column is told.

use crate::check::{Rules, country_code};
use crate::column::Columns;
use crate::field::{Id, Need};

use super::opened::{Opened, Planned};

/// Whether any order may need a part of the receiver's address that no sheet has a column for: states and postal codes are
/// none everywhere.
pub(super) fn need(opened: &Opened, rules: &Rules, id: Id) -> bool {
    if !matches!(id, Id::DestinationState | Id::DestinationPinCode) {
        return true;
    }
    opened.sheets.iter().enumerate().any(|(number, planned)| {
        let columns = u16::try_from(number).ok().map(|number| opened.columns.of(number));
        // The PIN codes tell the states; where one does not, its order says so.
        let told = id == Id::DestinationState
            && columns.is_some_and(|columns| columns.column(Id::DestinationPinCode).is_some())
            && !rules.is_configured_need(id);
        let constant = columns.and_then(|columns| columns.default(Id::DestinationCountryCode));
        let constant = constant.or_else(|| rules.default(Id::DestinationCountryCode)).and_then(country_code);
        let needed =
            |country: Option<&str>| rules.need_in(id, country) == Need::Required && !(told && country == Some("IN"));
        columns.is_some_and(|columns| countries_need(planned, columns, constant, &needed))
    })
}

/// Whether any of the countries of one sheet needs it; what is blank is the one of all orders.
fn countries_need(
    planned: &Planned,
    columns: &Columns,
    constant: Option<&'static str>,
    needed: &dyn Fn(Option<&str>) -> bool,
) -> bool {
    let of_country = [Id::DestinationCountryCode, Id::DestinationCountry];
    let fed: Vec<_> = columns.fed().filter(|feed| of_country.contains(&feed.field.id)).collect();
    // What a profile makes of its cells is known later.
    if fed.is_empty() || fed.iter().any(|feed| feed.step.is_some()) {
        return needed(constant);
    }
    let Ok(sample) = planned.sample.of(&planned.sheet) else { return true };
    // A blank cell means the country of all orders.
    let blank = fed.iter().all(|feed| sample.column(feed.column).filled < sample.rows) && needed(constant);
    blank || fed.iter().flat_map(|feed| sample.column(feed.column).texts()).any(|text| needed(country_code(text)))
}
