//! Questions of Columns before its table: where the headers are, what a price or a weight is that of, and what it is in.

use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::app::draft::DraftSheet;
use crate::app::{Feeding, LayoutChange, MeasureAsks, MeasureQuestion};
use crate::field::Id;
use crate::finding::{Finding, Id as FindingId};
use crate::text::shortened;

use super::super::page::{self, Tone};
use super::frame::HEADER_MAX;
use super::menu::{NOT_SENT, fed_so};

/// What was typed and chosen on the page, by the names of its fields.
type Typed = BTreeMap<String, String>;

/// What is said of the row of the headers: that there is none, or that it looks like an order.
pub(super) fn of_headers(sheet: &DraftSheet) -> Option<&Finding> {
    let is_asked = |own: &&Finding| {
        ["without_headers", "header_of_values"].iter().any(|case| own.is(FindingId::SheetNotice, case))
    };
    sheet.problems.iter().find(is_asked)
}

/// Asks whether the first row of a sheet has its headers, where that is in doubt.
pub(super) fn headers(sheet: &DraftSheet) -> Markup {
    let (row, below) = (sheet.header_row, sheet.header_row + 1);
    html! {
        @match of_headers(sheet).map(|own| own.case.as_ref()) {
            Some("without_headers") => (page::notice(Tone::Warn, &html! {
                p { b { "This sheet has no headers." } " Row " (below) " is read as the first order, and columns are called by their letters." }
                p { button name="names_in" value=(below) { "Row " (below) " has the headers" } }
            })),
            Some(_) => (page::notice(Tone::Warn, &html! {
                p { b { "Row " (row) " is read as the headers, but it looks like an order." } " As the headers it is not sent." }
                p { button name="names_in" value="0" { "Row " (row) " is an order" } }
            })),
            None => {}
        }
    }
}

/// Asks whether a column has the price of one piece or of all in its row, where no column surely has the price.
pub(super) fn price(number: usize, sheet: &DraftSheet, typed: &Typed, is_marked: bool) -> Markup {
    let column = sheet.price.and_then(|own| sheet.columns.iter().find(|column| column.column == own));
    let choices = [(Feeding::Alone, "one piece"), (Feeding::AllPieces, "all pieces in the row together")];
    let choices = choices.map(|(how, name)| (fed_so(Id::Price.field(), how), name));
    html! {
        @if let Some(column) = column {
            (one_of(typed, &is((number, column.column)), is_marked, &choices, &html! { b { "“" (shortened(&column.header, HEADER_MAX)) "”" } " is the price of" }))
        }
    }
}

/// Asks of a weight or a side that may be the parcel's.
pub(super) fn measure(number: usize, sheet: &DraftSheet, typed: &Typed) -> Markup {
    let Some(MeasureQuestion { column, values, field, asks }) = &sheet.measure else { return html! {} };
    let is_weight = field.id == Id::Weight;
    let legend = html! {
        b { "“" (shortened(&column.header, HEADER_MAX)) "”" } " (" (shortened(&values.join(" · "), HEADER_MAX)) ")"
        @if *asks == MeasureAsks::Unit { " is in" } @else if is_weight { " is the weight of" } @else { " is the " (field.header) " of" }
    };
    if *asks == MeasureAsks::Unit {
        let units = MeasureAsks::UNITS.map(|unit| (unit, unit));
        return one_of(typed, &unit_of(number), false, &units, &legend);
    }
    let of_weight = [
        (Feeding::EachPiece, "one piece"),
        (Feeding::EachRow, "all pieces in the row together"),
        (Feeding::Whole, "the whole parcel"),
    ];
    let of_side = [(Feeding::Alone, "the parcel")];
    let own = if is_weight { of_weight.as_slice() } else { &of_side };
    let own = own.iter().map(|(how, name)| (fed_so(field, *how), *name));
    let instead = if let MeasureAsks::IsSent(instead) = asks { Some(instead) } else { None };
    let choices: Vec<(&str, &str)> = own.chain(instead.map(|_| (NOT_SENT, "something else"))).collect();
    html! {
        (one_of(typed, &is((number, column.index)), false, &choices, &legend))
        @if let Some(instead) = instead { p.soft { "As long as you do not say so, every parcel has " (instead) "." } }
    }
}

/// The name of a field for the column of a sheet.
fn is((number, column): (usize, u32)) -> String {
    format!("is.{number}.{column}")
}

/// The name of the field for the unit of the weights of a sheet.
fn unit_of(number: usize) -> String {
    format!("unit.{number}")
}

/// The unit that was chosen for the weights of a sheet.
pub(super) fn unit(number: usize, fields: &Typed) -> Option<LayoutChange> {
    fields.get(&unit_of(number)).map(|unit| LayoutChange::Unit { unit: unit.clone() })
}

/// Some choices of which a person ticks one, by what a column then is.
fn one_of(typed: &Typed, name: &str, is_marked: bool, choices: &[(&str, &str)], legend: &Markup) -> Markup {
    html! {
        fieldset.bad[is_marked] {
            legend { (legend) }
            @for (value, text) in choices {
                label.tick { input type="radio" name=(name) value=(value) checked[typed.get(name).is_some_and(|own| own == value)]; (text) }
            }
        }
    }
}
