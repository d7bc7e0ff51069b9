//! Values that nobody can tell the meaning of, in columns that say how orders are paid or whether they go, and in remarks: each is
//! asked once.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use crate::column::Columns;
use crate::field::{ExtraRole, Id, StateRole, Status, how_far, indian_state, normalised, says};
use crate::finding::RuleId;
use crate::origin::Column;
use crate::parse::{Input, ReadingSettings, Value, is_no_value, value};
use crate::profile::{ANY_OTHER, Meaning};
use crate::rule::{Rule, RuleLevel};
use crate::sheet::{Sheet, SheetError};
use crate::words::Topic;

use super::amounts::{may_be_in_part, part_payment};
use super::sample::{LOOKED_AT_MAX, LazySample, Sample, Seen};

/// With so many columns of one sheet that were asked about, no more are of which nobody knows whether they hold remarks.
pub const QUESTIONS_MAX: usize = 4;

/// A longer text, or one more of so many, is no word of a list.
const CHARACTERS_MAX: usize = 60;
const VALUES_MAX: usize = 1_000;

/// The matter that the values of a column are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    /// How orders are paid.
    Payment,
    /// How much of an order is paid in advance, or still due.
    PartPayment,
    /// Whether they go.
    State,
    /// Anything: they are remarks, of which one may say that its order waits.
    Remark,
}

impl ValueKind {
    /// The matter of a column, in words that follow its header.
    #[must_use]
    pub const fn says(self) -> &'static str {
        match self {
            Self::Payment => "says how orders are paid",
            Self::PartPayment => "says how much of an order is paid already, or still due",
            Self::State => "says whether orders go",
            Self::Remark => "may say whether orders go",
        }
    }

    /// Whether it is about money.
    #[must_use]
    pub const fn is_of_payment(self) -> bool {
        matches!(self, Self::Payment | Self::PartPayment)
    }
}

/// A column some of whose values are not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueQuestion {
    /// The column.
    pub column: Column,
    /// The matter that its values are about.
    pub kind: ValueKind,
    /// Whether the orders of a value that is left open stay.
    pub holds: bool,
    /// The values that are not known, each with the number of its rows, the most frequent first.
    pub unknown: Vec<(String, u32)>,
    /// Those that are known, each with the number of its rows and what it means.
    pub known: Vec<(String, u32, Meaning)>,
}

impl ValueQuestion {
    /// The meanings that its values may have.
    #[must_use]
    pub const fn choices(&self) -> &'static [Meaning] {
        match self.kind {
            ValueKind::Payment => &Meaning::OF_PAYMENT,
            ValueKind::PartPayment => &Meaning::OF_PART,
            ValueKind::State => &Meaning::OF_STATE,
            ValueKind::Remark => &Meaning::OF_REMARK,
        }
    }
}

/// A value, as far as it is known.
enum Known {
    /// It says nothing, or something that is told otherwise.
    Nothing,
    Means(Meaning),
    Unknown,
}

/// The columns of a sheet that say how orders are paid or whether they go, or hold remarks, and have values that are not known. All
/// rows of a long sheet are looked at where that is wanted `thoroughly`, or where the first ones have such a value.
///
/// # Errors
/// The sheet cannot be read.
pub fn value_questions(
    columns: &Columns,
    (sheet, sample): (&Sheet, &LazySample),
    rules: &ReadingSettings,
    thoroughly: bool,
) -> Result<Vec<ValueQuestion>, SheetError> {
    let asked = asked_columns(columns);
    if asked.is_empty() && !columns.claims.iter().any(|claim| claim.role.speaks_of_payment()) {
        return Ok(Vec::new());
    }
    let first = sample.of(sheet)?;
    let of = |own: (u32, ValueKind), seen: &Seen| question(columns, own, seen, rules);
    let mut questions: Vec<ValueQuestion> = asked.iter().filter_map(|own| of(*own, first.column(own.0))).collect();
    if !first.is_whole() && (thoroughly || !questions.is_empty()) {
        let all = counted(sheet, &asked)?;
        questions = asked.iter().zip(&all).filter_map(|(own, seen)| of(*own, seen)).collect();
    }
    // It is asked behind the words of payments, which tell the orders that are collected.
    let place = questions.iter().position(|own| own.kind != ValueKind::Payment).unwrap_or(questions.len());
    let part = part_payment(columns, first, rules, |text| is_collected(columns, text, rules));
    let part = part.map(|(column, rows)| ValueQuestion {
        column: columns.named(column),
        kind: ValueKind::PartPayment,
        holds: true,
        unknown: vec![(ANY_OTHER.to_owned(), rows)],
        known: Vec::new(),
    });
    questions.splice(place..place, part);
    let mut number = 0;
    questions.retain(|own| {
        number += 1;
        own.kind != ValueKind::Remark || number <= QUESTIONS_MAX
    });
    Ok(questions)
}

/// Whether an amount that no header explains may be paid in advance, or still due, of an order that the courier collects.
#[must_use]
pub fn may_be_paid_in_part(columns: &Columns, sample: &Sample, rules: &ReadingSettings) -> bool {
    may_be_in_part(columns, sample, rules, |text| is_collected(columns, text, rules))
}

/// The question about one column; nothing where all of its values are known.
fn question(
    columns: &Columns,
    (column, kind): (u32, ValueKind),
    seen: &Seen,
    rules: &ReadingSettings,
) -> Option<ValueQuestion> {
    let (mut unknown, mut known_values) = (Vec::new(), Vec::new());
    for (text, rows) in &seen.values {
        let known = match (columns.meaning(column, text), kind) {
            (Some(meaning), _) => Known::Means(meaning),
            (None, ValueKind::Payment) => payment(columns, column, text, rules),
            (None, ValueKind::State) => state(text, rules),
            (None, ValueKind::PartPayment) => Known::Nothing,
            (None, ValueKind::Remark) => remark(columns, column, text),
        };
        match known {
            Known::Nothing => {}
            Known::Means(meaning) => known_values.push((text.to_string(), *rows, meaning)),
            Known::Unknown => unknown.push((text.to_string(), *rows)),
        }
    }
    // The sort is stable: of equals the one that comes first in the sheet.
    unknown.sort_by_key(|(_, rows)| Reverse(*rows));
    let holds = kind != ValueKind::Remark || of_unread_remarks(columns) == RuleLevel::Hold;
    let column = columns.named(column);
    (!unknown.is_empty()).then_some(ValueQuestion { column, kind, holds, unknown, known: known_values })
}

/// The level of remarks that nobody can read.
fn of_unread_remarks(columns: &Columns) -> RuleLevel {
    columns.levels.of(Rule::of(RuleId::UnreadRemarks)).0.unwrap_or(RuleLevel::Off)
}

/// The columns of which values are asked: those of payments first, and those of remarks last.
fn asked_columns(columns: &Columns) -> Vec<(u32, ValueKind)> {
    // A profile of the program has its own words for the payments and states of its layout.
    let is_own = !columns.is_by_program();
    let has_remarks = of_unread_remarks(columns) != RuleLevel::Off;
    let payment = columns.plain(Id::OrderType).filter(|_| is_own && columns.paid_where.is_none());
    let claimed = columns.claims.iter().filter_map(|claim| {
        let kind = match claim.role {
            ExtraRole::Sign(StateRole::Payment) if is_own => ValueKind::Payment,
            ExtraRole::Sign(StateRole::State | StateRole::Task) if is_own => ValueKind::State,
            ExtraRole::Sign(StateRole::Note) if has_remarks && columns.may_hold_remarks(claim.column) => {
                ValueKind::Remark
            }
            _ => return None,
        };
        Some((claim.column, kind))
    });
    let mut asked: Vec<(u32, ValueKind)> = Vec::new();
    for (column, kind) in payment.map(|column| (column, ValueKind::Payment)).into_iter().chain(claimed) {
        if !asked.iter().any(|(known, _)| *known == column) {
            asked.push((column, kind));
        }
    }
    // Columns that may only be of remarks come last, the likelier ones first.
    let place = |column: u32| columns.unread.iter().position(|own| *own == column).map_or(0, |place| place + 1);
    asked.sort_by_key(|(column, kind)| (*kind == ValueKind::Remark, place(*column)));
    asked
}

/// The values of these columns in all rows of a sheet.
fn counted(sheet: &Sheet, asked: &[(u32, ValueKind)]) -> Result<Vec<Seen>, SheetError> {
    let in_text_file = sheet.delimiter().is_some();
    let mut all = vec![Seen::default(); asked.len()];
    sheet.read(&mut |row| {
        for ((column, _), seen) in asked.iter().zip(&mut all) {
            let cell = row.cell(*column as usize);
            if seen.values.len() < VALUES_MAX || seen.texts().any(|text| text == cell.text) {
                seen.add(cell, in_text_file, row.number());
            }
        }
        ControlFlow::Continue(())
    })?;
    Ok(all)
}

/// Whether a text may be a word of a list: neither a sentence nor a figure.
fn is_word(text: &str) -> bool {
    text.chars().count() <= CHARACTERS_MAX && !text.contains(char::is_numeric)
}

/// Whether a text may be a way to pay: `30 days credit`, `100% Advance`.
fn is_way_to_pay(text: &str) -> bool {
    let count = |is: fn(char) -> bool| text.chars().filter(|c| is(*c)).count();
    count(|_| true) <= CHARACTERS_MAX && count(char::is_alphabetic) >= count(char::is_numeric)
}

fn payment(columns: &Columns, column: u32, text: &str, rules: &ReadingSettings) -> Known {
    let field = Id::OrderType.field();
    if is_no_value(field, text) || matches!(says(text), Status::Nothing | Status::Yes | Status::No) {
        return Known::Nothing;
    }
    let input = Input { means_paid: columns.means_are_paid(), ..Input::new(field, text) };
    match value(input, rules).sure() {
        Some(Value::Text(payment)) if &*payment == "PREPAID" => Known::Means(Meaning::Paid),
        Some(Value::Text(payment)) if &*payment == "COD" => Known::Means(Meaning::Collect),
        // How far the payment is, in words that are known, is compared with how it is made.
        None if columns.column(Id::OrderType) != Some(column) && how_far(text).is_some() => Known::Nothing,
        None if is_way_to_pay(text) => Known::Unknown,
        _ => Known::Nothing,
    }
}

/// Whether the courier collects an order with this cell in the column of payments.
fn is_collected(columns: &Columns, text: Option<&str>, rules: &ReadingSettings) -> bool {
    let Some(column) = columns.plain(Id::OrderType) else {
        let constant = columns.default(Id::OrderType).or_else(|| rules.default(Id::OrderType));
        return columns.is_collected() || constant == Some("COD");
    };
    let meaning =
        |text: &str| columns.meaning(column, text).map_or_else(|| payment(columns, column, text, rules), Known::Means);
    matches!(text.map(meaning), Some(Known::Means(Meaning::Collect)))
}

fn state(text: &str, rules: &ReadingSettings) -> Known {
    let is_ready = || rules.ready_words.iter().any(|word| normalised(word) == normalised(text));
    match says(text) {
        Status::Ready => Known::Means(Meaning::Go),
        Status::Cancelled => Known::Means(Meaning::Cancelled),
        Status::Sent => Known::Means(Meaning::Sent),
        Status::Booked => Known::Means(Meaning::Hold),
        Status::Unclear if is_ready() => Known::Means(Meaning::Go),
        Status::Unclear if ["end", "refusal"].into_iter().any(|sense| Topic::States.says(text, sense)) => {
            Known::Means(Meaning::Hold)
        }
        Status::Unclear if is_word(text) && indian_state(text).is_none() => Known::Unknown,
        _ => Known::Nothing,
    }
}

fn remark(columns: &Columns, column: u32, text: &str) -> Known {
    // A longer text is a letter, and was cut off between two of its characters.
    let is_whole = text.len() + char::MAX.len_utf8() <= LOOKED_AT_MAX;
    let is_asked = is_whole && columns.is_unread(column, text, &columns.remark(text));
    if is_asked { Known::Unknown } else { Known::Nothing }
}
