//! Orders that may stand twice in the sheets.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, Hash};

use crate::column::{RowRef, Sheets};
use crate::field::Id;
use crate::finding::order::{numbers_alike, same_shipment};
use crate::finding::{Basis, Finding};
use crate::ledger::two_parcels;
use crate::memo::QuickHash;

use super::parcel::Parcel;

/// With so many entries, only the first orders are remembered: as many as a table of 8 MB has room for.
const ENTRIES_MAX: usize = 458_000;

/// A finding on an order of which a row was sent under another number. An acceptance says that they are two parcels.
pub(super) fn second_number(
    number: &str,
    (other, standing): (&str, Finding),
    at: RowRef,
    sheets: &Sheets,
) -> Option<Finding> {
    let said = same_shipment::second_number(other, standing).of_order(number);
    sheets.apply_on(said.at(sheets.place(at, Some(Id::OrderNumber))), |_| Some(two_parcels(number, other)))
}

/// The good orders of the sheets so far.
#[derive(Debug, Default)]
pub(super) struct Shipments {
    /// The first order of each shipment, of each that is one without its phone or its PIN code, of each number in any spelling, and
    /// of shipment and number where these are others.
    seen: HashMap<u64, RowRef, BuildHasherDefault<QuickHash>>,
}

/// What tells a number, however it is spelled, or a shipment under it.
fn key(own: impl Hash) -> u64 {
    BuildHasherDefault::<QuickHash>::default().hash_one(own)
}

impl Shipments {
    /// A finding on an order beside those before it: with the same products to the same person, `A-1` and `a1` are no
    /// two orders; with others, a person has to say so.
    pub(super) fn said(
        &self,
        parcel: &Parcel,
        (number, bare): (&str, &str),
        at: RowRef,
        sheets: &Sheets,
    ) -> Option<Finding> {
        let (first, shipment) = (self.first_of(parcel)?, parcel.shipment());
        let place = |there: &RowRef| sheets.place(*there, Some(Id::OrderNumber));
        let of_number = || self.seen.get(&key(bare)).filter(|of_number| *of_number == first);
        let there = self.seen.get(&key((shipment, bare))).or_else(of_number);
        let settle = |said: Finding| {
            let said = said.at(place(&at)).on_field(Id::OrderNumber.field().path).of_order(number).found(number);
            sheets.apply_on(said, |_| Some(Basis::of([("", number), ("", &*shipment.to_string())])))
        };
        let respelled = there.and_then(|there| settle(same_shipment::respelled(&place(there))));
        respelled.or_else(|| settle(same_shipment::again(&place(first))))
    }

    /// The first order with a shipment, or with one that has no phone or no PIN code where the other has it: a blank says nothing.
    fn first_of(&self, parcel: &Parcel) -> Option<&RowRef> {
        let (shipment, less) = (parcel.shipment(), parcel.less());
        let fuller = (0_u8..).zip(less).filter(|(_, less)| less.is_none()).map(|(which, _)| key((which, shipment)));
        parcel.shipments().chain(fuller).find_map(|own| self.seen.get(&own))
    }

    /// That the number of an order, which comes without what spellings differ in as well, is one of the sheets before, spelled
    /// in another way.
    pub(super) fn alike(&self, (number, bare): (&str, &str), at: RowRef, sheets: &Sheets) -> Option<Finding> {
        let place = |row: RowRef| sheets.place(row, Some(Id::OrderNumber));
        let said = numbers_alike::in_sheets(number, &place(*self.seen.get(&key(bare))?)).at(place(at));
        let said = said.on_field(Id::OrderNumber.field().path).of_order(number).found(number);
        sheets.apply_on(said, |_| Some(Basis::of([("", number)])))
    }

    /// Keeps an order for comparison with later ones, by its number in any spelling, and with its parcel where it is good.
    pub(super) fn remember(&mut self, parcel: Option<Parcel>, bare: &str, at: RowRef) {
        let has_room = self.seen.len() < ENTRIES_MAX;
        // That two numbers are alike, or two shipments but for a blank, is no more than told.
        let has_much_room = self.seen.len() < ENTRIES_MAX / 2;
        let is_first_of_number = has_much_room && *self.seen.entry(key(bare)).or_insert(at) == at;
        let Some(parcel) = parcel.filter(|_| has_room) else { return };
        let own = parcel.shipment();
        // Of the first order of a number and of a shipment, these two tell that they are one.
        if *self.seen.entry(own).or_insert(at) != at || !is_first_of_number {
            self.seen.entry(key((own, bare))).or_insert(at);
        }
        let less = (0_u8..).zip(parcel.less()).filter(|_| has_much_room);
        for (which, less) in less.filter_map(|(which, less)| Some((which, less?))) {
            self.seen.entry(key((which, less))).or_insert(at);
        }
    }
}
