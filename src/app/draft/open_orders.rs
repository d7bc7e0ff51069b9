//! Orders that an earlier run left, and of which a sheet that is open says something else by now: they go by that sheet.

use std::collections::{BTreeMap, BTreeSet};

use crate::app::connect::App;
use crate::app::error::{Error, Result};
use crate::app::keeper::Keeper;
use crate::app::kept::{Keeping, Left};
use crate::column::RowRef;
use crate::event::Stream;
use crate::ledger::{RunId, SheetIdentity, State};
use crate::text::error_chain;

use super::answer::Kept;
use super::checked::Entry;
use super::filter::DraftState;
use super::{Draft, UnreadDraft};

/// The states of orders that a resume or retry sends.
const UNSENT: [[State; 2]; 2] = [[State::Staged, State::Waiting], [State::Rejected, State::Refused]];

/// An order that nothing but an open sheet keeps from a resume or retry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptBack {
    /// Its number.
    pub number: String,
    /// Whether a row of it was sent under another number.
    pub went: bool,
    /// Whether it is in doubt: what is said of it here decides what becomes of it once that is settled.
    pub in_doubt: bool,
}

impl App {
    /// Which of these orders, each with its runs, must not be sent as the ledger has them: the newest sheet that is open with
    /// them has them otherwise, or not at all. Besides, orders in which somebody typed, whoever has them. A sheet that cannot be
    /// read keeps all orders that came from it. None for a draft: what it has, a person looked at.
    pub(in crate::app) fn left_to_drafts(
        &self,
        of: Option<&str>,
        wanted: impl FnOnce() -> Result<BTreeMap<String, Vec<RunId>>>,
    ) -> Result<Vec<Left>> {
        let mut left: Vec<Left> = Vec::new();
        if of.is_some() || self.other_drafts(None)?.is_empty() {
            return Ok(left);
        }
        let mut wanted = wanted()?;
        // Of a draft that cannot be read nothing goes at all.
        for mut draft in self.stored_drafts()?.into_iter().flatten().map(Draft::of) {
            let (id, file, runs) = (draft.id().to_owned(), draft.file().to_owned(), draft.stored.runs().to_vec());
            let is_from_it = |own: &[RunId]| own.iter().any(|run| runs.contains(&run.number()));
            let typed_in = std::mem::take(&mut draft.said.typed_in);
            if wanted.is_empty() && typed_in.is_empty() {
                continue;
            }
            let checked = draft.check_alone(self).ok();
            let entry = |number: &str| checked.and_then(|checked| checked.entry(number));
            let leave = |number: &String, is_staged: bool| {
                let by = Keeper::Sheet { id: id.clone(), file: file.clone(), is_word: false };
                let digest = entry(number).and_then(|entry| entry.formed.as_deref()).map(|formed| formed.digest);
                let on = format!("{id} {digest:?}");
                Left { number: number.clone(), keeping: Keeping { by, on }, digest, is_staged }
            };
            // What a newer sheet has just so stays as it is there.
            let typed = typed_in.iter().filter(|number| !wanted.contains_key(*number));
            let typed = typed.filter(|number| !entry(number).is_some_and(|entry| entry.is_as_staged));
            let mut own: Vec<Left> = typed.map(|number| leave(number, false)).collect();
            wanted.retain(|number, its| {
                let as_staged = entry(number).map(|entry| entry.is_as_staged);
                // A row of it was typed over since, and stands in it no more.
                let is_its = is_from_it(its) || typed_in.contains(number);
                // What somebody typed in and was staged so goes no more as another sheet has it.
                let is_staged = as_staged == Some(true) && typed_in.contains(number);
                if is_staged || as_staged == Some(false) || (as_staged.is_none() && is_its) {
                    own.push(leave(number, is_staged));
                }
                as_staged.is_none() && !is_its
            });
            own.retain(|own| !left.iter().any(|newer| newer.number == own.number));
            left.extend(own);
        }
        Ok(left)
    }

    /// The word on each sheet that is open but one: orders that are held or left out there. Those of these sheets that cannot be read
    /// are added to `unread`.
    pub(in crate::app) fn words_of_drafts(
        &self,
        but: Option<&str>,
        unread: &mut Vec<Keeper>,
    ) -> Result<Vec<(String, Keeping)>> {
        let mut words = Vec::new();
        for stored in self.stored_drafts()? {
            let mut draft = match stored {
                Ok(stored) => Draft::of(stored),
                Err(UnreadDraft { id, file, why }) => {
                    unread.push(Keeper::Unread { id, file, why });
                    continue;
                }
            };
            if Some(draft.id()) == but {
                continue;
            }
            let (id, file) = (draft.id().to_owned(), draft.file().to_owned());
            match draft.words(self) {
                Ok(kept) => words.extend(kept.into_iter().map(|(number, Kept { at_ms, .. })| {
                    let by = Keeper::Sheet { id: id.clone(), file: file.clone(), is_word: true };
                    (number, Keeping { by, on: format!("{id} {at_ms}") })
                })),
                // It was cleared at this moment.
                Err(Error::NoDraft) => {}
                Err(error @ Error::Ledger(_)) => return Err(error),
                Err(error) => unread.push(Keeper::Unread { id, file, why: error_chain(&error) }),
            }
        }
        Ok(words)
    }

    /// Orders that a resume or retry would send, each with the runs that it was in.
    pub(in crate::app) fn unsent(&self) -> Result<BTreeMap<String, Vec<RunId>>> {
        let mut unsent = BTreeMap::new();
        for states in UNSENT {
            unsent.extend(self.in_states(states)?);
        }
        Ok(unsent)
    }

    /// Orders in these states, each with the runs that it was in.
    pub(in crate::app) fn in_states(&self, states: [State; 2]) -> Result<BTreeMap<String, Vec<RunId>>> {
        let Some(ledger) = self.ledger_there()? else { return Ok(BTreeMap::new()) };
        Ok(ledger.in_runs(&self.config.service_key()?, states)?)
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
    /// Each order that is held or left out here, under all numbers that its rows have: those that they had when that was said,
    /// those that they have now, and those under which the ledger has them.
    fn words(&mut self, app: &App) -> Result<Vec<(String, Kept)>> {
        let (numbers, rows) = &self.said.kept;
        let mut words: Vec<(String, Kept)> = numbers.clone().into_iter().collect();
        let kept = rows.all().filter_map(|(worksheet, row, kept)| Some((worksheet.clone(), row, kept.clone()?)));
        let kept: Vec<(Option<String>, u32, Kept)> = kept.collect();
        if kept.is_empty() {
            return Ok(words);
        }
        let (ledger, sha256) = (app.read_ledger()?, self.stored.sha256());
        for (worksheet, row, kept) in &kept {
            let identity = SheetIdentity { sha256, worksheet: worksheet.clone().unwrap_or_default() };
            let known = ledger.stood_for(&identity, &[*row])?;
            words.extend(known.into_iter().map(|number| (number, kept.clone())));
        }
        if self.said.are_kept_renumbered {
            self.check_alone(app)?;
            let Some((open, checked)) = self.open.as_ref().zip(self.checked()) else { return Ok(words) };
            for entry in checked.entries() {
                let of_row = |at: &RowRef| self.said.kept.1.get(&open.reading.opened, *at)?.clone();
                let kept = entry.rows.iter().find_map(of_row);
                words.extend(kept.map(|kept| (entry.number.to_string(), kept)));
            }
        }
        Ok(words)
    }

    /// Orders that nothing but this draft keeps from a resume or retry: of its own runs, those that it has otherwise by now
    /// or not at all, and of others, those that the clerk holds or leaves out here.
    ///
    /// # Errors
    /// The ledger cannot be read.
    pub fn keeps_back(&mut self, app: &App) -> Result<Vec<KeptBack>> {
        if !self.stored.is_touched() {
            return Ok(Vec::new());
        }
        let (mut unsent, mut in_doubt) = (app.unsent()?, app.in_states([State::InDoubt, State::Sending])?);
        if unsent.is_empty() && in_doubt.is_empty() {
            return Ok(Vec::new());
        }
        let runs = self.stored.runs().to_vec();
        // Of a sheet that cannot be read nobody knows what it has.
        let is_read = self.check(app, &mut Stream::silent()).is_ok();
        let went = self.went(app, unsent.keys())?;
        let (said, typed_in) = (&self.said.kept.0, &self.said.typed_in);
        unsent.retain(|number, own| {
            let entry = self.checked().filter(|_| is_read).and_then(|checked| checked.entry(number));
            let is_from_it = own.iter().any(|run| runs.contains(&run.number()));
            went.contains(number)
                || said.contains_key(number)
                || entry.map_or_else(|| typed_in.contains(number), |entry| entry.by_clerk)
                || (is_from_it && !entry.is_some_and(|entry| entry.is_as_staged))
        });
        in_doubt.retain(|number, _| said.contains_key(number));
        let unsent = unsent.into_keys().map(|number| (number, false));
        let kept = unsent.chain(in_doubt.into_keys().map(|number| (number, true)));
        Ok(kept.map(|(number, in_doubt)| KeptBack { went: went.contains(&number), number, in_doubt }).collect())
    }

    /// Whether an order is left out here that no source has let go: another copy of the sheet would bring it as a new one.
    ///
    /// # Errors
    /// The ledger cannot be read.
    pub fn leaves_out(&self, app: &App) -> Result<bool> {
        let Some(checked) = self.checked() else { return Ok(false) };
        let mut left_out = checked.entries().iter().filter(|own| own.by_clerk && own.state == DraftState::LeftOut);
        if self.said.kept.0.is_empty() {
            return Ok(false);
        }
        let (ledger, service) = (app.read_ledger()?, app.config.service_key()?);
        let is_unsendable = |own: &Entry| -> Result<bool> {
            for history in ledger.order(&own.number)? {
                if !history.requests.is_empty() && ledger.is_same_service(&service, &history.service)? {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        left_out.try_fold(false, |any, own| Ok(any || is_unsendable(own)?))
    }

    /// Those of these orders whose rows go under another number here, which may be booked or will be.
    fn went<'n>(&self, app: &App, orders: impl Iterator<Item = &'n String>) -> Result<BTreeSet<String>> {
        let Some(checked) = self.checked() else { return Ok(BTreeSet::new()) };
        let (ledger, service) = (app.read_ledger()?, app.config.service_key()?);
        let mut went = BTreeSet::new();
        for number in orders {
            let other = ledger.sent_as(&service, number)?;
            if other.is_some_and(|other| checked.entry(&other.number).is_some()) {
                went.insert(number.clone());
            }
        }
        Ok(went)
    }
}
