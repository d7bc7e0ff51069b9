//! Orders that an earlier run left, and of which a sheet that is open says something else by now: they go by that sheet.

use std::collections::{BTreeMap, BTreeSet};

use crate::app::connect::App;
use crate::app::error::{Error, Result};
use crate::event::Stream;
use crate::ledger::{LedgerError, RunId, State};

use super::Draft;
use super::gate::may_be_sent;

/// The states of orders that a resume or retry sends.
const UNSENT: [[State; 2]; 2] = [[State::Staged, State::Waiting], [State::Rejected, State::Refused]];

/// An order that nothing but an open sheet keeps from a resume or retry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptBack {
    /// Its number.
    pub number: String,
    /// Whether a row of it was sent under another number.
    pub went: bool,
}

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
        let drafts = self.drafts();
        for entry in drafts.iter().filter(|entry| !entry.runs.is_empty()) {
            // What went under another number goes by no other sheet either.
            let Ok(Ok(went)) = self.draft(&entry.id).map(|draft| draft.went(self)) else { continue };
            let orders: Vec<String> = went.into_iter().filter(|number| wanted.remove(number).is_some()).collect();
            if !orders.is_empty() {
                left.push(LeftToDraft { id: entry.id.clone(), file: entry.file.clone(), orders });
            }
        }
        for entry in drafts {
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

    /// Orders that a resume or retry would send, each with the runs that it was in.
    pub(super) fn unsent(&self) -> Result<BTreeMap<String, Vec<RunId>>> {
        let ledger = match self.read_ledger() {
            Err(Error::Ledger(LedgerError::Missing(_))) => return Ok(BTreeMap::new()),
            ledger => ledger?,
        };
        let service = self.config.service_key()?;
        let mut unsent = BTreeMap::new();
        for states in UNSENT {
            unsent.extend(ledger.in_runs(&service, states)?);
        }
        Ok(unsent)
    }

    /// Gives orders up that are unsent: nothing sends them again without a person's word. What was sent meanwhile stays.
    ///
    /// # Errors
    /// Another program holds the ledger, or it fails.
    pub fn give_up(&self, orders: &[String], because: &str) -> Result<()> {
        if orders.is_empty() {
            return Ok(());
        }
        let mut session = self.settling()?;
        for order in orders {
            let upon = session.upon(order)?;
            if UNSENT.iter().flatten().any(|state| state.as_str() == upon.state) {
                session.abandon(&upon, because)?;
            }
        }
        Ok(())
    }
}

impl Draft {
    /// Orders that nothing but this draft keeps from a resume or retry: of its own runs, those that it has otherwise by now
    /// or not at all, and of others, those that the clerk holds or leaves out here.
    ///
    /// # Errors
    /// The ledger cannot be read.
    pub fn keeps_back(&mut self, app: &App) -> Result<Vec<KeptBack>> {
        let mut unsent = if self.folder.is_touched() { app.unsent()? } else { BTreeMap::new() };
        if unsent.is_empty() {
            return Ok(Vec::new());
        }
        let (went, runs) = (self.went(app)?, self.folder.runs().to_vec());
        // Of a sheet that cannot be read nobody knows what it has.
        let is_read = self.check(app, &mut Stream::silent()).is_ok();
        unsent.retain(|number, own| {
            let entry = self.checked().filter(|_| is_read).and_then(|checked| checked.entry(number));
            let is_from_it = own.iter().any(|run| runs.contains(&run.number()));
            went.contains(number)
                || entry.is_some_and(|entry| entry.by_clerk)
                || (is_from_it && !entry.is_some_and(|entry| entry.is_as_staged))
        });
        let kept = unsent.into_keys();
        Ok(kept.map(|number| KeptBack { went: went.contains(&number), number }).collect())
    }

    /// The orders of which a row was sent under another number, which may be booked or will be.
    fn went(&self, app: &App) -> Result<BTreeSet<String>> {
        let mut went = BTreeSet::new();
        let mut renumbered = self.said.sent.values().filter(|numbers| numbers.len() > 1).peekable();
        if renumbered.peek().is_none() {
            return Ok(went);
        }
        let (ledger, service) = (app.read_ledger()?, app.config.service_key()?);
        for numbers in renumbered {
            for number in numbers {
                if may_be_sent(&ledger, &service, number)?.is_some() {
                    went.extend(numbers.iter().filter(|other| *other != number).cloned());
                }
            }
        }
        Ok(went)
    }
}

/// Whether an order of a sheet would go as it was staged; nothing where the sheet does not have it.
fn is_as_staged(draft: &Draft, number: &str) -> Option<bool> {
    draft.checked().and_then(|checked| checked.entry(number)).map(|entry| entry.is_as_staged)
}
