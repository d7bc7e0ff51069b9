//! Orders of a sheet that the service refused as they stand, by its cause, with the cells that it speaks of.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};

use crate::app::connect::App;
use crate::app::error::Result;
use crate::app::field_names::{FieldNames, named_in};
use crate::app::standing::failed_because;
use crate::ledger::{OpenOrder, State};
use crate::report::quoted_cells;

use super::checked::Entry;
use super::{CellEdit, Draft, DraftState, FoundCell, GroupId, WholeCell, WholeRow};

/// Orders that failed for one cause with the very requests that they would go with.
#[derive(Debug, Clone)]
pub struct RefusedGroup {
    /// Tells it from others.
    pub group: GroupId,
    /// The service's words on the first of them, with the sheet's own names.
    pub said: String,
    /// The cause, to retry what failed for it.
    pub cause: String,
    /// Their numbers, in the order of the sheet.
    pub orders: Vec<String>,
    /// The values that the service speaks of, each once.
    pub values: Vec<RefusedValue>,
}

/// A value that the service speaks of.
#[derive(Debug, Clone)]
pub struct RefusedValue {
    /// The first of the cells that have it.
    pub cell: FoundCell,
    /// The orders that have it.
    pub orders: Vec<String>,
    /// All of the cells, as they are.
    pub cells: Vec<CellEdit>,
}

impl Draft {
    /// The orders that failed with the very requests that they would go with, by cause.
    ///
    /// # Errors
    /// The sheet or the ledger can no longer be read.
    pub fn refused(&self, app: &App) -> Result<Vec<RefusedGroup>> {
        let Some(pages) = self.pages() else { return Ok(Vec::new()) };
        let is_refused = |entry: &&Entry| {
            entry.state == DraftState::Fix && matches!(entry.known, Some(State::Rejected | State::Refused))
        };
        let entries: Vec<&Entry> = pages.checked.entries().iter().filter(is_refused).collect();
        if entries.is_empty() {
            return Ok(Vec::new());
        }
        let mut failed: HashMap<String, (String, String)> = HashMap::new();
        app.read_ledger()?.for_each_open(&mut |OpenOrder { number, state, error, .. }| {
            if matches!(state, State::Rejected | State::Refused) {
                failed.insert(number, failed_because(state.as_str(), &error.unwrap_or_default()));
            }
        })?;
        let columns = pages.opened.columns.of(0);
        let names = FieldNames::of(columns);
        let mut groups: Vec<RefusedGroup> = Vec::new();
        for (entry, rows) in entries.iter().zip(pages.rows_of(&entries)?) {
            let Some((said, cause)) = failed.remove(&*entry.number) else { continue };
            let known = groups.iter().position(|own| own.cause == cause).unwrap_or(groups.len());
            if known == groups.len() {
                groups.push(RefusedGroup::new(names.in_words(&said), cause));
            }
            let fed = named_in(&said).filter_map(|field| columns.feed(field.id)).flat_map(|feed| columns.sources(feed));
            groups[known].add(&entry.number, &said, rows, &fed.collect::<Vec<u32>>());
        }
        Ok(groups)
    }
}

impl RefusedGroup {
    fn new(said: String, cause: String) -> Self {
        Self { group: GroupId(hash(&cause)), said, cause, orders: Vec::new(), values: Vec::new() }
    }

    /// Tells its orders from any others.
    #[must_use]
    pub fn stamp(&self) -> u64 {
        hash(&self.orders)
    }

    /// Adds an order with the cells that the service quotes, and those of the columns that it names.
    fn add(&mut self, number: &str, said: &str, rows: Vec<WholeRow>, named: &[u32]) {
        self.orders.push(number.to_owned());
        for WholeRow { sheet, row, cells } in rows {
            let others = cells.iter().filter(|cell| cell.text != number);
            let texts = others.map(|cell| (cell.column as usize, cell.text.as_str()));
            let quoted = quoted_cells(said, texts);
            let is_meant = |cell: &WholeCell| quoted.contains(&(cell.column as usize)) || named.contains(&cell.column);
            for WholeCell { column, header, text, edited } in cells.into_iter().filter(is_meant) {
                let at = CellEdit { sheet, row, column, text };
                let same = |own: &&mut RefusedValue| own.cell.column == column && own.cell.text == at.text;
                if let Some(value) = self.values.iter_mut().find(same) {
                    if value.orders.last().is_none_or(|last| last != number) {
                        value.orders.push(number.to_owned());
                    }
                    value.cells.push(at);
                    continue;
                }
                let text = at.text.clone();
                let cell =
                    FoundCell { sheet, row, column, header, text, edited, findings: Vec::new(), others: Vec::new() };
                self.values.push(RefusedValue { cell, orders: vec![number.to_owned()], cells: vec![at] });
            }
        }
    }
}

fn hash(own: impl Hash) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(own)
}
