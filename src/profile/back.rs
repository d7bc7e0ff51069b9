//! The sheet that a shop takes back: which orders were sent, by whom, under which AWB.

use std::collections::BTreeMap;

use serde::Deserialize;

/// What stands in a cell between braces.
const NAMES: [&str; 6] = ["order", "awb", "carrier", "service", "date", "tracking"];

/// How the shop wants it, as `[back]` of a profile says.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Back {
    /// Its columns: header, and what stands below it, such as `{awb}`.
    columns: Vec<(String, String)>,
    /// Whether tabs stand between its cells, and not commas.
    #[serde(default)]
    pub tabs: bool,
    /// How the date of a booking is written, as `strftime` has it.
    #[serde(default = "iso")]
    pub date: String,
    /// What the shop calls a carrier; one that is not named keeps its name.
    #[serde(default)]
    carriers: BTreeMap<String, String>,
    /// Where a carrier's shipments are tracked: an address with `{awb}` in it.
    #[serde(default)]
    tracking: BTreeMap<String, String>,
}

fn iso() -> String {
    "%Y-%m-%d".to_owned()
}

/// A shipment, as a shop is told of it.
#[derive(Debug, Clone, Copy)]
pub struct ShippedOrder<'a> {
    /// The order number.
    pub order: &'a str,
    /// Its AWB.
    pub awb: &'a str,
    /// Who carries it; empty where that is not known.
    pub carrier: &'a str,
    /// The service level; empty where that is not known.
    pub service: &'a str,
    /// When it was booked, in the shop's form.
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
        let carrier = of(&self.carriers).unwrap_or_else(|| shipped.carrier.to_owned());
        let value = |name: &str| match name {
            "order" => shipped.order,
            "awb" => shipped.awb,
            "carrier" => &carrier,
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
