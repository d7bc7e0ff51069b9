//! Rows that were sent keep the number that they went under, whoever sent them: an answer that may give them another one notes
//! what the ledger knows of them before, and a sheet that comes notes what was staged from its very bytes.

use sha2::{Digest, Sha256};

use crate::app::connect::App;
use crate::app::error::{Error, Result};
use crate::column::RowRef;
use crate::ledger::{Intake, LedgerError, State};

use super::answer::{CellEdit, DraftAnswer};
use super::checked::Entry;
use super::open::Open;
use super::rows::{OrderRows, rows_as_written};
use super::store::Folder;
use super::{Draft, check::Judged};

/// Rows of one order that were sent; more of them come from no sheet that people write.
const ROWS_MAX: u32 = 100_000;

impl App {
    /// What a ledger knows of order numbers; nothing where there is none.
    pub(super) fn known_states<'n>(&self, numbers: impl Iterator<Item = &'n str>) -> Result<Vec<(&'n str, State)>> {
        let Ok(service) = self.config.service_key() else { return Ok(Vec::new()) };
        let ledger = match self.read_ledger() {
            Err(Error::Ledger(LedgerError::Missing(_))) => return Ok(Vec::new()),
            ledger => ledger?,
        };
        let staging = ledger.stage_dry(&service)?;
        let known = |number| Ok(staging.known(number)?.map(|known| (number, known.state)));
        numbers.map(known).filter_map(Result::transpose).collect()
    }

    /// What was staged from a sheet of these very bytes, by whoever it was.
    pub(super) fn staged_from(&self, folder: &Folder) -> Result<Vec<OrderRows>> {
        let ledger = match self.read_ledger() {
            // Whether it can be read is told where something is to be sent.
            Err(_) => return Ok(Vec::new()),
            Ok(ledger) => ledger,
        };
        let path = folder.sheet();
        let bytes = std::fs::read(&path).map_err(Error::file(format!("cannot read {}", path.display())))?;
        let staged = ledger.staged_from(&Sha256::digest(&bytes).into())?;
        Ok(staged.iter().filter_map(|(order, rows)| rows_as_written(order, rows, ROWS_MAX)).collect())
    }
}

impl Draft {
    /// The rows that an answer may give other numbers, of orders that the ledger knows.
    pub(super) fn known_rows(&self, app: &App, answer: &DraftAnswer) -> Result<Vec<OrderRows>> {
        let Some(open) = self.open.as_ref().filter(|_| answer.may_renumber()) else { return Ok(Vec::new()) };
        let Some(Judged { checked, .. }) = &open.judged else { return Ok(Vec::new()) };
        let entries: Vec<&Entry> = match answer {
            DraftAnswer::Edit { cells } => cells.iter().filter_map(|cell| checked.at(row(cell)?)).collect(),
            _ => checked.entries().iter().collect(),
        };
        let known = app.known_states(entries.iter().map(|entry| entry.number.as_str()))?;
        Ok(open.rows_of(known.into_iter().map(|(number, _)| number)))
    }
}

impl Open {
    /// Refuses another number for an order that may be booked already: under a new one it would be sent as a new order.
    pub(super) fn keeps_number(&self, app: &App, cell: &CellEdit) -> Result<()> {
        let Some(entry) = self.renumbered(cell) else { return Ok(()) };
        let state = app.known_states(std::iter::once(entry.number.as_str()))?.pop().map(|(_, state)| state);
        let (stands, first) = match state {
            Some(State::InDoubt | State::Sending) => ("in doubt", ": settle it first"),
            Some(State::Booked) => ("booked", ""),
            _ => return Ok(()),
        };
        Err(Error::Refused(format!("order {} is {stands}, so its number stays{first}", entry.number)))
    }
}

fn row(cell: &CellEdit) -> Option<RowRef> {
    Some(RowRef { sheet: u16::try_from(cell.sheet).ok()?, row: cell.row })
}
