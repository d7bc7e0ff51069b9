//! Opens sheets and plans their columns, before anything is read in earnest.

use std::path::PathBuf;

use crate::check::Rules;
use crate::field::{FIELDS, Id, Need};
use crate::order::{Facts, Fed, HeaderUnit, Layout, Layouts};
use crate::origin::Place;
use crate::problem::{Code, Problem, Severity};
use crate::profile::{Plan, Profile};
use crate::sheet::{Options, Sheet};

use super::StageError;

/// What to open and how.
#[derive(Debug, Clone)]
pub struct OpenOptions {
    /// The files, in the order in which they were named; `-` is standard input.
    pub paths: Vec<PathBuf>,
    /// How to read them.
    pub sheet: Options,
    /// Which column feeds which field, where the headers alone do not say it.
    pub profile: Option<Profile>,
    /// What is needed, and what stands in where a sheet has no column.
    pub rules: Rules,
}

/// A sheet with its plan.
#[derive(Debug)]
pub struct Planned {
    /// The sheet.
    pub sheet: Sheet,
    /// Its columns.
    pub plan: Plan,
}

/// The sheets of a run.
#[derive(Debug)]
pub struct Opened {
    /// In the order in which they were named.
    pub sheets: Vec<Planned>,
    /// Their columns, as grouping needs them.
    pub layouts: Layouts,
    /// What is to be said of them as a whole.
    pub problems: Vec<Problem>,
}

impl Opened {
    /// Whether the sheets cannot be used as they are.
    #[must_use]
    pub fn is_unusable(&self) -> bool {
        self.problems.iter().any(|problem| problem.severity == Severity::Error)
    }
}

/// Opens every sheet; the first one that cannot be read ends it.
pub fn open(options: &OpenOptions) -> Result<Opened, StageError> {
    let mut opened = Opened { sheets: Vec::new(), layouts: Layouts::default(), problems: Vec::new() };
    for path in &options.paths {
        let sheet = Sheet::open(path, &options.sheet)?;
        opened.problems.extend(given_before(&opened.sheets, &sheet)?);
        let header = sheet.header();
        let (plan, problems) = Plan::of(sheet.source(), header.row, &header.cells, options.profile.as_ref());
        opened.problems.extend(sheet.notices().iter().cloned());
        opened.problems.extend(problems);
        opened.problems.extend(plan.unknown().iter().map(|column| {
            Problem::warning(Code::UnknownColumn, "a column that no field takes; it is left out")
                .at(Place::cell(sheet.source(), header.row, column.index, column.header.clone()))
                .found(column.header.clone())
                .hint("rename it, or name its field in a profile, if it should be sent")
        }));
        let layout = layout(&sheet, &plan, options.profile.as_ref());
        opened.problems.extend(unit_clashes(&layout, header.row, &options.rules));
        opened.layouts.add(layout);
        opened.sheets.push(Planned { sheet, plan });
    }
    if !opened.is_unusable() {
        let missing = missing_columns(&opened, &options.rules);
        opened.problems.extend(missing);
    }
    Ok(opened)
}

fn layout(sheet: &Sheet, plan: &Plan, profile: Option<&Profile>) -> Layout {
    let fed: Vec<Fed> = plan.fed().map(|(field, column)| Fed { id: field.id, column, product: 0 }).collect();
    let units =
        plan.units().iter().map(|unit| HeaderUnit { id: unit.id, words: unit.words.clone(), column: unit.column });
    let facts = Facts {
        defaults: profile.map(|profile| profile.defaults.clone().into_iter().collect()).unwrap_or_default(),
        units: units.collect(),
        dates: None,
    };
    Layout::new(sheet.source().clone(), sheet.header().cells.clone(), &fed, facts)
}

/// Units in headers that the sheet's constants or the configuration contradict.
fn unit_clashes(layout: &Layout, row: u32, rules: &Rules) -> Vec<Problem> {
    let mut problems = Vec::new();
    for id in [Id::WeightUnit, Id::DimensionUnit, Id::CurrencyCode] {
        let (Some(unit), None) = (layout.unit(id), layout.column(id)) else { continue };
        let said = layout.default(id).or_else(|| rules.configured(id));
        // A sign that may be several currencies needs one of them by name.
        let needed = said.or_else(|| if unit.words.len() > 1 { rules.default(id) } else { None });
        let Some(other) = needed.filter(|other| !unit.words.iter().any(|word| word.eq_ignore_ascii_case(other))) else {
            continue;
        };
        let code = if id == Id::CurrencyCode { Code::CurrencyClash } else { Code::UnitClash };
        let place = layout.cell(row, unit.column);
        let header = place.column.as_ref().map_or_else(String::new, |column| column.header.clone());
        let field = id.field();
        let message = format!("the header \"{header}\" names another unit than {other}, which holds for all orders");
        problems.push(Problem::error(code, message).at(place).on_field(field.path).found(header).hint(format!(
            "correct the header, add a column \"{}\", or set it in the configuration: [defaults] \"{}\" = \"{}\"",
            field.header, field.path, unit.words[0]
        )));
    }
    problems
}

/// Needed fields that no sheet of the run holds and nothing stands in for: one problem each, for no order could go.
fn missing_columns(opened: &Opened, rules: &Rules) -> Vec<Problem> {
    let held = |id: Id| {
        let in_sheet = |layout: &Layout| layout.column(id).is_some() || layout.default(id).is_some();
        rules.default(id).is_some_and(|text| !text.is_empty()) || opened.layouts.iter().any(in_sheet)
    };
    let by_other = |id: Id| match id {
        Id::DestinationCountryCode => held(Id::DestinationCountry),
        Id::OriginCountryCode => held(Id::OriginCountry),
        Id::ReturnCountryCode => held(Id::ReturnCountry),
        _ => false,
    };
    let Some(first) = opened.sheets.first() else { return Vec::new() };
    let header = first.sheet.header();
    let missing = FIELDS.iter().filter(|field| {
        rules.need(field.id) == Need::Required && field.id != Id::OrderNumber && !held(field.id) && !by_other(field.id)
    });
    missing
        .map(|field| {
            let mut hint = format!("add a column \"{}\", or name its column in a profile", field.header);
            if field.may_be_constant() {
                let set = format!("[defaults] \"{}\" = \"{}\"", field.path, field.example);
                hint =
                    format!("add a column \"{}\", or set it for all orders in the configuration: {set}", field.header);
            }
            let problem = Problem::error(Code::MissingColumn, format!("no column holds the {}", field.header));
            problem.at(Place::row(first.sheet.source(), header.row)).on_field(field.path).hint(hint)
        })
        .collect()
}

/// A sheet that was given before, under whatever name: its lines would be doubled.
fn given_before(before: &[Planned], sheet: &Sheet) -> Result<Option<Problem>, StageError> {
    let mut same = None;
    for other in before.iter().filter(|other| other.sheet.source().worksheet == sheet.source().worksheet) {
        if other.sheet.has_bytes_of(sheet)? {
            same = Some(other);
            break;
        }
    }
    let Some(other) = same else { return Ok(None) };
    let message =
        format!("{} holds the same as {}: every line would be sent twice", sheet.source(), other.sheet.source());
    let place = Place::row(sheet.source(), sheet.header().row);
    Ok(Some(Problem::error(Code::SheetTwice, message).at(place).hint("name each sheet once")))
}
