//! Orders that the courier said no to as they are: each cause once, and each value that it speaks of mended once for all.

use maud::{Markup, html};

use crate::app::App;
use crate::app::draft::{CellEdit, Draft, DraftOrder, RefusedGroup, RefusedValue};
use crate::text::shortened;

use super::super::answer::Result;
use super::super::{page, words};
use super::frame::{HEADER_MAX, button, whole_link};
use super::said;

/// The name of a cell that stands for all cells with its value, in front of its place.
pub(super) const ALIKE: &str = "alike.";
/// Values of one cause that are shown.
const VALUES: usize = 50;
/// Orders that are named.
const NAMED: usize = 3;
/// A longer value is mended on the page of its order.
const VALUE_MAX: usize = 300;

/// The groups that have some of these orders.
pub(super) fn groups(app: &App, draft: &Draft, listed: &[DraftOrder]) -> Result<Vec<RefusedGroup>> {
    let mut groups = draft.refused(app)?;
    groups.retain(|group| listed.iter().any(|order| group.orders.contains(&order.number)));
    Ok(groups)
}

/// All cells with the value of this one of which the service speaks, each with the text that was typed for it.
pub(super) fn alike(groups: &[RefusedGroup], typed: &CellEdit) -> Vec<CellEdit> {
    let is_it = |own: &&CellEdit| (own.sheet, own.row, own.column) == (typed.sheet, typed.row, typed.column);
    let of_value = |value: &&RefusedValue| value.cells.iter().find(is_it).is_some();
    let values = groups.iter().flat_map(|group| &group.values).filter(of_value);
    let values = values.filter(|value| value.cell.text.trim() != typed.text);
    values.flat_map(|value| &value.cells).map(|own| CellEdit { text: typed.text.clone(), ..own.clone() }).collect()
}

/// One cause with its orders.
pub(super) fn one(id: &str, draft: &Draft, group: &RefusedGroup, listed: &[DraftOrder]) -> Markup {
    let (all, heading) = (group.orders.len() as u64, format!("group-{}", group.group.0));
    let spoken_of = |number: &String| group.values.iter().any(|value| value.orders.contains(number));
    let others: Vec<String> = group.orders.iter().filter(|number| !spoken_of(number)).cloned().collect();
    let run = draft.runs().last().map(|run| format!("&run={run}")).unwrap_or_default();
    let again = format!("again?what=failed{run}&cause={}", page::encoded(&group.cause));
    let value = format!("{}.{}", group.group.0, group.stamp());
    html! {
        div.group aria-labelledby=(heading) role="group" {
            div.row {
                h2.grow id=(heading) { (said::sentence(&format!("{}{}", words::for_instance(all, &group.said), shortened(&group.said, 400)))) " " span.soft { (words::count(all, "order")) } }
                a.button.small href=(again) { @if all > 1 { "Retry all " (words::number(all)) " as they are" } @else { "Retry as it is" } }
                @if all > 1 {
                    button.small form="a" name="all-hold" value=(value) { "Hold all " (words::number(all)) }
                    button.small form="a" name="all-leave" value=(value) { "Leave all " (words::number(all)) " out" }
                }
            }
            p.soft { "The courier said no to these as they are. Correct what it names, then book them." }
            table.cards.mend {
                thead { tr { th.who { "Order" } th.at { "Where" } th.type { "Type here" } th.or { "Or" } } }
                tbody {
                    @for value in group.values.iter().take(VALUES) { (row(id, &value.orders, Some(value), listed)) }
                    @if !others.is_empty() { (row(id, &others, None, listed)) }
                }
            }
            @if group.values.len() > VALUES { p.soft { "And " (words::number((group.values.len() - VALUES) as u64)) " more values. They come when these are corrected." } }
        }
    }
}

/// Orders with one value, and the cell for all of them.
fn row(id: &str, orders: &[String], value: Option<&RefusedValue>, listed: &[DraftOrder]) -> Markup {
    let more = orders.len().saturating_sub(NAMED) as u64;
    let only = listed.iter().find(|order| [order.number.as_str()] == orders);
    html! {
        tr {
            td {
                @if orders.len() > 1 { (words::count(orders.len() as u64, "order")) ": " }
                @for (place, number) in orders.iter().take(NAMED).enumerate() { @if place > 0 { ", " } b { (whole_link(id, number)) } }
                @if more > 0 { " and " (words::number(more)) " more" }
            }
            td { @if let Some(value) = value { (shortened(&value.cell.header, HEADER_MAX)) @if orders.len() == 1 { " " span.at { "row " (value.cell.row) } } } }
            td { @if let Some(value) = value { (input(orders, value)) } }
            td.or {
                @if let Some(value) = value { (button("save", "yes", "Save", &named(orders, value))) }
                @if let Some(only) = only { (said::of_order(only)) }
            }
        }
    }
}

/// The name of a value for assistive tools: its order with the header, or how many orders have it.
fn named(orders: &[String], value: &RefusedValue) -> String {
    let header = shortened(&value.cell.header, HEADER_MAX);
    match orders {
        [only] => format!("{} {header}", shortened(only, HEADER_MAX)),
        all => format!(
            "{header} {} of {}",
            shortened(&value.cell.text, HEADER_MAX),
            words::count(all.len() as u64, "order")
        ),
    }
}

fn input(orders: &[String], value: &RefusedValue) -> Markup {
    let RefusedValue { cell, .. } = value;
    html! {
        @if cell.text.chars().nth(VALUE_MAX).is_none() {
            input.cell.typed[cell.edited] form="a" name={ (ALIKE) (cell.sheet) "." (cell.row) "." (cell.column) } value=(cell.text) aria-label=(named(orders, value));
        } @else {
            p.soft.said { (shortened(&cell.text, 120)) }
        }
    }
}
