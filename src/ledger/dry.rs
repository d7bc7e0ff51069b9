//! What staging would come to, told from a ledger that is only read.

use super::address::addresses;
use super::db::Transaction;
use super::dismiss::is_dismissed;
use super::disposition::Disposition;
use super::elsewhere::{CountedElsewhere, Elsewhere};
use super::error::LedgerError;
use super::intake::{Intake, Unsendable};
use super::known::{KnownRequest, had_before, known, request_of};
use super::neighbours::{Neighbours, Sent};
use super::open::Ledger;
use super::record::{Known, NewRevision, StagedOrder, State};
use super::rows::{KnownSheet, RowSheets, RunSheet, SheetRow};
use super::same::SentAs;
use super::sqlite;
use crate::finding::Finding;

/// Answers as [`Staging`](super::Staging) would, and writes nothing.
///
/// Everything is read as of one moment, also while a run goes on. What was put is not remembered: a run has each number once.
pub struct DryStaging<'l> {
    transaction: Transaction<'l>,
    /// The ids of all addresses of the service; none where the ledger has never heard of it.
    addresses: Vec<i64>,
    elsewhere: CountedElsewhere,
    neighbours: Neighbours,
    sheets: RowSheets,
}

impl Ledger {
    /// Begins to look at what a run would come to; what else is read of the ledger meanwhile is as of the same moment.
    pub fn stage_dry(&self, service: &str) -> Result<DryStaging<'_>, LedgerError> {
        // As for whoever writes: each order is looked up by statements that would be planned anew every time.
        if self.connection.has_file() {
            sqlite::keep_plans(&self.connection)?;
        }
        let transaction = self.connection.one_moment()?;
        let addresses = addresses(&transaction, service)?;
        let elsewhere = CountedElsewhere::begin(&transaction, service)?;
        let neighbours = Neighbours::of(&transaction, service)?;
        Ok(DryStaging { transaction, addresses, elsewhere, neighbours, sheets: RowSheets::default() })
    }
}

impl DryStaging<'_> {
    /// The orders that would be sent whose numbers are booked, in doubt or given up at addresses of which nobody has said
    /// whether they are this service.
    #[must_use]
    pub fn elsewhere(self) -> Vec<Elsewhere> {
        self.elsewhere.end()
    }
}

impl Intake for DryStaging<'_> {
    fn known(&self, number: &str) -> Result<Option<Known>, LedgerError> {
        known(&self.transaction, &self.addresses, number)
    }

    fn request_of(&self, known: &Known) -> Result<Option<KnownRequest>, LedgerError> {
        request_of(&self.transaction, known)
    }

    fn had_before(&self, known: &Known, sha256: &[u8; 32]) -> Result<bool, LedgerError> {
        had_before(&self.transaction, known, sha256)
    }

    fn sheet(&self, number: u16) -> KnownSheet {
        self.sheets.known(number)
    }

    fn records(&self) -> bool {
        false
    }

    fn revise(&mut self, _: &Known, _: &NewRevision) -> Result<bool, LedgerError> {
        Ok(false)
    }

    fn begin(&mut self, _: &NewRevision) -> Result<(), LedgerError> {
        Ok(())
    }

    fn is_dismissed(&self, number: &str, cells: Option<[u8; 32]>) -> Result<bool, LedgerError> {
        is_dismissed(&self.transaction, &self.addresses, number, cells)
    }

    fn alike(&self, number: &str, beside: &[i64], each: &mut dyn FnMut(Sent)) -> Result<(), LedgerError> {
        self.neighbours.alike(&self.transaction, (number, beside), None, each)
    }

    fn sent_lately(&self, since_ms: (i64, i64), each: &mut dyn FnMut(Sent)) -> Result<(), LedgerError> {
        self.neighbours.sent_lately(&self.transaction, since_ms, each)
    }

    fn are_two(&self, one: &str, other: &str) -> Result<bool, LedgerError> {
        self.neighbours.are_two(&self.transaction, one, other)
    }

    fn begin_sheets(&mut self, sheets: &[RunSheet]) -> Result<(), LedgerError> {
        self.sheets = RowSheets::of(&self.transaction, sheets, None)?;
        Ok(())
    }

    fn sent_otherwise(&self, numbers: (&str, &[String]), rows: &[SheetRow]) -> Result<Option<SentAs>, LedgerError> {
        self.sheets.sent_otherwise(&self.transaction, &self.addresses, numbers, rows)
    }

    fn other_numbers(&self, number: &str, came_as: &[String]) -> Result<Vec<String>, LedgerError> {
        self.sheets.other_numbers(&self.transaction, &self.addresses, number, came_as)
    }

    fn keep_rows(&mut self, _: &[SheetRow]) -> Result<(), LedgerError> {
        Ok(())
    }

    fn keep_former(&mut self, _: &[String]) -> Result<(), LedgerError> {
        Ok(())
    }

    fn keeps_requests(&self) -> bool {
        false
    }

    fn put_over(&mut self, order: &StagedOrder<'_>, known: Option<Known>) -> Result<Disposition, LedgerError> {
        let disposition = Disposition::of(known.as_ref(), &order.sha256);
        if disposition.will_be_sent() {
            self.elsewhere.add(&self.transaction, order.number, order.position)?;
        }
        Ok(disposition)
    }

    fn booked_before(&mut self, number: &str, _: &str, _: i64) -> Result<Option<String>, LedgerError> {
        Ok(self.known(number)?.filter(|known| known.state == State::Booked).and_then(|known| known.awb))
    }

    fn keep_back(&mut self, _: &Unsendable<'_>, _: &[Finding]) -> Result<(), LedgerError> {
        Ok(())
    }

    fn note(&mut self, _: &Finding) -> Result<(), LedgerError> {
        Ok(())
    }
}
