//! What looks like a mistake and may be none: said before money is spent, and sent all the same.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use rust_decimal::Decimal;

use crate::check::NumbersAlike;
use crate::column::{RowRef, Sheets};
use crate::field::{Id, push_normalised};
use crate::finding::order::{numbers_alike, same_line, same_shipment, split_order};
use crate::finding::{Basis, Finding, Remedy, Value};
use crate::order::{Draft, Order};
use crate::origin::Place;

use super::spelling::{bits_of, unspelled};

/// What makes two orders one shipment: who gets it, where, and what is in it.
pub(super) fn shipment(order: &Order) -> u64 {
    let (receiver, destination) = (&order.receiver, &order.destination);
    let exact = [receiver.phone.as_str(), &destination.pin_code];
    let loose = [receiver.first_name.as_str(), &receiver.last_name, &destination.line1];
    let lines = order.lines.iter().map(|line| Content {
        product: &line.product_name,
        sku: &line.sku,
        quantity: line.quantity,
        price: line.price,
    });
    hashed(exact, loose, lines)
}

/// What is in one line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Content<'a> {
    pub(super) product: &'a str,
    pub(super) sku: &'a str,
    pub(super) quantity: Decimal,
    pub(super) price: Decimal,
}

/// A shipment by texts that have to be the same, texts that may differ in case, spaces and punctuation, and its lines.
pub(super) fn hashed<'a>(exact: [&str; 2], loose: [&str; 3], lines: impl Iterator<Item = Content<'a>>) -> u64 {
    let mut text = String::with_capacity(128);
    for plain in exact {
        text.push_str(plain);
        text.push('\n');
    }
    for loose in loose {
        push_bare(loose, &mut text);
    }
    let hasher = BuildHasherDefault::<DefaultHasher>::default();
    let to = hasher.hash_one(&text);
    // The lines may stand in any order.
    lines.fold(to, |sum, Content { product, sku, quantity, price }| {
        text.clear();
        push_bare(product, &mut text);
        let figures = [quantity, price].map(|figure| figure.normalize().serialize());
        sum.wrapping_add(hasher.hash_one((&text, sku, figures.as_flattened())))
    })
}

/// Adds a text without case, spaces and punctuation, and a mark of its end.
fn push_bare(text: &str, out: &mut String) {
    push_normalised(text, out);
    out.push('\n');
}

/// The first order of each shipment, some 20 bytes each; further ones of the same shipment, which are few; and what was
/// sent lately.
#[derive(Debug, Default)]
pub(super) struct Shipments {
    first: HashMap<u64, First>,
    /// By shipment and number, however it is spelled.
    further: HashMap<u64, RowRef>,
    lately: HashMap<u64, Lately>,
    /// What was sent in the last weeks by its number, however it is spelled.
    lately_numbers: HashMap<String, Vec<Lately>>,
    /// What becomes of an order whose number is there in another spelling.
    numbers_alike: NumbersAlike,
}

/// Where an order stands, in as few bytes as can be.
#[derive(Debug, Clone, Copy)]
struct First {
    sheet: u16,
    row: u32,
    /// Some bits of what its number is, however it is spelled.
    number: u16,
}

/// An order that was sent in the last weeks, or is still to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lately {
    /// What tells its shipment from others, where its request can be read.
    pub(super) shipment: Option<u64>,
    /// Whether it is of the last days.
    pub(super) is_of_days: bool,
    /// Its number.
    pub(super) number: String,
    /// Where it stands.
    pub(super) standing: Standing,
    /// The other address of the service at which it stands, if it does.
    pub(super) address: Option<String>,
}

/// Where an earlier order stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Standing {
    /// Booked, with its AWB.
    Booked(String),
    /// Given up after it was sent.
    GivenUp,
    /// Still to be sent.
    Outstanding,
    /// Nobody knows.
    InDoubt,
}

impl Lately {
    /// What is said of where it stands.
    fn standing(&self) -> Finding {
        let address = self.address.as_deref();
        match &self.standing {
            Standing::Booked(awb) => same_shipment::booked(address, awb),
            Standing::GivenUp => same_shipment::given_up(address),
            Standing::Outstanding => same_shipment::outstanding(address),
            Standing::InDoubt => same_shipment::in_doubt(address),
        }
    }
}

/// A finding about an order's number.
fn on_number(finding: Finding, number: &str, at: RowRef, sheets: &Sheets) -> Finding {
    let id = Id::OrderNumber;
    finding.at(sheets.place(at, Some(id))).on_field(id.field().path).of_order(number)
}

/// Beyond so many orders, only the first ones are remembered: as many as a table of 4 MB has room for.
const SHIPMENTS_MAX: usize = 229_000;

impl Shipments {
    /// With what was sent lately.
    pub(super) fn beside(lately: Vec<Lately>, numbers_alike: NumbersAlike) -> Self {
        let mut shipments = Self { numbers_alike, ..Self::default() };
        for order in lately {
            if let Some(shipment) = order.shipment.filter(|_| order.is_of_days) {
                shipments.lately.insert(shipment, order.clone());
            }
            shipments.lately_numbers.entry(unspelled(&order.number)).or_default().push(order);
        }
        shipments
    }

    /// What there is to say of an order before it is sent. It may be an earlier one: its number is that one's, spelled in
    /// another way. With the same products to the same person, `A-1` and `a1` are no two orders; with others, a person has to
    /// say so. Or an earlier one is the same under another number.
    ///
    /// The first that holds is enough; what the ledger says is no less because a person lets the rest go.
    pub(super) fn said(&self, shipment: u64, number: &str, at: RowRef, sheets: &Sheets) -> Option<Finding> {
        let place = |there: RowRef| sheets.place(there, Some(Id::OrderNumber));
        let in_sheets = || self.of_sheet(shipment, number).map(|there| same_shipment::respelled(&place(there)));
        let in_ledger = || {
            let before = self.before(number)?.iter().find(|before| before.shipment == Some(shipment))?;
            Some(same_shipment::respelled_before(&before.number, before.standing()))
        };
        let is_held = self.numbers_alike == NumbersAlike::Hold;
        let held: [&dyn Fn() -> Option<Finding>; 3] =
            [&in_sheets, &in_ledger, &|| self.alike(number).filter(|_| is_held)];
        let warned: [&dyn Fn() -> Option<Finding>; 2] =
            [&|| self.again(shipment, number, &place), &|| self.alike(number).filter(|_| !is_held)];
        let mut said = None;
        for finding in held.into_iter().chain(warned) {
            let finding = finding().map(|finding| on_number(finding, number, at, sheets).found(number));
            // The shipment stands for all that is sent.
            let basis = |_: &Finding| Some(Basis::of([("", number), ("", &*shipment.to_string())]));
            match finding.and_then(|finding| sheets.settle_on(finding, basis)) {
                Some(finding) if finding.holds() => return Some(finding),
                finding => said = said.or(finding),
            }
        }
        said
    }

    /// The orders of the last weeks whose number is this one, spelled in another way. None where one of them has the very
    /// number: then the ledger knows the order, and what is to be done with it.
    fn before(&self, number: &str) -> Option<&[Lately]> {
        // Most ledgers are empty or large: the spelling is taken apart only where there is something to compare.
        if self.lately_numbers.is_empty() {
            return None;
        }
        let before = self.lately_numbers.get(&unspelled(number))?;
        before.iter().all(|before| before.number != number).then_some(before)
    }

    /// Where the sheets have an order of the same shipment whose number is this one, spelled in another way.
    fn of_sheet(&self, shipment: u64, number: &str) -> Option<RowRef> {
        let first = self.first.get(&shipment)?;
        if first.number == bits_of(number) {
            return Some(RowRef { sheet: first.sheet, row: first.row });
        }
        self.further.get(&key(shipment, number)).copied()
    }

    /// Says of an order that the number of another one is this one, spelled in another way: with other products or for
    /// somebody else, so that both may be meant.
    fn alike(&self, number: &str) -> Option<Finding> {
        let first = self.before(number)?.first()?;
        Some(match self.numbers_alike {
            NumbersAlike::Hold => {
                let setting = Remedy::setting("check", "numbers_alike", Some(Value::Text("warn".to_owned())));
                numbers_alike::sent_before(number, &first.number, first.standing(), setting)
            }
            NumbersAlike::Warn => numbers_alike::taken_as_two(number, &first.number, first.standing()),
        })
    }

    /// Says of an order that an earlier one is the same under another number.
    fn again(&self, shipment: u64, number: &str, place: &dyn Fn(RowRef) -> Place) -> Option<Finding> {
        if let Some(First { sheet, row, .. }) = self.first.get(&shipment).copied() {
            return Some(same_shipment::again(&place(RowRef { sheet, row })));
        }
        let before = self.lately.get(&shipment).filter(|before| before.number != number)?;
        Some(same_shipment::again_after(&before.number, before.standing()))
    }

    /// Keeps a good order for comparison with later ones.
    pub(super) fn remember(&mut self, shipment: u64, number: &str, at: RowRef) {
        if self.first.contains_key(&shipment) {
            if self.further.len() < SHIPMENTS_MAX {
                self.further.entry(key(shipment, number)).or_insert(at);
            }
        } else if self.first.len() < SHIPMENTS_MAX {
            self.first.insert(shipment, First { sheet: at.sheet, row: at.row, number: bits_of(number) });
        }
    }
}

/// What a shipment and a number have in common with the same shipment under the number in another spelling. Many orders may
/// be of one shipment, so few bits would not do here.
fn key(shipment: u64, number: &str) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one((shipment, unspelled(number)))
}

/// Says of an order that its rows stand in several sheets.
pub(super) fn split(draft: &Draft, sheets: &Sheets) -> Option<Finding> {
    let (first, last) = (draft.rows.first()?, draft.rows.last()?);
    if first.sheet == last.sheet {
        return None;
    }
    let mut firsts: Vec<RowRef> = Vec::new();
    for row in &draft.rows {
        if !firsts.iter().any(|known| known.sheet == row.sheet) {
            firsts.push(*row);
        }
    }
    let places: Vec<String> = firsts.iter().map(|row| sheets.place(*row, Some(Id::OrderNumber)).to_string()).collect();
    Some(on_number(split_order::over_sheets(places), &draft.number, *firsts.last()?, sheets))
}

/// Says of an order that two of its rows say the same: a row was pasted twice, unless one of them alone speaks of the order.
pub(super) fn same_line(draft: &Draft, order: &Order, sheets: &Sheets) -> Option<Finding> {
    if draft.rows.len() != order.lines.len() || order.lines.len() < 2 {
        return None;
    }
    let (here, there) = (1..order.lines.len())
        .find_map(|later| (0..later).find(|one| order.lines[*one] == order.lines[later]).map(|one| (later, one)))?;
    let place = |index: usize| sheets.place(draft.rows[index], Some(Id::ProductName));
    let is_like = draft.repeats(draft.rows[here], draft.rows[there]);
    let notice = if is_like { same_line::pasted(&place(there)) } else { same_line::twice(&place(there)) };
    let notice = notice.at(place(here)).on_field(Id::ProductName.field().path);
    Some(notice.of_order(draft.number.clone()).found(order.lines[here].product_name.clone()))
}
