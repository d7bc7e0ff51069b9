//! Rows as the file has them: what is said or done of an order stays with them, whatever its number becomes.

use std::collections::{BTreeMap, BTreeSet};

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

/// The rows of an order as the ledger has them written: `orders.csv:2-3, 9` or `Orders rows 2-3, 9`. Nothing of any other form.
pub(super) fn rows_as_written(order: &str, written: &str, rows_max: u32) -> Option<OrderRows> {
    let is_of_rows = |c: char| c.is_ascii_digit() || matches!(c, '-' | ',' | ' ');
    let (head, list) = written.split_at(written.trim_end_matches(is_of_rows).len());
    let (worksheet, list) = match head.strip_suffix(" rows").or_else(|| head.strip_suffix(" row")) {
        Some(worksheet) => (Some(worksheet.to_owned()), list),
        // A number at the end of a file's name is none of a row.
        None if head.ends_with(':') && !head.contains('!') => (None, list),
        None => return None,
    };
    let mut rows = Vec::new();
    for part in list.split(',').map(str::trim) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
        if last.checked_sub(first)? > rows_max {
            return None;
        }
        rows.extend(first..=last);
    }
    Some(OrderRows { order: order.to_owned(), worksheet, rows })
}

/// Something that is kept of rows.
#[derive(Debug, Clone)]
pub(in crate::app) struct ByRow<T>(BTreeMap<Option<String>, BTreeMap<u32, T>>);

/// The numbers under which rows were sent, or which they had before.
pub(in crate::app) type SentRows = ByRow<BTreeSet<String>>;

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

    pub(super) fn get(&self, opened: &Opened, at: RowRef) -> Option<&T> {
        self.0.get(&source(opened, at).worksheet)?.get(&at.row)
    }

    /// Whatever is kept of any row.
    pub(super) fn values(&self) -> impl Iterator<Item = &T> {
        self.0.values().flat_map(BTreeMap::values)
    }
}

fn source(opened: &Opened, at: RowRef) -> &Source {
    opened.sheets[usize::from(at.sheet)].sheet.source()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_as_the_ledger_has_them_written() {
        let read = |written: &str| rows_as_written("A-1", written, 10).map(|own| (own.worksheet, own.rows));
        assert_eq!(read("orders.csv:27"), Some((None, vec![27])));
        assert_eq!(read("orders 7.csv:2-4, 9"), Some((None, vec![2, 3, 4, 9])));
        assert_eq!(read("Orders row 2"), Some((Some("Orders".to_owned()), vec![2])));
        assert_eq!(read("May 2026 rows 2-3, 9"), Some((Some("May 2026".to_owned()), vec![2, 3, 9])));
        for other in ["Orders!2:4", "orders.csv", "orders.csv:2-50", "orders.csv:4-2", ""] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
