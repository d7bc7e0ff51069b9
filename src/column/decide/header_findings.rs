//! What a person should know of a sheet's headers.

use crate::column::{Columns, Feed, HeaderUnit};
use crate::field::{Field, Id, normalised};
use crate::finding::column::{self, duplicate_header, layout_changed, missing_column, sheet_notice};
use crate::finding::{Finding, Remedy};
use crate::origin::Place;
use crate::text;

use crate::profile::{Filter, Profile, Section};

pub(super) fn no_order_number(columns: &Columns) -> Finding {
    let headers = columns.headers.iter().map(|own| own.header.as_str());
    let names: Vec<&str> = headers.filter(|header| !header.is_empty()).collect();
    let field = Id::OrderNumber.field();
    missing_column::order_number(field.header)
        .at(Place::row(&columns.source, columns.row))
        .on_field(field.path)
        .found(text::shortened(&names.join(", "), 200))
}

/// Changing the file of a profile, as it can be opened; by its name where it has none.
fn edit(profile: &Profile) -> Remedy {
    let file = profile.file.as_ref();
    let file = file.map_or_else(|| format!("the profile {}", profile.name), |file| file.display().to_string());
    Remedy::EditProfile { file }
}

pub(super) fn missing_profile_column(profile: &Profile, id: Id, wanted: &str, columns: &Columns) -> Finding {
    let (name, path) = (&profile.name, id.field().path);
    let missing = match nearest(wanted, columns) {
        None => missing_column::of_profile(name, path, wanted, edit(profile)),
        Some(near) => {
            let map = Remedy::MapColumn { field: path.to_owned(), column: near.to_owned() };
            missing_column::of_profile_renamed(name, path, wanted, near, edit(profile), map)
        }
    };
    missing.at(Place::row(&columns.source, columns.row)).on_field(path)
}

/// The header that a missing one may have become.
fn nearest<'h>(wanted: &str, columns: &'h Columns) -> Option<&'h str> {
    text::nearest(wanted, columns.headers.iter().map(|own| own.header.as_str()))
}

/// The columns of rules that a sheet lacks, each once: without it nothing would be left out or held back by it.
pub(super) fn missing_filter_columns(profile: &Profile, columns: &Columns) -> Vec<Finding> {
    let mut missing: Vec<&Filter> = Vec::new();
    for filter in &profile.filters {
        let mut others = filter.without.iter().chain(&filter.instead);
        let other = others.any(|other| columns.find(other).is_some());
        // Finer rules of the program are for those sheets that say as much.
        let is_finer = filter.built_in && !filter.is_needed() && !filter.leaves_out_rows();
        if other || is_finer || filter.column.is_empty() || columns.find(&filter.column).is_some() {
            continue;
        }
        match missing.iter_mut().find(|known| known.column == filter.column) {
            Some(known) if !known.is_needed() => *known = filter,
            Some(_) => {}
            None => missing.push(filter),
        }
    }
    missing.into_iter().map(|filter| missing_filter_column(profile, filter, columns)).collect()
}

fn missing_filter_column(profile: &Profile, filter: &Filter, columns: &Columns) -> Finding {
    let Filter { column, because, section, .. } = filter;
    let hold = *section != Section::Skip;
    let (name, near) = (&profile.name, nearest(column, columns));
    let missing = if filter.is_needed() {
        layout_changed::rule_without_column(name, column, because, hold, near, Remedy::ignore(column))
    } else {
        layout_changed::finer_rule_without_column(name, column, because, hold, near)
    };
    missing.at(Place::row(&columns.source, columns.row)).found(column.clone())
}

/// Something that is said of a header which means a field.
fn on_header(said: Finding, field: &'static Field, column: u32, columns: &Columns) -> Finding {
    said.at(columns.header_place(column)).on_field(field.path).found(columns.header(column))
}

pub(super) fn two_units(field: &'static Field, known: &HeaderUnit, of: &str, here: u32, columns: &Columns) -> Finding {
    let (other, own) = (columns.header(known.column), columns.header(here));
    let clash = match known.id {
        Id::CurrencyCode => column::currency_clash::two_headers,
        _ => column::unit_clash::two_headers,
    };
    on_header(clash(other, known.words[0], own, of), field, here, columns)
}

pub(super) fn two_columns(field: &'static Field, first: u32, second: u32, columns: &Columns) -> Finding {
    let (one, other) = (columns.header(first), columns.header(second));
    // Two of one name cannot be told apart in words.
    let ignore = (normalised(one) != normalised(other)).then(|| Remedy::ignore(other));
    let [first, here] = [first, second].map(|column| columns.header_place(column));
    on_header(duplicate_header::two_columns(field.header, &first, &here).remedies(ignore), field, second, columns)
}

pub(super) fn second_choice(field: &'static Field, kept: u32, left: u32, columns: &Columns) -> Finding {
    let (taken, other) = (columns.header(kept), columns.header(left));
    let is_second = columns.seconds_of(Feed::of(field.id, kept, None)).any(|own| own == left);
    let second = if field.is_receivers() && is_second {
        duplicate_header::second_where_blank
    } else {
        duplicate_header::second_left_out
    };
    on_header(second(field.header, taken, other, Remedy::ignore(taken)), field, left, columns)
}

/// Parts of the address that no field takes, and that go with its lines.
pub(super) fn joined_parts(parts: &[u32], columns: &Columns) -> Option<Finding> {
    let first = *parts.first()?;
    let names = parts.iter().map(|part| columns.header(*part).to_owned()).collect();
    Some(sheet_notice::joined_parts(names, Remedy::ignore(columns.header(first))).at(columns.header_place(first)))
}

/// Without its column a total proves nothing: whoever named it wants the amounts compared.
pub(super) fn missing_total(profile: &Profile, wanted: &str, columns: &Columns) -> Finding {
    let (near, ignore) = (nearest(wanted, columns), Remedy::ignore(wanted));
    layout_changed::total_without_column(&profile.name, wanted, near, ignore, edit(profile))
        .at(Place::row(&columns.source, columns.row))
        .found(wanted)
}
