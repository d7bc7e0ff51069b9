//! Opens sheets and plans their columns, before anything is read in earnest.

use std::path::PathBuf;

use crate::field::Id;
use crate::order::{Layout, Layouts};
use crate::origin::Place;
use crate::problem::{Code, Problem, Severity};
use crate::profile::{Plan, Profile};
use crate::sheet::{Options, Sheet};

use super::StageError;

/// What to open and how.
#[derive(Debug, Clone, Default)]
pub struct OpenOptions {
    /// The files, in the order in which they were named; `-` is standard input.
    pub paths: Vec<PathBuf>,
    /// How to read them.
    pub sheet: Options,
    /// Which column feeds which field, where the headers alone do not say it.
    pub profile: Option<Profile>,
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
        opened.problems.extend(given_before(&opened.sheets, &sheet));
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
        let fed: Vec<(Id, u32)> = plan.fed().map(|(field, column)| (field.id, column)).collect();
        let defaults = options.profile.iter().flat_map(|profile| profile.defaults.clone()).collect();
        opened.layouts.add(Layout::new(sheet.source().clone(), header.cells.clone(), &fed, defaults));
        opened.sheets.push(Planned { sheet, plan });
    }
    Ok(opened)
}

/// A sheet that was given before, under whatever name: its lines would be doubled.
fn given_before(before: &[Planned], sheet: &Sheet) -> Option<Problem> {
    let same = |other: &&Planned| {
        other.sheet.sha256() == sheet.sha256() && other.sheet.source().worksheet == sheet.source().worksheet
    };
    let other = before.iter().find(same)?;
    let message =
        format!("{} holds the same as {}: every line would be sent twice", sheet.source(), other.sheet.source());
    let place = Place::row(sheet.source(), sheet.header().row);
    Some(Problem::error(Code::SheetTwice, message).at(place).hint("name each sheet once"))
}
