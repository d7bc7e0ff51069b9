//! What columns are taken for, and why, in words.

use maud::{Markup, html};

use crate::app::draft::DraftColumn;
use crate::app::{ColumnReason, ColumnRole};
use crate::field::{ExtraRole, StateRole};
use crate::text::{list, shortened};

/// One address of those that are taken apart.
pub(super) fn parted(column: &DraftColumn) -> Markup {
    let parts: Vec<String> =
        column.parted.iter().map(|(field, value)| format!("{}: {}", field.header, shortened(value, 60))).collect();
    html! { @if !parts.is_empty() { div.soft.said { "One of them is read as " (parts.join(" · ")) } } }
}

/// A column that nothing takes, and whose words may hold an order all the same.
const BESIDE: [ColumnRole; 1] = [ColumnRole::Beside(ExtraRole::Sign(StateRole::Note))];

/// Whether a column is not sent, and has no words that could hold an order.
pub(super) fn is_left_out(column: &DraftColumn) -> bool {
    let has_words = || column.values.iter().any(|text| text.contains(char::is_alphabetic));
    column.is == [ColumnRole::LeftOut] || (column.is == BESIDE && !has_words())
}

/// What a column is.
pub(super) fn roles(roles: &[ColumnRole]) -> String {
    let name = |role: &ColumnRole| match role {
        ColumnRole::Field(field) => Some(field.header),
        ColumnRole::Beside(ExtraRole::Sign(StateRole::Note | StateRole::Kind | StateRole::Courier)) => None,
        ColumnRole::Beside(ExtraRole::Sign(_)) => Some("says whether the order is to be shipped"),
        ColumnRole::Beside(ExtraRole::Address(_)) => Some("part of the address"),
        ColumnRole::Beside(_) => Some("compared, not sent"),
        ColumnRole::Ours => Some("written by shipsheet"),
        ColumnRole::LeftOut => Some("not sent"),
    };
    let names: Vec<&str> = roles.iter().filter_map(name).collect();
    match (names.is_empty(), names.len() < roles.len()) {
        (true, _) => "not sent, but its words may hold an order".to_owned(),
        (_, true) => format!("{}; its words may hold an order", list(&names, "and")),
        _ => list(&names, "and"),
    }
}

/// Why a column is what it is.
pub(super) fn because(column: &DraftColumn) -> String {
    match &column.because {
        _ if column.is == BESIDE => "no field is called so".to_owned(),
        ColumnReason::Header => "its header says so".to_owned(),
        ColumnReason::Cells => "its header and its cells look like it".to_owned(),
        ColumnReason::You(None) => "you said so".to_owned(),
        ColumnReason::You(Some(profile)) => format!("you said so in “{profile}”"),
        ColumnReason::Profile(profile) => format!("sheets of {profile} have it so"),
        ColumnReason::Nothing => "nothing says what it is".to_owned(),
    }
}
