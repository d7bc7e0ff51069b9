//! The amounts of its orders that a sheet has beside the fields: by its profile, or in words that everybody uses.

use super::plan::Plan;
use crate::column::Claim;
use crate::field::{AmountRole, HeaderReading, Id, Trait, is_named};
use crate::origin::Column;
use crate::profile::{Amount, Profile};

/// The amounts that a sheet has, by its columns; those that it lacks against the profile's word go to `missing`.
///
/// A column that feeds a field is sent, and says nothing beside it.
pub(super) fn planned<'a>(
    amounts: &'a [Amount],
    find: impl Fn(&str) -> Option<u32>,
    feeds: impl Fn(u32) -> bool,
    mut missing: impl FnMut(&'a str),
) -> Vec<Claim> {
    let mut planned = Vec::new();
    for amount in amounts {
        let column = amount.columns.iter().find_map(|header| find(header));
        match column {
            Some(column) if amount.role == AmountRole::Beside && feeds(column) => {}
            Some(column) => {
                let Amount { role, each_line, .. } = *amount;
                planned.push(Claim { role, column, each_line, by_header: false });
            }
            None if !amount.optional => amount.columns.first().into_iter().for_each(|header| missing(header)),
            None => {}
        }
    }
    planned
}

/// Totals that a sheet names in words that everybody uses. One figure on every row is that of the order, unless the sum over
/// the rows is what fits.
pub(super) fn known<'a>(
    unknown: impl Iterator<Item = (&'a Column, &'a HeaderReading)>,
    ignored: &[String],
) -> Vec<Claim> {
    let told = unknown.filter(|(column, _)| !is_named(ignored, &column.header));
    let found = told.filter_map(|(column, reading)| {
        let listed = || reading.is(Trait::BeforeDiscount).then_some(AmountRole::ListPrice);
        let role = reading.amount.or_else(listed)?;
        Some(Claim {
            role,
            column: column.index,
            each_line: matches!(
                role,
                AmountRole::Total | AmountRole::Tax | AmountRole::Collect | AmountRole::Beside | AmountRole::Paid
            ),
            by_header: true,
        })
    });
    found.collect()
}

impl Plan {
    /// Takes what all pieces of a row come to for the price, by a header that says just that, where no column has that of one.
    pub(super) fn find_line_total(&mut self, profile: Option<&Profile>) {
        if self.feed(Id::Price).is_some() || profile.is_some_and(|profile| profile.built_in) {
            return;
        }
        let mut totals = self.amounts.iter().filter(|amount| {
            amount.by_header && amount.role == AmountRole::Total && self.reading(amount.column).is(Trait::LineTotal)
        });
        let (Some(total), None) = (totals.next().copied(), totals.next()) else { return };
        self.amounts.retain(|amount| *amount != total);
        self.take(Id::Price, total.column, None);
        self.line_total = true;
    }

    /// Whether the price is reckoned from what all pieces of a row come to, by the header of its column alone.
    #[must_use]
    pub const fn has_line_total(&self) -> bool {
        self.line_total
    }

    /// The header of a column that may be what all pieces of a row come to, where no column has the price of one.
    #[must_use]
    pub fn possible_line_total(&self) -> Option<&str> {
        let is_total = |amount: &&Claim| amount.by_header && amount.role == AmountRole::Total;
        self.amounts.iter().find(is_total).filter(|_| self.feed(Id::Price).is_none()).map(|own| self.header(own.column))
    }
}
