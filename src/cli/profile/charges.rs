//! Columns that may be charges or a discount: they change what is collected, so each is asked about.

use std::io::{self, BufRead, Write};

use super::talk::{Step, Talk};
use super::walk::Walk;
use crate::field::Id;
use crate::parse::{ColumnFormat, Input, Value, value};
use crate::text::Decimal;

/// The fields that such a column may be, in the order in which they are offered.
const CHARGES: [(Id, &str); 3] = [
    (Id::ShippingCharges, "what the customer pays for shipping"),
    (Id::OtherCharges, "other charges"),
    (Id::Discount, "a discount on the whole order"),
];

impl Walk<'_> {
    /// Whether a column that may be money is still free, and holds less than the price: a total would hold more.
    pub(super) fn may_be_charge(&self, column: u32) -> bool {
        let is_free = self.guess.columns.iter().any(|own| own.column.index == column && own.field.is_none());
        let price = self.guess.column_of(Id::Price).map(|own| self.sum(own.column.index));
        let sum = self.sum(column);
        is_free && !sum.is_zero() && price.is_some_and(|price| sum < price)
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
        for (number, (_, words)) in (1..).zip(CHARGES) {
            talk.say(&format!("  {number:>2}  {words}"))?;
        }
        talk.say("      Enter something else · b back · q leave")?;
        match talk.choose("number [none]:", &CHARGES.map(|(_, words)| words), Some(CHARGES.len()))? {
            Ok(chosen) => {
                if let Some((id, _)) = CHARGES.get(chosen) {
                    self.guess.take(id.field(), column);
                }
                Ok(Step::Done)
            }
            Err(step) => Ok(step),
        }
    }
}
