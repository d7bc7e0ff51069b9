//! What keeps orders of a draft behind beyond their sheet: the clerk's word, and that nothing goes that was not shown.

use crate::app::kept::{KeptGate, digest};
use crate::app::who::UNKNOWN;
use crate::column::RowRef;
use crate::finding::Finding;
use crate::finding::order::held_back;
use crate::ledger::LedgerError;
use crate::stage::{Frozen, Gate, Opened, OrderRows};

use super::answer::{Kept, Said};
use super::checked::Checked;
use super::filter::DraftState;

/// The gate of a draft.
#[derive(Debug)]
pub(super) struct DraftGate<'d> {
    pub(super) said: &'d Said,
    pub(super) opened: &'d Opened,
    /// What else keeps orders back, where that is shown; where orders are booked, the plan asks it.
    pub(super) kept: Option<KeptGate<'d>>,
    /// What was shown, where orders are to be booked.
    pub(super) shown: Option<&'d Checked>,
    /// What has a say after it.
    pub(super) next: Option<&'d dyn Gate>,
}

impl Gate for DraftGate<'_> {
    fn says(&self, frozen: &Frozen<'_>) -> Result<Vec<Finding>, LedgerError> {
        if let Some(kept) = self.says_of(&frozen.of) {
            return Ok(vec![kept]);
        }
        let number = &frozen.order.number;
        let mut said = self.kept.as_ref().map_or_else(Vec::new, |kept| kept.kept(frozen));
        if said.iter().any(Finding::holds) {
            return Ok(said);
        }
        let is_as_shown = |shown: &Checked| {
            let entry = shown.entry(number).filter(|entry| entry.state == DraftState::Ready);
            // Another station may have corrected it since.
            let entry = entry.filter(|entry| entry.in_ledger == frozen.in_ledger);
            entry.and_then(|entry| entry.formed.as_deref()).is_some_and(|formed| formed.digest == digest(frozen.order))
        };
        if self.shown.is_some_and(|shown| !is_as_shown(shown)) {
            return Ok(vec![held_back::not_as_shown().of_order(number.clone())]);
        }
        said.extend(self.next.map_or(Ok(Vec::new()), |next| next.says(frozen))?);
        Ok(said)
    }

    fn says_of(&self, of: &OrderRows<'_>) -> Option<Finding> {
        let Kept { by, left_out, .. } = self.kept(of.number?, of.at)?;
        let who = Some(by.as_str()).filter(|by| *by != UNKNOWN);
        let kept = if *left_out { held_back::left_out_by_clerk(who) } else { held_back::by_clerk(who) };
        Some(kept.of_order(of.number?))
    }
}

impl DraftGate<'_> {
    /// The clerk's word that an order does not go, or that one of its rows does not.
    pub(super) fn kept(&self, number: &str, at: &[RowRef]) -> Option<&Kept> {
        let (numbers, rows) = &self.said.kept;
        let of_rows = || at.iter().find_map(|row| rows.get(self.opened, *row)?.as_ref());
        numbers.get(number).or_else(of_rows)
    }
}
