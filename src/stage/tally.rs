//! Counts that have to add up.

pub use crate::text::Decimal;

use crate::order::Order;

/// What became of every row below the headers, in rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rows {
    /// Rows read.
    pub read: u64,
    /// Rows without any text.
    pub blank: u64,
    /// Rows left out by a rule: footers, filters.
    pub skipped: u64,
    /// Rows of orders that are good.
    pub in_orders: u64,
    /// Rows of orders that are not, and rows that name no order.
    pub invalid: u64,
}

impl Rows {
    /// Whether every row is accounted for.
    #[must_use]
    pub const fn balanced(&self) -> bool {
        self.read == self.blank + self.skipped + self.in_orders + self.invalid
    }
}

/// What a set of orders comes to.
///
/// Amounts of money are sums of the orders' figures, each in its order's currency: nothing is converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    /// How many orders.
    pub orders: u64,
    /// How many product lines they have.
    pub lines: u64,
    /// The goods, before charges and discounts: price × quantity, or the given subtotals.
    pub value: Decimal,
    /// What the couriers collect at the door: subtotals with charges and less discounts, of `COD` orders alone.
    pub to_collect: Decimal,
}

impl Totals {
    /// Adds one order.
    pub fn add(&mut self, order: &Order) {
        self.orders += 1;
        self.lines += order.lines.len() as u64;
        self.value += order.sub_total;
        self.to_collect += order.to_collect();
    }
}
