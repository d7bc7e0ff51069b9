//! The one JSON document of a run, as `--format json` prints it.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::finding::english::{self, Words};
use crate::finding::{Accepted, Finding, Level, Parameters, Remedy, RuleId};
use crate::ledger::{ProblemRecord, Said, Tally};

/// Everything there is to say of a run.
#[derive(Debug, Clone, Serialize, Default, JsonSchema)]
pub(crate) struct Document {
    /// The run's number; null where nothing was recorded.
    pub run: Option<i64>,
    /// The sheets that were read; empty where none was.
    pub sheets: Vec<SheetEntry>,
    /// The rows below the header by what became of them.
    pub rows: RowCounts,
    /// Where every order of the run stands.
    pub orders: Orders,
    /// The end that the orders would have beside what the ledger knows. Only `check` and a dry run print it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "PlanEntry")]
    pub plan: Option<PlanEntry>,
    /// Product lines of the good orders.
    pub lines: u64,
    /// Requests that were sent to book orders.
    pub requests: u64,
    /// How long it took, in seconds.
    #[schemars(range(min = 0))]
    pub seconds: f64,
    /// The brake that ended the run early: `authentication`, `address`, `tls`, `redirect`, `funds`, `refusals`,
    /// `doubts`, `contradiction`, `answer`, `ledger`, `unreachable`, `limit`, `signal`; null where none did.
    pub stopped_by: Option<String>,
    /// The reason for that, and what to fix, for people; left out where no brake ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub stopped_why: Option<String>,
    /// Every problem, in the order in which they were found.
    #[schemars(schema_with = "ProblemEntry::list")]
    pub problems: Vec<ProblemEntry>,
}

/// Orders by what would become of them beside what the ledger knows.
#[derive(Debug, Clone, Copy, Serialize, PartialEq, Eq, JsonSchema)]
pub(crate) struct PlanEntry {
    /// Orders to send that the ledger has never seen.
    pub new: u64,
    /// Orders to send that failed before and were corrected since.
    pub corrected: u64,
    /// Orders to send that an earlier run left.
    pub left_over: u64,
    /// Orders that are booked, and of which the sheet says something else; they count as invalid.
    pub changed_after_booking: u64,
    /// Orders that another process is sending just now.
    pub sending: u64,
}

/// One sheet.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct SheetEntry {
    /// The file's name.
    pub file: String,
    /// The worksheet of a workbook; null of another file.
    pub worksheet: Option<String>,
    /// The format that it was recognised as, for instance `CSV, comma, UTF-8`.
    pub format: String,
    /// The row that holds the header, counted from 1.
    pub header_row: u32,
    /// Headers that no field takes.
    pub unknown_columns: Vec<String>,
    /// Columns that say how orders are paid or whether they go, or hold remarks, with values that are not known, and
    /// columns with amounts that no header explains. A person says what they mean in a profile, at a terminal or on
    /// the desk; until then orders of payments and states are held, and those of remarks as the rule `unread-remarks`
    /// has it.
    pub questions: Vec<QuestionEntry>,
}

/// A column with values that are not known, or with amounts that no header explains.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct QuestionEntry {
    /// The column's header.
    pub column: String,
    /// The values that are not known, the most frequent first.
    pub values: Vec<ValueEntry>,
    /// The meanings that they may have, in the words of `[values]` in a profile; of amounts, what they may be for.
    pub choices: Vec<&'static str>,
}

/// One value of a column.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct ValueEntry {
    /// The value.
    pub value: String,
    /// How many rows have it, of those that were looked at.
    #[schemars(range(min = 1))]
    pub rows: u32,
}

/// Rows by what became of them: `read` is the sum of the others.
#[derive(Debug, Clone, Copy, Serialize, Default, PartialEq, Eq, JsonSchema)]
pub struct RowCounts {
    /// Rows that were read.
    pub read: u64,
    /// Rows without any value.
    pub blank: u64,
    /// Rows that are no orders, such as totals and repeated headers.
    pub skipped: u64,
    /// Rows of orders that are good.
    pub in_orders: u64,
    /// Rows of orders that are invalid, and rows without an order number.
    pub invalid: u64,
}

/// Orders by where they stand: `total` is the sum of the others.
#[derive(Debug, Clone, Copy, Serialize, Default, PartialEq, Eq, JsonSchema)]
pub struct Orders {
    /// All orders.
    pub total: u64,
    /// Booked by this run.
    pub booked: u64,
    /// Booked by an earlier run; not sent again.
    pub already_booked: u64,
    /// Held back, because something is wrong in the sheet.
    pub invalid: u64,
    /// Sent, and rejected by the service for what is in it.
    pub rejected: u64,
    /// Sent, and not taken by the service for another reason.
    pub refused: u64,
    /// Sent, and nobody knows whether they are booked.
    pub in_doubt: u64,
    /// Not sent yet, or to be sent again.
    pub outstanding: u64,
    /// Held by a newer sheet, or until a person answers a question about them.
    pub held: u64,
    /// Cancelled or left out by a newer sheet.
    pub left_out: u64,
    /// Given up by a person.
    pub abandoned: u64,
    /// Invalid orders that a person dismissed: nobody will mend them.
    pub dismissed: u64,
}

impl Orders {
    /// Both together.
    pub const fn plus(self, other: Self) -> Self {
        Self {
            total: self.total + other.total,
            booked: self.booked + other.booked,
            already_booked: self.already_booked + other.already_booked,
            invalid: self.invalid + other.invalid,
            rejected: self.rejected + other.rejected,
            refused: self.refused + other.refused,
            in_doubt: self.in_doubt + other.in_doubt,
            outstanding: self.outstanding + other.outstanding,
            held: self.held + other.held,
            left_out: self.left_out + other.left_out,
            abandoned: self.abandoned + other.abandoned,
            dismissed: self.dismissed + other.dismissed,
        }
    }

    /// Whether every order is accounted for.
    pub const fn balanced(&self) -> bool {
        self.total
            == self.booked
                + self.already_booked
                + self.invalid
                + self.rejected
                + self.refused
                + self.in_doubt
                + self.outstanding
                + self.held
                + self.left_out
                + self.abandoned
                + self.dismissed
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
            held: tally.held,
            left_out: tally.left_out,
            abandoned: tally.abandoned,
            dismissed: tally.dismissed,
        }
    }
}

/// Something that is wrong, or may be wrong, with a cell, a row, an order, a sheet or a run. Documents have them in
/// their `problems`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(title = "A problem")]
pub(crate) struct ProblemEntry {
    /// The stable word for scripts; all of them are in src/finding/id.rs. `could-not-run` is the word for an
    /// error that ended a command.
    pub code: String,
    /// The rule that it falls under, as `rules` lists them; the same word as `code` where only words were kept.
    pub rule: String,
    /// The case of the rule; null where only words were kept: in runs that an earlier version recorded, and of
    /// errors that ended a command.
    pub case: Option<String>,
    /// `error` keeps the order back, or ended the command; `warning` does not. The same as `level`, in other words.
    #[schemars(extend("enum" = ["error", "warning"]))]
    pub severity: String,
    /// `hold` keeps the order back, or ended the command; `warn` does not.
    pub level: Level,
    /// Where in which sheet, for instance `Orders!F27` or `monday.csv:3 "Shelf"`; null where it has no place.
    pub place: Option<String>,
    /// The order number; null where it is about no order, or one without a number.
    pub order: Option<String>,
    /// The field's API path; null where it is about none.
    pub field: Option<String>,
    /// The text that was found there, as the sheet has it.
    pub found: Option<String>,
    /// The problem, in English.
    pub message: String,
    /// The way to settle it, in English and in commands of the command line; may be empty.
    pub hint: String,
    /// The facts that the message names, by their names.
    pub parameters: Parameters,
    /// All that can be done about it, in the order in which the hint names it.
    pub remedies: Vec<Remedy>,
    /// The word by which it was accepted: whose, when and why; without this key it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Accepted")]
    pub accepted: Option<Accepted>,
}

impl ProblemEntry {
    /// A list of problems, each by the schema of its own.
    pub(crate) fn list(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "array", "items": {"$ref": "finding.json"}})
    }

    /// The keys of a problem among others, each by the schema of problems.
    pub(crate) fn among_others(_: &mut SchemaGenerator) -> Schema {
        let mut own = SchemaSettings::draft2020_12().for_serialize().into_generator();
        let schema = Self::json_schema(&mut own);
        let names = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        let by_name =
            |(name, _): (&String, _)| (name.clone(), json!({"$ref": format!("finding.json#/properties/{name}")}));
        let properties: Map<String, Value> = names.map(by_name).collect();
        json_schema!({"type": "object", "properties": properties, "required": schema.get("required")})
    }

    /// A finding, with its remedies in the words of the face.
    pub(crate) fn of(finding: &Finding, words: &Words) -> Self {
        Self {
            code: finding.id.as_str().to_owned(),
            rule: finding.rule().map_or(finding.id.as_str(), RuleId::as_str).to_owned(),
            case: Some(finding.case.clone().into_owned()),
            severity: finding.level.as_str().to_owned(),
            level: finding.level,
            place: finding.place.as_ref().map(ToString::to_string),
            order: finding.order.clone(),
            field: finding.field.as_deref().map(str::to_owned),
            found: finding.found.clone(),
            message: english::message(finding),
            hint: english::advice(finding, &**words),
            parameters: finding.parameters.clone(),
            remedies: finding.remedies.clone(),
            accepted: finding.accepted.clone(),
        }
    }

    /// A problem as the ledger keeps it.
    pub(crate) fn kept(record: ProblemRecord, words: &Words) -> Self {
        let ProblemRecord { code, severity, place, order, field, found, said } = record;
        match said {
            Said::Data(finding) => Self { place, ..Self::of(&finding, words) },
            Said::Words { message, hint } => {
                let level = Level::from_word(&severity).unwrap_or(Level::Hold);
                Self { order, field, found, ..Self::in_words(code, level, place, message, hint) }
            }
        }
    }

    /// What ended a command: an error that has words and no data.
    pub(crate) fn error(code: &str, place: Option<String>, message: String, hint: String) -> Self {
        Self::in_words(code.to_owned(), Level::Hold, place, message, hint)
    }

    /// What there is to know beside what was asked for, where no finding says it.
    pub(crate) fn warning(code: &str, message: String) -> Self {
        Self::in_words(code.to_owned(), Level::Warn, None, message, String::new())
    }

    fn in_words(code: String, level: Level, place: Option<String>, message: String, hint: String) -> Self {
        Self {
            rule: code.clone(),
            code,
            case: None,
            severity: level.as_str().to_owned(),
            level,
            place,
            order: None,
            field: None,
            found: None,
            message,
            hint,
            parameters: Parameters::default(),
            remedies: Vec::new(),
            accepted: None,
        }
    }
}

/// What is wrong by a problem that was kept.
pub(super) fn wrong(record: &ProblemRecord) -> String {
    let place = record.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
    format!("{place}{}: {}", record.code, said(record))
}

/// The same without its code and its place.
pub(super) fn said(record: &ProblemRecord) -> String {
    match &record.said {
        Said::Data(finding) => english::message(finding),
        Said::Words { message, .. } => message.clone(),
    }
}
