//! What a report is made of, as data.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

use crate::app::orders::Receiver;
use crate::app::standing::Standing;
use crate::app::stations::StationLine;
use crate::ledger::{ChainHead, Decimal, RunKind, Tray};
use crate::report::{Orders, RowCounts};

use super::causes::FailedOrders;
use super::speed::Speed;

/// The end of a run, or of the runs of some days. Every order counts once, with where it stands now.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Report {
    /// When it was made, in milliseconds since 1970-01-01 UTC.
    pub made_ms: i64,
    /// Whether people are left out of it.
    pub is_masked: bool,
    /// The one run; null where it is about all runs of some days.
    pub run: Option<i64>,
    /// Since when, in milliseconds since 1970-01-01 UTC: the beginning of the run, or of the days.
    pub from_ms: i64,
    /// When the days end, in milliseconds since 1970-01-01 UTC; null of a run, and where they go on.
    pub until_ms: Option<i64>,
    /// The runs, the latest first, as many as are listed.
    pub runs: Vec<RunLine>,
    /// How many more runs there were.
    pub runs_unlisted: u64,
    /// The imports before a single run, the latest first.
    pub runs_before: Vec<RunLine>,
    /// Of a report of days: sheets that a watcher filed for a person and of which nothing was sent, the latest first.
    pub unsent_sheets: Vec<UnsentLine>,
    /// Stations of a shared ledger that are open just now, or left something of which nobody knows; none of a
    /// ledger in a file.
    pub stations: Vec<StationLine>,
    /// Rows of all sheets by what became of them.
    pub rows: RowCounts,
    /// Filled rows that name no order; they count as invalid rows.
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
    /// The worth of the orders, by currency; each order is in one of the six.
    pub money: Vec<Money>,
    /// Orders by the day on which they came, or by the month where there are many days.
    pub days: Vec<Day>,
    /// Shipments, which are booked and not cancelled, by what people ask for.
    pub breakdowns: Vec<Breakdown>,
    /// Failed orders by cause, the most frequent first. An order with several problems is in several.
    pub failed: Vec<FailedOrders>,
    /// Problems of causes beyond those that are listed.
    pub failed_otherwise: u64,
    /// Orders in doubt, the first of them.
    pub in_doubt: Vec<OpenLine>,
    /// Orders that are outstanding, the first of them.
    pub outstanding: Vec<OpenLine>,
    /// Shipments of which nobody knows whether they are cancelled.
    pub cancel_unclear: u64,
    /// How fast the service answered; null where nothing was sent.
    pub speed: Option<Speed>,
    /// The import before, or as many days before; null where no order came then.
    pub before: Option<Before>,
    /// The open orders of the whole ledger, whatever the run.
    pub ledger: WholeLedger,
    /// Sums that were counted in two ways.
    pub balances: Vec<Balance>,
    /// The end of the evidence: any later alteration of what came before would change it.
    pub evidence: EvidenceEnd,
}

/// A run.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RunLine {
    /// Its number.
    #[schemars(range(min = 0))]
    pub run: i64,
    /// The command that made it.
    #[schemars(with = "RunKind")]
    pub kind: &'static str,
    /// Where it booked: the service's address, or `sandbox`.
    pub service: String,
    /// When it began, in milliseconds since 1970-01-01 UTC.
    pub started_ms: i64,
    /// Whether it is at its end.
    #[schemars(extend("enum" = ["finished", "going_on", "killed"]))]
    pub state: &'static str,
    /// The user who began it, and where; null in a masked report.
    pub by: Option<String>,
    /// Its sheets.
    pub sheets: Vec<String>,
    /// Rows below their headers.
    pub rows: u64,
    /// Where its orders stand now.
    pub orders: Orders,
    /// Where they stood when it ended; null where it was killed, goes on, or ended before that was kept.
    pub orders_at_end: Option<Orders>,
    /// Requests that left.
    pub requests: u64,
    /// How long it took, or takes so far.
    pub seconds: f64,
    /// The brake that ended it early; null where none did.
    pub stopped_by: Option<String>,
    /// The reason for that; null where none ended it, and in a masked report.
    pub stopped_why: Option<String>,
}

/// A sheet that a watcher filed for a person, and of which nothing was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UnsentLine {
    /// The name that it had in the folder.
    pub name: String,
    /// When it was taken, in milliseconds since 1970-01-01 UTC.
    pub at_ms: i64,
    /// The folder that it was put into.
    #[schemars(extend("enum" = [Tray::Attention, Tray::Failed]))]
    pub filed: &'static str,
    /// Its run; null where it came to none.
    pub run: Option<i64>,
    /// Why, in one line; null where an older program filed it.
    pub why: Option<String>,
    /// The file, on the machine that filed it.
    pub path: String,
    /// The machine that filed it.
    pub host: String,
    /// Whether it still lies there; null where that is another machine.
    pub is_there: Option<bool>,
}

/// A number of orders, and what they are worth.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Amounts {
    /// How many.
    pub orders: u64,
    /// Their declared value, in digits.
    #[serde(serialize_with = "digits")]
    #[schemars(schema_with = "in_digits")]
    pub value: Decimal,
    /// The amount that the courier collects at the door, in digits.
    #[serde(serialize_with = "digits")]
    #[schemars(schema_with = "in_digits")]
    pub cod: Decimal,
    /// The charges of the courier, in digits, of those of which a statement says it.
    #[serde(serialize_with = "digits")]
    #[schemars(schema_with = "in_digits")]
    pub freight: Decimal,
    /// How many of them a statement says it of.
    pub charged: u64,
}

/// The worth of orders in one currency; each order is in one of these.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Money {
    /// ISO 4217 code; empty where no request could be read.
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Day {
    /// The day, `2026-11-23`; a month, `2026-11`, where there are many days.
    pub day: String,
    /// Where they stand now.
    pub orders: Orders,
}

/// The thing by which shipments are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Breakdown {
    /// The thing by which they are told apart.
    pub by: By,
    /// The most first; days as they come.
    pub lines: Vec<Line>,
}

/// Shipments that have something in common.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Line {
    /// The thing that they have in common; null where the ledger does not know it.
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OpenLine {
    /// The order number.
    pub order: String,
    /// Its last attempt, or its staging where it was never tried, in milliseconds since 1970-01-01 UTC.
    pub since_ms: i64,
    /// The last word of the service, or of the network, on it; null where there is none.
    pub said: Option<String>,
    /// Its rows, as people write them.
    pub rows: String,
    /// The person who gets it; null in a masked report.
    pub receiver: Option<Receiver>,
}

/// The run or the days before, for comparison.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Before {
    /// The run; null where it is as many days.
    pub run: Option<i64>,
    /// Since when, in milliseconds since 1970-01-01 UTC.
    pub from_ms: i64,
    /// Its orders.
    pub orders: Orders,
    /// The worth of them, by currency.
    pub money: Vec<Money>,
}

/// The open orders of the whole ledger, whatever the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct WholeLedger {
    /// Orders in doubt.
    pub in_doubt: u64,
    /// The oldest of them, in milliseconds since 1970-01-01 UTC; null where there is none.
    pub in_doubt_since_ms: Option<i64>,
    /// Orders that may still be sent.
    pub outstanding: u64,
    /// The oldest of them, in milliseconds since 1970-01-01 UTC; null where there is none.
    pub outstanding_since_ms: Option<i64>,
    /// Orders that were rejected or refused and not corrected since.
    pub failed: u64,
    /// Orders that stayed behind when they came last, and wait to be corrected or dismissed.
    pub to_fix: u64,
    /// How many of these wait for no more than an answer.
    #[serde(skip)]
    pub to_answer: u64,
}

/// The same sum, counted in two ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Balance {
    /// The sum.
    pub of: Balanced,
    /// As this report has it, in digits.
    #[serde(serialize_with = "digits")]
    #[schemars(schema_with = "in_digits")]
    pub reported: Decimal,
    /// As the ledger has it elsewhere, in digits.
    #[serde(serialize_with = "digits")]
    #[schemars(schema_with = "in_digits")]
    pub kept: Decimal,
}

/// A sum that is counted in two ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
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
    /// The amount that is collected at the door in all; in every such table.
    Cod,
}

/// The end of the evidence: any later alteration of what came before would change it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct EvidenceEnd {
    /// How many links there are.
    #[schemars(range(min = 0))]
    pub links: i64,
    /// The newest link's SHA-256, in hexadecimal digits.
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
            to_answer: standing.to_answer,
        }
    }
}

impl From<ChainHead> for EvidenceEnd {
    fn from(ChainHead { links, hash }: ChainHead) -> Self {
        Self { links, hash }
    }
}

fn in_digits(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]+)?$"})
}

/// An amount as text, which keeps every digit.
fn digits<S: Serializer>(amount: &Decimal, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_str(amount)
}
