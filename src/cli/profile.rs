//! `profile`: which column of a sheet feeds which field; and how a sheet is to be read.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use serde::Serialize;

use crate::field::{FIELDS, Need, Version};
use crate::problem::Severity;
use crate::profile::{Choice, Guess, Plan, built_in, built_in_text, choose, guess, kind_word};
use crate::report::{Causes, write_causes};
use crate::sheet::{Limits, Options, Sheet};
use crate::text::{count, list, shortened};

use super::args::{Format, Global};
use super::config::Config;
use super::console::{note, print, print_json};
use super::exit::Exit;
use super::settings;

/// How a sheet is to be read, where the program would see it otherwise.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct Reading {
    /// The worksheet, by name or number
    #[arg(long, value_name = "NAME", alias = "sheet")]
    pub(super) worksheet: Option<String>,
    /// The row that holds the column names, as a spreadsheet or editor counts it
    #[arg(long, value_name = "ROW", value_parser = clap::value_parser!(u32).range(1..))]
    header_row: Option<u32>,
    /// Rows at the top that are neither column names nor orders
    #[arg(long, value_name = "ROWS", default_value_t = 0, hide_default_value = true, conflicts_with = "header_row")]
    skip_rows: u32,
    /// The encoding of a text file, for instance utf-8, utf-16le or windows-1252
    #[arg(long, value_name = "NAME")]
    encoding: Option<String>,
    /// What stands between the cells of a text file: comma, semicolon, tab, pipe or the character itself
    #[arg(long, value_name = "CHARACTER", value_parser = delimiter)]
    delimiter: Option<u8>,
}

impl Reading {
    pub(super) fn options(&self, limits: Limits) -> Options {
        Options {
            limits,
            worksheet: self.worksheet.clone(),
            encoding: self.encoding.clone(),
            delimiter: self.delimiter,
            header_row: self.header_row,
            skip_rows: self.skip_rows,
            helper: std::env::current_exe().ok(),
            ..Options::default()
        }
    }
}

fn delimiter(text: &str) -> Result<u8, String> {
    match text.to_ascii_lowercase().as_str() {
        "comma" => Ok(b','),
        "semicolon" => Ok(b';'),
        "tab" | "\\t" => Ok(b'\t'),
        "pipe" => Ok(b'|'),
        _ => match text.as_bytes() {
            [byte] if byte.is_ascii_punctuation() && *byte != b'"' || text == "\t" => Ok(*byte),
            _ => Err("write comma, semicolon, tab, pipe or one character".to_owned()),
        },
    }
}

#[derive(Debug, Subcommand)]
pub(super) enum Profile {
    /// Propose a profile for a sheet, from its headers
    ///
    /// Known names first, likeness in spelling second; what is not sure says so. Example:
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

pub(super) fn profile(command: &Profile, global: &Global) -> Result<Exit> {
    // Whatever else the configuration says plays no part, not even its mistakes.
    let limits = Config::read(global.config.as_deref()).unwrap_or_default().reading.limits();
    match command {
        Profile::Guess { sheet, reading, save, replace } => {
            let saving = save.as_deref().map(|name| (name, *replace));
            propose(sheet, &reading.options(limits), saving, global.format)
        }
        Profile::List => all(global.format),
        Profile::Show { name } => show(name),
        Profile::Check { name, sheet, reading } => check(name, sheet.as_deref(), &reading.options(limits)),
    }
}

#[derive(Serialize)]
struct ProposedColumn<'a> {
    header: &'a str,
    field: Option<&'static str>,
    confidence: u8,
    sample: &'a str,
    kind: &'static str,
}

fn propose(path: &Path, options: &Options, saving: Option<(&str, bool)>, format: Format) -> Result<Exit> {
    let sheet = Sheet::open(path, options)?;
    let header = sheet.header();
    let saved = settings::saved_profiles()?;
    let name = saving.map_or("proposed", |(name, _)| name);
    let guess = guessed(&sheet)?;
    note(format!("{} ({}, header in row {})", sheet.source(), sheet.format(), header.row));
    let toml = match choose(&saved, &header.cells) {
        Choice::One(profile) if profile.built_in => {
            note(format!("recognised as {}: {}. Nothing needs to be saved", profile.name, profile.title));
            let text = built_in_text(&profile.name).unwrap_or_default();
            text.replacen(&format!("name = \"{}\"", profile.name), &format!("name = {}", toml_text(name)), 1)
        }
        _ => guess.to_toml(name),
    };
    if format == Format::Json {
        let columns = guess.columns.iter().map(|guessed| ProposedColumn {
            header: &guessed.column.header,
            field: guessed.field.map(|field| field.path),
            confidence: guessed.confidence,
            sample: &guessed.sample,
            kind: guessed.kind,
        });
        print_json(&columns.collect::<Vec<_>>())?;
    } else {
        explain(&guess);
        if saving.is_none() {
            print(toml.as_bytes())?;
        }
    }
    let Some((name, replace)) = saving else {
        note(format!(
            "to keep it: shipsheet profile guess {} --save NAME",
            settings::shell_quoted(&path.to_string_lossy())
        ));
        return Ok(Exit::Done);
    };
    let file = keep(name, &toml, replace)?;
    note(format!("saved as {}; sheets with these headers are recognised from now on", file.display()));
    Ok(Exit::Done)
}

fn toml_text(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// A proposal from the headers, with a value and the kind of each column's first filled cell.
fn guessed(sheet: &Sheet) -> Result<Guess> {
    /// Rows in which a value is looked for.
    const ROWS: usize = 200;
    let cells = &sheet.header().cells;
    let mut seen: Vec<(String, &'static str)> = vec![(String::new(), ""); cells.len()];
    let mut rows = 0;
    sheet.read(&mut |row| {
        if row.is_blank() || row.skip().is_some() {
            return ControlFlow::Continue(());
        }
        for (cell, (sample, kind)) in row.cells().zip(&mut seen) {
            if sample.is_empty() && !cell.text.is_empty() {
                sample.push_str(cell.text);
            }
            let word = kind_word(cell.kind);
            if !word.is_empty() && (kind.is_empty() || word == "text") {
                *kind = word;
            }
        }
        rows += 1;
        if rows < ROWS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    Ok(guess(cells, |index| seen.get(index).cloned().unwrap_or_default()))
}

/// Each column with what it is taken for, and what is still missing.
fn explain(guess: &Guess) {
    for guessed in &guess.columns {
        let taken = match guessed.field {
            Some(field) if guessed.confidence == 100 => field.path.to_owned(),
            Some(field) => format!("{} ({} % sure)", field.path, guessed.confidence),
            None => "not sent".to_owned(),
        };
        note(format!("  {} → {taken}   {}", guessed.column.header, shortened(&guessed.sample, 30)));
    }
    let missing = FIELDS.iter().filter(|field| field.need(Version::V2) == Need::Required && !guess.feeds(field.id));
    let missing: Vec<&str> = missing.map(|field| field.header).collect();
    if !missing.is_empty() {
        note(format!("needed and not found: {}", list(&missing, "and")));
    }
}

/// Writes a profile into the user's folder.
fn keep(name: &str, toml: &str, replace: bool) -> Result<PathBuf> {
    let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
    if !plain {
        bail!(super::Usage(format!("\"{name}\" is no name for a profile: write letters, digits, - and _")));
    }
    if built_in().iter().any(|profile| profile.name == name) {
        bail!(super::Usage(format!("{name} is a profile that comes with the program: take another name")));
    }
    let folder = settings::profiles_folder()?;
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let path = folder.join(format!("{name}.toml"));
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(!replace).create(true).truncate(replace);
    let mut file = options.open(&path).with_context(|| {
        format!("cannot write the profile {} (--replace overwrites one that is there)", path.display())
    })?;
    file.write_all(toml.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
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

fn check(name: &str, sheet: Option<&Path>, options: &Options) -> Result<Exit> {
    let profile = settings::profile(name)?;
    let Some(path) = sheet else {
        note(format!("{} is sound: {}", profile.name, count(profile.columns.len() as u64, "field")));
        return Ok(Exit::Done);
    };
    let sheet = Sheet::open(path, options)?;
    let header = sheet.header();
    let (plan, problems) = Plan::of(sheet.source(), header.row, &header.cells, Some(&profile));
    let mut causes = Causes::default();
    for problem in &problems {
        causes.add(problem);
    }
    let mut text = Vec::new();
    write_causes(&mut text, &causes)?;
    print(&text)?;
    if problems.iter().any(|problem| problem.severity == Severity::Error) {
        note(format!("{} does not fit {}", profile.name, sheet.source()));
        return Ok(Exit::SheetProblems);
    }
    note(format!("{} fits {}: {} fed", profile.name, sheet.source(), count(plan.fed().count() as u64, "field")));
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::delimiter;

    #[test]
    fn delimiters_by_name_or_character() {
        for (text, byte) in [("comma", b','), ("Tab", b'\t'), (";", b';'), ("|", b'|'), ("\t", b'\t'), ("\\t", b'\t')] {
            assert_eq!(delimiter(text), Ok(byte), "{text}");
        }
        for text in ["", "ab", "\"", "a"] {
            assert!(delimiter(text).is_err(), "{text}");
        }
    }
}
