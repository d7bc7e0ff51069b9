//! `sandbox`: the stand-in service on a port.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use anyhow::{Context, Result};
use schemars::JsonSchema;
use serde::Serialize;

use crate::book::Stop;
use crate::sandbox::{DEFAULT_TOKEN, Faults, Options, Sandbox};

use super::Usage;
use super::args::Sandbox as Arguments;
use super::console::{listen_for_signals, note, print};
use super::document::{Kind, print_line};
use super::global::Format;
use crate::app::{Exit, runtime};

/// The document of `sandbox`: one such object on a line, once it serves.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "The stand-in service")]
pub(super) struct Document<'a> {
    /// The address of the service.
    url: &'a str,
    /// The token that it takes.
    token: &'a str,
}

/// Serves until Ctrl-C, SIGTERM or the end of its terminal.
pub(super) fn sandbox(format: Format, arguments: &Arguments) -> Result<Exit> {
    let faults = match &arguments.faults {
        Some(spec) => spec.parse::<Faults>().map_err(|error| Usage(format!("--faults: {error}")))?,
        None => Faults::default(),
    };
    let address = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), arguments.port);
    let options = Options { address, faults, book_file: arguments.book.clone(), ..Options::default() };
    let stop = listen_for_signals()?;
    runtime()?.block_on(async {
        let sandbox = Sandbox::start(options)
            .await
            .with_context(|| format!("cannot listen on {address}; another port: --port 0"))?;
        let url = format!("http://{}", sandbox.address());
        match format {
            Format::Human => print(format!("listening on {url}\n").as_bytes())?,
            Format::Json => print_line(Kind::Sandbox, &Document { url: &url, token: DEFAULT_TOKEN })?,
        }
        note(format!(
            "a stand-in service: it books nothing for real. In another terminal:\n  \
             export SHIPSHEET_BASE_URL={url} SHIPSHEET_TOKEN={DEFAULT_TOKEN}\n  \
             shipsheet import orders.xlsx --yes"
        ));
        let mut watch = stop.watch();
        while *watch.borrow_and_update() == Stop::No && watch.changed().await.is_ok() {}
        sandbox.shutdown().await;
        Ok(Exit::Done)
    })
}
