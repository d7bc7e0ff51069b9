//! The menu of a column: all that it may be.

use maud::{Markup, html};

use crate::app::ColumnRole;
use crate::app::draft::DraftColumn;
use crate::field::{FIELDS, Id, Need, Version};
use crate::text::shortened;

use super::frame::HEADER_MAX;
use super::roles::{is_left_out, roles};

/// A price that is one of all pieces of a row.
pub(super) const ALL_PIECES: &str = "all-pieces";
/// Choices of a column that goes with the one that feeds a field.
pub(super) const MORE: [(&str, Id, &str); 2] = [
    ("more-of-name", Id::ReceiverFirstName, "More of the receiver's name"),
    ("more-of-address", Id::DestinationLine1, "More of the address"),
];
/// The choice that leaves a column as it is.
pub(super) const AS_IT_IS: &str = "=";
/// The choice of a column that feeds nothing.
pub(super) const NOT_SENT: &str = "-";

/// The choice that a column has in the menu now.
pub(super) fn choice(column: &DraftColumn) -> &'static str {
    match column.is[..] {
        _ if is_left_out(column) => NOT_SENT,
        [ColumnRole::Field(_)] if column.all_pieces => ALL_PIECES,
        [ColumnRole::Field(field)] => field.path,
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
            @if chosen == ALL_PIECES || version.is_some() { (all_pieces(chosen == ALL_PIECES)) }
            @if version.is_some() { (more()) }
            @for (index, field) in FIELDS.iter().enumerate() {
                @if field.path == chosen { option value=(index) selected { (field.header) } }
                @else if version.is_some_and(|own| field.need(own) != Need::Absent) { option value=(index) { (field.header) } }
            }
        }
    }
}

/// The options of [`MORE`].
fn more() -> Markup {
    html! { @for (value, _, name) in MORE { option value=(value) { (name) } } }
}

pub(super) fn all_pieces(is_chosen: bool) -> Markup {
    html! { option value=(ALL_PIECES) selected[is_chosen] { "Price of all pieces in the row" } }
}

/// Every field that a column may feed, once for all menus.
pub(super) fn fields(version: Version) -> Markup {
    html! {
        template #fields {
            (all_pieces(false))
            (more())
            @for (index, field) in FIELDS.iter().enumerate().filter(|(_, field)| field.need(version) != Need::Absent) { option value=(index) { (field.header) } }
        }
    }
}
