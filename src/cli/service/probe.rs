//! `service probe`: tries the operations that change nothing.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use crate::api::CallError;
use crate::app::{Exit, Probe as Probed, ProbeEnd, ProbeOptions, pin};
use crate::cli::connect::settle_service;
use crate::cli::console::{note, print};
use crate::cli::document::{Kind, print_document};
use crate::cli::global::Format;
use crate::cli::settings::Settings;

#[derive(Debug, Args)]
pub(in crate::cli) struct Probe {
    /// PIN code of a pickup [default: that of `[serviceability]` in shipsheet.toml, else 110001]
    #[arg(long, value_name = "PIN", value_parser = pin)]
    from: Option<String>,
    /// PIN code of a delivery [default: 400001]
    #[arg(long, value_name = "PIN", value_parser = pin)]
    to: Option<String>,
    /// A booked order to ask about [default: the one that was booked last]
    #[arg(long, value_name = "ORDER")]
    order: Option<String>,
}

/// The document of `service probe`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Operations that were tried")]
pub(in crate::cli) struct Document<'p> {
    /// Every operation that changes nothing, in the order in which they were tried.
    operations: Vec<Entry<'p>>,
    exit: Exit,
}

/// One operation.
#[derive(Serialize, JsonSchema)]
struct Entry<'p> {
    /// Its name.
    name: &'static str,
    /// Its result.
    #[schemars(extend("enum" = ["understood", "not-understood", "refused", "failed", "not-tried"]))]
    result: String,
    /// Its answer in a word or two, or why there is none.
    said: String,
    /// The setting that would read the answer; null where none could.
    setting: Option<&'p str>,
}

pub(super) fn probe(settings: &Settings, arguments: &Probe) -> Result<Exit> {
    settle_service(settings)?;
    let Probe { from, to, order } = arguments;
    let options = ProbeOptions { from: from.clone(), to: to.clone(), order: order.clone() };
    let probes = settings.app.probe(&options)?;
    let has_failed = probes.iter().any(|probe| matches!(probe.end, ProbeEnd::Failed(_)));
    let exit = if has_failed { Exit::SomeFailed } else { Exit::Done };
    if settings.format == Format::Json {
        let operations = probes.iter().map(Entry::of).collect();
        print_document(Kind::ServiceProbe, &Document { operations, exit })?;
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

impl<'p> Entry<'p> {
    fn of(probe: &'p Probed) -> Self {
        let (word, said) = told(probe);
        let setting = match &probe.end {
            ProbeEnd::Failed(CallError::NotUnderstood(error)) => error.setting.as_deref(),
            ProbeEnd::Failed(CallError::Refused { keys: Some(keys), .. }) => keys.setting.as_deref(),
            _ => None,
        };
        Self { name: probe.operation, result: word.replace(' ', "-"), said, setting }
    }
}
