//! Orders of the ledger beside which one is looked at that comes under another number.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;

use crate::field::Id;
use crate::finding::order::{numbers_alike, same_shipment};
use crate::finding::{Basis, Finding};
use crate::ledger::{Intake, LedgerError, Sent, Staging, State, alias, of_each_sent, two_parcels};
use crate::memo::QuickHash;
use crate::order::{Census, key};
use crate::rule::Levels;
use crate::text::{Likeness, NumberForms, unspelled};

use super::parcel::Parcel;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// How far back the same products for the same person are told of what is booked: later, customers order again.
const BOOKED_MS: i64 = 3 * DAY_MS;

/// How far back they are asked about of what failed, or was in doubt first.
const OPEN_MS: i64 = 30 * DAY_MS;

/// Of so many booked orders with one parcel it is looked whether they are others.
const LOOKED_AT_MAX: usize = 20;

/// The numbers of so many orders that are taken up are compared once more.
const TAKEN_UP_MAX: usize = 500;

/// An order that was sent, or could still be.
#[derive(Debug, Clone)]
pub(super) struct Earlier {
    number: String,
    /// Its parcel, where its request can be read.
    parcel: Option<Parcel>,
    /// The import that brought its request.
    import: Option<i64>,
    state: State,
    awb: Option<String>,
    /// The other address of the service at which it stands, if it does.
    address: Option<String>,
    /// Whether it is booked, and was in doubt before.
    was_in_doubt: bool,
}

impl Earlier {
    fn of(sent: Sent, body: Option<&[u8]>) -> Self {
        Self {
            number: sent.number,
            parcel: body.and_then(Parcel::of_request),
            import: sent.import,
            state: sent.state,
            awb: sent.awb,
            address: sent.elsewhere,
            was_in_doubt: sent.was_in_doubt,
        }
    }

    /// Whether nobody knows whether it is booked. What a killed run was sending is in doubt as well.
    const fn is_in_doubt(&self) -> bool {
        matches!(self.state, State::InDoubt | State::Sending)
    }

    /// Whether it is booked, as was known at once.
    const fn is_over(&self) -> bool {
        matches!(self.state, State::Booked | State::Abandoned) && !self.was_in_doubt
    }

    /// A part of a finding: where it stands.
    fn standing(&self) -> Finding {
        standing(self.state, self.address.as_deref(), self.awb.as_deref().unwrap_or_default())
    }

    /// A finding on an order whose number is like this one's, or stands beside it.
    fn said_by_number(&self, own: &Own<'_>) -> Option<Finding> {
        let (number, standing) = (&*self.number, self.standing());
        let is_same = own.has_parcel_of(self);
        let is_for_same_person =
            own.parcel.zip(self.parcel).is_some_and(|(own, theirs)| own.is_for_same_person(&theirs));
        match own.forms.likeness(&NumberForms::of(number)) {
            Some(Likeness::Respelled) if own.is_all_the_same(self) => {
                Some(same_shipment::respelled_before(number, standing))
            }
            Some(Likeness::Respelled) => Some(numbers_alike::sent_before(own.number, number, standing)),
            // What is in doubt is told as that.
            _ if is_for_same_person && self.state == State::InDoubt => None,
            Some(Likeness::Spoiled) if is_for_same_person => Some(same_shipment::spoiled(number, standing)),
            Some(Likeness::Within) if is_same => Some(same_shipment::within(number, standing)),
            _ if is_same && own.beside.contains(&alias(number)) => Some(same_shipment::second_number(number, standing)),
            _ => None,
        }
    }

    /// A finding on an order by its parcel alone.
    fn said_by_parcel(&self, own: &Own<'_>, is_same: bool) -> Option<Finding> {
        let number = &*self.number;
        match self.state {
            State::InDoubt | State::Sending if is_same => Some(same_shipment::again_in_doubt(number)),
            State::InDoubt => Some(same_shipment::same_person_as_doubt(number)),
            _ if !is_same => None,
            State::Booked if self.was_in_doubt => Some(same_shipment::again_after_doubt(number, self.standing())),
            State::Booked | State::Abandoned => {
                own.is_all_the_same(self).then(|| same_shipment::again_after(number, self.standing()))
            }
            _ => Some(same_shipment::again_unsent(number, self.standing())),
        }
    }
}

/// A part of a finding: where an order stands that was sent or is to be.
pub(super) fn standing(state: State, address: Option<&str>, awb: &str) -> Finding {
    match state {
        State::Booked => same_shipment::booked(address, awb),
        State::Abandoned => same_shipment::given_up(address),
        State::Rejected | State::Refused => same_shipment::failed(address),
        State::Staged | State::Waiting | State::Held | State::LeftOut | State::Dismissed => {
            same_shipment::outstanding(address)
        }
        _ => same_shipment::in_doubt(address),
    }
}

/// An order as it is looked for.
pub(super) struct Own<'a> {
    pub(super) number: &'a str,
    pub(super) forms: NumberForms,
    pub(super) parcel: Option<Parcel>,
    /// The import that brought it, of one that a run takes up.
    pub(super) import: Option<i64>,
    /// The numbers that stand beside its own, by their values.
    pub(super) beside: &'a [i64],
    /// Numbers that somebody typed over this one, or this one over: what becomes of those is another question.
    pub(super) former: &'a [String],
    /// The numbers of all orders that come with it: one source names them, so that they are other parcels.
    pub(super) census: Option<&'a Census>,
}

impl Own<'_> {
    /// Whether it has the products of an order, for the same person.
    fn has_parcel_of(&self, earlier: &Earlier) -> bool {
        self.parcel.zip(earlier.parcel).is_some_and(|(own, theirs)| own.is_same(&theirs))
    }

    /// Whether nothing of the parcel of an order differs from its own.
    fn is_all_the_same(&self, earlier: &Earlier) -> bool {
        self.parcel.zip(earlier.parcel).is_some_and(|(own, theirs)| own.is_all_the_same(&theirs))
    }

    /// Whether an order comes with it, and is another one: neither its number, spelled otherwise, nor in doubt with its parcel.
    fn comes_with(&self, earlier: &Earlier) -> bool {
        let rows = |census: &Census| census.rows(key(&earlier.number)).unwrap_or_default();
        self.census.is_some_and(|census| rows(census) > 0)
            && !(earlier.is_in_doubt() && self.has_parcel_of(earlier))
            && unspelled(&earlier.number) != self.forms.own
    }
}

/// Orders whose parcels others are compared with, by what they are found by.
#[derive(Debug, Default)]
pub struct Lately {
    all: Vec<Earlier>,
    by: HashMap<u64, Vec<u32>, BuildHasherDefault<QuickHash>>,
}

/// The orders whose numbers are like one's, or stand beside it.
pub(super) fn near(intake: &dyn Intake, number: &str, beside: &[i64]) -> Result<Vec<Earlier>, LedgerError> {
    of_each_sent(|each| intake.alike(number, beside, each), Earlier::of)
}

impl Lately {
    /// Orders that could still be sent, are in doubt, or were booked in the days before.
    ///
    /// # Errors
    /// The ledger cannot be read.
    pub fn of(intake: &dyn Intake, now_ms: i64) -> Result<Self, LedgerError> {
        let all = of_each_sent(|each| intake.sent_lately((now_ms - OPEN_MS, now_ms - BOOKED_MS), each), Earlier::of)?;
        let mut lately = Self::default();
        for earlier in all {
            lately.put(earlier);
        }
        Ok(lately)
    }

    fn put(&mut self, earlier: Earlier) {
        let Some(parcel) = earlier.parcel else { return };
        let place = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        let is_in_doubt = earlier.state == State::InDoubt;
        let by_person = parcel.by_person().filter(|_| is_in_doubt);
        parcel.by_all().chain(by_person).for_each(|key| self.by.entry(key).or_default().push(place));
        self.all.push(earlier);
    }

    /// The first of other numbers, and of other imports, with the parcel of an order, or in doubt for its person.
    fn beside<'l>(&'l self, own: &Own<'_>) -> Vec<(&'l Earlier, bool)> {
        let Some(parcel) = own.parcel.filter(|_| !self.all.is_empty()) else { return Vec::new() };
        let places = parcel.by_all().chain(parcel.by_person()).filter_map(|key| self.by.get(&key)).flatten();
        let all = places.filter_map(|place| Some((place, self.all.get(usize::try_from(*place).ok()?)?)));
        let mut seen = HashSet::new();
        let is_other =
            |earlier: &Earlier| earlier.number != own.number && (own.import.is_none() || own.import != earlier.import);
        let others = all.filter(|(place, earlier)| is_other(earlier) && seen.insert(**place));
        let others = others.map(|(_, earlier)| (earlier, own.has_parcel_of(earlier)));
        // Of those that are booked, more is only told.
        let (booked, mut others): (Vec<_>, Vec<_>) = others.partition(|(earlier, _)| earlier.is_over());
        others.extend(booked.into_iter().take(LOOKED_AT_MAX));
        others
    }

    /// The first finding on an order, beside those whose numbers are near to its own, that holds; else the first of all. `settle` gives
    /// each the weight that its rule has.
    pub(super) fn said(
        &self,
        (own, near): (&Own<'_>, &[Earlier]),
        intake: &dyn Intake,
        settle: impl Fn(Finding, Basis) -> Option<Finding>,
    ) -> Result<Option<Finding>, LedgerError> {
        let by_number = near.iter().filter_map(|earlier| Some((earlier, earlier.said_by_number(own)?)));
        let by_parcel = self.beside(own).into_iter();
        let by_parcel =
            by_parcel.filter_map(|(earlier, is_same)| Some((earlier, earlier.said_by_parcel(own, is_same)?)));
        let mut first = None;
        for (earlier, said) in by_number.chain(by_parcel) {
            if own.former.contains(&earlier.number) || own.comes_with(earlier) {
                continue;
            }
            let said = said.on_field(Id::OrderNumber.field().path).of_order(own.number).found(own.number);
            let Some(said) = settle(said, two_parcels(own.number, &earlier.number)) else { continue };
            if (first.is_some() && !said.holds()) || intake.are_two(own.number, &earlier.number)? {
                continue;
            }
            if said.holds() {
                return Ok(Some(said));
            }
            first = Some(said);
        }
        Ok(first)
    }
}

/// Findings on orders that a run takes up from the ledger, beside others and beside each other. The numbers of many were compared when
/// they came.
pub fn said_of_taken_up(staging: &Staging<'_>, now_ms: i64, levels: &Levels) -> Result<Vec<Finding>, LedgerError> {
    let taken = of_each_sent(|each| staging.for_each_taken_up(each), Earlier::of)?;
    let numbers: HashSet<&String> = taken.iter().map(|own| &own.number).collect();
    let (mut lately, mut said) = (Lately::default(), Vec::new());
    let earlier = Lately::of(staging, now_ms)?.all.into_iter();
    for other in earlier.filter(|own| !numbers.contains(&own.number)) {
        lately.put(other);
    }
    let compares_numbers = taken.len() <= TAKEN_UP_MAX;
    for taken in taken {
        let (number, forms, parcel) = (&*taken.number, NumberForms::of(&taken.number), taken.parcel);
        let own = Own { number, forms, parcel, import: taken.import, beside: &[], former: &[], census: None };
        let near = if compares_numbers { near(staging, number, &[])? } else { Vec::new() };
        said.extend(lately.said((&own, &near), staging, |said, basis| levels.apply(said, |_| Some(basis)))?);
        lately.put(taken);
    }
    Ok(said)
}
