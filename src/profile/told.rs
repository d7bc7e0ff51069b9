//! What a person should know of a sheet's headers.

use crate::field::{Field, Id};
use crate::origin::{Column, Place};
use crate::problem::{Code, Problem};
use crate::text;

use super::file::Profile;
use super::filter::Filter;
use super::plan::{Header, InHeader};

pub(super) fn no_order_number(header: &Header<'_>) -> Problem {
    let names: Vec<&str> = header.cells.iter().map(String::as_str).filter(|cell| !cell.is_empty()).collect();
    let field = Id::OrderNumber.field();
    Problem::error(Code::MissingColumn, "no column holds the order number")
        .at(Place::row(header.source, header.row))
        .on_field(field.path)
        .found(text::shortened(&names.join(", "), 200))
        .hint(format!("give the column the header \"{}\", or name it in a profile", field.header))
}

pub(super) fn missing_profile_column(profile: &Profile, id: Id, wanted: &str, header: &Header<'_>) -> Problem {
    let near = text::nearest(wanted, header.cells.iter().map(String::as_str));
    let hint = near.map_or_else(
        || format!("correct the profile {}, or the sheet's header", profile.name),
        |near| format!("did you mean the column \"{near}\"? correct the profile {}", profile.name),
    );
    Problem::error(
        Code::MissingColumn,
        format!(
            "the profile {} takes {} from the column \"{wanted}\", which is not there",
            profile.name,
            id.field().path
        ),
    )
    .at(Place::row(header.source, header.row))
    .on_field(id.field().path)
    .hint(hint)
}

/// The columns of rules that a sheet lacks, each once: without it nothing would be left out or held back by it.
pub(super) fn missing_filter_columns(profile: &Profile, header: &Header<'_>) -> Vec<Problem> {
    let mut missing: Vec<&Filter> = Vec::new();
    for filter in &profile.filters {
        let mut others = filter.without.iter().chain(&filter.instead);
        let other = others.any(|other| header.find(other).is_some());
        // Finer rules of the program are for those sheets that say as much.
        let is_finer = filter.built_in && !filter.is_needed() && !filter.leaves_out_rows();
        if other || is_finer || header.find(&filter.column).is_some() {
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

fn missing_filter_column(profile: &Profile, filter: &Filter, header: &Header<'_>) -> Problem {
    let Filter { column, because, .. } = filter;
    let name = &profile.name;
    let does = if filter.hold { "holds orders back" } else { "leaves rows out" };
    let message = format!(
        "the profile {name} {does} by the column \"{column}\" ({because}), which is not there: nothing would be {} by it",
        if filter.hold { "held back" } else { "left out" }
    );
    let near = text::nearest(column, header.cells.iter().map(String::as_str));
    let near = near.map(|near| format!("did you mean the column \"{near}\"? ")).unwrap_or_default();
    let problem = if !filter.is_needed() {
        Problem::warning(Code::LayoutChanged, message).hint(format!("{near}see that no such order is in the sheet"))
    } else if profile.built_in {
        Problem::error(Code::LayoutChanged, message).hint(format!(
            "{near}call it \"{column}\" again; or, if your sheets never have it, keep a profile of your own with based_on = \
             \"{name}\" and ignore = [\"{column}\"], and name another column in its [[skip]] or [[go]]"
        ))
    } else {
        let section = if filter.go {
            "[[go]]"
        } else if filter.hold {
            "[[hold]]"
        } else {
            "[[skip]]"
        };
        Problem::error(Code::LayoutChanged, message).hint(format!(
            "{near}correct the sheet's header, or the profile {name} ({}{section})",
            if filter.built_in { "ignore = the column, or its own " } else { "" }
        ))
    };
    problem.at(Place::row(header.source, header.row)).found(column.clone())
}

pub(super) fn two_units(
    field: &'static Field,
    known: &InHeader,
    unit: &str,
    column: u32,
    header: &Header<'_>,
) -> Problem {
    let code = if known.id == Id::CurrencyCode { Code::CurrencyClash } else { Code::UnitClash };
    let (other, own) = (&header.cells[known.column as usize], &header.cells[column as usize]);
    let message = format!("\"{other}\" says {} and \"{own}\" says {unit}, but an order has one", known.words[0]);
    Problem::error(code, message)
        .at(header.place(column))
        .on_field(field.path)
        .found(own.clone())
        .hint("convert one of the two columns, so that both headers name one unit")
}

pub(super) fn two_columns(field: &'static Field, first: u32, second: u32, header: &Header<'_>) -> Problem {
    Problem::error(
        Code::DuplicateHeader,
        format!("two columns may be the {}: {} and {}", field.header, header.place(first), header.place(second)),
    )
    .at(header.place(second))
    .on_field(field.path)
    .found(header.cells[second as usize].clone())
    .hint("rename or remove one of them, or name the right one in a profile")
}

pub(super) fn second_choice(field: &'static Field, kept: u32, left: u32, header: &Header<'_>) -> Problem {
    Problem::warning(
        Code::DuplicateHeader,
        format!(
            "two columns may be the {}: \"{}\" is taken and \"{}\" is left out",
            field.header, header.cells[kept as usize], header.cells[left as usize]
        ),
    )
    .at(header.place(left))
    .on_field(field.path)
    .found(header.cells[left as usize].clone())
    .hint("if that is the wrong way round, name the right one in a profile")
}

/// Parts of the address that no field takes, and that go with its lines.
pub(super) fn joined_parts(parts: &[&Column], header: &Header<'_>) -> Option<Problem> {
    let first = parts.first()?;
    let names: Vec<String> = parts.iter().map(|part| format!("\"{}\"", part.header)).collect();
    let (names, go) = (text::list(&names, "and"), if parts.len() == 1 { "goes" } else { "go" });
    let message = format!("{names} {go} into the lines of the address, in the order in which addresses are written");
    Some(
        Problem::warning(Code::SheetNotice, message)
            .at(header.place(first.index))
            .hint("see that the addresses are right; what is no part of them is named under `ignore` in a profile"),
    )
}

/// Without its column a total proves nothing: whoever named it wants the amounts compared.
pub(super) fn missing_total(profile: &Profile, wanted: &str, header: &Header<'_>) -> Problem {
    let near = text::nearest(wanted, header.cells.iter().map(String::as_str));
    let near = near.map(|near| format!("did you mean the column \"{near}\"? ")).unwrap_or_default();
    let message = format!(
        "the profile {} compares amounts with the column \"{wanted}\" ([totals]), which is not there: nothing is compared",
        profile.name
    );
    Problem::error(Code::LayoutChanged, message)
        .at(Place::row(header.source, header.row))
        .found(wanted)
        .hint(format!("{near}correct the sheet's header, or the profile {} ([totals])", profile.name))
}
