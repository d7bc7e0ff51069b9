//! What goes into the ledger and what comes out of it, free of SQL.

use std::borrow::Cow;
use std::path::PathBuf;

pub use crate::text::Decimal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::packed::Packed;
pub use super::revision::{FrozenRequest, NewRevision, Revision, Verdict};
pub use super::state::State;
use crate::finding::{Finding, Id, Level, RuleId};

/// Names an order of this ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OrderId(pub(super) i64);

#[cfg(test)]
impl OrderId {
    /// An order that is in no ledger.
    pub(crate) const fn made_up(number: i64) -> Self {
        Self(number)
    }
}

/// Names a run of this ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RunId(pub(super) i64);

impl RunId {
    /// The number that people read.
    #[must_use]
    pub const fn number(self) -> i64 {
        self.0
    }

    /// A run by the number that a person typed; it may not exist.
    #[must_use]
    pub const fn from_number(number: i64) -> Self {
        Self(number)
    }
}

/// Why a run was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RunKind {
    /// From sheets.
    Import,
    /// To go on with what was outstanding.
    Resume,
    /// To send failed orders again.
    Retry,
}

impl RunKind {
    /// The stable word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Import => "import",
            Self::Resume => "resume",
            Self::Retry => "retry",
        }
    }

    pub(super) fn from_word(word: &str) -> Self {
        match word {
            "resume" => Self::Resume,
            "retry" => Self::Retry,
            _ => Self::Import,
        }
    }
}

/// A run as it begins.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the names say it")]
pub struct NewRun {
    pub kind: RunKind,
    /// What tells this service's orders from another's.
    pub service: String,
    /// When, epoch milliseconds.
    pub started_ms: i64,
    pub version: String,
    pub user: String,
    pub host: String,
}

/// What is known of a run once its sheets are read.
#[derive(Debug, Clone, Default)]
pub struct RunFacts {
    /// Where they lay, each once.
    pub sources: Vec<SheetSource>,
    /// Rows below the headers, of all sheets; the four below add up to it.
    pub rows_read: u64,
    /// Rows without any text.
    pub rows_blank: u64,
    /// Rows left out by a rule: footers, filters.
    pub rows_skipped: u64,
    /// Rows of orders that are good.
    pub rows_in_orders: u64,
    /// Rows of orders that are not, and rows that name no order.
    pub rows_invalid: u64,
    /// Product lines of the good orders.
    pub lines: u64,
}

/// Where a sheet lay, and what it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetSource {
    /// Its file.
    pub path: PathBuf,
    /// The SHA-256 of the file.
    pub sha256: [u8; 32],
}

/// How a run ended.
#[derive(Debug, Clone)]
pub struct RunEnd {
    /// When, epoch milliseconds.
    pub finished_ms: i64,
    /// POSTs made.
    pub requests: u64,
    /// The brake that ended it early.
    pub stopped_by: Option<String>,
    /// What it had to say.
    pub stopped_why: Option<String>,
    /// The exit code.
    pub exit: u8,
}

/// A run as it was recorded.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the names say it")]
pub struct RunRecord {
    pub id: RunId,
    pub kind: RunKind,
    pub service: String,
    /// The run that this one went on with.
    pub parent: Option<RunId>,
    /// When, epoch milliseconds.
    pub started_ms: i64,
    /// When, epoch milliseconds; nothing while it runs, and where it was killed.
    pub finished_ms: Option<i64>,
    pub user: String,
    pub host: String,
    pub sheets: Vec<String>,
    /// Rows below the headers, of all sheets.
    pub rows_read: u64,
    /// Rows without any text.
    pub rows_blank: u64,
    /// Rows left out by a rule: footers, filters.
    pub rows_skipped: u64,
    /// Rows of orders that were good.
    pub rows_in_orders: u64,
    /// Rows of orders that were not, and rows that name no order.
    pub rows_invalid: u64,
    /// Filled rows that name no order.
    pub rows_without_order: u64,
    /// Whether files were left aside, because they could not be used.
    pub has_files_aside: bool,
    /// Product lines of the good orders.
    pub lines: u64,
    /// POSTs made.
    pub requests: u64,
    pub stopped_by: Option<String>,
    pub stopped_why: Option<String>,
}

/// A frozen request on its way into the ledger.
#[derive(Debug, Clone, Copy)]
pub struct StagedOrder<'a> {
    /// The order number.
    pub number: &'a str,
    /// The request, byte for byte.
    pub body: &'a [u8],
    /// The same as the ledger keeps it, where that is made already.
    pub packed: Option<&'a Packed>,
    /// Its SHA-256.
    pub sha256: [u8; 32],
    /// The `orderCreatedAt` in it, epoch milliseconds.
    pub created_ms: i64,
    /// How many product lines it has.
    pub lines: u32,
    /// Declared value: its goods before charges and discount, in the order's currency.
    pub value: Decimal,
    /// What the courier collects at the door, in the order's currency; zero unless it is `COD`.
    pub cod: Decimal,
    /// The rows it came from, as people write them.
    pub rows: &'a str,
    /// Its place among the orders of the run, from 0.
    pub position: i64,
}

/// What the ledger knows of an order number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    pub(super) order: OrderId,
    /// Its number.
    pub number: String,
    /// The hash of the request that it has; none where no source has let it go yet.
    pub sha256: Option<[u8; 32]>,
    /// Where it stands.
    pub state: State,
    /// How often it was sent.
    pub attempts: u32,
    /// The time that stands in for a blank `orderCreatedAt`, kept for good from its first request on; epoch milliseconds.
    pub created_ms: Option<i64>,
    /// Its AWB.
    pub awb: Option<String>,
    /// The revision by which it does not go; none where it could.
    pub revision: Option<Revision>,
    /// Whether an open sheet keeps it back.
    pub(super) is_draft_held: bool,
}

impl Known {
    /// Whether it may be booked, or a person gave it up: it is not sent again by itself.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        match self.state {
            State::Booked | State::Sending | State::InDoubt | State::Abandoned => true,
            State::Staged
            | State::Waiting
            | State::Rejected
            | State::Refused
            | State::Invalid
            | State::Held
            | State::LeftOut
            | State::Dismissed => false,
        }
    }

    /// Whether a courier's statement holds it.
    #[must_use]
    pub fn is_listed(&self) -> bool {
        let hold = self.revision.as_ref().and_then(|now| now.hold.as_deref());
        hold == Some(RuleId::InCouriersList.as_str())
    }

    /// Whether `resume` or `retry` would send it.
    #[must_use]
    pub const fn is_unsent(&self) -> bool {
        matches!(self.state, State::Staged | State::Waiting | State::Rejected | State::Refused)
    }
}

/// What a rerun took up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adopted {
    /// How many orders.
    pub orders: u64,
    /// How many product lines they have.
    pub lines: u64,
    /// Their declared value: a sum of figures, each in its order's currency.
    pub value: Decimal,
    /// What the couriers collect at the door: a sum of figures, each in its order's currency.
    pub cod: Decimal,
}

/// What `retry` took up, and what it did not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetryAdopted {
    /// What will be sent again.
    pub adopted: Adopted,
    /// Named orders whose outcome nobody knows.
    pub in_doubt: Vec<String>,
    /// Named orders that have not failed.
    pub not_failed: Vec<String>,
    /// Names that the ledger does not know.
    pub unknown: Vec<String>,
}

/// An order that may be sent.
#[derive(Debug, Clone)]
pub struct Pending {
    /// The order.
    pub order: OrderId,
    /// Its place in the run.
    pub seq: i64,
    /// Which request this is of those that the order had.
    pub request: i64,
    /// The order number.
    pub number: String,
    /// Attempts before this run.
    pub attempts: u32,
    /// The request.
    pub body: Vec<u8>,
    /// The `orderCreatedAt` in it, epoch milliseconds.
    pub created_ms: i64,
    /// Its declared value, in its currency.
    pub value: Decimal,
}

/// Where the orders of a run stand now, in orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// All of them, those below together.
    pub total: u64,
    /// Booked by this run.
    pub booked: u64,
    /// Booked before the run began.
    pub already_booked: u64,
    /// Not good, so never sent.
    pub invalid: u64,
    /// Answered with a `shipmentPurchaseError`.
    pub rejected: u64,
    /// Refused by the service before booking.
    pub refused: u64,
    /// Sent or perhaps sent, with an unknown outcome.
    pub in_doubt: u64,
    /// Staged, sending or waiting.
    pub outstanding: u64,
    /// Not sent, because a newer source holds them or has them wrong, or a question about them waits for an answer.
    pub held: u64,
    /// Not sent, because a newer source cancels them or leaves them out.
    pub left_out: u64,
    /// Given up by a person.
    pub abandoned: u64,
    /// Not good, and dismissed by a person: nobody will mend it.
    pub dismissed: u64,
}

/// Orders of a run that people call otherwise than its [`Tally`] does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Called {
    /// Invalid, but nothing of them has to be corrected: they wait for an answer.
    pub held: u64,
    /// Invalid, but a person left them out.
    pub left_out: u64,
    /// Held, but they were booked before the run, and its sheet says something else of them.
    pub differ: u64,
}

/// A problem as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct ProblemRecord {
    pub code: String,
    pub severity: String,
    pub place: Option<String>,
    pub order: Option<String>,
    pub field: Option<String>,
    pub found: Option<String>,
    pub said: Said,
}

/// What a kept problem says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// As data, without its place.
    Data(Box<Finding>),
    /// In the words of the program that kept it, before layout 11.
    Words {
        /// What is wrong.
        message: String,
        /// What to do about it.
        hint: String,
    },
}

/// The columns of a problem, as they are kept.
#[derive(Debug, Deserialize)]
pub(super) struct ProblemColumns {
    pub(super) code: String,
    pub(super) severity: String,
    pub(super) place: Option<String>,
    pub(super) order: Option<String>,
    pub(super) field: Option<String>,
    pub(super) found: Option<String>,
    pub(super) message: String,
    pub(super) hint: String,
    pub(super) detail: Option<String>,
}

impl From<ProblemColumns> for ProblemRecord {
    fn from(columns: ProblemColumns) -> Self {
        let ProblemColumns { code, severity, place, order, field, found, message, hint, detail } = columns;
        let data = || {
            let (id, level) = (Id::from_word(&code)?, Level::from_word(&severity)?);
            let finding = Finding::from_detail(id, level, detail.as_deref()?)?;
            let field = field.clone().map(Cow::Owned);
            Some(Finding { order: order.clone(), field, found: found.clone(), ..finding })
        };
        let said = data().map_or(Said::Words { message, hint }, |finding| Said::Data(Box::new(finding)));
        Self { code, severity, place, order, field, found, said }
    }
}

/// Where a booked order stands whose shipment was cancelled, in the words of results.
pub const CANCELLED: &str = "cancelled";

/// Where an order stands that was booked before its sheet came, which says something else of it.
pub const DIFFERS: &str = "differs";

/// One order of a result file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct ResultRow {
    pub order_number: Option<String>,
    pub state: String,
    /// The state as people call it: of what was not sent, to be corrected (`invalid`), waiting for an answer (`held`) or left out by
    /// a person; of what is booked, [cancelled](CANCELLED) since, or [meant otherwise by its sheet](DIFFERS).
    pub standing: String,
    pub awb: Option<String>,
    pub order_id: Option<String>,
    pub carrier: Option<String>,
    pub service: Option<String>,
    pub error: Option<String>,
    /// The problems of an order that has to be mended.
    pub wrong: Vec<ProblemRecord>,
    /// Whether the run kept it back.
    pub is_kept_back: bool,
    /// Attempts in all runs.
    pub attempts: u32,
    pub run: Option<i64>,
    pub rows: String,
    /// When it was cancelled (UTC), or since when nobody knows whether it is.
    pub cancelled: Option<String>,
    /// When it was sent last (UTC).
    pub sent: Option<String>,
    /// When it was booked, or a person said so (UTC).
    pub booked: Option<String>,
    /// Its declared value, in its currency.
    pub value: Option<String>,
    /// What the courier collects at the door, in its currency.
    pub cod: Option<String>,
    /// What the courier charges for it, by the latest statement.
    pub freight: Option<String>,
}

impl ResultRow {
    /// Whether its shipment was cancelled for sure.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.as_ref().is_some_and(|said| said.parse::<jiff::Timestamp>().is_ok())
    }
}

impl ProblemRecord {
    /// Whether it is of that case.
    #[must_use]
    pub fn is_case(&self, case: &str) -> bool {
        matches!(&self.said, Said::Data(own) if own.case == case)
    }
}
