//! What looks like a mistake and may be none: said before money is spent, and sent all the same.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use crate::field::{Id, normalised};
use crate::order::{Draft, Layouts, Order, RowRef};
use crate::problem::{Code, Problem};
use crate::text::list;

/// What makes two orders one shipment: who gets it, where, and what is in it.
pub(super) fn shipment(order: &Order) -> u64 {
    let (receiver, destination) = (&order.receiver, &order.destination);
    let mut text = String::with_capacity(128);
    for plain in [&receiver.phone, &destination.pin_code] {
        text.push_str(plain);
        text.push('\n');
    }
    for loose in [&receiver.first_name, &receiver.last_name, &destination.line1] {
        push_bare(loose, &mut text);
    }
    let hasher = BuildHasherDefault::<DefaultHasher>::default();
    let to = hasher.hash_one(&text);
    // The lines may stand in any order.
    order.lines.iter().fold(to, |sum, line| {
        text.clear();
        push_bare(&line.product_name, &mut text);
        sum.wrapping_add(hasher.hash_one((&text, &line.sku, line.quantity, line.price)))
    })
}

/// Adds a text without case, spaces and punctuation.
fn push_bare(text: &str, out: &mut String) {
    if text.is_ascii() {
        out.extend(text.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| char::from(byte.to_ascii_lowercase())));
    } else {
        out.push_str(&normalised(text));
    }
    out.push('\n');
}

/// The first order of each shipment; some 20 bytes each.
#[derive(Debug, Default)]
pub(super) struct Shipments(HashMap<u64, RowRef>);

/// Beyond so many orders, only the first ones are remembered.
const SHIPMENTS_MAX: usize = 250_000;

impl Shipments {
    /// Says of a good order that an earlier one is the same under another number.
    pub(super) fn again(&mut self, shipment: u64, number: &str, at: RowRef, layouts: &Layouts) -> Option<Problem> {
        if let Some(first) = self.0.get(&shipment) {
            let there = layouts.place(*first, Some(Id::OrderNumber));
            let message = format!(
                "the same products to the same person as the order in {there}, under another number; they are two orders"
            );
            let hint = "if one was entered twice, delete it; if the customer ordered twice, leave both";
            let problem = Problem::warning(Code::SameShipment, message).at(layouts.place(at, Some(Id::OrderNumber)));
            return Some(problem.on_field(Id::OrderNumber.field().path).of_order(number).found(number).hint(hint));
        }
        if self.0.len() < SHIPMENTS_MAX {
            self.0.insert(shipment, at);
        }
        None
    }
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
