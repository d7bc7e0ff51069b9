//! What looks like a mistake and may be none: said before money is spent, and sent all the same.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use rust_decimal::Decimal;

use crate::check::NumbersAlike;
use crate::field::{Id, push_normalised};
use crate::order::{Draft, Layouts, Order, RowRef};
use crate::problem::{Code, Problem};
use crate::text::list;

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
    /// Where it stands, as people read it.
    pub(super) standing: String,
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

    /// Says why an order is held back: its number is that of an earlier one, spelled in another way. With the same products
    /// to the same person, `A-1` and `a1` are no two orders; with others, a person has to say so.
    pub(super) fn held(&self, shipment: u64, number: &str, at: RowRef, layouts: &Layouts) -> Option<Problem> {
        self.spelled(shipment, number, at, layouts).or_else(|| {
            let is_held = self.numbers_alike == NumbersAlike::Hold;
            self.alike(number, at, layouts).filter(|_| is_held)
        })
    }

    /// Says of an order that it is an earlier one whose number is spelled in another way, with the same shipment.
    fn spelled(&self, shipment: u64, number: &str, at: RowRef, layouts: &Layouts) -> Option<Problem> {
        let other = if let Some(there) = self.of_sheet(shipment, number) {
            format!("of the order in {}", layouts.place(there, Some(Id::OrderNumber)))
        } else {
            let before = self.before(number)?.iter().find(|before| before.shipment == Some(shipment))?;
            format!("of order {}, {}", before.number, before.standing)
        };
        let message = format!("the number {other}, spelled in another way, and the same products to the same person");
        let hint = "delete it if it was entered twice; if the customer ordered twice, give it a number of its own";
        let problem = Problem::error(Code::SameShipment, message).at(layouts.place(at, Some(Id::OrderNumber)));
        Some(problem.on_field(Id::OrderNumber.field().path).of_order(number).found(number).hint(hint))
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
    pub(super) fn alike(&self, number: &str, at: RowRef, layouts: &Layouts) -> Option<Problem> {
        let first = self.before(number)?.first()?;
        let message = format!(
            "the order number \"{number}\" is that of order {}, {}, spelled in another way",
            first.number, first.standing
        );
        let (problem, hint) = match self.numbers_alike {
            NumbersAlike::Hold => (
                Problem::error(Code::NumbersAlike, message),
                "if it is the same order, delete it here; if they are two, give it another number, or set \
                 numbers_alike = \"warn\" under [check] in shipsheet.toml",
            ),
            NumbersAlike::Warn => (
                Problem::warning(Code::NumbersAlike, format!("{message}; they are taken as two orders")),
                "if it is the same order, delete it here; write one number one way",
            ),
        };
        let problem = problem.at(layouts.place(at, Some(Id::OrderNumber)));
        Some(problem.on_field(Id::OrderNumber.field().path).of_order(number).found(number).hint(hint))
    }

    /// Says of a good order that an earlier one is the same under another number.
    pub(super) fn again(&mut self, shipment: u64, number: &str, at: RowRef, layouts: &Layouts) -> Option<Problem> {
        let before = self.remember(shipment, number, at);
        let (other, hint) = if let Some(there) = before {
            let there = layouts.place(there, Some(Id::OrderNumber));
            let hint = "if one was entered twice, delete it; if the customer ordered twice, leave both";
            (format!("the order in {there}, under another number"), hint)
        } else {
            let before = self.lately.get(&shipment).filter(|before| before.number != number)?;
            let hint = "if it was entered twice, delete it; if the customer ordered twice, leave it";
            (format!("order {}, {}", before.number, before.standing), hint)
        };
        let message = format!("the same products to the same person as {other}; they are two orders");
        let problem = Problem::warning(Code::SameShipment, message).at(layouts.place(at, Some(Id::OrderNumber)));
        Some(problem.on_field(Id::OrderNumber.field().path).of_order(number).found(number).hint(hint))
    }

    /// Keeps an order for comparison with later ones; gives the first one of the same shipment.
    fn remember(&mut self, shipment: u64, number: &str, at: RowRef) -> Option<RowRef> {
        if let Some(First { sheet, row, .. }) = self.first.get(&shipment).copied() {
            if self.further.len() < SHIPMENTS_MAX {
                self.further.entry(key(shipment, number)).or_insert(at);
            }
            return Some(RowRef { sheet, row });
        }
        if self.first.len() < SHIPMENTS_MAX {
            self.first.insert(shipment, First { sheet: at.sheet, row: at.row, number: bits_of(number) });
        }
        None
    }
}

/// What a shipment and a number have in common with the same shipment under the number in another spelling. Many orders may
/// be of one shipment, so few bits would not do here.
fn key(shipment: u64, number: &str) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one((shipment, unspelled(number)))
}

/// Says of an order that its rows stand in several sheets.
pub(super) fn split(draft: &Draft, layouts: &Layouts) -> Option<Problem> {
    let (first, last) = (draft.rows.first()?, draft.rows.last()?);
    if first.sheet == last.sheet {
        return None;
    }
    let mut sheets: Vec<RowRef> = Vec::new();
    for row in &draft.rows {
        if !sheets.iter().any(|known| known.sheet == row.sheet) {
            sheets.push(*row);
        }
    }
    let places: Vec<String> = sheets.iter().map(|row| layouts.place(*row, Some(Id::OrderNumber)).to_string()).collect();
    let message =
        format!("this order has rows in several sheets, from {}; they are one shipment", list(&places, "and"));
    let hint = "if two orders are meant, give one of them another number";
    let problem = Problem::warning(Code::SplitOrder, message).at(layouts.place(*sheets.last()?, Some(Id::OrderNumber)));
    Some(problem.on_field(Id::OrderNumber.field().path).of_order(draft.number.clone()).hint(hint))
}

/// Says of an order that two of its rows say the same.
pub(super) fn same_line(draft: &Draft, order: &Order, layouts: &Layouts) -> Option<Problem> {
    if draft.rows.len() != order.lines.len() || order.lines.len() < 2 {
        return None;
    }
    let (here, there) = (1..order.lines.len())
        .find_map(|later| (0..later).find(|one| order.lines[*one] == order.lines[later]).map(|one| (later, one)))?;
    let place = |index: usize| layouts.place(draft.rows[index], Some(Id::ProductName));
    let message = format!("this row of the order says the same as that in {}; both lines are sent", place(there));
    let hint = "if the row was pasted twice, delete one; if more pieces are meant, raise the quantity instead";
    let problem = Problem::warning(Code::SameLine, message).at(place(here)).on_field(Id::ProductName.field().path);
    Some(problem.of_order(draft.number.clone()).found(order.lines[here].product_name.clone()).hint(hint))
}
