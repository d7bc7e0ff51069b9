//! What the columns of a draft are, and what a clerk says of them.

use toml::{Table, Value};

use crate::app::connect::App;
use crate::app::error::{Error, Misuse, Result};
use crate::app::explain::{ColumnReason, ColumnRole};
use crate::app::reading::{Reading, THIS_ONCE};
use crate::app::values;
use crate::column::decide::{ValueQuestion, proposal};
use crate::column::{Columns, Feed};
use crate::field::{FIELDS, Field, Id, Need, ends_with_pin, parted};
use crate::finding::Finding;
use crate::origin::letters;
use crate::profile::{Meaning, Part, Profile};
use crate::stage::OpenedSheet;

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
    /// Values that are not known, of columns that say how orders are paid or whether they go.
    pub values: Vec<ValueQuestion>,
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
    /// Whether it is a price of all pieces of its row.
    pub all_pieces: bool,
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
    let mut values = if reading.is_unusable() { Vec::new() } else { reading.value_questions(true)? }.into_iter();
    for (number, planned) in (0_u16..).zip(&opened.sheets) {
        let sample = planned.sample.of(&planned.sheet)?;
        let of_sheet =
            |problem: &&Finding| problem.place.as_ref().is_none_or(|place| place.source == *planned.sheet.source());
        let columns = opened.columns.of(number);
        let explained = reading.columns(planned, columns).into_iter().filter_map(|own| {
            let column = own.place.column?;
            let values = sample.column(column.index).values.iter().filter(|(text, _)| !text.is_empty());
            let values = values.take(VALUES_SHOWN).map(|(text, _)| text.to_string()).collect();
            let (letter, header) = (letters(column.index), column.header.clone());
            let is_price = columns.column(Id::Price) == Some(column.index);
            let (is, because, all_pieces) = (own.is, own.because, is_price && columns.line_total);
            let mut addresses = sample.column(column.index).texts().filter(|text| ends_with_pin(text).is_some());
            let parted = addresses.next().map(|text| parts_of(columns, column.index, text)).unwrap_or_default();
            Some(DraftColumn { column: column.index, letter, header, values, is, because, all_pieces, parted })
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
            values: values.next().unwrap_or_default(),
            has_lines_below: opened.problems.iter().filter(of_sheet).any(Finding::is_of_second_lines),
            problems: opened.problems.iter().filter(of_sheet).cloned().collect(),
        });
    }
    Ok(sheets)
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

/// What a column is from now on: the profile that says so, with all that was said of columns before; and its header, where
/// it is to be ignored.
pub(super) fn with_column(
    app: &App,
    reading: &Reading,
    said: &Said,
    (sheet, column): (usize, u32),
    field: Option<(&'static Field, bool)>,
) -> Result<(Option<String>, Option<String>)> {
    let there = reading.opened.sheets.len();
    let planned = reading.opened.sheets.get(sheet).ok_or(Misuse::NoSheet { number: sheet.saturating_add(1), there })?;
    let headers = &planned.sheet.header().cells;
    let header = headers.get(column as usize).filter(|header| !header.is_empty());
    let header = header.ok_or_else(|| Misuse::NoColumn { name: letters(column), there: headers.clone() })?;
    let columns = reading.opened.columns.of(u16::try_from(sheet).unwrap_or(u16::MAX));
    let mut table = profile(app, planned, columns, said)?;
    feed_nothing(&mut table, header);
    let Some((field, all_pieces)) = field else {
        let is_fed = columns.fed().any(|feed| feed.column == column);
        return Ok((is_fed.then(|| table.to_string()), Some(header.clone())));
    };
    let fed = if all_pieces {
        let recipe = [("column", Value::String(header.clone())), ("line_total", Value::Boolean(true))];
        Value::Table(recipe.map(|(name, value)| (name.to_owned(), value)).into_iter().collect())
    } else {
        Value::String(header.clone())
    };
    section(&mut table, "columns", |own| drop(own.insert(field.path.to_owned(), fed)));
    section(&mut table, "defaults", |own| drop(own.remove(field.path)));
    Ok((Some(table.to_string()), None))
}

/// The profile by which values of a column have these meanings, with all that was said before; and the column's header, where it is
/// not about payments or states.
pub(super) fn with_values(
    (reading, said): (&Reading, &Said),
    (sheet, column): (usize, u32),
    means: Option<&[(String, Meaning)]>,
) -> Result<(Option<String>, Option<String>)> {
    let (columns, own) = own_profile((reading, said), sheet)?;
    let header = columns.header(column).to_owned();
    if header.is_empty() {
        let there = reading.opened.sheets[sheet].sheet.header().cells.clone();
        return Err(Misuse::NoColumn { name: letters(column), there }.into());
    }
    let Some(means) = means else { return Ok((None, Some(header))) };
    let toml = values::with_values(&own, columns, &header, Some(means))?;
    Profile::parse(THIS_ONCE, &toml)?;
    Ok((Some(toml), None))
}

/// Rows without an order number are products of the order above from now on: the profile that says so.
pub(super) fn with_lines_below(of: (&Reading, &Said), sheet: usize) -> Result<String> {
    let (columns, own) = own_profile(of, sheet)?;
    let toml = values::with_lines_below(&own, columns)?;
    Profile::parse(THIS_ONCE, &toml)?;
    Ok(toml)
}

/// The columns of a sheet, with the profile of all that was said of them.
fn own_profile<'r>((reading, said): (&'r Reading, &Said), sheet: usize) -> Result<(&'r Columns, Profile)> {
    let there = reading.opened.sheets.len();
    let columns = reading.opened.columns.iter().nth(sheet);
    let columns = columns.ok_or(Misuse::NoSheet { number: sheet.saturating_add(1), there })?;
    let own = match &said.columns {
        Some(toml) => Profile::parse(THIS_ONCE, toml)?,
        None => reading.own_profile(columns).or(columns.own_profile()).cloned().unwrap_or_default(),
    };
    Ok((columns, own))
}

/// All that was said of columns and of all orders, as a profile of that name.
pub(super) fn as_profile(app: &App, reading: &Reading, said: &Said, name: &str) -> Result<String> {
    let no_sheet = || Misuse::NoSheet { number: 1, there: 0 };
    let planned = reading.opened.sheets.first().ok_or_else(no_sheet)?;
    let columns = reading.opened.columns.of(0);
    let mut table = profile(app, planned, columns, said)?;
    table.insert("name".to_owned(), Value::String(name.to_owned()));
    let fed: Vec<&str> = columns.fed().map(|feed| feed.field.path).collect();
    let defaults = said.defaults.iter().filter(|(field, _)| !fed.contains(&field.as_str()));
    let defaults = defaults.map(|(field, value)| (field.clone(), Value::String(value.clone())));
    section(&mut table, "defaults", |own| own.extend(defaults));
    add(&mut table, "ignore", &said.ignored);
    for (list, texts) in [("hold", &said.words.hold), ("harmless", &said.words.harmless)] {
        section(&mut table, "words", |own| add(own, list, texts));
    }
    Ok(table.to_string())
}

/// The profile by which a sheet is read, as its file would have it.
fn profile(app: &App, planned: &OpenedSheet, columns: &Columns, said: &Said) -> Result<Table> {
    let toml = match (&said.columns, columns.profile()) {
        (Some(toml), _) => toml.clone(),
        (None, Some(own)) if columns.is_own() => String::from_utf8_lossy(&app.profile_text(own)?).into_owned(),
        (None, Some(base)) => {
            let mut table = Table::new();
            table.insert("based_on".to_owned(), Value::String(base.to_owned()));
            table.to_string()
        }
        (None, None) => proposal(columns, planned.sample.of(&planned.sheet)?).to_toml(""),
    };
    toml.parse().map_err(|error: toml::de::Error| Error::Refused(format!("its profile cannot be changed: {error}")))
}

/// Takes a column out of all that feeds a field.
fn feed_nothing(table: &mut Table, header: &str) {
    let names = |value: &Value| match value {
        Value::String(own) => own == header,
        Value::Table(recipe) => recipe.get("column").and_then(Value::as_str) == Some(header),
        _ => false,
    };
    section(table, "columns", |own| own.retain(|_, value| !names(value)));
    for list in ["left_out", "ignore"] {
        if let Some(Value::Array(headers)) = table.get_mut(list) {
            headers.retain(|own| own.as_str() != Some(header));
        }
    }
}

/// Changes a section of a profile, which is made where there is none.
fn section(table: &mut Table, name: &str, change: impl FnOnce(&mut Table)) {
    if let Value::Table(own) = table.entry(name.to_owned()).or_insert_with(|| Value::Table(Table::new())) {
        change(own);
    }
}

fn add(table: &mut Table, list: &str, texts: &[String]) {
    if texts.is_empty() {
        return;
    }
    let there = table.entry(list.to_owned()).or_insert_with(|| Value::Array(Vec::new()));
    if let Value::Array(there) = there {
        there.extend(texts.iter().cloned().map(Value::String));
    }
}
