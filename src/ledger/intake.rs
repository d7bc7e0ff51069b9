//! What takes orders in: staging, or a look at what staging would come to.

use super::disposition::Disposition;
use super::error::LedgerError;
use super::known::KnownRequest;
use super::neighbours::Sent;
use super::record::{Known, NewRevision, StagedOrder, Verdict};
use super::rows::{KnownSheet, RunSheet, SheetRow};
use super::same::SentAs;
use crate::finding::Finding;

/// An order of a run, or a row without one, that problems keep back.
#[derive(Debug, Clone, Copy)]
pub struct Unsendable<'b> {
    /// The order number; none of a row that names no order.
    pub number: Option<&'b str>,
    /// Its rows, as people write them.
    pub rows: &'b str,
    /// Its place among the orders of the run, from 0.
    pub position: i64,
    /// The hash of its cells.
    pub cells: Option<[u8; 32]>,
    /// The verdict of its sheet.
    pub verdict: Verdict,
    /// The rule that decided; empty where none did.
    pub rule: &'b str,
    /// The SHA-256 of the sheet's file.
    pub sheet: Option<[u8; 32]>,
}

/// Takes in the orders of a run, each number once, or tells what would become of them.
pub trait Intake {
    /// What the ledger knows of an order number at this run's service. Of several addresses that know it, what forbids
    /// sending counts, and else what came first.
    fn known(&self, number: &str) -> Result<Option<Known>, LedgerError>;

    /// The request that an order has; nothing where it is damaged or was removed.
    fn request_of(&self, known: &Known) -> Result<Option<KnownRequest>, LedgerError>;

    /// Whether an order had this request before the one that it has.
    fn had_before(&self, known: &Known, sha256: &[u8; 32]) -> Result<bool, LedgerError>;

    /// What is known of a sheet of the run, by its number.
    fn sheet(&self, number: u16) -> KnownSheet;

    /// Whether what the sheets say is recorded.
    fn records(&self) -> bool;

    /// Records that an order does not go by this run's source, or what asks a person; nothing of one that this run sends.
    fn revise(&mut self, known: &Known, new: &NewRevision) -> Result<bool, LedgerError>;

    /// Records an order that the ledger does not know yet and that does not go by this run's source.
    fn begin(&mut self, new: &NewRevision) -> Result<(), LedgerError>;

    /// Whether a person dismissed an order of this number with these cells.
    fn is_dismissed(&self, number: &str, cells: Option<[u8; 32]>) -> Result<bool, LedgerError>;

    /// Hands out the orders of other numbers that are like this one, or one of which stands beside it (`beside`, by their
    /// [values](super::alias)), and that may be booked or could still be sent. An address counts as long as nobody has said that it is
    /// another service.
    fn alike(&self, number: &str, beside: &[i64], each: &mut dyn FnMut(Sent)) -> Result<(), LedgerError>;

    /// Hands out the orders whose parcels a new one is compared with: those in doubt, and of the latest those that could still be sent,
    /// those that failed or were in doubt since the first of these times, and those booked since the second one (epoch milliseconds).
    fn sent_lately(&self, since_ms: (i64, i64), each: &mut dyn FnMut(Sent)) -> Result<(), LedgerError>;

    /// Whether these two orders are two parcels: one import brought both, or a person said so.
    fn are_two(&self, one: &str, other: &str) -> Result<bool, LedgerError>;

    /// Says what the sheets of the run are, by their number: rows are kept and looked up by it. Nothing of one that is not told.
    fn begin_sheets(&mut self, sheets: &[RunSheet]) -> Result<(), LedgerError>;

    /// An order of another number that one of these rows stood for in an earlier run, or that shares a number which either had
    /// before, and that may be booked or is still to be sent. Takes the number, and those that it came with.
    fn sent_otherwise(&self, numbers: (&str, &[String]), rows: &[SheetRow]) -> Result<Option<SentAs>, LedgerError>;

    /// The other numbers by which an order may be known: those that it came with or had before, and those of orders that had its
    /// number before.
    fn other_numbers(&self, number: &str, came_as: &[String]) -> Result<Vec<String>, LedgerError>;

    /// Keeps that these rows stand for the order that was put or noted last.
    fn keep_rows(&mut self, rows: &[SheetRow]) -> Result<(), LedgerError>;

    /// Keeps that the order that was put or noted last had these other numbers before.
    fn keep_former(&mut self, numbers: &[String]) -> Result<(), LedgerError>;

    /// Whether requests are kept at all: only then is it worth packing them.
    fn keeps_requests(&self) -> bool;

    /// Takes an order in of whose number the ledger [knows](Self::known) this, or says why it stays as it is.
    fn put_over(&mut self, order: &StagedOrder<'_>, known: Option<Known>) -> Result<Disposition, LedgerError>;

    /// Notes an order of this number as booked already, whatever its sheet says of it now; gives its AWB. Nothing where the
    /// ledger does not have it as booked.
    fn booked_before(&mut self, number: &str, rows: &str, position: i64) -> Result<Option<String>, LedgerError>;

    /// Notes an order, or a row without one, that is kept back, with what keeps it.
    fn keep_back(&mut self, what: &Unsendable<'_>, problems: &[Finding]) -> Result<(), LedgerError>;

    /// Notes a problem that leaves nothing behind.
    fn note(&mut self, problem: &Finding) -> Result<(), LedgerError>;
}
