//! What a person should know of a sheet's headers.

use crate::column::HeaderUnit;
use crate::field::{Field, Id, normalised, stands_in};
use crate::finding::column::{self, duplicate_header, layout_changed, missing_column, sheet_notice};
use crate::finding::{Finding, Remedy};
use crate::origin::{Column, Place};
use crate::text;

use super::file::Profile;
use super::filter::{Filter, Section};
use super::plan::Header;

pub(super) fn no_order_number(header: &Header<'_>) -> Finding {
    let names: Vec<&str> = header.cells.iter().map(String::as_str).filter(|cell| !cell.is_empty()).collect();
    let field = Id::OrderNumber.field();
    missing_column::order_number(field.header)
        .at(Place::row(header.source, header.row))
        .on_field(field.path)
        .found(text::shortened(&names.join(", "), 200))
}

/// Changing the file of a profile, as it can be opened; by its name where it has none.
fn edit(profile: &Profile) -> Remedy {
    let file = profile.file.as_ref();
    let file = file.map_or_else(|| format!("the profile {}", profile.name), |file| file.display().to_string());
    Remedy::EditProfile { file }
}

pub(super) fn missing_profile_column(profile: &Profile, id: Id, wanted: &str, header: &Header<'_>) -> Finding {
    let (name, path) = (&profile.name, id.field().path);
    let missing = match nearest(wanted, header) {
        None => missing_column::of_profile(name, path, wanted, edit(profile)),
        Some(near) => {
            let map = Remedy::MapColumn { field: path.to_owned(), column: near.to_owned() };
            missing_column::of_profile_renamed(name, path, wanted, near, edit(profile), map)
        }
    };
    missing.at(Place::row(header.source, header.row)).on_field(path)
}

/// The header that a missing one may have become.
fn nearest<'h>(wanted: &str, header: &Header<'h>) -> Option<&'h str> {
    text::nearest(wanted, header.cells.iter().map(String::as_str))
}

/// The columns of rules that a sheet lacks, each once: without it nothing would be left out or held back by it.
pub(super) fn missing_filter_columns(profile: &Profile, header: &Header<'_>) -> Vec<Finding> {
    let mut missing: Vec<&Filter> = Vec::new();
    for filter in &profile.filters {
        let mut others = filter.without.iter().chain(&filter.instead);
        let other = others.any(|other| header.find(other).is_some());
        // Finer rules of the program are for those sheets that say as much.
        let is_finer = filter.built_in && !filter.is_needed() && !filter.leaves_out_rows();
        if other || is_finer || filter.column.is_empty() || header.find(&filter.column).is_some() {
            continue;
        }
        match missing.iter_mut().find(|known| known.column == filter.column) {
            Some(known) if !known.is_needed() => *known = filter,
            Some(_) => {}
            None => missing.push(filter),
        }
    }
    missing.into_iter().map(|filter| missing_filter_column(profile, filter, header)).collect()
}

fn missing_filter_column(profile: &Profile, filter: &Filter, header: &Header<'_>) -> Finding {
    let Filter { column, because, section, .. } = filter;
    let hold = *section != Section::Skip;
    let (name, near) = (&profile.name, nearest(column, header));
    let missing = if filter.is_needed() {
        layout_changed::rule_without_column(name, column, because, hold, near, Remedy::ignore(column))
    } else {
        layout_changed::finer_rule_without_column(name, column, because, hold, near)
    };
    missing.at(Place::row(header.source, header.row)).found(column.clone())
}

pub(super) fn two_units(
    field: &'static Field,
    known: &HeaderUnit,
    unit: &str,
    column: u32,
    header: &Header<'_>,
) -> Finding {
    let (other, own) = (&header.cells[known.column as usize], &header.cells[column as usize]);
    let clash = match known.id {
        Id::CurrencyCode => column::currency_clash::two_headers,
        _ => column::unit_clash::two_headers,
    };
    clash(other, known.words[0], own, unit).at(header.place(column)).on_field(field.path).found(own.clone())
}

pub(super) fn two_columns(field: &'static Field, first: u32, second: u32, header: &Header<'_>) -> Finding {
    let (one, other) = (&header.cells[first as usize], &header.cells[second as usize]);
    // Two of one name cannot be told apart in words.
    let ignore = (normalised(one) != normalised(other)).then(|| Remedy::ignore(other));
    let place = header.place(second);
    duplicate_header::two_columns(field.header, &header.place(first), &place)
        .remedies(ignore)
        .at(place)
        .on_field(field.path)
        .found(other.clone())
}

pub(super) fn second_choice(field: &'static Field, kept: u32, left: u32, header: &Header<'_>) -> Finding {
    let (taken, other) = (&header.cells[kept as usize], &header.cells[left as usize]);
    let second = if stands_in(field, taken, other) {
        duplicate_header::second_where_blank
    } else {
        duplicate_header::second_left_out
    };
    second(field.header, taken, other, Remedy::ignore(taken))
        .at(header.place(left))
        .on_field(field.path)
        .found(other.clone())
}

/// Parts of the address that no field takes, and that go with its lines.
pub(super) fn joined_parts(parts: &[&Column], header: &Header<'_>) -> Option<Finding> {
    let first = parts.first()?;
    let names: Vec<String> = parts.iter().map(|part| part.header.clone()).collect();
    Some(sheet_notice::joined_parts(names, Remedy::ignore(&first.header)).at(header.place(first.index)))
}

/// The first of two numbered columns of the address, which nothing takes while the second one is sent.
pub(super) fn first_line_lost(first: &Column, second: &str, header: &Header<'_>) -> Finding {
    let name = &first.header;
    let (line1, line2) = (Id::DestinationLine1.field().header, Id::DestinationLine2.field().header);
    missing_column::first_line_lost(name, second, line1, line2, Remedy::ignore(name))
        .at(header.place(first.index))
        .found(name.clone())
}

/// Without its column a total proves nothing: whoever named it wants the amounts compared.
pub(super) fn missing_total(profile: &Profile, wanted: &str, header: &Header<'_>) -> Finding {
    let (near, ignore) = (nearest(wanted, header), Remedy::ignore(wanted));
    layout_changed::total_without_column(&profile.name, wanted, near, ignore, edit(profile))
        .at(Place::row(header.source, header.row))
        .found(wanted)
}
