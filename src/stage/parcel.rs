//! Who gets a parcel, and what is in it: as an order has it, and as a request that was sent.

use std::borrow::Cow;
use std::hash::{BuildHasher, BuildHasherDefault, Hash};

use serde::Deserialize;
use serde_json::Number;

use crate::field::push_normalised;
use crate::memo::QuickHash;
use crate::order::Order;
use crate::text::Decimal;

/// The last digits of a phone number, which tell it apart whether or not its country stands before them.
const PHONE_DIGITS: usize = 10;

/// A parcel by hashes, for as long as the program runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parcel {
    /// The phone, the name and the PIN code of the receiver; nothing where one is blank.
    who: [Option<u64>; 3],
    /// The first line of the address.
    street: u64,
    /// The products with their quantities and prices, in whatever order.
    products: u64,
    /// How many products.
    count: usize,
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
        let (mut text, mut digits) = (String::with_capacity(64), [0; PHONE_DIGITS]);
        // From the last one on.
        let last = phone.bytes().rev().filter(u8::is_ascii_digit);
        digits.iter_mut().zip(last).for_each(|(kept, digit)| *kept = digit);
        for part in name {
            push_normalised(part, &mut text);
        }
        let name = (!text.is_empty()).then(|| hash(&*text));
        text.clear();
        push_normalised(pin_code, &mut text);
        let pin_code = (!text.is_empty()).then(|| hash(&*text));
        text.clear();
        push_normalised(street, &mut text);
        let street = hash(&*text);
        let who = [(digits[0] != 0).then(|| hash(digits)), name, pin_code];
        let mut count = 0;
        let products = lines.fold(0_u64, |sum, (product, sku, figures)| {
            count += 1;
            text.clear();
            push_parts(product.split(|c: char| !c.is_alphanumeric()), &mut text);
            text.push('\n');
            // Of an SKU every sign counts: programs write it.
            push_parts(sku.split_whitespace(), &mut text);
            sum.wrapping_add(hash((&*text, figures.map(|figure| figure.normalize().serialize()))))
        });
        Self { who, street, products, count }
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

/// Adds the parts of a text in small letters, each behind a blank: `S6-12` is not `S61-2`.
pub(super) fn push_parts<'a>(parts: impl Iterator<Item = &'a str>, out: &mut String) {
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
