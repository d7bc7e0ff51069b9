//! The duplicate check: what may be one order twice, in the sheets and among what was sent lately.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};

use rust_decimal::Decimal;
use serde_json::Value as Json;

use crate::column::{RowRef, Sheets};
use crate::field::{Id, push_normalised};
use crate::finding::order::{numbers_alike, same_shipment};
use crate::finding::{Basis, Finding};
use crate::ledger::{Intake, LedgerError, Sent, State};
use crate::order::Order;

use super::spelling::unspelled;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// How far back the spellings of order numbers are compared.
const SINCE_MS: i64 = 30 * DAY_MS;

/// How far back the same products for the same person under another number are told: later, customers order again.
const SAME_SHIPMENT_MS: i64 = 3 * DAY_MS;

/// Requests that are looked at, which takes some 0.3 s; beyond that, only the newest.
const REQUESTS_MAX: u32 = 20_000;

/// With so many entries, only the first orders are remembered: as many as a table of 8 MB has room for.
const ENTRIES_MAX: usize = 458_000;

/// What makes two orders one shipment: who gets it, where, and what is in it.
pub(super) fn shipment(order: &Order) -> u64 {
    let (receiver, destination) = (&order.receiver, &order.destination);
    let loose = [receiver.first_name.as_str(), &receiver.last_name, &destination.line1];
    let lines = order.lines.iter().map(|line| (&*line.product_name, &*line.sku, [line.quantity, line.price]));
    hashed([&receiver.phone, &destination.pin_code], loose, lines)
}

/// The same of a request that was sent; nothing of one in another shape.
fn shipment_of(body: &[u8]) -> Option<u64> {
    let body: Json = serde_json::from_slice(body).ok()?;
    let text = |path: &str| body.pointer(path).and_then(Json::as_str);
    let line = |line: &'_ Json| {
        let figure = |name: &str| line.get(name)?.as_number()?.to_string().parse::<Decimal>().ok();
        let texts = [line.get("productName")?.as_str()?.to_owned(), line.get("sku")?.as_str()?.to_owned()];
        Some((texts, [figure("quantity")?, figure("price")?]))
    };
    let lines: Vec<_> = body.get("productRequestsList")?.as_array()?.iter().map(line).collect::<Option<_>>()?;
    let exact = [text("/receiver/phoneNumber")?, text("/destination/pinCode")?];
    let loose = [text("/receiver/firstName")?, text("/receiver/lastName")?, text("/destination/addressLine1")?];
    Some(hashed(exact, loose, lines.iter().map(|([product, sku], figures)| (&**product, &**sku, *figures))))
}

/// A shipment by texts that have to be the same, texts that may differ in case, spaces and punctuation, and its lines: product,
/// SKU, quantity and price.
fn hashed<'a>(
    exact: [&str; 2],
    loose: [&str; 3],
    lines: impl Iterator<Item = (&'a str, &'a str, [Decimal; 2])>,
) -> u64 {
    let mut text = String::with_capacity(128);
    for plain in exact {
        text.push_str(plain);
        text.push('\n');
    }
    for loose in loose {
        push_normalised(loose, &mut text);
        text.push('\n');
    }
    let hasher = BuildHasherDefault::<DefaultHasher>::default();
    let to = hasher.hash_one(&text);
    // The lines may stand in any order.
    lines.fold(to, |sum, (product, sku, figures)| {
        text.clear();
        push_normalised(product, &mut text);
        text.push('\n');
        let figures = figures.map(|figure| figure.normalize().serialize());
        sum.wrapping_add(hasher.hash_one((&text, sku, figures.as_flattened())))
    })
}

/// An order that was sent in the last weeks, or is still to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Earlier {
    number: String,
    /// What tells its shipment from others, where its request can be read.
    shipment: Option<u64>,
    /// Whether it is of the last days.
    is_of_days: bool,
    state: State,
    awb: Option<String>,
    /// The other address of the service at which it stands, if it does.
    address: Option<String>,
    /// Whether it is booked, and was in doubt before.
    was_in_doubt: bool,
}

impl Earlier {
    fn of(sent: &Sent<'_>, now_ms: i64) -> Self {
        Self {
            number: sent.number.to_owned(),
            shipment: shipment_of(sent.body),
            is_of_days: sent.staged_ms >= now_ms - SAME_SHIPMENT_MS,
            state: sent.state,
            awb: sent.awb.map(str::to_owned),
            address: sent.elsewhere.map(ToString::to_string),
            was_in_doubt: sent.was_in_doubt,
        }
    }

    /// Whether nobody knows, or knew at first, whether it is booked. What a killed run was sending is in doubt as well.
    const fn is_in_doubt(&self) -> bool {
        matches!(self.state, State::InDoubt | State::Sending) || self.was_in_doubt
    }

    /// What is said of where it stands.
    fn standing(&self) -> Finding {
        standing(self.state, self.address.as_deref(), self.awb.as_deref().unwrap_or_default())
    }
}

/// What is said of where an order stands that was sent or is to be.
pub(super) fn standing(state: State, address: Option<&str>, awb: &str) -> Finding {
    match state {
        State::Booked => same_shipment::booked(address, awb),
        State::Abandoned => same_shipment::given_up(address),
        State::Staged | State::Waiting => same_shipment::outstanding(address),
        _ => same_shipment::in_doubt(address),
    }
}

/// What is said of an order of which a row was sent under another number, which stands so. Whoever lets it go does so as long as
/// that one stands there.
pub fn second_number(number: &str, (other, standing): (&str, Finding), at: RowRef, sheets: &Sheets) -> Option<Finding> {
    let said = same_shipment::second_number(other, standing);
    let facts = said.detail();
    let said = said.of_order(number).at(sheets.place(at, Some(Id::OrderNumber)));
    sheets.settle_on(said, |_| Some(Basis::of([("", number), ("", &*facts)])))
}

/// What was sent in the weeks before a run, or is still to be.
pub(super) fn sent_lately(intake: &dyn Intake, now_ms: i64) -> Result<Vec<Earlier>, LedgerError> {
    let mut earlier = Vec::new();
    intake.sent_since(now_ms - SINCE_MS, REQUESTS_MAX, &mut |sent| earlier.push(Earlier::of(sent, now_ms)))?;
    Ok(earlier)
}

/// The good orders of the sheets so far, and those that were sent lately.
#[derive(Debug, Default)]
pub(super) struct Shipments {
    /// The first order of each shipment, of each shipment with a number, however that is spelled, and of each number, see
    /// [`key`].
    seen: HashMap<u64, RowRef>,
    /// Those of the last days by their shipment, and those in doubt.
    lately: HashMap<u64, Earlier>,
    /// Those of the last weeks by their number, however it is spelled.
    numbers: HashMap<String, Vec<Earlier>>,
}

/// What tells a number, however it is spelled, or a shipment under it.
fn key(own: impl Hash) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(own)
}

impl Shipments {
    /// Beside what was sent lately.
    pub(super) fn beside(earlier: Vec<Earlier>) -> Self {
        let mut shipments = Self::default();
        for order in earlier {
            let is_in_doubt = order.is_in_doubt();
            // Of several with one shipment, the one in doubt counts, however old it is.
            if let Some(shipment) = order.shipment.filter(|_| is_in_doubt || order.is_of_days)
                && (is_in_doubt || !shipments.lately.get(&shipment).is_some_and(Earlier::is_in_doubt))
            {
                shipments.lately.insert(shipment, order.clone());
            }
            shipments.numbers.entry(unspelled(&order.number)).or_default().push(order);
        }
        shipments
    }

    /// What there is to say of an order before it is sent. It may be an earlier one, its number spelled in another way: with the
    /// same products to the same person, `A-1` and `a1` are no two orders; with others, a person has to say so. Or it is one
    /// under another number, unless it is over by the ledger. The first that holds is enough, whatever a person let go.
    pub(super) fn said(
        &self,
        shipment: u64,
        (number, is_over): (&str, bool),
        at: RowRef,
        sheets: &Sheets,
    ) -> Option<Finding> {
        let place = |there: RowRef| sheets.place(there, Some(Id::OrderNumber));
        let first = self.seen.get(&shipment);
        let in_sheets = || {
            let there = first.and_then(|_| self.seen.get(&key((shipment, unspelled(number)))))?;
            Some(same_shipment::respelled(&place(*there)))
        };
        let in_ledger = || {
            let before = self.respelled(number)?.iter().find(|before| before.shipment == Some(shipment))?;
            Some(same_shipment::respelled_before(&before.number, before.standing()))
        };
        // With other products or for somebody else, both may be meant.
        let alike = || {
            let before = self.respelled(number)?.first()?;
            Some(numbers_alike::sent_before(number, &before.number, before.standing()))
        };
        let before = self.lately.get(&shipment).filter(|before| before.number != number);
        let in_doubt = || {
            let own = before.filter(|own| own.is_in_doubt() && !is_over)?;
            let settled = (own.state == State::Booked).then(|| own.standing());
            let again = |standing| same_shipment::again_after_doubt(&own.number, standing);
            Some(settled.map_or_else(|| same_shipment::again_in_doubt(&own.number), again))
        };
        let again = || {
            if let Some(there) = first {
                return Some(same_shipment::again(&place(*there)));
            }
            let before = before.filter(|own| !own.is_in_doubt() || is_over)?;
            Some(same_shipment::again_after(&before.number, before.standing()))
        };
        let mut said = None;
        for finding in [&in_sheets as &dyn Fn() -> Option<Finding>, &in_ledger, &in_doubt, &alike, &again] {
            let id = Id::OrderNumber;
            let placed = |said: Finding| said.at(sheets.place(at, Some(id))).on_field(id.field().path).of_order(number);
            let finding = finding().map(|finding| placed(finding).found(number));
            // The shipment stands for all that is sent.
            let basis = |_: &Finding| Some(Basis::of([("", number), ("", &*shipment.to_string())]));
            match finding.and_then(|finding| sheets.settle_on(finding, basis)) {
                Some(finding) if finding.holds() => return Some(finding),
                finding => said = said.or(finding),
            }
        }
        said
    }

    /// That the number of an order is one of the sheets before, spelled in another way.
    pub(super) fn alike(&self, number: &str, at: RowRef, sheets: &Sheets) -> Option<Finding> {
        let place = |row: RowRef| sheets.place(row, Some(Id::OrderNumber));
        let said = numbers_alike::in_sheets(number, &place(*self.seen.get(&key(unspelled(number)))?)).at(place(at));
        let said = said.on_field(Id::OrderNumber.field().path).of_order(number).found(number);
        sheets.settle_on(said, |_| Some(Basis::of([("", number)])))
    }

    /// Whether an order of this shipment is in doubt under another number.
    pub(super) fn is_in_doubt(&self, shipment: u64, number: &str) -> bool {
        self.lately.get(&shipment).is_some_and(|before| before.number != number && before.is_in_doubt())
    }

    /// The orders of the last weeks whose number is this one, spelled in another way. None where one of them has the very
    /// number: then the ledger knows the order, and what is to be done with it.
    fn respelled(&self, number: &str) -> Option<&[Earlier]> {
        // Most ledgers are empty or large: the spelling is taken apart only where there is something to compare.
        if self.numbers.is_empty() {
            return None;
        }
        let before = self.numbers.get(&unspelled(number))?;
        before.iter().all(|before| before.number != number).then_some(before)
    }

    /// Keeps an order for comparison with later ones, with its shipment where it is good.
    pub(super) fn remember(&mut self, shipment: Option<u64>, number: &str, at: RowRef) {
        let (number, has_room) = (unspelled(number), self.seen.len() < ENTRIES_MAX);
        // That two numbers are alike is no more than told.
        let alike = (self.seen.len() < ENTRIES_MAX / 2).then(|| key(&number));
        let good = shipment.filter(|_| has_room).into_iter().flat_map(|own| [own, key((own, &number))]);
        for key in alike.into_iter().chain(good) {
            self.seen.entry(key).or_insert(at);
        }
    }
}
