//! `completions`: completions for a shell, or manual pages, from the command line's own definitions.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, Command, ValueEnum};
use clap_complete::{Shell, generate};
use clap_mangen::Man;
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::Exit;
use crate::text::count;

use super::Usage;
use super::console::{note, print};
use super::document::{Kind, print_document};
use super::global::Format;

const PROGRAM: &str = "shipsheet";

#[derive(Debug, Args)]
pub(super) struct Completions {
    /// The shell; or man, for manual pages
    #[arg(value_enum, value_name = "SHELL")]
    shell: Target,
    /// The folder for manual pages; it is made if it is missing
    #[arg(long, value_name = "FOLDER", required_if_eq("shell", "man"))]
    to: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Target {
    Bash,
    Zsh,
    Fish,
    #[value(name = "powershell")]
    PowerShell,
    Man,
}

/// The document of `completions`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Completions of a shell, or manual pages")]
pub(super) struct Document {
    /// The shell; null of manual pages.
    shell: Option<String>,
    /// Its completions; null of manual pages.
    script: Option<String>,
    /// The manual pages that were written.
    files: Vec<String>,
    exit: Exit,
}

/// Prints completions of the whole command line, or writes manual pages.
pub(super) fn completions(format: Format, arguments: &Completions, mut program: Command) -> Result<Exit> {
    let shell = match (arguments.shell, &arguments.to) {
        (Target::Man, to) => return manual(format, program, to.as_deref().unwrap_or_else(|| Path::new("."))),
        (_, Some(_)) => bail!(Usage("--to is for manual pages; completions go to standard output".to_owned())),
        (Target::Bash, None) => Shell::Bash,
        (Target::Zsh, None) => Shell::Zsh,
        (Target::Fish, None) => Shell::Fish,
        (Target::PowerShell, None) => Shell::PowerShell,
    };
    let mut script = Vec::new();
    generate(shell, &mut program, PROGRAM, &mut script);
    if format == Format::Json {
        let (shell, script) = (Some(shell.to_string()), Some(String::from_utf8_lossy(&script).into_owned()));
        let document = Document { shell, script, files: Vec::new(), exit: Exit::Done };
        print_document(Kind::Completions, &document)?;
    } else {
        print(&script)?;
    }
    Ok(Exit::Done)
}

fn manual(format: Format, program: Command, folder: &Path) -> Result<Exit> {
    let mut program = program.disable_help_subcommand(true);
    // Names each command by its way from the program: shipsheet-ledger-check.
    program.build();
    let mut pages = Vec::new();
    gather(&program, &mut pages)?;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut files = Vec::new();
    for (name, page) in &pages {
        let path = folder.join(name);
        let shown = path.display();
        if !may_replace(&path).with_context(|| format!("cannot read {shown}"))? {
            bail!("{shown} is no manual page of shipsheet and is not overwritten: name another folder with --to");
        }
        fs::write(&path, page).with_context(|| format!("cannot write {shown}"))?;
        files.push(shown.to_string());
    }
    note(format!("{} written to {}", count(files.len() as u64, "manual page"), folder.display()));
    if format == Format::Json {
        let document = Document { shell: None, script: None, files, exit: Exit::Done };
        print_document(Kind::Completions, &document)?;
    }
    Ok(Exit::Done)
}

/// A page for a command and for each below it, by file name.
fn gather(command: &Command, pages: &mut Vec<(String, Vec<u8>)>) -> Result<()> {
    let page = Man::new(command.clone()).source(format!("{PROGRAM} {}", env!("CARGO_PKG_VERSION")));
    let mut text = Vec::new();
    page.render(&mut text)?;
    pages.push((page.get_filename(), text));
    command.get_subcommands().try_for_each(|below| gather(below, pages))
}

/// Whether nothing is lost where a page is written: there is none yet, or one of this or another version.
fn may_replace(path: &Path) -> std::io::Result<bool> {
    match fs::read(path) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).contains(&format!(".TH {PROGRAM}"))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
        Err(error) => Err(error),
    }
}
