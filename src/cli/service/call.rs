//! `service call`: any operation by its name; without one, the table of all.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::api::operation::{NDR, Standing};
use crate::app::{Exit, PlainAnswer};
use crate::cli::connect::settle_service;
use crate::cli::console::{note, print};
use crate::cli::document::{Kind, print_answer, print_document};
use crate::cli::global::Format;
use crate::cli::session::agreed_to;
use crate::cli::settings::Settings;
use crate::cli::typed::parameter;
use crate::text::shortened;

#[derive(Debug, Args)]
pub(in crate::cli) struct Call {
    /// The operation [default: all are listed, with where each is and how surely that is known]
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// A parameter of its path, or of its query where the path has no place for it; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = parameter, requires = "name")]
    param: Vec<(String, String)>,
    /// A value of its query; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = parameter, requires = "name")]
    query: Vec<(String, String)>,
    /// The JSON body; `-` is standard input
    #[arg(long, value_name = "FILE", requires = "name")]
    body: Option<PathBuf>,
    /// Do not ask before calling what changes something
    #[arg(long, short, requires = "name")]
    yes: bool,
}

/// The document of `service call`, and `service warehouse list`, `get`, `create` and `update`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "An operation's answer")]
pub(in crate::cli) struct Answered<'a> {
    /// The operation's name.
    operation: &'a str,
    /// The service's answer as it came, digit for digit; one that is not JSON is a text.
    #[schemars(with = "Value")]
    answer: &'a RawValue,
    exit: Exit,
}

/// The document of `service call` without a name.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Operations of the service")]
pub(in crate::cli) struct ListDocument<'a> {
    /// Every operation.
    operations: Vec<Operation<'a>>,
    exit: Exit,
}

/// One operation.
#[derive(Serialize, JsonSchema)]
struct Operation<'a> {
    /// Its name.
    name: &'static str,
    /// Its purpose, in English.
    about: &'static str,
    /// The HTTP method.
    method: &'static str,
    /// The path; null where only the configuration can say it.
    path: Option<&'a str>,
    /// How surely it is known.
    standing: Standing,
    /// Whether the configuration sets it.
    configured: bool,
    /// Where in its answer is what, as JSON pointers by the names of the fields.
    fields: BTreeMap<&'static str, &'a str>,
    /// The values of the request: a name for each and the key that the service takes it by.
    request: BTreeMap<&'static str, &'a str>,
}

pub(super) fn call(settings: &Settings, arguments: &Call) -> Result<Exit> {
    let Some(name) = &arguments.name else { return operations(settings) };
    let body = arguments.body.as_deref().map(body).transpose()?;
    let call = settings.app.prepare_call(name, arguments.param.clone(), arguments.query.clone(), body)?;
    if !call.only_reads() {
        let question = format!("Call {}, which changes something at the service?", call.name());
        agreed_to(settings, arguments.yes, &question)?;
    }
    settle_service(settings)?;
    told(settings, Kind::ServiceCall, call.name(), &settings.app.call(&call)?)
}

/// The table of all operations.
fn operations(settings: &Settings) -> Result<Exit> {
    let operations = settings.operations()?;
    if settings.format == Format::Json {
        let list = operations.iter().map(|entry| Operation {
            name: entry.operation.name,
            about: entry.operation.about,
            method: entry.method.as_str(),
            path: entry.path.as_deref(),
            standing: entry.operation.standing,
            configured: entry.configured,
            fields: entry.pointers(),
            request: entry.keys(),
        });
        print_document(Kind::ServiceOperations, &ListDocument { operations: list.collect(), exit: Exit::Done })?;
        return Ok(Exit::Done);
    }
    let mut text = Vec::new();
    for entry in operations.iter() {
        let standing = if entry.configured { "configured" } else { entry.operation.standing.as_str() };
        let path = entry.path.as_deref().unwrap_or("(not known)");
        writeln!(text, "{:<20} {standing:<11} {:<6} {path}", entry.operation.name, entry.method.as_str())?;
        writeln!(text, "    {}", entry.operation.about)?;
        let names = |names: Vec<&str>| names.join(", ");
        let request = names(entry.keys().into_keys().collect());
        if !request.is_empty() {
            writeln!(text, "    request: {request}")?;
        }
        writeln!(text, "    fields:  {}", names(entry.operation.fields.iter().map(|(field, _)| *field).collect()))?;
    }
    writeln!(
        text,
        "\ndocumented: by the service's contract; vendor: by its public reference; seen: in public integrations, a \
         working default; unknown: only by configuration.\nTo change or set one, in shipsheet.toml:\n  \
         [operations.ndr]\n  method = \"PUT\"\n  path = \"{}\"\n  request = {{ action = \"the key that the service \
         takes it by\" }}\n  fields = {{ accepted = \"/where/it/stands/in/the/answer\" }}\n\
         `service probe` tries those that change nothing.",
        NDR.example
    )?;
    print(&text)?;
    Ok(Exit::Done)
}

/// Prints an answer as it came; one that says no all the same ends the command so.
pub(super) fn told(settings: &Settings, kind: Kind, operation: &str, plain: &PlainAnswer) -> Result<Exit> {
    let exit = if plain.says_no.is_some() { Exit::SomeFailed } else { Exit::Done };
    if let Some(no) = &plain.says_no {
        note(format!("the answer says no: {}", shortened(no, 200)));
    }
    if settings.format == Format::Json {
        print_document(kind, &Answered { operation, answer: &plain.answer, exit })?;
    } else {
        print_answer(&plain.answer)?;
    }
    Ok(exit)
}

pub(super) fn body(path: &Path) -> Result<Vec<u8>> {
    let mut text = String::new();
    if path == Path::new("-") {
        std::io::stdin().read_to_string(&mut text).context("cannot read standard input")?;
    } else {
        text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    }
    // Sent as it is written: by way of numbers it could lose digits.
    serde_json::from_str::<IgnoredAny>(&text).with_context(|| format!("{} is not JSON", path.display()))?;
    Ok(text.into_bytes())
}
