//! What every order needs and no column of a sheet holds for sure: a person chooses the column.

use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::app::draft::{DraftAnswer, DraftColumn, DraftSheet};
use crate::app::{ColumnRole, Feeding, LayoutChange};
use crate::field::{Field, Id};
use crate::finding::Value;
use crate::text::shortened;

use super::frame::HEADER_MAX;

/// Columns that all menus together offer; others are chosen in the list of columns.
const OFFERED_MAX: usize = 300;

/// Fields for which a column has to be chosen.
fn wanted(sheet: &DraftSheet) -> Vec<&'static Field> {
    let is_asked_otherwise = |field: &Field| {
        sheet.defaults.iter().any(|asked| asked.field.id == field.id)
            || (sheet.price.is_some() && field.id == Id::Price)
            || is_told_by_pin(sheet, field)
    };
    sheet.missing.iter().copied().filter(|field| !is_asked_otherwise(field)).collect()
}

/// Whether PIN codes tell it, once it is said that parcels go within India.
fn is_told_by_pin(sheet: &DraftSheet, field: &Field) -> bool {
    let is_pin = |role: &ColumnRole| matches!(role, ColumnRole::Field(own) if own.id == Id::DestinationPinCode);
    let is_country_asked = sheet.defaults.iter().any(|asked| asked.field.id == Id::DestinationCountryCode);
    field.id == Id::DestinationState
        && is_country_asked
        && sheet.columns.iter().any(|column| column.is.iter().any(is_pin))
}

/// The column that is likely to hold a field.
fn likely(sheet: &DraftSheet, field: &Field) -> Option<u32> {
    let said = sheet.problems.iter().filter(|finding| finding.is_on(field.path));
    let named = said.filter_map(|finding| match finding.parameters.get("column") {
        Some(Value::Text(header)) => Some(header),
        _ => None,
    });
    let header = named.into_iter().next()?;
    sheet.columns.iter().find(|column| column.header == *header).map(|column| column.column)
}

/// The menu of a field in a form.
fn name(number: usize, field: &Field) -> String {
    format!("has.{number}.{}", field.path)
}

/// A menu of the columns for each field that has none; marked where a person went on without.
pub(super) fn columns(number: usize, sheet: &DraftSheet, is_marked: bool) -> Markup {
    let wanted = wanted(sheet);
    let most = OFFERED_MAX / wanted.len().max(1);
    let by_pin = sheet.missing.iter().find(|field| is_told_by_pin(sheet, field));
    html! {
        @if !wanted.is_empty() {
            h2 { "Which column has it?" }
            p.soft { "Every order needs these. If no column of the sheet has one of them, add a column in Excel and drop the sheet again." }
            div.fields.defaults {
                @for field in wanted {
                    @let likely = likely(sheet, field);
                    label.bad[is_marked && likely.is_none()] {
                        (field.header)
                        select name=(name(number, field)) {
                            option value="" { "Choose a column" }
                            @let offered = |(place, own): &(usize, &DraftColumn)| *place < most || likely == Some(own.column);
                            @for (_, column) in sheet.columns.iter().enumerate().filter(offered) {
                                option value=(column.column) selected[likely == Some(column.column)] {
                                    (shortened(&column.header, HEADER_MAX))
                                    @if let Some(first) = column.values.first() { ": " (shortened(first, 30)) }
                                }
                            }
                        }
                    }
                }
            }
        }
        @if let Some(field) = by_pin { p.soft { (field.header) ": told by the PIN code of each order." } }
    }
}

/// The columns that were chosen so.
pub(super) fn answers(number: usize, sheet: &DraftSheet, fields: &BTreeMap<String, String>) -> Vec<DraftAnswer> {
    let answer = |field: &'static Field| {
        let column = fields.get(&name(number, field))?.parse().ok()?;
        let change = LayoutChange::Column { column, field: Some(field.path.to_owned()), how: Feeding::Alone };
        Some(DraftAnswer::Layout { sheet: number, change })
    };
    wanted(sheet).into_iter().filter_map(answer).collect()
}

/// What no order can go without, and nothing says yet.
pub(super) fn still(sheets: &[DraftSheet]) -> Vec<String> {
    let of_sheet = |sheet: &DraftSheet| -> Vec<String> {
        let unset = sheet.defaults.iter().filter(|asked| asked.value.is_none()).map(|asked| asked.field.header);
        let price = sheet.price.and_then(|own| sheet.columns.iter().find(|column| column.column == own));
        let price = price.map(|column| format!("what “{}” is the price of", shortened(&column.header, HEADER_MAX)));
        let named = wanted(sheet).into_iter().map(|field| field.header).chain(unset).map(str::to_owned);
        named.chain(price).collect()
    };
    let mut all: Vec<String> = sheets.iter().flat_map(of_sheet).collect();
    all.dedup();
    all
}
