//! Rows of one order that disagree: one value for all of them, or two orders of them.

use crate::app::connect::App;
use crate::app::error::{Error, Result};
use crate::field::Field;
use crate::finding::{Finding, Id};

use super::Draft;
use super::answer::CellEdit;
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
        let pages = self.pages().ok_or(Error::NoDraft)?;
        let columns = pages.opened.columns.of(u16::try_from(of.sheet).unwrap_or(u16::MAX));
        let in_no_cell = || {
            Error::Refused(format!(
                "the number of order {number} stands in no cell of its own: give its rows two numbers in Excel"
            ))
        };
        let column = columns.order_number.filter(|fed| fed.step.is_none()).ok_or_else(in_no_cell)?.column;
        let alike = others.into_iter().filter(|cell| cell.text.trim() == own.trim());
        let cells: Vec<CellEdit> = alike.map(|cell| CellEdit { column, ..cell }).collect();
        let ledger = app.ledger_there()?;
        let is_free = |text: &String| -> Result<bool> {
            let number = format!("{}{text}", columns.prefix());
            let is_known =
                ledger.as_ref().map_or(Ok(false), |ledger| ledger.order(&number).map(|own| !own.is_empty()))?;
            Ok(!is_known && pages.checked.entry(&number).is_none())
        };
        let bare = number.strip_prefix(columns.prefix()).unwrap_or(number);
        let mut place = 2_u32;
        let mut new = format!("{bare}-{place}");
        while !is_free(&new)? {
            place += 1;
            new = format!("{bare}-{place}");
        }
        Ok(cells.into_iter().map(|cell| CellEdit { text: new.clone(), ..cell }).collect())
    }

    /// What stands in a cell of an order, and the cells of its column in all rows of that order.
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
