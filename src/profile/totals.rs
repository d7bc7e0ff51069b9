//! What a profile says of a sheet's own totals: `[totals]`.

use serde::Deserialize;

use crate::field::AmountRole;

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
