//! Every case of every id, by area, with its words.

use super::data::Finding;
use super::id::Id;
use super::parameters::Value;

pub mod cell;
pub mod column;
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
    /// What is wrong and what is accepted, with places for its facts.
    pub says: &'static str,
    /// What to do about it, with places for its facts and remedies.
    pub advice: &'static str,
    /// The parameters by which findings of this case are different causes.
    pub apart: &'static [&'static str],
    /// Another case of the same id with which it is one cause; empty where it is one of its own.
    pub like: &'static str,
}

const AREAS: &[&[Entry]] = &[cell::ENTRIES, column::ENTRIES, order::ENTRIES, service::ENTRIES, sheet::ENTRIES];

/// Every entry.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    AREAS.iter().copied().flatten()
}

/// The entry of a case.
pub(super) fn entry(id: Id, case: &str) -> Option<&'static Entry> {
    if case == super::bridge::UNCONVERTED {
        return Some(&super::bridge::ENTRY);
    }
    entries().find(|entry| entry.id == id && entry.case == case)
}

/// What makes findings of one id one cause: the case, and those facts that it names as telling causes apart.
#[must_use]
pub fn cause(finding: &Finding) -> (&'static str, Vec<Value>) {
    let Some(entry) = entry(finding.id, &finding.case) else { return ("", Vec::new()) };
    let case = if entry.like.is_empty() { entry.case } else { entry.like };
    (case, entry.apart.iter().filter_map(|name| finding.parameters.get(name)).cloned().collect())
}
