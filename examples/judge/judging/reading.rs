//! What the program makes of a judged sheet: the request of each order, or what keeps it. Nothing is booked.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result};
use jiff::Timestamp;
use serde_json::Value;
use shipsheet::app::{App, LayoutAnswer, LayoutChange, LayoutQuestion, Meaning, Reading, UnknownLayout, UnknownValues};
use shipsheet::config::{Config, Overrides, Sheets};
use shipsheet::event::Stream;
use shipsheet::field::Field;
use shipsheet::finding::Finding;
use shipsheet::finding::english::message;
use shipsheet::ledger::LedgerError;
use shipsheet::stage::{Booked, Frozen, OrderRows, Sink, gather};

use super::case::Case;
use super::workbook;

/// The day on which all sheets are read, so that their dates stay what they are: the afternoon of 22 November 2026.
const READ_AT: Timestamp = Timestamp::constant(1_795_350_600, 0);

/// What became of an order.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// It would be sent: its request.
    Sent(Box<Value>),
    /// It stays until somebody has looked.
    Held(Vec<Said>),
    /// It was left out, by its sheet's own word.
    LeftOut(Vec<Said>),
}

/// What the program says of an order.
#[derive(Debug, Clone)]
pub(crate) struct Said {
    /// The rule, with its case.
    pub(crate) rule: String,
    /// Where, and in which words.
    pub(crate) words: String,
}

impl Said {
    fn of(finding: &Finding) -> Self {
        let place = finding.place.as_ref().map(ToString::to_string).unwrap_or_default();
        let found = finding.found.as_deref().unwrap_or_default();
        Self {
            rule: format!("{}/{}", finding.id, finding.case),
            words: format!("{place} {found:?}: {}", message(finding)),
        }
    }

    fn held(findings: &[Finding]) -> Vec<Self> {
        findings.iter().filter(|finding| finding.holds()).map(Self::of).collect()
    }
}

/// What the program makes of a sheet.
#[derive(Debug, Default)]
pub(crate) struct Outcomes {
    /// What keeps the sheet as a whole.
    pub(crate) sheet: Vec<Said>,
    /// By order number; `row 7` is a row without one.
    pub(crate) orders: BTreeMap<String, Outcome>,
}

impl Outcomes {
    /// Reads a case as its shop is configured, and answers what is asked as the case says.
    pub(crate) fn of(case: &Case) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let configuration = folder.path().join("shipsheet.toml");
        fs::write(&configuration, &case.configuration)?;
        let own = folder.path().to_owned();
        let overrides =
            Overrides { sandbox: true, file: Some(configuration), folder: Some(own), ..Overrides::default() };
        let app = App::open(Config::open(overrides)?);
        let mut sheet = case.sheet.clone();
        if sheet.extension().is_some_and(|extension| extension == "sheet") {
            sheet = folder.path().join(&case.name).with_extension("xlsx");
            workbook::write(&fs::read_to_string(&case.sheet)?, &sheet)?;
        }
        let mut events = Stream::silent();
        let mut reading = match app.read(&Sheets::of([sheet]), &mut events) {
            Ok(reading) => reading,
            Err(error) => {
                let said = Said { rule: "unreadable".to_owned(), words: error.to_string() };
                return Ok(Self { sheet: vec![said], ..Self::default() });
            }
        };
        while let Some(question) = reading.question()? {
            let answer = match question {
                LayoutQuestion::Unknown(layout) if !case.answers.is_empty() => answered(*layout, &reading, case)?,
                LayoutQuestion::Values(values) if !case.values.is_empty() => meant(*values, case),
                LayoutQuestion::Lines(lines) => {
                    let change = LayoutChange::Lines { are: case.lines_below };
                    LayoutAnswer::Change { number: lines.number, change, keep_as: None }
                }
                _ => break,
            };
            reading.answer(answer, &mut events)?;
        }
        Self::of_reading(&reading)
    }

    fn of_reading(reading: &Reading) -> Result<Self> {
        if reading.is_unusable() {
            return Ok(Self { sheet: Said::held(reading.problems()), ..Self::default() });
        }
        let mut rules = reading.rules().clone();
        rules.now = READ_AT;
        let (mut outcomes, mut said) = (Self::default(), Vec::new());
        let mut say = |finding: &Finding| said.push(finding.clone());
        gather(reading.opened(), &rules, &mut outcomes, &mut say, &mut Stream::silent())?;
        outcomes.name_reasons(&said);
        Ok(outcomes)
    }

    /// Why orders were left out: a filter leaves out rows before anybody hears of their order.
    fn name_reasons(&mut self, said: &[Finding]) {
        for finding in said.iter().filter(|finding| !finding.holds()) {
            let Some(order) = &finding.order else { continue };
            let outcome = self.orders.entry(order.clone()).or_insert_with(|| Outcome::LeftOut(Vec::new()));
            if let Outcome::LeftOut(because) = outcome {
                because.push(Said::of(finding));
            }
        }
    }

    fn note(&mut self, left: &OrderRows<'_>, outcome: Outcome) {
        let row = || left.at.first().map_or_else(String::new, |at| format!("row {}", at.row));
        self.orders.insert(left.number.map_or_else(row, str::to_owned), outcome);
    }
}

/// The columns as they are proposed, but for those that the case speaks of.
fn answered(mut layout: UnknownLayout, reading: &Reading, case: &Case) -> Result<LayoutAnswer> {
    let header = &reading.opened().sheets[layout.number].sheet.header().cells;
    for (column, path) in &case.answers {
        let field = Field::by_path(path).with_context(|| format!("{path} is no field"))?;
        let index = header.iter().position(|cell| cell == column).with_context(|| format!("no column {column}"))?;
        layout.guess.take(field, u32::try_from(index)?);
    }
    Ok(layout.answer(None))
}

/// The case's answer on values.
fn meant(values: UnknownValues, case: &Case) -> LayoutAnswer {
    let column = values.question.column;
    let of_case = case.values.get(&column.header).into_iter().flatten();
    let said: Vec<(&String, Meaning)> =
        of_case.flat_map(|(meaning, texts)| texts.iter().map(|text| (text, *meaning))).collect();
    let asked = values.question.unknown.into_iter().filter_map(|(text, _)| {
        let meaning = said.iter().find(|(own, _)| **own == text)?.1;
        Some((text, meaning))
    });
    let change = LayoutChange::Values { column: column.index, means: Some(asked.collect()) };
    LayoutAnswer::Change { number: values.number, change, keep_as: None }
}

impl Sink for Outcomes {
    fn wants_requests(&self) -> Option<i64> {
        Some(READ_AT.as_millisecond())
    }

    fn order(&mut self, frozen: &Frozen<'_>) -> Result<Vec<Finding>, LedgerError> {
        let body = frozen.request.map(|request| serde_json::from_slice(&request.body));
        // A request that is none would be a wrong value in every field.
        let body = body.and_then(Result::ok).unwrap_or(Value::Null);
        self.orders.insert(frozen.order.number.to_string(), Outcome::Sent(Box::new(body)));
        Ok(Vec::new())
    }

    fn booked(&mut self, left: &OrderRows<'_>, is_wrong: bool) -> Result<Option<Booked>, LedgerError> {
        if !is_wrong {
            self.note(left, Outcome::LeftOut(Vec::new()));
        }
        Ok(None)
    }

    fn invalid(&mut self, left: &OrderRows<'_>, problems: &[Finding]) -> Result<(), LedgerError> {
        self.note(left, Outcome::Held(Said::held(problems)));
        Ok(())
    }
}
