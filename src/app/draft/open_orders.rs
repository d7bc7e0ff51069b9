//! Orders that an earlier run left, and of which a sheet that is open says something else by now: they go by that sheet.

use std::collections::BTreeMap;

use crate::app::connect::App;
use crate::event::Stream;
use crate::ledger::RunId;

use super::Draft;

/// Orders that are left to a sheet that is open: there they were changed, held, left out or taken away since.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftToDraft {
    /// The draft's id.
    pub id: String,
    /// The sheet's name.
    pub file: String,
    /// The orders.
    pub orders: Vec<String>,
}

impl App {
    /// Which of these orders, each with its runs, must not be sent from the ledger: the newest sheet that is open with them
    /// has them otherwise, or not at all. A sheet that cannot be read keeps all orders that came from it.
    pub(in crate::app) fn left_to_drafts(&self, mut wanted: BTreeMap<String, Vec<RunId>>) -> Vec<LeftToDraft> {
        let mut left = Vec::new();
        for entry in self.drafts() {
            let is_from_it = |runs: &[RunId]| runs.iter().any(|run| entry.runs.contains(&run.number()));
            if !entry.runs.is_empty() && !wanted.values().any(|runs| is_from_it(runs)) {
                continue;
            }
            let checked = self
                .draft(&entry.id)
                .and_then(|mut draft| draft.check(self, &mut Stream::silent()).map(drop).map(|()| draft));
            let mut orders = Vec::new();
            wanted.retain(|number, runs| {
                let as_staged = checked.as_ref().ok().and_then(|draft| is_as_staged(draft, number));
                if as_staged == Some(false) || (as_staged.is_none() && is_from_it(runs)) {
                    orders.push(number.clone());
                }
                as_staged.is_none() && !is_from_it(runs)
            });
            if !orders.is_empty() {
                left.push(LeftToDraft { id: entry.id, file: entry.file, orders });
            }
        }
        left
    }
}

/// Whether an order of a sheet would go as it was staged; nothing where the sheet does not have it.
fn is_as_staged(draft: &Draft, number: &str) -> Option<bool> {
    draft.checked().and_then(|checked| checked.entry(number)).map(|entry| entry.is_as_staged)
}
