//! What the columns of a draft are, and what a clerk says of them.

use crate::app::error::Result;
use crate::app::explain::{ColumnReason, ColumnRole};
use crate::app::layout::{AmountQuestion, MeasureQuestion};
use crate::app::reading::Reading;
use crate::column::decide::ValueQuestion;
use crate::column::{Columns, Feed};
use crate::field::{FIELDS, Field, Id, Need, ends_with_pin, parted};
use crate::finding::Finding;
use crate::origin::letters;
use crate::profile::{Feeding, Part, ProfileText};

use super::answer::Said;

/// Values that are shown of a column.
const VALUES_SHOWN: usize = 5;

/// A sheet of a draft.
#[derive(Debug, Clone)]
pub struct DraftSheet {
    /// What people call it.
    pub name: String,
    /// The row of its header.
    pub header_row: u32,
    /// The profile that it follows.
    pub profile: Option<String>,
    /// Every column with a header.
    pub columns: Vec<DraftColumn>,
    /// Needed fields that nothing holds.
    pub missing: Vec<&'static Field>,
    /// Needed fields that no column holds, and for which one value for all orders makes sense.
    pub defaults: Vec<DefaultAsked>,
    /// The column that may have the price of one piece or of all pieces of a row, where none surely has the price.
    pub price: Option<u32>,
    /// The column with a weight or a side that may be the parcel's.
    pub measure: Option<MeasureQuestion>,
    /// Columns with values that are not known.
    pub values: Vec<ValueQuestion>,
    /// Columns with amounts that no header explains.
    pub amounts: Option<AmountQuestion>,
    /// Whether it has rows that have a product and no order number.
    pub has_lines_below: bool,
    /// What is said of it as a whole: it can be checked unless one of them holds.
    pub problems: Vec<Finding>,
}

/// A column of a draft.
#[derive(Debug, Clone)]
pub struct DraftColumn {
    /// The column, counted from 0.
    pub column: u32,
    /// The same as spreadsheets show it.
    pub letter: String,
    /// Its header.
    pub header: String,
    /// Its first different values.
    pub values: Vec<String>,
    /// What it is.
    pub is: Vec<ColumnRole>,
    /// Why.
    pub because: ColumnReason,
    /// How it feeds its field.
    pub how: Feeding,
    /// Of addresses that are taken apart: one of them, as field and value.
    pub parted: Vec<(&'static Field, String)>,
}

/// A field of which one value for all orders is asked.
#[derive(Debug, Clone)]
pub struct DefaultAsked {
    /// The field.
    pub field: &'static Field,
    /// The value that stands in for all orders by now.
    pub value: Option<String>,
}

/// Each sheet with its columns.
pub(super) fn sheets(reading: &Reading) -> Result<Vec<DraftSheet>> {
    let opened = &reading.opened;
    let mut sheets = Vec::new();
    let is_understood = reading.is_understood();
    let mut values = if is_understood { reading.value_questions(true)? } else { Vec::new() }.into_iter();
    let mut amounts = reading.amount_questions()?.into_iter();
    for (number, planned) in (0_u16..).zip(&opened.sheets) {
        let measure = if is_understood { reading.measure_question(usize::from(number))? } else { None };
        let sample = planned.sample.of(&planned.sheet)?;
        let of_sheet =
            |problem: &&Finding| problem.place.as_ref().is_none_or(|place| place.source == *planned.sheet.source());
        let columns = opened.columns.of(number);
        let explained = reading.columns(planned, columns).into_iter().filter_map(|own| {
            let column = own.place.column?;
            let values = sample.column(column.index).values.iter().filter(|(text, _)| !text.is_empty());
            let values = values.take(VALUES_SHOWN).map(|(text, _)| text.to_string()).collect();
            let (letter, header) = (letters(column.index), column.header.clone());
            let (is, because, how) = (own.is, own.because, feeding(columns, column.index));
            let mut addresses = sample
                .column(column.index)
                .texts()
                .filter(|text| ends_with_pin(text).is_some() || parted(text).city.is_some());
            let parted = addresses.next().map(|text| parts_of(columns, column.index, text)).unwrap_or_default();
            Some(DraftColumn { column: column.index, letter, header, values, is, because, how, parted })
        });
        let no_number = columns.column(Id::OrderNumber).is_none().then(|| Id::OrderNumber.field());
        let columns_of: Vec<DraftColumn> = explained.collect();
        let price = columns.possible_line_total();
        let price = price.and_then(|header| columns_of.iter().find(|own| own.header == header)).map(|own| own.column);
        sheets.push(DraftSheet {
            name: planned.sheet.source().to_string(),
            header_row: planned.sheet.header().row,
            profile: columns.profile().map(str::to_owned),
            columns: columns_of,
            price,
            missing: no_number.into_iter().chain(opened.missing.iter().copied()).collect(),
            defaults: defaults(reading, columns),
            measure,
            values: values.next().unwrap_or_default(),
            amounts: amounts.next().flatten(),
            has_lines_below: opened.problems.iter().filter(of_sheet).any(Finding::is_of_second_lines),
            problems: opened.problems.iter().filter(of_sheet).cloned().collect(),
        });
    }
    Ok(sheets)
}

/// How a column feeds its field, beside others or by its rows.
fn feeding(columns: &Columns, column: u32) -> Feeding {
    let feed = columns.fed().find(|feed| feed.column == column).map(|feed| feed.id());
    let weight = columns.recipe(Id::Weight).filter(|_| feed == Some(Id::Weight));
    match weight.map(|own| (own.each_line, own.times.is_some())) {
        Some((Some(true), true)) => Feeding::EachPiece,
        Some((Some(true), false)) => Feeding::EachRow,
        Some((Some(false), _)) => Feeding::Whole,
        _ if feed == Some(Id::Price) && columns.line_total => Feeding::AllPieces,
        _ => Feeding::Alone,
    }
}

/// What a column of whole addresses gives of one of them; nothing where it is taken as it stands.
fn parts_of(columns: &Columns, column: u32, text: &str) -> Vec<(&'static Field, String)> {
    let own = parted(text);
    let part = |feed: Feed| {
        let recipe = columns.mapper.recipe(feed.step?)?;
        let value = match recipe.part.as_ref()? {
            Part::Street => own.street,
            Part::City => own.city?,
            Part::State => own.state?,
            Part::Pin => own.pin,
            _ => return None,
        };
        Some((feed.field, value.to_owned()))
    };
    columns.fed().filter(|feed| feed.column == column).filter_map(part).collect()
}

fn defaults(reading: &Reading, columns: &Columns) -> Vec<DefaultAsked> {
    let rules = &reading.rules;
    let is_asked = |field: &&Field| {
        field.may_be_said_once()
            && rules.need(field.id) == Need::Required
            && columns.column(field.id).is_none()
            // A country is told by its name or by its code.
            && !(field.id == Id::DestinationCountryCode && columns.column(Id::DestinationCountry).is_some())
    };
    let value = |field: &'static Field| {
        let text = columns.default(field.id).or_else(|| rules.default(field.id));
        text.filter(|text| !text.is_empty()).map(str::to_owned)
    };
    FIELDS.iter().filter(is_asked).map(|field| DefaultAsked { field, value: value(field) }).collect()
}

/// All that was said of the layout and of all orders, as a profile of that name.
pub(super) fn as_profile(reading: &Reading, said: &Said, name: &str) -> Result<String> {
    let layout = said.layouts.get(&0).cloned().map_or_else(|| reading.layout(0), Ok)?;
    let columns = reading.opened.columns.of(0);
    let fed: Vec<&str> = columns.fed().map(|feed| feed.field.path).collect();
    let mut text = ProfileText::parse(name, &layout)?;
    text.set_name(name);
    for (field, value) in said.defaults.iter().filter(|(field, _)| !fed.contains(&field.as_str())) {
        text.set_default(field, value)?;
    }
    Ok(text.into_text())
}
