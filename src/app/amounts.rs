//! Columns of amounts that no header explains: what each is for changes what is collected, so it is asked once.

use std::collections::BTreeSet;

use crate::column::Columns;
use crate::column::decide::{ValueKind, ValueQuestion, may_be_paid_in_part, unclear_amounts};
use crate::event::Stream;
use crate::finding::{Finding, Id};
use crate::origin::Column;
use crate::profile::AmountUse;
use crate::stage::{OpenedSheet, OrderOutcome, OrderRows, watch_orders};

use super::error::Result;
use super::layout::AmountQuestion;
use super::reading::Reading;

/// Values that are shown of a column.
const VALUES_SHOWN: usize = 5;

impl Reading {
    /// What is to be asked about amounts, of each sheet with an order that these may change: one whose money does not add up, that may
    /// be paid in part, or of which nobody knows yet how it is paid.
    ///
    /// # Errors
    /// A sheet cannot be read again.
    pub fn amount_questions(&self) -> Result<Vec<Option<AmountQuestion>>> {
        let sheets = || self.opened.sheets.iter().zip(self.opened.columns.iter());
        if self.is_unusable() || sheets().all(|(_, columns)| unclear_amounts(columns).is_empty()) {
            return Ok(vec![None; self.opened.sheets.len()]);
        }
        let held = self.with_money_held()?;
        let values = self.value_questions(false)?;
        let of_sheet = |(number, (planned, columns)): (u16, (&OpenedSheet, &Columns))| {
            let unclear = unclear_amounts(columns);
            let sample = planned.sample.of(&planned.sheet)?;
            let of_payment = |own: &ValueQuestion| own.kind == ValueKind::Payment;
            let is_asked = || {
                held.contains(&number)
                    || values[usize::from(number)].iter().any(of_payment)
                    || may_be_paid_in_part(columns, sample, &self.rules)
            };
            if unclear.is_empty() || !is_asked() {
                return Ok(None);
            }
            let values = |column: &Column| {
                let values = sample.column(column.index).values.iter().filter(|(text, _)| !text.is_empty());
                values.take(VALUES_SHOWN).map(|(text, rows)| (text.to_string(), *rows)).collect()
            };
            let is_free = |used: &AmountUse| used.field().is_none_or(|id| columns.column(id).is_none());
            Ok(Some(AmountQuestion {
                columns: unclear.into_iter().map(|column| (column.clone(), values(&column))).collect(),
                choices: AmountUse::ALL.into_iter().filter(is_free).collect(),
            }))
        };
        (0..).zip(sheets()).map(of_sheet).collect()
    }

    /// The sheets with an order whose money does not add up.
    fn with_money_held(&self) -> Result<BTreeSet<u16>> {
        let mut held = BTreeSet::new();
        let mut watch = |order: &OrderRows<'_>, _: OrderOutcome, said: &[Finding]| {
            if said.iter().any(|own| own.id == Id::TotalDiffers && own.holds()) {
                held.extend(order.at.iter().map(|at| at.sheet));
            }
        };
        watch_orders(&self.opened, &self.rules, &mut watch, &mut Stream::silent())?;
        Ok(held)
    }
}
