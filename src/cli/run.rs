//! From the process's arguments to its exit code.

use std::process::ExitCode;

use anyhow::{Error, Result};
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches};

use crate::check::RulesError;
use crate::ledger::LedgerError;
use crate::profile::ProfileError;
use crate::report::terminal::{Paint, write_usage};
use crate::report::{Document, ProblemEntry};
use crate::sheet::{self, SheetError};
use crate::stage::StageError;
use crate::text::visible;

use super::args::{Cli, Command, Format};
use super::console::{note, print_json};
use super::exit::Exit;
use super::remedy::words;
use super::room::{let_large_writes_fail, make_room};
use super::settings::Settings;
use super::{
    Usage, address, call, doubt, export, fields, import, label, ledger, login, ndr, operations, profile, quote, rerun,
    sandbox, selftest, serviceability, shipment, status, template, track, warehouse, webhook,
};

/// Runs the command that the process was started with.
#[must_use]
pub fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    // This executable is also the helper that reads old workbook formats under limits.
    if arguments.next().is_some_and(|first| first == sheet::HELPER_ARGUMENT) {
        // What it cannot be given it does without: its rows are then not read, which is said as well.
        let _ = make_room(0).and_then(|()| let_large_writes_fail());
        return sheet::helper_main(arguments);
    }
    run().into()
}

fn run() -> Exit {
    let cli = match parsed() {
        Ok(cli) => cli,
        Err(error) => {
            let exit = if error.use_stderr() { Exit::Usage } else { Exit::Done };
            write_usage(&error.render().ansi().to_string(), error.use_stderr());
            return exit;
        }
    };
    let ready = make_room(0).and_then(|()| let_large_writes_fail());
    match ready.and_then(|()| dispatch(&cli)) {
        Ok(exit) => exit,
        Err(error) => {
            let exit = if error.is::<Usage>() { Exit::Usage } else { Exit::CouldNotRun };
            explain(&error);
            if cli.global.format == Format::Json {
                // Whoever reads the document gets one, whatever happened.
                let _ = print_json(&document(&error, exit));
            }
            exit
        }
    }
}

fn document(error: &Error, exit: Exit) -> Document {
    let place = error.chain().find_map(|cause| of_sheet(cause)?.place());
    let hint = error.chain().find_map(hint).unwrap_or_else(|| way_out(error).to_owned());
    let problem = ProblemEntry::error("could-not-run", place, causes(error).join(": "), hint);
    Document { problems: vec![problem], exit: exit.code(), ..Document::default() }
}

/// Whether an error is of that kind, or was caused by one.
fn is_among<E: std::error::Error + 'static>(error: &Error) -> bool {
    error.chain().any(<dyn std::error::Error + 'static>::is::<E>)
}

/// What to do about an error whose own words are all there is.
fn way_out(error: &Error) -> &'static str {
    let first = error.to_string();
    if is_among::<ProfileError>(error) {
        "correct the profile, and try it with `shipsheet profile check NAME`"
    } else if is_among::<RulesError>(error)
        || is_among::<toml::de::Error>(error)
        || first.starts_with('[')
        || first.contains("configuration")
    {
        "correct that line of shipsheet.toml, or of the file that --config names; `shipsheet template NEW.toml` writes one \
         with every setting explained"
    } else if is_among::<LedgerError>(error) {
        "do as the message says, and never go on with a copy or a backup; `shipsheet ledger check` looks through a ledger"
    } else {
        "correct what the message names and run the same command again; what is booked is not sent twice"
    }
}

fn parsed() -> Result<Cli, clap::Error> {
    let matches = Cli::command().try_get_matches_from(std::env::args_os()).map_err(with_visible_arguments)?;
    let mut cli = Cli::from_arg_matches(&matches)?;
    // The sandbox's bookings are worth nothing: only a ledger that is named beside it may hold them.
    if cli.global.sandbox && ledger_source(&matches) != Some(ValueSource::CommandLine) {
        cli.global.ledger = None;
    }
    Ok(cli)
}

/// An error of the command line that quotes its arguments with nothing hidden in them.
fn with_visible_arguments(error: clap::Error) -> clap::Error {
    let arguments = std::env::args_os().map(|argument| visible(&argument.to_string_lossy()).into_owned());
    // What is made visible is wrong in the same way.
    Cli::command().try_get_matches_from(arguments).err().unwrap_or(error)
}

/// Where the ledger's name came from; global options may stand before or after the command.
fn ledger_source(matches: &ArgMatches) -> Option<ValueSource> {
    let below = matches.subcommand().and_then(|(_, below)| ledger_source(below));
    let here = matches.try_contains_id("ledger").unwrap_or(false).then(|| matches.value_source("ledger")).flatten();
    below.filter(|source| *source == ValueSource::CommandLine).or(here)
}

fn dispatch(cli: &Cli) -> Result<Exit> {
    // These need no configuration, and must work where it is broken.
    match &cli.command {
        Command::Fields => return fields::fields(cli.global.format),
        Command::Template { file } => return template::template(file),
        Command::Sandbox(arguments) => return sandbox::sandbox(arguments),
        Command::Profile(arguments) => return profile::profile(arguments, &cli.global),
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
        Command::Show { order, evidence: false } => status::show(&settings, order),
        Command::Show { order, evidence: true } => ledger::evidence(&settings, order),
        Command::Ledger(arguments) => ledger::ledger(&settings, arguments),
        Command::Selftest(arguments) => selftest::selftest(&settings, arguments),
        Command::Doubt(arguments) => doubt::doubt(&settings, arguments),
        Command::Export(arguments) => export::export(&settings, arguments),
        Command::Operations => operations::operations(&settings),
        Command::Call(arguments) => call::call(&settings, arguments),
        Command::Service(arguments) => address::service(&settings, arguments),
        Command::Login => login::login(&settings),
        Command::Shipment(arguments) => shipment::shipment(&settings, arguments),
        Command::Label(arguments) => label::label(&settings, arguments),
        Command::Track(arguments) => track::track(&settings, arguments),
        Command::Serviceability(arguments) => serviceability::serviceability(&settings, arguments),
        Command::Quote(arguments) => quote::quote(&settings, arguments),
        Command::Webhook(arguments) => webhook::webhook(&settings, arguments),
        Command::Warehouse(arguments) => warehouse::warehouse(&settings, arguments),
        Command::Ndr(arguments) => ndr::ndr(&settings, arguments),
        Command::Fields | Command::Template { .. } | Command::Sandbox(_) | Command::Profile(_) => Ok(Exit::Done),
    }
}

/// `error:`, then each cause.
fn explain(error: &Error) {
    let style = Paint::Red;
    for (depth, cause) in causes(error).iter().enumerate() {
        note(if depth == 0 { format!("{style}error{style:#}: {cause}") } else { format!("  caused by: {cause}") });
    }
    if let Some(hint) = error.chain().find_map(hint) {
        note(format!("  hint: {hint}"));
    }
}

/// The error and what caused it; transparent errors repeat what they wrap, and are told once.
fn causes(error: &Error) -> Vec<String> {
    let mut causes: Vec<String> = Vec::new();
    for text in error.chain().map(ToString::to_string) {
        if !causes.last().is_some_and(|before| before.contains(&text)) {
            causes.push(text);
        }
    }
    causes
}

fn hint(error: &(dyn std::error::Error + 'static)) -> Option<String> {
    let hint = of_sheet(error)?.hint(&*words("shipsheet"));
    (!hint.is_empty()).then_some(hint)
}

fn of_sheet<'e>(error: &'e (dyn std::error::Error + 'static)) -> Option<&'e SheetError> {
    // A transparent error hides what it wraps from the chain of causes.
    let wrapped = error.downcast_ref::<StageError>().and_then(|error| match error {
        StageError::Sheet(error) => Some(error),
        _ => None,
    });
    error.downcast_ref::<SheetError>().or(wrapped)
}
