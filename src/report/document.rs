//! The one JSON document of a run, as `--format json` prints it.

use serde::Serialize;

use crate::finding::Finding;
use crate::finding::english::{self, Words};
use crate::ledger::{ProblemRecord, Tally};

/// Everything there is to say of a run.
#[derive(Debug, Clone, Serialize, Default)]
pub struct Document {
    /// The run's number; null where nothing was recorded.
    pub run: Option<i64>,
    /// The sheets that were read.
    pub sheets: Vec<SheetEntry>,
    /// What became of every row.
    pub rows: RowCounts,
    /// Where every order stands.
    pub orders: Orders,
    /// Product lines of the good orders.
    pub lines: u64,
    /// POSTs made.
    pub requests: u64,
    /// How long it took.
    pub seconds: f64,
    /// Which brake ended the run early.
    pub stopped_by: Option<String>,
    /// Every problem.
    pub problems: Vec<ProblemEntry>,
    /// The exit code.
    pub exit: u8,
}

/// One sheet of the run.
#[derive(Debug, Clone, Serialize)]
pub struct SheetEntry {
    /// The file's name.
    pub file: String,
    /// The worksheet of a workbook.
    pub worksheet: Option<String>,
    /// What it was recognised as.
    pub format: String,
    /// The row that holds the header.
    pub header_row: u32,
    /// Headers that no field takes.
    pub unknown_columns: Vec<String>,
}

/// What became of every row below the header.
#[derive(Debug, Clone, Copy, Serialize, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words of the document are explained in the README")]
pub struct RowCounts {
    pub read: u64,
    pub blank: u64,
    pub skipped: u64,
    pub in_orders: u64,
    pub invalid: u64,
}

/// Where every order of the run stands.
#[derive(Debug, Clone, Copy, Serialize, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words of the document are explained in the README")]
pub struct Orders {
    pub total: u64,
    pub booked: u64,
    pub already_booked: u64,
    pub invalid: u64,
    pub rejected: u64,
    pub refused: u64,
    pub in_doubt: u64,
    pub outstanding: u64,
    pub abandoned: u64,
}

impl Orders {
    /// Whether every order is accounted for.
    #[must_use]
    pub const fn balanced(&self) -> bool {
        self.total
            == self.booked
                + self.already_booked
                + self.invalid
                + self.rejected
                + self.refused
                + self.in_doubt
                + self.outstanding
                + self.abandoned
    }
}

impl From<Tally> for Orders {
    fn from(tally: Tally) -> Self {
        Self {
            total: tally.total,
            booked: tally.booked,
            already_booked: tally.already_booked,
            invalid: tally.invalid,
            rejected: tally.rejected,
            refused: tally.refused,
            in_doubt: tally.in_doubt,
            outstanding: tally.outstanding,
            abandoned: tally.abandoned,
        }
    }
}

/// One problem.
#[derive(Debug, Clone, Serialize)]
#[expect(missing_docs, reason = "the words of the document are explained in the README")]
pub struct ProblemEntry {
    pub code: String,
    pub severity: String,
    pub place: Option<String>,
    pub order: Option<String>,
    pub field: Option<String>,
    pub found: Option<String>,
    pub message: String,
    pub hint: String,
}

impl ProblemEntry {
    /// A finding, with its remedies in the words of the face.
    #[must_use]
    pub fn of(finding: &Finding, words: &Words) -> Self {
        Self {
            code: finding.id.as_str().to_owned(),
            severity: finding.level.as_str().to_owned(),
            place: finding.place.as_ref().map(ToString::to_string),
            order: finding.order.clone(),
            field: finding.field.as_deref().map(str::to_owned),
            found: finding.found.clone(),
            message: english::message(finding),
            hint: english::advice(finding, &**words),
        }
    }
}

impl From<ProblemRecord> for ProblemEntry {
    fn from(record: ProblemRecord) -> Self {
        let ProblemRecord { code, severity, place, order, field, found, message, hint } = record;
        Self { code, severity, place, order, field, found, message, hint }
    }
}
