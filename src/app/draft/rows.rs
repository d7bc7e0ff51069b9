//! Rows as the file has them: what is said of an order stays with them, whatever its number becomes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::column::RowRef;
use crate::origin::Source;
use crate::stage::Opened;

/// An order with its rows in one worksheet, as they stood at a moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderRows {
    pub(super) order: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    worksheet: Option<String>,
    rows: Vec<u32>,
}

impl OrderRows {
    /// An order with its rows, once for each worksheet.
    pub(super) fn of(opened: &Opened, order: &str, at: &[RowRef]) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for row in at {
            let worksheet = &source(opened, *row).worksheet;
            match all.iter_mut().find(|own| own.worksheet == *worksheet) {
                Some(own) => own.rows.push(row.row),
                None => all.push(Self { order: order.to_owned(), worksheet: worksheet.clone(), rows: vec![row.row] }),
            }
        }
        all
    }
}

impl OrderRows {
    pub(super) fn worksheet(&self) -> Option<&str> {
        self.worksheet.as_deref()
    }

    pub(super) fn rows(&self) -> &[u32] {
        &self.rows
    }
}

/// Something that is kept of rows.
#[derive(Debug, Clone)]
pub(super) struct ByRow<T>(BTreeMap<Option<String>, BTreeMap<u32, T>>);

impl<T> Default for ByRow<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T: Default> ByRow<T> {
    /// Changes what is kept of each of these rows.
    pub(super) fn change(&mut self, of: &OrderRows, change: impl Fn(&mut T)) {
        let own = self.0.entry(of.worksheet.clone()).or_default();
        of.rows.iter().for_each(|row| change(own.entry(*row).or_default()));
    }

    /// What is kept of these rows.
    pub(super) fn of<'r>(&'r self, of: &'r OrderRows) -> impl Iterator<Item = &'r T> {
        let own = self.0.get(&of.worksheet);
        own.into_iter().flat_map(|own| of.rows.iter().filter_map(|row| own.get(row)))
    }

    /// All of it, each with its worksheet and row.
    pub(super) fn all(&self) -> impl Iterator<Item = (&Option<String>, u32, &T)> {
        self.0.iter().flat_map(|(worksheet, rows)| rows.iter().map(move |(row, own)| (worksheet, *row, own)))
    }

    pub(super) fn get(&self, opened: &Opened, at: RowRef) -> Option<&T> {
        self.0.get(&source(opened, at).worksheet)?.get(&at.row)
    }
}

fn source(opened: &Opened, at: RowRef) -> &Source {
    opened.sheets[usize::from(at.sheet)].sheet.source()
}
