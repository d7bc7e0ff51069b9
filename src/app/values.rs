//! Questions about sheets whose columns are known: values that are not, amounts that no header explains, and rows without an order
//! number. Each is asked once.

use crate::column::Columns;
use crate::column::decide::{QUESTIONS_MAX, Sample, ValueKind, ValueQuestion, value_questions};
use crate::field::{ExtraRole, Id, MAY_BE_GRAMS, is_same_measure, measured};
use crate::finding::Finding;
use crate::origin::Column;
use crate::stage::OpenedSheet;

use super::amounts::VALUES_SHOWN;
use super::error::Result;
use super::layout::{
    LayoutQuestion, MeasureAsks, MeasureQuestion, UnknownAmounts, UnknownLines, UnknownMeasure, UnknownValues,
};
use super::reading::{Asked, Reading};

impl Reading {
    /// The values that are not known, of the columns of each sheet; in sheets of very many rows those of all rows where that is
    /// wanted `thoroughly`, else where the first ones have such a value.
    ///
    /// # Errors
    /// A sheet cannot be read again.
    pub fn value_questions(&self, thoroughly: bool) -> Result<Vec<Vec<ValueQuestion>>> {
        let of_sheet = |(planned, columns): (&OpenedSheet, &Columns)| {
            Ok(value_questions(columns, (&planned.sheet, &planned.sample), &self.rules, thoroughly)?)
        };
        self.opened.sheets.iter().zip(self.opened.columns.iter()).map(of_sheet).collect()
    }

    /// The next question about sheets whose columns are known.
    pub(super) fn further_question(&self) -> Result<Option<LayoutQuestion>> {
        if self.is_unusable() {
            return Ok(None);
        }
        if let Some(lines) = self.unknown_lines() {
            return Ok(Some(LayoutQuestion::Lines(lines)));
        }
        // By the payments, which orders are collected is known.
        if let Some(question) = self.unknown_values()? {
            return Ok(Some(question));
        }
        self.unknown_amounts()?.map_or_else(|| self.unknown_measure(), |question| Ok(Some(question)))
    }

    /// The first sheet with rows that have a product and no order number.
    fn unknown_lines(&self) -> Option<UnknownLines> {
        let mut sheets = self.opened.sheets.iter().zip(self.opened.columns.iter()).enumerate();
        sheets.find_map(|(number, (planned, columns))| {
            let source = planned.sheet.source();
            if columns.is_by_program() {
                return None;
            }
            let is_it = |problem: &&Finding| {
                problem.is_of_second_lines()
                    && problem.place.as_ref().is_some_and(|place| place.source == *source)
                    && !self.asked.contains(&(number, Asked::Lines))
            };
            let place = self.problems().iter().find(is_it)?.place.clone()?;
            let asks_name = self.own_profile(number).is_none();
            Some(UnknownLines { number, file: source.file.clone(), place, asks_name })
        })
    }

    /// The first column whose values were not asked about yet.
    fn unknown_values(&self) -> Result<Option<LayoutQuestion>> {
        let sheets = self.opened.sheets.iter().zip(self.opened.columns.iter());
        for (number, ((planned, _), questions)) in sheets.zip(self.value_questions(true)?).enumerate() {
            let asked =
                self.asked.iter().filter(|(own, what)| *own == number && matches!(what, Asked::Values(_))).count();
            let was_asked = |own: &ValueQuestion| self.asked.contains(&(number, Asked::Values(own.column.index)));
            let is_open = |own: &ValueQuestion| own.kind != ValueKind::Remark || asked < QUESTIONS_MAX;
            let is_next = |own: &ValueQuestion| is_open(own) && !was_asked(own);
            let Some(question) = questions.into_iter().find(is_next) else { continue };
            let source = planned.sheet.source();
            let values = UnknownValues {
                number,
                sheet: source.to_string(),
                file: source.file.clone(),
                question,
                asks_name: self.own_profile(number).is_none(),
            };
            return Ok(Some(LayoutQuestion::Values(Box::new(values))));
        }
        Ok(None)
    }

    /// The first sheet whose amounts were not asked about yet.
    fn unknown_amounts(&self) -> Result<Option<LayoutQuestion>> {
        let open = self.amount_questions()?.into_iter().enumerate();
        let mut open = open.filter(|(number, _)| !self.asked.contains(&(*number, Asked::Amounts)));
        let Some((number, question)) = open.find_map(|(number, question)| Some((number, question?))) else {
            return Ok(None);
        };
        let source = self.opened.sheets[number].sheet.source();
        Ok(Some(LayoutQuestion::Amounts(Box::new(UnknownAmounts {
            number,
            sheet: source.to_string(),
            file: source.file.clone(),
            question,
            asks_name: self.own_profile(number).is_none(),
        }))))
    }

    /// The first sheet with a weight or a side that was not asked about yet.
    fn unknown_measure(&self) -> Result<Option<LayoutQuestion>> {
        for (number, planned) in self.opened.sheets.iter().enumerate() {
            let Some(question) = self.measure_question(number)? else { continue };
            let source = planned.sheet.source();
            return Ok(Some(LayoutQuestion::Measure(Box::new(UnknownMeasure {
                number,
                sheet: source.to_string(),
                file: source.file.clone(),
                question,
                asks_name: self.own_profile(number).is_none(),
            }))));
        }
        Ok(None)
    }

    /// The first column of a sheet with a weight or a side that may be the parcel's, where one of the settings would be booked instead;
    /// else that of the weight, where it may be of pieces or rows, or in another unit than the usual one.
    ///
    /// # Errors
    /// The sheet cannot be read again.
    pub(super) fn measure_question(&self, number: usize) -> Result<Option<MeasureQuestion>> {
        let mut sheets = self.opened.sheets.iter().zip(self.opened.columns.iter());
        let Some((planned, columns)) = sheets.nth(number) else { return Ok(None) };
        let is_new = |column: u32| !self.asked.contains(&(number, Asked::Measure(column)));
        let sample = planned.sample.of(&planned.sheet)?;
        let question = |column: u32, id: Id, values: Vec<String>, asks: MeasureAsks| {
            let column = Column { index: column, header: columns.header(column).to_owned() };
            MeasureQuestion { column, values, field: id.field(), asks }
        };
        for claim in &columns.claims {
            let ExtraRole::Measure(id) = claim.role else { continue };
            let in_one = columns.get(claim.column).measure.is_none();
            if in_one || !is_new(claim.column) || columns.column(id).is_some() {
                continue;
            }
            let Some(instead) = columns.default(id).or_else(|| self.rules.default(id)) else { continue };
            let unit_of = if id == Id::Weight { Id::WeightUnit } else { Id::DimensionUnit };
            let unit = columns.default(unit_of).or_else(|| self.rules.default(unit_of)).unwrap_or_default();
            let named = columns.get(claim.column).measure_unit(id).unwrap_or(unit);
            let set = instead.parse().ok();
            // As for each order: a figure that is what is booked instead is not asked about.
            let is_other = |text: &&str| {
                measured(text).is_some_and(|(figure, own)| {
                    set.is_none_or(|set| !is_same_measure((figure, own.unwrap_or(named)), (set, unit)))
                })
            };
            let texts = sample.column(claim.column).texts().filter(is_other);
            let values: Vec<String> = texts.take(VALUES_SHOWN).map(str::to_owned).collect();
            if !values.is_empty() {
                return Ok(Some(question(claim.column, id, values, MeasureAsks::IsSent(instead.to_owned()))));
            }
        }
        Ok(self
            .weight_asked((number, columns), sample)
            .map(|(weight, values, asks)| question(weight, Id::Weight, values, asks)))
    }

    /// A column of the weight, some of its values, and what is asked of it.
    fn weight_asked(
        &self,
        (number, columns): (usize, &Columns),
        sample: &Sample,
    ) -> Option<(u32, Vec<String>, MeasureAsks)> {
        let weight = columns.column(Id::Weight)?;
        let is_told = columns.recipe(Id::Weight).is_some_and(|own| own.each_line.is_some());
        if let Some(order) = columns.column(Id::OrderNumber)
            && columns.plain(Id::Weight).is_some()
            && !is_told
            && !columns.is_by_program()
            && !self.asked.contains(&(number, Asked::Measure(weight)))
            && let Some(differing) = sample.differing(order, weight, |text| measured(text).is_some())
        {
            let values = differing.map(str::to_owned).to_vec();
            return Some((weight, values, MeasureAsks::Whose));
        }
        let is_said = columns.says_weight_unit() || self.rules.configured(Id::WeightUnit).is_some();
        if is_said || columns.column(Id::WeightUnit).is_some() || self.asked.contains(&(number, Asked::Unit)) {
            return None;
        }
        let is_bare = |text: &&str| matches!(measured(text), Some((figure, None)) if figure >= MAY_BE_GRAMS);
        let values: Vec<String> =
            sample.column(weight).texts().filter(is_bare).take(VALUES_SHOWN).map(str::to_owned).collect();
        (!values.is_empty()).then_some((weight, values, MeasureAsks::Unit))
    }
}
