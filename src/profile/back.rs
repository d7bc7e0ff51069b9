//! The sheet that a shop takes back: which orders were sent, by whom, under which AWB.

use std::collections::BTreeMap;

use serde::Deserialize;

/// What stands in a cell between braces.
const NAMES: [&str; 7] = ["order", "awb", "carrier", "code", "service", "date", "tracking"];

/// How the shop wants it, as `[back]` of a profile says.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Back {
    /// Its columns: header, and what stands below it, such as `{awb}`.
    columns: Vec<(String, String)>,
    /// Whether tabs stand between its cells, and not commas.
    pub tabs: bool,
    /// How the date of a booking is written, as `strftime` has it; 2026-11-23 where it is empty.
    pub date: String,
    /// What the shop calls a carrier; one that is not named keeps its name.
    carriers: BTreeMap<String, String>,
    /// The shop's codes of carriers, and what stands for all others. A carrier that has a code is not named beside it.
    codes: BTreeMap<String, String>,
    no_code: String,
    /// Where a carrier's shipments are tracked: an address with `{awb}` in it.
    tracking: BTreeMap<String, String>,
}

/// A shipment, as a shop is told of it: what is not known is empty, and the date is in the shop's form.
#[derive(Debug, Clone, Copy)]
#[expect(missing_docs, reason = "the names say it")]
pub struct ShippedOrder<'a> {
    pub order: &'a str,
    pub awb: &'a str,
    pub carrier: &'a str,
    pub service: &'a str,
    pub date: &'a str,
}

impl Back {
    /// What is wrong with it.
    pub(super) fn wrong(&self) -> Option<String> {
        if self.columns.is_empty() {
            return Some("[back] names no column".to_owned());
        }
        let texts = self.columns.iter().map(|(_, text)| text).chain(self.tracking.values());
        let names = texts.flat_map(|text| text.split('{').skip(1)).filter_map(|rest| rest.split('}').next());
        let name = names.into_iter().find(|name| !NAMES.contains(name))?;
        Some(format!("[back] {{{name}}} is nothing that is known of a shipment: use {{{}}}", NAMES.join("}, {")))
    }

    /// Its headers.
    #[must_use]
    pub fn headers(&self) -> Vec<String> {
        self.columns.iter().map(|(header, _)| header.clone()).collect()
    }

    /// The row of a shipment.
    #[must_use]
    pub fn row(&self, shipped: &ShippedOrder<'_>) -> Vec<String> {
        let of = |names: &BTreeMap<String, String>| {
            names.iter().find(|(own, _)| own.eq_ignore_ascii_case(shipped.carrier)).map(|(_, text)| text.clone())
        };
        let tracking = of(&self.tracking).map(|address| address.replace("{awb}", shipped.awb)).unwrap_or_default();
        let code = of(&self.codes);
        let named = if code.is_some() { "" } else { shipped.carrier };
        let carrier = of(&self.carriers).unwrap_or_else(|| named.to_owned());
        let value = |name: &str| match name {
            "order" => shipped.order,
            "awb" => shipped.awb,
            "carrier" => &carrier,
            "code" => code.as_ref().unwrap_or(&self.no_code),
            "service" => shipped.service,
            "date" => shipped.date,
            _ => &tracking,
        };
        self.columns.iter().map(|(_, text)| filled(text, &value)).collect()
    }
}

/// A text with its names filled in; what is filled in is not looked at again.
fn filled<'v>(text: &str, value: &impl Fn(&str) -> &'v str) -> String {
    let mut parts = text.split('{');
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once('}').unwrap_or((part, ""));
        whole.push_str(value(name));
        whole.push_str(rest);
    }
    whole
}
