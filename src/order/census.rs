//! How many rows each order has: learnt in a first pass, so that the second can let orders go.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The tables grow one after the other and not all at once, which keeps the peak of memory low.
const TABLES: usize = 64;

/// Rows of each order, by the hash of the order number without its case and spaces; some 20 bytes an order.
///
/// Two numbers with one hash share a count; then both wait for the last row of either, and none is cut short. So
/// numbers that differ only by case or space meet, and can be pointed out.
#[derive(Debug, PartialEq, Eq)]
pub struct Census {
    tables: Vec<HashMap<u32, u32, BuildHasherDefault<Spread>>>,
    /// All that were counted.
    rows: u64,
}

impl Default for Census {
    fn default() -> Self {
        Self { tables: (0..TABLES).map(|_| HashMap::default()).collect(), rows: 0 }
    }
}

impl Census {
    /// Notes rows of an order, by the key of its number.
    pub fn add(&mut self, key: u64, rows: u32) {
        let (table, low) = address(key);
        let counted = self.tables[table].entry(low).or_default();
        *counted = counted.saturating_add(rows);
        self.rows += u64::from(rows);
    }

    /// How many rows the orders of a key have; nothing where it was not counted.
    #[must_use]
    pub fn rows(&self, key: u64) -> Option<u32> {
        let (table, low) = address(key);
        self.tables[table].get(&low).copied()
    }

    /// All rows that were counted.
    #[must_use]
    pub const fn all_rows(&self) -> u64 {
        self.rows
    }
}

/// A table and the place in it.
fn address(key: u64) -> (usize, u32) {
    (usize::try_from(key >> 58).unwrap_or(0), u32::try_from(key & u64::from(u32::MAX)).unwrap_or(0))
}

/// A number without what people write before it, and zeros that a spreadsheet may have taken off: `#1001`, `01001`.
fn bare(number: &str) -> &str {
    let number = match number.as_bytes() {
        [b'1'..=b'9' | b'a'..=b'z' | b'A'..=b'Z', .., b'0'..=b'9'] => return number,
        _ => number.trim_start_matches(['#', '\'', '"', ' ']).trim_end_matches(['.', '\'', '"', ' ']),
    };
    let rest = number.trim_start_matches('0');
    if rest.is_empty() || !rest.bytes().all(|byte| byte.is_ascii_digit()) { number } else { rest }
}

/// The hash of an order number without its case and spaces: FNV-1a, mixed once more so that every bit counts.
///
/// Numbers that were chosen to meet do no harm but waiting.
#[must_use]
pub fn key(number: &str) -> u64 {
    let number = bare(number);
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |unit: u32| hash = (hash ^ u64::from(unit)).wrapping_mul(0x0100_0000_01b3);
    if number.is_ascii() {
        let seen = number.bytes().filter(|byte| !char::from(*byte).is_whitespace());
        seen.for_each(|byte| add(byte.to_ascii_lowercase().into()));
    } else {
        folded(number).for_each(|letter| add(letter.into()));
    }
    hash ^= hash >> 32;
    hash = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash ^ (hash >> 29)
}

/// The keys are hashes already; they only need to reach the bits that a hash map looks at.
#[derive(Debug, Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 << 8) | u64::from(*byte);
        }
    }

    fn write_u32(&mut self, low: u32) {
        self.0 = low.into();
    }
}

/// Whether two order numbers differ only by case, spaces, what stands before them and what cannot be seen.
pub(crate) fn alike(one: &str, other: &str) -> bool {
    folded(bare(one)).eq(folded(bare(other)))
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
        for (one, other) in
            [("A1", "a1"), ("ORD 1", "ORD1"), ("Ä1", "ä 1"), ("A1", "A1\u{200b}"), ("#1001", "1001"), ("01001", "1001")]
        {
            assert!(alike(one, other) && key(one) == key(other), "{one} {other}");
        }
        for (one, other) in [("A1", "A-1"), ("0", "00"), ("A01", "A1"), ("1001", "1001-1"), ("#", "")] {
            assert!(!alike(one, other) || one == "#", "{one} {other}");
            assert!(key(one) != key(other) || one == "#", "{one} {other}");
        }
    }

    #[test]
    fn rows_are_counted_wherever_they_stand() {
        let mut census = Census::default();
        for number in ["A1", "A1", "B", "a1", "", "B", "C"] {
            census.add(key(number), 1);
        }
        assert_eq!(["A 1", "B", "C", ""].map(|number| census.rows(key(number))), [Some(3), Some(2), Some(1), Some(1)]);
        assert_eq!((census.rows(key("never counted")), census.all_rows()), (None, 7));
    }
}
