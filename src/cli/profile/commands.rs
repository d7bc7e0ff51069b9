//! `profile`: which column of a sheet feeds which field.

use std::borrow::Cow;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Subcommand;
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::{Exit, Fit, Kept, Proposal, SheetFit};
use crate::cli::screen::{Causes, write_causes};
use crate::column::Columns;
use crate::field::{ExtraRole, Field, Id};
use crate::profile::{self, Guess, Missing};
use crate::report::ProblemEntry;
use crate::sheet::{Options, Sheet};
use crate::text::{count, list, shell_quoted, shortened};

use super::reading::Reading;
use crate::cli::console::{note, print};
use crate::cli::document::{Kind, print_document};
use crate::cli::global::{Format, Global};
use crate::cli::remedy::words;
use crate::cli::settings::Settings;

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
    let settings = &Settings::lenient(global)?;
    match command {
        Profile::Guess { sheet, reading, save, replace } => {
            let saving = save.as_deref().map(|name| (name, *replace));
            propose(settings, sheet, &reading.options(), saving)
        }
        Profile::List => all(settings),
        Profile::Show { name } => show(settings, name),
        Profile::Check { name, sheet, reading } => check(settings, name, sheet.as_deref(), &reading.options()),
    }
}

/// The document of `profile guess`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "A profile that is proposed for a sheet")]
pub(in crate::cli) struct GuessDocument<'a> {
    /// The sheet.
    sheet: String,
    /// The row that holds the header, counted from 1.
    header_row: u32,
    /// The profile that comes with the program and knows the sheet; null where none does.
    known: Option<&'a str>,
    /// Every column with a header.
    columns: Vec<ProposedColumn<'a>>,
    /// API paths of needed fields that no column feeds.
    missing: Vec<&'static str>,
    /// The profile as a file has it.
    toml: &'a str,
    /// Where it was saved; null where it was not.
    saved: Option<Saved<'a>>,
    exit: Exit,
}

/// One column.
#[derive(Serialize, JsonSchema)]
struct ProposedColumn<'a> {
    /// Its header.
    header: &'a str,
    /// The API path of the field that it feeds; null where it feeds none.
    field: Option<&'static str>,
    /// How sure that is, in percent: 100 is a known name.
    #[schemars(range(max = 100))]
    confidence: u8,
    /// The API path of the field that it may be, where that is not sure enough.
    perhaps: Option<&'static str>,
    /// A value of it.
    sample: &'a str,
    /// The kind of its cells: `text`, `number`, `digits`, `date`, or nothing.
    kind: &'static str,
}

/// The saved profile.
#[derive(Serialize, JsonSchema)]
struct Saved<'a> {
    /// Its name.
    name: &'a str,
    /// Its file.
    file: String,
    /// Where the earlier profile of that name is now; null where there was none.
    earlier: Option<String>,
}

fn propose(settings: &Settings, path: &Path, options: &Options, saving: Option<(&str, bool)>) -> Result<Exit> {
    let name = saving.map_or("proposed", |(name, _)| name);
    let Proposal { sheet, guess, columns, known, toml } = settings.app.propose_profile(path, options, name)?;
    note(format!("{} ({}, header in row {})", sheet.source(), sheet.format(), sheet.header().row));
    if let Some(profile) = &known {
        note(format!("recognised as {}: {}", profile.name, profile.title));
    }
    if settings.format == Format::Human {
        explain(&guess, &columns);
        if saving.is_none() {
            print(toml.as_bytes())?;
        }
    }
    let kept = saving.map(|(name, replace)| settings.app.keep_profile(name, &toml, replace)).transpose()?;
    let open: Vec<&str> = guess.missing.iter().map(|missing| missing.field.header).collect();
    say_next(path, known.is_some(), &open, kept.as_ref());
    if settings.format == Format::Json {
        let known = known.as_ref().map(|profile| profile.name.as_str());
        print_document(Kind::ProfileGuess, &proposed(&sheet, &guess, known, &toml, kept.as_ref()))?;
    }
    Ok(Exit::Done)
}

fn proposed<'a>(
    sheet: &Sheet,
    guess: &'a Guess,
    known: Option<&'a str>,
    toml: &'a str,
    kept: Option<&'a Kept>,
) -> GuessDocument<'a> {
    let columns = guess.columns.iter().map(|guessed| ProposedColumn {
        header: &guessed.column.header,
        field: guessed.field.map(|field| field.path),
        confidence: guessed.confidence,
        perhaps: guessed.perhaps.map(|field| field.path),
        sample: &guessed.sample,
        kind: guessed.kind,
    });
    let text = |path: &PathBuf| path.display().to_string();
    GuessDocument {
        sheet: sheet.source().to_string(),
        header_row: sheet.header().row,
        known,
        columns: columns.collect(),
        missing: guess.missing.iter().map(|missing| missing.field.path).collect(),
        toml,
        saved: kept.map(|Kept { name, path, earlier }| Saved {
            name,
            file: text(path),
            earlier: earlier.as_ref().map(text),
        }),
        exit: Exit::Done,
    }
}

/// What became of the proposal, and what to do next.
fn say_next(path: &Path, is_known: bool, open: &[&str], kept: Option<&Kept>) {
    let sheet = shell_quoted(&path.to_string_lossy());
    let Some(Kept { path: file, earlier, .. }) = kept else {
        if is_known && open.is_empty() {
            note("nothing needs to be saved");
        } else {
            note(format!("to keep it: shipsheet profile guess {sheet} --save NAME"));
        }
        return;
    };
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
            list(open, "and")
        ));
    }
}

/// Each column with what it is taken for, and what is still missing.
fn explain(guess: &Guess, columns: &Columns) {
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
                None => by_itself(columns, guessed.column.index),
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
fn by_itself(columns: &Columns, column: u32) -> String {
    let feeds = || columns.fed().filter(|feed| feed.column == column);
    if let Some(feed) = feeds().find(|feed| feed.product > 0) {
        return format!("{} of product {}", feed.field.path, feed.product + 1);
    }
    if columns.claims.iter().any(|own| own.column == column && matches!(own.role, ExtraRole::Address(_))) {
        return "a part of the address".to_owned();
    }
    // By its header alone it feeds nothing any more, once it is named as left out.
    let paths: Vec<&str> = feeds().filter(|feed| feed.step.is_some()).map(|feed| feed.field.path).collect();
    if paths.is_empty() { "not sent".to_owned() } else { list(&paths, "and") }
}

/// The document of `profile list`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Profiles")]
pub(in crate::cli) struct ListDocument<'a> {
    /// The user's own, then those that come with the program.
    profiles: Vec<Entry<'a>>,
    exit: Exit,
}

/// One profile.
#[derive(Serialize, JsonSchema)]
struct Entry<'a> {
    /// Its name.
    name: &'a str,
    /// Its purpose.
    title: &'a str,
    /// Whether it comes with the program.
    built_in: bool,
}

fn all(settings: &Settings) -> Result<Exit> {
    let profiles = settings.app.profiles()?;
    let entries = profiles.iter().map(|own| Entry { name: &own.name, title: &own.title, built_in: own.built_in });
    if settings.format == Format::Json {
        print_document(Kind::ProfileList, &ListDocument { profiles: entries.collect(), exit: Exit::Done })?;
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

/// The document of `profile show`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "A profile")]
pub(in crate::cli) struct ShowDocument<'a> {
    /// Its name or file, as it was given.
    name: &'a str,
    /// The text of its file.
    toml: Cow<'a, str>,
    exit: Exit,
}

fn show(settings: &Settings, name: &str) -> Result<Exit> {
    let text = settings.app.profile_text(name)?;
    if settings.format == Format::Json {
        let toml = String::from_utf8_lossy(&text);
        print_document(Kind::ProfileShow, &ShowDocument { name, toml, exit: Exit::Done })?;
    } else {
        print(&text)?;
    }
    Ok(Exit::Done)
}

/// The document of `profile check`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "A profile, and how it fits a sheet")]
pub(in crate::cli) struct CheckDocument<'a> {
    /// Its name.
    profile: &'a str,
    /// Fields that it names.
    fields: usize,
    /// How it fits the sheet; null where none was named.
    sheet: Option<FitEntry<'a>>,
    /// Every problem, in the order in which they were found.
    #[schemars(schema_with = "ProblemEntry::list")]
    problems: Vec<ProblemEntry>,
    exit: Exit,
}

/// The sheet.
#[derive(Serialize, JsonSchema)]
struct FitEntry<'a> {
    /// The sheet.
    name: &'a str,
    /// Whether orders can be read from it by this profile.
    fits: bool,
    /// Fields that are fed.
    fed: usize,
    /// API paths of needed fields that nothing feeds.
    missing: Vec<&'static str>,
}

fn check(settings: &Settings, name: &str, sheet: Option<&Path>, options: &Options) -> Result<Exit> {
    let Fit { profile, sheet } = settings.app.check_profile(name, sheet, options)?;
    let exit = match &sheet {
        Some(fit) if fit.is_unusable() || !fit.without.is_empty() => Exit::SheetProblems,
        _ => Exit::Done,
    };
    if settings.format == Format::Human {
        write_problems(sheet.as_ref())?;
    }
    say_fit(&profile, sheet.as_ref());
    if settings.format == Format::Json {
        let words = words("shipsheet");
        let problems = sheet.iter().flat_map(|fit| &fit.problems);
        let document = CheckDocument {
            profile: &profile.name,
            fields: profile.columns.len(),
            sheet: sheet.as_ref().map(|fit| FitEntry {
                name: &fit.name,
                fits: exit == Exit::Done,
                fed: fit.fed,
                missing: fit.without.iter().map(|field| field.path).collect(),
            }),
            problems: problems.map(|finding| ProblemEntry::of(finding, &words)).collect(),
            exit,
        };
        print_document(Kind::ProfileCheck, &document)?;
    }
    Ok(exit)
}

fn write_problems(fit: Option<&SheetFit>) -> Result<()> {
    let mut causes = Causes::new(words("shipsheet"));
    for problem in fit.iter().flat_map(|fit| &fit.problems) {
        causes.add(problem);
    }
    let mut text = Vec::new();
    write_causes(&mut text, &causes)?;
    print(&text)
}

/// Whether a profile is sound, and fits the sheet, in a sentence.
fn say_fit(profile: &profile::Profile, fit: Option<&SheetFit>) {
    let Some(fit) = fit else {
        return note(format!("{} is sound: {}", profile.name, count(profile.columns.len() as u64, "field")));
    };
    if fit.is_unusable() {
        note(format!("{} does not fit {}", profile.name, fit.name));
    } else if fit.without.is_empty() {
        note(format!("{} fits {}: {} fed", profile.name, fit.name, count(fit.fed as u64, "field")));
    } else {
        let names: Vec<&str> = fit.without.iter().map(|field| field.header).collect();
        note(format!(
            "{} does not fit {} alone: nothing holds the {}; add columns, or name them in the profile: in [columns], or in \
             [defaults] (there or in shipsheet.toml) where one value holds for all orders",
            profile.name,
            fit.name,
            list(&names, "and")
        ));
    }
}
