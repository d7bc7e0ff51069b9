//! What the products of an order come to.

use rust_decimal::Decimal;

use super::types::Order;

/// What the products of an order come to, and what else there is to know of them.
pub(crate) struct Sums {
    /// Price × quantity over all lines.
    pub(crate) gross: Decimal,
    /// Their own discounts.
    pub(crate) discounts: Decimal,
    /// The tax on those whose price has none in it.
    pub(crate) tax: Decimal,
}

impl Sums {
    pub(crate) fn of(order: &Order, left_over: Decimal) -> Self {
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

/// What the tax comes to by the rates of the lines, where their prices have none in them; `off` is what is taken off them.
pub(super) fn tax_on_top_of(order: &Order, off: Decimal) -> Option<Decimal> {
    let products: Decimal = order.lines.iter().map(|line| line.price * line.quantity).sum();
    let taxes = order.lines.iter().map(|line| line.price * line.quantity * line.tax_rate);
    let tax = taxes.sum::<Decimal>() * (products - off).checked_div(products)? / Decimal::ONE_HUNDRED;
    (tax > Decimal::ZERO).then(|| tax.round_dp(2))
}
