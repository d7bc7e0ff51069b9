//! Why an order goes or stays: what each column is taken for, what rules saw, and what came of it. Nothing is recorded.

use std::ops::ControlFlow;

use schemars::JsonSchema;
use serde::Serialize;

use crate::column::{Columns, Extra, RowRef};
use crate::config::Sheets;
use crate::event::Events;
use crate::field::{ExtraRole, Field, StateRole, is_named};
use crate::finding::{Finding, RuleId};
use crate::ledger::{Intake, LedgerError, State};
use crate::order::Order;
use crate::origin::{Place, is_added};
use crate::profile::Meaning;
use crate::rule::{LevelSource, Levels, RULES, Rule, RuleKind, RuleLevel};
use crate::sheet::Sheet;
use crate::stage::{
    Booked, Dry, Frozen, OpenedSheet, OrderOutcome, OrderRows, Recorder, Sink, gather_surveyed, survey,
};
use crate::text::nearest;
use crate::words::Topic;

use super::connect::App;
use super::error::{Error, Result as AppResult};
use super::reading::{Reading, THIS_ONCE};

/// All that there is to say of one order of a sheet.
#[derive(Debug)]
pub struct Explained {
    /// The order number.
    pub order: String,
    /// What people call its sheet.
    pub sheet: String,
    /// Its rows, as people write them.
    pub rows: String,
    /// The columns of its sheet.
    pub columns: Vec<ExplainedColumn>,
    /// What was said of the order, and of its sheet.
    pub findings: Vec<ExplainedFinding>,
    /// How its remarks were read.
    pub remarks: Vec<ExplainedRemark>,
    /// The rules and faults that had nothing to say.
    pub silent: Vec<RuleId>,
    /// What becomes of it.
    pub outcome: Outcome,
    /// The request that would be sent, where it goes.
    pub request: Option<serde_json::Value>,
}

/// One column, and why it is what it is.
#[derive(Debug, Clone)]
pub struct ExplainedColumn {
    /// Its header.
    pub place: Place,
    /// What it is.
    pub is: Vec<ColumnRole>,
    /// Why.
    pub because: ColumnReason,
    /// A person's answers on its values.
    pub values: Vec<(String, Meaning)>,
}

/// What a column is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnRole {
    /// It feeds a field.
    Field(&'static Field),
    /// It says something beside the fields.
    Beside(ExtraRole),
    /// This program wrote it.
    Ours,
    /// It is left out.
    LeftOut,
}

/// Why a column is what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ColumnReason {
    /// Its header says so.
    Header,
    /// Its cells show it.
    Cells,
    /// A person said so, in the profile of this name; without one, in an answer that holds this once.
    You(Option<String>),
    /// A profile that comes with the program says so.
    Profile(String),
    /// Nothing says what it is.
    Nothing,
}

/// What was said, and what came of it.
#[derive(Debug, Clone)]
pub struct ExplainedFinding {
    /// What was seen.
    pub finding: Finding,
    /// The rule; none of a case of an earlier version.
    pub rule: Option<&'static Rule>,
    /// The level of its rule; none where it has none.
    pub level: Option<RuleLevel>,
    /// Where that comes from.
    pub because: LevelSource,
}

/// How a remark was read.
#[derive(Debug, Clone)]
pub struct ExplainedRemark {
    /// Its cell.
    pub place: Place,
    /// What stands there.
    pub text: String,
    /// The words of it that are known, each with what it means.
    pub words: Vec<(String, String)>,
    /// What it means for its order.
    pub means: RemarkMeaning,
}

/// What a remark means for its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemarkMeaning {
    /// A rule spoke of it.
    Ruled(RuleId),
    /// A person said so.
    Answered(Meaning),
    /// Its words change nothing.
    Harmless,
    /// Nobody could read it, which weighs this much.
    Unread(Option<RuleLevel>),
}

/// What becomes of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It would be sent.
    Goes,
    /// It stays behind, held by what is said of it.
    Stays,
    /// It is left out, by its sheet's or its profile's word.
    LeftOut,
    /// The ledger has it already: where it stands there says what is done.
    #[serde(untagged)]
    Known(State),
}

/// What is seen of one order on its way.
#[derive(Default)]
struct Seen {
    /// Its rows.
    at: Vec<RowRef>,
    outcome: Option<Outcome>,
    /// What was said of it, and of all orders.
    said: Vec<Finding>,
    /// Other orders, of which one may be meant.
    others: Vec<String>,
    /// Its request.
    request: Option<serde_json::Value>,
}

/// Hands everything on, and keeps the request of one order.
struct Keeping<'s> {
    inner: &'s mut dyn Sink,
    number: &'s str,
    now_ms: i64,
    request: Option<serde_json::Value>,
}

impl Sink for Keeping<'_> {
    fn wants_requests(&self) -> Option<i64> {
        self.inner.wants_requests().or(Some(self.now_ms))
    }

    fn keeps_requests(&self) -> bool {
        self.inner.keeps_requests()
    }

    fn is_over(&mut self, number: &str) -> Result<bool, LedgerError> {
        self.inner.is_over(number)
    }

    fn sent_otherwise(&mut self, of: &OrderRows<'_>) -> Result<Option<(String, Finding)>, LedgerError> {
        self.inner.sent_otherwise(of)
    }

    fn order(&mut self, frozen: &Frozen<'_>) -> Result<Vec<Finding>, LedgerError> {
        if frozen.order.number.as_str() == self.number {
            self.request = frozen.request.and_then(|request| serde_json::from_slice(&request.body).ok());
        }
        self.inner.order(frozen)
    }

    fn booked(&mut self, of: &OrderRows<'_>, is_wrong: bool) -> Result<Option<Booked>, LedgerError> {
        self.inner.booked(of, is_wrong)
    }

    fn changed_since(
        &mut self,
        of: &OrderRows<'_>,
        as_held: &Order,
        problems: &[Finding],
    ) -> Result<Option<Finding>, LedgerError> {
        self.inner.changed_since(of, as_held, problems)
    }

    fn invalid(&mut self, of: &OrderRows<'_>, problems: &[Finding]) -> Result<(), LedgerError> {
        self.inner.invalid(of, problems)
    }

    fn problem(&mut self, problem: &Finding) -> Result<(), LedgerError> {
        self.inner.problem(problem)
    }
}

/// So many other orders are remembered.
const OTHERS_MAX: usize = 10_000;

impl App {
    /// Why an order of a sheet goes or stays.
    ///
    /// # Errors
    /// A sheet that cannot be read, or has no such order.
    pub fn explain(&self, sheets: &Sheets, number: &str, events: &mut Events<'_>) -> AppResult<Explained> {
        let mut reading = self.read(sheets, events)?;
        reading.opened.columns.set_levels(Levels::including_off);
        if reading.is_unusable() {
            let said = reading.problems().to_vec();
            return reading.explained(number, &[], said, Outcome::Stays, None);
        }
        let ledger = self.config.service_key().ok().zip(self.read_ledger().ok());
        let now_ms = reading.rules.now.as_millisecond();
        let (seen, known) = if let Some((service, ledger)) = ledger {
            let mut staging = ledger.stage_dry(&service)?;
            staging.begin_sheets(&reading.run_sheets())?;
            let seen =
                reading.seen(&mut Recorder::new(&mut staging, &reading.opened.columns, now_ms), number, events)?;
            (seen, staging.known(number)?.map(|known| known.state))
        } else {
            (reading.seen(&mut Dry::default(), number, events)?, None)
        };
        let Seen { at, outcome, said, others, request } = seen;
        // Who failed is sent again once its row was corrected; of all others the ledger has the last word.
        let is_open =
            |state: &State| matches!(state, State::Staged | State::Waiting | State::Invalid | State::Dismissed);
        let known = known.filter(|state| !is_open(state));
        let is_said = said.iter().any(|finding| finding.order.is_some());
        let outcome = match (known, outcome) {
            (Some(state), Some(Outcome::Goes) | None) => Outcome::Known(state),
            (Some(State::Booked), Some(_)) => Outcome::Known(State::Booked),
            (_, Some(outcome)) => outcome,
            (None, None) if is_said => Outcome::LeftOut,
            (None, None) => {
                let near = nearest(number, others.iter().map(String::as_str)).map(str::to_owned);
                return Err(Error::NotInSheet { number: number.to_owned(), near });
            }
        };
        let request = request.filter(|_| outcome == Outcome::Goes);
        reading.explained(number, &at, said, outcome, request)
    }
}

impl Reading {
    fn seen(&self, sink: &mut dyn Sink, number: &str, events: &mut Events<'_>) -> AppResult<Seen> {
        let (mut seen, mut said) = (Seen::default(), Vec::new());
        let now_ms = self.rules.now.as_millisecond();
        let mut keeping = Keeping { inner: sink, number, now_ms, request: None };
        let hear = &mut |finding: &Finding| {
            if finding.order.as_deref().is_none_or(|order| order == number) {
                said.push(finding.clone());
            }
        };
        let watch = &mut |of: &OrderRows<'_>, outcome, _: &[Finding]| match of.number {
            Some(own) if own == number => {
                seen.at = of.at.to_vec();
                seen.outcome = match outcome {
                    OrderOutcome::Goes => Some(Outcome::Goes),
                    OrderOutcome::Stays => Some(Outcome::Stays),
                    OrderOutcome::LeftOut => Some(Outcome::LeftOut),
                    OrderOutcome::Booked => None,
                };
            }
            Some(other) if seen.others.len() < OTHERS_MAX => seen.others.push(other.to_owned()),
            _ => {}
        };
        gather_surveyed(
            &self.opened,
            &self.rules,
            (&survey(&self.opened, false, events)?, None),
            &mut keeping,
            (hear, watch),
            events,
        )?;
        let request = keeping.request;
        Ok(Seen { said, request, ..seen })
    }

    fn explained(
        &self,
        number: &str,
        at: &[RowRef],
        said: Vec<Finding>,
        outcome: Outcome,
        request: Option<serde_json::Value>,
    ) -> AppResult<Explained> {
        let of_place = |place: &Place| self.opened.sheets.iter().position(|own| *own.sheet.source() == place.source);
        let of_order = said.iter().filter(|finding| finding.order.is_some());
        let said_at = of_order.filter_map(|finding| finding.place.as_ref()).find_map(of_place);
        let index = at.first().map(|first| usize::from(first.sheet)).or(said_at).unwrap_or_default();
        let columns = self.opened.columns.of(u16::try_from(index).unwrap_or_default());
        let own = &self.opened.sheets[index];
        let is_here = |finding: &Finding| {
            let elsewhere = |place: &Place| *own.sheet.source() != place.source;
            // Of other rows that are no orders, nothing is told here.
            let is_of_sheet = finding.place.as_ref().is_none_or(|place| place.row <= own.sheet.header().row);
            finding.order.is_some() || (is_of_sheet && !finding.place.as_ref().is_some_and(elsewhere))
        };
        let findings: Vec<ExplainedFinding> =
            said.into_iter().filter(is_here).map(|finding| of_rule(finding, &columns.levels)).collect();
        let has_spoken = |rule: &Rule| findings.iter().any(|own| own.rule.is_some_and(|known| known.id == rule.id));
        let silent =
            RULES.iter().filter(|rule| matches!(rule.kind, RuleKind::Rule(_) | RuleKind::Fault) && !has_spoken(rule));
        Ok(Explained {
            order: number.to_owned(),
            sheet: own.sheet.source().to_string(),
            rows: self.opened.columns.rows(at),
            columns: self.columns(own, columns),
            remarks: remarks(&own.sheet, (columns, u16::try_from(index).unwrap_or_default()), at, &findings)?,
            silent: silent.map(|rule| rule.id).collect(),
            findings,
            outcome,
            request,
        })
    }

    /// What each column of a sheet is, and why. The one place where that is asked.
    pub(super) fn columns(&self, planned: &OpenedSheet, columns: &Columns) -> Vec<ExplainedColumn> {
        let header = planned.sheet.header();
        let column = |(index, name): (u32, &String)| ExplainedColumn {
            place: columns.cell(header.row, index),
            is: roles(columns, index),
            because: self.reason(columns, index, name),
            values: columns.meanings(index).map(|(meaning, text)| (text.clone(), meaning)).collect(),
        };
        (0..).zip(&header.cells).filter(|(_, header)| !header.is_empty()).map(column).collect()
    }

    /// Why a column is what it is.
    fn reason(&self, columns: &Columns, index: u32, header: &str) -> ColumnReason {
        let is = roles(columns, index);
        let by_header = match is.first() {
            Some(ColumnRole::Field(field)) => columns.get(index).names(field.id),
            Some(ColumnRole::Beside(_)) => columns.claims.iter().any(|claim| claim.column == index && claim.by_header),
            _ => false,
        };
        let own = columns.own_profile().filter(|_| columns.is_own());
        let is_said = !is_named(&self.rules.ignored_headers, header)
            && own.is_some_and(|profile| profile.settles(header) || profile.values.contains_key(header));
        // What is read for words that nobody mistakes may be anything, whatever its header is.
        let note = [ColumnRole::Beside(ExtraRole::Sign(StateRole::Note))];
        let is_unknown = is == [ColumnRole::LeftOut] || (is == note && columns.get(index).says_nothing());
        match columns.profile() {
            _ if is == [ColumnRole::Ours] => ColumnReason::Header,
            Some(name) if is_said => ColumnReason::You(Some(name.to_owned()).filter(|name| name != THIS_ONCE)),
            _ if is_unknown => ColumnReason::Nothing,
            _ if columns.taken.iter().any(|taken| taken.column.index == index) => ColumnReason::Cells,
            Some(name) if own.is_none() && !by_header => ColumnReason::Profile(name.to_owned()),
            _ => ColumnReason::Header,
        }
    }
}

/// How the remarks in the rows of an order were read, each text of a column once.
fn remarks(
    sheet: &Sheet,
    (columns, number): (&Columns, u16),
    at: &[RowRef],
    findings: &[ExplainedFinding],
) -> AppResult<Vec<ExplainedRemark>> {
    let is_note = |claim: &&Extra| matches!(claim.role, ExtraRole::Sign(sign) if sign.is_note());
    let notes: Vec<u32> = columns.claims.iter().filter(is_note).map(|claim| claim.column).collect();
    let rows: Vec<u32> = at.iter().filter(|own| own.sheet == number).map(|own| own.row).collect();
    let mut found: Vec<ExplainedRemark> = Vec::new();
    let last = rows.iter().max().copied();
    sheet.read(&mut |row| {
        if rows.contains(&row.number()) {
            for column in &notes {
                let (text, place) = (row.cell(*column as usize).text, columns.cell(row.number(), *column));
                let is_known = |own: &ExplainedRemark| own.text == text && own.place.column == place.column;
                if !found.iter().any(is_known) {
                    found.extend(remark(text, place, columns, findings));
                }
            }
        }
        if last.is_none_or(|last| row.number() >= last) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    Ok(found)
}

/// How a remark was read; nothing of a cell without words that anybody would read.
fn remark(text: &str, place: Place, columns: &Columns, findings: &[ExplainedFinding]) -> Option<ExplainedRemark> {
    const TOPICS: [Topic; 4] = [Topic::Remarks, Topic::Fetched, Topic::Kinds, Topic::Payment];
    let header = place.column.as_ref().map_or(u32::MAX, |column| column.index);
    let vocabulary = columns.vocabulary();
    let parted = vocabulary.text(text);
    let hits = TOPICS.into_iter().flat_map(|topic| parted.read(topic).hits);
    let words: Vec<(String, String)> =
        hits.map(|hit| (text[hit.span.0..hit.span.1].to_owned(), hit.sense.replace('-', " "))).collect();
    let of_cell = |own: &&ExplainedFinding| own.finding.place.as_ref() == Some(&place);
    let rule = findings.iter().filter(of_cell).find_map(|own| own.rule.map(|rule| rule.id));
    let is_unread = || columns.is_unread(header, text, &columns.remark(text));
    let means = match (rule, columns.meaning(header, text)) {
        (_, Some(meaning)) => RemarkMeaning::Answered(meaning),
        (Some(RuleId::UnreadRemarks) | None, _) if is_unread() => {
            RemarkMeaning::Unread(columns.levels.of(Rule::of(RuleId::UnreadRemarks)).0)
        }
        (Some(rule), _) => RemarkMeaning::Ruled(rule),
        (None, _) if words.is_empty() => return None,
        (None, _) => RemarkMeaning::Harmless,
    };
    Some(ExplainedRemark { place, text: text.to_owned(), words, means })
}

fn of_rule(finding: Finding, levels: &Levels) -> ExplainedFinding {
    let rule = finding.rule().map(Rule::of);
    let (level, because) = rule.map_or((None, LevelSource::Default), |rule| levels.of(rule));
    ExplainedFinding { finding, rule, level, because }
}

/// What a column is: the fields that it feeds, and what it says beside them.
fn roles(columns: &Columns, index: u32) -> Vec<ColumnRole> {
    let fed = columns.fed().filter(|feed| columns.sources(*feed).contains(&index));
    let mut is: Vec<ColumnRole> = Vec::new();
    for role in fed.map(|feed| ColumnRole::Field(feed.field)) {
        if !is.contains(&role) {
            is.push(role);
        }
    }
    let beside = columns.claims.iter().filter(|claim| claim.column == index);
    is.extend(beside.map(|claim| ColumnRole::Beside(claim.role)));
    if is.is_empty() {
        is.push(if is_added(columns.header(index)) { ColumnRole::Ours } else { ColumnRole::LeftOut });
    }
    is
}
