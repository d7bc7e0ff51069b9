//! What is said of a finding, in a clerk's words, with the buttons that it has.

use std::sync::Arc;

use maud::{Markup, html};

use crate::app::MeasureAsks;
use crate::app::draft::{DraftOrder, DraftState, FindingGroup, FoundCell, OtherCell, comes_with_pin, is_cancelled};
use crate::finding::english::Words;
use crate::finding::{Command, Finding, Id, Remedy, english};
use crate::rule::Rule;
use crate::text::shortened;

use super::super::page;
use super::super::words;
use super::frame::{HEADER_MAX, button, letting_go, place};
use super::{choices, values};

/// Says which unit all weights of the sheet are in.
pub(super) const UNIT: &str = "unit";
/// Characters of what is said that are shown.
const SAID_MAX: usize = 400;
/// A cell with more characters is not shown whole: what is typed takes its place.
const CELL_MAX: usize = 300;

/// What a group of findings is about.
pub(super) fn title(finding: &Finding) -> String {
    match finding.rule() {
        Some(rule) => Rule::of(rule).title().to_owned(),
        None => words::capital(&shortened(&english::message(finding), SAID_MAX)),
    }
}

/// What is wrong, as a sentence, and what to do where no button says it.
pub(super) fn message(finding: &Finding) -> Markup {
    let advice = missing_column(finding).unwrap_or_else(|| advice(finding));
    let has_button = finding.place.as_ref().is_some_and(|place| place.column.is_some()) || !finding.holds();
    html! {
        (sentence(&shortened(&english::message(finding), SAID_MAX)))
        @if !has_button && !advice.is_empty() { " " span.soft { (sentence(&shortened(&advice, SAID_MAX))) } }
    }
}

/// The same of an order: what its PIN code may tell is not asked for before that is right.
pub(super) fn message_of(order: &DraftOrder, finding: &Finding) -> Markup {
    if comes_with_pin(order, finding) {
        return html! { "Correct the PIN code first: it may tell the state as well." };
    }
    message(finding)
}

/// What to do where a column is missing: here it can be chosen.
fn missing_column(finding: &Finding) -> Option<String> {
    let is_constant = finding.remedies.iter().any(|own| matches!(own, Remedy::SetDefault { .. }));
    let way = if is_constant { "give one value for all orders" } else { "choose its column" };
    let added = finding.remedies.iter().filter(|_| finding.id == Id::MissingColumn);
    let mut added = added.filter_map(|own| if let Remedy::AddColumn { header } = own { Some(header) } else { None });
    added.next().map(|header| format!("{way} under Columns, or add a column “{header}” to your sheet"))
}

/// The words for remedies in a file that a clerk opens in Excel.
pub(in super::super) fn in_a_file() -> Words {
    Arc::new(remedy)
}

/// What to do, in the words of this page: of each remedy that leads to another screen where that is, else as every face has it.
fn advice(finding: &Finding) -> String {
    let mut own: Vec<&str> = finding.remedies.iter().filter_map(elsewhere).collect();
    // What stands in no cell is a value for all orders.
    let is_of_all = finding.place.as_ref().is_none_or(|place| place.column.is_none());
    let is_limit = |own: &Remedy| matches!(own, Remedy::SetSetting { section, .. } if section == "check");
    if own.is_empty() && is_of_all && finding.remedies.iter().any(is_limit) {
        own.push("Correct the value for all orders under Columns or Settings, or let the order go as it is.");
    }
    own.dedup();
    if own.is_empty() { english::advice(finding, &remedy) } else { own.join(" ") }
}

/// Where something is done that other faces have a file or a command for.
const fn elsewhere(remedy: &Remedy) -> Option<&'static str> {
    match remedy {
        Remedy::MapColumn { .. } | Remedy::RenameHeader { .. } => Some("Choose what the column is under Columns."),
        Remedy::AddColumn { .. } => {
            Some("Choose its column under Columns, or add one in Excel and drop the sheet again.")
        }
        Remedy::IgnoreColumns { .. } => Some("If the column is not needed, choose “not sent” for it under Columns."),
        Remedy::SetDefault { .. } | Remedy::SetDefaults { .. } => Some("Enter one value for all orders under Columns."),
        Remedy::UseProfile { .. } | Remedy::RecogniseSheet => Some("Choose the layout under Columns."),
        Remedy::SaveProfile { .. } | Remedy::EditProfile { .. } => {
            Some("Correct its columns under Columns, and tick “Remember for sheets like this” there.")
        }
        Remedy::ChooseWorksheet { .. } => Some("Choose the worksheet under Columns."),
        Remedy::NameHeaderRow => Some("Say under Columns in which row the headers are."),
        Remedy::NameEncoding { .. } => Some("Save the sheet as .xlsx in Excel, and drop that file."),
        Remedy::NamePickup => Some("Enter the PIN code of pickup under Settings."),
        Remedy::NameWarehouse { .. } => Some("Name the warehouse under Settings."),
        _ => None,
    }
}

/// About how long that is.
pub(super) fn length(finding: &Finding) -> usize {
    english::message(finding).len().min(SAID_MAX)
}

/// A fragment as a sentence.
pub(super) fn sentence(text: &str) -> String {
    let text = words::capital(text.trim());
    if text.ends_with(['.', '?', '!']) { text } else { text + "." }
}

/// A remedy inside a sentence.
fn remedy(remedy: &Remedy) -> String {
    match remedy {
        Remedy::EditCell { to } if to.is_empty() => "empty the cell".to_owned(),
        Remedy::EditCell { to } => format!("write “{to}”"),
        Remedy::MapColumn { column, .. } => format!("choose “{column}” under Columns"),
        Remedy::AddColumn { header } => format!("“{header}”"),
        Remedy::RenameHeader { to, .. } => format!("“{to}”"),
        Remedy::IgnoreColumns { .. } => "under Columns: “not sent”".to_owned(),
        Remedy::SetDefault { .. } | Remedy::SetDefaults { .. } => "one value for all orders under Columns".to_owned(),
        // A button says it, or nothing does: sentences leave it out.
        Remedy::SetSetting { .. } => String::new(),
        Remedy::SaveProfile { .. } => "under Columns, with “Remember for sheets like this”".to_owned(),
        Remedy::EditProfile { .. } => "its layout under Columns".to_owned(),
        Remedy::NameWarehouse { .. } => "Warehouses".to_owned(),
        Remedy::NamePickup => "the PIN code of pickup under Settings".to_owned(),
        Remedy::Accept { .. } => "press “Send it”".to_owned(),
        Remedy::UseProfile { name } => format!("choose the layout “{name}” under Columns"),
        Remedy::ChooseWorksheet { .. } | Remedy::NameHeaderRow => "say so under Columns".to_owned(),
        Remedy::RunCommand { command: Command::ListDoubts } => "settle it under In doubt".to_owned(),
        Remedy::RunCommand { command: Command::Retry { .. } } => "Retry".to_owned(),
        other => english::plain(other),
    }
}

/// Where it is, small: the header, and `Orders!F27` or the row of a text file.
pub(super) fn at(finding: &Finding) -> Markup {
    let Some(place) = &finding.place else { return html! {} };
    let header = place.column.as_ref().map(|column| column.header.as_str()).filter(|header| !header.is_empty());
    let at = if place.source.worksheet.is_some() { place.to_string() } else { format!("row {}", place.row) };
    html! { @if let Some(header) = header { (shortened(header, HEADER_MAX)) " " } span.at { (at) } }
}

/// The same of a finding about cells in several rows, with what stands in each.
pub(super) fn at_all(finding: &Finding, cell: Option<&FoundCell>) -> Markup {
    let Some((cell, place)) = cell.filter(|cell| !cell.others.is_empty()).zip(finding.place.as_ref()) else {
        return at(finding);
    };
    let mut all: Vec<(u32, &str)> = cell.others.iter().map(|other| (other.row, other.text.as_str())).collect();
    all.push((cell.row, &cell.text));
    all.sort_unstable();
    html! {
        @for (row, text) in all {
            div { (at(&finding.clone().at(place.in_row(row)))) span.at { ": " (shortened(text, HEADER_MAX)) } }
        }
    }
}

/// A cell that can be typed into, with those in other rows that are one question with it; assistive tools hear the order's number and
/// the header.
pub(super) fn cell(order: &DraftOrder, cell: &FoundCell) -> Markup {
    let own = |header: &str, row: u32, text: &str, edited: bool| {
        (row, input((order, header), (cell.sheet, row, cell.column), text, edited))
    };
    let other =
        |other: &OtherCell| own(&format!("{} row {}", cell.header, other.row), other.row, &other.text, other.edited);
    let mut all: Vec<(u32, Markup)> = cell.others.iter().map(other).collect();
    all.push(own(&cell.header, cell.row, &cell.text, cell.edited));
    all.sort_by_key(|(row, _)| *row);
    html! { @for (_, input) in all { (input) } }
}

pub(super) fn input(
    (order, header): (&DraftOrder, &str),
    (sheet, row, column): (usize, u32, u32),
    text: &str,
    edited: bool,
) -> Markup {
    let label = format!("{} {}", shortened(&order.number, HEADER_MAX), shortened(header, HEADER_MAX));
    // What was sent is no longer changed by what is typed.
    let is_sent = matches!(order.state, DraftState::Booked | DraftState::InDoubt);
    let at = format!("{sheet}.{row}.{column}");
    html! {
        @if text.chars().nth(CELL_MAX).is_none() {
            input.cell.typed[edited] form="a" name={ "cell." (at) } value=(text) aria-label=(label) readonly[is_sent];
        } @else {
            input.cell.typed[edited] form="a" name={ "long." (at) } aria-label=(label) placeholder="type it again" readonly[is_sent];
            p.soft.said { (words::number(text.chars().count() as u64)) " characters: " (shortened(text, 120)) }
        }
    }
}

/// The buttons of a finding of an order.
pub(super) fn buttons(order: &DraftOrder, finding: &Finding, cell: Option<&FoundCell>) -> Markup {
    let of_values = values::buttons(finding, cell.map_or(0, |cell| cell.sheet));
    html! { (mends(order, finding, cell)) (of_values) (lets_go(order, finding, cell)) }
}

/// The buttons that send an order past a finding.
pub(super) fn lets_go(order: &DraftOrder, finding: &Finding, cell: Option<&FoundCell>) -> Markup {
    let number = &order.number;
    let is_plain = finding.holds() && !choices::is_choice(finding, cell);
    let rules = finding.remedies.iter().filter(|_| is_plain).filter_map(|own| match own {
        Remedy::Accept { rule, .. } => Some(rule),
        _ => None,
    });
    html! { @for rule in rules { (button(&letting_go(order, rule, finding), number, send(order.state), number)) } }
}

/// The buttons that mend what a finding says.
pub(super) fn mends(order: &DraftOrder, finding: &Finding, cell: Option<&FoundCell>) -> Markup {
    let number = &order.number;
    html! {
        (choices::buttons(order, finding, cell))
        @for remedy in &finding.remedies {
            @match remedy {
                Remedy::EditCell { to } if !to.is_empty() => @if let Some(cell) = cell {
                    (button(&format!("put.{}.{}.{}", cell.sheet, cell.row, cell.column), to, &format!("Use “{}”", shortened(to, 40)), number))
                },
                Remedy::RunCommand { command: Command::ListDoubts } => a.button.small href="doubts" { "Settle" },
                Remedy::RunCommand { command: Command::Retry { order } } => {
                    a.button.small href={ "again?what=failed&order=" (page::encoded(order)) } { "Retry as it is" }
                },
                _ => {}
            }
        }
        @if matches!(&*finding.case, "pasted" | "twice") && let Some(place) = &finding.place {
            (button(&format!("drop-row.{}.{}", cell.map_or(0, |cell| cell.sheet), place.row), number, "Take this row out", number))
        }
    }
}

const fn send(state: DraftState) -> &'static str {
    if matches!(state, DraftState::Hold) { "Send it" } else { "Send it as it is" }
}

/// What can be done with an order as such.
pub(super) fn of_order(order: &DraftOrder) -> Markup {
    let number = &order.number;
    html! {
        @if order.by_clerk {
            (button("release", number, "Take it back in", number))
        } @else if matches!(order.state, DraftState::Fix | DraftState::Hold | DraftState::Ready) {
            (button("hold", number, "Hold", number))
            (button("leave", number, "Leave it out", number))
        } @else if order.findings.iter().any(is_cancelled) {
            (button(choices::ANEW, number, "Book it anew under another number", number))
        }
    }
}

/// What a finding proposes for its cell; nothing where a person has to choose.
pub(super) fn proposal(finding: &Finding) -> Option<String> {
    let mut proposed = finding.remedies.iter().filter_map(|own| match own {
        Remedy::EditCell { to } if !to.is_empty() => Some(to.clone()),
        _ => None,
    });
    proposed.next().filter(|_| proposed.next().is_none())
}

/// What can be done with all orders of a group at once.
pub(super) fn of_group(group: &FindingGroup) -> Markup {
    let FindingGroup { group, example, orders, cells, stamp } = group;
    let (orders, cells, value) = (*orders, *cells, format!("{}.{stamp}", group.0));
    let all = words::number(orders);
    let remedies = &example.remedies;
    let accepts = remedies.iter().find_map(|own| if let Remedy::Accept { rule, .. } = own { Some(rule) } else { None });
    let proposes = proposal(example).is_some();
    let in_cells = example.place.as_ref().is_some_and(|place| place.column.is_some()) && cells >= orders;
    let own = |name: &str, label: String| html! { button.small form="a" name=(name) value=(value) { (label) } };
    html! {
        @if proposes { (own("all-put", format!("Use all {} proposals", words::number(cells)))) }
        @let choice = choices::of_group(example);
        @if let Some(other) = choice.as_ref().and_then(|(other, _)| other.as_ref()) { (own(choices::ALL_AMOUNTS, format!("{other} in all {all}"))) }
        // Sent as they are, grams would be kilograms.
        @if let Some(rule) = accepts.filter(|_| example.holds() && !is_bare_weight(example)) {
            (own(&format!("all-send.{rule}"), choice.map_or_else(|| format!("Send all {all}"), |(_, stands)| format!("{stands} in all {all}"))))
        }
        @if example.holds() { (own("all-hold", format!("Hold all {all}"))) (own("all-leave", format!("Leave all {all} out"))) }
        @if in_cells && example.holds() {
            details.same {
                summary { "One value for all " (all) }
                div.row {
                    input form="a" name={ "same." (value) } aria-label={ "One value for all " (all) };
                    (own("all-same", format!("Write it in all {}", words::number(cells))))
                }
            }
        }
    }
}

/// Whether it says that nothing tells the unit of a weight.
fn is_bare_weight(finding: &Finding) -> bool {
    finding.is(Id::BadUnit, "weight_without_unit")
}

/// The buttons that say which unit all weights of the sheet are in.
pub(super) fn units(finding: &Finding) -> Markup {
    html! {
        @if is_bare_weight(finding) {
            div.row.tight {
                @for unit in MeasureAsks::UNITS { button.small form="a" name={ (UNIT) "." (unit) } value="yes" { "All weights are in " (unit) } }
            }
        }
    }
}

/// The way to the screen where a finding on a whole sheet is answered.
pub(super) fn way_out(id: &str, finding: &Finding) -> Markup {
    let is_of_columns = finding.remedies.iter().any(|own| {
        matches!(
            own,
            Remedy::MapColumn { .. }
                | Remedy::IgnoreColumns { .. }
                | Remedy::SetDefault { .. }
                | Remedy::SetDefaults { .. }
                | Remedy::UseProfile { .. }
                | Remedy::AddColumn { .. }
                | Remedy::RenameHeader { .. }
                | Remedy::SaveProfile { .. }
                | Remedy::EditProfile { .. }
                | Remedy::ChooseWorksheet { .. }
                | Remedy::NameHeaderRow
        )
    });
    html! { @if is_of_columns { a href=(place(id, "columns")) { "Columns" } } }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::finding::column::{missing_column, unusual_value};
    use crate::finding::{Reading, Value};
    use crate::text::Decimal;

    #[test]
    fn what_this_page_has_no_words_for_leaves_no_end_of_a_sentence() {
        let limit = || Remedy::setting("check", "heaviest_kg", Some(Value::Number(500)));
        let heavy = |in_grams: bool| {
            let weight = Decimal::from(500);
            let found = if in_grams { unusual_value::heavy_in_grams } else { unusual_value::heavy_weight };
            found(weight, "kg", limit())
        };
        let guess = || Remedy::save_profile(Path::new("a.csv"), Reading::default(), "a", false);
        for finding in [heavy(true), heavy(false), missing_column::order_number_of_no_profile("Order Number", guess())]
        {
            let in_a_file = english::advice(&finding, &remedy);
            assert!(!in_a_file.trim_end().ends_with(':') && !in_a_file.contains(".toml"), "{in_a_file}");
        }
        assert!(english::advice(&heavy(true), &remedy).ends_with("press “Send it” if it is right"));
        assert!(advice(&heavy(false)).contains("under Columns or Settings"));
    }
}
