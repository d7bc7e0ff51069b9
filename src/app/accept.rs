//! Accepting what rules hold: a person's word that orders go as they stand.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::config::Sheets;
use crate::finding::{Accepted, Basis, Finding, RuleId};
use crate::ledger::{AcceptedFinding, Ledger, LedgerError, ProblemRecord, Said};
use crate::rule::{Acceptances, Accepting, Rule, Subject};
use crate::text::{hex, nearest};

use super::connect::App;
use super::error::{Error, Misuse, Result};
use super::reading::Reading;
use super::who::{host, word};

/// The latest runs whose orders are named where one that is meant was never held.
const RUNS_SEARCHED: u32 = 10;

/// Orders that one rule holds, and that go once what it says of them is accepted; where several hold one order, once all of
/// them are.
#[derive(Debug, Clone)]
pub struct HeldByRule {
    /// The rule.
    pub rule: RuleId,
    /// The orders.
    pub orders: Vec<String>,
    /// The findings that hold them, all of that rule.
    pub findings: Vec<Finding>,
}

/// The orders of an acceptance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedOrders {
    /// How many findings were accepted.
    pub findings: usize,
    /// Orders that go with the next resume; the others go with the next import.
    pub released: Vec<String>,
}

/// What was accepted with a command and is held by nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnusedAcceptance {
    /// The rule.
    pub rule: RuleId,
    /// The order; none where all were meant.
    pub order: Option<String>,
    /// An order that the rule holds and that may be meant.
    pub near: Option<String>,
}

/// What is said while sheets are planned, as far as it can be accepted or was.
#[derive(Debug, Default)]
pub(super) struct Heard {
    /// Each order with what holds it, and whether some of that cannot be accepted.
    held: Vec<(String, Vec<Finding>, bool)>,
    used: BTreeSet<(RuleId, Option<String>)>,
}

impl Heard {
    /// Hears what is said on its way.
    pub(super) fn listening(&mut self, say: &mut dyn FnMut(&Finding)) -> impl FnMut(&Finding) {
        |finding| {
            self.note(finding);
            say(finding);
        }
    }

    /// Orders that go once what holds them is accepted, by rule; and what was accepted with this command and is held by
    /// nothing.
    pub(super) fn end(self, reading: &Reading) -> (Vec<HeldByRule>, Vec<UnusedAcceptance>) {
        let unused = self.unused(&reading.rules.levels.accepted);
        (self.into_held(), unused)
    }

    fn note(&mut self, finding: &Finding) {
        let Some(rule) = finding.rule() else { return };
        if finding.accepted.as_ref().is_some_and(|accepted| accepted.is_new) {
            self.used.insert((rule, finding.order.clone()));
        }
        let Some(order) = finding.order.as_ref().filter(|_| finding.holds()) else { return };
        if self.held.last().is_none_or(|(last, ..)| last != order) {
            self.held.push((order.clone(), Vec::new(), false));
        }
        if let Some((_, findings, is_stuck)) = self.held.last_mut() {
            // A person has answered already that such orders stay.
            if finding.basis.is_some() && !finding.is_as_answered() {
                findings.push(finding.clone());
            } else {
                *is_stuck = true;
            }
        }
    }

    fn into_held(self) -> Vec<HeldByRule> {
        let mut rules: Vec<HeldByRule> = Vec::new();
        for (order, findings, _) in self.held.into_iter().filter(|(_, _, is_stuck)| !is_stuck) {
            for finding in findings {
                let Some(rule) = finding.rule() else { continue };
                let index = rules.iter().position(|held| held.rule == rule).unwrap_or_else(|| {
                    rules.push(HeldByRule { rule, orders: Vec::new(), findings: Vec::new() });
                    rules.len() - 1
                });
                let held = &mut rules[index];
                if held.orders.last() != Some(&order) {
                    held.orders.push(order.clone());
                }
                held.findings.push(finding);
            }
        }
        rules
    }

    fn unused(&self, accepted: &Acceptances) -> Vec<UnusedAcceptance> {
        let holds = |rule: RuleId| {
            let by = move |findings: &[Finding]| findings.iter().any(|finding| finding.rule() == Some(rule));
            self.held.iter().filter(move |(_, findings, _)| by(findings)).map(|(order, ..)| order.as_str())
        };
        let mut unused = Vec::new();
        for Accepting { rule, orders } in accepted.given() {
            if orders.is_empty() && !self.used.iter().any(|(used, _)| used == rule) {
                unused.push(UnusedAcceptance { rule: *rule, order: None, near: None });
            }
            for order in orders.iter().filter(|order| !self.used.contains(&(*rule, Some((*order).clone())))) {
                let near = nearest(order, holds(*rule)).map(str::to_owned);
                unused.push(UnusedAcceptance { rule: *rule, order: Some(order.clone()), near });
            }
        }
        unused
    }
}

impl App {
    /// What people have accepted, as far as sheets that are read so are concerned. A ledger that cannot be read is told of
    /// where it is needed.
    pub(super) fn acceptances(&self, sheets: &Sheets) -> Arc<Acceptances> {
        let mut acceptances = Acceptances::default();
        let kept = self.config.service_key().ok().zip(self.read_ledger().ok());
        let kept = kept.and_then(|(service, ledger)| ledger.accepted_findings(&service).ok());
        for AcceptedFinding { rule, order, sheet, basis, word } in kept.unwrap_or_default() {
            let subject = order.map(Subject::Order).or(sheet.map(Subject::Sheet));
            if let Some((rule, subject)) = RuleId::from_word(&rule).zip(subject) {
                acceptances.keep(rule, subject, basis, word);
            }
        }
        for accepting in &sheets.accepting {
            acceptances.give(accepting.clone(), word(&sheets.because));
        }
        Arc::new(acceptances)
    }

    /// Accepts what a rule held of these orders when they came last, for good: as long as their cells stay as they are, they
    /// go with the next import. Orders whose row waits for the answer go with the next resume.
    ///
    /// # Errors
    /// No reason was given; an order that was not held, or not by this rule; a ledger that fails. Nothing is recorded then.
    pub fn accept(&self, accepting: &Accepting, because: &str) -> Result<AcceptedOrders> {
        if because.trim().is_empty() {
            return Err(Misuse::NoReason(", for instance who confirmed it").into());
        }
        let mut session = match self.session_there("accept") {
            // What `check` alone has held is in no ledger.
            Err(Error::Ledger(LedgerError::Missing(_))) => {
                let order = accepting.orders.first().cloned().unwrap_or_default();
                return Err(Error::NotHeld { rule: accepting.rule, order, by: Vec::new(), near: None });
            }
            session => session?,
        };
        let word = Accepted { is_new: false, ..word(because) };
        let lists = self.couriers_lists()?;
        let mut accepted = Vec::new();
        for order in &accepting.orders {
            let held = session.ledger.held_last(&session.service, order)?;
            let mut own: Vec<AcceptedFinding> =
                held.iter().filter_map(|held| of(held, accepting.rule, &word)).collect();
            // Of a sheet that was refused as a whole no finding is kept, but what it asks about is.
            let is_asked = own.is_empty() || accepting.rule == RuleId::InCouriersList;
            let asked = if is_asked { session.ledger.question(&session.service, order)? } else { None };
            if let Some((rule, sha256)) = asked.filter(|(rule, _)| rule == accepting.rule.as_str()) {
                let (order, basis) = (order.clone(), Basis::of([("", order.as_str()), ("", &*hex(&sha256))]));
                own.push(AcceptedFinding { rule, order: Some(order), sheet: None, basis, word: word.clone() });
            }
            let numbers = session.ledger.numbers_of(&session.service, order)?;
            if accepting.rule == RuleId::InCouriersList {
                // Whatever else keeps it back, no list does any more.
                let listed = numbers.iter().flat_map(|number| lists.iter().filter_map(|list| list.listing(number)));
                own.extend(listed.map(|listing| {
                    let (rule, basis) = (RuleId::InCouriersList.as_str().to_owned(), listing.basis(order));
                    AcceptedFinding { rule, order: Some(order.clone()), sheet: None, basis, word: word.clone() }
                }));
            } else if let Some((order, why)) =
                self.listed([order].into_iter(), &BTreeMap::from([(order.clone(), numbers)]))?.into_iter().next()
            {
                return Err(Error::Refused(format!(
                    "order {order} {why}, which is the courier's: accept that rule for it first, or forget the list"
                )));
            }
            if own.is_empty() {
                return Err(not_held(&session.ledger, &session.service, (accepting.rule, order), &held)?);
            }
            // A sheet that was imported twice asked the same twice.
            for own in own {
                if !accepted.contains(&own) {
                    accepted.push(own);
                }
            }
        }
        let released = session.ledger.accept_findings(&session.service, &host(), &accepted)?;
        Ok(AcceptedOrders { findings: accepted.len(), released })
    }
}

/// What was kept of a held finding, as something that a person accepts; nothing where another rule held it.
fn of(held: &ProblemRecord, rule: RuleId, word: &Accepted) -> Option<AcceptedFinding> {
    let Said::Data(finding) = &held.said else { return None };
    let (basis, order) = (finding.basis.clone()?, held.order.clone());
    let is_own = finding.rule() == Some(rule) && order.is_some();
    is_own.then(|| AcceptedFinding { rule: rule.as_str().to_owned(), order, sheet: None, basis, word: word.clone() })
}

/// Why nothing of an order can be accepted.
fn not_held(
    ledger: &Ledger,
    service: &str,
    (rule, order): (RuleId, &str),
    held: &[ProblemRecord],
) -> Result<Error, LedgerError> {
    let rules = held.iter().filter_map(|held| match &held.said {
        Said::Data(finding) => finding.rule(),
        Said::Words { .. } => None,
    });
    let mut by: Vec<String> = Vec::new();
    for rule in rules {
        let is_final = !Rule::of(rule).can_be_accepted();
        let name = format!("{rule}{}", if is_final { " (cannot be accepted)" } else { "" });
        if !by.contains(&name) {
            by.push(name);
        }
    }
    let near = if held.is_empty() {
        let lately = ledger.kept_back_lately(service, RUNS_SEARCHED)?;
        nearest(order, lately.iter().map(String::as_str)).map(str::to_owned)
    } else {
        None
    };
    Ok(Error::NotHeld { rule, order: order.to_owned(), by, near })
}
