//! A column on the page: what it is taken for, and the menu of all that it may be.

use maud::{Markup, html};

use crate::app::draft::DraftColumn;
use crate::app::{ColumnReason, ColumnRole, Feeding};
use crate::field::{ExtraRole, FIELDS, Field, Id, Need, StateRole, Version};
use crate::text::{list, shortened};

use super::frame::HEADER_MAX;

/// Choices of a column that does not feed its field as it stands.
pub(super) const OTHERWISE: [(&str, Id, Feeding, &str); 6] = [
    ("all-pieces", Id::Price, Feeding::AllPieces, "Price of all pieces in the row"),
    ("weight-of-parcel", Id::Weight, Feeding::Whole, "Weight of the whole parcel"),
    ("weight-of-piece", Id::Weight, Feeding::EachPiece, "Weight of one piece"),
    ("weight-of-row", Id::Weight, Feeding::EachRow, "Weight of all pieces in the row"),
    ("more-of-name", Id::ReceiverFirstName, Feeding::Further, "More of the receiver's name"),
    ("more-of-address", Id::DestinationLine1, Feeding::Further, "More of the address"),
];
/// The choice that leaves a column as it is.
pub(super) const AS_IT_IS: &str = "=";
/// The choice of a column that feeds nothing.
pub(super) const NOT_SENT: &str = "-";

/// The choice of a field that is fed so.
pub(super) fn fed_so(field: &'static Field, how: Feeding) -> &'static str {
    let own = OTHERWISE.iter().find(|own| own.1 == field.id && own.2 == how);
    own.map_or(field.path, |(value, ..)| *value)
}

/// The choice that a column has in the menu now.
pub(super) fn choice(column: &DraftColumn) -> &'static str {
    match column.is[..] {
        _ if is_left_out(column) => NOT_SENT,
        [ColumnRole::Field(field)] => fed_so(field, column.how),
        _ => AS_IT_IS,
    }
}

/// The menu of a column. It holds what is chosen; the script adds the fields of [`fields`] once somebody opens it.
pub(super) fn menu(number: usize, column: &DraftColumn, version: Option<Version>) -> Markup {
    let chosen = choice(column);
    html! {
        select name={ "col." (number) "." (column.column) } aria-label={ (shortened(&column.header, HEADER_MAX)) " is" } data-fields[version.is_none()] {
            @if chosen == AS_IT_IS { option value=(AS_IT_IS) selected { (roles(&column.is)) } }
            option value=(NOT_SENT) selected[chosen == NOT_SENT] { "not sent" }
            @for (value, .., name) in OTHERWISE { @if value == chosen || version.is_some() { option value=(value) selected[value == chosen] { (name) } } }
            @for (index, field) in FIELDS.iter().enumerate() {
                @if field.path == chosen { option value=(index) selected { (field.header) } }
                @else if version.is_some_and(|own| field.need(own) != Need::Absent) { option value=(index) { (field.header) } }
            }
        }
    }
}

/// Every field that a column may feed, once for all menus.
pub(super) fn fields(version: Version) -> Markup {
    html! {
        template #fields {
            @for (value, .., name) in OTHERWISE { option value=(value) { (name) } }
            @for (index, field) in FIELDS.iter().enumerate().filter(|(_, field)| field.need(version) != Need::Absent) { option value=(index) { (field.header) } }
        }
    }
}

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

/// The role of a column, in words.
pub(super) fn roles(roles: &[ColumnRole]) -> String {
    let name = |role: &ColumnRole| match role {
        ColumnRole::Field(field) => Some(field.header),
        ColumnRole::Beside(ExtraRole::Sign(StateRole::Note | StateRole::Kind | StateRole::Courier)) => None,
        ColumnRole::Beside(ExtraRole::Sign(_)) => Some("says whether the order is to be shipped"),
        ColumnRole::Beside(ExtraRole::Address(_)) => Some("part of the address"),
        ColumnRole::Beside(_) => Some("used to check the order, not sent"),
        ColumnRole::Ours => Some("written by shipsheet"),
        ColumnRole::LeftOut => Some("not sent"),
    };
    let names: Vec<&str> = roles.iter().filter_map(name).collect();
    match (names.is_empty(), names.len() < roles.len()) {
        (true, _) => "notes: some words here hold an order".to_owned(),
        (_, true) => format!("{}; some words here hold an order", list(&names, "and")),
        _ => list(&names, "and"),
    }
}

/// Of most columns: a table says it once.
pub(super) const BY_HEADER: &str = "its header says so";

/// Why a column is what it is.
pub(super) fn because(column: &DraftColumn) -> String {
    match &column.because {
        _ if column.is == BESIDE => "a column of your own".to_owned(),
        ColumnReason::Header => BY_HEADER.to_owned(),
        ColumnReason::Cells => "its header and its values look like it".to_owned(),
        ColumnReason::You(None) => "you said so".to_owned(),
        ColumnReason::You(Some(profile)) => format!("you said so in “{profile}”"),
        ColumnReason::Profile(profile) => format!("the layout “{profile}” says so"),
        ColumnReason::Nothing => "not known".to_owned(),
    }
}
