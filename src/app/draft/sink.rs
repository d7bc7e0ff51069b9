//! Takes what comes out of the sheets of a draft, order by order, with what the ledger knows of each.

use std::collections::HashMap;
use std::io;

use crate::app::kept::digest;
use crate::finding::{self, Finding};
use crate::ledger::{Disposition, LedgerError, State};
use crate::order::{Order, ShipFrom};
use crate::stage::{Booked, Frozen, Gate, LedgerCounts, OrderRows, Recorder, Sink, Totals};
use crate::text::Text;

use super::answer::Kept;
use super::checked::{Checked, Counts, Entry, Formed, Part};
use super::filter::DraftState;
use super::gate::DraftGate;

/// What takes the orders of a draft.
pub(super) struct CheckSink<'s> {
    checked: &'s mut Checked,
    /// What looks into the ledger, where there is one.
    recorder: Option<Recorder<'s>>,
    gate: &'s DraftGate<'s>,
    /// The order that came last, with what was said of it so far.
    last: Option<(Entry, Vec<Finding>)>,
    /// What was said of orders before they came, or long after.
    apart: HashMap<String, Vec<Finding>>,
    /// Why something could not be kept.
    failure: Option<io::Error>,
}

impl<'s> CheckSink<'s> {
    pub(super) fn new(checked: &'s mut Checked, recorder: Option<Recorder<'s>>, gate: &'s DraftGate<'s>) -> Self {
        Self { checked, recorder, gate, last: None, apart: HashMap::new(), failure: None }
    }

    /// Puts the last of it in its place, and gives what the ledger made of it.
    pub(super) fn end(mut self) -> io::Result<Option<LedgerCounts>> {
        self.close();
        for (number, said) in std::mem::take(&mut self.apart) {
            self.checked.say_more(&number, said)?;
        }
        self.failure.map_or_else(|| Ok(self.recorder.map(|recorder| recorder.counts)), Err)
    }

    /// Keeps the order that came last.
    fn close(&mut self) {
        if let Some((entry, said)) = self.last.take().filter(|_| self.failure.is_none()) {
            self.failure = self.checked.put(entry, &said).err();
        }
    }

    /// An order; what became of it takes the place of what seemed to become of it.
    fn take(&mut self, entry: Entry, said: &[Finding]) {
        if self.last.as_ref().is_some_and(|(last, _)| last.number != entry.number) {
            self.close();
        }
        self.last = Some((entry, said.to_vec()));
    }

    /// An order that stays, by what holds it. One that may be booked is that before all: its number stays.
    fn held_entry(&self, number: &str, left: &OrderRows<'_>, problems: &[Finding]) -> Result<Entry, LedgerError> {
        let kept = self.gate.kept(number, left.at);
        let known = self.recorder.as_ref().map_or(Ok(None), |recorder| recorder.known(number))?;
        let state = match (known.as_ref().map(|known| known.state), kept) {
            (Some(State::Booked), _) => DraftState::Booked,
            (Some(State::Sending | State::InDoubt), _) => DraftState::InDoubt,
            (_, Some(Kept { left_out: true, .. })) => DraftState::LeftOut,
            (_, Some(_)) => DraftState::Hold,
            (_, None) => {
                let mut holding = problems.iter().filter(|problem| problem.holds());
                let is_asked = holding.all(|problem| problem.id == finding::Id::HeldBack);
                if is_asked { DraftState::Hold } else { DraftState::Fix }
            }
        };
        let awb = known.and_then(|known| known.awb).map(Text::from);
        Ok(Entry { by_clerk: kept.is_some(), awb, ..entry(number, left, state) })
    }
}

fn entry(number: &str, of: &OrderRows<'_>, state: DraftState) -> Entry {
    Entry { came_as: of.came_as.into(), ..Entry::new(Text::from(number), of.at.into(), state, of.beside) }
}

fn entry_of(left: &OrderRows<'_>, state: DraftState) -> Option<Entry> {
    left.number.map(|number| entry(number, left, state))
}

/// Where an order stands by the ledger, and which part of those that go it is.
fn standing(disposition: Option<Disposition>) -> (DraftState, Part, Option<State>, Option<String>) {
    match disposition {
        None | Some(Disposition::New) => (DraftState::Ready, Part::New, None, None),
        Some(Disposition::Replaced) => (DraftState::Ready, Part::Corrected, None, None),
        Some(Disposition::Outstanding { .. }) => (DraftState::Ready, Part::LeftOver, Some(State::Staged), None),
        Some(Disposition::AlreadyBooked { awb } | Disposition::ChangedAfterBooking { awb }) => {
            (DraftState::Booked, Part::New, Some(State::Booked), Some(awb))
        }
        Some(Disposition::LeftAlone { state: State::Abandoned }) => {
            (DraftState::LeftOut, Part::New, Some(State::Abandoned), None)
        }
        // The same again would fail again.
        Some(Disposition::LeftAlone { state }) => (DraftState::Fix, Part::New, Some(state), None),
        Some(Disposition::Sending) => (DraftState::InDoubt, Part::New, Some(State::Sending), None),
        Some(Disposition::InDoubt) => (DraftState::InDoubt, Part::New, Some(State::InDoubt), None),
    }
}

fn formed(order: &Order, digest: [u8; 32]) -> Formed {
    let mut totals = Totals::default();
    totals.add(order);
    let warehouse = match &order.placement {
        ShipFrom::Warehouse { warehouse_id, .. } => warehouse_id.clone(),
        ShipFrom::Addresses(_) => Text::default(),
    };
    Formed { totals, warehouse, payment: order.order_type.clone(), digest, changes: Box::default() }
}

impl Sink for CheckSink<'_> {
    fn wants_requests(&self) -> Option<i64> {
        // The time of staging is not known yet: what a request is made of is told without it.
        Some(0)
    }

    fn keeps_requests(&self) -> bool {
        false
    }

    fn is_over(&mut self, number: &str) -> Result<bool, LedgerError> {
        self.recorder.as_mut().map_or(Ok(false), |recorder| recorder.is_over(number))
    }

    fn sent_otherwise(&mut self, of: &OrderRows<'_>) -> Result<Option<(String, Finding)>, LedgerError> {
        self.recorder.as_mut().map_or(Ok(None), |recorder| recorder.sent_otherwise(of))
    }

    fn order(&mut self, frozen: &Frozen<'_>) -> Result<Vec<Finding>, LedgerError> {
        let (said, latest, in_ledger, is_as_staged, changes) = match &mut self.recorder {
            Some(recorder) => {
                (recorder.latest, recorder.changes) = (None, Vec::new());
                let said = recorder.order(frozen)?;
                let changes = std::mem::take(&mut recorder.changes);
                (said, recorder.latest.take(), recorder.in_ledger, recorder.is_as_in_ledger, changes)
            }
            None => (self.gate.says(frozen)?, None, None, false, Vec::new()),
        };
        let (state, part, known, awb) = standing(latest);
        let digest = frozen.request.map_or_else(|| digest(frozen.order), |request| request.sha256);
        let entry = Entry { in_ledger, ..entry(&frozen.order.number, &frozen.of, state) };
        let formed = Some(Box::new(Formed { changes: changes.into(), ..formed(frozen.order, digest) }));
        self.take(Entry { part, known, is_as_staged, awb: awb.map(Text::from), formed, ..entry }, &[]);
        Ok(said)
    }

    fn changed_since(
        &mut self,
        of: &OrderRows<'_>,
        as_held: &Order,
        problems: &[Finding],
    ) -> Result<Option<Finding>, LedgerError> {
        self.recorder.as_mut().map_or(Ok(None), |recorder| recorder.changed_since(of, as_held, problems))
    }

    fn booked(&mut self, left: &OrderRows<'_>, is_wrong: bool) -> Result<Option<Booked>, LedgerError> {
        let booked = match &mut self.recorder {
            Some(recorder) => recorder.booked(left, is_wrong)?,
            None => None,
        };
        if is_wrong && booked.is_none() {
            return Ok(None);
        }
        let state = if booked.is_some() { DraftState::Booked } else { DraftState::LeftOut };
        if let Some(entry) = entry_of(left, state) {
            let (counts, known) = match &booked {
                Some(_) => (Counts::InOrders, Some(State::Booked)),
                None => (Counts::Skipped, None),
            };
            let awb = booked.as_ref().map(|booked| Text::from(booked.awb.as_str()));
            self.take(Entry { counts, known, awb, ..entry }, &[]);
        }
        Ok(booked)
    }

    fn invalid(&mut self, left: &OrderRows<'_>, problems: &[Finding]) -> Result<(), LedgerError> {
        let Some(number) = left.number else {
            left.at.iter().for_each(|at| self.checked.stray(*at, problems));
            return Ok(());
        };
        let held = self.held_entry(number, left, problems)?;
        let formed_before = self.last.take_if(|(last, _)| last.number == number).map(|(last, _)| last);
        let entry = match formed_before {
            // Booked with another request: what is said of it keeps nothing back that could go.
            Some(entry) if entry.state == DraftState::Booked => entry,
            Some(entry) => Entry { state: held.state, by_clerk: held.by_clerk, ..entry },
            None => held,
        };
        self.take(Entry { counts: Counts::Invalid, ..entry }, problems);
        Ok(())
    }

    fn problem(&mut self, problem: &Finding) -> Result<(), LedgerError> {
        match (&problem.order, &mut self.last) {
            (Some(number), Some((last, said))) if last.number == *number => said.push(problem.clone()),
            (Some(number), _) => self.apart.entry(number.clone()).or_default().push(problem.clone()),
            (None, _) => self.checked.note(problem),
        }
        Ok(())
    }
}
