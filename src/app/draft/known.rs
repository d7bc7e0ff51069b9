//! Rows that were sent keep the number that they went under, whoever sent them: an answer that may give them another one notes
//! what the ledger knows of them before, and a sheet that comes notes what was staged from its very bytes.

use sha2::{Digest, Sha256};

use crate::app::connect::App;
use crate::app::error::{Error, Result};
use crate::app::reading::Reading;
use crate::ledger::{Intake, LedgerError, State};

use super::answer::{CellEdit, DraftAnswer};
use super::open::Open;
use super::rows::{OrderRows, SentRows, rows_as_written};
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

    /// What was staged from the sheet of a draft, by whoever it was.
    pub(super) fn staged_from_draft(&self, folder: &Folder) -> Result<Vec<OrderRows>> {
        let path = folder.sheet();
        let bytes = std::fs::read(&path).map_err(Error::file(format!("cannot read {}", path.display())))?;
        self.staged_from(&Sha256::digest(&bytes).into())
    }

    /// What was staged from a sheet of these very bytes.
    fn staged_from(&self, sha256: &[u8; 32]) -> Result<Vec<OrderRows>> {
        // Whether it can be read is told where something is to be sent.
        let Ok(ledger) = self.read_ledger() else { return Ok(Vec::new()) };
        let staged = ledger.staged_from(sha256)?;
        Ok(staged.iter().filter_map(|(order, rows)| rows_as_written(order, rows, ROWS_MAX)).collect())
    }

    /// The numbers that rows of a sheet went under before, by whoever it was. Of several files nothing is known: the ledger
    /// does not say which row is of which.
    pub(in crate::app) fn sent_rows(&self, reading: &Reading) -> Result<SentRows> {
        let mut sent = SentRows::default();
        if let [source] = &reading.sources()[..] {
            for own in self.staged_from(&source.sha256)? {
                sent.change(&own, |numbers| numbers.extend([own.order.clone()]));
            }
        }
        Ok(sent)
    }
}

impl Draft {
    /// The rows that an answer may give other numbers, of orders that the ledger knows.
    pub(super) fn known_rows(&self, app: &App, answer: &DraftAnswer) -> Result<Vec<OrderRows>> {
        let Some(open) = self.open.as_ref().filter(|_| answer.may_renumber()) else { return Ok(Vec::new()) };
        let Some(Judged { checked, .. }) = &open.judged else { return Ok(Vec::new()) };
        let numbers = checked.entries().iter().map(|entry| entry.number.as_str());
        Ok(match answer {
            // Of what is typed every number is noted: another program may send the row under it at any later time.
            DraftAnswer::Edit { cells } => {
                let renumbered = cells.iter().filter_map(|cell| open.renumbered(cell));
                open.rows_of(renumbered.map(|entry| entry.number.as_str()))
            }
            _ => open.rows_of(app.known_states(numbers)?.into_iter().map(|(number, _)| number)),
        })
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
