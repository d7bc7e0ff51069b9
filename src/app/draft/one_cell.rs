//! An address that stands in one cell, with its city, state and PIN code: what can be told from it belongs in cells of their own.

use std::iter;

use crate::app::error::Result;
use crate::field::{Id, parted};
use crate::finding::{self, Finding};
use crate::parse::pin_place;

use super::Draft;
use super::answer::CellEdit;
use super::page::{DraftOrder, FoundCell, Pages};

/// The cells that may be filled from it.
const PARTS: [Id; 3] = [Id::DestinationCity, Id::DestinationState, Id::DestinationPinCode];

/// An order whose whole address stands in one cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OneCellAddress {
    /// The order's number.
    pub number: String,
    /// The address as it stands.
    pub text: String,
    /// What can be told from it: the header of each cell that is blank, with what belongs there.
    pub parts: Vec<(String, CellEdit)>,
}

/// Whether a finding says that the city, the state or the PIN code is missing, where a cell for it is blank.
#[must_use]
pub fn is_missing_part(cell: &FoundCell, finding: &Finding) -> bool {
    let is_part = PARTS.iter().any(|id| finding.is_on(id.field().path));
    is_part && finding.holds() && cell.text.trim().is_empty()
}

/// Whether a finding says that the state is missing, and the order's PIN code, which would tell it, is wrong itself.
#[must_use]
pub fn comes_with_pin(order: &DraftOrder, finding: &Finding) -> bool {
    let is_missing = matches!(finding.id, finding::Id::MissingColumn | finding::Id::MissingValue);
    let is_wrong = |own: &Finding| own.holds() && own.is_on(Id::DestinationPinCode.field().path);
    is_missing
        && finding.is_on(Id::DestinationState.field().path)
        && order.cells.iter().flat_map(|cell| &cell.findings).any(is_wrong)
}

impl Draft {
    /// Those of these orders whose address line says the PIN code that its own cell does not.
    ///
    /// # Errors
    /// The sheet can no longer be read.
    pub fn one_cell_addresses(&self, orders: &[DraftOrder]) -> Result<Vec<OneCellAddress>> {
        let Some(pages) = self.pages() else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for order in orders {
            let lacking = |cell: &&FoundCell| cell.findings.iter().any(|finding| is_missing_part(cell, finding));
            if let Some(cell) = order.cells.iter().find(lacking) {
                found.extend(pages.one_cell_address(order, cell)?);
            }
        }
        Ok(found)
    }
}

impl Pages<'_> {
    fn one_cell_address(&self, order: &DraftOrder, lacking: &FoundCell) -> Result<Option<OneCellAddress>> {
        let (sheet, row) = (lacking.sheet, lacking.row);
        let Ok(number) = u16::try_from(sheet) else { return Ok(None) };
        let columns = self.opened.columns.of(number);
        let headers = &self.opened.sheets[sheet].sheet.header().cells;
        let cell = |id: Id| {
            let column = columns.column(id)?;
            Some(CellEdit { sheet, row, column, text: String::new() })
        };
        let Some(line) = cell(Id::DestinationLine1) else { return Ok(None) };
        let parts: Vec<CellEdit> = PARTS.into_iter().filter_map(cell).collect();
        let [text, own @ ..] = &self.texts_of(&[&[line][..], &parts].concat())?[..] else { return Ok(None) };
        let Some(told) = told(text) else { return Ok(None) };
        let of = |edit: &CellEdit| PARTS.iter().position(|id| columns.column(*id) == Some(edit.column));
        let fill = |(edit, is): (CellEdit, &String)| {
            let told = told[of(&edit)?].clone().filter(|_| is.trim().is_empty())?;
            Some((headers.get(edit.column as usize)?.clone(), CellEdit { text: told, ..edit }))
        };
        let parts: Vec<(String, CellEdit)> = parts.into_iter().zip(own).filter_map(fill).collect();
        let is_of_use = !parts.is_empty();
        Ok(is_of_use.then(|| OneCellAddress { number: order.number.clone(), text: text.clone(), parts }))
    }
}

/// City, state and PIN code, as far as an address says them before what else may follow; nothing where it says no PIN code of India.
fn told(address: &str) -> Option<[Option<String>; 3]> {
    let ends = address.rmatch_indices([',', ';', '\n', ' ']).map(|(at, _)| at);
    let (found, place, pin) = iter::once(address.len()).chain(ends).find_map(|end| {
        let found = parted(&address[..end]);
        let pin: String = found.pin.chars().filter(char::is_ascii_digit).collect();
        let place = pin_place(&pin)?;
        Some((found, place, pin))
    })?;
    let (city, state) = (place.city.or(found.city), place.state.or(found.state));
    Some([city.map(str::to_owned), state.map(str::to_owned), Some(pin)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_address_says_of_city_state_and_pin_code() {
        let cases = [
            ("12 MG Road, Bengaluru, Karnataka 560001", Some((Some("Bengaluru"), Some("Karnataka"), "560001"))),
            (
                "Flat 4, Near Temple, Nashik - 422 001, Maharashtra, India",
                Some((Some("Nashik"), Some("Maharashtra"), "422001")),
            ),
            ("H.No. 7 Station Road Nashik 422001", Some((Some("Nashik"), Some("Maharashtra"), "422001"))),
            ("7 Hill Road, Nashik 422001; Ph 98765 43210", Some((Some("Nashik"), Some("Maharashtra"), "422001"))),
            ("7 Hill Road, Nashik, Ph 9876543210, 422001", Some((None, Some("Maharashtra"), "422001"))),
            ("H.No. 145, Sector 22, Chandigarh 160022", Some((Some("Chandigarh"), Some("Chandigarh"), "160022"))),
            ("12 MG Road, Bengaluru", None),
            ("Plot 000000, Nowhere", None),
        ];
        for (address, expected) in cases {
            let is = told(address);
            let is = is.as_ref().map(|[city, state, pin]| (city.as_deref(), state.as_deref(), pin.as_deref().unwrap()));
            assert_eq!(is, expected, "{address}");
        }
    }
}
