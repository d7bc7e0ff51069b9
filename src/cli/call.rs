//! `call`: any operation by its name.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Serialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use crate::app::{Exit, PlainAnswer};
use crate::text::shortened;

use super::Usage;
use super::connect::settle_service;
use super::console::{confirm, note};
use super::document::{Kind, print_answer, print_document};
use super::global::Format;
use super::service_args::Call;
use super::settings::Settings;

/// An operation's answer, digit for digit.
#[derive(Serialize)]
struct Answered<'a> {
    operation: &'a str,
    answer: &'a RawValue,
    exit: u8,
}

pub(super) fn call(settings: &Settings, arguments: &Call) -> Result<Exit> {
    let body = arguments.body.as_deref().map(body).transpose()?;
    let call = settings.app.prepare_call(&arguments.name, arguments.param.clone(), arguments.query.clone(), body)?;
    if !call.only_reads() {
        let question = format!("Call {}, which changes something at the service?", call.name());
        agreed(settings, arguments.yes, &question)?;
    }
    settle_service(settings)?;
    told(settings, Kind::Call, call.name(), &settings.app.call(&call)?)
}

/// Prints an answer as it came; one that says no all the same ends the command so.
pub(super) fn told(settings: &Settings, kind: Kind, operation: &str, plain: &PlainAnswer) -> Result<Exit> {
    let exit = if plain.says_no.is_some() { Exit::SomeFailed } else { Exit::Done };
    if let Some(no) = &plain.says_no {
        note(format!("the answer says no: {}", shortened(no, 200)));
    }
    if settings.format == Format::Json {
        print_document(kind, &Answered { operation, answer: &plain.answer, exit: exit.code() })?;
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

/// Whether a person, or `--yes`, wants it; with the sandbox nobody need be asked.
pub(super) fn agreed(settings: &Settings, yes: bool, question: &str) -> Result<()> {
    if yes || settings.is_sandbox() {
        return Ok(());
    }
    match confirm(question) {
        Some(true) => Ok(()),
        Some(false) => Err(Usage("nothing was done".to_owned()).into()),
        None => Err(Usage(format!("{question} Nobody can be asked here: add --yes")).into()),
    }
}
