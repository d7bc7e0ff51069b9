//! `call`: any operation by its name.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Serialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use crate::app::Exit;

use super::Usage;
use super::connect::settle_host;
use super::console::confirm;
use super::document::{Kind, print_answer, print_document};
use super::global::Format;
use super::service_args::Call;
use super::settings::Settings;

/// An operation's answer, digit for digit.
#[derive(Serialize)]
pub(super) struct Answered<'a> {
    operation: &'a str,
    answer: &'a RawValue,
    exit: u8,
}

impl<'a> Answered<'a> {
    pub(super) const fn new(operation: &'a str, answer: &'a RawValue) -> Self {
        Self { operation, answer, exit: Exit::Done.code() }
    }
}

pub(super) fn call(settings: &Settings, arguments: &Call) -> Result<Exit> {
    let body = arguments.body.as_deref().map(body).transpose()?;
    let call = settings.app.prepare_call(&arguments.name, arguments.param.clone(), body)?;
    if !call.only_reads() {
        let question = format!("Call {}, which changes something at the service?", call.name());
        agreed(settings, arguments.yes, &question)?;
    }
    settle_host(settings)?;
    let answer = settings.app.call(&call)?;
    if settings.format == Format::Json {
        print_document(Kind::Call, &Answered::new(call.name(), &answer))?;
    } else {
        print_answer(&answer)?;
    }
    Ok(Exit::Done)
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
