//! What a profile, or the headers alone, come to on one sheet.

use crate::field::{FIELDS, Field, Id, Rank, Unit, header_unit, match_header, normalised};
use crate::origin::{Column, Place, Source, is_added};
use crate::problem::{Code, Problem};
use crate::profile::Profile;
use crate::text;

use std::sync::Arc;

/// Which column of one sheet feeds which field.
#[derive(Debug, Clone)]
pub struct Plan {
    columns: Vec<Option<u32>>,
    unknown: Vec<Column>,
    units: Vec<InHeader>,
}

/// A unit that a header names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InHeader {
    /// The unit's own field.
    pub id: Id,
    /// What it may be; more than one only for signs of money such as `$`.
    pub words: Vec<&'static str>,
    /// The column.
    pub column: u32,
}

/// A header row with its place.
struct Header<'a> {
    source: &'a Arc<Source>,
    row: u32,
    cells: &'a [String],
}

impl Header<'_> {
    fn place(&self, index: u32) -> Place {
        let header = self.cells.get(index as usize).cloned().unwrap_or_default();
        Place::cell(self.source, self.row, index, header)
    }
}

impl Plan {
    /// Plans a sheet by its header, with everything that a person should know about it.
    ///
    /// An error among the problems means that the sheet cannot be used as it is.
    #[must_use]
    pub fn of(source: &Arc<Source>, row: u32, cells: &[String], profile: Option<&Profile>) -> (Self, Vec<Problem>) {
        let header = Header { source, row, cells };
        let mut problems = Vec::new();
        let mut plan = Self { columns: vec![None; FIELDS.len()], unknown: Vec::new(), units: Vec::new() };
        if let Some(profile) = profile {
            plan.follow(profile, &header, &mut problems);
        }
        plan.match_headers(profile, &header, &mut problems);
        plan.read_units(&header, &mut problems);
        if plan.column(Id::OrderNumber).is_none() && profile.is_none_or(|p| !p.defaults.contains_key(&Id::OrderNumber))
        {
            problems.push(no_order_number(&header));
        }
        (plan, problems)
    }

    /// The column, counted from 0, that feeds a field.
    #[must_use]
    pub fn column(&self, id: Id) -> Option<u32> {
        self.columns[id as usize]
    }

    /// Every fed field with its column.
    pub fn fed(&self) -> impl Iterator<Item = (&'static Field, u32)> + '_ {
        FIELDS.iter().filter_map(|field| self.column(field.id).map(|column| (field, column)))
    }

    /// The columns with a header that no field takes.
    #[must_use]
    pub fn unknown(&self) -> &[Column] {
        &self.unknown
    }

    /// The units that headers name, one for each unit's field.
    #[must_use]
    pub fn units(&self) -> &[InHeader] {
        &self.units
    }

    fn read_units(&mut self, header: &Header<'_>, problems: &mut Vec<Problem>) {
        let mut units: Vec<InHeader> = Vec::new();
        for (field, column) in self.fed() {
            let Some(id) = field.unit_field() else { continue };
            let words = match header_unit(field, &header.cells[column as usize]) {
                Some(Unit::Measure(word)) => vec![word],
                Some(Unit::Money(codes)) => codes.to_vec(),
                None => continue,
            };
            match units.iter_mut().find(|known| known.id == id) {
                None => units.push(InHeader { id, words, column }),
                Some(known) => {
                    let common: Vec<_> = known.words.iter().copied().filter(|word| words.contains(word)).collect();
                    if common.is_empty() {
                        problems.push(two_units(field, known, words[0], column, header));
                    } else {
                        known.words = common;
                    }
                }
            }
        }
        self.units = units;
    }

    fn follow(&mut self, profile: &Profile, header: &Header<'_>, problems: &mut Vec<Problem>) {
        for (id, wanted) in &profile.columns {
            let wanted_bare = normalised(wanted);
            let exact = header.cells.iter().position(|cell| cell == wanted);
            let found = exact.or_else(|| header.cells.iter().position(|cell| normalised(cell) == wanted_bare));
            match found.and_then(|index| u32::try_from(index).ok()) {
                Some(index) => self.columns[*id as usize] = Some(index),
                None => problems.push(missing_profile_column(profile, *id, wanted, header)),
            }
        }
    }

    fn match_headers(&mut self, profile: Option<&Profile>, header: &Header<'_>, problems: &mut Vec<Problem>) {
        let mut ranks: Vec<Option<Rank>> = vec![None; FIELDS.len()];
        let taken: Vec<u32> = self.columns.iter().flatten().copied().collect();
        let ignored: Vec<String> =
            profile.map(|p| p.ignored.iter().map(|h| normalised(h)).collect()).unwrap_or_default();
        for (index, cell) in (0_u32..).zip(header.cells) {
            if cell.is_empty() || is_added(cell) || taken.contains(&index) || ignored.contains(&normalised(cell)) {
                continue;
            }
            let Some(found) = match_header(cell) else {
                self.unknown.push(Column { index, header: cell.clone() });
                continue;
            };
            let slot = found.field.id as usize;
            let by_profile = self.columns[slot].is_some() && ranks[slot].is_none();
            match (self.columns[slot], ranks[slot]) {
                _ if by_profile => self.unknown.push(Column { index, header: cell.clone() }),
                (Some(other), Some(rank)) if rank == found.rank => {
                    problems.push(two_columns(found.field, other, index, header));
                }
                (Some(other), Some(rank)) => {
                    let (kept, left) = if found.rank < rank { (index, other) } else { (other, index) };
                    self.columns[slot] = Some(kept);
                    ranks[slot] = Some(rank.min(found.rank));
                    self.unknown.push(Column { index: left, header: header.cells[left as usize].clone() });
                    problems.push(second_choice(found.field, kept, left, header));
                }
                _ => {
                    self.columns[slot] = Some(index);
                    ranks[slot] = Some(found.rank);
                }
            }
        }
    }
}

fn no_order_number(header: &Header<'_>) -> Problem {
    let names: Vec<&str> = header.cells.iter().map(String::as_str).filter(|cell| !cell.is_empty()).collect();
    let field = Id::OrderNumber.field();
    let mut problem = Problem::error(Code::MissingColumn, "no column holds the order number")
        .at(Place::row(header.source, header.row))
        .on_field(field.path)
        .found(text::shortened(&names.join(", "), 200));
    problem.hint = format!(
        "give the column the header \"{}\", or name it in a profile: [columns] {} = \"Your header\"",
        field.header, field.path
    );
    problem
}

fn missing_profile_column(profile: &Profile, id: Id, wanted: &str, header: &Header<'_>) -> Problem {
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

fn two_units(field: &'static Field, known: &InHeader, unit: &str, column: u32, header: &Header<'_>) -> Problem {
    let code = if known.id == Id::CurrencyCode { Code::CurrencyClash } else { Code::UnitClash };
    let (other, own) = (&header.cells[known.column as usize], &header.cells[column as usize]);
    let message = format!("\"{other}\" says {} and \"{own}\" says {unit}, but an order has one", known.words[0]);
    Problem::error(code, message)
        .at(header.place(column))
        .on_field(field.path)
        .found(own.clone())
        .hint("convert one of the two columns, so that both headers name one unit")
}

fn two_columns(field: &'static Field, first: u32, second: u32, header: &Header<'_>) -> Problem {
    Problem::error(
        Code::DuplicateHeader,
        format!("two columns may be the {}: {} and {}", field.header, header.place(first), header.place(second)),
    )
    .at(header.place(second))
    .on_field(field.path)
    .found(header.cells[second as usize].clone())
    .hint("rename or remove one of them, or name the right one in a profile")
}

fn second_choice(field: &'static Field, kept: u32, left: u32, header: &Header<'_>) -> Problem {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Severity;

    fn plan(header: &[&str], profile: Option<&Profile>) -> (Plan, Vec<Problem>) {
        let cells: Vec<String> = header.iter().map(|cell| (*cell).to_owned()).collect();
        Plan::of(&Source::text("orders.csv"), 1, &cells, profile)
    }

    #[test]
    fn headers_find_their_fields_and_strangers_are_listed() {
        let (plan, problems) = plan(&["Order No", "receiver.firstName", "Colour", "", "Pincode"], None);
        assert_eq!(plan.column(Id::OrderNumber), Some(0));
        assert_eq!(plan.column(Id::ReceiverFirstName), Some(1));
        assert_eq!(plan.column(Id::DestinationPinCode), Some(4));
        assert_eq!(plan.unknown(), [Column { index: 2, header: "Colour".into() }]);
        assert!(problems.is_empty());
    }

    #[test]
    fn the_better_header_wins_and_equals_are_refused() {
        let (first, problems) = plan(&["Order Ref", "Order Number"], None);
        assert_eq!(first.column(Id::OrderNumber), Some(1));
        assert_eq!(first.unknown(), [Column { index: 0, header: "Order Ref".into() }]);
        assert_eq!(problems[0].severity, Severity::Warning);
        let (_, problems) = plan(&["Order Number", "SKU", "sku "], None);
        assert_eq!((problems[0].code, problems[0].severity), (Code::DuplicateHeader, Severity::Error));
    }

    #[test]
    fn units_in_headers_are_kept_and_must_agree() {
        let (plan, problems) = plan(&["Order No", "Weight (g)", "Length (in)", "Width (in)", "Price ($)"], None);
        let units: Vec<_> = plan.units().iter().map(|unit| (unit.id, unit.words[0])).collect();
        assert_eq!(units, [(Id::DimensionUnit, "in"), (Id::WeightUnit, "g"), (Id::CurrencyCode, "USD")]);
        assert!(problems.is_empty());
        let (_, problems) = self::plan(&["Order No", "Length (in)", "Width (cm)"], None);
        assert_eq!((problems[0].code, problems[0].severity), (Code::UnitClash, Severity::Error));
    }

    #[test]
    fn a_sheet_without_order_numbers_cannot_be_used() {
        let (_, problems) = plan(&["Name", "Phone"], None);
        assert_eq!((problems[0].code, problems[0].severity), (Code::MissingColumn, Severity::Error));
        assert_eq!(problems[0].found.as_deref(), Some("Name, Phone"));
    }

    #[test]
    fn a_profile_goes_first_and_says_what_is_gone() {
        let text = "[columns]\n\"receiver.firstName\" = \"Who\"\n\"destination.city\" = \"Cty\"\n";
        let profile = Profile::parse("counter", text).unwrap();
        let (plan, problems) = plan(&["Order Number", "Name", "Who", "Ctyy"], Some(&profile));
        assert_eq!(plan.column(Id::ReceiverFirstName), Some(2));
        assert_eq!(plan.unknown().len(), 2);
        assert_eq!(problems[0].code, Code::MissingColumn);
        assert!(problems[0].hint.contains("\"Ctyy\""));
    }
}
