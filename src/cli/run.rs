//! From the process's arguments to its exit code.

use std::process::ExitCode;

use anyhow::{Error, Result};
use clap::Parser;

use crate::sheet;

use super::args::{Cli, Command};
use super::console::note;
use super::exit::Exit;
use super::settings::Settings;
use super::{Usage, doubt, export, fields, import, rerun, sandbox, status, template};

/// Runs the command that the process was started with.
#[must_use]
pub fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    // This executable is also the helper that reads old workbook formats under limits.
    if arguments.next().is_some_and(|first| first == sheet::HELPER_ARGUMENT) {
        return sheet::helper_main(arguments);
    }
    run().into()
}

fn run() -> Exit {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let exit = if error.use_stderr() { Exit::Usage } else { Exit::Done };
            // Help that nobody reads to its end is no failure.
            let _ = error.print();
            return exit;
        }
    };
    match dispatch(&cli) {
        Ok(exit) => exit,
        Err(error) => {
            explain(&error);
            if error.is::<Usage>() { Exit::Usage } else { Exit::CouldNotRun }
        }
    }
}

fn dispatch(cli: &Cli) -> Result<Exit> {
    // These need no configuration, and must work where it is broken.
    match &cli.command {
        Command::Fields => return fields::fields(cli.global.format),
        Command::Template { file } => return template::template(file),
        Command::Sandbox(arguments) => return sandbox::sandbox(arguments),
        _ => {}
    }
    let settings = Settings::new(&cli.global)?;
    match &cli.command {
        Command::Import(arguments) => import::import(&settings, arguments),
        Command::Check(arguments) => import::check(&settings, arguments),
        Command::Resume(arguments) => rerun::resume(&settings, arguments),
        Command::Retry(arguments) => rerun::retry(&settings, arguments),
        Command::Status(arguments) => status::status(&settings, arguments.run),
        Command::Runs => status::runs(&settings),
        Command::Show { order } => status::show(&settings, order),
        Command::Doubt(arguments) => doubt::doubt(&settings, arguments),
        Command::Export(arguments) => export::export(&settings, arguments),
        Command::Fields | Command::Template { .. } | Command::Sandbox(_) => Ok(Exit::Done),
    }
}

/// `error:`, then each cause.
fn explain(error: &Error) {
    let style = anstyle::Style::new().fg_color(Some(anstyle::AnsiColor::Red.into())).bold();
    note(format!("{style}error{style:#}: {error}"));
    let mut before = error.to_string();
    for cause in error.chain().skip(1) {
        let text = cause.to_string();
        // Transparent errors repeat what they wrap.
        if !before.contains(&text) {
            note(format!("  caused by: {text}"));
        }
        before = text;
    }
    if let Some(hint) = error.chain().find_map(hint) {
        note(format!("  hint: {hint}"));
    }
}

fn hint(error: &(dyn std::error::Error + 'static)) -> Option<String> {
    error
        .downcast_ref::<crate::sheet::SheetError>()
        .map(|error| error.hint().to_owned())
        .filter(|hint| !hint.is_empty())
}
