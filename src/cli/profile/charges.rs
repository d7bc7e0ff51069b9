//! Columns that may be charges, a discount or a part of the payment: they change what is collected, so each is asked about.

use std::io::{self, BufRead, Write};

use super::talk::{Step, Talk};
use super::walk::Walk;
use crate::field::{ExtraRole, Id};
use crate::parse::{ColumnFormat, Input, Value, value};
use crate::text::Decimal;

/// The use of such a column.
#[derive(Debug, Clone, Copy)]
enum Use {
    /// It feeds a field.
    Feeds(Id),
    /// It is compared, and not sent.
    Is(ExtraRole),
}

/// The uses of such a column, in the order in which they are offered.
const USES: [(Use, &str); 5] = [
    (Use::Feeds(Id::ShippingCharges), "what the customer pays for shipping"),
    (Use::Feeds(Id::OtherCharges), "other charges"),
    (Use::Feeds(Id::Discount), "a discount on the whole order"),
    (Use::Is(AMOUNTS[0].0), AMOUNTS[0].1),
    (Use::Is(AMOUNTS[1].0), AMOUNTS[1].1),
];

/// The amounts that a column may say beside all fields.
pub(super) const AMOUNTS: [(ExtraRole, &str); 3] = [
    (ExtraRole::Paid, "what the customer has paid already"),
    (ExtraRole::Collect, "what is still to be collected"),
    (ExtraRole::Order, "what the whole order comes to"),
];

impl Walk<'_> {
    /// Whether a column that may be money is still free, and holds less than the price: a total would hold more.
    pub(super) fn may_be_charge(&self, column: u32) -> bool {
        let is_free = self.is_free(column);
        let price = self.guess.column_of(Id::Price).map(|own| self.sum(own.column.index));
        let sum = self.sum(column);
        is_free && !sum.is_zero() && price.is_some_and(|price| sum < price)
    }

    /// Leaves columns that may be money, and that nobody was asked about, to be compared in each order.
    pub(super) fn compare_money(&mut self) {
        for column in std::mem::take(&mut self.money) {
            if self.is_free(column) {
                self.guess.compare(column, ExtraRole::Perhaps);
            }
        }
    }

    fn is_free(&self, column: u32) -> bool {
        self.guess.columns.iter().any(|own| own.column.index == column && own.is_free())
    }

    /// The sum of a column's different amounts.
    fn sum(&self, column: u32) -> Decimal {
        let (seen, field) = (self.sample.column(column), Id::Price.field());
        let mut habit = ColumnFormat::default();
        seen.texts().for_each(|text| habit.learn(field.kind, text));
        let amount = |text| match value(Input { habit, ..Input::new(field, text) }, self.rules).value {
            Some(Value::Number(amount)) => Some(amount),
            _ => None,
        };
        seen.texts().filter_map(amount).sum()
    }

    /// Asks which charge a column is, if any.
    pub(super) fn ask_charge<I: BufRead, O: Write>(&mut self, talk: &mut Talk<I, O>, column: u32) -> io::Result<Step> {
        talk.say(&format!(
            "\nThis column may be money that the customer pays. What is it?\n      {}",
            self.offer(column, 0)
        ))?;
        for (number, (_, words)) in (1..).zip(USES) {
            talk.say(&format!("  {number:>2}  {words}"))?;
        }
        talk.say("      Enter something else · b back · q leave")?;
        match talk.choose("number [none]:", &USES.map(|(_, words)| words), Some(USES.len()))? {
            Ok(chosen) => {
                match USES.get(chosen) {
                    Some((Use::Feeds(id), _)) => self.guess.take(id.field(), column),
                    Some((Use::Is(role), _)) => self.guess.compare(column, *role),
                    None => self.money.retain(|own| *own != column),
                }
                Ok(Step::Done)
            }
            Err(step) => Ok(step),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::cli::profile::several::tests::walked_with;

    #[test]
    fn a_part_of_the_payment_is_compared_and_not_sent() {
        let sheet = "Bill,Price,DP\nB-1,500,200\nB-2,900,100\n";
        for (answer, kept) in [("4", "[totals]\npaid = [\"DP\"]\n"), ("5", "[totals]\ncollect = [\"DP\"]\n")] {
            let (guess, shown) = walked_with(sheet, &[], &[2], &[answer, "y"]);
            let toml = guess.to_toml("odd");
            assert!(toml.contains(kept) && toml.contains("left_out = []"), "{shown}\n{toml}");
            crate::profile::Profile::parse("odd", &toml).unwrap();
        }
    }
}
