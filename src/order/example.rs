//! The example of the starter sheet: no order, wherever it is left.

use crate::text::Decimal;

use crate::column::RowRef;
use crate::field::{EXAMPLE_LINES, Field, Id, Kind};

use super::raw_order::{RawLine, RawOrder};

/// Whether this is the example of the starter sheet: its number, its receiver, its address and its products.
pub(crate) fn is_example(order: &RawOrder) -> bool {
    if order.number != Id::OrderNumber.field().example {
        return false;
    }
    let mut told = order.cells.iter().filter(|slot| slot.id.field().is_receivers());
    let all = told.clone().count() >= 6 && told.all(|slot| is_alike(slot.id.field(), 0, order.text(slot)));
    let line = |line: &RawLine| (0..EXAMPLE_LINES).any(|number| is_example_line(order, line, number));
    all && !order.lines.is_empty() && order.lines.iter().all(line)
}

/// The row of the example that was left below an order of one's own with the example's number.
pub(crate) fn row_of_example(order: &RawOrder) -> Option<RowRef> {
    if order.number != Id::OrderNumber.field().example || order.lines.len() < 2 {
        return None;
    }
    let is_example = |line: &&RawLine| {
        order.cells_of(line).len() >= 3 && (0..EXAMPLE_LINES).any(|number| is_example_line(order, line, number))
    };
    order.lines.iter().rev().find(is_example).map(|line| line.at)
}

fn is_example_line(order: &RawOrder, line: &RawLine, number: usize) -> bool {
    order.cells_of(line).iter().all(|slot| is_alike(slot.id.field(), number, order.text(slot)))
}

/// Whether a cell holds the example; a spreadsheet may have written its number another way.
fn is_alike(field: &Field, line: usize, text: &str) -> bool {
    let example = field.example_on(line);
    let number = |text: &str| text.parse::<Decimal>().ok();
    let is_number = matches!(field.kind, Kind::Money | Kind::MoneyText | Kind::Quantity | Kind::Rate);
    text == example || (is_number && number(text).is_some() && number(text) == number(example))
}
