//! What a report is made of, as data.

use serde::{Serialize, Serializer};

use crate::app::orders::Receiver;
use crate::app::standing::Standing;
use crate::app::stations::StationLine;
use crate::ledger::{ChainHead, Decimal};
use crate::report::{Orders, RowCounts};

use super::causes::FailedOrders;
use super::speed::Speed;

/// What a run came to, or the runs of some days. Every order counts once, with where it stands now.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// When it was made, epoch milliseconds.
    pub made_ms: i64,
    /// Whether people are left out of it.
    pub is_masked: bool,
    /// The one run; nothing where it is about all runs of some days.
    pub run: Option<i64>,
    /// Since when, epoch milliseconds: the beginning of the run, or of the days.
    pub from_ms: i64,
    /// When the days end, epoch milliseconds; nothing of a run, or where they go on.
    pub until_ms: Option<i64>,
    /// The runs, the latest first, as many as are listed.
    pub runs: Vec<RunLine>,
    /// How many more there were.
    pub runs_unlisted: u64,
    /// The imports before a single run, the latest first.
    pub runs_before: Vec<RunLine>,
    /// Sheets of watched folders of these days of which nothing was sent, the latest first.
    pub unsent_sheets: Vec<UnsentLine>,
    /// Stations of a shared ledger that are open just now, or left something of which nobody knows.
    pub stations: Vec<StationLine>,
    /// Rows of all sheets.
    pub rows: RowCounts,
    /// Filled rows that name no order; they count as invalid.
    pub rows_without_order: u64,
    /// Orders by where they stand now, each once.
    pub orders: Orders,
    /// How many of the invalid ones are held until somebody answers.
    #[serde(skip)]
    pub held: u64,
    /// How many of the invalid ones a person left out.
    #[serde(skip)]
    pub left_out: u64,
    /// How often an order came again in a later one of these runs.
    pub came_again: u64,
    /// What the orders are worth, by currency.
    pub money: Vec<Money>,
    /// Orders by the day on which they came, or by the month where there are many days.
    pub days: Vec<Day>,
    /// Shipments, by what people ask for.
    pub breakdowns: Vec<Breakdown>,
    /// What failed, by cause, the most frequent first.
    pub failed: Vec<FailedOrders>,
    /// Orders that failed for causes beyond those.
    pub failed_otherwise: u64,
    /// Orders in doubt, the first of them.
    pub in_doubt: Vec<OpenLine>,
    /// Orders that are outstanding, the first of them.
    pub outstanding: Vec<OpenLine>,
    /// Shipments of which nobody knows whether they are cancelled.
    pub cancel_unclear: u64,
    /// How fast the service answered; nothing where nothing was sent.
    pub speed: Option<Speed>,
    /// The import before, or as many days before.
    pub before: Option<Before>,
    /// What the whole ledger has open.
    pub ledger: WholeLedger,
    /// Sums that were counted in two ways.
    pub balances: Vec<Balance>,
    /// The end of the evidence.
    pub evidence: EvidenceEnd,
}

/// A run.
#[derive(Debug, Clone, Serialize)]
pub struct RunLine {
    /// Its number.
    pub run: i64,
    /// `import`, `resume` or `retry`.
    pub kind: &'static str,
    /// Where it booked: the service's address, or `sandbox`.
    pub service: String,
    /// When it began, epoch milliseconds.
    pub started_ms: i64,
    /// `finished`, `going_on` or `killed`.
    pub state: &'static str,
    /// Who began it, and where; left out of a masked report.
    pub by: Option<String>,
    /// Its sheets.
    pub sheets: Vec<String>,
    /// Rows below their headers.
    pub rows: u64,
    /// Where its orders stand now.
    pub orders: Orders,
    /// Where they stood when it ended; nothing where it was killed, goes on, or ended before that was kept.
    pub orders_at_end: Option<Orders>,
    /// Requests that left.
    pub requests: u64,
    /// How long it took, or takes so far.
    pub seconds: f64,
    /// The brake that ended it early.
    pub stopped_by: Option<String>,
    /// What that had to say; left out of a masked report.
    pub stopped_why: Option<String>,
}

/// A sheet that a watcher filed for a person, and of which nothing was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UnsentLine {
    /// What it was called in the folder.
    pub name: String,
    /// When it was taken, epoch milliseconds.
    pub at_ms: i64,
    /// `attention` or `failed`.
    pub filed: &'static str,
    /// Its run, where it came to one.
    pub run: Option<i64>,
    /// Why, in one line; nothing where an older program filed it.
    pub why: Option<String>,
    /// The file, on the machine that filed it.
    pub path: String,
    /// That machine.
    pub host: String,
    /// Whether it still lies there; nothing where that is another machine.
    pub is_there: Option<bool>,
}

/// A number of orders, and what they are worth.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Amounts {
    /// Orders.
    pub orders: u64,
    /// Their declared value.
    #[serde(serialize_with = "digits")]
    pub value: Decimal,
    /// What the courier collects at the door.
    #[serde(serialize_with = "digits")]
    pub cod: Decimal,
    /// What the courier charges, of those of which a statement says it.
    #[serde(serialize_with = "digits")]
    pub freight: Decimal,
    /// How many these are.
    pub charged: u64,
}

/// What orders are worth in one currency; each order is in one of these.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Money {
    /// ISO 4217 code.
    pub currency: String,
    /// Booked, and not cancelled.
    pub shipments: Amounts,
    /// Booked, and cancelled since.
    pub cancelled: Amounts,
    /// Booked before these runs asked for them.
    pub already_booked: Amounts,
    /// Booked, and asked for by a run after these days: shipments of those other days.
    pub booked_later: Amounts,
    /// In doubt or outstanding.
    pub open: Amounts,
    /// Rejected, refused or given up.
    pub failed: Amounts,
}

/// Orders that came on one day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Day {
    /// `2026-11-23`; a month, `2026-11`, where there are many days.
    pub day: String,
    /// Where they stand now.
    pub orders: Orders,
}

/// What shipments are told apart by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum By {
    Day,
    Carrier,
    Service,
    Warehouse,
    State,
    Payment,
}

/// Shipments by one of these: booked, and not cancelled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Breakdown {
    /// By what.
    pub by: By,
    /// The most first; days as they come.
    pub lines: Vec<Line>,
}

/// Shipments that have something in common.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Line {
    /// What they have in common; nothing where the ledger does not know it.
    pub name: Option<String>,
    /// Whether these are all the others, of which there would be too many lines.
    pub is_rest: bool,
    /// ISO 4217 code.
    pub currency: String,
    /// How many, and what they are worth.
    #[serde(flatten)]
    pub amounts: Amounts,
}

/// An order that is not at its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OpenLine {
    /// The order number.
    pub order: String,
    /// Since when: its last attempt, or its staging; epoch milliseconds.
    pub since_ms: i64,
    /// What the service, or the network, said of it last.
    pub said: Option<String>,
    /// Its rows.
    pub rows: String,
    /// Who gets it; left out of a masked report.
    pub receiver: Option<Receiver>,
}

/// What came before, to be held against.
#[derive(Debug, Clone, Serialize)]
pub struct Before {
    /// The run; nothing where it is as many days.
    pub run: Option<i64>,
    /// Since when, epoch milliseconds.
    pub from_ms: i64,
    /// Its orders.
    pub orders: Orders,
    /// What they are worth.
    pub money: Vec<Money>,
}

/// What the whole ledger has open, whatever the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct WholeLedger {
    /// Orders in doubt.
    pub in_doubt: u64,
    /// The oldest of them, epoch milliseconds.
    pub in_doubt_since_ms: Option<i64>,
    /// Orders that may still be sent.
    pub outstanding: u64,
    /// The oldest of them, epoch milliseconds.
    pub outstanding_since_ms: Option<i64>,
    /// Orders that were rejected or refused and not corrected since.
    pub failed: u64,
    /// Orders that wait to be corrected or dismissed.
    pub to_fix: u64,
}

/// The same sum, counted in two ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Balance {
    /// What was counted.
    pub of: Balanced,
    /// As this report has it.
    #[serde(serialize_with = "digits")]
    pub reported: Decimal,
    /// As the ledger has it elsewhere.
    #[serde(serialize_with = "digits")]
    pub kept: Decimal,
}

/// What is counted in two ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Balanced {
    /// Rows read; blank, left out, in orders and invalid.
    Rows,
    /// Orders one by one; the counts that the ledger keeps of each run.
    Orders,
    /// The same of booked orders.
    Booked,
    /// The value of all orders; what the requests themselves say.
    Value,
    /// Shipments in all; in every table that tells them apart.
    Shipments,
    /// What is collected at the door in all; in every such table.
    Cod,
}

/// The end of the evidence: any later alteration of what came before would change it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EvidenceEnd {
    /// How many links there are.
    pub links: i64,
    /// The newest link's hash, in hexadecimal digits.
    pub hash: String,
}

impl Balance {
    /// Whether both ways come to the same.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.reported == self.kept
    }
}

impl Report {
    /// Whether everything that was counted in two ways came to the same.
    #[must_use]
    pub fn is_balanced(&self) -> bool {
        self.balances.iter().all(Balance::holds)
    }
}

impl Money {
    /// All of these orders.
    #[must_use]
    pub const fn all(&self) -> [Amounts; 6] {
        [self.shipments, self.cancelled, self.already_booked, self.booked_later, self.open, self.failed]
    }
}

impl From<Standing> for WholeLedger {
    fn from(standing: Standing) -> Self {
        Self {
            in_doubt: standing.in_doubt.orders,
            in_doubt_since_ms: standing.in_doubt.oldest_ms,
            outstanding: standing.outstanding.orders,
            outstanding_since_ms: standing.outstanding.oldest_ms,
            failed: standing.failed_orders(),
            to_fix: standing.orders_to_fix(),
        }
    }
}

impl From<ChainHead> for EvidenceEnd {
    fn from(ChainHead { links, hash }: ChainHead) -> Self {
        Self { links, hash }
    }
}

/// An amount as text, which keeps every digit.
fn digits<S: Serializer>(amount: &Decimal, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_str(amount)
}
