//! How many rows each order has: learnt in a first pass, so that the second can let orders go.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, BuildHasherDefault};

use crate::memo::QuickHash;

/// The tables grow one after the other and not all at once, which keeps the peak of memory low.
const TABLES: usize = 64;

/// Rows of each order, by the hash of its number; some 20 bytes an order.
///
/// Two numbers with one hash share a count: both then wait for the end of the sheets, and none is cut short.
#[derive(Debug, PartialEq, Eq)]
pub struct Census {
    tables: Vec<HashMap<u32, u32, BuildHasherDefault<QuickHash>>>,
    /// All that were counted.
    pub(super) all: u64,
}

impl Default for Census {
    fn default() -> Self {
        Self { tables: vec![HashMap::default(); TABLES], all: 0 }
    }
}

impl Census {
    /// Notes rows of an order, by the key of its number.
    pub fn add(&mut self, key: u64, rows: u32) {
        let (table, low) = address(key);
        let counted = self.tables[table].entry(low).or_default();
        *counted = counted.saturating_add(rows);
        self.all += u64::from(rows);
    }

    /// How many rows the orders of a key have; nothing where it was not counted.
    #[must_use]
    pub fn rows(&self, key: u64) -> Option<u32> {
        let (table, low) = address(key);
        self.tables[table].get(&low).copied()
    }
}

/// A table and the place in it.
fn address(key: u64) -> (usize, u32) {
    (usize::try_from(key >> 58).unwrap_or(0), u32::try_from(key & u64::from(u32::MAX)).unwrap_or(0))
}

/// The hash of an order number. Numbers that were chosen to meet do no harm but waiting.
#[must_use]
pub fn key(number: &str) -> u64 {
    BuildHasherDefault::<QuickHash>::default().hash_one(number)
}
