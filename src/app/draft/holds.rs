//! Orders that an open sheet keeps from being sent: what somebody said of them there goes only by that sheet.

use std::collections::{BTreeMap, BTreeSet};

use crate::app::connect::App;
use crate::app::error::{Error, Result};
use crate::column::RowRef;
use crate::event::Stream;
use crate::ledger::{DraftHold, DraftHoldKind, Ledger, Looked, RunId, SheetIdentity, State};

use super::Draft;
use super::answer::Kept;
use super::checked::Entry;
use super::filter::DraftState;

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
    /// Orders that a resume or retry would send, whether or not open sheets keep them back, each with the runs that it was in.
    pub(in crate::app) fn unsent(&self) -> Result<BTreeMap<String, Vec<RunId>>> {
        let mut unsent = BTreeMap::new();
        let Some(ledger) = self.ledger_there()? else { return Ok(unsent) };
        let service = self.config.service_key()?;
        for states in UNSENT {
            unsent.extend(ledger.in_runs(&service, states)?);
        }
        unsent.extend(ledger.draft_held(&service)?.into_iter().map(|own| (own.number, own.runs)));
        Ok(unsent)
    }

    /// Orders in these states, each with the runs that it was in.
    pub(in crate::app) fn in_states(&self, states: [State; 2]) -> Result<BTreeMap<String, Vec<RunId>>> {
        let Some(ledger) = self.ledger_there()? else { return Ok(BTreeMap::new()) };
        Ok(ledger.in_runs(&self.config.service_key()?, states)?)
    }

    /// The orders that would be sent but for this draft, which need not be one that can be read.
    ///
    /// # Errors
    /// The ledger cannot be read.
    pub fn held_by_draft(&self, id: &str) -> Result<Vec<String>> {
        let Some(ledger) = self.ledger_there()? else { return Ok(Vec::new()) };
        let held = ledger.draft_held(&self.config.service_key()?)?;
        Ok(held.into_iter().filter(|own| own.draft == id).map(|own| own.number).collect())
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
            if UNSENT.iter().flatten().chain([&State::Held]).any(|state| state.as_str() == upon.state) {
                session.abandon(&upon, because)?;
            }
        }
        Ok(())
    }
}

impl Draft {
    /// The orders that this draft keeps back, of these numbers or of all: those that are held or left out here; those that somebody
    /// typed in; and of those that could be sent, or may prove unsent, and were answered here, the ones that stand otherwise here or
    /// were booked from here and are gone. Of a sheet that cannot be checked nobody knows how its orders stand.
    pub(super) fn holds(&self, app: &App, of: Looked<'_>) -> Result<Vec<DraftHold>> {
        if !self.stored.is_touched() {
            return Ok(Vec::new());
        }
        let ledger = app.ledger_there()?.ok_or(Error::NoDraft)?;
        let is_meant = |number: &str| match of {
            Looked::At(of) => of.contains(number),
            Looked::AtAll | Looked::Nowhere => true,
        };
        let mut holds = self.held_by_word(&ledger, &is_meant)?;
        let entry = |number: &str| self.checked().and_then(|checked| checked.entry(number));
        let otherwise = |number: &str, kind: DraftHoldKind| {
            let entry = entry(number);
            let content = entry.and_then(|entry| entry.formed.as_deref()).map(|formed| formed.digest);
            let (id, number, others) = (self.id(), number.to_owned(), BTreeSet::new());
            let is_booked = kind == DraftHoldKind::Typed && entry.is_some_and(|entry| entry.is_as_staged);
            // Without a request, the sheet's revision tells it from anything said later.
            let basis = match content {
                Some(_) => format!("{id} {content:?}"),
                None => format!("{id} {}", self.revision()),
            };
            DraftHold { entry: number, others, kind, basis, content, is_booked }
        };
        let is_new =
            |holds: &BTreeMap<String, DraftHold>, number: &str| !holds.contains_key(number) && is_meant(number);
        for number in &self.said.typed_in {
            if is_new(&holds, number) {
                holds.insert(number.clone(), otherwise(number, DraftHoldKind::Typed));
            }
        }
        if matches!(of, Looked::Nowhere) {
            return Ok(holds.into_values().collect());
        }
        let (answered, runs) = (self.stored.answered(), self.stored.runs());
        for (number, own) in unsent_of(app, &ledger, of)? {
            let is_from_it = own.iter().any(|run| runs.contains(&run.number()));
            let is_answered = is_from_it || answered.as_ref().is_none_or(|answered| answered.contains(&number));
            let stands_otherwise = match entry(&number) {
                Some(entry) => is_answered && !entry.is_as_staged,
                None => is_from_it,
            };
            if stands_otherwise && is_new(&holds, &number) {
                holds.insert(number.clone(), otherwise(&number, DraftHoldKind::Changed));
            }
        }
        Ok(holds.into_values().collect())
    }

    /// Each order that is held or left out here, by the number that it had then or has now, with the others under which the ledger has
    /// its rows.
    fn held_by_word(&self, ledger: &Ledger, is_meant: &dyn Fn(&str) -> bool) -> Result<BTreeMap<String, DraftHold>> {
        let (kind, sha256) = (DraftHoldKind::Word, self.stored.sha256());
        let hold = |number: &str, Kept { at_ms, .. }: &Kept| {
            let (id, entry) = (self.id(), number.to_owned());
            DraftHold {
                entry,
                others: BTreeSet::new(),
                kind,
                basis: format!("{id} {at_ms}"),
                content: None,
                is_booked: false,
            }
        };
        let mut holds: BTreeMap<String, DraftHold> = BTreeMap::new();
        let (numbers, rows) = &self.said.kept;
        for (number, kept) in numbers.iter().filter(|(number, _)| is_meant(number)) {
            holds.insert(number.clone(), hold(number, kept));
        }
        for (number, own) in self.said.kept_rows().filter(|(number, _)| is_meant(number)) {
            for of in own {
                let Some(kept) = rows.of(of).flatten().next() else { continue };
                let identity = SheetIdentity { sha256, worksheet: of.worksheet().unwrap_or_default().to_owned() };
                let known = ledger.stood_for(&identity, of.rows())?;
                holds.entry(number.clone()).or_insert_with(|| hold(number, kept)).others.extend(known);
            }
        }
        if self.said.are_kept_renumbered
            && let Some((open, checked)) = self.open.as_ref().zip(self.checked())
        {
            for entry in checked.entries().iter().filter(|entry| is_meant(&entry.number)) {
                let of_row = |at: &RowRef| rows.get(&open.reading.opened, *at)?.as_ref();
                if let Some(kept) = entry.rows.iter().find_map(of_row) {
                    holds.entry(entry.number.to_string()).or_insert_with(|| hold(&entry.number, kept));
                }
            }
        }
        Ok(holds)
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

/// The orders that are looked at and that the ledger could send, or that may prove unsent, each with the runs that it was in.
fn unsent_of(app: &App, ledger: &Ledger, of: Looked<'_>) -> Result<BTreeMap<String, Vec<RunId>>> {
    // Without a service nothing was ever sent.
    let Ok(service) = app.config.service_key() else { return Ok(BTreeMap::new()) };
    let Looked::At(of) = of else {
        let mut unsent = app.unsent()?;
        unsent.extend(app.in_states([State::InDoubt, State::Sending])?);
        return Ok(unsent);
    };
    let mut unsent = BTreeMap::new();
    for number in of {
        unsent.extend(ledger.unsent_runs(&service, number)?.map(|runs| (number.clone(), runs)));
    }
    Ok(unsent)
}
