//! From the process's arguments to its exit code.

use std::ffi::OsString;
use std::panic::{PanicHookInfo, catch_unwind, set_hook};
use std::process::ExitCode;
use std::sync::OnceLock;

use anyhow::{Error, Result};
use clap::FromArgMatches;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use serde_json::json;

use crate::app::{self, Exit, let_large_writes_fail, make_room};
use crate::cli::screen::terminal::{Paint, keeping, write_usage};
use crate::config::expanded_argument;
use crate::env::Environment;
use crate::log::impersonal;
use crate::report::ProblemEntry;
use crate::sheet;
use crate::text::visible;

use super::args::{Cli, Command};
use super::console::note;
use super::document::{self, Failure, Kind, print_failure, print_line};
use super::errors::{hint, place, way_out};
use super::global::Format;
use super::groups::command_line;
use super::service::Service;
use super::settings::{Settings, command};
use super::{
    Usage, accept, cancel, completions, config, desk, dismiss, doctor, doubt, explain, export, fields, import, label,
    ledger, night, profile, rejects, report, rerun, rules, runs, sandbox, selftest, service, show, status, template,
    track, watch,
};

/// How the program ends where the command line is wrong; an [`Exit`] is how it ends otherwise.
const USAGE: u8 = 2;

/// How to call this program again, once that is known.
static COMMAND: OnceLock<String> = OnceLock::new();

/// Runs the command that the process was started with.
#[must_use]
pub fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    // This executable is also the helper that reads old workbook formats under limits.
    if arguments.get(1).is_some_and(|first| first == sheet::HELPER_ARGUMENT) {
        // What it cannot be given it does without: its rows are then not read, which is said as well.
        let _ = make_room(0).and_then(|()| let_large_writes_fail());
        return sheet::helper_main(arguments.into_iter().skip(2));
    }
    set_hook(Box::new(|fault| {
        let style = Paint::Red;
        note(format!("{style}error{style:#}: {}", of_fault(fault)));
    }));
    catch_unwind(|| run_here(&arguments)).unwrap_or_else(|_| faulty(&arguments)).into()
}

/// The surroundings of a command that runs within another program, and its output.
#[derive(Debug, Default)]
pub struct Io {
    /// Variables and the executable.
    pub environment: Environment,
    /// Standard output, without colours.
    pub output: Vec<u8>,
    /// Standard error, without colours.
    pub error: Vec<u8>,
}

/// Runs a command within this process, on this thread and to its end, and gives its exit code. The first argument stands for
/// the program.
///
/// It asks no questions, and signals are left to the process. Relative paths are those of the thread's working folder.
pub fn run(arguments: &[OsString], io: &mut Io) -> u8 {
    let (exit, said) = keeping(|| io.environment.clone().around(|| run_here(arguments)));
    io.output.extend(said.output);
    io.error.extend(said.error);
    exit
}

/// What is said of a fault of the program's own: where it is. Its own words may quote a cell.
fn of_fault(fault: &PanicHookInfo<'_>) -> String {
    let place = fault.location().map(|place| format!(" ({}:{})", in_package(place.file()), place.line()));
    let command = COMMAND.get().map_or("shipsheet", String::as_str);
    format!(
        "shipsheet hit a fault of its own{}: please report this line. Nothing that was booked is lost: `{command} status` says how it stands",
        place.unwrap_or_default()
    )
}

/// A source file from the name of its package on: what stands before that is of the machine that built the program.
fn in_package(file: &str) -> String {
    let file = file.replace('\\', "/");
    match file.rsplit_once("/src/") {
        Some((before, rest)) => format!("{}/src/{rest}", before.rsplit('/').next().unwrap_or_default()),
        None => file,
    }
}

/// How the program ends by a fault of its own, which was told where it happened.
fn faulty(arguments: &[OsString]) -> u8 {
    let exit = Exit::CouldNotRun.code();
    if asks_for_json(arguments.iter().skip(1)) {
        let command = COMMAND.get().map_or("shipsheet", String::as_str);
        let hint = format!("report it with the line on standard error; `{command} status` says how it stands");
        let message = "shipsheet hit a fault of its own".to_owned();
        let problem = ProblemEntry::error("could-not-run", None, message, hint);
        let _ = print_line(Kind::CouldNotRun, &Failure::of(vec![problem], exit));
    }
    exit
}

fn run_here(arguments: &[OsString]) -> u8 {
    document::begin();
    // The home folder is written out where the shell has left a `~`.
    let arguments: Vec<OsString> = arguments.iter().cloned().map(expanded_argument).collect();
    let cli = match parsed(&arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let exit = if error.use_stderr() { USAGE } else { Exit::Done.code() };
            write_usage(&error.render().ansi().to_string(), error.use_stderr());
            if exit == USAGE && asks_for_json(arguments.iter().skip(1)) {
                // One line: the command may be one that prints lines.
                let _ = print_line(Kind::CouldNotRun, &misused(&error));
            }
            return exit;
        }
    };
    COMMAND.get_or_init(|| command(&cli.global, true));
    match ready().and_then(|()| dispatch(&cli)) {
        Ok(exit) => exit.code(),
        Err(error) => {
            let exit = if is_misuse(&error) { USAGE } else { Exit::CouldNotRun.code() };
            let command = command(&cli.global, true);
            explain(&error, &command);
            if cli.global.format == Format::Json {
                // Whoever reads the document gets one, whatever happened.
                let document = document_of(&error, exit, &command);
                let _ = if cli.command.prints_lines() {
                    print_line(Kind::CouldNotRun, &document)
                } else {
                    print_failure(&document)
                };
            }
            exit
        }
    }
}

fn ready() -> Result<()> {
    make_room(0)?;
    Ok(let_large_writes_fail()?)
}

/// Whether the command line is at fault.
fn is_misuse(error: &Error) -> bool {
    error.is::<Usage>() || matches!(error.downcast_ref(), Some(app::Error::Misuse(_)))
}

fn document_of(error: &Error, exit: u8, command: &str) -> Failure {
    let hint = hint(error, command).unwrap_or_else(|| way_out(error).to_owned());
    let problem = ProblemEntry::error("could-not-run", place(error), causes(error).join(": "), hint);
    Failure::of(vec![problem], exit)
}

/// Whether a command line that cannot be understood asks for JSON all the same.
fn asks_for_json<'a>(arguments: impl Iterator<Item = &'a OsString>) -> bool {
    let mut arguments = arguments.take_while(|argument| *argument != "--");
    while let Some(argument) = arguments.next() {
        if argument == "--format=json" || (argument == "--format" && arguments.next().is_some_and(|it| it == "json")) {
            return true;
        }
    }
    false
}

/// A command line that is wrong: the first sentence of the parser is the problem, and the rest what to do about it.
fn misused(error: &clap::Error) -> Failure {
    let text = error.render().to_string();
    let (message, rest) = match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => ("no command is named", text.as_str()),
        _ => text.split_once("\n\n").unwrap_or((&text, "")),
    };
    let message = message.strip_prefix("error: ").unwrap_or(message).trim().to_owned();
    let problem = ProblemEntry::error("could-not-run", None, message, rest.trim().to_owned());
    Failure::of(vec![problem], USAGE)
}

fn parsed(arguments: &[OsString]) -> Result<Cli, clap::Error> {
    let matches =
        command_line().try_get_matches_from(arguments).map_err(|error| with_visible_arguments(error, arguments))?;
    Cli::from_arg_matches(&matches)
}

/// An error of the command line that quotes its arguments with nothing hidden in them.
fn with_visible_arguments(error: clap::Error, arguments: &[OsString]) -> clap::Error {
    let arguments = arguments.iter().map(|argument| visible(&argument.to_string_lossy()).into_owned());
    // What is made visible is wrong in the same way.
    let error = command_line().try_get_matches_from(arguments.clone()).err().unwrap_or(error);
    with_run(error, &arguments.collect::<Vec<_>>())
}

/// A lone number where a command takes none is most likely a run's.
fn with_run(mut error: clap::Error, arguments: &[String]) -> clap::Error {
    let Some(ContextValue::String(wrong)) = error.get(ContextKind::InvalidArg) else { return error };
    let command_line = command_line();
    let named = arguments.iter().skip(1);
    let command = named.fold(&command_line, |command, name| command.find_subcommand(name).unwrap_or(command));
    let takes_run = command.get_arguments().any(|argument| argument.get_long() == Some("run"));
    if takes_run && wrong.parse::<u64>().is_ok() {
        let suggested = ContextValue::String(format!("--run {wrong}"));
        error.insert(ContextKind::SuggestedArg, suggested);
    }
    error
}

fn dispatch(cli: &Cli) -> Result<Exit> {
    // These need no configuration, and must work where it is broken.
    match &cli.command {
        Command::Fields => return fields::fields(cli.global.format),
        Command::Completions(arguments) => {
            return completions::completions(cli.global.format, arguments, command_line());
        }
        Command::Template { file } => return template::template(&cli.global, file),
        Command::Night(command) => return night::night(&cli.global, command),
        Command::Doctor(arguments) => return doctor::doctor(&cli.global, arguments),
        Command::Config(arguments) => return config::config(&cli.global, arguments),
        Command::Service(Service::Init) => return service::init(&cli.global),
        Command::Sandbox(arguments) => return sandbox::sandbox(cli.global.format, arguments),
        Command::Profile(arguments) => return profile::profile(arguments, &cli.global),
        _ => {}
    }
    if let Command::Desk(arguments) = &cli.command {
        return desk::desk(&cli.global, arguments);
    }
    let settings = Settings::new(&cli.global)?;
    let (Some(log), Some(name)) = (settings.app.log(), cli.command.books()) else {
        return command_with(&settings, cli);
    };
    log.note("began", json!({"command": name, "version": env!("CARGO_PKG_VERSION")}));
    let ended = command_with(&settings, cli);
    let why = ended.as_ref().err().map(|error| impersonal(&causes(error).join(": ")));
    let exit = ended.as_ref().map_or(Exit::CouldNotRun.code(), |exit| exit.code());
    log.note("ended", json!({"command": name, "exit": exit, "why": why}));
    if let Some(why) = log.trouble() {
        note(format!("warning: the log could not be written: {why}"));
    }
    ended
}

fn command_with(settings: &Settings, cli: &Cli) -> Result<Exit> {
    match &cli.command {
        Command::Import(arguments) => import::import(settings, arguments),
        Command::Watch(arguments) => watch::watch(settings, arguments),
        Command::Check(arguments) => import::check(settings, arguments),
        Command::Resume(arguments) => rerun::resume(settings, arguments),
        Command::Retry(arguments) => rerun::retry(settings, arguments),
        Command::Status(arguments) => status::status(settings, arguments),
        Command::Runs(arguments) => runs::runs(settings, arguments),
        Command::Show(arguments) => show::show(settings, arguments),
        Command::Ledger(arguments) => ledger::ledger(settings, arguments),
        Command::Selftest(arguments) => selftest::selftest(settings, arguments),
        Command::Doubt(arguments) => doubt::doubt(settings, arguments),
        Command::Export(arguments) => export::export(settings, arguments),
        Command::Rejects(arguments) => rejects::rejects(settings, arguments),
        Command::Report(arguments) => report::report(settings, arguments),
        Command::Explain(arguments) => explain::explain(settings, arguments),
        Command::Accept(arguments) => accept::accept(settings, arguments),
        Command::Dismiss(arguments) => dismiss::dismiss(settings, arguments),
        Command::Rules(arguments) => rules::rules(settings, arguments),
        Command::Service(command) => service::service(settings, command),
        Command::Cancel(arguments) => cancel::cancel(settings, arguments),
        Command::Label(arguments) => label::label(settings, arguments),
        Command::Track(arguments) => track::track(settings, arguments),
        Command::Fields
        | Command::Completions(_)
        | Command::Template { .. }
        | Command::Night(_)
        | Command::Sandbox(_)
        | Command::Profile(_)
        | Command::Doctor(_)
        | Command::Config(_)
        | Command::Desk(_) => Ok(Exit::Done),
    }
}

/// `error:`, then each cause, then what to do.
fn explain(error: &Error, command: &str) {
    let style = Paint::Red;
    for (depth, cause) in causes(error).iter().enumerate() {
        note(if depth == 0 { format!("{style}error{style:#}: {cause}") } else { format!("  caused by: {cause}") });
    }
    if let Some(hint) = hint(error, command) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_placed_without_the_folders_of_a_machine() {
        for (file, shown) in [
            ("src/parse/value.rs", "src/parse/value.rs"),
            (
                "/home/asha/.cargo/registry/src/index-1/rust_decimal-1.43.0/src/ops/add.rs",
                "rust_decimal-1.43.0/src/ops/add.rs",
            ),
            ("C:\\Users\\asha\\.cargo\\registry\\src\\i\\csv-1.4.0\\src\\reader.rs", "csv-1.4.0/src/reader.rs"),
            ("/rustc/59807/library/core/src/slice/index.rs", "core/src/slice/index.rs"),
        ] {
            assert_eq!(in_package(file), shown);
        }
    }

    #[test]
    fn a_lone_number_is_taken_for_a_run() {
        let said = |line: &str| {
            let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            parsed(&arguments).unwrap_err().render().to_string()
        };
        assert!(said("shipsheet status 3").contains("'--run 3'"), "{}", said("shipsheet status 3"));
        assert!(said("shipsheet --sandbox report 12").contains("'--run 12'"));
        for line in ["shipsheet status x", "shipsheet template a.csv 3", "shipsheet runs 3"] {
            assert!(!said(line).contains("--run"), "{line}");
        }
    }

    #[test]
    fn json_is_asked_for_where_the_flag_stands() {
        let asks = |line: &str| asks_for_json(line.split(' ').map(OsString::from).collect::<Vec<_>>().iter());
        for line in ["--format json runs", "runs --bad --format=json", "doubt --format json"] {
            assert!(asks(line), "{line}");
        }
        for line in ["runs", "--format human", "--format", "show -- --format=json", "json --format human"] {
            assert!(!asks(line), "{line}");
        }
    }
}
