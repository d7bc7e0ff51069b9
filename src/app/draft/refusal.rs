//! What the service said of an order of a sheet when it refused it, and the cells that it speaks of.

use crate::api::outcome::purchase_error_message;
use crate::app::connect::App;
use crate::app::error::Result;
use crate::ledger::State;
use crate::report::quoted_cells;

use super::{Draft, DraftOrder, DraftState, FoundCell};

/// Why an order that would go as it stands failed so before.
#[derive(Debug, Clone)]
pub struct Refusal {
    /// What the service said.
    pub said: String,
    /// The cells whose text it names.
    pub cells: Vec<FoundCell>,
}

impl Draft {
    /// What the service said of an order that failed with the very request that it would go with; nothing of any other.
    ///
    /// # Errors
    /// The sheet or the ledger can no longer be read.
    pub fn refusal(&self, app: &App, order: &DraftOrder) -> Result<Option<Refusal>> {
        let failed = [State::Rejected, State::Refused].into_iter().find(|state| order.known == Some(*state));
        let Some(failed) = failed.filter(|_| order.state == DraftState::Fix) else { return Ok(None) };
        let history = app.read_ledger()?.order(&order.number)?.into_iter().find(|own| own.state == failed.as_str());
        let Some(error) = history.and_then(|history| history.error) else { return Ok(None) };
        let said = if failed == State::Rejected { purchase_error_message(&error) } else { error };
        let rows = self.order(&order.number)?.map(|whole| whole.rows).unwrap_or_default();
        let mut cells = Vec::new();
        for row in rows {
            let others = row.cells.iter().filter(|cell| cell.text != order.number);
            let texts = others.map(|cell| (cell.column as usize, cell.text.as_str()));
            let quoted = quoted_cells(&said, texts);
            let (sheet, number) = (row.sheet, row.row);
            let named = row.cells.into_iter().filter(|cell| quoted.contains(&(cell.column as usize)));
            cells.extend(named.map(|cell| FoundCell {
                sheet,
                row: number,
                column: cell.column,
                header: cell.header,
                text: cell.text,
                edited: cell.edited,
                findings: Vec::new(),
                others: Vec::new(),
            }));
        }
        Ok(Some(Refusal { said, cells }))
    }
}
