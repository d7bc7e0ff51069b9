//! Rows of an order that get one value, or another number: where they disagree, and where it is cancelled and wanted anew.

use crate::app::connect::App;
use crate::app::error::{Error, Result};
use crate::field::Field;
use crate::finding::{Finding, Id};
use crate::stage::StageError;

use super::Draft;
use super::answer::CellEdit;
use super::checked::is_cancelled;
use super::page::Pages;

/// Whether a finding says that the rows of an order have two receivers: then they may be two orders.
#[must_use]
pub fn may_be_two_orders(finding: &Finding) -> bool {
    let field = finding.field.as_deref().and_then(Field::by_path);
    finding.id == Id::OrderClash && field.is_some_and(Field::is_receivers)
}

impl Draft {
    /// Edits that give all rows of an order the value of this cell, where theirs is another one.
    ///
    /// # Errors
    /// The sheet can no longer be read; it has no such cell.
    pub fn one_value(&self, number: &str, of: &CellEdit) -> Result<Vec<CellEdit>> {
        let (own, others) = self.rows_of_cell(number, of)?;
        let differs = |cell: &CellEdit| !cell.text.trim().is_empty() && cell.text.trim() != own.trim();
        Ok(others.into_iter().filter(differs).map(|cell| CellEdit { text: own.clone(), ..cell }).collect())
    }

    /// Edits that make an order of its own of the rows that have the value of this cell, under a number that nothing else has.
    ///
    /// # Errors
    /// The sheet or the ledger can no longer be read; its number stands in no cell.
    pub fn two_orders(&self, app: &App, number: &str, of: &CellEdit) -> Result<Vec<CellEdit>> {
        let (own, others) = self.rows_of_cell(number, of)?;
        let alike = others.into_iter().filter(|cell| cell.text.trim() == own.trim());
        self.renumbered(app, number, alike.map(|cell| (cell.sheet, cell.row)))
    }

    /// Edits that give an order that is cancelled a number that nothing else has, so that it can be booked anew.
    ///
    /// # Errors
    /// It is not known to be cancelled; as [`two_orders`](Self::two_orders).
    pub fn anew(&self, app: &App, number: &str) -> Result<Vec<CellEdit>> {
        let Pages { checked, .. } = self.pages().ok_or(Error::NoDraft)?;
        let entry = checked.entry(number).ok_or(Error::NoDraft)?;
        if !checked.said(entry).map_err(StageError::Spool)?.iter().any(is_cancelled) {
            return Err(Error::Refused(format!("order {number} is not cancelled: cancel it first")));
        }
        self.renumbered(app, number, entry.rows.iter().map(|row| (usize::from(row.sheet), row.row)))
    }

    /// Edits that write a number that nothing else has into these rows of an order: its own with a figure behind it.
    fn renumbered(&self, app: &App, number: &str, rows: impl Iterator<Item = (usize, u32)>) -> Result<Vec<CellEdit>> {
        let Pages { opened, checked, .. } = self.pages().ok_or(Error::NoDraft)?;
        let ledger = app.ledger_there()?;
        let is_free = |number: &str| -> Result<bool> {
            let is_known =
                ledger.as_ref().map_or(Ok(false), |ledger| ledger.order(number).map(|own| !own.is_empty()))?;
            Ok(!is_known && checked.entry(number).is_none())
        };
        let mut place = 2_u32;
        while !is_free(&format!("{number}-{place}"))? {
            place += 1;
        }
        let edit = |(sheet, row): (usize, u32)| {
            let columns = opened.columns.of(u16::try_from(sheet).unwrap_or(u16::MAX));
            let own = columns.order_number.filter(|fed| fed.step.is_none()).ok_or_else(|| {
                let why = "stands in no cell of its own: give its rows another number in Excel";
                Error::Refused(format!("the number of order {number} {why}"))
            })?;
            let bare = number.strip_prefix(columns.prefix()).unwrap_or(number);
            Ok(CellEdit { sheet, row, column: own.column, text: format!("{bare}-{place}") })
        };
        rows.map(edit).collect()
    }

    /// The text of a cell of an order, and the cells of its column in all rows of that order.
    fn rows_of_cell(&self, number: &str, of: &CellEdit) -> Result<(String, Vec<CellEdit>)> {
        let pages: Pages<'_> = self.pages().ok_or(Error::NoDraft)?;
        let entry = pages.checked.entry(number).ok_or(Error::NoDraft)?;
        let rows = entry.rows.iter().filter(|row| usize::from(row.sheet) == of.sheet);
        let mut cells: Vec<CellEdit> = rows.map(|row| CellEdit { row: row.row, ..of.clone() }).collect();
        let texts = pages.texts_of(&cells)?;
        cells.iter_mut().zip(texts).for_each(|(cell, text)| cell.text = text);
        let own = cells.iter().find(|cell| cell.row == of.row).ok_or(Error::NoDraft)?.text.clone();
        Ok((own, cells))
    }
}
