//! Columns of amounts that no header explains: what each is for changes what is collected, so it is asked once.

use std::collections::BTreeSet;

use crate::column::Columns;
use crate::column::decide::{Sample, ValueKind, ValueQuestion, amounts_to_ask, may_be_paid_in_part};
use crate::event::Stream;
use crate::field::ExtraRole;
use crate::finding::{Finding, Id};
use crate::origin::Column;
use crate::profile::AmountUse;
use crate::stage::{OrderOutcome, OrderRows, watch_orders};

use super::error::Result;
use super::layout::AmountQuestion;
use super::reading::Reading;

/// Values that are shown of a column.
pub(super) const VALUES_SHOWN: usize = 5;

impl Reading {
    /// The question about amounts, of each sheet with an order that these may change: one whose money does not add up, that may
    /// be paid in part, or of which nobody knows yet how it is paid.
    ///
    /// # Errors
    /// A sheet cannot be read again.
    pub fn amount_questions(&self) -> Result<Vec<Option<AmountQuestion>>> {
        let sheets = || self.opened.sheets.iter().zip(self.opened.columns.iter());
        let unclear: Vec<Vec<Column>> = sheets().map(|(_, columns)| amounts_to_ask(columns)).collect();
        if !self.is_understood() || unclear.iter().all(Vec::is_empty) {
            return Ok(vec![None; unclear.len()]);
        }
        let values = self.value_questions(false)?;
        let mut questions = Vec::new();
        for (number, ((planned, columns), unclear)) in (0..).zip(sheets().zip(unclear)) {
            let sample = planned.sample.of(&planned.sheet)?;
            let of_payment = |own: &ValueQuestion| own.kind == ValueKind::Payment;
            let is_asked = !unclear.is_empty()
                && (values[usize::from(number)].iter().any(of_payment)
                    || may_be_paid_in_part(columns, sample, &self.rules)
                    || self.with_money_held()?.contains(&number));
            questions.push(is_asked.then(|| question(columns, unclear, sample)));
        }
        Ok(questions)
    }

    /// The sheets with an order whose money does not add up. All of them are read for that, once.
    fn with_money_held(&self) -> Result<&BTreeSet<u16>> {
        if let Some(known) = self.money_held.get() {
            return Ok(known);
        }
        let mut held = BTreeSet::new();
        let mut watch = |order: &OrderRows<'_>, _: OrderOutcome, said: &[Finding]| {
            if said.iter().any(|own| own.id == Id::TotalDiffers && own.holds()) {
                held.extend(order.at.iter().map(|at| at.sheet));
            }
        };
        watch_orders(&self.opened, &self.rules, &mut watch, &mut Stream::silent())?;
        Ok(self.money_held.get_or_init(|| held))
    }
}

/// The question about such columns: a use that another column has is not offered, where only one can have it.
fn question(columns: &Columns, unclear: Vec<Column>, sample: &Sample) -> AmountQuestion {
    let values = |column: &Column| {
        let values = sample.column(column.index).values.iter().filter(|(text, _)| !text.is_empty());
        values.take(VALUES_SHOWN).map(|(text, rows)| (text.to_string(), *rows)).collect()
    };
    let is_claimed = |role: ExtraRole| columns.claims.iter().any(|claim| claim.role == role);
    let is_free = |used: &AmountUse| match used {
        AmountUse::Collect => !is_claimed(ExtraRole::Collect),
        AmountUse::Order => !is_claimed(ExtraRole::Order),
        _ => used.field().is_none_or(|id| columns.column(id).is_none()),
    };
    AmountQuestion {
        columns: unclear.into_iter().map(|column| (column.clone(), values(&column))).collect(),
        choices: AmountUse::ALL.into_iter().filter(is_free).collect(),
    }
}
