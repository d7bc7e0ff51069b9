//! What tells all that is said of an order from anything else: whoever agrees to it names that.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use crate::finding::{Finding, RuleId};

/// Whether what a rule says rests on more than the sheet: the ledger, other sheets, the courier's list. Of the sheet alone
/// nothing else is said as long as it has the same revision.
#[must_use]
pub const fn is_of_others(rule: RuleId) -> bool {
    matches!(
        rule,
        RuleId::SameShipment
            | RuleId::SameOrder
            | RuleId::HeldBack
            | RuleId::InCouriersList
            | RuleId::OldSheet
            | RuleId::OtherReceiver
            | RuleId::FewerProducts
            | RuleId::SourcesDiffer
    )
}

/// What tells all that is said of an order from anything else.
pub(super) fn told(said: &[Finding]) -> u64 {
    let told = |own: &Finding| (own.id.as_str(), own.case.to_string(), own.detail(), own.holds());
    BuildHasherDefault::<DefaultHasher>::default().hash_one(said.iter().map(told).collect::<Vec<_>>())
}

/// The same of what rests on where others stand.
pub(super) fn beside_others(said: &[Finding]) -> u64 {
    let is_of_others = |own: &&Finding| own.rule().is_some_and(is_of_others);
    let details: Vec<String> = said.iter().filter(is_of_others).map(Finding::detail).collect();
    BuildHasherDefault::<DefaultHasher>::default().hash_one(details)
}
