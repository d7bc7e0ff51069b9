//! Titles between the rows: `Returned today`, `Previous day`, a date. What stands below them is another table.

use super::cell::{Cell, CellKind};
use crate::finding::{Finding, sheet};
use crate::origin::Place;
use crate::words::{Topic, Vocabulary};

/// Whether the first filled cell of a row that has hardly any other is a title. `alone` says whether it is the only one,
/// and whether it stands in the first column.
///
/// An order number that stands there alone is none: its order is not complete, and is a problem of its own.
pub(super) fn is_title(cell: Cell<'_>, (alone, in_first_column): (bool, bool)) -> bool {
    if alone && in_first_column && (cell.kind == CellKind::Date || is_date(cell.text)) {
        return true;
    }
    if cell.kind != CellKind::Text {
        return false;
    }
    let said = Vocabulary::built_in().text(cell.text).read(Topic::Titles);
    if alone && (said.says("gone") || said.says("not-to-go")) {
        return true;
    }
    if said.says("other") {
        // Elsewhere a product may be called so: `Return gift`.
        return (alone && in_first_column) || said.says("only-other");
    }
    // One word alone may be an order number, or all that somebody has typed of an order.
    let words = || cell.text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    alone && in_first_column && cell.text.contains(char::is_whitespace) && words().nth(1).is_some()
}

/// Whether a title above all orders, or the name of their worksheet, says that none of them is to go: `Cancelled orders`,
/// and not `Orders to be dispatched` or `Cancelled: 2`.
pub(super) fn says_none_goes(text: &str) -> bool {
    const WORDS_MAX: usize = 8;
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).count();
    words <= WORDS_MAX && Topic::Titles.says(text, "none-goes")
}

/// Whether the only cell of a row holds all of an order: as many parts as there are columns, lines, or a phone number.
pub(super) fn holds_order(text: &str, columns: usize) -> bool {
    const PHONE_DIGITS: usize = 10;
    let parted = |part: char| {
        let parts = text.matches(part).count();
        parts >= 3 && parts * 2 >= columns
    };
    let has_phone = text.split(|c: char| !c.is_ascii_digit()).any(|digits| digits.len() >= PHONE_DIGITS);
    [',', ';', '\t', '|'].into_iter().any(parted) || text.matches('\n').count() >= 3 || has_phone
}

/// Whether words speak of orders, and of which: no product is called `Pending orders`.
pub(super) fn names_orders(text: &str) -> bool {
    Topic::Titles.says(text, "names-orders")
}

/// `20/11/2026`, `19-Nov-26`, `2026-11-20`, `Sat 22 Nov`, `Date: 21-11-2026`, and nothing beside it.
pub(super) fn is_date(text: &str) -> bool {
    let is = |class: &str, part: &str| Topic::Titles.lists(class, part);
    let figures = |part: &str| (1..=4).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_part = |part: &str| figures(part) || (part.len() >= 3 && part.chars().all(char::is_alphabetic));
    let parts = || text.split(['/', '-', '.', ' ', ',', ':', '(', ')']).filter(|part| !part.is_empty());
    // The day of the week stands before or behind it.
    let kept = || parts().filter(|part| !is("name_of_day", part));
    let months = kept().filter(|part| part.starts_with(char::is_alphabetic)).count();
    let by_name = || months == 1 && kept().any(|part| is("month", part)) && text.contains(' ');
    match kept().count() {
        3 => months <= 1 && kept().all(is_part),
        2 => by_name() && kept().all(is_part),
        _ => false,
    }
}

/// Says of a row that all of it stands in one cell, as a line does that was pasted there.
pub(super) fn in_one_cell(place: Place) -> Finding {
    sheet::ragged_row::in_one_cell().at(place)
}

/// Says of a row that nobody knows whether it belongs to the orders above the title.
pub(super) fn below_title(row: u32, title: &str, place: Place) -> Finding {
    let title: String = title.chars().take(60).collect();
    sheet::below_title::nobody_can_tell(row, &title).at(place).found(title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_told_from_orders_that_are_not_complete() {
        let is = |text, alone| is_title(Cell::new(text, CellKind::Text), alone);
        let titles = ["Returned today", "CANCELLED", "Previous day", "Delhi orders", "19-Nov-2026", "20/11/2026"];
        for text in titles {
            assert!(is(text, (true, true)), "{text}");
        }
        for text in ["Sent", "Rejected", "GONE1", "Picked"] {
            assert!(is(text, (true, true)), "{text}");
        }
        for text in
            ["Already sent", "Batch 1 dispatched 19/11", "Handed over", "Not to ship", "cancel wale", "RTO 3 nos"]
        {
            assert!(is(text, (true, false)) && !is(text, (false, false)), "{text}");
        }
        for text in
            ["CANCELLED ORDERS NOV", "Already dispatched on 20/11/2026", "RTO list", "HOLD - do not ship", "Dispatched"]
        {
            assert!(says_none_goes(text), "{text}");
        }
        for text in
            ["Orders to be dispatched", "Cancelled: 2", "Not yet shipped", "Sent by Ravi", "Pending orders", "Orders"]
        {
            assert!(!says_none_goes(text), "{text}");
        }
        assert!(holds_order("A3,Meera,9447,TC 12,COD", 8) && holds_order("Meera\n9447012345\nKochi", 8));
        assert!(!holds_order("Orders of Ravi, 21/11", 8) && !holds_order("Batch 1 dispatched 19/11", 8));
        for text in ["ORD-1003", "SO/2026/17", "1001", "---", "A1", "#5001", "Pune", "INV 17", ""] {
            assert!(!is(text, (true, true)), "{text}");
        }
        for text in
            ["Saturday 21 Nov", "22 Nov", "Date: 21-11-2026", "Nov 22, 2026", "Sat, 21/11/2026", "20-Nov-2026 (Friday)"]
        {
            assert!(is_date(text) && is(text, (true, true)), "{text}");
        }
        for text in ["MAR-05", "Nov-22", "1 2 3 4", "22 Novels", "12-1", "A 5 6", "Monday"] {
            assert!(!is_date(text), "{text}");
        }
        assert!(names_orders("Pending orders") && names_orders("Orders of yesterday:") && !names_orders("Return gift"));
        // Elsewhere only what hardly is a value.
        assert!(is("Orders of yesterday", (true, false)) && is("Cancelled:", (false, true)));
        assert!(!is("Old mug", (true, false)) && !is("Return gift", (false, true)) && is("Return gift", (true, true)));
        assert!(!is("Asha Rao", (true, false)) && !is("Asha Rao", (false, true)));
    }
}
