//! Rows that this program has handed out before: its own columns and marks are taken off again.

use std::sync::Arc;

use super::cell::{Cell, CellKind};
use super::names::Header;
use super::row::Row;
use crate::finding::sheet::{below_title, unreadable_cell};
use crate::origin::{Added, LOST, Place, Source, is_added, unguarded};

/// The columns of one sheet that this program has added.
#[derive(Debug)]
pub(super) struct AddedColumns {
    columns: Vec<usize>,
    status: Option<usize>,
    reason: Option<usize>,
    awb: Option<usize>,
}

impl AddedColumns {
    /// None in a sheet that this program has not written.
    pub(super) fn of(header: &Header) -> Option<Self> {
        let columns: Vec<usize> =
            header.cells.iter().enumerate().filter(|(_, text)| is_added(text)).map(|(index, _)| index).collect();
        if columns.is_empty() {
            return None;
        }
        let place = |added: Added| header.cells.iter().position(|text| Added::of(text) == Some(added));
        let (status, reason, awb) = (place(Added::Status), place(Added::Reason), place(Added::Awb));
        Some(Self { columns, status, reason, awb })
    }

    /// Leaves the person's own cells as they were, and keeps what nobody has cleared marked as it was. What was wrong with the row
    /// stays, so that it can be told what nobody has corrected, and its AWB, which another ledger may not know.
    pub(super) fn take_off(&self, row: &mut Row, source: &Arc<Source>) {
        let status = self.status.map_or("", |column| row.cell(column).text);
        let marked = [Added::DAMAGED, Added::BELOW_TITLE, Added::MARKED].into_iter().find(|mark| *mark == status);
        let own = |(index, cell): (usize, Cell<'_>)| cell.kind != CellKind::Empty && !self.columns.contains(&index);
        let has_own = row.cells().enumerate().any(own);
        let (reason, awb) = (self.reason.filter(|_| has_own), self.awb.filter(|_| has_own));
        row.rewrite(&mut |index, text, kind| {
            if reason == Some(index) || awb == Some(index) {
                return (unguarded(text), kind);
            }
            if self.columns.contains(&index) {
                return ("", CellKind::Empty);
            }
            match text.strip_prefix(LOST).map(str::trim) {
                Some("") => ("", CellKind::FormulaWithoutValue),
                Some(rest) => (rest, CellKind::LossyNumber),
                None if is_error_value(text) => (text, CellKind::Error),
                None => (unguarded(text), kind),
            }
        });
        if let Some(mark) = marked.filter(|_| !row.is_blank()) {
            let header = Added::Status.header();
            let as_marked = if mark == Added::DAMAGED {
                unreadable_cell::handed_back(header)
            } else {
                below_title::handed_back(header, mark == Added::MARKED)
            };
            let place = match self.status {
                Some(column) => {
                    let column = u32::try_from(column).unwrap_or(u32::MAX);
                    Place::cell(source, row.number(), column, header)
                }
                None => Place::row(source, row.number()),
            };
            row.notice(as_marked.at(place).found(mark));
        }
    }
}

/// What a spreadsheet shows in place of a value that it cannot compute.
fn is_error_value(text: &str) -> bool {
    ["#N/A", "#REF!", "#VALUE!", "#DIV/0!", "#NAME?", "#NUM!", "#NULL!", "#GETTING_DATA"].contains(&text)
}
