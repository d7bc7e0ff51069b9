//! `profile`: which column of a sheet feeds which field.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Subcommand;
use jiff::Timestamp;
use serde::Serialize;

use crate::check::Rules;
use crate::field::{AmountRole, FIELDS, Field, Id, Need, Version};
use crate::profile::{Choice, Guess, GuessedColumn, Missing, Plan, built_in, built_in_text, choose};
use crate::report::{Causes, write_causes};
use crate::sheet::{Options, Sheet};
use crate::stage::plan_of;
use crate::text::{count, list, shell_quoted, shortened};

use super::candidates::{LIKELY, candidates};
use super::keep::{Kept, keep};
use super::reading::Reading;
use super::seen::Seen;
use crate::cli::args::{Format, Global};
use crate::cli::config::Config;
use crate::cli::console::{note, print, print_json};
use crate::cli::exit::Exit;
use crate::cli::remedy::words;
use crate::cli::settings::{self, Settings};

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum Profile {
    /// Propose a profile for a sheet, from its headers
    ///
    /// Known names first, words like them second, and never against what a column holds; what is not sure is asked.
    /// Example:
    ///
    ///   shipsheet profile guess counter.xlsx --save counter
    Guess {
        /// The sheet; `-` is standard input
        #[arg(value_name = "SHEET")]
        sheet: PathBuf,
        #[command(flatten)]
        reading: Reading,
        /// Keep it under this name; sheets with these headers are then recognised
        #[arg(long, value_name = "NAME")]
        save: Option<String>,
        /// Overwrite a profile of that name
        #[arg(long, requires = "save")]
        replace: bool,
    },
    /// Name all profiles: those that come with the program and your own
    List,
    /// Print a profile
    Show {
        /// Its name or file
        name: String,
    },
    /// Check that a profile is sound, and that it fits a sheet
    Check {
        /// Its name or file
        name: String,
        /// The sheet that it should fit
        sheet: Option<PathBuf>,
        #[command(flatten)]
        reading: Reading,
    },
}

pub(in crate::cli) fn profile(command: &Profile, global: &Global) -> Result<Exit> {
    // Whatever else the configuration says plays no part, not even its mistakes.
    let limits = Config::read(global.config.as_deref()).unwrap_or_default().reading.limits();
    let format = global.format;
    match command {
        Profile::Guess { sheet, reading, save, replace } => {
            let saving = save.as_deref().map(|name| (name, *replace));
            propose(sheet, &reading.options(limits), saving, format)
        }
        Profile::List => all(format),
        Profile::Show { name } => show(name),
        Profile::Check { name, sheet, reading } => check(name, sheet.as_deref(), &reading.options(limits), global),
    }
}

#[derive(Serialize)]
struct ProposedColumn<'a> {
    header: &'a str,
    field: Option<&'static str>,
    confidence: u8,
    perhaps: Option<&'static str>,
    sample: &'a str,
    kind: &'static str,
}

fn propose(path: &Path, options: &Options, saving: Option<(&str, bool)>, format: Format) -> Result<Exit> {
    let sheet = Sheet::open(path, options)?;
    let header = sheet.header();
    let saved = settings::saved_profiles()?;
    let name = saving.map_or("proposed", |(name, _)| name);
    let seen = Seen::of(&sheet)?;
    let mut guess = seen.guess(&header.cells);
    note(format!("{} ({}, header in row {})", sheet.source(), sheet.format(), header.row));
    let known = match choose(&saved, &header.cells, &[]) {
        Choice::One(profile) if profile.built_in => Some(profile),
        _ => None,
    };
    let (plan, _) = plan_of(&sheet, known, &[])?;
    if known.is_some() {
        guess.columns = as_planned(&plan, guess.columns);
    }
    let constant = |id| known.is_some_and(|profile| profile.defaults.contains_key(&id));
    let held = |id| guess.feeds(id) || plan.column(id).is_some() || constant(id);
    guess.missing = missing(held).into_iter().map(|field| perhaps(field, &guess, &seen)).collect();
    let toml = match known {
        Some(profile) => {
            note(format!("recognised as {}: {}", profile.name, profile.title));
            Guess { columns: Vec::new(), ..guess.clone() }.on_top_of(&profile.name, name)
        }
        None => guess.to_toml(name),
    };
    if format == Format::Json {
        let columns = guess.columns.iter().map(|guessed| ProposedColumn {
            header: &guessed.column.header,
            field: guessed.field.map(|field| field.path),
            confidence: guessed.confidence,
            perhaps: guessed.perhaps.map(|field| field.path),
            sample: &guessed.sample,
            kind: guessed.kind,
        });
        print_json(&columns.collect::<Vec<_>>())?;
    } else {
        explain(&guess, &plan);
        if saving.is_none() {
            print(toml.as_bytes())?;
        }
    }
    let sheet = shell_quoted(&path.to_string_lossy());
    let open: Vec<&str> = guess.missing.iter().map(|missing| missing.field.header).collect();
    let Some((name, replace)) = saving else {
        if known.is_some() && open.is_empty() {
            note("nothing needs to be saved");
        } else {
            note(format!("to keep it: shipsheet profile guess {sheet} --save NAME"));
        }
        return Ok(Exit::Done);
    };
    let Kept { path: file, earlier } = keep(name, &toml, replace)?;
    note(format!("saved as {}; sheets with these headers are recognised from now on", file.display()));
    if let Some(earlier) = earlier {
        let (earlier, file) = (earlier.to_string_lossy(), file.to_string_lossy());
        let back = format!("mv {} {}", shell_quoted(&earlier), shell_quoted(&file));
        note(format!("the profile that was there is kept as {earlier}; to have it back: {back}"));
    }
    if !open.is_empty() {
        let file = shell_quoted(&file.to_string_lossy());
        note(format!(
            "next: open {file}, complete the lines that begin with # and take the # away (for {}); then `shipsheet check \
             {sheet}`. At a terminal, `shipsheet import {sheet}` asks for them instead",
            list(&open, "and")
        ));
    }
    Ok(Exit::Done)
}

/// The columns as a recognised profile takes them.
fn as_planned(plan: &Plan, columns: Vec<GuessedColumn>) -> Vec<GuessedColumn> {
    let field = |index: u32| plan.fed().find(|feed| feed.column == index).map(|feed| feed.field);
    let planned = columns.into_iter().map(|guessed| {
        let field = field(guessed.column.index);
        GuessedColumn { field, confidence: if field.is_some() { 100 } else { 0 }, ..guessed }
    });
    planned.collect()
}

/// A missing field with the column that it is likeliest to be.
fn perhaps(field: &'static Field, guess: &Guess, seen: &Seen) -> Missing {
    let best = candidates(field, &guess.columns, seen).into_iter().next().filter(|best| best.confidence >= LIKELY);
    let column = best.and_then(|best| guess.columns.iter().find(|guessed| guessed.column.index == best.column));
    Missing { field, perhaps: column.map(|guessed| guessed.column.header.clone()) }
}

/// Needed fields that nothing holds.
fn missing(held: impl Fn(Id) -> bool) -> Vec<&'static Field> {
    let needed = FIELDS.iter().filter(|field| field.need(Version::V2) == Need::Required);
    let by_name = |id| id == Id::DestinationCountryCode && held(Id::DestinationCountry);
    needed.filter(|field| !held(field.id) && !by_name(field.id)).collect()
}

/// Each column with what it is taken for, and what is still missing.
fn explain(guess: &Guess, plan: &Plan) {
    for guessed in &guess.columns {
        let parts = guess.parts_names(guessed);
        let path = |field: &Field| {
            let last = if parts { format!(" and {}", Id::ReceiverLastName.field().path) } else { String::new() };
            format!("{}{last}", field.path)
        };
        let taken = match guessed.field {
            Some(field) if guessed.confidence == 100 => path(field),
            Some(field) => format!("{} ({} % sure)", path(field), guessed.confidence),
            None => match guessed.perhaps {
                Some(field) => format!("not sent; perhaps {} ({} % sure)", field.path, guessed.confidence),
                None => by_itself(plan, guessed.column.index),
            },
        };
        note(format!("  {} → {taken}   {}", guessed.column.header, shortened(&guessed.sample, 30)));
    }
    let missing = guess.missing.iter().map(|Missing { field, perhaps }| match perhaps {
        Some(header) => format!("{} (perhaps \"{header}\")", field.header),
        None => field.header.to_owned(),
    });
    let missing: Vec<String> = missing.collect();
    if !missing.is_empty() {
        note(format!("needed and not found: {}", list(&missing, "and")));
    }
}

/// What a column that a proposal leaves out feeds all the same.
fn by_itself(plan: &Plan, column: u32) -> String {
    let feeds = || plan.fed().filter(|feed| feed.column == column);
    if let Some(feed) = feeds().find(|feed| feed.product > 0) {
        return format!("{} of product {}", feed.field.path, feed.product + 1);
    }
    if plan.amounts().iter().any(|own| own.column == column && matches!(own.role, AmountRole::Address(_))) {
        return "a part of the address".to_owned();
    }
    // By its header alone it feeds nothing any more, once it is named as left out.
    let paths: Vec<&str> = feeds().filter(|feed| feed.step.is_some()).map(|feed| feed.field.path).collect();
    if paths.is_empty() { "not sent".to_owned() } else { list(&paths, "and") }
}

#[derive(Serialize)]
struct Entry<'a> {
    name: &'a str,
    title: &'a str,
    built_in: bool,
}

fn all(format: Format) -> Result<Exit> {
    let saved = settings::saved_profiles()?;
    let entries = saved.iter().chain(built_in());
    let entries = entries.map(|own| Entry { name: &own.name, title: &own.title, built_in: own.built_in });
    if format == Format::Json {
        print_json(&entries.collect::<Vec<_>>())?;
        return Ok(Exit::Done);
    }
    let mut text = Vec::new();
    for entry in entries {
        let title = if entry.built_in { entry.title } else { "your own" };
        writeln!(text, "{:<20} {title}", entry.name)?;
    }
    print(&text)?;
    Ok(Exit::Done)
}

fn show(name: &str) -> Result<Exit> {
    let found = settings::profile(name)?;
    let path = if Path::new(name).is_file() {
        PathBuf::from(name)
    } else {
        settings::profiles_folder()?.join(format!("{name}.toml"))
    };
    match built_in_text(&found.name).filter(|_| found.built_in) {
        Some(text) => print(text.as_bytes())?,
        None => print(&std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?)?,
    }
    Ok(Exit::Done)
}

fn check(name: &str, sheet: Option<&Path>, options: &Options, global: &Global) -> Result<Exit> {
    let profile = settings::profile(name)?;
    let Some(path) = sheet else {
        note(format!("{} is sound: {}", profile.name, count(profile.columns.len() as u64, "field")));
        return Ok(Exit::Done);
    };
    let sheet = Sheet::open(path, options)?;
    let (plan, problems) = plan_of(&sheet, Some(&profile), &[])?;
    let mut causes = Causes::new(words("shipsheet"));
    for problem in &problems {
        causes.add(problem);
    }
    let mut text = Vec::new();
    write_causes(&mut text, &causes)?;
    print(&text)?;
    if problems.iter().any(|problem| problem.holds()) {
        note(format!("{} does not fit {}", profile.name, sheet.source()));
        return Ok(Exit::SheetProblems);
    }
    let without = without_source(&plan, &profile, global);
    if !without.is_empty() {
        let names: Vec<&str> = without.iter().map(|field| field.header).collect();
        note(format!(
            "{} does not fit {} alone: nothing holds the {}; add columns, or name them in the profile: in [columns], or in \
             [defaults] (there or in shipsheet.toml) where one value holds for all orders",
            profile.name,
            sheet.source(),
            list(&names, "and")
        ));
        return Ok(Exit::SheetProblems);
    }
    note(format!("{} fits {}: {} fed", profile.name, sheet.source(), count(plan.fed().count() as u64, "field")));
    Ok(Exit::Done)
}

/// Needed fields that neither the sheet nor the profile nor the configuration holds.
fn without_source(plan: &Plan, profile: &crate::profile::Profile, global: &Global) -> Vec<&'static Field> {
    let configured = Settings::new(global).and_then(|settings| settings.rules(Timestamp::now(), None));
    // A configuration with mistakes in it holds nothing.
    let rules = configured.unwrap_or_else(|_| Rules::new(Timestamp::now()));
    missing(|id| {
        let constant = profile.defaults.get(&id).map(String::as_str).or_else(|| rules.default(id));
        plan.column(id).is_some() || constant.is_some_and(|text| !text.is_empty()) || rules.need(id) != Need::Required
    })
}
