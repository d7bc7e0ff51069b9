//! What a person should know of a sheet's headers.

use crate::field::{Field, Id, normalised, stands_in};
use crate::origin::{Column, Place};
use crate::problem::{Code, Problem};
use crate::text::{self, passing_over, toml_quoted};

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

/// The file of a profile, as it can be opened; its name where it has none.
fn place_of(profile: &Profile) -> String {
    profile.file.as_ref().map_or_else(|| format!("the profile {}", profile.name), |file| file.display().to_string())
}

pub(super) fn missing_profile_column(profile: &Profile, id: Id, wanted: &str, header: &Header<'_>) -> Problem {
    let near = text::nearest(wanted, header.cells.iter().map(String::as_str));
    let hint = near.map_or_else(
        || format!("call the column \"{wanted}\" again, or correct [columns] in {}", place_of(profile)),
        |near| {
            let line = format!("{} = {}", toml_quoted(id.field().path), toml_quoted(near));
            format!(
                "did you mean the column \"{near}\"? call it \"{wanted}\" again, or write in [columns] of {}: {line}",
                place_of(profile)
            )
        },
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
    let problem = if filter.is_needed() {
        Problem::error(Code::LayoutChanged, message).hint(format!(
            "{near}call it \"{column}\" again; or, if your sheets never have it and all orders in them are to go, pass it \
             over {}",
            passing_over(column)
        ))
    } else {
        Problem::warning(Code::LayoutChanged, message).hint(format!("{near}see that no such order is in the sheet"))
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
    .hint(two_ways(first, second, header))
}

/// How one of two columns for a field is told: two of one name cannot be told apart in words.
fn two_ways(first: u32, second: u32, header: &Header<'_>) -> String {
    let (first, second) = (&header.cells[first as usize], &header.cells[second as usize]);
    if normalised(first) == normalised(second) {
        return "rename or delete the one that is not meant".to_owned();
    }
    format!("rename or delete the one that is not meant, or pass it over {}", passing_over(second))
}

pub(super) fn second_choice(field: &'static Field, kept: u32, left: u32, header: &Header<'_>) -> Problem {
    let (taken, other) = (&header.cells[kept as usize], &header.cells[left as usize]);
    let rest = if stands_in(field, taken, other) {
        format!(", and \"{other}\" where that is blank")
    } else {
        format!(" and \"{other}\" is left out")
    };
    Problem::warning(
        Code::DuplicateHeader,
        format!("two columns may be the {}: \"{taken}\" is taken{rest}", field.header),
    )
    .at(header.place(left))
    .on_field(field.path)
    .found(header.cells[left as usize].clone())
    .hint(format!("if that is the wrong way round, pass the other over {}", passing_over(&header.cells[kept as usize])))
}

/// Parts of the address that no field takes, and that go with its lines.
pub(super) fn joined_parts(parts: &[&Column], header: &Header<'_>) -> Option<Problem> {
    let first = parts.first()?;
    let names: Vec<String> = parts.iter().map(|part| format!("\"{}\"", part.header)).collect();
    let (names, go) = (text::list(&names, "and"), if parts.len() == 1 { "goes" } else { "go" });
    let message = format!("{names} {go} into the lines of the address, in the order in which addresses are written");
    Some(Problem::warning(Code::SheetNotice, message).at(header.place(first.index)).hint(format!(
        "see that the addresses are right; what is no part of them is passed over {}",
        passing_over(&first.header)
    )))
}

/// The first of two numbered columns of the address, which nothing takes while the second one is sent.
pub(super) fn first_line_lost(first: &Column, second: &str, header: &Header<'_>) -> Problem {
    let name = &first.header;
    let message =
        format!("\"{second}\" is a line of the address, and \"{name}\" is none: what stands there would be lost");
    Problem::error(Code::MissingColumn, message).at(header.place(first.index)).found(name.clone()).hint(format!(
        "give \"{name}\" the header \"{}\" and \"{second}\" the header \"{}\", and any other column of these names another one; if it is no \
         part of the address, pass it over {}",
        Id::DestinationLine1.field().header,
        Id::DestinationLine2.field().header,
        passing_over(name)
    ))
}

/// Without its column a total proves nothing: whoever named it wants the amounts compared.
pub(super) fn missing_total(profile: &Profile, wanted: &str, header: &Header<'_>) -> Problem {
    let near = text::nearest(wanted, header.cells.iter().map(String::as_str));
    let near = near.map(|near| format!("did you mean the column \"{near}\"? ")).unwrap_or_default();
    let message = format!(
        "the profile {} compares amounts with the column \"{wanted}\" ([totals]), which is not there: nothing is compared",
        profile.name
    );
    Problem::error(Code::LayoutChanged, message).at(Place::row(header.source, header.row)).found(wanted).hint(format!(
        "{near}call the column \"{wanted}\" again; or pass it over {}; or correct [totals] in {}",
        passing_over(wanted),
        place_of(profile)
    ))
}
