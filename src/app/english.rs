//! Cautions in English, as `finding::english` has findings: for every face that has no words of its own.

use crate::book::{FarMore, Quantity};
pub use crate::finding::english::plain_words;
use crate::ledger::Elsewhere;
use crate::text::{Decimal, count, money};

use super::caution::Caution;

/// What a person should know: a lowercase fragment without a full stop.
#[must_use]
pub fn caution(caution: &Caution) -> String {
    match caution {
        Caution::FarMoreThanUsual(far) => format!("this is far more than usual: {}", far_more(far)),
        Caution::Elsewhere(other) => elsewhere(other),
    }
}

/// Advice about a ledger that is too old for this program.
pub const TOO_OLD: &str = "upgrade it with the last shipsheet that wrote the older layouts, then with this one";

/// Orders whose numbers are known at another address.
#[must_use]
pub fn elsewhere(other: &Elsewhere) -> String {
    format!("the numbers of {} are known at {} already", count(other.orders(), "order"), other.service)
}

/// What is far more than usual, beside the largest import of before.
#[must_use]
pub fn far_more(far: &FarMore) -> String {
    let FarMore { what, amount, largest, imports } = *far;
    let orders = |number: Decimal| count(number.to_u64().unwrap_or(u64::MAX), "order");
    let (amount, largest) = match what {
        Quantity::Orders => (orders(amount), orders(largest)),
        Quantity::DeclaredValue => (format!("a declared value of {}", money(amount)), money(largest)),
        Quantity::CashOnDelivery => (format!("cash on delivery of {}", money(amount)), money(largest)),
    };
    format!("{amount}, and none of the last {} had more than {largest}", count(imports as u64, "import"))
}

#[cfg(test)]
mod tests {
    use crate::book::Decimal;

    use super::*;

    #[test]
    fn each_quantity_has_its_words() {
        let said = |what, amount: i64| {
            far_more(&FarMore { what, amount: amount.into(), largest: Decimal::new(2050, 1), imports: 3 })
        };
        let than = ", and none of the last 3 imports had more than";
        assert_eq!(said(Quantity::DeclaredValue, 5000), format!("a declared value of 5,000.00{than} 205.00"));
        assert_eq!(said(Quantity::CashOnDelivery, 5000), format!("cash on delivery of 5,000.00{than} 205.00"));
        let orders = FarMore { what: Quantity::Orders, amount: 70.into(), largest: 1.into(), imports: 3 };
        assert_eq!(far_more(&orders), format!("70 orders{than} 1 order"));
        let whole = caution(&Caution::FarMoreThanUsual(orders));
        assert_eq!(whole, format!("this is far more than usual: 70 orders{than} 1 order"));
    }
}
