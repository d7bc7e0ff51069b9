//! Parts of an address that have no column of their own: in the address itself, or told by the PIN code.

use crate::check::country_code;
use crate::field::{Id, parted, state_of_pin};
use crate::finding::column::sheet_notice;
use crate::finding::{Finding, Remedy};
use crate::origin::Place;
use crate::profile::{Part, Plan};
use crate::sheet::{Sheet, SheetError};

use super::sample::{LazySample, Sample, Seen};

/// The share of cells that must be so before the others are read in the same way.
const MOST: f64 = 0.8;

/// Takes city, state and PIN code from an address that ends with them, and the state from PIN codes of India, where nothing
/// else says them. `country` is that of all orders.
pub(super) fn find_parts(
    sheet: &Sheet,
    sample: &LazySample,
    plan: &mut Plan,
    country: Option<&str>,
) -> Result<Option<Finding>, SheetError> {
    let cell = |plan: &Plan, id: Id| plan.fed().find(|feed| feed.field.id == id && feed.step.is_none());
    let is_open = |plan: &Plan, id: Id| plan.column(id).is_none();
    if !is_open(plan, Id::DestinationState) && !is_open(plan, Id::DestinationPinCode) {
        return Ok(None);
    }
    let sample = sample.of(sheet)?;
    if !goes_to_india(plan, sample, country) {
        return Ok(None);
    }
    let by_address = cell(plan, Id::DestinationLine1).filter(|_| is_open(plan, Id::DestinationPinCode));
    if let Some(line) = by_address {
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
        return Ok(Some(said(sheet, line.column, |header| sheet_notice::address_parted(header, &fields))));
    }
    let pin = cell(plan, Id::DestinationPinCode).filter(|_| is_open(plan, Id::DestinationState));
    let Some(pin) = pin.filter(|pin| share(sample.column(pin.column), |text| state_of_pin(text).is_some()) >= MOST)
    else {
        return Ok(None);
    };
    plan.take_part(Id::DestinationState, pin.column, Part::State);
    Ok(Some(said(sheet, pin.column, |header| {
        sheet_notice::state_of_pin(header, Remedy::add_column(Id::DestinationState.field().header))
    })))
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
    let cells: u32 = seen.values.iter().filter(|(text, _)| is(text)).map(|(_, cells)| *cells).sum();
    f64::from(cells) / f64::from(seen.filled.max(1))
}

fn said(sheet: &Sheet, column: u32, words: impl Fn(&str) -> Finding) -> Finding {
    let header = &sheet.header().cells[column as usize];
    words(header).at(Place::cell(sheet.source(), sheet.header().row, column, header.clone()))
}
