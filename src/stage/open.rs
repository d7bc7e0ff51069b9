//! Opens sheets and plans their columns, before anything is read in earnest.

use std::path::{Path, PathBuf};

use crate::check::{Dates, Rules};
use crate::field::{FIELDS, Field, Id, Need, is_named, names_size};
use crate::order::{Amount, Facts, Fed, HeaderUnit, Layout, Layouts, PaidWhere, SaidOfPayment};
use crate::origin::{Added, Place, is_added};
use crate::problem::{Code, Problem, Severity};
use crate::profile::{
    Choice, Feed, Plan, PlannedAmount, Profile, When, also_fitting, choose, missing_headers, never_taken,
};
use crate::sheet::{Header, Options, Sheet, SheetError};
use crate::text::{self, passing_over, shell_quoted, toml_quoted};

use super::values::plan_of;
use super::{StageError, countries, drift, hints, merged};

/// Worksheets of one workbook that are read as sheets of their own.
const WORKSHEETS_TOGETHER_MAX: usize = 64;

/// What to open and how.
#[derive(Debug, Clone)]
pub struct OpenOptions {
    /// The files, in the order in which they were named; `-` is standard input.
    pub paths: Vec<PathBuf>,
    /// How to read them.
    pub sheet: Options,
    /// Which column feeds which field, where a person named a profile.
    pub profile: Option<Profile>,
    /// Profiles that the user saved; a sheet is recognised by its headers.
    pub saved: Vec<Profile>,
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
    /// Needed fields that nothing in them holds, where that is all that is wrong.
    pub missing: Vec<&'static Field>,
}

impl Opened {
    /// Whether a sheet says what is to be collected or paid already: then one payment for all orders would be wrong.
    #[must_use]
    pub fn speaks_of_payment(&self) -> bool {
        self.sheets.iter().any(|planned| planned.plan.speaks_of_payment())
    }

    /// What to do where the price of one piece is asked for and a column may hold what all pieces of a row come to.
    #[must_use]
    pub fn by_line_total(&self) -> Option<String> {
        let total = self.sheets.iter().find_map(|planned| planned.plan.possible_line_total())?;
        Some(format!(
            "; if \"{total}\" is what all pieces of a row come to, give it the header \"Line Total\" instead, and the price is \
             reckoned from it"
        ))
    }

    /// Whether the sheets cannot be used as they are.
    #[must_use]
    pub fn is_unusable(&self) -> bool {
        self.problems.iter().any(|problem| problem.level == Severity::Hold)
    }
}

/// Opens every sheet; the first one that cannot be read ends it.
pub fn open(options: &OpenOptions) -> Result<Opened, StageError> {
    let mut opened =
        Opened { sheets: Vec::new(), layouts: Layouts::default(), problems: Vec::new(), missing: Vec::new() };
    for (mut sheet, path) in sheets(options)? {
        let named_twice = options.paths.iter().filter(|other| *other == path).count() > 1;
        opened.problems.extend(given_before(&opened.sheets, &sheet, named_twice)?);
        let header = sheet.header().clone();
        let (profile, problem) = recognised(options, &sheet, path);
        let is_another = problem.as_ref().is_some_and(|problem| problem.level == Severity::Hold);
        opened.problems.extend(problem);
        let Rules { ignored_headers: ignored, ready_words: ready, .. } = &options.rules;
        let profile = profile.map(|profile| profile.clone().configured(ignored, ready));
        let profile = profile.as_ref();
        let (plan, mut problems) = plan_of(&sheet, profile, ignored)?;
        if let Some(profile) = profile {
            opened.problems.extend(drift::changed_kinds(
                profile,
                &sheet,
                &plan,
                &hints::guess(path, &options.sheet, &profile.name),
            )?);
        } else if let Some(problem) =
            problems.iter_mut().find(|problem| (problem.id, problem.field.as_deref()) == NO_ORDER_NUMBER)
        {
            let named = hints::guess(path, &options.sheet, "NAME");
            let hint = format!("give the column the header \"Order Number\"; or have a profile proposed: {named}");
            *problem = problem.clone().hint(hint);
        }
        opened.problems.extend(sheet.notices().iter().cloned());
        // Read by no profile, or by another sheet's, it would lack what it has.
        if !is_another {
            // Of a column that was left out for a better one, that is said, and no more.
            let twice = |unknown: &Problem| {
                problems.iter().any(|known| known.id == Code::DuplicateHeader && known.place == unknown.place)
            };
            let unknown: Vec<Problem> =
                unknown_columns(&sheet, &plan, profile).into_iter().filter(|own| !twice(own)).collect();
            opened.problems.extend(problems);
            opened.problems.extend(unknown);
        }
        if sheet.merges_cells() {
            let questions = merged::open_questions(&sheet, &plan)?;
            sheet.note_rows(questions);
        }
        let layout = layout(&sheet, &plan, profile);
        opened.problems.extend(unit_clashes(&layout, header.row, &options.rules));
        opened.layouts.add(layout);
        opened.sheets.push(Planned { sheet, plan });
    }
    // A sheet whose columns are nearly right gets one list of what it lacks, and not one line after another.
    let errors = opened.problems.iter().filter(|problem| problem.level == Severity::Hold);
    if errors.map(|problem| (problem.id, problem.field.as_deref())).all(|found| found == NO_ORDER_NUMBER) {
        opened.missing = missing_columns(&opened, &options.rules);
        let problems: Vec<Problem> = opened.missing.iter().filter_map(|field| no_column(&opened, field)).collect();
        opened.problems.extend(problems);
    }
    Ok(opened)
}

/// Columns that are left out.
fn unknown_columns(sheet: &Sheet, plan: &Plan, profile: Option<&Profile>) -> Vec<Problem> {
    let is_said = |header: &str| profile.is_some_and(|own| is_named(&own.left_out, header));
    let unknown = plan.unknown().iter().filter(|column| !is_said(&column.header)).map(|column| {
        let (message, hint) = if names_size(&column.header) && plan.column(Id::Length).is_none() {
            (
                "the size of the parcel in one cell, which is not read: the one in the configuration is sent",
                "part it into columns Length, Width and Height, if each parcel has a size of its own",
            )
        } else {
            (
                "a column that no field takes; it is left out",
                "rename it, or name its field in a profile, if it should be sent",
            )
        };
        Problem::warning(Code::UnknownColumn, message)
            .at(Place::cell(sheet.source(), sheet.header().row, column.index, column.header.clone()))
            .found(column.header.clone())
            .hint(hint)
    });
    unknown.collect()
}

/// Every sheet with the path that it was given by. A workbook of rows that this program has handed back, each worksheet
/// with those of another sheet, is all of them.
fn sheets(options: &OpenOptions) -> Result<Vec<(Sheet, &Path)>, SheetError> {
    let among_several = options.paths.len() > 1;
    let mut sheets = Vec::new();
    for path in &options.paths {
        let shown_name = told_apart(path, &options.paths);
        let read = Options { shown_name, among_several, ..options.sheet.clone() };
        match Sheet::open(path, &read) {
            Ok(sheet) => sheets.push((sheet, path.as_path())),
            Err(SheetError::SeveralWorksheets { file, names, each }) => {
                let open = |name: &String| {
                    let (worksheet, besides) = (Some(name.clone()), each.clone());
                    Sheet::open(path, &Options { worksheet, besides, ..read.clone() })
                };
                let is_ours = |sheet: &Sheet| sheet.header().cells.iter().any(|header| is_added(header));
                let mut found = Vec::new();
                for name in each.iter().take(WORKSHEETS_TOGETHER_MAX + 1) {
                    let sheet = open(name)?;
                    // Each takes the workbook apart again: the first that is not ours ends it.
                    if found.len() == WORKSHEETS_TOGETHER_MAX || !is_ours(&sheet) {
                        return Err(SheetError::SeveralWorksheets { file, names, each });
                    }
                    found.push((sheet, path.as_path()));
                }
                sheets.extend(found);
            }
            Err(error) => return Err(error),
        }
    }
    Ok(sheets)
}

const NO_ORDER_NUMBER: (Code, Option<&str>) = (Code::MissingColumn, Some("orderNumber"));

/// The profile for a sheet: the one that was named, else the one that its headers call for.
fn recognised<'o>(options: &'o OpenOptions, sheet: &Sheet, path: &Path) -> (Option<&'o Profile>, Option<Problem>) {
    let header = sheet.header();
    if let Some(named) = &options.profile {
        let gone = missing_headers(named, &header.cells);
        // A few columns that are renamed are told one by one; a sheet of another layout is told as a whole.
        let strange = gone.len() * 2 > named.recognised_by.len();
        return (Some(named), strange.then(|| other_layout(named, &gone, sheet, path, &options.sheet)));
    }
    let place = Place::row(sheet.source(), header.row);
    match choose(&options.saved, &header.cells, &options.rules.ignored_headers) {
        Choice::Headers => (None, unused(options, header).map(|problem| problem.at(place))),
        Choice::One(profile) if profile.built_in => {
            (Some(profile), unused(options, header).map(|problem| problem.at(place)))
        }
        Choice::One(profile) => {
            (Some(profile), less_fitting(options, header, profile).map(|problem| problem.at(place)))
        }
        Choice::Several(profiles) => {
            let names: Vec<&str> = profiles.iter().map(|profile| profile.name.as_str()).collect();
            let message = format!("several profiles fit this sheet: {}", text::list(&names, "and"));
            let hint = format!("name the one that is meant: --profile {}", names[0]);
            (None, Some(Problem::error(Code::AmbiguousLayout, message).at(place).hint(hint)))
        }
        Choice::Changed(profile, gone) => {
            let again = hints::guess(path, &options.sheet, &profile.name);
            (None, Some(changed_headers(profile, &gone, sheet, &again)))
        }
        Choice::Near(profile, gone) => {
            let message = format!(
                "this sheet has most headers of the saved profile {}, but not {}, and many others: it is read without it",
                profile.name,
                quoted(&gone)
            );
            let hint =
                format!("if it is meant for this sheet, rename the headers, or name it: --profile {}", profile.name);
            (None, Some(Problem::warning(Code::SheetNotice, message).at(place).hint(hint)))
        }
    }
}

/// A saved profile that speaks of the sheet's headers, and that no sheet ever calls for.
fn unused(options: &OpenOptions, header: &Header) -> Option<Problem> {
    let (profile, named) = never_taken(&options.saved, &header.cells)?;
    let message = format!(
        "the saved profile {} is not used: it has no recognised_by, which says for which sheets it is",
        profile.name
    );
    let file = profile.file.as_ref().map_or_else(|| profile.name.clone(), |file| file.display().to_string());
    let named: Vec<String> = named.iter().map(|name| toml_quoted(name)).collect();
    let hint = format!(
        "for all sheets with such columns, write at the top of {file}: recognised_by = [{}]; for this one alone: --profile {}",
        named.join(", "),
        shell_quoted(&profile.name)
    );
    Some(Problem::warning(Code::SheetNotice, message).hint(hint))
}

/// A sheet that is none of the profile that was named for it.
fn other_layout(profile: &Profile, gone: &[String], sheet: &Sheet, path: &Path, options: &Options) -> Problem {
    let header = sheet.header();
    let (all, names) = (profile.recognised_by.len(), gone.iter().map(|name| format!("\"{name}\"")));
    let names = text::list(&names.collect::<Vec<String>>(), "and");
    let message = format!(
        "the profile {} was named, and this sheet has {} of the {all} columns that it is known by; missing are {names}",
        profile.name,
        if gone.len() == all { "none".to_owned() } else { (all - gone.len()).to_string() },
    );
    let filled: Vec<&str> = header.cells.iter().map(String::as_str).filter(|cell| !cell.is_empty()).collect();
    let hint = format!(
        "leave --profile away to have the sheet recognised, name the right one (`shipsheet profile list`), or have one \
         proposed: {}",
        hints::guess(path, options, "NAME")
    );
    Problem::error(Code::LayoutChanged, message)
        .at(Place::row(sheet.source(), header.row))
        .found(text::shortened(&filled.join(", "), 200))
        .hint(hint)
}

/// Other saved profiles that fit too.
fn less_fitting(options: &OpenOptions, header: &Header, chosen: &Profile) -> Option<Problem> {
    let others = also_fitting(&options.saved, &header.cells, chosen);
    let names: Vec<&str> = others.iter().map(|profile| profile.name.as_str()).collect();
    let first = names.first()?;
    let message = format!(
        "read with the profile {}; {} {} too, and {} fewer of its headers",
        chosen.name,
        text::list(&names, "and"),
        if names.len() == 1 { "fits" } else { "fit" },
        if names.len() == 1 { "knows" } else { "know" }
    );
    Some(
        Problem::warning(Code::SheetNotice, message)
            .hint(format!("if another one is meant, name it: --profile {first}")),
    )
}

fn quoted(headers: &[String]) -> String {
    let quoted: Vec<String> = headers.iter().map(|header| format!("\"{header}\"")).collect();
    text::list(&quoted, "and")
}

/// Headers of a saved profile that are gone, with what they may be called now.
fn changed_headers(profile: &Profile, gone: &[String], sheet: &Sheet, again: &str) -> Problem {
    let header = sheet.header();
    let new: Vec<&str> =
        header.cells.iter().map(String::as_str).filter(|cell| !cell.is_empty() && !profile.knows(cell)).collect();
    let now_called = |name: &str| match new.as_slice() {
        [only] if gone.len() == 1 => Some(*only),
        _ => text::nearest(name, new.iter().copied()),
    };
    let said: Vec<String> = gone
        .iter()
        .map(|gone| match now_called(gone) {
            Some(now) => format!("\"{gone}\" (now \"{now}\"?)"),
            None => format!("\"{gone}\""),
        })
        .collect();
    let message = format!(
        "this sheet is nearly what the {}profile {} expects, but its {} {} {} gone",
        if profile.built_in { "" } else { "saved " },
        profile.name,
        if gone.len() == 1 { "column" } else { "columns" },
        text::list(&said, "and"),
        if gone.len() == 1 { "is" } else { "are" }
    );
    let renamed = gone.iter().map(|name| Some(format!("{} for {}", toml_quoted(now_called(name)?), toml_quoted(name))));
    let renamed: Option<Vec<String>> = renamed.collect();
    let otherwise = match (renamed, &profile.file) {
        _ if profile.built_in => format!("if your sheets never have it, pass it over {}", passing_over(&gone[0])),
        // What a person has completed there stays as it is.
        (Some(renamed), Some(file)) => {
            let renamed = text::list(&renamed, "and");
            format!("if the sheet is to be so from now on, write {renamed} wherever it stands in {}", file.display())
        }
        _ => format!("if the sheet is to be so from now on, save the profile anew: {again} --replace"),
    };
    let hint = format!("rename the header back; or, {otherwise}; or go by the headers alone: --profile shipsheet");
    let cell = gone.iter().find_map(|gone| {
        let now = now_called(gone)?;
        let index = header.cells.iter().position(|cell| cell == now)?;
        Some(Place::cell(sheet.source(), header.row, u32::try_from(index).ok()?, now))
    });
    let place = cell.unwrap_or_else(|| Place::row(sheet.source(), header.row));
    Problem::error(Code::LayoutChanged, message).at(place).hint(hint)
}

fn layout(sheet: &Sheet, plan: &Plan, profile: Option<&Profile>) -> Layout {
    let fed: Vec<Fed> = plan
        .fed()
        .map(|Feed { field, column, product, step, shared }| Fed { id: field.id, column, product, step, shared })
        .collect();
    let units =
        plan.units().iter().map(|unit| HeaderUnit { id: unit.id, words: unit.words.clone(), column: unit.column });
    let amount = |planned: &PlannedAmount| {
        let PlannedAmount { role, column, each_line, by_header } = *planned;
        Amount { role, column, each_line, by_header }
    };
    let amounts = plan.amounts().iter().map(amount).collect();
    let reasons = sheet.header().cells.iter().position(|cell| Added::of(cell) == Some(Added::Reason));
    let reasons = reasons.and_then(|column| u32::try_from(column).ok());
    let mut facts = Facts { units: units.collect(), amounts, reasons, ..Facts::default() };
    if let Some(profile) = profile {
        facts.defaults = profile.defaults.clone().into_iter().collect();
        facts.dates = Some(Dates { formats: profile.date_formats.clone(), zone: profile.zone.clone() });
        // A field whose own columns are not there may be fed by another one, which is read as its header says.
        let followed = || profile.columns.iter().filter(|(id, recipe)| plan.follows(**id, recipe));
        facts.scales = followed().filter_map(|(id, recipe)| Some((*id, recipe.scale?))).collect();
        facts.parts = followed().filter(|(_, recipe)| recipe.each_line).map(|(id, _)| *id).collect();
        facts.profile = Some(profile.name.clone());
        facts.paid_where = profile.columns.get(&Id::OrderType).and_then(|recipe| {
            let When { column, is } = recipe.when.clone().filter(|_| recipe.otherwise.is_some())?;
            Some(PaidWhere { column, is, unless: recipe.unless.clone() })
        });
        facts.own_profile = !profile.built_in;
        facts.per_piece = followed().any(|(id, recipe)| *id == Id::LineDiscount && recipe.per_piece);
        facts.line_total = followed().any(|(id, recipe)| *id == Id::Price && recipe.line_total);
    }
    facts.line_total |= plan.has_line_total();
    facts.payment = match () {
        () if plan.is_collected() => SaidOfPayment::Collected,
        () if plan.speaks_of_payment() => SaidOfPayment::Something,
        () => SaidOfPayment::Nothing,
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
            "correct the header, add a column \"{}\", or set it in shipsheet.toml: [defaults] \"{}\" = \"{}\"",
            field.header, field.path, unit.words[0]
        )));
    }
    problems
}

/// Needed fields that no sheet of the run holds and nothing stands in for: no order could go.
fn missing_columns(opened: &Opened, rules: &Rules) -> Vec<&'static Field> {
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
    let missing = FIELDS.iter().filter(|field| {
        rules.need(field.id) == Need::Required
            && field.id != Id::OrderNumber
            && !held(field.id)
            && !by_other(field.id)
            && countries::need(opened, rules, field.id)
    });
    missing.collect()
}

fn no_column(opened: &Opened, field: &'static Field) -> Option<Problem> {
    let first = &opened.sheets.first()?.sheet;
    let mut hint = format!("add a column \"{}\", or name its column in a profile", field.header);
    let speaks = || opened.sheets.iter().find_map(|planned| planned.plan.speaker_of_payment());
    if let Some(other) = speaks().filter(|_| field.id == Id::OrderType) {
        hint = format!(
            "add a column \"{}\" with COD or PREPAID for each order: \"{other}\" speaks of how they are paid, and one payment \
             for all of them may be wrong",
            field.header
        );
    } else if field.id == Id::Price {
        let otherwise = opened.by_line_total().unwrap_or_else(|| ", or name its column in a profile".to_owned());
        hint = format!("add a column \"Price\" with the price of one piece{otherwise}");
    } else if field.may_be_constant() {
        let set = format!("[defaults] \"{}\" = \"{}\"", field.path, field.example);
        hint = format!("add a column \"{}\", or set it for all orders in shipsheet.toml: {set}", field.header);
    }
    let problem = Problem::error(Code::MissingColumn, format!("no column holds the {}", field.header));
    Some(problem.at(Place::row(first.source(), first.header().row)).on_field(field.path).hint(hint))
}

/// As much of a path as tells the file apart from another of the same name; nothing where the name alone does.
fn told_apart(path: &Path, paths: &[PathBuf]) -> Option<String> {
    let tail = |path: &Path, parts: usize| -> PathBuf {
        let all: Vec<_> = path.components().collect();
        all[all.len().saturating_sub(parts)..].iter().collect()
    };
    let others: Vec<&PathBuf> =
        paths.iter().filter(|other| *other != path && other.file_name() == path.file_name()).collect();
    if others.is_empty() {
        return None;
    }
    let parts = path.components().count();
    let enough = (2..parts).find(|parts| others.iter().all(|other| tail(other, *parts) != tail(path, *parts)));
    Some(tail(path, enough.unwrap_or(parts)).display().to_string())
}

/// A sheet that was given before, under whatever name: its lines would be doubled.
fn given_before(before: &[Planned], sheet: &Sheet, named_twice: bool) -> Result<Option<Problem>, StageError> {
    let mut same = None;
    for other in before.iter().filter(|other| other.sheet.source().worksheet == sheet.source().worksheet) {
        if other.sheet.has_bytes_of(sheet)? {
            same = Some(other);
            break;
        }
    }
    let Some(other) = same else { return Ok(None) };
    let (message, hint) = if named_twice {
        let message = format!("{} is named twice in this command: every line would be sent twice", sheet.source());
        (message, "name it once")
    } else {
        let message =
            format!("{} holds the same as {}: every line would be sent twice", sheet.source(), other.sheet.source());
        (message, "name one of the two")
    };
    let place = Place::row(sheet.source(), sheet.header().row);
    Ok(Some(Problem::error(Code::SheetTwice, message).at(place).hint(hint)))
}
