//! What keeps orders of a draft behind beyond their sheet: the clerk's word, that nothing goes that was not shown, and that no
//! row is sent under a second number.

use crate::app::kept::{KeptGate, digest};
use crate::column::RowRef;
use crate::finding::order::{held_back, same_shipment};
use crate::finding::{Basis, Finding};
use crate::ledger::{Ledger, LedgerError, SANDBOX, State};
use crate::stage::{Frozen, Gate, Opened, OrderRows};

use super::answer::{Kept, Said};
use super::checked::{Checked, DraftState};

/// The gate of a draft.
#[derive(Debug)]
pub(super) struct DraftGate<'d> {
    pub(super) said: &'d Said,
    pub(super) opened: &'d Opened,
    /// What knows orders that were sent, with the service that is asked for.
    pub(super) ledger: Option<(&'d Ledger, &'d str)>,
    /// What else keeps orders back, where that is shown; where orders are booked, the plan asks it.
    pub(super) kept: Option<KeptGate<'d>>,
    /// What was shown, where orders are to be booked.
    pub(super) shown: Option<&'d Checked>,
    /// What has a say after it.
    pub(super) next: Option<&'d dyn Gate>,
}

impl Gate for DraftGate<'_> {
    fn says(&self, frozen: &Frozen<'_>) -> Result<Option<Finding>, LedgerError> {
        if let Some(kept) = self.says_of(&frozen.of) {
            return Ok(Some(kept));
        }
        let number = &frozen.order.number;
        let sent = self.sent_otherwise(number, frozen.of.at)?;
        if sent.as_ref().is_some_and(Finding::holds) {
            return Ok(sent);
        }
        let kept = self.kept.as_ref().and_then(|kept| kept.kept(frozen));
        if kept.as_ref().is_some_and(Finding::holds) {
            return Ok(kept);
        }
        let is_as_shown = |shown: &Checked| {
            let entry = shown.entry(number).filter(|entry| entry.state == DraftState::Ready);
            entry.and_then(|entry| entry.formed.as_deref()).is_some_and(|formed| formed.digest == digest(frozen.order))
        };
        if self.shown.is_some_and(|shown| !is_as_shown(shown)) {
            return Ok(Some(held_back::not_as_shown().of_order(number.clone())));
        }
        let next = self.next.map_or(Ok(None), |next| next.says(frozen))?;
        Ok(next.or(sent).or(kept))
    }

    fn says_of(&self, of: &OrderRows<'_>) -> Option<Finding> {
        let Kept { by, left_out } = self.kept(of.number?, of.at)?;
        let kept = if *left_out { held_back::left_out_by_clerk(by) } else { held_back::by_clerk(by) };
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

    /// That a row of an order was sent under another number, which may be booked or will be.
    fn sent_otherwise(&self, number: &str, at: &[RowRef]) -> Result<Option<Finding>, LedgerError> {
        let Some((ledger, service)) = self.ledger else { return Ok(None) };
        let mut said = None;
        for row in at {
            let numbers = self.said.sent.get(self.opened, *row);
            for other in numbers.into_iter().flatten().filter(|other| *other != number) {
                let Some(standing) = may_be_sent(ledger, service, other)? else { continue };
                let place = self.opened.columns.place(*row, None);
                let second = same_shipment::second_number(other, standing).of_order(number).at(place);
                let basis = |_: &Finding| Some(Basis::of([("", number), ("", other.as_str())]));
                match self.opened.columns.settle_on(second, basis) {
                    Some(second) if second.holds() => return Ok(Some(second)),
                    second => said = said.or(second),
                }
            }
        }
        Ok(said)
    }
}

/// Where an order stands that may be booked or is still to be sent; nothing of any other.
pub(super) fn may_be_sent(ledger: &Ledger, service: &str, number: &str) -> Result<Option<Finding>, LedgerError> {
    for own in ledger.order(number)? {
        if (own.service == SANDBOX) != (service == SANDBOX) {
            continue;
        }
        let is_no =
            |outcome: &str| [State::Rejected, State::Refused, State::Waiting].iter().any(|no| no.as_str() == outcome);
        let may_be_there = || own.attempts.iter().any(|attempt| !attempt.outcome.as_deref().is_some_and(is_no));
        let address = (own.service != service).then_some(own.service.as_str());
        let is = |state: State| own.state == state.as_str();
        if is(State::Booked) {
            return Ok(Some(same_shipment::booked(address, own.awb.as_deref().unwrap_or_default())));
        }
        if is(State::InDoubt) || is(State::Sending) {
            return Ok(Some(same_shipment::in_doubt(address)));
        }
        if is(State::Staged) || is(State::Waiting) {
            return Ok(Some(same_shipment::outstanding(address)));
        }
        if is(State::Abandoned) && may_be_there() {
            return Ok(Some(same_shipment::given_up(address)));
        }
    }
    Ok(None)
}
