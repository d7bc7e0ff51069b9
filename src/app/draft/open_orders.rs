//! Orders that an earlier run left, and of which a sheet that is open says something else by now: they go by that sheet.

use std::collections::{BTreeMap, BTreeSet};

use crate::app::connect::App;
use crate::app::error::{Error, Result};
use crate::app::keeper::Keeper;
use crate::app::kept::Left;
use crate::event::Stream;
use crate::ledger::{LedgerError, RunId, State};
use crate::text::error_chain;

use super::{Draft, DraftEntry, UnreadDraft};

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
    /// them has them otherwise, or not at all. A sheet that cannot be read keeps all orders that came from it.
    pub(in crate::app) fn left_to_drafts(&self, mut wanted: BTreeMap<String, Vec<RunId>>) -> Vec<Left> {
        let mut left = Vec::new();
        // Of a draft that cannot be read nothing goes at all.
        let drafts = self.drafts().into_iter().filter_map(|entry| Some((self.draft(&entry.id).ok()?, entry)));
        let drafts: Vec<(Draft, DraftEntry)> = if wanted.is_empty() { Vec::new() } else { drafts.collect() };
        for (mut draft, DraftEntry { id, file, runs, .. }) in drafts {
            let is_from_it = |own: &[RunId]| own.iter().any(|run| runs.contains(&run.number()));
            if wanted.is_empty() {
                break;
            }
            let is_read = draft.check(self, &mut Stream::silent()).is_ok();
            wanted.retain(|number, its| {
                let entry = draft.checked().filter(|_| is_read).and_then(|checked| checked.entry(number));
                let is_its = is_from_it(its);
                let as_staged = entry.map(|entry| entry.is_as_staged);
                // A row of it was typed over since, and stands in it no more.
                let is_its = is_its || draft.said.typed_in.contains(number);
                if as_staged == Some(false) || (as_staged.is_none() && is_its) {
                    let by = Keeper::Sheet { id: id.clone(), file: file.clone(), is_word: false };
                    let digest = entry.and_then(|entry| entry.formed.as_deref()).map(|formed| formed.digest);
                    left.push(Left { number: number.clone(), by, digest });
                }
                as_staged.is_none() && !is_its
            });
        }
        left
    }

    /// The word on each sheet that is open but one: orders that are held or left out there. Besides, the first of these sheets
    /// that cannot be read.
    pub(in crate::app) fn words_of_drafts(&self, but: Option<&str>) -> (Vec<(String, Keeper)>, Option<Keeper>) {
        let mut words = Vec::new();
        let unread = |UnreadDraft { folder, why, .. }: UnreadDraft| Keeper::Unread { list: None, folder, why };
        let mut first_unread = self.unread_drafts().into_iter().map(unread).next();
        for DraftEntry { id, file, .. } in self.drafts().into_iter().filter(|own| Some(own.id.as_str()) != but) {
            match self.draft(&id) {
                Ok(draft) => {
                    let by = Keeper::Sheet { id, file, is_word: true };
                    words.extend(draft.said.kept.0.into_keys().map(|number| (number, by.clone())));
                }
                // It was taken away at this moment.
                Err(Error::NoDraft) => {}
                Err(error) => {
                    let folder = self.drafts_folder().join(&id);
                    first_unread =
                        first_unread.or(Some(Keeper::Unread { list: None, folder, why: error_chain(&error) }));
                }
            }
        }
        (words, first_unread)
    }

    /// Refuses what is said of orders that a run is sending just now: it goes on with what it has.
    pub(super) fn not_under_way(&self, numbers: &BTreeSet<String>) -> Result<()> {
        if numbers.is_empty() || self.holder().is_none() {
            return Ok(());
        }
        let ledger = match self.read_ledger() {
            Err(Error::Ledger(LedgerError::Missing(_))) => return Ok(()),
            ledger => ledger?,
        };
        let Some(run) = ledger.find_run(None)?.filter(|run| run.finished_ms.is_none()) else { return Ok(()) };
        for states in [[State::Staged, State::Waiting], [State::Sending, State::Sending]] {
            let open = self.in_states(states)?;
            if let Some((number, _)) = open.iter().find(|(own, runs)| numbers.contains(*own) && runs.contains(&run.id))
            {
                let why = "is being booked just now: stop that run first, where it was started";
                return Err(Error::Refused(format!("order {number} {why}")));
            }
        }
        Ok(())
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
    pub(super) fn in_states(&self, states: [State; 2]) -> Result<BTreeMap<String, Vec<RunId>>> {
        match self.read_ledger() {
            Err(Error::Ledger(LedgerError::Missing(_))) => Ok(BTreeMap::new()),
            ledger => Ok(ledger?.in_runs(&self.config.service_key()?, states)?),
        }
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
        if !self.folder.is_touched() {
            return Ok(Vec::new());
        }
        let (mut unsent, mut in_doubt) = (app.unsent()?, app.in_states([State::InDoubt, State::Sending])?);
        if unsent.is_empty() && in_doubt.is_empty() {
            return Ok(Vec::new());
        }
        let runs = self.folder.runs().to_vec();
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
