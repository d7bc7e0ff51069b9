//! Orders that may stand twice in the sheets.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, Hash};

use crate::text::Decimal;
use sha2::{Digest, Sha256};

use super::parcel::push_parts;
use crate::column::{RowRef, Sheets};
use crate::field::{Id, push_normalised};
use crate::finding::order::{numbers_alike, same_shipment};
use crate::finding::{Basis, Finding};
use crate::ledger::two_parcels;
use crate::memo::QuickHash;
use crate::order::Order;

/// With so many entries, only the first orders are remembered: as many as a table of 8 MB has room for.
const ENTRIES_MAX: usize = 458_000;

/// What makes two orders one shipment: who gets it, where, and what is in it.
pub(super) fn shipment(order: &Order) -> u64 {
    let (receiver, destination) = (&order.receiver, &order.destination);
    let loose = [receiver.first_name.as_str(), &receiver.last_name, &destination.line1];
    let lines = order.lines.iter().map(|line| (&*line.product_name, &*line.sku, [line.quantity, line.price]));
    hashed([&receiver.phone, &destination.pin_code], loose, lines)
}

/// What tells a receiver, each alone: the phone, and the name with the address. Under one number either is enough to ask.
pub(super) fn receiver(order: &Order) -> [u64; 2] {
    let (receiver, destination) = (&order.receiver, &order.destination);
    let place = [receiver.first_name.as_str(), &receiver.last_name, &destination.line1];
    // Kept in ledgers as a shipment's is, so it is made in the same way.
    let of = |exact, loose| hashed(exact, loose, std::iter::empty());
    [of([&receiver.phone, ""], [""; 3]), of(["", &destination.pin_code], place)]
}

/// A shipment by texts that have to be the same, texts that may differ in case, spaces and punctuation, and its lines: product,
/// SKU, quantity and price. Products are told apart by where their words end: `S6-12` is not `S61-2`. Ledgers keep rows by it.
fn hashed<'a>(exact: [&str; 2], like: [&str; 3], lines: impl Iterator<Item = (&'a str, &'a str, [Decimal; 2])>) -> u64 {
    let short = |text: &str, more: &[u8]| {
        let hash: [u8; 32] = Sha256::new().chain_update(text).chain_update(more).finalize().into();
        hash.first_chunk().map_or(0, |own| u64::from_le_bytes(*own))
    };
    let mut text = String::with_capacity(160) + exact[0] + "\n" + exact[1] + "\n";
    for like in like {
        push_normalised(like, &mut text);
        text.push('\n');
    }
    // The lines may stand in any order.
    lines.fold(short(&text, &[]), |sum, (product, sku, figures)| {
        text.clear();
        push_parts(product.split(|c: char| !c.is_alphanumeric()), &mut text);
        text.push('\n');
        // Of an SKU every sign counts: programs write it.
        push_parts(sku.split_whitespace(), &mut text);
        let figures = figures.map(|figure| figure.normalize().serialize());
        sum.wrapping_add(short(&text, figures.as_flattened()))
    })
}

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
    /// The first order of each shipment, of each number in any spelling, and of both where these are others.
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
        shipment: u64,
        (number, bare): (&str, &str),
        at: RowRef,
        sheets: &Sheets,
    ) -> Option<Finding> {
        let first = self.seen.get(&shipment)?;
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

    /// That the number of an order, which comes without what spellings differ in as well, is one of the sheets before, spelled
    /// in another way.
    pub(super) fn alike(&self, (number, bare): (&str, &str), at: RowRef, sheets: &Sheets) -> Option<Finding> {
        let place = |row: RowRef| sheets.place(row, Some(Id::OrderNumber));
        let said = numbers_alike::in_sheets(number, &place(*self.seen.get(&key(bare))?)).at(place(at));
        let said = said.on_field(Id::OrderNumber.field().path).of_order(number).found(number);
        sheets.apply_on(said, |_| Some(Basis::of([("", number)])))
    }

    /// Keeps an order for comparison with later ones, by its number in any spelling, and with its shipment where it is good.
    pub(super) fn remember(&mut self, shipment: Option<u64>, bare: &str, at: RowRef) {
        let has_room = self.seen.len() < ENTRIES_MAX;
        // That two numbers are alike is no more than told.
        let is_alike = self.seen.len() < ENTRIES_MAX / 2;
        let is_first_of_number = is_alike && *self.seen.entry(key(bare)).or_insert(at) == at;
        let Some(own) = shipment.filter(|_| has_room) else { return };
        // Of the first order of a number and of a shipment, these two tell that they are one.
        if *self.seen.entry(own).or_insert(at) != at || !is_first_of_number {
            self.seen.entry(key((own, bare))).or_insert(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::{prop_assert_eq, proptest};

    use super::*;
    use crate::size::cases;

    #[test]
    fn the_hash_that_ledgers_keep_is_what_it_was() {
        let [one, price] = [Decimal::ONE, Decimal::new(49_990, 2)];
        let kurta = ("Kurta", "K-1", [one, price]);
        let hash = |lines: [_; 2]| hashed(["9812345671", "560001"], ["Asha", "Rao", "12 MG Road"], lines.into_iter());
        let saree = ("Saree", "S-1", [one, one]);
        assert_eq!(hash([kurta, saree]), 5_049_495_899_935_037_051);
        assert_eq!(hash([saree, kurta]), hash([kurta, saree]));
    }

    fn hash_of(product: &str, sku: &str) -> u64 {
        let line = (product, sku, [Decimal::ONE; 2]);
        hashed(["9812345671", "560001"], ["Asha", "Rao", "12 MG Road"], [line].into_iter())
    }

    proptest! {
        #![proptest_config(cases(256))]

        /// Parts of names and SKUs are told apart by where they end; case and blanks tell nothing apart.
        #[test]
        fn products_are_one_where_all_their_parts_are(
            one in vec("[a-z0-9]{1,3}", 1..4),
            other in vec("[a-z0-9]{1,3}", 1..4),
            sign in "[-/._ ]",
        ) {
            let (own, theirs) = (one.join(&sign), other.join(&sign));
            prop_assert_eq!(one == other, hash_of(&own, "") == hash_of(&theirs, ""));
            prop_assert_eq!(one == other, hash_of("Kurta", &own) == hash_of("Kurta", &theirs));
            let loose = format!(" {} ", own.to_uppercase().replace(' ', "   "));
            prop_assert_eq!(hash_of(&loose, &loose), hash_of(&own, &own));
        }
    }

    #[test]
    fn signs_tell_skus_apart_and_products_only_by_their_words() {
        for (one, other) in [("S6-12", "S61-2"), ("AB-1", "A-B1"), ("1.5 kg", "15 kg"), ("\u{915}-12", "\u{915}1-2")] {
            assert_ne!(hash_of(one, ""), hash_of(other, ""), "{one} {other}");
            assert_ne!(hash_of("", one), hash_of("", other), "{one} {other}");
        }
        assert_eq!(hash_of("Kurta, blue (XL)", ""), hash_of("kurta blue xl", ""));
        assert_ne!(hash_of("", "K-1"), hash_of("", "K_1"));
        assert_ne!(hash_of("A", ""), hash_of("", "A"), "a name is no SKU");
    }
}
