//! What a profile says of a sheet's own totals: `[totals]`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::{Deserializer, Error};

use crate::field::ExtraRole;

/// An amount that a sheet says of its orders beside the fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Amount {
    /// What it says.
    pub role: ExtraRole,
    /// The headers it goes by; the first that the sheet has is taken.
    pub columns: Vec<String>,
    /// Whether each row of an order holds the part of its own line.
    pub each_line: bool,
    /// Whether a sheet may lack the columns.
    pub optional: bool,
}

/// One header, or several.
#[derive(Deserialize)]
#[serde(untagged)]
enum Headers {
    One(String),
    Several(Vec<String>),
}

/// The lines of `[totals]` beside `each_line`, and whether the first of their headers that a sheet has is taken, or each.
pub(super) const LINES: [(&str, ExtraRole, bool); 5] = [
    ("order", ExtraRole::Order, true),
    ("collect", ExtraRole::Collect, true),
    ("open", ExtraRole::Open, true),
    ("paid", ExtraRole::Paid, false),
    ("beside", ExtraRole::Beside, false),
];

/// Reads `[totals]`.
pub(super) fn amounts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Amount>, D::Error> {
    let mut table: BTreeMap<String, Headers> = BTreeMap::deserialize(deserializer)?;
    let mut line = |name: &str| match table.remove(name) {
        None => Vec::new(),
        Some(Headers::One(header)) => vec![header],
        Some(Headers::Several(headers)) => headers,
    };
    let parts = line("each_line");
    let mut amounts = Vec::new();
    for (name, role, is_first) in LINES {
        let headers = line(name);
        let alike = if is_first { headers.len() } else { 1 };
        amounts.extend(headers.chunks(alike.max(1)).map(|columns| {
            let each_line = columns.iter().any(|column| parts.contains(column));
            Amount { role, columns: columns.to_vec(), each_line, optional: false }
        }));
    }
    let named = |part: &&String| amounts.iter().any(|amount| amount.columns.contains(part));
    if let Some(unknown) = table.keys().next() {
        return Err(D::Error::unknown_field(unknown, &["order", "collect", "open", "paid", "beside", "each_line"]));
    }
    match parts.iter().find(|part| !named(part)) {
        Some(stray) => Err(D::Error::custom(format!(
            "[totals] each_line names \"{stray}\", which no other line of [totals] names"
        ))),
        None => Ok(amounts),
    }
}
