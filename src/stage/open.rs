//! Opens sheets and plans their columns, before anything is read in earnest.

use std::path::Path;

use crate::check::{Dates, Rules};
use crate::column::decide::{Decided, Known, LazySample, Plan, decide};
use crate::column::{Claim, Columns, Facts, Feed, PaidWhere, SaidOfPayment, named, stand_ins, usual_charges};
use crate::event::Events;
use crate::field::{AmountRole, FIELDS, Field, Id, Need, Sign, Trait, Version, is_named};
use crate::finding::column::{
    ambiguous_layout, currency_clash, layout_changed, missing_column, sheet_notice, unknown_column,
};
use crate::finding::order::missing_order_number;
use crate::finding::{self, Basis, Command, Finding, Remedy};
use crate::origin::Place;
use crate::profile::{Choice, Profile, When, also_fitting, choose, missing_headers, never_taken};
use crate::rule::Levels;
use crate::sheet::{Header, Options, Sheet, SheetError};
use crate::text;

use super::error::StageError;
use super::given::{Given, given};
use super::opened::{OpenOptions, Opened, Planned};
use super::remedies::save_profile;
use super::second_lines::{SecondLineColumns, first_second_line};
use super::{countries, drift, merged};

/// Opens every sheet, and tells the events of each. Fails only where none of them can be read.
pub fn open(options: &OpenOptions, events: &mut Events<'_>) -> Result<Opened, StageError> {
    let Given { sheets, twice, aside } = given(options, events)?;
    let levels = options.rules.levels.levels(None);
    let problems = twice.into_iter().filter_map(|finding| levels.settle(finding, |_| None)).collect();
    let mut opened = Opened { problems, aside, ..Opened::default() };
    for (mut sheet, path) in sheets {
        let header = sheet.header().clone();
        let (profile, problem) = recognised(options, &sheet, path);
        let levels = options.rules.levels.levels(profile.map(|own| (own.name.as_str(), &own.levels)));
        let basis = |finding: &Finding| Some(basis(&header, finding));
        let is_another = problem.clone().and_then(|own| levels.settle(own, basis)).is_some_and(|own| own.holds());
        let mut said: Vec<Finding> = problem.into_iter().collect();
        let Rules { ignored_headers: ignored, ready_words: ready, .. } = &options.rules;
        let profile = profile.map(|profile| profile.clone().configured(ignored, ready));
        let profile = profile.as_ref();
        let sample = LazySample::default();
        let Decided { plan, mut problems, taken, likely } =
            decide(&sheet, &sample, &Known { profile, ignored, rules: Some(&options.rules) })?;
        if let Some(profile) = profile {
            let again = save_profile(path, &options.sheet, &profile.name, true);
            said.extend(drift::changed_kinds(profile, &sheet, &plan, &sample, &again)?);
        } else if let Some(problem) =
            problems.iter_mut().find(|problem| (problem.id, problem.field.as_deref()) == NO_ORDER_NUMBER)
        {
            let propose = save_profile(path, &options.sheet, "NAME", false);
            let header = Id::OrderNumber.field().header;
            *problem = missing_column::order_number_of_no_profile(header, propose).about(problem);
        }
        said.extend(second_lines(&sheet, &plan, profile, save_profile(path, &options.sheet, "NAME", false))?);
        said.extend(of_other_version(&sheet, &plan, options.rules.version));
        said.extend(sheet.notices().iter().cloned());
        // Read by no profile, or by another sheet's, it would lack what it has.
        if !is_another {
            // Of a column that was left out for a better one, that is said, and no more.
            let twice = |unknown: &Finding| {
                problems.iter().any(|known| known.id == finding::Id::DuplicateHeader && known.place == unknown.place)
            };
            let unknown: Vec<Finding> =
                unknown_columns(&sheet, &plan, profile).into_iter().filter(|own| !twice(own)).collect();
            said.extend(problems);
            said.extend(unknown);
        }
        if sheet.merges_cells() {
            let questions = merged::open_questions(&sheet, &plan)?;
            sheet.note_rows(questions);
        }
        let levels = levels.believing(believed(&sheet, &plan));
        let columns = columns(&sheet, &plan, profile, levels, &options.rules);
        said.extend(currency_clash(&columns, header.row, &options.rules));
        opened.problems.extend(said.into_iter().filter_map(|finding| columns.levels().settle(finding, basis)));
        opened.columns.add(columns);
        opened.sheets.push(Planned { path: path.to_owned(), sheet, plan, taken, likely, sample });
    }
    // A sheet whose columns are nearly right gets one list of what it lacks, and not one line after another.
    let errors = opened.problems.iter().filter(|problem| problem.holds());
    if errors.map(|problem| (problem.id, problem.field.as_deref())).all(|found| found == NO_ORDER_NUMBER) {
        opened.missing = missing_columns(&opened, &options.rules);
        let problems: Vec<Finding> = opened.missing.iter().filter_map(|field| no_column(&opened, field)).collect();
        opened.problems.extend(problems);
    }
    if !opened.is_unusable() {
        // Nobody is asked anything of them.
        opened.sheets.iter_mut().for_each(|planned| planned.sample = LazySample::default());
    }
    Ok(opened)
}

/// What a finding on a whole sheet rests on: its header, and what was found.
fn basis(header: &Header, finding: &Finding) -> Basis {
    let column = finding.place.as_ref().and_then(|place| place.column.as_ref());
    let found = (column.map_or("", |column| column.header.as_str()), finding.found.as_deref().unwrap_or_default());
    Basis::of(header.cells.iter().map(|cell| (cell.as_str(), "")).chain([found]))
}

/// A question about rows without an order number that are most likely lines of the order above.
fn second_lines(
    sheet: &Sheet,
    plan: &Plan,
    profile: Option<&Profile>,
    propose: Remedy,
) -> Result<Option<Finding>, SheetError> {
    let column = |id: Id| plan.fed().find(|feed| feed.field.id == id && feed.step.is_none()).map(|feed| feed.column);
    let is_settled = profile.is_some_and(|profile| profile.fill_down);
    let (false, Some(number), Some(product)) = (is_settled, column(Id::OrderNumber), column(Id::ProductName)) else {
        return Ok(None);
    };
    let columns = SecondLineColumns { number, product, name: column(Id::ReceiverFirstName) };
    let Some(row) = first_second_line(sheet, columns)? else { return Ok(None) };
    let header = sheet.header().cells.get(number as usize).cloned().unwrap_or_default();
    let place = Place::cell(sheet.source(), row, number, header.clone());
    Ok(Some(missing_order_number::of_second_lines(&header, propose).at(place).on_field(Id::OrderNumber.field().path)))
}

/// Columns for fields that only the other version of the request has.
fn of_other_version(sheet: &Sheet, plan: &Plan, version: Version) -> Vec<Finding> {
    let others = plan.fed().filter(|feed| feed.field.need(version) == Need::Absent).map(|feed| {
        let header = sheet.header().cells.get(feed.column as usize).cloned().unwrap_or_default();
        let place = Place::cell(sheet.source(), sheet.header().row, feed.column, header.clone());
        unknown_column::of_other_version(version == Version::V1).at(place).found(header)
    });
    others.collect()
}

/// Columns that are left out.
fn unknown_columns(sheet: &Sheet, plan: &Plan, profile: Option<&Profile>) -> Vec<Finding> {
    let is_said = |header: &str| profile.is_some_and(|own| is_named(&own.left_out, header));
    let unknown = plan.unknown().iter().filter(|column| !is_said(&column.header)).map(|column| {
        let is_size = plan.reading(column.index).is(Trait::Size) && plan.column(Id::Length).is_none();
        let notice = if is_size { unknown_column::size_in_one() } else { unknown_column::left_out() };
        let place = Place::cell(sheet.source(), sheet.header().row, column.index, column.header.clone());
        notice.at(place).found(column.header.clone())
    });
    unknown.collect()
}

const NO_ORDER_NUMBER: (finding::Id, Option<&str>) = (finding::Id::MissingColumn, Some("orderNumber"));

/// The profile for a sheet: the one that was named, else the one that its headers call for.
fn recognised<'o>(options: &'o OpenOptions, sheet: &Sheet, path: &Path) -> (Option<&'o Profile>, Option<Finding>) {
    let header = sheet.header();
    if let Some(named) = &options.profile {
        let gone = missing_headers(named, &header.cells);
        // A few columns that are renamed are told one by one; a sheet of another columns is told as a whole.
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
            let several = ambiguous_layout::several_profiles(&names, Remedy::profile(names[0]));
            (None, Some(several.at(place)))
        }
        Choice::Changed(profile, gone) => {
            let again = save_profile(path, &options.sheet, &profile.name, true);
            (None, Some(changed_headers(profile, &gone, sheet, again)))
        }
        Choice::Near(profile, gone) => {
            let name = &profile.name;
            (None, Some(sheet_notice::nearly_of_profile(name, &gone, Remedy::profile(name)).at(place)))
        }
    }
}

/// A saved profile that speaks of the sheet's headers, and that no sheet ever calls for.
fn unused(options: &OpenOptions, header: &Header) -> Option<Finding> {
    let (profile, named) = never_taken(&options.saved, &header.cells)?;
    let name = &profile.name;
    let file = profile.file.as_ref().map_or_else(|| name.clone(), |file| file.display().to_string());
    let edit = Remedy::EditProfile { file };
    Some(sheet_notice::profile_never_used(name, &named, edit, Remedy::profile(name)))
}

/// A sheet that is none of the profile that was named for it.
fn other_layout(profile: &Profile, gone: &[String], sheet: &Sheet, path: &Path, options: &Options) -> Finding {
    let header = sheet.header();
    let all = profile.recognised_by.len();
    let had = Some(all - gone.len()).filter(|had| *had > 0);
    let filled: Vec<&str> = header.cells.iter().map(String::as_str).filter(|cell| !cell.is_empty()).collect();
    let list = Remedy::RunCommand { command: Command::ListProfiles };
    let propose = save_profile(path, options, "NAME", false);
    layout_changed::another_layout(&profile.name, had, all, gone, Remedy::RecogniseSheet, list, propose)
        .at(Place::row(sheet.source(), header.row))
        .found(text::shortened(&filled.join(", "), 200))
}

/// Other saved profiles that fit too.
fn less_fitting(options: &OpenOptions, header: &Header, chosen: &Profile) -> Option<Finding> {
    let others = also_fitting(&options.saved, &header.cells, chosen);
    let names: Vec<&str> = others.iter().map(|profile| profile.name.as_str()).collect();
    let first = names.first()?;
    Some(sheet_notice::other_profiles_fit(&chosen.name, &names, Remedy::profile(*first)))
}

/// Headers of a saved profile that are gone, with what they may be called now.
fn changed_headers(profile: &Profile, gone: &[String], sheet: &Sheet, again: Remedy) -> Finding {
    let header = sheet.header();
    let new: Vec<&str> =
        header.cells.iter().map(String::as_str).filter(|cell| !cell.is_empty() && !profile.knows(cell)).collect();
    let now_called = |name: &str| match new.as_slice() {
        [only] if gone.len() == 1 => Some(*only),
        _ => text::nearest(name, new.iter().copied()),
    };
    let missing: Vec<Finding> = gone.iter().map(|gone| layout_changed::gone(gone, now_called(gone))).collect();
    let renamed = gone.iter().map(|name| Some(layout_changed::renamed(now_called(name)?, name)));
    let renamed: Option<Vec<Finding>> = renamed.collect();
    let (name, by_headers) = (&profile.name, Remedy::profile("shipsheet"));
    let changed = match (renamed, &profile.file) {
        _ if profile.built_in => sheet_notice::nearly_of_program(name, missing, Remedy::ignore(&gone[0])),
        // What a person has completed there stays as it is.
        (Some(renamed), Some(file)) => {
            let edit = Remedy::EditProfile { file: file.display().to_string() };
            layout_changed::headers_renamed(name, missing, renamed, edit, by_headers)
        }
        _ => layout_changed::headers_gone(name, missing, again, by_headers),
    };
    let cell = gone.iter().find_map(|gone| {
        let now = now_called(gone)?;
        let index = header.cells.iter().position(|cell| cell == now)?;
        Some(Place::cell(sheet.source(), header.row, u32::try_from(index).ok()?, now))
    });
    let place = cell.unwrap_or_else(|| Place::row(sheet.source(), header.row));
    changed.at(place)
}

/// The columns whose cells are believed, each with its field's path: those that a field's API path names, and in our starter
/// sheet those with its headers.
fn believed(sheet: &Sheet, plan: &Plan) -> Vec<(u32, &'static str)> {
    /// Headers that no other sheet has together.
    const OURS: [Id; 4] = [Id::ReceiverFirstName, Id::ReceiverLastName, Id::ReceiverPhone, Id::DestinationLine1];
    let header = |feed: &Feed| sheet.header().cells.get(feed.column as usize).map_or("", String::as_str);
    let own = |feed: &Feed| feed.step.is_none() && header(feed) == feed.field.header;
    let is_ours = OURS.iter().all(|id| plan.fed().any(|feed| feed.field.id == *id && own(&feed)));
    let is_named = |feed: &Feed| (feed.step.is_none() && header(feed) == feed.field.path) || (is_ours && own(feed));
    plan.fed().filter(is_named).map(|feed| (feed.column, feed.field.path)).collect()
}

/// Whether the profile or the configuration says one value of a field for all orders.
fn is_constant(id: Id, profile: Option<&Profile>, rules: &Rules) -> bool {
    let of_profile = profile.and_then(|profile| profile.defaults.get(&id)).map(String::as_str);
    of_profile.or_else(|| rules.configured(id)).is_some_and(|text| !text.is_empty())
}

fn columns(sheet: &Sheet, plan: &Plan, profile: Option<&Profile>, levels: Levels, rules: &Rules) -> Columns {
    let headers = &sheet.header().cells;
    let paid_where = profile.and_then(|profile| profile.columns.get(&Id::OrderType)).and_then(|recipe| {
        let When { column, is } = recipe.when.clone().filter(|_| recipe.otherwise.is_some())?;
        Some(PaidWhere { column, is, unless: recipe.unless.clone() })
    });
    let (feeds, mut claims): (Vec<Feed>, _) = (plan.fed().collect(), plan.amounts().to_vec());
    let says_paid = |header: &String| paid_where.as_ref().is_some_and(|paid| paid.is_of(header));
    if let Some(column) = headers.iter().position(says_paid).and_then(|column| u32::try_from(column).ok()) {
        claims.push(Claim { role: AmountRole::Sign(Sign::Payment), column, each_line: false, by_header: false });
    }
    let stand_ins = stand_ins(plan.readings(), &feeds, &claims);
    let all = named(headers, plan.readings(), &feeds, &claims);
    let charges = usual_charges();
    let units = plan.units().to_vec();
    let constant_product = plan.column(Id::ProductName).is_none() && is_constant(Id::ProductName, profile, rules);
    let own = &rules.words;
    let words = profile.map_or_else(|| own.clone(), |profile| profile.words.with(own)).vocabulary().unwrap_or_default();
    let mut facts = Facts { charges, units, claims, stand_ins, constant_product, levels, words, ..Facts::default() };
    facts.paid_where = paid_where;
    if let Some(profile) = profile {
        facts.defaults = profile.defaults.clone().into_iter().collect();
        let dates = profile.dates.clone();
        facts.dates = Some(Dates { formats: dates.formats, zone: dates.time_zone });
        // A field whose own columns are not there may be fed by another one, which is read as its header says.
        let followed = || profile.columns.iter().filter(|(id, recipe)| plan.follows(**id, recipe));
        facts.scales = followed().filter_map(|(id, recipe)| Some((*id, recipe.scale?))).collect();
        facts.parts = followed().filter(|(_, recipe)| recipe.each_line).map(|(id, _)| *id).collect();
        facts.profile = Some(profile.name.clone());
        facts.own_profile = !profile.built_in;
        facts.per_piece = followed().any(|(id, recipe)| *id == Id::LineDiscount && recipe.per_piece);
        facts.line_total = followed().any(|(id, recipe)| *id == Id::Price && recipe.is_line_total());
    }
    facts.line_total |= plan.has_line_total();
    facts.payment = match () {
        () if plan.is_collected() => SaidOfPayment::Collected,
        () if plan.speaks_of_payment() => SaidOfPayment::Something,
        () => SaidOfPayment::Nothing,
    };
    Columns::new(sheet.source().clone(), all, &feeds, facts)
}

/// A currency in a header that the sheet's constants or the configuration contradict.
fn currency_clash(columns: &Columns, row: u32, rules: &Rules) -> Option<Finding> {
    let id = Id::CurrencyCode;
    let (Some(unit), None) = (columns.unit(id), columns.column(id)) else { return None };
    let said = columns.default(id).or_else(|| rules.configured(id));
    // A sign that may be several currencies needs one of them by name.
    let needed = said.or_else(|| if unit.words.len() > 1 { rules.default(id) } else { None });
    let other = needed.filter(|other| !unit.words.iter().any(|word| word.eq_ignore_ascii_case(other)))?;
    let place = columns.cell(row, unit.column);
    let header = place.column.as_ref().map_or_else(String::new, |column| column.header.clone());
    let field = id.field();
    let set = Remedy::default_of(field.path, Some(unit.words[0]));
    let clash = currency_clash::with_constant(&header, other, Remedy::add_column(field.header), set);
    Some(clash.at(place).on_field(field.path).found(header))
}

/// Needed fields that no sheet of the run holds and nothing stands in for: no order could go.
fn missing_columns(opened: &Opened, rules: &Rules) -> Vec<&'static Field> {
    let held = |id: Id| {
        let in_sheet = |columns: &Columns| columns.column(id).is_some() || columns.default(id).is_some();
        rules.default(id).is_some_and(|text| !text.is_empty()) || opened.columns.iter().any(in_sheet)
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

fn no_column(opened: &Opened, field: &'static Field) -> Option<Finding> {
    let first = &opened.sheets.first()?.sheet;
    let (name, add) = (field.header, Remedy::add_column(field.header));
    let speaks = || opened.sheets.iter().find_map(|planned| planned.plan.speaker_of_payment());
    let missing = if let Some(other) = speaks().filter(|_| field.id == Id::OrderType) {
        missing_column::needed_payment(name, other, add)
    } else if field.id == Id::Price && opened.likely(field.id).is_none() {
        missing_column::needed_price(name, opened.possible_line_total(), add)
    } else if let Some(likely) = opened.likely(field.id) {
        missing_column::needed_likely(name, &likely.column.header, add)
    } else if field.may_be_constant() {
        missing_column::needed_constant(name, add, Remedy::default_of(field.path, Some(field.example)))
    } else {
        missing_column::needed(name, add)
    };
    Some(missing.at(Place::row(first.source(), first.header().row)).on_field(field.path))
}
