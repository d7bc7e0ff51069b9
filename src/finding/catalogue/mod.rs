//! Every case of every id, by area, with its words.

use super::basis::Basis;
use super::data::{Finding, Sentence};
use super::id::{Id, Level};
use super::parameters::Value;
use super::rule_id::RuleId;

pub mod cell;
pub mod column;
pub mod money;
pub mod order;
pub mod service;
pub mod sheet;

/// The words of one case.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// Which kind.
    pub id: Id,
    /// The case's name.
    pub case: &'static str,
    /// The rule that it falls under; none for a part of a sentence.
    pub rule: Option<RuleId>,
    /// How much it weighs, unless its place or its rule's level changes that; none for a part of a sentence.
    pub level: Option<Level>,
    /// What is wrong and what is accepted, with places for its facts.
    pub says: &'static str,
    /// What to do about it, with places for its facts and remedies.
    pub advice: &'static str,
    /// The parameters by which findings of this case are different causes.
    pub apart: &'static [&'static str],
    /// Another case of the same id with which it is one cause; empty where it is one of its own.
    pub like: &'static str,
}

const AREAS: &[&[Entry]] =
    &[cell::ENTRIES, column::ENTRIES, money::ENTRIES, order::ENTRIES, service::ENTRIES, sheet::ENTRIES];

/// Every entry.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    AREAS.iter().copied().flatten()
}

/// The entry of a case.
pub(super) fn entry(id: Id, case: &str) -> Option<&'static Entry> {
    entries().find(|entry| entry.id == id && entry.case == case)
}

/// The rule that a case falls under; none where there is no such case.
#[must_use]
pub fn rule_of(id: Id, case: &str) -> Option<RuleId> {
    entry(id, case).and_then(|entry| entry.rule)
}

impl Finding {
    /// The rule that it falls under; none where its case is one that an earlier version had.
    #[must_use]
    pub fn rule(&self) -> Option<RuleId> {
        rule_of(self.id, &self.case)
    }

    /// Its basis on these cells, as one case of its rule.
    #[must_use]
    pub fn resting_on<'c>(&self, cells: impl IntoIterator<Item = (&'c str, &'c str)>) -> Basis {
        Basis::of(cells).of_case(&format!("{} {}", self.id, cause(self).0))
    }
}

/// What makes findings of one id one cause: the case, and the values of those facts that it names as telling causes apart.
/// Of what another finding says it is the shape, not its amounts.
#[must_use]
pub fn cause(finding: &Finding) -> (&'static str, Vec<Value>) {
    let Some(entry) = entry(finding.id, &finding.case) else { return ("", Vec::new()) };
    let case = if entry.like.is_empty() { entry.case } else { entry.like };
    let apart = entry.apart.iter().filter_map(|name| finding.parameters.get(name)).map(|value| match value {
        Value::Said(sentences) => Value::List(sentences.iter().map(shape).collect()),
        other => other.clone(),
    });
    (case, apart.collect())
}

/// A sentence by its case and which facts it has, with the values of those that tell causes apart.
fn shape(sentence: &Sentence) -> String {
    let apart = entry(sentence.id, &sentence.case).map_or(&[][..], |entry| entry.apart);
    let mut shape = format!("{} {}", sentence.id.as_str(), sentence.case);
    for (name, value) in sentence.parameters.iter().filter(|(_, value)| **value != Value::Flag(false)) {
        shape.extend([" ", name]);
        match value {
            Value::Said(sentences) => sentences.iter().for_each(|inner| shape.extend([" (", &self::shape(inner), ")"])),
            Value::Text(text) if apart.contains(&name) => shape.extend([" ", text]),
            _ => {}
        }
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_for_the_configuration_stands_only_where_the_face_has_one() {
        const FILE: &str = "shipsheet.toml: {";
        for entry in entries() {
            for (at, _) in entry.advice.match_indices(FILE) {
                let number = &entry.advice[at + FILE.len()..=at + FILE.len()];
                let before = &entry.advice[..at];
                let is_open = before.rfind(&format!("{{?{number}}}")) > before.rfind(&format!("{{/{number}}}"));
                assert!(is_open, "{} {}: {}", entry.id, entry.case, entry.advice);
            }
        }
    }
}
