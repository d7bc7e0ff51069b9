//! Titles between the rows: `Returned today`, `Previous day`, a date. What stands below them is another table.

use super::row::{Cell, CellKind};

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
    let mut words = cell.text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    if words.clone().any(says_other_orders) {
        // Elsewhere a product may be called so: `Return gift`.
        return (alone && in_first_column) || words.all(|word| says_other_orders(word) || goes_with_orders(word));
    }
    // One word alone may be an order number, or all that somebody has typed of an order.
    alone && in_first_column && cell.text.contains(char::is_whitespace) && words.nth(1).is_some()
}

/// Words of the titles that people put above orders which are not to be sent with the others.
fn says_other_orders(word: &str) -> bool {
    const WORDS: [&str; 36] = [
        "returned",
        "return",
        "returns",
        "rto",
        "cancelled",
        "canceled",
        "cancel",
        "cancellation",
        "cancellations",
        "previous",
        "yesterday",
        "yesterdays",
        "old",
        "older",
        "earlier",
        "past",
        "pending",
        "hold",
        "onhold",
        "undelivered",
        "delivered",
        "shipped",
        "dispatched",
        "booked",
        "done",
        "completed",
        "exchange",
        "exchanges",
        "refund",
        "refunded",
        "tomorrow",
        "next",
        "today",
        "todays",
        "later",
        "duplicate",
    ];
    WORDS.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Words that stand beside them in a title.
fn goes_with_orders(word: &str) -> bool {
    const WORDS: [&str; 20] = [
        "order",
        "orders",
        "of",
        "from",
        "the",
        "list",
        "parcels",
        "shipments",
        "items",
        "day",
        "days",
        "week",
        "on",
        "for",
        "not",
        "to",
        "be",
        "sent",
        "ship",
        "below",
    ];
    WORDS.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// `20/11/2026`, `19-Nov-26`, `2026-11-20`, and nothing beside it.
fn is_date(text: &str) -> bool {
    let mut parts = text.split(['/', '-', '.', ' ', ',']);
    let figures = |part: &str| (1..=4).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_part = |part: &str| figures(part) || (part.len() >= 3 && part.chars().all(char::is_alphabetic));
    let count = parts.clone().filter(|part| !part.is_empty()).count();
    let months = parts.clone().filter(|part| part.starts_with(char::is_alphabetic)).count();
    count == 3 && months <= 1 && parts.all(|part| part.is_empty() || is_part(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_told_from_orders_that_are_not_complete() {
        let is = |text, alone| is_title(Cell { text, kind: CellKind::Text }, alone);
        let titles = ["Returned today", "CANCELLED", "Previous day", "Delhi orders", "19-Nov-2026", "20/11/2026"];
        for text in titles {
            assert!(is(text, (true, true)), "{text}");
        }
        for text in ["ORD-1003", "SO/2026/17", "1001", "---", "A1", "#5001", "Pune", "INV 17", ""] {
            assert!(!is(text, (true, true)), "{text}");
        }
        // Elsewhere only what hardly is a value.
        assert!(is("Orders of yesterday", (true, false)) && is("Cancelled:", (false, true)));
        assert!(!is("Old mug", (true, false)) && !is("Return gift", (false, true)) && is("Return gift", (true, true)));
        assert!(!is("Asha Rao", (true, false)) && !is("Asha Rao", (false, true)));
    }
}
