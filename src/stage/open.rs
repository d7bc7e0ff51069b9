//! Opens sheets and plans their columns, before anything is read in earnest.

use std::path::Path;

use crate::column::decide::{Known, LazySample, decide, has_drifted};
use crate::column::{Columns, Feed};
use crate::event::Events;
use crate::field::{FIELDS, Field, Id, Need, Version, is_named};
use crate::finding::column::{
    ambiguous_layout, currency_clash, layout_changed, missing_column, sheet_notice, unknown_column,
};
use crate::finding::order::missing_order_number;
use crate::finding::{self, Basis, Command, Finding, Reading, Remedy};
use crate::origin::Place;
use crate::parse::{ReadingSettings, country_code, country_in_column};
use crate::profile::{Choice, Guess, Profile, choose, missing_headers, never_taken};
use crate::sheet::{Header, Options, Sheet, SheetError};
use crate::text;

use super::error::StageError;
use super::opened::{OpenOptions, Opened, OpenedSheet, given};

/// Opens every sheet, and tells the events of each. Fails only where none of them can be read.
pub fn open(options: &OpenOptions, events: &mut Events<'_>) -> Result<Opened, StageError> {
    let mut opened = Opened::default();
    for (number, (sheet, path)) in given(options, &mut opened, events)?.into_iter().enumerate() {
        let header = sheet.header().clone();
        let (profile, problem) = recognised(options, number, &sheet, path);
        let levels = options.rules.levels.levels(profile.map(|own| (own.name.as_str(), &own.levels)));
        let basis = |finding: &Finding| Some(basis(&header, finding));
        let is_another = problem.clone().and_then(|own| levels.apply(own, basis)).is_some_and(|own| own.holds());
        let mut said: Vec<Finding> = problem.into_iter().collect();
        let ReadingSettings { ignored_headers: ignored, ready_words: ready, .. } = &options.rules;
        let profile = profile.map(|profile| profile.clone().configured(ignored, ready));
        let profile = profile.as_ref();
        let sample = LazySample::default();
        let (mut columns, mut problems) =
            decide(&sheet, &sample, &Known { profile, ignored, rules: Some(&options.rules) })?;
        if let Some(profile) = profile {
            let again = save_profile(path, &options.sheet, &profile.name, true);
            said.extend(changed_kinds(profile, &sheet, &columns, &sample, &again)?);
        } else if let Some(problem) =
            problems.iter_mut().find(|problem| (problem.id, problem.field.as_deref()) == NO_ORDER_NUMBER)
        {
            let propose = save_profile(path, &options.sheet, "NAME", false);
            let header = Id::OrderNumber.field().header;
            *problem = missing_column::order_number_of_no_profile(header, propose).about(problem);
        }
        said.extend(second_lines(&sheet, &columns, profile, save_profile(path, &options.sheet, "NAME", false))?);
        said.extend(of_other_version(&columns, header.row, options.rules.version));
        said.extend(sheet.notices().iter().cloned());
        // Read by no profile, or by another sheet's, it would lack what it has.
        if !is_another {
            // Of a column that was left out for a better one, that is said, and no more.
            let twice = |unknown: &Finding| {
                problems.iter().any(|known| known.id == finding::Id::DuplicateHeader && known.place == unknown.place)
            };
            let unknown: Vec<Finding> =
                unknown_columns(&columns, header.row, profile).into_iter().filter(|own| !twice(own)).collect();
            said.extend(problems);
            said.extend(unknown);
        }
        columns.levels = levels;
        said.extend(currency_clash(&columns, header.row, &options.rules));
        let said: Vec<Finding> = said.into_iter().filter_map(|finding| columns.levels.apply(finding, basis)).collect();
        columns.levels = columns.levels.behind(&said);
        opened.problems.extend(said);
        opened.columns.add(columns);
        opened.sheets.push(OpenedSheet { path: path.to_owned(), sheet, sample });
    }
    // A sheet whose columns are nearly right gets one list of what it lacks, and not one line after another.
    let errors = opened.problems.iter().filter(|problem| problem.holds());
    if errors.map(|problem| (problem.id, problem.field.as_deref())).all(|found| found == NO_ORDER_NUMBER) {
        opened.missing = missing_columns(&opened, &options.rules);
        let problems: Vec<Finding> = opened.missing.iter().filter_map(|field| no_column(&opened, field)).collect();
        opened.problems.extend(problems);
    }
    Ok(opened)
}

/// What a finding on a whole sheet rests on: its header, and what was found.
fn basis(header: &Header, finding: &Finding) -> Basis {
    let column = finding.place.as_ref().and_then(|place| place.column.as_ref());
    let found = (column.map_or("", |column| column.header.as_str()), finding.found.as_deref().unwrap_or_default());
    finding.resting_on(header.cells.iter().map(|cell| (cell.as_str(), "")).chain([found]))
}

/// A question about rows without an order number that are most likely lines of the order above.
fn second_lines(
    sheet: &Sheet,
    columns: &Columns,
    profile: Option<&Profile>,
    propose: Remedy,
) -> Result<Option<Finding>, SheetError> {
    if profile.is_some_and(|profile| profile.fill_down) {
        return Ok(None);
    }
    let found = first_second_line(sheet, |id| columns.plain(id))?.map(|place| {
        let header = place.column.as_ref().map_or_else(String::new, |column| column.header.clone());
        let question = missing_order_number::of_second_lines(&header, propose).at(place);
        question.on_field(Id::OrderNumber.field().path)
    });
    Ok(found)
}

/// The first row that names a product and no order, below a row that names one, by the columns of fields.
fn first_second_line(sheet: &Sheet, column: impl Fn(Id) -> Option<u32>) -> Result<Option<Place>, SheetError> {
    /// Rows that are looked at.
    const ROWS: usize = 500;
    let (Some(number), Some(product)) = (column(Id::OrderNumber), column(Id::ProductName)) else { return Ok(None) };
    let name = column(Id::ReceiverFirstName);
    let (mut found, mut above) = (None, false);
    sheet.first_rows(ROWS, &mut |_, row| {
        let is_filled = |column: u32| !row.cell(column as usize).text.is_empty();
        let has_number = is_filled(number);
        if found.is_none() && above && !has_number && is_filled(product) && !name.is_some_and(is_filled) {
            let header = sheet.header().cells.get(number as usize).cloned().unwrap_or_default();
            found = Some(Place::cell(sheet.source(), row.number(), number, header));
        }
        above |= has_number;
    })?;
    Ok(found)
}

/// Whether second lines of a sheet lack the order number, by what its columns are guessed to be.
///
/// # Errors
/// The sheet cannot be read.
pub fn lacks_numbers(sheet: &Sheet, guess: &Guess) -> Result<bool, SheetError> {
    let column = |id: Id| guess.column_of(id).map(|guessed| guessed.column.index);
    Ok(first_second_line(sheet, column)?.is_some())
}

/// Columns that hold something else than when their profile was saved, where that matters to their fields.
fn changed_kinds(
    profile: &Profile,
    sheet: &Sheet,
    columns: &Columns,
    sample: &LazySample,
    again: &Remedy,
) -> Result<Vec<Finding>, SheetError> {
    if profile.kinds.is_empty() {
        return Ok(Vec::new());
    }
    let all = (0_u32..).zip(&sheet.header().cells).zip(&sample.of(sheet)?.columns);
    let changed = all.filter_map(|((index, name), seen)| {
        let (before, now) = (profile.kinds.get(name)?, seen.held.word());
        let mut fields = columns.fed().filter(|feed| feed.column == index).map(|feed| feed.field);
        if !fields.any(|field| has_drifted(field, before, now, seen.looks.word())) {
            return None;
        }
        let (_, row, found) = seen.examples.iter().find(|(word, ..)| *word == now)?;
        let changed = layout_changed::kind_changed(name, before, &profile.name, now, again.clone());
        Some(changed.found(found.clone()).at(columns.cell(*row, index)))
    });
    Ok(changed.collect())
}

/// Columns for fields that only the other version of the request has.
fn of_other_version(columns: &Columns, row: u32, version: Version) -> Vec<Finding> {
    let others = columns.fed().filter(|feed| feed.field.need(version) == Need::Absent).map(|feed| {
        let notice = unknown_column::of_other_version(version == Version::V1);
        notice.at(columns.cell(row, feed.column)).found(columns.header(feed.column))
    });
    others.collect()
}

/// Columns that are left out.
fn unknown_columns(columns: &Columns, row: u32, profile: Option<&Profile>) -> Vec<Finding> {
    let is_said = |header: &str| profile.is_some_and(|own| is_named(&own.left_out, header));
    let unknown = columns.unknown().into_iter().filter(|column| !is_said(&column.header)).map(|column| {
        let is_size = columns.get(column.index).says("size") && columns.column(Id::Length).is_none();
        let notice = if is_size { unknown_column::size_in_one() } else { unknown_column::left_out() };
        notice.at(columns.cell(row, column.index)).found(column.header)
    });
    unknown.collect()
}

const NO_ORDER_NUMBER: (finding::Id, Option<&str>) = (finding::Id::MissingColumn, Some("orderNumber"));

/// The profile for a sheet: the one that was answered or named, else the one that its headers call for.
fn recognised<'o>(
    options: &'o OpenOptions,
    number: usize,
    sheet: &Sheet,
    path: &Path,
) -> (Option<&'o Profile>, Option<Finding>) {
    let header = sheet.header();
    if let Some(named) = options.answered.get(&number).or(options.profile.as_ref()) {
        if named.is_by_headers() {
            return (None, None);
        }
        let gone = missing_headers(named, &header.cells);
        // A few columns that are renamed are told one by one; a sheet of another columns is told as a whole.
        let strange = gone.len() * 2 > named.recognised_by.len();
        return (Some(named), strange.then(|| other_layout(named, &gone, sheet, path, &options.sheet)));
    }
    let at = |problem: Finding| problem.at(Place::row(sheet.source(), header.row));
    match choose(&options.saved, &header.cells, &options.rules.ignored_headers) {
        Choice::Headers => (None, unused(options, header).map(at)),
        Choice::One(profile) => (Some(profile), unused(options, header).filter(|_| profile.built_in).map(at)),
        Choice::Several(profiles) => {
            let names: Vec<&str> = profiles.iter().map(|profile| profile.name.as_str()).collect();
            let several = ambiguous_layout::several_profiles(&names, Remedy::profile(names[0]));
            (None, Some(at(several)))
        }
        Choice::Changed(profile, gone) => {
            let again = save_profile(path, &options.sheet, &profile.name, true);
            (None, Some(changed_headers(profile, &gone, sheet, again)))
        }
        Choice::Near(profile, gone) => {
            let name = &profile.name;
            (None, Some(at(sheet_notice::nearly_of_profile(name, &gone, Remedy::profile(name)))))
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

/// Saving a profile that is made for a sheet, read the way it was read here.
fn save_profile(path: &Path, options: &Options, name: &str, replace: bool) -> Remedy {
    let reading = Reading {
        worksheet: options.worksheet.clone(),
        header_row: options.header_row,
        skip_rows: options.skip_rows,
        encoding: options.encoding.clone(),
        delimiter: options.delimiter.map(char::from),
    };
    Remedy::save_profile(path, reading, name, replace)
}

/// A currency in a header that the sheet's constants or the configuration contradict.
fn currency_clash(columns: &Columns, row: u32, rules: &ReadingSettings) -> Option<Finding> {
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
fn missing_columns(opened: &Opened, rules: &ReadingSettings) -> Vec<&'static Field> {
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
            && countries_need(opened, rules, field.id)
    });
    missing.collect()
}

/// Whether any order may need a part of the receiver's address that no sheet has a column for: states and postal codes are
/// none everywhere.
fn countries_need(opened: &Opened, rules: &ReadingSettings, id: Id) -> bool {
    if !matches!(id, Id::DestinationState | Id::DestinationPinCode) {
        return true;
    }
    opened.sheets.iter().zip(opened.columns.iter()).any(|(planned, columns)| {
        // The PIN codes tell the states; where one does not, its order says so.
        let told = id == Id::DestinationState
            && columns.column(Id::DestinationPinCode).is_some()
            && !rules.is_configured_need(id);
        let needed =
            |country: Option<&str>| rules.need_in(id, country) == Need::Required && !(told && country == Some("IN"));
        let constant = columns.default(Id::DestinationCountryCode);
        let constant = constant.or_else(|| rules.default(Id::DestinationCountryCode)).and_then(country_code);
        let is_country = |feed: &Feed| matches!(feed.field.id, Id::DestinationCountryCode | Id::DestinationCountry);
        let fed: Vec<Feed> = columns.fed().filter(is_country).collect();
        // What a profile makes of its cells is known later.
        if fed.is_empty() || fed.iter().any(|feed| feed.step.is_some()) {
            return needed(constant);
        }
        let Ok(sample) = planned.sample.of(&planned.sheet) else { return true };
        // A blank cell means the country of all orders.
        let blank = fed.iter().all(|feed| sample.column(feed.column).filled < sample.rows) && needed(constant);
        // A cell that names no known country holds its own order, not the others.
        let countries = |feed: &Feed| {
            let letters = columns.habit(feed.id()).letters;
            sample.column(feed.column).texts().filter_map(|text| country_in_column(text, letters)).collect::<Vec<_>>()
        };
        let known: Vec<&str> = fed.iter().flat_map(countries).collect();
        blank || known.iter().any(|country| needed(Some(country))) || known.is_empty() && needed(None)
    })
}

fn no_column(opened: &Opened, field: &'static Field) -> Option<Finding> {
    let first = &opened.sheets.first()?.sheet;
    let (name, add) = (field.header, Remedy::add_column(field.header));
    let speaks = || opened.columns.iter().find_map(Columns::speaker_of_payment);
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
