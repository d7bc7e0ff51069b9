//! The service's book beside the ledger. Pure.

use std::collections::{BTreeMap, HashMap};

use crate::ledger::{KnownOrder, State};

/// What a comparison of all orders came to.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Counted {
    /// Orders with more than one booking.
    pub(super) twice: Vec<String>,
    /// Bookings that the ledger does not know, or knows wrongly, as sentences.
    pub(super) lost: Vec<String>,
    /// Orders in doubt.
    pub(super) in_doubt: u32,
    /// Orders that are neither booked nor in doubt.
    pub(super) unsettled: Vec<String>,
}

/// Compares bookings (order number, AWB) with what the ledger knows.
pub(super) fn compare(bookings: &[(String, String)], orders: &[KnownOrder]) -> Counted {
    let mut counted = Counted::default();
    let mut by_number: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (number, awb) in bookings {
        by_number.entry(number).or_default().push(awb);
    }
    let ours: HashMap<&str, &KnownOrder> = orders.iter().map(|order| (order.number.as_str(), order)).collect();
    for (number, awbs) in &by_number {
        if awbs.len() > 1 {
            counted.twice.push(format!("order {number} was booked {} times", awbs.len()));
        }
        match ours.get(number) {
            None => counted.lost.push(format!("order {number} is booked, and the ledger does not know it")),
            Some(KnownOrder { state: State::InDoubt, .. }) => {}
            Some(KnownOrder { state: State::Booked, awb: Some(awb), .. }) if awbs.contains(&awb.as_str()) => {}
            Some(order) => counted.lost.push(format!(
                "order {number} is booked with AWB {}, and the ledger has it as {} with AWB {}",
                awbs.join(", "),
                order.state.as_str(),
                order.awb.as_deref().unwrap_or("none")
            )),
        }
    }
    for order in orders {
        match order.state {
            State::InDoubt => counted.in_doubt += 1,
            State::Booked if !by_number.contains_key(order.number.as_str()) => {
                counted.lost.push(format!("order {} is booked in the ledger only", order.number));
            }
            State::Booked => {}
            other => counted.unsettled.push(format!("order {} is left {}", order.number, other.as_str())),
        }
    }
    counted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(number: &str, state: State, awb: Option<&str>) -> KnownOrder {
        KnownOrder { number: number.into(), state, awb: awb.map(Into::into), sent_ms: None, in_scope: true }
    }

    fn bookings(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(number, awb)| ((*number).to_owned(), (*awb).to_owned())).collect()
    }

    #[test]
    fn equal_books_are_equal() {
        let orders = [order("A", State::Booked, Some("W1")), order("B", State::InDoubt, None)];
        for book in [bookings(&[("A", "W1")]), bookings(&[("A", "W1"), ("B", "W2")])] {
            assert_eq!(compare(&book, &orders), Counted { in_doubt: 1, ..Counted::default() });
        }
    }

    #[test]
    fn every_broken_promise_is_seen() {
        let booked = [order("A", State::Booked, Some("W1"))];
        let broken = |book: &[(&str, &str)], orders: &[KnownOrder]| {
            let counted = compare(&bookings(book), orders);
            (counted.twice.len(), counted.lost.len(), counted.unsettled.len())
        };
        assert_eq!(broken(&[("A", "W1"), ("A", "W2")], &booked), (1, 0, 0));
        assert_eq!(broken(&[("A", "W1"), ("X", "W2")], &booked), (0, 1, 0));
        assert_eq!(broken(&[("A", "W9")], &booked), (0, 1, 0));
        assert_eq!(broken(&[], &booked), (0, 1, 0));
        for state in [State::Staged, State::Sending, State::Waiting, State::Rejected, State::Refused] {
            assert_eq!(broken(&[("A", "W1")], &[order("A", state, None)]), (0, 1, 1), "{state:?}");
        }
    }
}
