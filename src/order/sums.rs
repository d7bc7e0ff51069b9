//! What the products of an order come to.

use rust_decimal::Decimal;

use super::types::Order;

/// What the products of an order come to, and what else there is to know of them.
pub(super) struct Sums {
    /// Price × quantity over all lines.
    pub(super) gross: Decimal,
    /// Their own discounts.
    pub(super) discounts: Decimal,
    /// The tax on those whose price has none in it.
    pub(super) tax: Decimal,
}

impl Sums {
    pub(super) fn of(order: &Order, left_over: Decimal) -> Self {
        let mut sums = Self { gross: left_over, discounts: Decimal::ZERO, tax: Decimal::ZERO };
        for line in &order.lines {
            let worth = line.price * line.quantity;
            sums.gross += worth;
            sums.discounts += line.discount;
            if !line.taxes_included && !line.tax_rate.is_zero() {
                sums.tax += (worth - line.discount) * line.tax_rate / Decimal::ONE_HUNDRED;
            }
        }
        sums
    }
}
