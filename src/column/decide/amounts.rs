//! The amounts of its orders that a sheet has beside the fields: by its profile, or in words that everybody uses.

use super::state::Known;
use crate::column::{Claim, Columns};
use crate::field::{AmountRole, Id, Trait};
use crate::profile::Amount;

/// The amounts that a profile names, by their columns, and those that the sheet lacks against its word.
///
/// A column that feeds a field is sent, and says nothing beside it.
pub(super) fn of_profile<'a>(amounts: &'a [Amount], columns: &Columns, taken: &[u32]) -> (Vec<Claim>, Vec<&'a str>) {
    let (mut claims, mut missing) = (Vec::new(), Vec::new());
    for Amount { role, each_line, columns: headers, optional } in amounts {
        match headers.iter().find_map(|header| columns.find(header)) {
            Some(column) if *role == AmountRole::Beside && taken.contains(&column) => {}
            Some(column) => claims.push(Claim { role: *role, column, each_line: *each_line, by_header: false }),
            None if !optional => missing.extend(headers.first().map(String::as_str)),
            None => {}
        }
    }
    (claims, missing)
}

/// Totals that a sheet names in words that everybody uses. One figure on every row is that of the order, unless the sum over
/// the rows is what fits.
pub(super) fn of_headers(columns: &Columns, known: &Known<'_>) -> Vec<Claim> {
    let told = columns.unknown.iter().copied().filter(|column| !known.ignores(columns.header(*column)));
    let found = told.filter_map(|column| {
        let reading = columns.get(column);
        let listed = || reading.is(Trait::BeforeDiscount).then_some(AmountRole::ListPrice);
        let role = reading.amount.or_else(listed)?;
        let each_line = matches!(
            role,
            AmountRole::Total | AmountRole::Tax | AmountRole::Collect | AmountRole::Beside | AmountRole::Paid
        );
        Some(Claim { role, column, each_line, by_header: true })
    });
    found.collect()
}

/// Takes what all pieces of a row come to for the price, by a header that says just that, where no column has that of one.
pub(super) fn find_line_total(columns: &mut Columns, known: &Known<'_>) {
    let is_meant =
        |own: &Claim| own.by_header && own.role == AmountRole::Total && columns.get(own.column).is(Trait::LineTotal);
    let totals: Vec<u32> = columns.claimed(is_meant).collect();
    if let ([column], None, false) = (totals.as_slice(), columns.feed(Id::Price), known.is_by_program()) {
        columns.claims.retain(|own| own.column != *column);
        columns.take(Id::Price, *column, None);
        columns.line_total = true;
    }
}
