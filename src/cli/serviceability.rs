//! `serviceability`: which couriers go from one PIN code to others.

use std::io::Write;

use anyhow::Result;
use serde_json::json;

use crate::after::bulk::Bulk;
use crate::book::StopSignal;

use super::args::Format;
use super::console::{listen_for_signals, print, print_json};
use super::exit::Exit;
use super::service_args::Serviceability;
use super::session::{Line, runtime};
use super::settings::Settings;

pub(super) fn serviceability(settings: &Settings, arguments: &Serviceability) -> Result<Exit> {
    let runtime = runtime()?;
    let concurrency = usize::from(arguments.pace.concurrency);
    let line = Line::connect(settings, concurrency, &runtime)?;
    let bulk = Bulk { concurrency, rate: arguments.pace.rate, stop: StopSignal::default() };
    let answers = runtime.block_on(async {
        listen_for_signals(bulk.stop.clone());
        let ask = |_, to: String| {
            let (caller, from) = (line.caller(), arguments.from.clone());
            async move { caller.serviceability(&from, &to).await.map_err(|error| error.to_string()) }
        };
        bulk.run(&arguments.to, ask, |_, _| {}).await
    });
    let mut exit = Exit::Done;
    let (mut entries, mut text) = (Vec::new(), Vec::new());
    for (to, answer) in arguments.to.iter().zip(answers) {
        match answer.unwrap_or_else(|| Err("not reached".to_owned())) {
            Ok(couriers) => {
                let (prepaid, cod) = (couriers.iter().any(|c| c.prepaid), couriers.iter().any(|c| c.cod));
                if !prepaid && !cod {
                    exit = Exit::SomeFailed;
                }
                let word = match (prepaid, cod) {
                    (true, true) => "prepaid and cash on delivery",
                    (true, false) => "prepaid only",
                    (false, true) => "cash on delivery only",
                    (false, false) => "not served",
                };
                writeln!(text, "{} to {to}: {word}", arguments.from)?;
                for courier in &couriers {
                    let name = courier.carrier.as_deref().unwrap_or("(no name)");
                    let zone = courier.zone.as_ref().map(|zone| format!(", zone {zone}")).unwrap_or_default();
                    let takes = match (courier.prepaid, courier.cod) {
                        (true, true) => "prepaid, cash on delivery",
                        (true, false) => "prepaid",
                        (false, true) => "cash on delivery",
                        (false, false) => "nothing at present",
                    };
                    writeln!(text, "  {name}{zone}: {takes}")?;
                }
                entries.push(json!({"from": arguments.from, "to": to, "prepaid": prepaid, "cod": cod,
                    "couriers": couriers, "error": null}));
            }
            Err(error) => {
                exit = Exit::CouldNotRun;
                writeln!(text, "{} to {to}: error: {error}", arguments.from)?;
                entries.push(json!({"from": arguments.from, "to": to, "error": error}));
            }
        }
    }
    if settings.format == Format::Json {
        print_json(&json!({"pairs": entries, "exit": exit.code()}))?;
    } else {
        print(&text)?;
    }
    Ok(exit)
}
