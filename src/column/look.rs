//! What all cells of a sheet show of its columns, once they are seen.

use std::collections::BTreeSet;

use crate::field::Id;
use crate::parse::ColumnFormat;
use crate::sheet::RowEnds;

/// What the cells of a sheet's columns show.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Look {
    /// How the columns of fields write numbers and dates.
    pub habits: Vec<(Id, ColumnFormat)>,
    /// Whether some orders have a yes in a column in which that lets them go.
    pub consents: Vec<(u32, bool)>,
    /// What columns of days hold.
    pub days: Vec<(u32, Days)>,
    /// How the rows end.
    pub ends: RowEnds,
}

impl Look {
    /// Adds what another part of the same sheet shows.
    pub fn add(&mut self, other: Self) {
        self.habits.iter_mut().zip(other.habits).for_each(|((_, own), (_, shown))| own.add(shown));
        self.consents.iter_mut().zip(other.consents).for_each(|((_, own), (_, shown))| *own |= shown);
        self.days.iter_mut().zip(other.days).for_each(|((_, own), (_, shown))| own.add(shown));
        self.ends.add(other.ends);
    }
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
    pub fn is_register(&self, mut is_over: impl FnMut(&str) -> bool) -> bool {
        self.blank || self.texts.len() >= DAYS_MAX || self.texts.iter().any(|text| is_over(text))
    }
}
