//! City, state and PIN code of an address that have no column of their own, and stand in the address itself.

use crate::check::country_code;
use crate::field::{Id, parted};
use crate::finding::Finding;
use crate::finding::column::sheet_notice;
use crate::origin::Place;
use crate::profile::Part;
use crate::sheet::{Sheet, SheetError};

use super::plan::Plan;
use super::sample::{LazySample, Sample, Seen};

/// The share of cells that must be so before the others are read in the same way.
const MOST: f64 = 0.8;

/// Takes city, state and PIN code from an address in India that ends with them, where nothing else says them. `country` is
/// that of all orders.
pub(super) fn find_parts(
    sheet: &Sheet,
    sample: &LazySample,
    plan: &mut Plan,
    country: Option<&str>,
) -> Result<Option<Finding>, SheetError> {
    let cell = |plan: &Plan, id: Id| plan.fed().find(|feed| feed.field.id == id && feed.step.is_none());
    let is_open = |plan: &Plan, id: Id| plan.column(id).is_none();
    let Some(line) = cell(plan, Id::DestinationLine1).filter(|_| is_open(plan, Id::DestinationPinCode)) else {
        return Ok(None);
    };
    let sample = sample.of(sheet)?;
    if !goes_to_india(plan, sample, country) {
        return Ok(None);
    }
    let seen = sample.column(line.column);
    if share(seen, |text| parted(text).is_some()) < MOST {
        return Ok(None);
    }
    let has_city = is_open(plan, Id::DestinationCity)
        && share(seen, |text| parted(text).is_some_and(|own| own.city.is_some())) >= MOST;
    let parts = [
        (Id::DestinationLine1, Part::Street, has_city),
        (Id::DestinationCity, Part::City, has_city),
        (Id::DestinationState, Part::State, is_open(plan, Id::DestinationState)),
        (Id::DestinationPinCode, Part::Pin, true),
    ];
    let taken = parts.into_iter().filter(|(_, _, is_taken)| *is_taken);
    let fields: Vec<&str> = taken
        .map(|(id, part, _)| {
            plan.take_part(id, line.column, part);
            id.field().header
        })
        .collect();
    let header = &sheet.header().cells[line.column as usize];
    let place = Place::cell(sheet.source(), sheet.header().row, line.column, header.clone());
    Ok(Some(sheet_notice::address_parted(header, &fields).at(place)))
}

/// Whether all orders go to India.
fn goes_to_india(plan: &Plan, sample: &Sample, country: Option<&str>) -> bool {
    let columns = [Id::DestinationCountryCode, Id::DestinationCountry].map(|id| plan.column(id));
    let mut said = columns.into_iter().flatten().flat_map(|column| sample.column(column).texts()).peekable();
    if said.peek().is_some() {
        return said.all(|text| country_code(text) == Some("IN"));
    }
    country.and_then(country_code) == Some("IN")
}

fn share(seen: &Seen, is: impl Fn(&str) -> bool) -> f64 {
    f64::from(seen.count(is)) / f64::from(seen.filled.max(1))
}
