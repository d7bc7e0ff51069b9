//! How many rows each order has: learnt in a first pass, so that the second can let orders go.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher, Hasher};

/// Rows left to come, by the hash of the order number without its case and spaces.
///
/// Two numbers with one hash share a count; then both wait for the last row of either, and none is cut short. So
/// numbers that differ only by case or space meet, and can be pointed out.
#[derive(Debug, Default)]
pub struct Census {
    rows: HashMap<u64, u32, BuildHasherDefault<DefaultHasher>>,
}

impl Census {
    /// Notes one more row of an order.
    pub fn count(&mut self, number: &str) {
        *self.rows.entry(key(number)).or_default() += 1;
    }

    /// Takes one row off; `true` where it was the last.
    pub(super) fn last(&mut self, key: u64) -> bool {
        let Some(left) = self.rows.get_mut(&key) else { return false };
        *left = left.saturating_sub(1);
        *left == 0
    }
}

/// The hash of an order number without its case and spaces.
pub(super) fn key(number: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    folded(number).for_each(|letter| hasher.write_u32(letter.into()));
    hasher.finish()
}

/// Whether two order numbers differ only by case, spaces and what cannot be seen.
pub(super) fn alike(one: &str, other: &str) -> bool {
    folded(one).eq(folded(other))
}

fn folded(number: &str) -> impl Iterator<Item = char> {
    let unseen =
        |c: &char| c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{feff}' | '\u{2060}' | '\u{ad}');
    number.chars().filter(move |c| !unseen(c)).flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_look_alike_meet() {
        for (one, other) in [("A1", "a1"), ("ORD 1", "ORD1"), ("Ä1", "ä 1"), ("A1", "A1\u{200b}")] {
            assert!(alike(one, other) && key(one) == key(other), "{one} {other}");
        }
        assert!(!alike("A1", "A-1") && key("A1") != key("A-1"));
    }

    #[test]
    fn the_last_row_of_either_is_the_last() {
        let mut census = Census::default();
        for number in ["A1", "a1", "B"] {
            census.count(number);
        }
        assert!(!census.last(key("a1")) && census.last(key("A1")) && census.last(key("B")));
        assert!(!census.last(key("never counted")));
    }
}
