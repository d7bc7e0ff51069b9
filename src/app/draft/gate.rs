//! What keeps orders of a draft behind beyond their sheet: the clerk's word, and that nothing goes that was not shown.

use std::collections::BTreeMap;

use crate::finding::Finding;
use crate::finding::order::held_back;
use crate::order::Order;
use crate::stage::Gate;

use super::answer::Kept;
use super::checked::{Checked, DraftState};
use super::sink::digest;

/// The gate of a draft.
#[derive(Debug)]
pub(super) struct DraftGate<'d> {
    pub(super) kept: &'d BTreeMap<String, Kept>,
    /// What was shown, where orders are to be booked.
    pub(super) shown: Option<&'d Checked>,
    /// What has a say after it.
    pub(super) next: Option<&'d dyn Gate>,
}

impl Gate for DraftGate<'_> {
    fn says(&self, order: &Order) -> Option<Finding> {
        let kept = self.says_of_number(&order.number);
        if kept.is_some() {
            return kept;
        }
        let is_as_shown = |shown: &Checked| {
            let entry = shown.entry(&order.number).filter(|entry| entry.state == DraftState::Ready);
            entry.and_then(|entry| entry.formed.as_deref()).is_some_and(|formed| formed.digest == digest(order))
        };
        if self.shown.is_some_and(|shown| !is_as_shown(shown)) {
            return Some(held_back::not_as_shown().of_order(order.number.clone()));
        }
        self.next.and_then(|next| next.says(order))
    }

    fn says_of_number(&self, number: &str) -> Option<Finding> {
        let Kept { by, left_out } = self.kept.get(number)?;
        let kept = if *left_out { held_back::left_out_by_clerk(by) } else { held_back::by_clerk(by) };
        Some(kept.of_order(number.to_owned()))
    }
}
