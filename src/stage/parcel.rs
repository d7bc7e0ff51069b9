//! Who gets a parcel, and what is in it: as an order has it, and as a request that was sent.

use std::borrow::Cow;
use std::hash::{BuildHasher, BuildHasherDefault, Hash};

use serde::Deserialize;
use serde_json::Number;
use sha2::{Digest as _, Sha256};

use crate::field::normalised;
use crate::memo::QuickHash;
use crate::order::Order;
use crate::text::Decimal;

/// The last digits of a phone number, which tell it apart whether or not its country stands before them.
const PHONE_DIGITS: usize = 10;

/// A parcel by hashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parcel {
    /// The phone, the name and the PIN code of the receiver; nothing where one is blank. For as long as the program runs.
    who: [Option<u64>; 3],
    /// The first line of the address, in the same way.
    street: u64,
    /// The products with their quantities and prices, in whatever order.
    products: u64,
    /// How many products.
    count: usize,
    /// The phone, and the name with the address, as they are spelled.
    receiver: [u64; 2],
    /// Both in one.
    to: u64,
    /// The same but for the phone, and but for the PIN code; nothing where that is blank anyway.
    to_less: [Option<u64>; 2],
}

/// A request, as far as it names its parcel, by the names of the API.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request<'b> {
    #[serde(borrow)]
    receiver: RequestPart<'b>,
    #[serde(borrow)]
    destination: RequestPart<'b>,
    #[serde(borrow)]
    product_requests_list: Vec<RequestPart<'b>>,
}

/// The parts of a request, of which each has some: empty ones may be left out.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct RequestPart<'b> {
    #[serde(borrow)]
    phone_number: Cow<'b, str>,
    #[serde(borrow)]
    first_name: Cow<'b, str>,
    #[serde(borrow)]
    last_name: Cow<'b, str>,
    #[serde(borrow)]
    pin_code: Cow<'b, str>,
    #[serde(borrow)]
    address_line1: Cow<'b, str>,
    #[serde(borrow)]
    product_name: Cow<'b, str>,
    #[serde(borrow)]
    sku: Cow<'b, str>,
    quantity: Option<Number>,
    price: Option<Number>,
}

impl Parcel {
    pub(super) fn of_order(order: &Order) -> Self {
        let (receiver, to) = (&order.receiver, &order.destination);
        let lines = order.lines.iter().map(|line| (&*line.product_name, &*line.sku, [line.quantity, line.price]));
        let name = [&*receiver.first_name, &*receiver.last_name];
        Self::of(&receiver.phone, name, [&to.pin_code, &to.line1], lines)
    }

    /// The parcel of a request; nothing of one in another shape.
    pub(super) fn of_request(body: &[u8]) -> Option<Self> {
        let Request { receiver, destination, product_requests_list: lines } = serde_json::from_slice(body).ok()?;
        let figure = |figure: &Option<Number>| figure.as_ref()?.to_string().parse::<Decimal>().ok();
        let figures = |line: &RequestPart<'_>| Some([figure(&line.quantity)?, figure(&line.price)?]);
        let figures: Vec<[Decimal; 2]> = lines.iter().map(figures).collect::<Option<_>>()?;
        let lines = lines.iter().zip(figures).map(|(line, figures)| (&*line.product_name, &*line.sku, figures));
        let name = [&*receiver.first_name, &*receiver.last_name];
        let to = [&*destination.pin_code, &*destination.address_line1];
        Some(Self::of(&receiver.phone_number, name, to, lines))
    }

    fn of<'a>(
        phone: &str,
        name: [&str; 2],
        [pin_code, street]: [&str; 2],
        lines: impl Iterator<Item = (&'a str, &'a str, [Decimal; 2])>,
    ) -> Self {
        let (mut text, mut digits) = (String::with_capacity(160), [0; PHONE_DIGITS]);
        // From the last one on.
        let last = phone.bytes().rev().filter(u8::is_ascii_digit);
        digits.iter_mut().zip(last).for_each(|(kept, digit)| *kept = digit);
        let [first, last, near, pin] = &[name[0], name[1], street, pin_code].map(normalised);
        let mut loose = |parts: &[&str]| {
            text.clear();
            text.extend(parts.iter().copied());
            (!text.is_empty()).then(|| hash(&*text))
        };
        let who = [(digits[0] != 0).then(|| hash(digits)), loose(&[first, last]), loose(&[pin])];
        let street = loose(&[near]).unwrap_or_default();
        let mut exact = |phone: &str, pin_code: &str, [first, last, near]: [&str; 3]| {
            text.clear();
            text.extend([phone, "\n", pin_code, "\n", first, "\n", last, "\n", near, "\n"]);
            kept_hash(&text, &[])
        };
        let named = [&**first, last, near];
        let receiver = [exact(phone, "", [""; 3]), exact("", pin_code, named)];
        let to = exact(phone, pin_code, named);
        let to_less =
            [(!phone.is_empty()).then_some(receiver[1]), (!pin_code.is_empty()).then(|| exact(phone, "", named))];
        let mut count = 0;
        let products = lines.fold(0_u64, |sum, (product, sku, figures)| {
            count += 1;
            text.clear();
            push_parts(product.split(|c: char| !c.is_alphanumeric()), &mut text);
            text.push('\n');
            // Of an SKU every sign counts: programs write it.
            push_parts(sku.split_whitespace(), &mut text);
            let figures = figures.map(|figure| figure.normalize().serialize());
            sum.wrapping_add(kept_hash(&text, figures.as_flattened()))
        });
        Self { who, street, products, count, receiver, to, to_less }
    }

    /// What tells its shipment: who gets it, where, and what is in it; case, blanks and punctuation of names, and the order of its
    /// products, tell nothing apart. Ledgers keep rows by it.
    pub(crate) const fn shipment(&self) -> u64 {
        self.to.wrapping_add(self.products)
    }

    /// What would tell its shipment without its phone, and without its PIN code, where it has one.
    pub(super) fn less(&self) -> [Option<u64>; 2] {
        self.to_less.map(|to| to.map(|to| to.wrapping_add(self.products)))
    }

    /// What tells its shipment from others, as it is and less filled.
    pub(super) fn shipments(&self) -> impl Iterator<Item = u64> + use<> {
        std::iter::once(self.shipment()).chain(self.less().into_iter().flatten())
    }

    /// What tells its receiver, each alone: the phone, and the name with the address. Under one number either is enough to ask.
    /// Ledgers keep rows by it.
    pub(super) const fn receiver(&self) -> [u64; 2] {
        self.receiver
    }

    /// Whether it is for the same receiver, at the same address, with the same products as another one, however they are spelled.
    pub(super) fn is_all_the_same(&self, other: &Self) -> bool {
        let all = |own: &Self| (own.who, own.street, own.products, own.count);
        all(self) == all(other)
    }

    /// Its keys among parcels for the same person: two of phone, name and PIN code.
    pub(super) fn by_person(&self) -> impl Iterator<Item = u64> {
        let [phone, name, pin_code] = self.who;
        let pairs = [(0_u8, phone.zip(name)), (1, phone.zip(pin_code)), (2, name.zip(pin_code))];
        pairs.into_iter().filter_map(|(which, pair)| pair.map(|pair| hash((which, pair))))
    }

    /// Its keys among parcels with the same products for the same person.
    pub(super) fn by_all(&self) -> impl Iterator<Item = u64> {
        let products = self.products;
        self.by_person().map(move |pair| hash((pair, products)))
    }

    /// Whether it is for the same person as another one.
    pub(super) fn is_for_same_person(&self, other: &Self) -> bool {
        self.by_person().any(|own| other.by_person().any(|theirs| own == theirs))
    }

    /// Whether it has the same products for the same person as another one.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.products == other.products && self.is_for_same_person(other)
    }

    /// How many products it has.
    pub(super) const fn product_count(&self) -> usize {
        self.count
    }

    /// Whether phone and name with PIN code are both somebody else's.
    pub(super) fn is_for_another(&self, other: &Self) -> bool {
        self.who[0] != other.who[0] && self.who[1..] != other.who[1..]
    }
}

fn hash(own: impl Hash) -> u64 {
    BuildHasherDefault::<QuickHash>::default().hash_one(own)
}

/// A hash that is the same in whatever process.
fn kept_hash(text: &str, more: &[u8]) -> u64 {
    let hash: [u8; 32] = Sha256::new().chain_update(text).chain_update(more).finalize().into();
    hash.first_chunk().map_or(0, |own| u64::from_le_bytes(*own))
}

/// Adds the parts of a text in small letters, each behind a blank: `S6-12` is not `S61-2`.
fn push_parts<'a>(parts: impl Iterator<Item = &'a str>, out: &mut String) {
    for part in parts.filter(|part| !part.is_empty()) {
        out.push(' ');
        if part.is_ascii() {
            let start = out.len();
            out.push_str(part);
            out[start..].make_ascii_lowercase();
        } else {
            out.extend(part.chars().flat_map(char::to_lowercase));
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
        let hash = |lines: [_; 2]| {
            let parcel = Parcel::of("9812345671", ["Asha", "Rao"], ["560001", "12 MG Road"], lines.into_iter());
            assert_eq!(parcel.receiver(), [16_258_087_934_402_235_078, 3_355_630_811_261_836_189]);
            parcel.shipment()
        };
        let saree = ("Saree", "S-1", [one, one]);
        assert_eq!(hash([kurta, saree]), 5_049_495_899_935_037_051);
        assert_eq!(hash([saree, kurta]), hash([kurta, saree]));
    }

    fn hash_of(product: &str, sku: &str) -> u64 {
        let line = (product, sku, [Decimal::ONE; 2]);
        Parcel::of("9812345671", ["Asha", "Rao"], ["560001", "12 MG Road"], [line].into_iter()).products
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
