//! Whether what will be sent is far above what is usual. Pure.

pub use crate::text::Decimal;

use crate::ledger::EarlierImport;

/// Earlier imports that are looked at.
pub const IMPORTS_MAX: usize = 20;

/// With fewer of them there is no usual.
const IMPORTS_MIN: usize = 3;

/// So few orders are never far more than usual; what they are worth is compared order by order then.
const ORDERS_MIN: u64 = 50;

/// How many times the largest earlier import is far above it, unless the configuration says otherwise.
pub const FACTOR: f64 = 3.0;

/// What will be sent. Amounts of money are sums of figures, each in its order's currency.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Amounts {
    /// How many orders.
    pub orders: u64,
    /// Declared value: the goods before charges and discounts.
    pub value: Decimal,
    /// What the couriers collect at the door.
    pub to_collect: Decimal,
}

/// What there may be far more of than usual.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// Orders.
    Orders,
    /// Declared value.
    DeclaredValue,
    /// What the couriers collect at the door.
    CashOnDelivery,
}

/// Far more than usual.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FarMore {
    /// Of what.
    pub what: Quantity,
    /// How much would be sent.
    pub amount: Decimal,
    /// The most that an earlier import had.
    pub largest: Decimal,
    /// How many earlier imports were looked at.
    pub imports: usize,
}

/// What is unusual about it; `factor` 0 finds nothing unusual.
#[must_use]
pub fn unusual(amounts: &Amounts, before: &[EarlierImport], factor: f64) -> Vec<FarMore> {
    let mut found = Vec::new();
    if before.len() < IMPORTS_MIN || factor <= 0.0 || amounts.orders == 0 {
        return found;
    }
    let are_few = amounts.orders <= ORDERS_MIN;
    let imports = before.len();
    let largest = before.iter().map(|import| import.orders).max().unwrap_or(0);
    let far = Decimal::try_from(factor).unwrap_or(Decimal::MAX);
    let above = |amount: Decimal, largest: Decimal| largest > Decimal::ZERO && amount > far * largest;
    if !are_few && above(amounts.orders.into(), largest.into()) {
        let (amount, largest) = (amounts.orders.into(), largest.into());
        found.push(FarMore { what: Quantity::Orders, amount, largest, imports });
    }
    // Three sheets of two orders say nothing of how many come, but something of what one order is worth.
    let share = |sum: f64, orders: u64| if are_few { sum / count(orders.max(1)) } else { sum };
    let of = |sum: fn(&EarlierImport) -> f64| {
        let largest = before.iter().map(|import| share(sum(import), import.orders)).fold(0.0, f64::max);
        Decimal::try_from(largest).unwrap_or(Decimal::MAX).round_dp(2)
    };
    let own = |amount: Decimal| if are_few { amount / Decimal::from(amounts.orders) } else { amount };
    for (what, amount, largest) in [
        (Quantity::DeclaredValue, amounts.value, of(|import| import.value)),
        (Quantity::CashOnDelivery, amounts.to_collect, of(|import| import.to_collect)),
    ] {
        if above(own(amount), largest) {
            let largest = if are_few { largest * Decimal::from(amounts.orders) } else { largest };
            found.push(FarMore { what, amount, largest, imports });
        }
    }
    found
}

#[expect(clippy::cast_precision_loss, reason = "counts of orders are far below 2^52")]
const fn count(orders: u64) -> f64 {
    orders as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn imports(of: &[(u64, f64, f64)]) -> Vec<EarlierImport> {
        of.iter()
            .map(|(orders, value, to_collect)| EarlierImport {
                orders: *orders,
                value: *value,
                to_collect: *to_collect,
            })
            .collect()
    }

    #[track_caller]
    fn check(orders: u64, value: i64, to_collect: i64, before: &[(u64, f64, f64)], expected: usize) {
        let amounts = Amounts { orders, value: value.into(), to_collect: to_collect.into() };
        let found = unusual(&amounts, &imports(before), FACTOR);
        assert_eq!(found.len(), expected, "{found:?}");
    }

    #[test]
    fn far_above_the_largest_is_unusual() {
        let usual = [(100, 50_000.0, 1_000.0), (80, 60_000.0, 0.0), (20, 9_000.0, 500.5)];
        check(300, 180_000, 3_000, &usual, 0);
        check(301, 180_000, 3_000, &usual, 1);
        check(60, 180_001, 0, &usual, 1);
        check(60, 9_000, 3_001, &usual, 1);
        check(900, 900_000, 90_000, &usual, 3);
    }

    #[test]
    fn few_orders_a_new_ledger_and_a_first_cash_order_are_not() {
        check(50, 5_000, 0, &[(1, 5_000.0, 0.0); 3], 0);
        check(51, 5_000, 0, &[(1, 5_000.0, 0.0); 3], 1);
        // Fifteen after three sheets of two, of dearer goods.
        check(15, 15_000, 9_000, &[(2, 2_000.0, 1_000.0); 3], 0);
        // As few, but a hundred times as dear each, as where rupees were taken for paise.
        check(15, 1_500_000, 900_000, &[(2, 2_000.0, 1_000.0); 3], 2);
        check(900, 900_000, 90_000, &[(1, 1.0, 1.0); 2], 0);
        check(3, 100, 100, &[(3, 100.0, 0.0); 20], 0);
        let amounts = Amounts { orders: 900, value: 9_000.into(), to_collect: Decimal::ZERO };
        assert!(unusual(&amounts, &imports(&[(1, 1.0, 0.0); 9]), 0.0).is_empty(), "0 turns it off");
        assert!(unusual(&amounts, &imports(&[(1, 1.0, 0.0); 9]), 1e30).is_empty());
    }
}
