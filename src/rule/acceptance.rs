//! What people have accepted: a finding of theirs keeps its order back no longer, as long as its cells stay as they are.

use std::collections::BTreeMap;

use super::registry::{Rule, RuleKind};
use crate::finding::cell::note;
use crate::finding::{Accepted, Basis, Finding, Remedy, RuleId};
use crate::text::moment;

/// What an accepted finding is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// An order, by its number.
    Order(String),
    /// A whole sheet, as people call it.
    Sheet(String),
}

/// What a person accepts with a command: whatever a rule holds, of these orders or of all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepting {
    /// The rule.
    pub rule: RuleId,
    /// The orders; all where none is named.
    pub orders: Vec<String>,
}

/// Everything that was accepted, as far as one run is concerned.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Acceptances {
    kept: BTreeMap<(RuleId, Subject), Vec<(Basis, Accepted)>>,
    given: Vec<(Accepting, Accepted)>,
}

/// The rule of that word, where what it holds can be accepted.
///
/// # Errors
/// There is none, or nothing that it says can be accepted.
pub fn acceptable(word: &str) -> Result<RuleId, String> {
    let rule = Rule::named(word)?;
    match (rule.kind, rule.kind.without_level().filter(|_| !rule.can_be_accepted())) {
        (_, Some(why)) => Err(format!("`{word}` cannot be accepted: {why}")),
        (RuleKind::Notice, None) => Err(format!("`{word}` cannot be accepted: it holds nothing back")),
        (_, None) => Ok(rule.id),
    }
}

impl Subject {
    /// What a finding is about: its order, else its sheet.
    fn of(finding: &Finding) -> Option<Self> {
        match (&finding.order, &finding.place) {
            (Some(order), _) => Some(Self::Order(order.clone())),
            (None, Some(place)) => Some(Self::Sheet(place.source.to_string())),
            (None, None) => None,
        }
    }
}

impl Acceptances {
    /// Adds what the ledger keeps.
    pub fn keep(&mut self, rule: RuleId, of: Subject, basis: Basis, accepted: Accepted) {
        self.kept.entry((rule, of)).or_default().push((basis, accepted));
    }

    /// Adds that a person accepts a finding as it was shown, and nothing else that its rule may say.
    pub fn accept(&mut self, finding: &Finding, accepted: Accepted) {
        let subject = Subject::of(finding).zip(finding.basis.clone());
        if let (Some(rule), Some((of, basis))) = (finding.rule(), subject) {
            self.keep(rule, of, basis, accepted);
        }
    }

    /// Adds what a person says with this command.
    pub fn give(&mut self, accepting: Accepting, accepted: Accepted) {
        self.given.push((accepting, accepted));
    }

    /// What a person said with this command.
    pub fn given(&self) -> impl Iterator<Item = &Accepting> {
        self.given.iter().map(|(accepting, _)| accepting)
    }

    /// Whether a person accepts something with this command.
    pub(super) const fn has_given(&self) -> bool {
        !self.given.is_empty()
    }

    /// Whether the ledger keeps that a person accepted this.
    #[must_use]
    pub fn has_kept(&self, rule: RuleId, of: &Subject, basis: &Basis) -> bool {
        let kept = self.kept.get(&(rule, of.clone()));
        kept.is_some_and(|kept| kept.iter().any(|(before, _)| before == basis))
    }

    /// A finding that holds, as a warning where it was accepted; else with what tells its cells from others, so that it can
    /// be. One whose cells have changed since it was accepted says so. `is_shown`: whether this command may accept it.
    pub(super) fn apply(&self, finding: Finding, rule: RuleId, basis: Basis, is_shown: bool) -> Finding {
        let Some(subject) = Subject::of(&finding) else { return finding };
        let is_meant = |accepting: &Accepting| {
            let orders = &accepting.orders;
            accepting.rule == rule
                && (orders.is_empty() || matches!(&subject, Subject::Order(order) if orders.contains(order)))
        };
        let kept = self.kept.get(&(rule, subject.clone())).map_or(&[][..], Vec::as_slice);
        let same = kept.iter().rev().find(|(before, _)| *before == basis).map(|(_, accepted)| accepted);
        let mut given = self.given.iter().filter(|(accepting, _)| is_shown && is_meant(accepting));
        let given = || given.next().map(|(_, accepted)| accepted);
        if let Some(accepted) = same.or_else(given) {
            let said = note::accepted(&accepted.by, &moment(accepted.at_ms));
            return Finding { basis: Some(basis), ..finding.accepted(accepted.clone()).also(said) };
        }
        let lapsed = kept.iter().rev().find(|(before, _)| before.has_case_of(&basis)).map(|(before, accepted)| {
            let changed = basis.changed_since(before);
            note::no_longer_accepted(&accepted.by, &moment(accepted.at_ms), &changed)
        });
        let (order, sheet) = match subject {
            Subject::Order(order) => (Some(order), None),
            Subject::Sheet(sheet) => (None, Some(sheet)),
        };
        let finding = lapsed.into_iter().fold(finding, Finding::also);
        Finding {
            basis: Some(basis),
            ..finding.remedy(Remedy::Accept { rule: rule.as_str().to_owned(), order, sheet })
        }
    }
}
