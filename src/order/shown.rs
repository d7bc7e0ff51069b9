//! What the cells of a whole column show, which one order alone does not.

use std::collections::BTreeSet;

use crate::field::{AmountRole, Ready, Sign};

use super::layout::Layout;

/// What the columns of one sheet show.
#[derive(Debug, Clone, Default)]
pub(super) struct Shown {
    consents: Vec<u32>,
    days: Vec<(u32, Days)>,
}

/// What a column of days on which orders are sent holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Days {
    /// Whether any order is blank there: the days are written as the orders go.
    blank: bool,
    /// The days, as they stand there; the first ones where there are many.
    texts: BTreeSet<String>,
}

/// More days than this are no plan.
const DAYS_MAX: usize = 12;

impl Days {
    /// Adds the cell of an order's first row.
    pub fn take(&mut self, text: &str) {
        self.blank |= text.is_empty();
        if !text.is_empty() && !self.texts.contains(text) && self.texts.len() < DAYS_MAX {
            self.texts.insert(text.to_owned());
        }
    }

    /// Adds what another part of the column has shown.
    pub fn add(&mut self, other: Self) {
        self.blank |= other.blank;
        self.texts.extend(other.texts);
    }

    /// Whether the days are written as the orders go: some are blank, or one of them is over.
    pub(super) fn is_register(&self, mut is_over: impl FnMut(&str) -> bool) -> bool {
        self.blank || self.texts.len() >= DAYS_MAX || self.texts.iter().any(|text| is_over(text))
    }
}

impl Layout {
    /// The columns in which a yes lets an order go.
    pub fn columns_of_consent(&self) -> impl Iterator<Item = u32> {
        self.columns_of(|sign| matches!(sign, Sign::Ready(Ready::Confirmed | Ready::Go)))
    }

    /// The columns of the day on which an order is sent, be it planned or past.
    pub fn columns_of_days(&self) -> impl Iterator<Item = u32> {
        self.columns_of(|sign| sign == Sign::Day)
    }

    fn columns_of(&self, is_meant: fn(Sign) -> bool) -> impl Iterator<Item = u32> {
        let is_meant = move |role: AmountRole| matches!(role, AmountRole::Sign(sign) if is_meant(sign));
        self.amounts().iter().filter(move |amount| is_meant(amount.role)).map(|amount| amount.column)
    }

    /// Adds columns in which some orders have a yes.
    pub fn add_consents(&mut self, columns: impl Iterator<Item = u32>) {
        self.shown.consents.extend(columns);
    }

    /// The columns in which some orders have a yes, so that a blank cell says something as well.
    #[must_use]
    pub fn consents(&self) -> &[u32] {
        &self.shown.consents
    }

    /// Adds what a part of a column of days has shown.
    pub fn add_days(&mut self, column: u32, shown: Days) {
        match self.shown.days.iter_mut().find(|(of, _)| *of == column) {
            Some((_, days)) => days.add(shown),
            None => self.shown.days.push((column, shown)),
        }
    }

    /// What a column of days shows.
    pub(super) fn days(&self, column: u32) -> Option<&Days> {
        self.shown.days.iter().find(|(of, _)| *of == column).map(|(_, days)| days)
    }
}
