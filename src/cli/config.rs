//! `config show`: every setting with its value and where that comes from, and where every file lies.

use std::fmt::Write;

use anyhow::Result;
use clap::Subcommand;
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::{Error, Exit};
use crate::config::{Place, SetBy, Setting, Shown};

use super::console::{note, print};
use super::document::{Kind, print_document};
use super::global::{Format, Global};
use super::settings::overrides;

/// So wide are settings, so that what is said of them stands in one column.
const WIDTH: usize = 46;

/// The subcommands of `config` as typed.
#[derive(Debug, Subcommand)]
pub(super) enum ConfigCommand {
    /// Every setting with its value and where that comes from; secrets are never shown
    ///
    /// Nothing is called and no token is needed. Where the configuration cannot be used, what can be read of it is shown with
    /// what is wrong. Examples:
    ///
    ///   shipsheet config show
    ///
    ///   shipsheet config show --paths
    Show {
        /// Where every file lies instead, and whether it is there
        #[arg(long)]
        paths: bool,
    },
}

pub(super) fn config(global: &Global, command: &ConfigCommand) -> Result<Exit> {
    let ConfigCommand::Show { paths } = command;
    let mut shown = Shown::look(&overrides(global));
    let exit = if shown.problems.is_empty() { Exit::Done } else { Exit::CouldNotRun };
    if global.format == Format::Json {
        print_document(Kind::Config, &document(&shown, exit))?;
    } else if *paths {
        print(places(&shown.places).as_bytes())?;
    } else {
        print(text(&shown).as_bytes())?;
    }
    if shown.problems.is_empty() {
        return Ok(exit);
    }
    let first = shown.problems.remove(0);
    shown.problems.iter().for_each(|problem| note(format!("also wrong: {problem}")));
    Err(Error::from(first).into())
}

/// The document of `config show`. No secret is in it.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "What is configured")]
pub(super) struct Document<'s> {
    /// The configuration file that is used; null where there is none.
    file: Option<String>,
    /// Every setting that the program knows, and every one that the file sets.
    settings: Vec<Entry<'s>>,
    /// Where files and folders lie.
    places: &'s [Place],
    /// The fault of the configuration, in English; then the command ends with 1.
    problems: Vec<String>,
    exit: Exit,
}

/// One setting.
#[derive(Serialize, JsonSchema)]
struct Entry<'s> {
    #[serde(flatten)]
    setting: &'s Setting,
    /// Where the value comes from.
    from: Origin,
    /// The variable of the environment that sets it; null where none does.
    variable: Option<&'static str>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Origin {
    #[serde(rename = "command line")]
    CommandLine,
    Environment,
    File,
    Default,
    Nothing,
}

impl<'s> Entry<'s> {
    const fn of(setting: &'s Setting) -> Self {
        let (from, variable) = match &setting.set_by {
            Some(SetBy::Given) => (Origin::CommandLine, None),
            Some(SetBy::Environment(name)) => (Origin::Environment, Some(*name)),
            Some(SetBy::File(_)) => (Origin::File, None),
            Some(SetBy::Default) => (Origin::Default, None),
            None => (Origin::Nothing, None),
        };
        Self { setting, from, variable }
    }
}

fn document(shown: &Shown, exit: Exit) -> Document<'_> {
    Document {
        file: shown.file.as_ref().map(|path| path.display().to_string()),
        settings: shown.sections.iter().flat_map(|section| &section.settings).map(Entry::of).collect(),
        places: &shown.places,
        problems: shown.problems.iter().map(ToString::to_string).collect(),
        exit,
    }
}

/// All of it, in the form of the file.
fn text(shown: &Shown) -> String {
    let configuration = shown.places.iter().find_map(|place| place.path.as_deref());
    let mut text = match (&shown.file, configuration) {
        (Some(file), _) => format!("# {}\n", file.display()),
        (None, Some(place)) => format!("# there is no configuration file: {} would be read\n", place.display()),
        (None, None) => String::new(),
    };
    for section in &shown.sections {
        let mut header = "";
        if section.settings.is_empty() {
            let _ = writeln!(text, "\n[{}]\n# nothing is set", section.name);
        }
        for setting in &section.settings {
            if setting.section != header {
                let _ = writeln!(text, "\n[{}]", setting.section);
                header = &setting.section;
            }
            let _ = writeln!(text, "{}", line(setting));
        }
    }
    text
}

fn line(setting: &Setting) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let name = match &setting.name {
        name if name.chars().all(is_bare) => name.clone(),
        name => format!("{name:?}"),
    };
    let said = match &setting.value {
        Some(value) => format!("{name} = {value}"),
        None => format!("# {name}"),
    };
    let hidden = if setting.is_hidden { ", not shown" } else { "" };
    format!("{said:WIDTH$}  # {}{hidden}", origin(setting))
}

/// Where a value comes from.
fn origin(setting: &Setting) -> String {
    match (&setting.set_by, setting.line) {
        (Some(SetBy::Given), _) => format!("--{}", setting.name.replace('_', "-")),
        (Some(SetBy::Environment(name)), _) => (*name).to_owned(),
        (Some(SetBy::File(path)), line) => {
            let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
            line.map_or_else(|| file.to_string(), |line| format!("{file}:{line}"))
        }
        (Some(SetBy::Default), _) => "default".to_owned(),
        (None, _) => "not set".to_owned(),
    }
}

fn places(places: &[Place]) -> String {
    let width = places.iter().map(|place| place.what.len()).max().unwrap_or_default();
    let mut text = String::new();
    for Place { what, path, is_there } in places {
        let found = match is_there {
            Some(true) => "there",
            Some(false) => "missing",
            None => "on a server",
        };
        let path = path.as_ref().map_or_else(|| "not shown".to_owned(), |path| path.display().to_string());
        let _ = writeln!(text, "{what:width$}  {found:11}  {path}");
    }
    let _ = writeln!(text, "labels: beside the file that `label --to` names, and in the desk's folder");
    text
}
