//! `call`: any operation by its name.

use crate::text::shell_quoted;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result};
use serde::de::IgnoredAny;
use serde_json::json;

use crate::api::operation::{CANCEL_SHIPMENT, Entry, FORWARD_SHIPMENT, FORWARD_SHIPMENT_V1, LOGIN, REGISTER_WEBHOOK};

use super::Usage;
use super::args::Format;
use super::console::{confirm, print_json};
use super::exit::Exit;
use super::room::runtime;
use super::service_args::Call;
use super::session::Line;
use super::settings::{Service, Settings};

pub(super) fn call(settings: &Settings, arguments: &Call) -> Result<Exit> {
    let operations = settings.operations()?;
    let entry = operations.find(&arguments.name)?;
    let name = entry.operation.name;
    if name == LOGIN.name {
        return Err(Usage("the answer of a login is a secret: use `shipsheet login`, which shows none".into()).into());
    }
    // Fails before anything else where the path or a parameter is missing.
    entry.address(&arguments.param)?;
    let body = arguments.body.as_deref().map(body).transpose()?;
    if [FORWARD_SHIPMENT.name, FORWARD_SHIPMENT_V1.name].contains(&name) {
        let why =
            "a booking by `call` would be in no ledger, and nothing would keep it from being made twice: use `import`";
        return Err(Usage(why.to_owned()).into());
    }
    kept_elsewhere(settings, entry, arguments)?;
    if !entry.only_reads() {
        agreed(settings, arguments.yes, &format!("Call {name}, which changes something at the service?"))?;
    }
    let runtime = runtime()?;
    let line = Line::connect(settings, 1, &runtime)?;
    let answer = runtime.block_on(line.caller().plain(entry, &arguments.param, body))?;
    if settings.format == Format::Json {
        print_json(&json!({"operation": name, "answer": answer}))?;
    } else {
        print_json(&answer)?;
    }
    Ok(Exit::Done)
}

/// What is kept in the ledger is done by a command that keeps it.
fn kept_elsewhere(settings: &Settings, entry: &Entry, arguments: &Call) -> Result<()> {
    let name = entry.operation.name;
    let command = &settings.command;
    if name == REGISTER_WEBHOOK.name {
        let why =
            format!("use `{command} webhook register --url …`, which checks the address and keeps what came of it");
        return Err(Usage(why).into());
    }
    let order_id = arguments.param.iter().find(|(parameter, _)| parameter == "orderId").map(|(_, value)| value);
    if let (true, Some(order_id), Ok(ledger)) = (name == CANCEL_SHIPMENT.name, order_id, settings.read_ledger())
        && let Some(number) = ledger.number_of_shipment(&settings.service_key()?, order_id)?
    {
        let number = shell_quoted(&number);
        let why =
            format!("this shipment is one of this ledger: use `{command} shipment cancel {number}`, which keeps it");
        return Err(Usage(why).into());
    }
    Ok(())
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
    if yes || settings.service == Service::Sandbox {
        return Ok(());
    }
    match confirm(question) {
        Some(true) => Ok(()),
        Some(false) => Err(Usage("nothing was done".to_owned()).into()),
        None => Err(Usage(format!("{question} Nobody can be asked here: add --yes")).into()),
    }
}
