//! How many rows each order has: learnt in a first pass, so that the second can let orders go.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher, Hash, Hasher};

/// Rows left to come, by the hash of the order number.
///
/// Two numbers with one hash share a count; then both wait for the last row of either, and none is cut short.
#[derive(Debug, Default)]
pub struct Census {
    rows: HashMap<u64, u32, BuildHasherDefault<DefaultHasher>>,
}

impl Census {
    /// Notes one more row of an order.
    pub fn count(&mut self, number: &str) {
        *self.rows.entry(hash(number)).or_default() += 1;
    }

    /// Takes one row off; `true` where it was the last.
    pub(super) fn last(&mut self, number: &str) -> bool {
        let Some(left) = self.rows.get_mut(&hash(number)) else { return false };
        *left = left.saturating_sub(1);
        *left == 0
    }
}

fn hash(number: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    number.hash(&mut hasher);
    hasher.finish()
}
