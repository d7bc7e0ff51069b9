//! Values that nobody can tell the meaning of, in columns that say how orders are paid or whether they go: each is asked once.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use crate::column::Columns;
use crate::field::{ExtraRole, Id, StateRole, Status, how_far, indian_state, normalised, says};
use crate::origin::Column;
use crate::parse::{Input, ReadingSettings, Value, is_no_value, value};
use crate::profile::Meaning;
use crate::sheet::{Sheet, SheetError};
use crate::words::Topic;

use super::sample::{LazySample, Seen};

/// More columns of one sheet are not asked about.
const COLUMNS_MAX: usize = 3;

/// A longer text, or one more of so many, is no word of a list.
const CHARACTERS_MAX: usize = 60;
const VALUES_MAX: usize = 1_000;

/// A column some of whose values are not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueQuestion {
    /// The column.
    pub column: Column,
    /// Whether it says how orders are paid; else it says whether they go.
    pub is_payment: bool,
    /// The values that are not known, each with the number of its rows, the most frequent first.
    pub unknown: Vec<(String, u32)>,
    /// Those that are known, each with the number of its rows and what it means.
    pub known: Vec<(String, u32, Meaning)>,
}

impl ValueQuestion {
    /// The meanings that its values may have.
    #[must_use]
    pub const fn choices(&self) -> &'static [Meaning] {
        if self.is_payment { &Meaning::OF_PAYMENT } else { &Meaning::OF_STATE }
    }
}

/// A value, as far as it is known.
enum Known {
    /// It says nothing, or something that is told otherwise.
    Nothing,
    Means(Meaning),
    Unknown,
}

/// The columns of a sheet that say how orders are paid or whether they go, and have values that are not known. All rows of a long
/// sheet are looked at where that is wanted `thoroughly`, or where the first ones have such a value.
///
/// # Errors
/// The sheet cannot be read.
pub fn value_questions(
    columns: &Columns,
    (sheet, sample): (&Sheet, &LazySample),
    rules: &ReadingSettings,
    thoroughly: bool,
) -> Result<Vec<ValueQuestion>, SheetError> {
    // A profile of the program has its own words for its layout.
    if columns.is_by_program() {
        return Ok(Vec::new());
    }
    let asked = asked_columns(columns);
    let first = sample.of(sheet)?;
    let of = |(column, is_payment): (u32, bool), seen: &Seen| question(columns, (column, is_payment), seen, rules);
    let mut questions: Vec<ValueQuestion> = asked.iter().filter_map(|own| of(*own, first.column(own.0))).collect();
    if !first.is_whole() && (thoroughly || !questions.is_empty()) && !asked.is_empty() {
        let all = counted(sheet, &asked)?;
        questions = asked.iter().zip(&all).filter_map(|(own, seen)| of(*own, seen)).collect();
    }
    questions.truncate(COLUMNS_MAX);
    Ok(questions)
}

/// The question about one column; nothing where all of its values are known.
fn question(
    columns: &Columns,
    (column, is_payment): (u32, bool),
    seen: &Seen,
    rules: &ReadingSettings,
) -> Option<ValueQuestion> {
    let (mut unknown, mut known_values) = (Vec::new(), Vec::new());
    for (text, rows) in &seen.values {
        let known =
            if is_payment { payment(columns, column, text, rules) } else { state(columns, column, text, rules) };
        match known {
            Known::Nothing => {}
            Known::Means(meaning) => known_values.push((text.to_string(), *rows, meaning)),
            Known::Unknown => unknown.push((text.to_string(), *rows)),
        }
    }
    // The sort is stable: of equals the one that comes first in the sheet.
    unknown.sort_by_key(|(_, rows)| Reverse(*rows));
    let column = columns.named(column);
    (!unknown.is_empty()).then_some(ValueQuestion { column, is_payment, unknown, known: known_values })
}

/// The columns of which values are asked, each with whether it says how orders are paid.
fn asked_columns(columns: &Columns) -> Vec<(u32, bool)> {
    let payment = columns.plain(Id::OrderType).filter(|_| columns.paid_where.is_none());
    let mut asked: Vec<(u32, bool)> = payment.map(|column| (column, true)).into_iter().collect();
    for claim in &columns.claims {
        let is_payment = match claim.role {
            ExtraRole::Sign(StateRole::Payment) => true,
            ExtraRole::Sign(StateRole::State | StateRole::Task) => false,
            _ => continue,
        };
        if !asked.iter().any(|(column, _)| *column == claim.column) {
            asked.push((claim.column, is_payment));
        }
    }
    asked
}

/// The values of these columns in all rows of a sheet.
fn counted(sheet: &Sheet, asked: &[(u32, bool)]) -> Result<Vec<Seen>, SheetError> {
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

fn payment(columns: &Columns, column: u32, text: &str, rules: &ReadingSettings) -> Known {
    let field = Id::OrderType.field();
    if let Some(meaning) = columns.meaning(column, text) {
        return Known::Means(meaning);
    }
    if is_no_value(field, text) || matches!(says(text), Status::Nothing | Status::Yes | Status::No) {
        return Known::Nothing;
    }
    let input = Input { means_paid: columns.means_are_paid(), ..Input::new(field, text) };
    match value(input, rules).sure() {
        Some(Value::Text(payment)) if &*payment == "PREPAID" => Known::Means(Meaning::Paid),
        Some(Value::Text(payment)) if &*payment == "COD" => Known::Means(Meaning::Collect),
        // How far the payment is, in words that are known, is compared with how it is made.
        None if columns.column(Id::OrderType) != Some(column) && how_far(text).is_some() => Known::Nothing,
        None if is_word(text) => Known::Unknown,
        _ => Known::Nothing,
    }
}

fn state(columns: &Columns, column: u32, text: &str, rules: &ReadingSettings) -> Known {
    if let Some(meaning) = columns.meaning(column, text) {
        return Known::Means(meaning);
    }
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
