//! Counts that have to add up.

use rust_decimal::Decimal;

use crate::order::Order;

/// What became of every row below the header.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    /// Orders.
    pub orders: u64,
    /// Product lines.
    pub lines: u64,
    /// Price × quantity, or the given subtotals.
    pub value: Decimal,
    /// What the courier collects at the door.
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
