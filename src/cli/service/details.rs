//! `service details`: what the service knows of shipments.

use std::fmt::Write;

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::app::Exit;
use crate::cli::bulk::{Each, Ending, each, over_many, tell};
use crate::cli::chosen::{Which, chosen};
use crate::cli::document::Kind;
use crate::cli::settings::Settings;
use crate::text::{count, moment as when, shortened};

/// Facts of a shipment that are shown.
const FACTS_MAX: usize = 40;

/// The document of `service details`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "What the service knows of shipments")]
pub(in crate::cli) struct Document<'a> {
    /// Every shipment, and what came of it.
    orders: Vec<Each<'a, Answer<'a>>>,
    #[serde(flatten)]
    ending: Ending<'a>,
}

/// An answer for a shipment.
#[derive(Serialize, JsonSchema)]
struct Answer<'a> {
    /// The service's whole answer; null where there is none.
    #[schemars(with = "Value")]
    details: Option<&'a Value>,
}

pub(super) fn details(settings: &Settings, which: &Which) -> Result<Exit> {
    let chosen = chosen(settings, which)?;
    let ends = over_many(settings, |stop, steps| settings.app.details(&chosen, stop, steps))?;
    let document = || Document {
        orders: each(&chosen, &ends, |known| Answer { details: known.map(|known| &known.answer) }),
        ending: Ending::of(&chosen, &ends),
    };
    tell(settings, (Kind::ServiceDetails, document), &chosen, &ends, "", |known| table(&known.answer))
}

/// What the service says of a shipment, a line for each fact, indented below its order.
fn table(answer: &Value) -> String {
    let mut facts = Vec::new();
    flatten("", answer, &mut facts);
    let more = facts.len().saturating_sub(FACTS_MAX);
    let width = facts.iter().take(FACTS_MAX).map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (name, value) in facts.iter().take(FACTS_MAX) {
        let _ = write!(text, "\n    {name:<width$}  {value}");
    }
    if more > 0 {
        let _ = write!(text, "\n    and {} more: --format json shows all", count(more as u64, "field"));
    }
    text.trim_end().to_owned()
}

/// Every value with its name; what is inside another has both names.
fn flatten(name: &str, value: &Value, facts: &mut Vec<(String, String)>) {
    let below = |part: &str| if name.is_empty() { part.to_owned() } else { format!("{name}.{part}") };
    match value {
        Value::Null => {}
        Value::Object(fields) => fields.iter().for_each(|(part, value)| flatten(&below(part), value, facts)),
        Value::Array(items) => {
            (1..).zip(items).for_each(|(n, value): (usize, _)| flatten(&below(&n.to_string()), value, facts));
        }
        Value::String(text) => facts.push((name.to_owned(), moment(name, text).unwrap_or_else(|| shortened(text, 80)))),
        other => facts.push((name.to_owned(), moment(name, &other.to_string()).unwrap_or_else(|| other.to_string()))),
    }
}

/// Epoch milliseconds as people read them, where the name says that it is a moment.
fn moment(name: &str, text: &str) -> Option<String> {
    let is_moment = text.len() == 13 && ["At", "Time", "Date"].iter().any(|end| name.ends_with(end));
    text.parse().ok().filter(|_| is_moment).map(when)
}
