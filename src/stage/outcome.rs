//! What becomes of each order and of each row, so that the sheets can be handed back with it.
//!
//! Nothing of the rows themselves is kept: four bytes a row say which order it belongs to, and what is wrong with orders
//! that stay behind waits in a temporary file, readable by nobody else and gone with the process.

use std::collections::HashMap;
use std::io;

use crate::finding::Finding;
use crate::spool::{Spool, Spooled};

use super::error::StageError;
use super::order_rows::OrderRows;

/// What becomes of an order, or of a row that names none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderOutcome {
    /// It is good, and its sink has it.
    Goes,
    /// It does not go, and is booked already.
    Booked,
    /// It stays behind, with what is wrong with it.
    Stays,
    /// It is left out, by its sheet's word.
    LeftOut,
}

/// What became of a filled row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowOutcome {
    /// It belongs to no order, by a rule.
    Apart,
    /// It belongs to a good order, by its place among the orders of the run.
    Order(u64),
    /// It stays behind, alone or with its order, for these reasons.
    Behind(Vec<Finding>),
    /// The sheet has several rows of this number, and they are of different orders.
    Unclear,
}

/// Notes which order each row went into.
#[derive(Debug, Default)]
pub struct Trace {
    /// Of each sheet, by the numbers of its rows: the place of their order plus one.
    sheets: Vec<Vec<u32>>,
    /// The reasons of what stays behind.
    behind: HashMap<u32, Spooled>,
    rows_without_order: u32,
    spool: Spool,
    failure: Option<io::Error>,
}

/// Stands for rows that cannot be told apart.
const UNCLEAR: u32 = u32::MAX;

impl Trace {
    /// A trace of so many sheets.
    #[must_use]
    pub fn new(sheets: usize) -> Self {
        Self { sheets: vec![Vec::new(); sheets], ..Self::default() }
    }

    /// Notes what becomes of an order, or of a row without one.
    pub fn note(&mut self, of: &OrderRows<'_>, outcome: OrderOutcome, findings: &[Finding]) {
        if outcome == OrderOutcome::LeftOut {
            return;
        }
        // Places are counted from 0; 0 stands for none, and the end is for rows without an order.
        let id = if of.number.is_some() {
            u32::try_from(of.position + 1).unwrap_or(UNCLEAR)
        } else {
            self.rows_without_order += 1;
            UNCLEAR - self.rows_without_order
        };
        for at in of.at {
            let Some(rows) = self.sheets.get_mut(usize::from(at.sheet)) else { continue };
            let row = at.row as usize;
            rows.resize(rows.len().max(row + 1), 0);
            rows[row] = if rows[row] == 0 || rows[row] == id { id } else { UNCLEAR };
        }
        if outcome == OrderOutcome::Stays {
            let held: Vec<&Finding> = findings.iter().filter(|finding| finding.holds()).collect();
            match self.spool.put(&held) {
                Ok(reasons) => drop(self.behind.insert(id, reasons)),
                Err(error) => self.failure = Some(error),
            }
        }
    }

    /// Makes sure that everything was noted; said before anything is sent.
    pub fn finish(&mut self) -> Result<(), StageError> {
        self.failure.take().map_or(Ok(()), |error| Err(StageError::Spool(error)))
    }

    /// What became of a filled row.
    pub fn row(&self, sheet: usize, row: u32) -> Result<RowOutcome, StageError> {
        Ok(match self.sheets.get(sheet).and_then(|rows| rows.get(row as usize)).copied().unwrap_or(0) {
            0 => RowOutcome::Apart,
            UNCLEAR => RowOutcome::Unclear,
            id => match self.behind.get(&id).copied() {
                Some(at) => RowOutcome::Behind(self.spool.get(at).map_err(StageError::Spool)?),
                None => RowOutcome::Order(u64::from(id - 1)),
            },
        })
    }
}
