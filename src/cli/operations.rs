//! `operations` and `couriers`: the table of the service's operations, its trial, and the couriers of the account.

use std::io::Write;

use anyhow::Result;
use serde_json::{Value, json};

use crate::api::CallError;
use crate::api::operation::NDR;
use crate::app::{Exit, Probe as Probed, ProbeEnd, ProbeOptions};

use super::connect::settle_service;
use super::console::{note, print};
use super::document::{Kind, print_document};
use super::global::Format;
use super::service_args::Probe;
use super::settings::Settings;

pub(super) fn operations(settings: &Settings) -> Result<Exit> {
    let operations = settings.operations()?;
    if settings.format == Format::Json {
        let list: Vec<_> = operations
            .iter()
            .map(|entry| {
                json!({"name": entry.operation.name, "about": entry.operation.about, "method": entry.method.as_str(),
                    "path": entry.path, "standing": entry.operation.standing.as_str(), "configured": entry.configured,
                    "fields": entry.pointers(), "request": entry.keys()})
            })
            .collect();
        print_document(Kind::Operations, &json!({"operations": list, "exit": Exit::Done.code()}))?;
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
         `operations probe` tries those that change nothing.",
        NDR.example
    )?;
    print(&text)?;
    Ok(Exit::Done)
}

pub(super) fn probe(settings: &Settings, arguments: &Probe) -> Result<Exit> {
    settle_service(settings)?;
    let Probe { from, to, order } = arguments;
    let options = ProbeOptions { from: from.clone(), to: to.clone(), order: order.clone() };
    let probes = settings.app.probe(&options)?;
    let has_failed = probes.iter().any(|probe| matches!(probe.end, ProbeEnd::Failed(_)));
    let exit = if has_failed { Exit::SomeFailed } else { Exit::Done };
    if settings.format == Format::Json {
        let list: Vec<Value> = probes.iter().map(entry).collect();
        print_document(Kind::OperationsProbe, &json!({"operations": list, "exit": exit.code()}))?;
        return Ok(exit);
    }
    let mut text = Vec::new();
    for probe in &probes {
        let (word, said) = told(probe);
        writeln!(text, "{:<17} {word:<15} {said}", probe.operation)?;
    }
    print(&text)?;
    note("nothing was booked or changed");
    Ok(exit)
}

fn told(probe: &Probed) -> (&'static str, String) {
    match &probe.end {
        ProbeEnd::Understood(said) => ("understood", said.clone()),
        ProbeEnd::Failed(error @ CallError::NotUnderstood(_)) => ("not understood", error.to_string()),
        ProbeEnd::Failed(error @ CallError::Refused { operation, status: 404 | 405, .. }) => {
            let path =
                format!("if it is elsewhere at this service, set path in [operations.{operation}] of shipsheet.toml");
            ("refused", format!("{error}; {path}"))
        }
        ProbeEnd::Failed(error @ CallError::Refused { .. }) => ("refused", error.to_string()),
        ProbeEnd::Failed(error) => ("failed", error.to_string()),
        ProbeEnd::NotTried(why) => ("not tried", why.clone()),
    }
}

fn entry(probe: &Probed) -> Value {
    let (word, said) = told(probe);
    let setting = match &probe.end {
        ProbeEnd::Failed(CallError::NotUnderstood(error)) => error.setting.clone(),
        ProbeEnd::Failed(CallError::Refused { keys: Some(keys), .. }) => keys.setting.clone(),
        _ => None,
    };
    json!({"name": probe.operation, "result": word.replace(' ', "-"), "said": said, "setting": setting})
}

pub(super) fn couriers(settings: &Settings) -> Result<Exit> {
    settle_service(settings)?;
    let couriers = settings.app.couriers()?;
    if settings.format == Format::Json {
        print_document(Kind::Couriers, &json!({"couriers": couriers, "exit": Exit::Done.code()}))?;
        return Ok(Exit::Done);
    }
    if couriers.is_empty() {
        note("the account has no courier");
    }
    let mut text = Vec::new();
    for courier in &couriers {
        match &courier.id {
            Some(id) => writeln!(text, "{}  {id}", courier.name)?,
            None => writeln!(text, "{}", courier.name)?,
        }
    }
    print(&text)?;
    Ok(Exit::Done)
}
