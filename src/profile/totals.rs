//! What a profile says of a sheet's own totals: `[totals]`.

use serde::Deserialize;

use super::file::Profile;
use super::plan::{Feed, Plan, PlannedAmount};
use crate::field::{AmountRole, Id, is_named, known_amount, says_line_total, says_list_price};

/// An amount that a sheet says of its orders beside the fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Amount {
    /// What it says.
    pub role: AmountRole,
    /// The headers it goes by; the first that the sheet has is taken.
    pub columns: Vec<String>,
    /// Whether each row of an order holds the part of its own line.
    pub each_line: bool,
    /// Whether a sheet may lack the columns.
    pub optional: bool,
}

/// `[totals]` as the file writes it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Totals {
    order: Headers,
    collect: Headers,
    open: Headers,
    paid: Headers,
    beside: Headers,
    each_line: Headers,
}

/// One header, or several.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Headers {
    One(String),
    Several(Vec<String>),
}

impl Default for Headers {
    fn default() -> Self {
        Self::Several(Vec::new())
    }
}

impl Headers {
    fn into_vec(self) -> Vec<String> {
        match self {
            Self::One(header) => vec![header],
            Self::Several(headers) => headers,
        }
    }
}

impl Totals {
    pub(super) fn read(self) -> Result<Vec<Amount>, String> {
        let parts = self.each_line.into_vec();
        let amount = |role, columns: Vec<String>| {
            let each_line = columns.iter().any(|column| parts.contains(column));
            Amount { role, columns, each_line, optional: false }
        };
        let mut amounts = Vec::new();
        let totals =
            [(AmountRole::Order, self.order), (AmountRole::Collect, self.collect), (AmountRole::Open, self.open)];
        for (role, headers) in totals {
            let columns = headers.into_vec();
            if !columns.is_empty() {
                amounts.push(amount(role, columns));
            }
        }
        for (role, headers) in [(AmountRole::Paid, self.paid), (AmountRole::Beside, self.beside)] {
            amounts.extend(headers.into_vec().into_iter().map(|header| amount(role, vec![header])));
        }
        let named = |part: &&String| amounts.iter().any(|amount| amount.columns.contains(part));
        match parts.iter().find(|part| !named(part)) {
            Some(stray) => Err(format!("[totals] each_line names \"{stray}\", which no other line of [totals] names")),
            None => Ok(amounts),
        }
    }
}

/// A profile's own amounts on top of another's, whose columns a sheet may lack.
pub(super) fn on_top(own: Vec<Amount>, base: &[Amount]) -> Vec<Amount> {
    let replaced = |role: AmountRole| own.iter().any(|amount| amount.role == role);
    let kept: Vec<Amount> = base
        .iter()
        .filter(|amount| !replaced(amount.role))
        .map(|amount| Amount { optional: true, ..amount.clone() })
        .collect();
    own.into_iter().chain(kept).collect()
}

/// The amounts that a sheet has, by its columns; those that it lacks against the profile's word go to `missing`.
///
/// A column that feeds a field is sent, and says nothing beside it.
pub(super) fn planned<'a>(
    amounts: &'a [Amount],
    find: impl Fn(&str) -> Option<u32>,
    feeds: impl Fn(u32) -> bool,
    mut missing: impl FnMut(&'a str),
) -> Vec<PlannedAmount> {
    let mut planned = Vec::new();
    for amount in amounts {
        let column = amount.columns.iter().find_map(|header| find(header));
        match column {
            Some(column) if amount.role == AmountRole::Beside && feeds(column) => {}
            Some(column) => {
                let Amount { role, each_line, .. } = *amount;
                planned.push(PlannedAmount { role, column, each_line, by_header: false });
            }
            None if !amount.optional => amount.columns.first().into_iter().for_each(|header| missing(header)),
            None => {}
        }
    }
    planned
}

impl Plan {
    /// Takes what all pieces of a row come to for the price, by a header that says just that, where no column has that of one.
    pub(super) fn find_line_total(&mut self, profile: Option<&Profile>) {
        if self.feed(Id::Price).is_some() || profile.is_some_and(|profile| profile.built_in) {
            return;
        }
        let mut totals = self.amounts.iter().filter(|amount| {
            amount.by_header && amount.role == AmountRole::Total && says_line_total(self.header(amount.column))
        });
        let (Some(total), None) = (totals.next().copied(), totals.next()) else { return };
        self.amounts.retain(|amount| *amount != total);
        let field = Id::Price.field();
        self.feeds.push(Feed { field, column: total.column, product: 0, step: None, shared: false });
        self.feeds.sort_by_key(|feed| (feed.field.id, feed.product));
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
        let is_total = |amount: &&PlannedAmount| amount.by_header && amount.role == AmountRole::Total;
        self.amounts.iter().find(is_total).filter(|_| self.feed(Id::Price).is_none()).map(|own| self.header(own.column))
    }
}

/// Totals that a sheet names in words that everybody uses. One figure on every row is that of the order, unless the sum over
/// the rows is what fits.
pub(super) fn known<'a>(unknown: impl Iterator<Item = (u32, &'a str)>, ignored: &[String]) -> Vec<PlannedAmount> {
    let told = unknown.filter(|(_, header)| !is_named(ignored, header));
    let found = told.filter_map(|(column, header)| {
        let listed = || says_list_price(header).then_some(AmountRole::ListPrice);
        let role = known_amount(header).or_else(listed)?;
        Some(PlannedAmount {
            role,
            column,
            each_line: matches!(
                role,
                AmountRole::Total | AmountRole::Tax | AmountRole::Collect | AmountRole::Beside | AmountRole::Paid
            ),
            by_header: true,
        })
    });
    found.collect()
}
